package plan

import (
	"errors"
	"fmt"
	"slices"

	"github.com/purexp/purexp/pkg/campaign/problem"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policy"
)

// mostSlow is the largest number of candidates for which plans compare slow methods with the method
// of the problem. With 24 candidates, a run of a slow method takes a few milliseconds; with
// hundreds of candidates, it takes minutes.
const mostSlow = 24

// mostCompared is the largest number of candidates for which other methods are simulated, because
// some methods store all pairs of candidates.
const mostCompared = 1000

// proportions lists the methods that recompute optimal proportions after each measurement.
var proportions = []string{"All-epsilon track-and-stop", "Game-cPSI", "Track-and-Stop"}

// slow reports whether the method of c plans its own rounds, recomputes optimal proportions, or
// treats each candidate as a feature of a linear model.
func slow(c *problem.Compiled) bool {
	_, open := c.Policy().(explore.Asynchronous)
	return !open && !c.Overlaps() || slices.Contains(proportions, c.Card.Name) ||
		c.Source.Candidates.Features == nil && c.Card.Uses&explore.UsesFeatures != 0
}

// compile compiles p for a method, without filling plates if the method cannot use additional
// measurements.
func compile(p *problem.Problem, method string) (*problem.Compiled, error) {
	c, err := p.CompileFor(method)
	if errors.Is(err, problem.ErrFill) {
		q := p.Clone()
		q.Laboratory.Fill = false
		return q.CompileFor(method)
	}
	return c, err
}

// usual returns the methods that a plan compares if the options name none.
func usual(p *problem.Problem, own string) ([]string, error) {
	methods := []string{own}
	if p.K() > mostCompared {
		return methods, nil
	}
	for _, m := range append([]string{p.AnySampling()}, p.Methods()...) {
		if len(methods) == 3 {
			break
		}
		if m == "" || slices.Contains(methods, m) {
			continue
		}
		c, err := compile(p, m)
		if err != nil {
			return nil, err
		}
		if p.K() <= mostSlow || !slow(c) {
			methods = append(methods, m)
		}
	}
	spending := p.Budgeted()
	if uniform := new(policy.UniformBudget).Card().Name; slices.Contains(spending, uniform) {
		spending = []string{spending[0], uniform} // the usual design has equal replicates
	}
	for _, m := range spending[:min(len(spending), 2)] {
		if !slices.Contains(methods, m) {
			methods = append(methods, m)
		}
	}
	return methods, nil
}

// list lists the rows of the plan, one for each method and each change.
func (s *study) list(p *problem.Problem, base *problem.Compiled) (err error) {
	if s.Methods == nil {
		if s.Methods, err = usual(p, base.Card.Name); err != nil {
			return err
		}
	}
	for _, m := range s.Methods {
		c, err := compile(p, m)
		if err != nil {
			return err
		}
		s.cells = append(s.cells, cell{c: c, row: Row{Method: c.Card.Name, Budget: c.Budget}})
	}
	changes := s.Changes
	if changes == nil {
		changes = Changes(p)
	}
	for _, change := range changes {
		q, err := change.Apply(p)
		if err != nil {
			return err
		}
		c, err := q.Compile()
		if err != nil {
			return fmt.Errorf("plan: %s: %w", change, err)
		}
		s.cells = append(s.cells, cell{c: c, row: Row{Change: change.String(), Method: c.Card.Name, Budget: c.Budget}})
	}
	return nil
}

// advice names the method with the smallest median among the methods that need clearly fewer
// measurements than the default method (or cost clearly less, if there are costs). One method needs
// clearly fewer measurements than another if the confidence intervals of the two medians are
// disjoint. advice ignores methods that were given up or err too often.
func (s *study) advice() string {
	first := &s.cells[0]
	best := first
	for i := range s.cells {
		c := &s.cells[i]
		r := &c.row
		if r.Change != "" || r.Budget > 0 || r.Runs == 0 || r.GaveUp > 0 || r.Hopeless != "" ||
			r.ErrorLo > c.c.Delta || !(r.price().Hi < first.row.price().Lo) {
			continue
		}
		if best == first || r.price().Value < best.row.price().Value {
			best = c
		}
	}
	if best == first || first.row.Runs == 0 || first.row.Budget > 0 {
		return ""
	}
	needs := ""
	if first.c.Card.Evidence == explore.AnySampling && best.c.Card.Evidence != explore.AnySampling {
		needs = " Results that this method did not request count only if they were announced."
	}
	what := "measurements"
	if first.row.Cost != nil {
		what = s.plan.CostUnit
	}
	return fmt.Sprintf("The cheapest method here is %[1]s: it takes a median of %[2]s %[6]s, and %[3]s takes "+
		"%[4]s.%[5]s To use this method, set name = %[1]q under [method].", best.row.Method,
		number(best.row.price().Value), first.row.Method,
		number(first.row.price().Value), needs, what)
}

// price returns the median that advice compares: the cost if there are costs, and otherwise the
// number of measurements.
func (r *Row) price() Quantile {
	if r.Cost != nil {
		return r.Cost.Median
	}
	return r.Measurements.Median
}

func number(x float64) string { return fmt.Sprintf("%.0f", x) }
