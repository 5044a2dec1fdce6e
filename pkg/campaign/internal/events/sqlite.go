//go:build !nosqlite

package events

import (
	"errors"

	"modernc.org/sqlite" // the driver "sqlite" as well
)

// resultCode returns SQLite's code of an error of its own.
func resultCode(err error) (code int, ok bool) {
	var e *sqlite.Error
	if !errors.As(err, &e) {
		return 0, false
	}
	return e.Code(), true
}
