package planview

import (
	"fmt"

	"github.com/purexp/purexp/pkg/campaign/plan"
	"github.com/purexp/purexp/pkg/tidy"
)

// Afford returns the table of what comes of the measurements that can be afforded: how often each method has
// its answer by then, and how often that answer, or the best guess where there is none yet, is right. Nil if
// nobody says what can be afforded, or nothing was simulated.
func Afford(p *plan.Plan) *tidy.Table {
	t := &tidy.Table{
		Title: fmt.Sprintf("With the %s measurements that you can afford", tidy.Int(p.Affordable)),
		Columns: []tidy.Column{{Name: "method"}, {Name: "has its answer", Unit: "%"},
			{Name: "answer or best guess is right", Unit: "%"}, {Name: "declared error"}},
		Notes: []string{"With 95 % intervals (Clopper and Pearson). How often an answer is right is an " +
			"estimate: it is so if the guesses are, and no guarantee. A method that spends a fixed number of " +
			"measurements declares no error probability; others say by themselves when theirs is reached."},
	}
	for i := range p.Rows {
		r := &p.Rows[i]
		if r.Change != "" || r.Right == nil || r.Runs == 0 {
			continue
		}
		row := []any{r.Method, "", rate(*r.Right), "none"}
		if r.Budget == 0 {
			share, lo, hi := r.Within(p.Affordable)
			row[1] = rate(plan.Rate{Share: share, Lo: lo, Hi: hi})
			row[3] = fmt.Sprintf("%v when it has its answer", p.Delta)
		}
		t.Rows = append(t.Rows, row)
	}
	if p.Affordable == 0 || len(t.Rows) == 0 {
		return nil
	}
	return t
}
