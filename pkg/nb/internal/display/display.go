// Package display sends what a cell shows to the kernel of its notebook, GoNB: HTML, Markdown,
// pictures.
//
// GoNB has a package for that, gonbui, which brings packages that a cell does not need: network,
// databases, logging, an eighth of what the linker reads for each cell. Programs that are built
// with the tag smallcell write to the kernel's pipe without it. Two writers in one program would
// confuse the kernel, and gonbui takes the pipe for itself: docker/gonb-go uses the tag for cells
// that gonbui is not linked to.
package display

import (
	"fmt"
	"math/rand/v2"
	"os"

	"github.com/janpfeifer/gonb/gonbui/protocol"
)

// IsNotebook reports whether this program is a cell of a notebook.
var IsNotebook = os.Getenv(protocol.GONB_PIPE_ENV) != ""

// HTML shows text.
func HTML(text string) {
	Send(&protocol.DisplayData{Data: map[protocol.MIMEType]any{protocol.MIMETextHTML: text}})
}

// Markdown shows text.
func Markdown(text string) {
	Send(&protocol.DisplayData{Data: map[protocol.MIMEType]any{protocol.MIMETextMarkdown: text}})
}

// UpdateHTML shows text in place of what was shown under the same id.
func UpdateHTML(id, text string) {
	Send(&protocol.DisplayData{DisplayID: id,
		Data: map[protocol.MIMEType]any{protocol.MIMETextHTML: text}})
}

// ID returns a new name for UpdateHTML.
func ID() string { return fmt.Sprintf("%016x", rand.Uint64()) }

// Send shows d, if this is a cell of a notebook.
func Send(d *protocol.DisplayData) {
	if IsNotebook {
		send(d)
	}
}

// Sync waits until the kernel has what was sent. What it has not when the program ends is lost.
func Sync() {
	if IsNotebook {
		sync()
	}
}
