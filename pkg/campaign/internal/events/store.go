package events

import (
	"cmp"
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/purexp/purexp/pkg/internal/filelock"
)

// A Store is an open file of events. Its methods may be called by several goroutines.
type Store struct {
	path string
	db   *sql.DB
	conn *sql.Conn
	file os.FileInfo // to notice when the file is replaced
	mu   sync.Mutex  // of conn
	// alone says that nothing can be written beside the file: others were locked out to read it, or
	// it is read as it was when it was opened.
	alone bool
	copy  string // the folder of a copy that is read instead, removed by Close; or empty
	// Now is the clock; time.Now unless a test changes it. The order of events is that of their
	// numbers, whatever the clock says.
	Now func() time.Time
}

// busy is how long a transaction waits for those of others.
const busy = 30 * time.Second

// longest is the length of an event in bytes, at most: a text of SQLite.
const longest = 256 << 20

// open opens the file at path, which must be there, with additional settings of SQLite.
func open(path, settings string) (*Store, error) {
	// A file that is a symbolic link has its WAL beside what it points at.
	real, err := filepath.EvalSymlinks(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, noFile(path)
	}
	if err != nil {
		return nil, err
	}
	info, err := os.Stat(real)
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("%s: %w, but a folder or a device", path, ErrForeign)
	case info.Size() == 0:
		return nil, fmt.Errorf("%s: %w: it is empty; remove it, and begin the campaign by 'purexp "+
			"campaign new'", path, ErrForeign)
	}
	if err := checkLog(path, real); err != nil {
		return nil, err
	}
	s, err := connect(path, real, settings)
	if err != nil {
		return nil, err
	}
	s.file = info
	return s, nil
}

// connect opens the file real, which is called path in messages.
func connect(path, real, settings string) (*Store, error) {
	name := (&url.URL{Scheme: "file", Opaque: (&url.URL{Path: real}).EscapedPath()}).String()
	db, err := sql.Open("sqlite", fmt.Sprintf("%s?_pragma=busy_timeout(%d)&_pragma=synchronous(FULL)%s", name,
		busy.Milliseconds(), cmp.Or(settings, "&mode=rw")))
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1)
	conn, err := db.Conn(context.Background())
	if err != nil {
		return nil, errors.Join(explain(path, err), db.Close())
	}
	if err := limit(conn, longest); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return &Store{path: path, db: db, conn: conn, Now: time.Now}, nil
}

// Create makes a new file with the events that fill adds, and opens it. There are columns for
// objectives in its views. If there is a file already it is an error that wraps fs.ErrExist.
// The file is there with all that fill added, or not at all.
func Create(path string, objectives []string, fill func(*Tx) error) (_ *Store, err error) {
	if _, err := os.Lstat(path); err == nil {
		return nil, exists(path)
	}
	removeLeft(path)
	temp, unlock, err := newTemp(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s: there is no folder %s; make it, or give another path: %w", path,
			filepath.Dir(path), fs.ErrNotExist)
	}
	if err != nil {
		return nil, err
	}
	defer func() {
		defer unlock()
		for _, suffix := range besides {
			if e := os.Remove(temp + suffix); e != nil && !errors.Is(e, fs.ErrNotExist) {
				err = errors.Join(err, e)
			}
		}
	}()
	s, err := connect(temp, temp, "")
	if err != nil {
		return nil, err
	}
	s.path = path
	err = s.Write(func(tx *Tx) error {
		for _, q := range append(tables, columnViews(objectives)...) {
			if err := tx.exec(q); err != nil {
				return err
			}
		}
		for _, q := range []string{
			fmt.Sprintf("PRAGMA application_id = %d", application),
			fmt.Sprintf("PRAGMA user_version = %d", version),
		} {
			if err := tx.exec(q); err != nil {
				return err
			}
		}
		return fill(tx)
	})
	if err = errors.Join(err, s.Close()); err != nil {
		return nil, err
	}
	if err := place(temp, path); err != nil {
		return nil, err
	}
	return Open(path)
}

// besides are what SQLite adds to the name of a file for those that it keeps beside it, and nothing for the file.
var besides = []string{"", logSuffix, "-shm", "-journal"}

