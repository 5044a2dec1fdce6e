// Package live has the functions that interactive pages call by name, with requests and answers in
// JSON. The pages of the book run package live as WebAssembly (cmd/purexp-wasm). Package live also
// runs natively, with the same answers: runs use the streams of package seed, so a seed gives the
// same measurements everywhere.
//
// # Add a call
//
// To add a call, write a function of a request and a [Tell] that returns an answer,
//
//	func double(q *Number, tell Tell) (*Number, error)
//
// and add the name of the function to the table in calls.go. A page then makes the call
//
//	const twice = await purexp.live.call("double", {value: 21})
//
// Request and answer are structs with JSON tags. For an unknown key in a request, the call returns
// an error; the page shows the text of each error. Numbers that may be NaN or infinite have the
// type [Number], which encodes them as null. Long calls report progress with their Tell. Calls need
// not be cancellable: a page ends its worker and starts another worker.
//
// Package live may not use files, networks or packages that need them.
package live
