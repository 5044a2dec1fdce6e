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

// Laboratory simulates a laboratory for trying out a campaign: it measures pending tickets, with
// noise, failures and delays.
//
//	var lab = workbench.Laboratory{Truth: truth, Failures: 0.05, Late: 0.1, Seed: 1}
//
//	%%
//	search.Ask(8)
//	search.Tell(lab.Measure(search))
//
// The result of a ticket depends only on the seed and the ticket, so running a notebook again gives
// the same results.
type Laboratory struct {
	// Truth is a table of the true means. The first column of Truth contains the names of the
	// candidates. The other columns are named after the measured objectives; means have the same
	// units as the bounds and guesses in the problem.
	Truth nb.Frame
	// SD gives the true standard deviations of objectives, by name. The default is the sd or
	// guess_sd of the problem, or a tenth of the range of the objective. SD is required for an
	// objective without a default.
	SD map[string]float64
	// Failures is the probability that a measurement fails, independently of its value.
	Failures float64
	// Late is the probability that a result arrives with the next plate instead of with its own
	// plate.
	Late float64
	Seed uint64
}

// Measure measures the pending tickets in the campaign of b. The returned worksheet contains all
// results of earlier plates, and those results of the last plate that are not late.
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

// name returns the author's name under which the laboratory reports results.
func (Laboratory) name() string { return "simulated laboratory" }

// results simulates the results of the pending tickets.
func (l Laboratory) results(b *Campaign) []campaign.Result {
	p := nb.Must(b.c.Problem())
	lab := simulated.Laboratory{Truth: l.truth(p), SD: l.SD, Failures: l.Failures, Late: l.Late, Seed: l.Seed}
	return nb.Must(lab.Results(p, nb.Must(b.c.Tickets(campaign.Pending))))
}

// truth reads the table of the true means.
func (l Laboratory) truth(p *problem.Problem) simulated.Truth {
	table, err := frame.CSV(l.Truth)
	if err != nil || l.Truth.Ncol() == 0 {
		nb.Fail(fmt.Errorf("workbench: Laboratory.Truth: the table is missing or invalid; expected true means, "+
			"with the candidates in the first column: %v", err))
	}
	return nb.Must(simulated.ReadTruth(p, "Laboratory.Truth", table))
}
