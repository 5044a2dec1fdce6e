package workbench

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/purexp/purexp/pkg/campaign"
	"github.com/purexp/purexp/pkg/campaign/problem"
	"github.com/purexp/purexp/pkg/nb"
	"github.com/purexp/purexp/pkg/seed"
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
func (l Laboratory) results(b *Campaign) (results []campaign.Result) {
	p := nb.Must(b.c.Problem())
	pending := nb.Must(b.c.Tickets(campaign.Pending))
	last := 0
	for _, t := range pending {
		last = max(last, t.Plate)
	}
	root := seed.New(l.Seed)
	for waiting := range 2 { // if all is late, there is no next plate to come with
		for _, t := range pending {
			rnd := rand.New(root.Child("ticket", t.Ticket).Source())
			late, failed := rnd.Float64() < l.Late, rnd.Float64() < l.Failures
			if late && t.Plate == last && waiting == 0 {
				continue
			}
			r := campaign.Result{Ticket: t.Ticket, Plate: t.Plate, Arm: t.Arm, Failed: failed}
			if !failed {
				r.Values = l.values(p, t.Arm, rnd)
			}
			results = append(results, r)
		}
		if len(results) > 0 {
			break
		}
	}
	return results
}

// values draws one measurement of a candidate.
func (l Laboratory) values(p *problem.Problem, arm string, rnd *rand.Rand) (values []float64) {
	if l.Truth.Err != nil || l.Truth.Ncol() == 0 {
		nb.Fail(fmt.Errorf("workbench: Laboratory.Truth: want a table of the true means, "+
			"the candidates in its first column: %v", l.Truth.Err))
	}
	names := l.Truth.Col(l.Truth.Names()[0]).Records()
	at := -1
	for i, n := range names {
		if problem.Normal(n) == problem.Normal(arm) {
			at = i
		}
	}
	if at < 0 {
		nb.Fail(fmt.Errorf("workbench: Laboratory.Truth has no row for candidate %q", arm))
	}
	for _, c := range p.Measured() {
		o := &p.Objectives[c]
		column := l.Truth.Col(o.Name)
		if column.Err != nil {
			nb.Fail(fmt.Errorf("workbench: Laboratory.Truth has no column %q", o.Name))
		}
		values = append(values, l.draw(o, column.Elem(at).Float(), rnd))
	}
	return values
}

// draw draws one value of an objective whose mean is mu, as an instrument shows it: to about a
// hundredth of the standard deviation, in whole decimals.
func (l Laboratory) draw(o *problem.Objective, mu float64, rnd *rand.Rand) float64 {
	sd, told := l.SD[o.Name]
	if o.Noise.Counts != nil {
		return distuv.Binomial{N: float64(*o.Noise.Counts), P: o.Value(mu), Src: rnd}.Rand()
	}
	if o.Noise.Range != nil {
		lo, hi := o.Noise.Range[0], o.Noise.Range[1]
		if !told {
			sd = (hi - lo) / 10
		}
		// A beta variable with this mean and standard deviation, if there is one.
		m, v := (mu-lo)/(hi-lo), sd*sd/(hi-lo)/(hi-lo)
		size := m*(1-m)/v - 1
		if !(size > 0) {
			nb.Fail(fmt.Errorf("workbench: Laboratory: %s with a mean of %v between %v and %v "+
				"cannot have a standard deviation of %v; give a smaller one in SD", o.Name, mu, lo,
				hi, sd))
		}
		return lo + (hi-lo)*distuv.Beta{Alpha: m * size, Beta: (1 - m) * size, Src: rnd}.Rand()
	}
	switch {
	case told:
	case o.Noise.SD != nil:
		sd = *o.Noise.SD
	case o.Noise.Pilot != nil:
		sd = o.Noise.Pilot.SD
	}
	if !(sd > 0) {
		nb.Fail(fmt.Errorf("workbench: Laboratory: nobody knows how noisy %s is; give its "+
			"standard deviation in SD", o.Name))
	}
	decimals := max(2-int(math.Floor(math.Log10(sd))), 0)
	return nb.Must(strconv.ParseFloat(
		strconv.FormatFloat(mu+sd*rnd.NormFloat64(), 'f', decimals, 64), 64))
}
