// Package csvtable reads tables of comma-separated values as spreadsheets write them.
//
//	t, err := csvtable.Read("yields.csv", data)
//	c, err := t.Column("yield")
//	v, err := csvtable.Number(t.Rows[0][c]) // an error is at t.Where(0, c)
package csvtable

import (
	"bufio"
	"encoding/csv"
	"fmt"
	"io"
	"strings"
)

// Mark is the byte order mark with which spreadsheets begin a file in UTF-8.
const Mark = "\ufeff"

// NewReader returns a reader of the records of r, after the byte order mark if there
// is one, also where a quoted name follows it.
func NewReader(r io.Reader) *csv.Reader {
	b := bufio.NewReader(r)
	if head, err := b.Peek(len(Mark)); err == nil && string(head) == Mark {
		_, _ = b.Discard(len(Mark)) // what was peeked at is there
	}
	return csv.NewReader(b)
}

// Header removes the spaces around the names of the columns of a table. Two columns
// of a name are an error: nobody knows which is meant. Columns without a name, such
// as those that a spreadsheet leaves at its right, have none to confuse.
func Header(names []string) error {
	at := make(map[string]int, len(names))
	for i, name := range names {
		name = strings.TrimSpace(name)
		names[i] = name
		if j, dup := at[name]; dup && name != "" {
			return fmt.Errorf("row 1: columns %d and %d are both called %q; rename one of them",
				j+1, i+1, name)
		}
		at[name] = i
	}
	return nil
}
