package workbench

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"strconv"

	"github.com/purexp/purexp/pkg/campaign"
	"github.com/purexp/purexp/pkg/campaign/problem"
	"github.com/purexp/purexp/pkg/campaign/simulated"
	"github.com/purexp/purexp/pkg/nb"
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
	// Truth has the true means: a column with the names of the candidates, which is the first one,
	// and one for each objective that is measured, by its name, in its unit, as bounds and guesses are.
	Truth nb.Frame
	// SD is the true standard deviation of objectives of which the problem does not tell it, by
	// name. For results within a range the default is a tenth of the range.
	SD map[string]float64
	// Failures is the probability that a measurement has no result, whatever it would have been.
	Failures float64
	// Late is the probability that a result does not come with its plate, but with the next one.
	Late float64
	Seed uint64
}

// Measure measures what is pending in the campaign of b. It returns a worksheet with the results:
// of the last plate without those that are late, of earlier plates all.
func (l Laboratory) Measure(b *Campaign) nb.Frame {
	results := l.results(b)
	p := nb.Must(b.c.Problem())
	return readFrame(func(text *bytes.Buffer) error {
		out := csv.NewWriter(text)
		row := []string{"plate", "ticket", "candidate"}
		for _, c := range p.Measured() {
			row = append(row, p.Objectives[c].Name)
		}
		if err := out.Write(row); err != nil {
			return err
		}
		for _, r := range results {
			row = append(row[:0], strconv.Itoa(r.Plate), strconv.Itoa(r.Ticket), r.Arm)
			for k := range p.Measured() {
				cell := "failed"
				if !r.Failed {
					cell = strconv.FormatFloat(r.Values[k], 'f', -1, 64)
				}
				row = append(row, cell)
			}
			if err := out.Write(row); err != nil {
				return err
			}
		}
		out.Flush()
		return out.Error()
	})
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
	if l.Truth.Err != nil || l.Truth.Ncol() == 0 {
		nb.Fail(fmt.Errorf("workbench: Laboratory.Truth: want a table of the true means, "+
			"the candidates in its first column: %v", l.Truth.Err))
	}
	truth := simulated.Truth{}
	names := l.Truth.Col(l.Truth.Names()[0]).Records()
	for _, c := range p.Measured() {
		o := &p.Objectives[c]
		column := l.Truth.Col(o.Name)
		if column.Err != nil {
			nb.Fail(fmt.Errorf("workbench: Laboratory.Truth has no column %q", o.Name))
		}
		for i, name := range names {
			arm := problem.Normal(name)
			truth[arm] = append(truth[arm], o.Value(column.Elem(i).Float()))
		}
	}
	return truth
}
