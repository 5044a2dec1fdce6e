// Package nb provides short functions for notebooks. The functions load data frames, build
// instances, run algorithms, and show tables and figures. The main type is [Query], a question
// about the candidates of a table:
//
//	var q = nb.On(nb.Load("laptops.csv"), "laptop").Max("battery", nb.SD(1.5)).Best()
//
//	%%
//	q.Run(1).Explain()
//
// If an error occurs, functions print the error and end the cell. Outside a notebook, tables are
// printed as text and figures are omitted.
//
// Each GoNB cell runs as a new process, so only declarations carry over to later cells. Slow
// results are stored on disk; see [Simulate].
//
// Package nb works with simulated measurements. For campaigns with real measurements, use package
// nb/workbench; it is separate because each cell links every package that package nb imports.
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

// Fail ends the cell with the message of err, unless err is nil.
func Fail(err error) { cell.Fail(err) }

// Must returns v; if err is not nil, Must ends the cell with the message of err.
func Must[T any](v T, err error) T {
	Fail(err)
	return v
}

// Reps returns the number of replicates: the value of the environment variable PUREXP_REPS, or full
// if the variable is not set.
func Reps(full int) int {
	s := os.Getenv("PUREXP_REPS")
	if s == "" {
		return full
	}
	n, err := strconv.Atoi(s)
	if err != nil || n < 1 {
		Fail(fmt.Errorf("nb: PUREXP_REPS is %q; expected a number of replicates, at least 1", s))
	}
	return n
}

// Markdown shows text that is formatted in Markdown.
func Markdown(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	if !gonbui.IsNotebook {
		fmt.Println(text)
		return
	}
	gonbui.DisplayMarkdown(text)
	gonbui.Sync()
}

// Show shows tables, data frames and figures. Call Show explicitly, because Go cells do not show
// the value of their last expression.
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

// show shows one table as HTML, with plain text as an alternative.
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
