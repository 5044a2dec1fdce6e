package main

import (
	"syscall/js"

	"github.com/purexp/purexp/pkg/live"
)

// main gives the worker that it runs in one function, purexpCall(name, request, tell), of texts and
// of a function of two numbers, which returns the text of an answer; and says that it is there.
// Calls block the worker, which is what it is for.
func main() {
	js.Global().Set("purexpCall", js.FuncOf(func(_ js.Value, args []js.Value) any {
		tell := func(done, of float64) { args[2].Invoke(done, of) }
		return string(live.Do(args[0].String(), []byte(args[1].String()), tell))
	}))
	js.Global().Call("purexpReady")
	select {}
}
