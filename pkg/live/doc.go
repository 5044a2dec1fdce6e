// Package live has the functions that interactive pages call by name, with requests and answers in
// JSON. The pages of the book run it as WebAssembly (cmd/purexp-wasm). It also runs natively, with
// the same answers: runs use the streams of package seed, so a seed gives the same measurements
// everywhere.
//
// # Add a call
//
// Write a function of a request and a [Tell] that returns an answer,
//
//	func double(q *Number, tell Tell) (*Number, error)
//
// and name it in the table of calls.go. A page then calls
//
//	const twice = await purexp.live.call("double", {value: 21})
//
// Request and answer are structs with JSON tags. An unknown key of a request is an error, and the
// page shows the text of each error. Numbers that may be NaN or infinite have type [Number], which
// becomes null. Long calls report progress by tell. They need not be cancellable: a page ends its
// worker and starts another.
//
// This package may not use files or networks, nor packages that need them.
package live
