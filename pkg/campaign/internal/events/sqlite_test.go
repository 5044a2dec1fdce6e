//go:build !nosqlite

package events

import (
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
