// Package nb is what notebooks call: short, data-frame-friendly wrappers that
// load data, build instances, run algorithms and show tables and figures.
//
// A notebook has nobody to return an error to, so that functions here print
// what was wrong and end the cell. Outside a notebook, displays are printed as
// text, and figures are left out.
//
// A GoNB cell is a new process: only declarations carry over. Results that take
// long are kept on disk, see [Simulate].
//
// A cell is linked each time that it runs, with all that this package imports. What few notebooks
// need has a package of its own: campaigns have nb/workbench.
package nb

import (
	"fmt"
	"os"
	"strconv"

	"github.com/janpfeifer/gonb/gonbui"
	"github.com/janpfeifer/gonb/gonbui/protocol"

	"github.com/purexp/purexp/pkg/fig"
	"github.com/purexp/purexp/pkg/nb/internal/cell"
	"github.com/purexp/purexp/pkg/tidy"
)

// Fail ends the cell with the message of err, if it is not nil.
func Fail(err error) { cell.Fail(err) }

// Must returns v, or ends the cell with the message of err.
func Must[T any](v T, err error) T {
	Fail(err)
	return v
}

// Reps returns full, the number of replicates of a study, or what the
// environment variable PUREXP_REPS says, if it is set.
func Reps(full int) int {
	s := os.Getenv("PUREXP_REPS")
	if s == "" {
		return full
	}
	n, err := strconv.Atoi(s)
	if err != nil || n < 1 {
		Fail(fmt.Errorf("PUREXP_REPS is %q; want a number of replicates, at least 1", s))
	}
	return n
}

// Markdown shows text.
func Markdown(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	if !gonbui.IsNotebook {
		fmt.Println(text)
		return
	}
	gonbui.DisplayMarkdown(text)
	gonbui.Sync()
}

// Show shows tables, frames and figures. Go shows nothing by itself, not even what a cell ends with.
func Show[T *tidy.Table | Frame | *fig.Figure](things ...T) {
	for _, x := range things {
		switch x := any(x).(type) {
		case *tidy.Table:
			show(x)
		case Frame:
			ShowFrame("", x)
		case *fig.Figure:
			Draw(x, nil)
		}
	}
}

// show shows one table: as HTML, with its text for whoever cannot show that.
func show(t *tidy.Table) {
	if !gonbui.IsNotebook {
		fmt.Println(t.Text())
		return
	}
	gonbui.SendData(&protocol.DisplayData{Data: map[protocol.MIMEType]any{
		protocol.MIMETextHTML:  t.HTML(),
		protocol.MIMETextPlain: t.Text(),
	}})
	gonbui.Sync()
}
