// Package events keeps the record of a campaign in one SQLite file: a table of events to which
// rows are only ever added.
//
// An event says when, who, what, and the particulars as JSON. Each carries a hash of itself and of
// the event before, so that a record that was edited no longer fits together; triggers refuse
// changes by those who do not mean harm. What is computed from events (which are undone, where the
// campaign stands) is kept beside them for people who read the file with R, Python or any other
// program, and can be computed again.
//
// Several processes may have the file open, and add events at the same time: each transaction sees
// all events before it. When [Store.Write] returns, what it wrote is on disk (WAL, synchronous
// FULL).
//
// The hash of an event is the SHA-256, in hexadecimal digits, of the text
//
//	hash of the event before (64 zeros for the first) \n seq \n at \n who \n what \n body
package events
