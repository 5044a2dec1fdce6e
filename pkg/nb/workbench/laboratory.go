package workbench

import (
	"fmt"

	"github.com/purexp/purexp/pkg/campaign"
	"github.com/purexp/purexp/pkg/campaign/problem"
	"github.com/purexp/purexp/pkg/campaign/simulated"
	"github.com/purexp/purexp/pkg/dataset/frame"
	"github.com/purexp/purexp/pkg/nb"
	"github.com/purexp/purexp/pkg/tidy"
)

// A Laboratory is a simulated one, to try a campaign out: it measures what is pending, with noise,
// failures and delays.
//
//	var lab = workbench.Laboratory{Truth: truth, Failures: 0.05, Late: 0.1, Seed: 1}
//
//	%%
//	search.Ask(8)
//	search.Tell(lab.Measure(search))
//
// The result of a ticket depends on the seed and the ticket alone, so that a notebook that is run
// again sees the same.
type Laboratory struct {
	// Truth holds the true means. Its first column has the names of the candidates; the other
	// columns are named after the measured objectives and in their units, like bounds and guesses.
	Truth nb.Frame
	// SD holds the true standard deviations, by name, of objectives without one in the problem. For
	// results within a range the default is a tenth of the range.
	SD map[string]float64
	// Failures is the probability that a measurement has no result, whatever it would have been.
	Failures float64
	// Late is the probability that a result does not come with its plate, but with the next one.
	Late float64
	Seed uint64
}

// Measure measures what is pending in the campaign of b. Measure returns a worksheet with the results:
// of the last plate without those that are late, of earlier plates all.
func (l Laboratory) Measure(b *Campaign) nb.Frame {
	p := nb.Must(b.c.Problem())
	t := &tidy.Table{Columns: []tidy.Column{{Name: "plate"}, {Name: "ticket"}, {Name: "candidate"}}}
	for _, c := range p.Measured() {
		t.Columns = append(t.Columns, tidy.Column{Name: p.Objectives[c].Name})
	}
	for _, r := range l.results(b) {
		row := []any{r.Plate, r.Ticket, r.Arm}
		for k := range p.Measured() {
			if r.Failed {
				row = append(row, "failed")
			} else {
				row = append(row, r.Values[k])
			}
		}
		t.Rows = append(t.Rows, row)
	}
	return nb.Must(frame.OfTable(t))
}

// name is who tells the results.
func (Laboratory) name() string { return "simulated laboratory" }

// results measures what is pending.
func (l Laboratory) results(b *Campaign) []campaign.Result {
	p := nb.Must(b.c.Problem())
	lab := simulated.Laboratory{Truth: l.truth(p), SD: l.SD, Failures: l.Failures, Late: l.Late, Seed: l.Seed}
	return nb.Must(lab.Results(p, nb.Must(b.c.Tickets(campaign.Pending))))
}

// truth reads the table of the true means.
func (l Laboratory) truth(p *problem.Problem) simulated.Truth {
	table, err := frame.CSV(l.Truth)
	if err != nil || l.Truth.Ncol() == 0 {
		nb.Fail(fmt.Errorf("workbench: Laboratory.Truth: expected a table of the true means, "+
			"the candidates in its first column: %v", err))
	}
	return nb.Must(simulated.ReadTruth(p, "Laboratory.Truth", table))
}
