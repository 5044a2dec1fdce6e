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

// Store is an open file of events, safe for concurrent use.
type Store struct {
	path string
	db   *sql.DB
	conn *sql.Conn
	file os.FileInfo // used to detect that the file was replaced
	mu   sync.Mutex  // guards conn
	// If alone is true, SQLite cannot create files next to the campaign file. The store then locks
	// out other processes, or reads the file in the state that it had at Open.
	alone bool
	// Folder of the copy that is read instead of the file, or empty if there is no copy; Close
	// removes the folder.
	copy string
	// Now returns the current time; tests replace the default, time.Now. Event numbers, not times,
	// define the order of events.
	Now func() time.Time
}

// busy is the longest time that a transaction waits for transactions of other processes.
const busy = 30 * time.Second

// longest is SQLite's limit on the length of a text in bytes, and therefore limits the length of an
// event.
const longest = 256 << 20

// open opens the existing file at path, with additional settings for SQLite.
func open(path, settings string) (*Store, error) {
	// If path is a symbolic link, SQLite puts the write-ahead log next to the target of the link.
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
		return nil, fmt.Errorf("%s: %w, but a folder or a device; give another file", path, ErrForeign)
	case info.Size() == 0:
		return nil, fmt.Errorf("%s: %w: the file is empty; remove it, and start the campaign with "+
			"'purexp campaign new'", path, ErrForeign)
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

// connect opens the database file real; messages name it as path.
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

// Create creates a new file with the events that fill adds, and opens the file. The file contains
// SQL views with one column for each objective. If the file exists, the error wraps fs.ErrExist.
// Create is atomic: the file appears complete or not at all.
func Create(path string, objectives []string, fill func(*Tx) error) (_ *Store, err error) {
	if _, err := os.Lstat(path); err == nil {
		return nil, exists(path)
	}
	removeLeft(path)
	temp, unlock, err := newTemp(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s: the folder %s does not exist; create it, or use another path: %w", path,
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
	if err := moveNew(temp, path); err != nil {
		return nil, err
	}
	return Open(path)
}

// besides lists the suffixes of a campaign file and of the files that SQLite creates next to it.
var besides = []string{"", logSuffix, "-shm", "-journal"}

// newTemp creates an empty temporary file next to path. Until the caller removes the file and calls
// unlock, a lock protects the file from removeLeft in other processes. newTemp locks the name
// before it creates the file.
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
			// The temporary file gets the usual permissions 0644, even if the umask is stricter.
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

// removeLeft removes temporary files next to path that killed processes left unlocked.
func removeLeft(path string) {
	dir, base := filepath.Split(path)
	dir = cmp.Or(dir, ".")
	list, _ := os.ReadDir(dir) // if the folder cannot be read, creating the file reports the error
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
			_ = os.Remove(filepath.Join(dir, e.Name())) // a temporary file that remains is harmless
		}
		unlock() // unlock removes the file .lock
	}
}

func exists(path string) error {
	return fmt.Errorf("%s: the file already exists; use another path, or open the existing campaign: "+
		"%w", path, fs.ErrExist)
}

// moveNew renames the file temp to path, unless path already exists.
func moveNew(temp, path string) error {
	err := os.Link(temp, path)
	switch {
	case errors.Is(err, fs.ErrExist):
		return exists(path)
	case err != nil: // the file system does not support hard links
		if _, e := os.Lstat(path); e == nil {
			return exists(path)
		}
		if err = os.Rename(temp, path); err != nil {
			return err
		}
	}
	if d, err := os.Open(filepath.Dir(path)); err == nil {
		_ = d.Sync() // some systems cannot sync folders; the file itself is already on disk
		d.Close()
	}
	return nil
}

// Open opens a campaign file. If the file is unreadable or not a campaign, Open returns an error
// and leaves the file unchanged. If the disk is full or the file is not writable, Open opens the
// file for reading.
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

// openLook opens a file for reading if SQLite cannot create files next to it. In the mode that
// openLook uses, SQLite locks out other processes and keeps its shared memory in this process.
func openLook(path string) (*Store, error) {
	s, err := openToRead(path, "&mode=rw&_pragma=locking_mode(EXCLUSIVE)")
	if err == nil {
		s.alone = true
	}
	if errors.Is(err, ErrReadOnly) || errors.Is(err, ErrFull) { // SQLite reports either error for a read-only disk
		s, err = openStill(path)
	}
	return s, err
}

// openStill opens a file in a folder without write permission. If a write-ahead log with recent
// writes exists, openStill opens a copy of the file and its log.
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

// openShared opens a file in the mode that lets other processes use the file at the same time.
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

// share reopens a file that was not writable when it was opened.
func (s *Store) share() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.alone {
		return nil
	}
	// The connection must be closed before the file is reopened. If the disk is too full for
	// SQLite's shared-memory file, the campaign file stays locked for other processes.
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

// check returns an error unless the file is a campaign of a readable version.
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
		return fmt.Errorf("%s: %w, but another SQLite database; give another file", s.path, ErrForeign)
	case user > version:
		return fmt.Errorf("%s: %w: the tables have version %d; this program reads versions up to %d; "+
			"install a later purexp", s.path, ErrNewer, user, version)
	case user < 1:
		return fmt.Errorf("%s: %w", s.path, ErrForeign)
	}
	return s.checkSchema()
}

