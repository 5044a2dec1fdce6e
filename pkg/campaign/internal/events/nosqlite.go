//go:build nosqlite

package events

import "database/sql"

// resultCode always returns false, because a program that is built without SQLite cannot open
// campaign files. Fuzz tests of parsers build without SQLite, because compiling SQLite for fuzzing
// takes half an hour.
func resultCode(error) (code int, ok bool) { return 0, false }

func limit(*sql.Conn, int) error { return nil }
