package rage

import (
	"fmt"
	"math"
	"sync"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/design"
	"github.com/purexp/purexp/pkg/mc"
	"github.com/purexp/purexp/pkg/policy"
	"github.com/purexp/purexp/pkg/question"
	"github.com/purexp/purexp/pkg/study"
	"github.com/purexp/purexp/pkg/tidy"
)

// Study is the reproduction.
var Study = study.Study{
	Name:    "rage",
	Title:   "Transductive linear bandits",
	Paper:   "Fiez, Jain, Jamieson and Ratliff, \"Sequential Experimental Design for Transductive Linear Bandits\", section 5",
	Reps:    Reps,
	Grid:    Grid,
	Tables:  Tables,
	Figures: Figures,
	Claims:  Claims,
}

// Tables returns, for each experiment that there are rows of, the sample
// complexities and the bounds.
func Tables(rows []mc.Row) ([]*tidy.Table, error) {
	var ts []*tidy.Table
	for _, e := range Experiments() {
		own := e.pooled(rows)
		if len(own) == 0 {
			continue
		}
		b, err := e.Bounds(draws(own))
		if err != nil {
			return ts, err
		}
		ts = append(ts, e.Complexities(rows), b)
	}
	if b := BudgetErrors(rows); len(b.Rows) > 0 {
		ts = append(ts, b)
	}
	return ts, nil
}

// draws returns the number of replicates in pooled rows.
func draws(rows []mc.Row) int {
	n := 0
	for _, r := range rows {
		n = max(n, r.Rep+1)
	}
	return n
}

// Complexities returns the numbers of pulls and of wrong answers of an
// experiment, with intervals.
func (e Experiment) Complexities(rows []mc.Row) *tidy.Table {
	t := tidy.ComplexityTable(tidy.SampleComplexity(e.pooled(rows), confidence))
	t.Title = e.Title + " (" + e.Paper + ")"
	return t
}

// A bound is what is known about an instance in advance.
type bound struct {
	psi, lower float64 // psi*, and the lower bound at Delta
	stages     []policy.RAGEStage
}

// bounds are computed once an instance.
var bounds sync.Map // instance name -> bound

// bound returns the bounds of an instance of the experiment.
func (e Experiment) bound(size, draw int) (bound, error) {
	inst, theta, err := e.Instance(size, draw)
	if err != nil {
		return bound{}, err
	}
	if b, ok := bounds.Load(inst.Name); ok {
		return b.(bound), nil
	}
	means := mat.Col(nil, 0, inst.Truth())
	p, err := question.NewPsiStar(inst.Problem, means, &design.Options{Tol: 1e-3})
	if err != nil {
		return bound{}, fmt.Errorf("rage: %s: %w", inst.Name, err)
	}
	b := bound{psi: p.Value, lower: p.LowerBound(Delta)}
	if b.stages, err = New(RAGE, Theory, inst, theta).(*policy.RAGE).Schedule(inst.Problem, means); err != nil {
		return bound{}, fmt.Errorf("rage: %s: %w", inst.Name, err)
	}
	bounds.Store(inst.Name, b)
	return b, nil
}

// most returns what the schedule allows.
func (b bound) most() float64 {
	n := 0.
	for _, s := range b.stages {
		n += float64(s.Pulls)
	}
	return n
}

// summary returns the median of a bound over the first n draws of a size.
func (e Experiment) summary(size, n int, of func(bound) float64) (tidy.Summary, error) {
	if !e.Drawn {
		n = 1
	}
	var x []float64
	for draw := range n {
		b, err := e.bound(size, draw)
		if err != nil {
			return tidy.Summary{}, err
		}
		x = append(x, of(b))
	}
	return tidy.Median(x, confidence), nil
}

// Bounds returns psi*, the lower bounds, and what RAGE's schedule allows, for
// each size; medians over n draws where instances are drawn.
func (e Experiment) Bounds(n int) (*tidy.Table, error) {
	t := &tidy.Table{
		Title: "Bounds: " + e.Title,
		Columns: []tidy.Column{
			{Name: e.Axis}, {Name: "psi*"}, {Name: "lower bound", Unit: "pulls"}, {Name: "lower bound as printed", Unit: "pulls"},
			{Name: "rounds of the schedule"}, {Name: "schedule", Unit: "pulls"},
		},
		Notes: []string{
			fmt.Sprintf("Lower bound: 2 psi* log(1/(2.4 delta)) at delta = %v, for every method; the paper prints half of it.", Delta),
			"Schedule: the sum over rounds t of N_t for the items with gap at most 4/2^t, which RAGE keeps with probability 1 - delta.",
		},
	}
	if e.Drawn {
		t.Notes = append(t.Notes, fmt.Sprintf("Medians over %d instances.", n))
	}
	for _, size := range e.Sizes {
		row := []any{size}
		for _, of := range []func(bound) float64{
			func(b bound) float64 { return b.psi },
			func(b bound) float64 { return b.lower },
			func(b bound) float64 { return b.lower / 2 },
			func(b bound) float64 { return float64(len(b.stages)) },
			bound.most,
		} {
			s, err := e.summary(size, n, of)
			if err != nil {
				return nil, err
			}
			row = append(row, math.Round(s.Center))
		}
		t.Rows = append(t.Rows, row)
	}
	return t, nil
}

// Schedule returns RAGE's schedule for one instance, round by round.
func (e Experiment) Schedule(size, draw int) (*tidy.Table, error) {
	b, err := e.bound(size, draw)
	if err != nil {
		return nil, err
	}
	t := &tidy.Table{
		Title:   "RAGE's schedule: " + e.label(size),
		Columns: []tidy.Column{{Name: "round"}, {Name: "items with gap at most 4/2^t"}, {Name: "rho"}, {Name: "at most", Unit: "pulls"}},
	}
	for _, s := range b.stages {
		t.Rows = append(t.Rows, []any{s.T, s.Items, s.Rho, s.Pulls})
	}
	return t, nil
}

// schedule judges Theorem 2: RAGE's pulls against the schedule.
func schedule(e Experiment, rows []mc.Row) study.Verdict {
	over, n := 0, 0
	largest := 0.
	for _, size := range e.Sizes {
		for _, r := range cell(e, rows, RAGE, size) {
			draw := 0
			if e.Drawn {
				draw = r.Rep
			}
			b, err := e.bound(size, draw)
			if err != nil {
				return study.Verdict{Outcome: study.NotComparable, Measured: "-", Why: err.Error()}
			}
			n++
			share := float64(r.Pulls) / b.most()
			largest = max(largest, share)
			if share > 1+2*design.DefaultTol {
				over++
			}
		}
	}
	if n == 0 {
		return study.Missing(RAGE)
	}
	v := study.Verdict{Outcome: study.Differs, Measured: fmt.Sprintf("%d of %d runs exceed it; the largest takes %.0f %% of it", over, n, 100*largest), Why: "designs within 1 % are allowed for"}
	if tidy.Rate(over, n, confidence).Lo <= Delta {
		v.Outcome = study.Agrees
	}
	return v
}
