//go:build !nosqlite

package events

import (
	"errors"
	"strings"
	"testing"

	sqlite3 "modernc.org/sqlite/lib"
)

// The codes are those of the library.
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

// Each code is told as what it is, with what to do, whatever its upper bits say.
func TestExplained(t *testing.T) {
	cause := errors.New("cause")
	for code, want := range map[int]struct {
		kind error
		says string
	}{
		codeFull: {ErrFull, "make room"}, codeIOErr: {ErrFull, "failing"}, codeIOErr | 2<<8: {ErrFull, "failing"}, codeBusy: {ErrBusy, "do it again"},
		codeLocked: {ErrBusy, "do it again"}, codeReadOnly: {ErrReadOnly, "the right to write"}, codePerm: {ErrReadOnly, "the right to write"},
		codeCorrupt: {ErrDamaged, "no event is intact; restore a copy"}, codeNotADB: {ErrForeign, "give another file"},
		codeCantOpen: {cause, "cannot be opened; is there such a file"}, 1: {cause, "x.campaign: cause"},
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
	if d := (&Damage{Path: "x", Intact: 3, Why: cause}).Error(); !strings.Contains(d, "events 1 to 3 are intact") || !strings.Contains(d, "--intact") {
		t.Error(d)
	}
}
