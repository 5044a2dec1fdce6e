package gege

import (
	"errors"
	"fmt"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/fig"
	"github.com/purexp/purexp/pkg/radius"
	"github.com/purexp/purexp/pkg/study"
)

// Front shows the arms of an experiment in the plane of their objectives, the
// true Pareto set, and what one run of each method returned: replicate 0 of the
// study at seed 1. With a fixed confidence APE, which estimates each arm by
// itself, comes with its estimates and confidence boxes at the time at which it
// stopped; they hold for all arms at once with probability 1 - Delta.
func Front(e study.Experiment, size int, methods ...string) (*fig.Figure, error) {
	inst, err := e.At(size, 0)
	if err != nil {
		return nil, err
	}
	if methods == nil {
		methods = e.MethodNames()
	}
	var answers []fig.FrontAnswer
	for _, m := range methods {
		method, ok := first(e, m)
		if !ok {
			return nil, fmt.Errorf("%s: no method %q", e.Name, m)
		}
		var told sums
		r, err := e.Replay(method, inst, size, 0, &explore.Settings{Recorder: &told})
		if errors.Is(err, explore.ErrBudget) {
			continue
		}
		if err != nil {
			return nil, err
		}
		a := fig.FrontAnswer{Name: m, Items: r.Answer.Items}
		if m == APE && e.Delta > 0 {
			a.Means, a.Radius = told.boxes(inst.Problem, radii[method.Constants], e.Delta)
		}
		answers = append(answers, a)
	}
	return fig.Front(inst, answers, &fig.FrontOptions{Negated: negated[e.Name], Palette: e.Palette})
}

// first returns the first of the methods with a name.
func first(e study.Experiment, name string) (study.Method, bool) {
	for _, m := range e.Methods {
		if m.Name == name {
			return m, true
		}
	}
	return study.Method{}, false
}

// negated says which objectives of an experiment the data state the other way round.
var negated = map[string][]bool{
	"gege/noc-budget": {true, true}, "gege/noc-raw-budget": {true, false},
	"gege/noc-confidence": {true, true},
	"gege/energy-budget":  {true, true}, "gege/energy-confidence": {true, true},
	"gege/snw-budget": {true, false}, "gege/snw-raw-budget": {true, false},
	"gege/snw-raw-confidence": {true, false},
}

// sums records the measurements of a run, by arm.
type sums struct {
	n     []int
	total [][]float64
	t     int
}

// Record implements explore.Recorder.
func (s *sums) Record(e explore.Event) error {
	s.t = e.Pulls
	for _, b := range e.Obs {
		for b.Arm >= len(s.n) {
			s.n, s.total = append(s.n, 0), append(s.total, make([]float64, len(b.Sum)))
		}
		s.n[b.Arm] += b.N
		floats.Add(s.total[b.Arm], b.Sum)
	}
	return nil
}

// boxes returns the means of the arms of p and the half-widths of their
// confidence boxes. Every arm was pulled.
func (s *sums) boxes(p *explore.Problem, r radius.Radius,
	delta float64) (means *mat.Dense, half []float64) {
	bonus := r.Bind(radius.Params{Arms: p.K(), Objectives: p.D(), Sigma: p.Sigma,
		NormSigma: p.SigmaU(), Delta: delta})
	factor, _ := bonus.Factors(s.t)
	means = mat.NewDense(p.K(), p.D(), nil)
	for i, n := range s.n {
		floats.ScaleTo(means.RawRowView(i), 1/float64(n), s.total[i])
		half = append(half, factor*bonus.Mean(n))
	}
	return means, half
}
