//go:build !nosqlite

package events

import (
	"database/sql"
	"errors"

	"modernc.org/sqlite" // registers the driver "sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// limit sets SQLite's limit on the length of a text, in bytes.
func limit(c *sql.Conn, longest int) error {
	_, err := sqlite.Limit(c, sqlite3.SQLITE_LIMIT_LENGTH, longest)
	return err
}

// resultCode returns the SQLite result code of err, if err has one.
func resultCode(err error) (code int, ok bool) {
	var e *sqlite.Error
	if !errors.As(err, &e) {
		return 0, false
	}
	return e.Code(), true
}
