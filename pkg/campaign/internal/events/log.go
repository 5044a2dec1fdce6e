package events

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"time"
)

// logSuffix is what SQLite adds to the name of a file for its log: what was written and is not yet in the file.
const logSuffix = "-wal"

// ErrForeignLog: the log beside the file is of another one.
var ErrForeignLog = errors.New("the log beside this file is of another campaign, or of another copy of this one")

func hasLog(real string) bool {
	info, err := os.Stat(real + logSuffix)
	return err == nil && info.Size() > 0
}

// checkLog returns an error if the log beside the file real, which is called path, does not belong to the file.
// SQLite does not notice: it would put the pages of the log into the file, and so replace what it holds. A
// file that is overwritten by another one, while its log stays, is such a pair.
func checkLog(path, real string) error {
	if !hasLog(real) {
		return nil
	}
	foreign := false
	for range 3 { // another process may be writing to the file at this moment
		if foreign = isForeign(path, real); !foreign {
			return nil
		}
		time.Sleep(50 * time.Millisecond)
	}
	return fmt.Errorf("%s: %w; if you restored or copied the file, move %s%s and %[3]s-shm away, and do it again; if "+
		"not, restore the file that the log belongs to", path, ErrForeignLog, path, logSuffix)
}

// leastPages returns the number of pages that a log's first transaction left the file with, 0 if that is not certain:
// what follows a transaction was written when it was on disk (https://sqlite.org/fileformat.html#the_write_ahead_log).
func leastPages(log string) (pages uint32) {
	f, err := os.Open(log)
	if err != nil {
		return 0
	}
	defer f.Close()
	var head [32]byte
	if _, err := f.ReadAt(head[:], 0); err != nil {
		return 0
	}
	frame, size := make([]byte, 24), int64(binary.BigEndian.Uint32(head[8:]))
	for at := int64(len(head)); ; at += int64(len(frame)) + size {
		if _, err := f.ReadAt(frame, at); err != nil || !bytes.Equal(frame[8:16], head[16:24]) { // salts
			return 0
		}
		if pages > 0 {
			return pages
		}
		pages = binary.BigEndian.Uint32(frame[4:])
	}
}

// isForeign reports whether the log changes an event of the file, leaves out some, or damages a file that is whole
// without it. Events are never changed, so that also a file whose last write was cut short has none of others. Files
// that cannot be read are for others to find.
func isForeign(path, real string) bool {
	alone, err := connect(path, real, "&mode=ro&immutable=1")
	if err != nil {
		return false
	}
	defer alone.Close()
	whole := func(s *Store) bool {
		var says string
		err := s.row("PRAGMA quick_check(1)", &says)
		return err == nil && says == "ok" || errors.Is(err, ErrBusy)
	}
	both, err := connect(path, real, "&mode=ro")
	if err != nil {
		return errors.Is(err, ErrDamaged) && whole(alone)
	}
	defer both.Close()
	if !whole(both) {
		return whole(alone)
	}
	var pages uint32
	least := leastPages(real + logSuffix)
	if err := both.row("PRAGMA page_count", &pages); err == nil && pages < least {
		return true // a campaign never shrinks
	}
	rows, err := alone.conn.QueryContext(context.Background(), "SELECT seq, hash FROM event WHERE seq = 1 "+
		"OR seq = (SELECT max(seq) FROM event)")
	if err != nil {
		return false
	}
	defer rows.Close()
	for rows.Next() {
		var c Chain
		var same, gaps bool
		if rows.Scan(&c.Seq, &c.Hash) == nil && both.conn.QueryRowContext(context.Background(),
			"SELECT EXISTS (SELECT 1 FROM event WHERE seq = ? AND hash = ?), (SELECT count(*) <> max(seq) FROM event)",
			c.Seq, c.Hash).Scan(&same, &gaps) == nil && (!same || gaps) {
			return true
		}
	}
	return false
}
