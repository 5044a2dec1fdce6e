package arena

import (
	"fmt"
	"math"
	"strings"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/mc"
	"github.com/purexp/purexp/pkg/study"
	"github.com/purexp/purexp/pkg/tidy"
)

// Deltas returns the error probabilities of fixed-confidence methods in the arena.
func Deltas() []float64 { return []float64{.1, .05, 1e-3, 1e-10} }

// Name returns the name of a question's study on the command line, such as "arena/best-item".
func (q Question) Name() string { return "arena/" + strings.ReplaceAll(string(q), " ", "-") }

// Study returns the study of all questions.
func Study() study.Study { return of("arena", "Every method on the same problems", Questions()...) }

// Study returns the study of one question.
func (q Question) Study() study.Study { return of(q.Name(), "Every method: "+string(q), q) }

// Studies returns the study of all questions, and the study of each single question.
func Studies() []study.Study {
	all := []study.Study{Study()}
	for _, q := range Questions() {
		all = append(all, q.Study())
	}
	return all
}

func of(name, title string, qs ...Question) study.Study {
	return study.Study{
		Name: name, Title: title, Paper: "of this project: docs/arena.md", Reps: Reps,
		Grid: func(o study.Options) (*mc.Grid, error) {
			g := &mc.Grid{Study: name, Seed: o.Root(), Workers: o.Workers, Shard: o.Shard}
			for _, q := range qs {
				cells, err := Cells(q, Methods(q), o)
				if err != nil {
					return nil, err
				}
				g.Cells = append(g.Cells, cells...)
			}
			return g, nil
		},
		Tables: func(rows []mc.Row) ([]*tidy.Table, error) {
			var ts []*tidy.Table
			for _, q := range qs {
				own, err := Tables(q, Summarise(rows))
				if err != nil {
					return nil, err
				}
				ts = append(ts, own...)
			}
			return ts, nil
		},
		Figures: func([]mc.Row) ([]study.Figure, error) { return nil, nil },
		Claims:  func() []study.Claim { return nil },
	}
}

// Cells returns the runs of methods on the instances of a question, at all error probabilities in
// Deltas or with all budgets.
func Cells(q Question, ms []study.Method, o study.Options) ([]mc.Cell, error) {
	var cells []mc.Cell
	for size, i := range At(q) {
		inst, err := i.Load()
		if err != nil {
			return nil, err
		}
		h, err := Hardness(inst)
		if err != nil {
			return nil, fmt.Errorf("arena: %s: %w", i.Name, err)
		}
		for _, m := range ms {
			if !suits(m, inst) {
				continue
			}
			type end struct {
				delta float64
				times int // budget as a multiple of the characteristic time T*
			}
			var ends []end
			for _, delta := range Deltas() {
				ends = append(ends, end{delta: delta})
			}
			if m.Constants == Budgeted {
				ends = nil
				for _, times := range Budgets() {
					ends = append(ends, end{times: times})
				}
			}
			for _, end := range ends {
				delta := end.delta
				reps := replicates(m.Name, i.Name, delta)
				if reps == 0 {
					continue
				}
				t := study.Task{Instance: inst, Size: size, Delta: delta}
				c := mc.Cell{Instance: inst, Experiment: q.Name(), Size: size, Method: mc.Method{
					Name: m.Name, Constants: m.Constants, Delta: delta, Reps: o.Scaled(reps, Reps),
					MaxPulls: int(math.Ceil(most * LowerBound(h, delta))),
				}}
				if delta == 0 {
					t.Budget = pulls(end.times, h)
					c.Budget, c.Method.MaxPulls = t.Budget, -1
				}
				c.Method.New = func() explore.Policy { return m.New(t) }
				cells = append(cells, c)
			}
		}
	}
	return cells, nil
}

// pulls returns the budget for a multiple of T*, rounded up.
func pulls(times int, hardness float64) int { return int(math.Ceil(float64(times) * hardness)) }
