package cell

import (
	"fmt"
	"html"
	"os"
	"time"

	"github.com/janpfeifer/gonb/gonbui"

	"github.com/purexp/purexp/pkg/mc"
)

// Progress shows the progress of a long run, in a notebook as a bar, and elsewhere as an occasional
// line of text.
type Progress struct {
	title string
	id    string
	last  time.Time
	text  string
	pace  mc.Pace
}

// NewProgress returns a Progress for a run that has not started.
func NewProgress(title string) *Progress {
	return &Progress{title: title, id: gonbui.UniqueId()}
}

// Update shows the current numbers; it has the same arguments as mc.Grid.Progress.
func (p *Progress) Update(done, total int, elapsed time.Duration) {
	interval := 500 * time.Millisecond
	if !gonbui.IsNotebook {
		interval = 10 * time.Second
	}
	p.text = fmt.Sprintf("%s: %d of %d runs, %v", p.title, done, total, elapsed.Round(time.Second))
	left, known := p.pace.Left(done, total, elapsed)
	if time.Since(p.last) < interval {
		return
	}
	p.last = time.Now()
	if known {
		p.text += fmt.Sprintf(", about %v left", left.Round(time.Second))
	}
	if !gonbui.IsNotebook {
		fmt.Fprintln(os.Stderr, p.text)
		return
	}
	gonbui.UpdateHTML(p.id, fmt.Sprintf(
		`<progress max="%d" value="%d" aria-label="progress"></progress> %s`,
		total, done, html.EscapeString(p.text)))
}

// Done shows the final state, which remains visible in a saved notebook.
func (p *Progress) Done(err error) {
	if err != nil {
		p.text += " (interrupted)"
	}
	if gonbui.IsNotebook {
		gonbui.UpdateHTML(p.id, html.EscapeString(p.text))
		gonbui.Sync()
	}
}
