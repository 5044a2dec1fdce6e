// Package events stores the record of a campaign in one SQLite file: a table of events to which
// rows are only added.
//
//	s, err := events.Open(path)
//	err = s.Write(func(tx *events.Tx) error { _, err := tx.Append("Ada", "tell", body); return err })
//
// An event has a time, an author, a kind and a JSON body. Each carries a hash of itself and of the
// event before, so that edits are detected; triggers reject accidental changes. Derived state
// (undone events, the status) is stored beside the events, for readers of the file with R, Python
// or other programs.
//
// Several processes may open the file and add events: each transaction sees all earlier events.
// When [Store.Write] returns, its data is on disk (WAL, synchronous FULL). The package does not
// know what events mean.
//
// The hash of an event is the SHA-256, in hexadecimal digits, of the text
//
//	hash of the event before (64 zeros for the first) \n seq \n at \n who \n what \n body
package events
