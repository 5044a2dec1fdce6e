package simulated

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/purexp/purexp/pkg/campaign"
	"github.com/purexp/purexp/pkg/campaign/problem"
	"github.com/purexp/purexp/pkg/seed"
)

// A Laboratory draws results. That of a ticket depends on the seed and the number of the ticket alone.
type Laboratory struct {
	Truth Truth
	// SD is the true standard deviation of objectives of which the problem does not tell it, by name. For
	// results within a range the default is guess_sd of the problem, or a tenth of the range.
	SD map[string]float64
	// Failures is the probability that a measurement has no result, whatever it would have been.
	Failures float64
	// Late is the probability that a result does not come with its plate, but with the next one.
	Late float64
	// Missing is the probability that a trial cannot be evaluated, where the problem allows for that.
	Missing float64
	Seed    uint64
}

// Results returns the results of tickets: those of the last plate without the late ones, those of earlier plates
// all. Where all would be late, all are there, as there is no plate left to wait for.
func (l *Laboratory) Results(p *problem.Problem, tickets []campaign.Ticket) (results []campaign.Result, err error) {
	last := 0
	for _, t := range tickets {
		last = max(last, t.Plate)
	}
	root := seed.New(l.Seed)
	for waiting := range 2 {
		for _, t := range tickets {
			rnd := rand.New(root.Child("ticket", t.Ticket).Source())
			late, failed := rnd.Float64() < l.Late, rnd.Float64() < l.Failures
			if late && t.Plate == last && waiting == 0 {
				continue
			}
			r := campaign.Result{Ticket: t.Ticket, Plate: t.Plate, Arm: t.Arm, Failed: failed}
			if !failed {
				if err := l.measure(p, &r, rnd); err != nil {
					return nil, err
				}
			}
			results = append(results, r)
		}
		if len(results) > 0 {
			break
		}
	}
	return results, nil
}

// measure draws the values of r.
func (l *Laboratory) measure(p *problem.Problem, r *campaign.Result, rnd *rand.Rand) error {
	means, ok := l.Truth[problem.Normal(r.Arm)]
	if !ok {
		return fmt.Errorf("simulated: the truth has no row for %q; add its true means", r.Arm)
	}
	trials, _ := p.Trials()
	if p.Evaluable() != "" && l.Missing > 0 {
		// Somebody is evaluable, since a result of nobody is none.
		r.Of = max(int(distuv.Binomial{N: float64(trials), P: 1 - l.Missing, Src: rnd}.Rand()), 1)
	}
	for j, c := range p.Measured() {
		v, err := l.draw(&p.Objectives[c], means[j], r.Of, rnd)
		if err != nil {
			return err
		}
		r.Values = append(r.Values, v)
	}
	return nil
}

// draw draws one value of an objective with the given mean, of so many trials if not all of them could be
// evaluated: as an instrument shows it, to about a hundredth of the standard deviation, in whole decimals, and
// within the values that there are.
func (l *Laboratory) draw(o *problem.Objective, mean float64, of int, rnd *rand.Rand) (float64, error) {
	sd, told := l.SD[o.Name]
	switch {
	case o.Noise.Counts != nil:
		if of == 0 {
			of = *o.Noise.Counts
		}
		return distuv.Binomial{N: float64(of), P: mean, Src: rnd}.Rand(), nil
	case o.Noise.Range != nil:
		return l.within(o, mean, rnd)
	case told:
	case o.Noise.SD != nil:
		sd = *o.Noise.SD
	case o.Noise.Pilot != nil:
		sd = o.Noise.Pilot.SD
	}
	if !(sd > 0) {
		return 0, fmt.Errorf("simulated: nobody knows how noisy %s is; give its standard deviation (SD of the "+
			"laboratory, or noise.pilot.sd of the problem)", o.Name)
	}
	decimals := max(2-int(math.Floor(math.Log10(sd))), 0)
	x, err := strconv.ParseFloat(strconv.FormatFloat(mean+sd*rnd.NormFloat64(), 'f', decimals, 64), 64)
	if o.Values != nil {
		x = min(max(x, o.Values[0]), o.Values[1])
	}
	return x, err
}

// within draws a value of an objective of which only the range is known: a beta variable with this mean and
// standard deviation, if there is one.
func (l *Laboratory) within(o *problem.Objective, mean float64, rnd *rand.Rand) (float64, error) {
	lo, hi := o.Noise.Range[0], o.Noise.Range[1]
	sd, told := l.SD[o.Name]
	switch {
	case told:
	case o.GuessSD > 0:
		sd = o.GuessSD
	default:
		sd = (hi - lo) / 10
	}
	m, v := (mean-lo)/(hi-lo), sd*sd/(hi-lo)/(hi-lo)
	size := m*(1-m)/v - 1
	if !(size > 0) {
		return 0, fmt.Errorf("simulated: %s with a mean of %v between %v and %v cannot have a standard deviation "+
			"of %v; give a smaller one (SD of the laboratory, or guess_sd of the problem)", o.Name, mean, lo, hi, sd)
	}
	return lo + (hi-lo)*distuv.Beta{Alpha: m * size, Beta: (1 - m) * size, Src: rnd}.Rand(), nil
}
