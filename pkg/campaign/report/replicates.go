package report

import (
	"math"
	"strings"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/campaign"
	"github.com/purexp/purexp/pkg/campaign/problem"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/lsq"
)

// Replicates say how the results of a candidate that count scatter, and, where means are linear in
// features, what the model makes of it. Numbers are in the units and the order of the objectives;
// NaN if there is none.
type Replicates struct {
	Arm string `json:"arm"`
	N   int    `json:"n"` // results
	// Scatter is their standard deviation.
	Scatter campaign.Numbers `json:"scatter"`
	// Predicted is the mean by a least-squares fit of the means of all candidates. Low and High are
	// the ends of its interval, see predict.
	Predicted campaign.Numbers `json:"predicted,omitempty"`
	Low       campaign.Numbers `json:"predicted_low,omitempty"`
	High      campaign.Numbers `json:"predicted_high,omitempty"`
}

// A Scatter is that of the replicates of all candidates together.
type Scatter struct {
	SD      campaign.Numbers `json:"sd"`      // standard deviation by objective
	Freedom int              `json:"freedom"` // its degrees of freedom
	// Model says what means are linear in; empty if they are not.
	Model string `json:"model,omitempty"`
}

// replicates returns those of the candidates that are available, of which v tells.
func (l *Viewer) replicates(v *View) ([]Replicates, *Scatter, error) {
	p, compiled, err := l.compile()
	if err != nil {
		return nil, nil, err
	}
	batches, err := l.c.Rewards()
	if err != nil {
		return nil, nil, err
	}
	d := len(p.Objectives)
	list := make([]Replicates, p.K())
	for i, name := range p.Candidates.Names {
		list[i] = Replicates{Arm: name, Scatter: unknown(d)}
	}
	all := &Scatter{SD: unknown(d)}
	squares := make([]float64, d)
	for _, b := range batches {
		if b.Arm >= len(list) { // it joined since
			continue
		}
		list[b.Arm].N = b.N
		if b.N < 2 {
			continue
		}
		all.Freedom += b.N - 1
		for c := range d {
			ss := max(b.Squares[c]-b.Sum[c]*b.Sum[c]/float64(b.N), 0)
			squares[c] += ss
			if !p.Objectives[c].Known {
				list[b.Arm].Scatter[c] = compiled.Scales[c].Size(math.Sqrt(ss / float64(b.N-1)))
			}
		}
	}
	for c := range d {
		if all.Freedom > 0 && !p.Objectives[c].Known {
			all.SD[c] = compiled.Scales[c].Size(math.Sqrt(squares[c] / float64(all.Freedom)))
		}
	}
	if p.Candidates.Features != nil && compiled.Card.Uses.Has(explore.UsesFeatures) {
		all.Model = listed(p.Candidates.SettingColumns())
		predict(p, v.Arms, list)
	}
	return list, all, nil
}

// unknown are n numbers that are not known.
func unknown(n int) campaign.Numbers {
	list := make(campaign.Numbers, n)
	for i := range list {
		list[i] = math.NaN()
	}
	return list
}

// predict fits the means of the arms by least squares, weighted by their numbers of results. What is
// predicted of a candidate is a weighted sum of measured means, whose weights add the features of
// these up to its own: if means are linear, the same sum of the true means is its true mean. So an
// interval follows from the intervals of the means, and holds whenever they do, at all times and for
// all candidates together. Candidates whose features are no combination of measured ones have none.
func predict(p *problem.Problem, arms []campaign.ArmStatus, list []Replicates) {
	x := p.Candidates.Features
	k, h, d := len(x), len(x[0]), len(p.Objectives)
	scale := make([]float64, h) // features may have any units
	for _, row := range x {
		for j, v := range row {
			scale[j] = max(scale[j], math.Abs(v))
		}
	}
	seen, scaled := mat.NewDense(k, h, nil), mat.NewDense(k, h, nil)
	of, n := make([]*campaign.ArmStatus, k), make([]float64, k)
	a := make([]float64, h*h)
	numbers := p.Numbers()
	for i := range arms {
		at, ok := numbers[arms[i].Arm]
		if !ok || at >= k {
			continue
		}
		row := scaled.RawRowView(at)
		for j, v := range x[at] {
			if scale[j] > 0 {
				row[j] = v / scale[j]
			}
		}
		if n[at] = float64(arms[i].Used + arms[i].Unused); n[at] == 0 {
			continue
		}
		of[at] = &arms[i]
		seen.SetRow(at, x[at])
		for j := range h {
			floats.AddScaled(a[j*h:][:h], n[at]*row[j], row)
		}
	}
	if floats.Sum(n) == 0 {
		return
	}
	span, metric := lsq.NewSpan(seen), lsq.NewMetric(h)
	metric.Factorize(a)
	white := mat.NewDense(k, h, nil) // rows whose products are those of the inverse of a
	for i := range k {
		metric.Whiten(white.RawRowView(i), scaled.RawRowView(i))
	}
	for i := range k {
		r := &list[i]
		r.Predicted, r.Low, r.High = unknown(d), unknown(d), unknown(d)
		if span.Outside(x[i]) > lsq.RankTolerance {
			continue
		}
		for c := range d {
			if p.Objectives[c].Known {
				continue
			}
			r.Predicted[c], r.Low[c], r.High[c] = 0, 0, 0
			for at, s := range of {
				if s == nil {
					continue
				}
				w := n[at] * floats.Dot(white.RawRowView(i), white.RawRowView(at))
				low, high := s.Low[c], s.High[c]
				if w < 0 {
					low, high = high, low
				}
				r.Predicted[c] += w * s.Estimate[c]
				r.Low[c] += w * low
				r.High[c] += w * high
			}
		}
	}
}

// Assumed says what is assumed about the noise beside what is seen of it, a sentence an objective.
func (r *Report) Assumed() (list []string) {
	for c, o := range r.Columns {
		if o.Trials > 0 {
			o.Unit = "" // of results, and not of rates
		}
		if o.Measured && finite(r.Scatter.SD[c]) {
			list = append(list, strings.Join(strings.Fields("Replicates of "+o.Name+
				" scatter with a standard deviation of "+number(r.Scatter.SD[c])+" "+o.Unit), " ")+
				"; declared: "+o.Noise+".")
		}
	}
	return list
}
