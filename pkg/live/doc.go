// Package live is what pages that run ask for: calls by name, with a request and an answer in JSON.
// The pages of the book have it as WebAssembly (cmd/purexp-wasm); natively it is an ordinary
// package, and gives the same answers: runs are simulated with the streams of package seed, so that
// a seed gives the same measurements in a browser as anywhere.
//
// # Add a call
//
// Write a function of a request and a [Tell] that returns an answer,
//
//	func double(q *Number, tell Tell) (*Number, error)
//
// and give it a name in the table of calls.go. A page then writes
//
//	const twice = await purexp.live.call("double", {value: 21})
//
// Request and answer are structs with JSON tags. A key of a request that its struct lacks is an
// error, and so is whatever the function returns as one: the page gets its text. Numbers of an
// answer that need not be finite are of type [Number], which writes null for NaN and infinities,
// as JSON has neither. A function that takes long calls tell now and then. It is not told to stop:
// a page that no longer wants an answer ends its worker and starts another.
//
// This package may use neither files nor networks, nor what needs them.
package live
