package main

import (
	"syscall/js"

	"github.com/purexp/purexp/pkg/live"
)

// main defines the JavaScript function purexpCall(name, request, tell) in the worker, and then
// reports that the worker is ready. The request and the returned answer are JSON texts; tell is a
// callback that takes two numbers. A call blocks the worker until the answer is ready.
func main() {
	js.Global().Set("purexpCall", js.FuncOf(func(_ js.Value, args []js.Value) any {
		tell := func(done, of float64) { args[2].Invoke(done, of) }
		return string(live.Do(args[0].String(), []byte(args[1].String()), tell))
	}))
	js.Global().Call("purexpReady")
	select {}
}
