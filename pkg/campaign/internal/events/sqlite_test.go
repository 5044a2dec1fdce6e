//go:build !nosqlite

package events

import (
	"errors"
	"strings"
	"testing"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// The codes equal the constants of the SQLite library.
func TestResultCodes(t *testing.T) {
	for want, code := range map[int]int{
		sqlite3.SQLITE_PERM: codePerm, sqlite3.SQLITE_BUSY: codeBusy,
		sqlite3.SQLITE_LOCKED: codeLocked, sqlite3.SQLITE_READONLY: codeReadOnly,
		sqlite3.SQLITE_IOERR: codeIOErr, sqlite3.SQLITE_CORRUPT: codeCorrupt,
		sqlite3.SQLITE_FULL: codeFull, sqlite3.SQLITE_CANTOPEN: codeCantOpen,
		sqlite3.SQLITE_NOTADB: codeNotADB,
	} {
		if code != want {
			t.Errorf("a code is %d; the library has %d", code, want)
		}
	}
}

// Each code, with any upper bits, leads to an error of the right kind, which says what to do.
func TestExplained(t *testing.T) {
	cause := errors.New("cause")
	for code, want := range map[int]struct {
		kind error
		says string
	}{
		codeFull: {ErrFull, "free disk space"}, codeIOErr: {ErrFull, "repair the disk"}, codeIOErr | 2<<8: {ErrFull, "repair the disk"}, codeBusy: {ErrBusy, "try again"},
		codeLocked: {ErrBusy, "try again"}, codeReadOnly: {ErrReadOnly, "permission to write"}, codePerm: {ErrReadOnly, "permission to write"},
		codeCorrupt: {ErrDamaged, "no event is intact; restore a copy"}, codeNotADB: {ErrForeign, "give another file"},
		codeCantOpen: {cause, "cannot be opened; check that the file is readable"}, 1: {cause, "x.campaign: cause"},
	} {
		err := explained("x.campaign", code, cause)
		if !errors.Is(err, want.kind) || !errors.Is(err, cause) || !strings.HasPrefix(err.Error(), "x.campaign: ") || !strings.Contains(err.Error(), want.says) {
			t.Errorf("%d: %v; want %v and %q", code, err, want.kind, want.says)
		}
		for _, other := range []error{ErrFull, ErrBusy, ErrReadOnly, ErrDamaged, ErrForeign} {
			if other != want.kind && errors.Is(err, other) {
				t.Errorf("%d: %v is %v, too", code, err, other)
			}
		}
	}
	if explain("x", nil) != nil || explain("x", cause) != cause {
		t.Error("what is no error of SQLite is explained")
	}
	const lost = "x: the campaign file is damaged: cause; "
	for intact, want := range []string{"no event is intact; restore a copy of the file",
		"events 1 to 1 are intact: save these events with 'purexp campaign export --intact', and create a new file with 'purexp campaign import'", "events 1 to 2 are intact: "} {
		if d := (&Damage{Path: "x", Intact: intact, Why: cause}).Error(); !strings.HasPrefix(d, lost+want) {
			t.Errorf("%d intact: %s", intact, d)
		}
	}
}

// Reading limits an event to 256 MiB, so a foreign file cannot fill the memory.
func TestLongest(t *testing.T) {
	s := made(t, 1)
	if most, err := sqlite.Limit(s.conn, sqlite3.SQLITE_LIMIT_LENGTH, -1); err != nil || most != 256<<20 {
		t.Errorf("%d bytes, %v", most, err)
	}
}
