package plan

import (
	"cmp"
	"context"
	"maps"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/campaign/problem"
	"github.com/purexp/purexp/pkg/explore"
)

// Forecast predicts the rest of a running campaign.
type Forecast struct {
	// Runs is the number of simulated endings; GaveUp is the number of endings that were given up
	// because they took too long.
	Runs   int `json:"runs"`
	GaveUp int `json:"gave_up"`
	// Measurements, Plates and Days contain medians and 90 %
	// quantiles of the remaining measurements, plates and days.
	Measurements Spread   `json:"measurements"`
	Plates       Spread   `json:"plates"`
	Days         Spread   `json:"days"`
	Warnings     []string `json:"warnings,omitempty"`
}

// Remaining simulates the rest of a campaign after the given measurements, whose values are
// rewards. In each run, Remaining draws the candidates' means from a distribution that reflects
// their uncertainty. An unmeasured candidate has its guessed mean or, without a guess, a mean drawn
// from the distribution of the measured candidates. By default, Remaining makes 100 runs, and a run
// is limited to 100,000 measurements. Methods with overlapping rounds continue from the campaign's
// current rounds, whose missing results arrive with the next plate. Other methods with their own
// rounds are simulated from the start; Remaining then subtracts the measurements that were already
// made.
func Remaining(ctx context.Context, c *problem.Compiled, told []explore.Batch, rounds []explore.Phase,
	o *Options) (*Forecast, error) {
	own := Options{}
	if o != nil {
		own = *o
	}
	own.Runs, own.Limit = cmp.Or(own.Runs, 100), cmp.Or(own.Limit, 100_000)
	s, err := resolved(&own)
	if err != nil {
		return nil, err
	}
	s.total = s.Runs
	s.b = learned(c, told)
	x := cell{c: c, told: told, out: rounds, limit: s.Limit}
	made := 0
	if !c.UsesAll() && !c.Overlaps() {
		for _, b := range told {
			made += b.N
		}
		x.told = nil
	}
	if err := x.runs(ctx, s, s.Runs, s.part(1)); err != nil {
		return nil, err
	}
	runs := x.made
	for i := range runs {
		r := &runs[i]
		r.pulls = max(r.pulls-made, 0)
		r.plates = max(r.plates-math.Floor(float64(made)/float64(c.Source.Laboratory.Free())), 0)
	}
	x.sum(runs, s.Limit)
	f := &Forecast{Runs: len(runs), GaveUp: x.row.GaveUp, Measurements: x.row.Measurements,
		Plates: x.row.Plates, Days: x.row.Days}
	if x.row.Hopeless != "" {
		f.Warnings = append(f.Warnings, x.row.Hopeless)
	}
	return f, nil
}

// learned returns the belief about the means after the given measurements, with standard errors.
func learned(c *problem.Compiled, told []explore.Batch) *belief {
	p := c.Source
	b := &belief{k: p.K(), d: len(p.Objectives)}
	b.mean, b.se = mat.NewDense(b.k, b.d, nil), mat.NewDense(b.k, b.d, nil)
	n := make([]float64, b.k)
	sum := mat.NewDense(b.k, b.d, nil)
	for _, batch := range told {
		n[batch.Arm] += float64(batch.N)
		for j, v := range batch.Sum {
			sum.Set(batch.Arm, j, sum.At(batch.Arm, j)+v)
		}
	}
	for j := range p.Objectives {
		o := &p.Objectives[j]
		law := b.noiseOf(p, j)
		if !o.Known && !law.bounded && law.sd == 0 {
			law.sd = c.Scales[j].Size(deviation(told, j))
		}
		b.noise = append(b.noise, law)
		if o.Known {
			b.mean.SetCol(j, o.Exact)
			continue
		}
		var measured []float64
		for i := range b.k {
			if n[i] > 0 {
				mean := c.Scales[j].Out(sum.At(i, j) / n[i])
				measured = append(measured, mean)
				b.mean.Set(i, j, mean)
				b.se.Set(i, j, math.Sqrt(law.variance(mean)/n[i]))
			}
		}
		mid, sd := likeOthers(measured, c.Scales[j])
		for i := range b.k {
			switch {
			case n[i] > 0:
			case o.Guesses != nil:
				b.mean.Set(i, j, o.Value(o.Guesses[i]))
			default:
				b.mean.Set(i, j, mid)
				b.se.Set(i, j, sd)
			}
		}
	}
	return b
}

// deviation estimates the standard deviation of rewards of objective j from the sums of squares, or
// returns 1 if the data do not suffice.
func deviation(told []explore.Batch, j int) float64 {
	type moments struct{ n, sum, square float64 }
	of := map[int]moments{}
	for _, b := range told {
		if b.Squares == nil && b.N > 1 {
			continue
		}
		m := of[b.Arm]
		m.n += float64(b.N)
		m.sum += b.Sum[j]
		if b.Squares == nil {
			m.square += b.Sum[j] * b.Sum[j]
		} else {
			m.square += b.Squares[j]
		}
		of[b.Arm] = m
	}
	squares, free := 0.0, 0.0
	for _, arm := range slices.Sorted(maps.Keys(of)) {
		m := of[arm]
		squares += max(m.square-m.sum*m.sum/m.n, 0)
		free += m.n - 1
	}
	if !(free > 0) || !(squares > 0) {
		return 1
	}
	return math.Sqrt(squares / free)
}

// likeOthers returns the mean and the standard deviation of the values x, for candidates that are
// not in x. If x is empty, the mean is the value that corresponds to a reward of 0. If x has fewer
// than two values, the standard deviation is one reward unit.
func likeOthers(x []float64, s problem.Scale) (mean, sd float64) {
	if len(x) == 0 {
		return s.Out(0), s.Size(1)
	}
	for _, v := range x {
		mean += v / float64(len(x))
	}
	if len(x) == 1 {
		return mean, s.Size(1)
	}
	for _, v := range x {
		sd += (v - mean) * (v - mean) / float64(len(x)-1)
	}
	return mean, math.Sqrt(sd)
}
