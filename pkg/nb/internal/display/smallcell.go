//go:build smallcell

package display

import (
	"fmt"
	"os"

	"github.com/janpfeifer/gonb/gonbui/protocol"
)

var kernel = pipes{
	to:   os.Getenv(protocol.GONB_PIPE_ENV),
	from: os.Getenv(protocol.GONB_PIPE_BACK_ENV),
}

func send(d *protocol.DisplayData) { report(kernel.send(d)) }

func sync() { report(kernel.sync()) }

// report says why nothing is shown. There is nobody else to tell.
func report(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "nb: nothing can be shown:", err)
	}
}