// newTemp makes an empty file beside path. Until unlock, which comes after the file is removed, removeLeft of other
// processes leaves it alone: its lock is older than the file.
func newTemp(path string) (temp string, unlock func(), err error) {
	for {
		temp = filepath.Join(filepath.Dir(path), fmt.Sprintf(".%s.%d", filepath.Base(path), rand.Uint64()))
		if unlock, err = filelock.Lock(temp); errors.Is(err, filelock.ErrHeld) {
			continue
		}
		if err != nil {
			return "", nil, err
		}
		f, err := os.OpenFile(temp, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644)
		if err == nil {
			// Whatever the umask: it is read like other files.
			if err = errors.Join(f.Chmod(0o644), f.Close()); err == nil {
				return temp, unlock, nil
			}
			err = errors.Join(err, os.Remove(temp))
		}
		unlock()
		if !errors.Is(err, fs.ErrExist) {
			return "", nil, err
		}
	}
}

// removeLeft removes what processes left that were killed while they made a file at path: what nobody holds a lock of.
func removeLeft(path string) {
	dir, base := filepath.Split(path)
	if dir == "" {
		dir = "."
	}
	list, _ := os.ReadDir(dir) // that it cannot be read is said by what makes the file
	for _, e := range list {
		rest, mine := strings.CutPrefix(e.Name(), "."+base+".")
		suffix := strings.TrimLeft(rest, "0123456789")
		if !mine || suffix == rest || !e.Type().IsRegular() || suffix != ".lock" && !slices.Contains(besides, suffix) {
			continue
		}
		unlock, err := filelock.Lock(filepath.Join(dir, strings.TrimSuffix(e.Name(), suffix)))
		if err != nil {
			continue
		}
		if suffix != ".lock" {
			_ = os.Remove(filepath.Join(dir, e.Name())) // it was in nobody's way
		}
		unlock() // removes .lock
	}
}

func exists(path string) error {
	return fmt.Errorf("%s: there is a file already; give another path, or go on with that "+
		"campaign: %w", path, fs.ErrExist)
}

// place gives the file temp the name path, unless there is one.
func place(temp, path string) error {
	err := os.Link(temp, path)
	switch {
	case errors.Is(err, fs.ErrExist):
		return exists(path)
	case err != nil: // a file system without links
		if _, e := os.Lstat(path); e == nil {
			return exists(path)
		}
		if err = os.Rename(temp, path); err != nil {
			return err
		}
	}
	if d, err := os.Open(filepath.Dir(path)); err == nil {
		_ = d.Sync() // not all systems can; the file itself is on disk
		d.Close()
	}
	return nil
}

// Open opens the file of a campaign. Tables of an earlier version are brought up to date, after a
// copy was made beside the file. What is not a campaign, or cannot be read, is an error that says
// so, and stays as it is. On a full disk, and where nothing may be written, it can still be read.
func Open(path string) (*Store, error) {
	s, err := openShared(path)
	if err == nil || !(errors.Is(err, ErrFull) || errors.Is(err, ErrReadOnly)) {
		return s, err
	}
	alone, e := openLook(path)
	if errors.Is(e, ErrForeignLog) {
		return nil, e
	}
	if e != nil {
		return nil, err
	}
	return alone, nil
}

// openLook opens a file that can only be read, while nothing can be written beside it: without others, SQLite keeps in
// memory what it would share with them.
func openLook(path string) (*Store, error) {
	s, err := openToRead(path, "&mode=rw&_pragma=locking_mode(EXCLUSIVE)")
	if err == nil {
		s.alone = true
	}
	if errors.Is(err, ErrReadOnly) || errors.Is(err, ErrFull) { // SQLite says either of a disk that is read-only
		s, err = openStill(path)
	}
	return s, err
}

// openStill opens a file in a folder that cannot be written, where SQLite can keep nothing beside it: the
// file as it is, or, if there is a log of what was written last, a copy of both.
func openStill(path string) (_ *Store, err error) {
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return nil, err
	}
	info, err := os.Stat(real)
	if err != nil {
		return nil, err
	}
	settings, copied := "&mode=ro&immutable=1", ""
	if hasLog(real) {
		if copied, err = os.MkdirTemp("", "purexp-"); err != nil {
			return nil, err
		}
		settings = ""
		base := filepath.Join(copied, filepath.Base(real))
		for _, suffix := range []string{"", logSuffix} {
			if err = copyFile(base+suffix, real+suffix); err != nil {
				return nil, errors.Join(err, os.RemoveAll(copied))
			}
		}
		real = base
		if err = checkLog(path, real); err != nil {
			return nil, errors.Join(err, os.RemoveAll(copied))
		}
	}
	s, err := connect(path, real, settings)
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(copied))
	}
	s.file, s.alone, s.copy = info, true, copied
	if err := s.check(); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