// checkSchema returns an error unless the tables, views and triggers are those that Create makes.
// Without the check, a forged file could define "event" as a view whose query never ends.
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
			return fmt.Errorf("%s: %w as purexp creates it, because the %s %q differs; "+
				"ask the sender for the file again", s.path, ErrForeign, kind, name)
		}
	}
	if err := rows.Err(); err != nil {
		return explain(s.path, err)
	}
	if found < 3 {
		return fmt.Errorf("%s: %w: tables are missing; ask the sender for the file again", s.path, ErrForeign)
	}
	return nil
}

func (s *Store) row(query string, dst ...any) error {
	return explain(s.path, s.conn.QueryRowContext(context.Background(), query).Scan(dst...))
}

// Path returns the path passed to Open or Create.
func (s *Store) Path() string { return s.path }

// Close closes the file.
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

// Changes returns a number that changes if another connection has written to the file since the
// last call.
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

// Tx is a transaction, which sees a consistent state of the events.
type Tx struct {
	s     *Store
	chain *Chain // state after the last event; nil until the events are read
	now   time.Time
}

// Read calls f in a read transaction.
func (s *Store) Read(f func(*Tx) error) error {
	if err := s.moved(); err != nil {
		return err
	}
	return s.transact("BEGIN", f)
}

// Write calls f in a write transaction, after waiting for the transactions of other processes. If f
// fails, or the data cannot be put on disk, Write leaves the file unchanged.
func (s *Store) Write(f func(*Tx) error) error {
	if err := s.moved(); err != nil {
		return err
	}
	if err := s.share(); err != nil {
		return err
	}
	return s.transact("BEGIN IMMEDIATE", f)
}

// moved returns an error if the file was removed or replaced.
func (s *Store) moved() error {
	if s.file == nil {
		return nil // Create has not yet renamed the temporary file
	}
	now, err := os.Stat(s.path)
	if err != nil || !os.SameFile(now, s.file) {
		return fmt.Errorf("%s: %w; put the file back, and open the campaign again", s.path, ErrMoved)
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
		// The deferred rollback also runs after a panic in f. An error of the rollback is harmless,
		// because SQLite may already have rolled back the transaction.
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

// Last returns the number and the hash of the last event.
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

// After reads the events that follow the last event of the chain c; it checks each event, in order,
// and passes it to f. If an event is wrong, After returns a *Damage.
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
		if string(types) != allText { // other programs might not read a BLOB as text
			return tx.damaged(c.Seq, fmt.Errorf("event %d: a cell is not text; expected text in all cells", e.Seq))
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

// allText is the concatenation of the SQLite types of the five text columns of a valid event.
var allText = strings.Repeat("text", 5)

// damaged converts an error about damage to a *Damage, which states that the events 1 to intact are
// valid.
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

// Now returns the time at which the transaction began.
func (tx *Tx) Now() time.Time { return tx.now }

// Append adds an event with the time of the transaction. Append checks who with [Name] and encodes
// body as JSON.
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

// Restore adds an event with its existing number, time and hash.
func (tx *Tx) Restore(e *Event) error {
	c, err := tx.Last()
	if err != nil {
		return err
	}
	if err := c.Next(e); err != nil {
		return fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	if err := tx.exec("INSERT INTO event (seq, at, who, what, body, hash) VALUES (?, ?, ?, ?, ?, ?)",
		e.Seq, e.At, e.Who, e.What, string(e.Body), e.Hash); err != nil {
		return err
	}
	*tx.chain = c
	return nil
}

// SetUndone records that event by undid event seq. If by is 0, the event seq is valid again.
func (tx *Tx) SetUndone(seq, by int) error {
	if by == 0 {
		return tx.exec("DELETE FROM undone WHERE seq = ?", seq)
	}
	return tx.exec(`INSERT OR REPLACE INTO undone (seq, "by") VALUES (?, ?)`, seq, by)
}

// Undone maps the number of each undone event to the number of the event that undid it.
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

// SetState stores, as JSON, the state derived from all events.
func (tx *Tx) SetState(body any) error {
	text, err := json.Marshal(body)
	if err != nil {
		return err
	}
	c, err := tx.Last()
	if err != nil {
		return err
	}
	return tx.exec("INSERT OR REPLACE INTO state (id, seq, hash, body, seal) VALUES (1, ?, ?, ?, ?)",
		c.Seq, c.Hash, string(text), seal(c.Hash, string(text)))
}

// StateAt returns the number of the last event in the stored state, or 0 if no state is stored.
func (tx *Tx) StateAt() (seq int, err error) {
	err = tx.s.row("SELECT seq FROM state WHERE id = 1", &seq)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, nil
	}
	return seq, err
}

// State returns the stored state and the last event that the state includes. State returns nil if
// no state is stored, or if the stored state does not belong to the events in the file.
func (tx *Tx) State() (json.RawMessage, Chain, error) {
	var c Chain
	var body, sealed, hash string
	err := tx.s.row("SELECT seq, hash, body, seal FROM state WHERE id = 1", &c.Seq, &c.Hash, &body, &sealed)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, Chain{}, nil
	}
	if err != nil {
		return nil, Chain{}, err
	}
	err = tx.s.conn.QueryRowContext(context.Background(), "SELECT hash FROM event WHERE seq = ?", c.Seq).Scan(&hash)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return nil, Chain{}, explain(tx.s.path, err)
	}
	if hash != c.Hash || sealed != seal(c.Hash, body) {
		return nil, Chain{}, nil
	}
	return json.RawMessage(body), c, nil
}

// seal returns a hash that SetState stores with the state; with this hash, State detects a state
// that belongs to other events.
func seal(hash, body string) string {
	sum := sha256.Sum256([]byte(hash + "\n" + body))
	return hex.EncodeToString(sum[:])
}
