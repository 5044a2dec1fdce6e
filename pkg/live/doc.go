// Package live contains the functions that interactive pages call by name; requests and answers are
// JSON. The pages of the book run package live as WebAssembly (cmd/purexp-wasm). Package live also
// runs natively and then gives the same answers: runs use the random streams of package seed, so a
// seed gives the same measurements everywhere.
//
// # Add a call
//
// To add a call, write a function that takes a request and a [Tell] and returns an answer,
//
//	func double(q *Number, tell Tell) (*Number, error)
//
// and add the name of the function to the table in calls.go. A page can then make the call
//
//	const twice = await purexp.live.call("double", {value: 21})
//
// The request and the answer are usually structs with JSON tags. If a request has an unknown key,
// the call returns an error; pages show the text of every error. Numbers that may be NaN or
// infinite have the type [Number], which encodes such values as null. Long calls report progress
// through their Tell. Calls need not support cancellation: to cancel a call, a page ends its worker
// and starts another worker.
//
// Package live must not use files, networks, or packages that need them.
package live
