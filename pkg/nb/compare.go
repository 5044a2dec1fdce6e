package nb

import (
	"errors"
	"fmt"
	"reflect"
	"slices"

	"github.com/purexp/purexp/pkg/bandit"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/fig"
	"github.com/purexp/purexp/pkg/mc"
	"github.com/purexp/purexp/pkg/policy"
	"github.com/purexp/purexp/pkg/study"
	"github.com/purexp/purexp/pkg/tidy"
)

// Comparison holds the results of many runs of policies on instances.
type Comparison struct{ rows *rowCache }

// Policies is a list of policies to compare.
type Policies = []explore.Policy

// Compare simulates reps runs of each policy on each instance:
//
//	var c = nb.Compare(100, nb.Policies{&policy.ECAPE{Delta: 0.1}, &policy.Uniform{Delta: 0.1}}, inst)
//
//	%%
//	c.Table()
//	c.Figure()
//
// The noise is the same for all policies. A nil policy stands for the policy recommended for the
// first instance, with the error probability of the first non-nil policy. If two policies are
// equal, Compare ends the cell with an error. A run ends after ten million rewards. Runs are
// simulated when they are first needed, and kept on disk like the rows of Simulate.
func Compare(reps int, policies Policies, instances ...*bandit.Instance) *Comparison {
	return &Comparison{newRowCache(Must(comparison(reps, policies, instances)))}
}

// mostCompared is the number of rewards after which a run is ended.
const mostCompared = 10_000_000

func comparison(reps int, policies Policies, instances []*bandit.Instance) (s study.Study, err error) {
	switch {
	case reps < 1:
		return s, fmt.Errorf("nb: Compare: %d runs; expected at least 1", reps)
	case len(policies) == 0:
		return s, errors.New("nb: Compare: no policies are given; expected nb.Policies{&policy.ECAPE{Delta: 0.1}, ...}")
	case len(instances) == 0:
		return s, errors.New("nb: Compare: the instances are missing; give at least one after the policies")
	}
	g := mc.Grid{Study: "compare", MaxPulls: mostCompared}
	for i, inst := range instances {
		if err := asked("Compare", inst); err != nil {
			return s, err
		}
		one := *inst
		if one.Name == "" {
			one.Name = fmt.Sprintf("instance %d", i+1)
		}
		g.Instances = append(g.Instances, &one)
	}
	delta := 0.
	for _, p := range policies {
		if p != nil && delta == 0 {
			delta = deltaOf(p)
		}
	}
	for i, p := range policies {
		if p == nil {
			r, err := policy.For(instances[0].Problem, circumstances(instances[0], policy.Circumstances{Delta: delta}))
			if err != nil {
				return s, err
			}
			p = r.Make()
		}
		name := explore.Name(p)
		if slices.ContainsFunc(g.Methods, func(m mc.Method) bool { return m.Name == name }) {
			return s, fmt.Errorf("nb: Compare: policy %d is a duplicate of %s; remove the duplicate, or change a "+
				"setting", i+1, name)
		}
		g.Methods = append(g.Methods, mc.Method{Name: name, Delta: deltaOf(p),
			New: func() explore.Policy { return fresh(p) }})
	}
	return study.Study{Name: "compare", Title: "Comparison", Reps: reps, Grid: func(o study.Options) (*mc.Grid, error) {
		grid := g
		grid.Reps, grid.Seed = o.Scaled(reps, reps), o.Root()
		return &grid, nil
	}}, nil
}

// Rows returns the rows of all runs, one row per run.
func (c *Comparison) Rows() []mc.Row { return c.rows.rows() }

// fresh returns a new policy with the same exported fields as p.
func fresh(p explore.Policy) explore.Policy {
	from := reflect.ValueOf(p)
	if from.Kind() != reflect.Pointer {
		return p
	}
	to := reflect.New(from.Type().Elem())
	for i := range from.Elem().NumField() {
		if from.Elem().Type().Field(i).IsExported() {
			to.Elem().Field(i).Set(from.Elem().Field(i))
		}
	}
	return to.Interface().(explore.Policy)
}

// deltaOf returns the error probability of a policy, or 0 if the policy has no error probability.
func deltaOf(p explore.Policy) float64 {
	v := reflect.Indirect(reflect.ValueOf(p))
	if f := v.FieldByName("Delta"); f.IsValid() && f.Kind() == reflect.Float64 {
		if d := f.Float(); d > 0 {
			return d
		}
		return policy.DefaultDelta
	}
	return 0
}

// Table shows the number of rewards that each policy needs, with intervals, and its error rate.
func (c *Comparison) Table() { Show(c.table()) }

func (c *Comparison) table() *tidy.Table {
	t := tidy.ComplexityTable(tidy.SampleComplexity(c.Rows(), 0.95))
	t.Title = "Comparison"
	return t
}

// Figure shows, for each policy, the distribution of the number of rewards.
func (c *Comparison) Figure() {
	Draw(fig.SampleComplexity(c.Rows(), &fig.RowOptions{Title: "Number of rewards needed for the answer",
		Palette: study.Looks}))
}
