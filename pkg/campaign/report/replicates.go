package report

import (
	"math"
	"strings"

	"github.com/purexp/purexp/pkg/campaign"
)

// Replicates say how the results of a candidate that count scatter. Numbers are in the units and the order of the objectives;
// NaN if there is none.
type Replicates struct {
	Arm string `json:"arm"`
	N   int    `json:"n"` // results
	// Scatter is their standard deviation.
	Scatter campaign.Numbers `json:"scatter"`
}

// A Scatter is that of the replicates of all candidates together.
type Scatter struct {
	SD      campaign.Numbers `json:"sd"`      // standard deviation by objective
	Freedom int              `json:"freedom"` // its degrees of freedom
}

// replicates returns those of the candidates that are available.
func (l *Viewer) replicates() ([]Replicates, *Scatter, error) {
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
