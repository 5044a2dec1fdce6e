package nb

import (
	"fmt"
	"html"
	"os"
	"path/filepath"
	"time"

	"github.com/janpfeifer/gonb/gonbui"

	"github.com/purexp/purexp/pkg/mc"
	"github.com/purexp/purexp/pkg/tidy"
)

// A progress shows how far a long run is: a bar in a notebook, a line now and
// then elsewhere.
type progress struct {
	title string
	id    string
	last  time.Time
	text  string
	pace  mc.Pace
}

func newProgress(title string) *progress {
	return &progress{title: title, id: gonbui.UniqueId()}
}

// update is called after each row.
func (p *progress) update(done, total int, elapsed time.Duration) {
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

// done shows the last state, which stays in a saved notebook.
func (p *progress) done(err error) {
	if err != nil {
		p.text += " (interrupted)"
	}
	if gonbui.IsNotebook {
		gonbui.UpdateHTML(p.id, html.EscapeString(p.text))
		gonbui.Sync()
	}
}

// announce says which rows were read, where a progress bar says which were simulated.
func (k *kept) announce() {
	n := len(k.part.Rows)
	if n == 0 {
		return
	}
	text := fmt.Sprintf("%s: %s of %s runs read from results/%s", k.study.Title, tidy.Int(n),
		tidy.Int(len(k.rows())), filepath.Base(k.part.Path))
	if !gonbui.IsNotebook {
		fmt.Fprintln(os.Stderr, text)
		return
	}
	gonbui.DisplayHTML(html.EscapeString(text))
	gonbui.Sync()
}
