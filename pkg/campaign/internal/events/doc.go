// Package events stores the record of a campaign in one SQLite file, as an append-only table of
// events.
//
//	s, err := events.Open(path)
//	err = s.Write(func(tx *events.Tx) error { _, err := tx.Append("Ada", "tell", body); return err })
//
// An event has a time, an author, a kind and a JSON body. The hash of each event covers the event
// and the hash of the previous event, so that edits are detected. Database triggers reject
// accidental changes. The file also holds data derived from the events (undone events, the status),
// for programs in R, Python or other languages.
//
// Several processes may open the file and add events: each transaction sees all earlier events.
// When [Store.Write] returns, the new events are on disk (WAL, synchronous FULL). Package events
// does not interpret the events.
//
// The hash of an event is the SHA-256, in hexadecimal digits, of the text
//
//	hash of the event before (64 zeros for the first) \n seq \n at \n who \n what \n body
package events
