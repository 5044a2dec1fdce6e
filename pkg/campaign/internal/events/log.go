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

// logSuffix is the suffix of SQLite's write-ahead log, which contains data not yet written to the
// database file.
const logSuffix = "-wal"

// ErrForeignLog reports that the write-ahead log next to the file belongs to another file.
var ErrForeignLog = errors.New("the log next to this file belongs to another campaign, or to another copy of this " +
	"campaign")

func hasLog(real string) bool {
	info, err := os.Stat(real + logSuffix)
	return err == nil && info.Size() > 0
}

// checkLog returns an error if the write-ahead log next to the database file real belongs to
// another file; messages name the file as path. SQLite does not detect a foreign log, and would
// copy the pages of the log into the file. A log is foreign, for example, if another file was
// copied over the campaign file while the log remained.
func checkLog(path, real string) error {
	if !hasLog(real) {
		return nil
	}
	foreign := false
	for range 3 { // repeat the check, because another process may be writing to the log
		if foreign = isForeign(path, real); !foreign {
			return nil
		}
		time.Sleep(50 * time.Millisecond)
	}
	return fmt.Errorf("%s: %w; if you restored or copied the file, move %s%s and %[3]s-shm away and try "+
		"again; otherwise restore the file that the log belongs to", path, ErrForeignLog, path, logSuffix)
}

// leastPages returns the number of database pages after the first transaction of the log, or 0 if
// this number is uncertain. If the log continues after its first transaction, the first transaction
// was on disk (https://sqlite.org/fileformat.html#the_write_ahead_log).
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
		if _, err := f.ReadAt(frame, at); err != nil || !bytes.Equal(frame[8:16], head[16:24]) { // compare the salts
			return 0
		}
		if pages > 0 {
			return pages
		}
		pages = binary.BigEndian.Uint32(frame[4:])
	}
}

// isForeign reports whether applying the log would change or remove events of the file, or damage
// an intact file. Events never change, so the correct log neither changes nor removes events, even
// after an interrupted write. For unreadable files, isForeign returns false, because other
// functions report them.
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
		return true // a campaign file never becomes smaller
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