func copyFile(to, from string) error {
	src, err := os.Open(from)
	if err != nil {
		return err
	}
	defer src.Close()
	dst, err := os.OpenFile(to, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(dst, src)
	return errors.Join(err, dst.Close())
}

// openToRead opens a file as it is.
func openToRead(path, settings string) (*Store, error) {
	s, err := open(path, settings)
	if err != nil {
		return nil, err
	}
	if err := s.check(); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

// openShared opens a file that others may open, too.
func openShared(path string) (*Store, error) {
	s, err := openToRead(path, "")
	if err != nil {
		return nil, err
	}
	if _, err := s.conn.ExecContext(context.Background(), "PRAGMA journal_mode = WAL"); err != nil {
		return nil, errors.Join(explain(path, err), s.Close())
	}
	return s, nil
}

// share opens a file again that could only be read when it was opened.
func (s *Store) share() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.alone {
		return nil
	}
	// The file must be free before it is opened; without room for both, it stays closed to others.
	if err := errors.Join(s.conn.Close(), s.db.Close(), s.removeCopy()); err != nil {
		return err
	}
	shared, err := openShared(s.path)
	if err != nil {
		again, e := openLook(s.path)
		if e != nil {
			return errors.Join(err, e)
		}
		s.db, s.conn, s.copy = again.db, again.conn, again.copy
		return err
	}
	s.db, s.conn, s.alone, s.copy = shared.db, shared.conn, false, ""
	return nil
}

// check reports whether the file is a campaign of a version that can be read.
func (s *Store) check() error {
	var app, user int
	if err := s.row("PRAGMA application_id", &app); err != nil {
		return err
	}
	if err := s.row("PRAGMA user_version", &user); err != nil {
		return err
	}
	switch {
	case app != application:
		return fmt.Errorf("%s: %w, but another SQLite database; give another file", s.path,
			ErrForeign)
	case user > version:
		return fmt.Errorf("%s: %w: its tables are of version %d, and this program knows up to %d; "+
			"install a later purexp", s.path, ErrNewer, user, version)
	case user < 1:
		return fmt.Errorf("%s: %w", s.path, ErrForeign)
	}
	return s.checkSchema()
}

// checkSchema fails unless what is read are tables as Create makes them, and nothing acts on them by
// itself. In a file from somebody else "event" could be a view that computes for ever.
func (s *Store) checkSchema() error {
	rows, err := s.conn.QueryContext(context.Background(), `SELECT m.type, m.name, m.rootpage > 0 AND
  NOT EXISTS (SELECT 1 FROM pragma_table_xinfo(m.name) WHERE hidden), coalesce(m.sql, '')
FROM sqlite_schema m WHERE m.tbl_name COLLATE NOCASE IN ('event', 'undone', 'state')`)
	if err != nil {
		return explain(s.path, err)
	}
	defer rows.Close()
	found := 0
	for rows.Next() {
		var kind, name, query string
		var plain bool
		if err := rows.Scan(&kind, &name, &plain, &query); err != nil {
			return explain(s.path, err)
		}
		switch {
		case kind == "table" && plain:
			found++
		case kind == "trigger" && slices.Contains(tables, query):
		default:
			return fmt.Errorf("%s: %w as purexp makes it: its %s %q is another one; ask for the "+
				"file again", s.path, ErrForeign, kind, name)
		}
	}
	if err := rows.Err(); err != nil {
		return explain(s.path, err)
	}
	if found < 3 {
		return fmt.Errorf("%s: %w: tables are missing; ask for the file again", s.path, ErrForeign)
	}
	return nil
}

// row reads one row.
func (s *Store) row(query string, dst ...any) error {
	return explain(s.path, s.conn.QueryRowContext(context.Background(), query).Scan(dst...))
}

// Path returns the path that the store was opened by.
func (s *Store) Path() string { return s.path }

// Close ends the use of the file.
func (s *Store) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return errors.Join(s.conn.Close(), s.db.Close(), s.removeCopy())
}

func (s *Store) removeCopy() error {
	if s.copy == "" {
		return nil
	}
	return os.RemoveAll(s.copy)
}

// Changes returns a number that differs when another connection wrote since the last call.
func (s *Store) Changes() (int, error) {
	if err := s.moved(); err != nil {
		return 0, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	var n int
	err := s.row("PRAGMA data_version", &n)
	return n, err
}

// A Tx is a transaction: all that is read in it is of one moment.
type Tx struct {
	s     *Store
	chain *Chain // of the last event; nil before it was read
	now   time.Time
}

// Read calls f within a transaction that reads.
func (s *Store) Read(f func(*Tx) error) error {
	if err := s.moved(); err != nil {
		return err
	}
	return s.transact("BEGIN", f)
}

// Write calls f within a transaction that writes; it waits for those of other processes to end.
// If f returns an error, or if what it wrote cannot be put on disk, nothing is written.
func (s *Store) Write(f func(*Tx) error) error {
	if err := s.moved(); err != nil {
		return err
	}
	if err := s.share(); err != nil {
		return err
	}
	return s.transact("BEGIN IMMEDIATE", f)
}

// moved reports whether another file is where this was.
func (s *Store) moved() error {
	if s.file == nil {
		return nil // it has no name yet
	}
	now, err := os.Stat(s.path)
	if err != nil || !os.SameFile(now, s.file) {
		return fmt.Errorf("%s: %w; put it back, and begin again", s.path, ErrMoved)
	}
	return nil
}

func (s *Store) transact(begin string, f func(*Tx) error) (err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	ctx := context.Background()
	if _, err := s.conn.ExecContext(ctx, begin); err != nil {
		return explain(s.path, err)
	}
	done := false
	defer func() {
		if done {
			return
		}
		// Also when f panics. SQLite may have rolled back by itself: then there is nothing to do.
		_, _ = s.conn.ExecContext(ctx, "ROLLBACK")
	}()
	if err := f(&Tx{s: s, now: s.Now()}); err != nil {
		return err
	}
	if _, err := s.conn.ExecContext(ctx, "COMMIT"); err != nil {
		return explain(s.path, err)
	}
	done = true
	return nil
}

func (tx *Tx) exec(query string, args ...any) error {
	_, err := tx.s.conn.ExecContext(context.Background(), query, args...)
	return explain(tx.s.path, err)
}

// Last returns number and hash of the last event.
func (tx *Tx) Last() (Chain, error) {
	if tx.chain == nil {
		var c Chain
		err := tx.s.row("SELECT seq, hash FROM event ORDER BY seq DESC LIMIT 1", &c.Seq, &c.Hash)
		if err != nil && !errors.Is(err, sql.ErrNoRows) {
			return c, err
		}
		tx.chain = &c
	}
	return *tx.chain, nil
}

// After calls f with each event after the chain's last, in order, and checks that they follow it.
// Events that do not are an error, a *Damage.
func (tx *Tx) After(c *Chain, f func(*Event) error) (err error) {
	rows, err := tx.s.conn.QueryContext(context.Background(),
		`SELECT seq, at, who, what, body, hash, typeof(at) || typeof(who) || typeof(what) || typeof(body) || typeof(hash)
FROM event WHERE seq > ? ORDER BY seq`, c.Seq)
	if err != nil {
		return tx.damaged(c.Seq, explain(tx.s.path, err))
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var e Event
		var body, types sql.RawBytes
		if err := rows.Scan(&e.Seq, &e.At, &e.Who, &e.What, &body, &e.Hash, &types); err != nil {
			return tx.damaged(c.Seq, err)
		}
		if string(types) != allText { // other readers find other values in bytes
			return tx.damaged(c.Seq, fmt.Errorf("event %d has a cell that is no text", e.Seq))
		}
		e.Body = json.RawMessage(strings.Clone(string(body)))
		if err := c.Next(&e); err != nil {
			return tx.damaged(c.Seq, err)
		}
		if err := f(&e); err != nil {
			return err
		}
	}
	if err := rows.Err(); err != nil {
		return tx.damaged(c.Seq, explain(tx.s.path, err))
	}
	return nil
}

// allText are the types of the five columns of texts of an event.
var allText = strings.Repeat("text", 5)

// damaged says that events 1 to intact are what is left, if err is about damage.
func (tx *Tx) damaged(intact int, err error) error {
	for _, other := range []error{ErrFull, ErrBusy, ErrReadOnly, ErrForeign} {
		if errors.Is(err, other) {
			return err
		}
	}
	var d *Damage
	if errors.As(err, &d) {
		err = d.Why
	}
	return &Damage{Path: tx.s.path, Intact: intact, Why: err}
}

// Now is the time of the transaction.
func (tx *Tx) Now() time.Time { return tx.now }

// Append adds an event, with the time of the transaction. Who is checked by [Name]; body is
// written as JSON.
func (tx *Tx) Append(who, what string, body any) (*Event, error) {
	who, err := Name(who)
	if err != nil {
		return nil, err
	}
	text, err := json.Marshal(body)
	if err != nil {
		return nil, err
	}
	c, err := tx.Last()
	if err != nil {
		return nil, err
	}
	e := &Event{Seq: c.Seq + 1, At: Stamp(tx.now), Who: who, What: what, Body: text}
	e.Hash = e.digest(c.before())
	return e, tx.Restore(e)
}

// Restore adds an event with the number, the time and the hash that it has.
func (tx *Tx) Restore(e *Event) error {
	c, err := tx.Last()
	if err != nil {
		return err
	}
	if err := c.Next(e); err != nil {
		return fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	if err := tx.exec("INSERT INTO event (seq, at, who, what, body, hash) "+
		"VALUES (?, ?, ?, ?, ?, ?)",
		e.Seq, e.At, e.Who, e.What, string(e.Body), e.Hash); err != nil {
		return err
	}
	*tx.chain = c
	return nil
}

// SetUndone notes that event seq is undone by the event by; none for 0.
func (tx *Tx) SetUndone(seq, by int) error {
	if by == 0 {
		return tx.exec("DELETE FROM undone WHERE seq = ?", seq)
	}
	return tx.exec(`INSERT OR REPLACE INTO undone (seq, "by") VALUES (?, ?)`, seq, by)
}

// Undone returns the events that are undone, and by which, as they were noted.
func (tx *Tx) Undone() (map[int]int, error) {
	rows, err := tx.s.conn.QueryContext(context.Background(), `SELECT seq, "by" FROM undone`)
	if err != nil {
		return nil, explain(tx.s.path, err)
	}
	defer rows.Close()
	undone := map[int]int{}
	for rows.Next() {
		var seq, by int
		if err := rows.Scan(&seq, &by); err != nil {
			return nil, err
		}
		undone[seq] = by
	}
	return undone, explain(tx.s.path, rows.Err())
}

// SetState keeps what follows from all events so far, as JSON.
func (tx *Tx) SetState(body any) error {
	text, err := json.Marshal(body)
	if err != nil {
		return err
	}
	c, err := tx.Last()
	if err != nil {
		return err
	}
	return tx.exec("INSERT OR REPLACE INTO state (id, seq, hash, body, seal) "+
		"VALUES (1, ?, ?, ?, ?)",
		c.Seq, c.Hash, string(text), seal(c.Hash, string(text)))
}

// StateAt returns the event after which SetState kept what it did, 0 if it did not.
func (tx *Tx) StateAt() (seq int, err error) {
	err = tx.s.row("SELECT seq FROM state WHERE id = 1", &seq)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, nil
	}
	return seq, err
}

// State returns what SetState kept, and after which event. It is nil if there is none, or if it
// was not written by SetState for the events that there are.
func (tx *Tx) State() (json.RawMessage, Chain, error) {
	var c Chain
	var body, sealed, hash string
	err := tx.s.row("SELECT seq, hash, body, seal FROM state WHERE id = 1", &c.Seq, &c.Hash, &body,
		&sealed)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, Chain{}, nil
	}
	if err != nil {
		return nil, Chain{}, err
	}
	err = tx.s.conn.QueryRowContext(context.Background(), "SELECT hash FROM event WHERE seq = ?",
		c.Seq).Scan(&hash)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return nil, Chain{}, explain(tx.s.path, err)
	}
	if hash != c.Hash || sealed != seal(c.Hash, body) {
		return nil, Chain{}, nil
	}
	return json.RawMessage(body), c, nil
}

// seal is the hash that SetState writes beside a state.
func seal(hash, body string) string {
	sum := sha256.Sum256([]byte(hash + "\n" + body))
	return hex.EncodeToString(sum[:])
}
