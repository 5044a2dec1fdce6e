package plan

import (
	"errors"
	"fmt"
	"slices"

	"github.com/purexp/purexp/pkg/campaign/problem"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policy"
)

// mostSlow is the largest number of candidates for which slow methods are simulated beside that of
// the problem. They take some milliseconds a run there, and minutes with some hundred candidates.
const mostSlow = 24

// proportions are methods that compute anew, after each measurement, in which proportions an oracle
// would measure.
var proportions = []string{"All-epsilon track-and-stop", "Game-cPSI", "Track-and-Stop"}

// slow reports whether a method plans rounds of its own, computes proportions, or is one for linear
// models that has to take each candidate for a feature.
func slow(c *problem.Compiled) bool {
	_, open := c.Policy().(explore.Open)
	return !open || slices.Contains(proportions, c.Card.Name) ||
		c.Source.Candidates.Features == nil && c.Card.Uses&explore.UsesFeatures != 0
}

// compile translates p for a method, with plates that are not filled if it cannot have them filled.
func compile(p *problem.Problem, method string) (*problem.Compiled, error) {
	c, err := p.CompileFor(method)
	if errors.Is(err, problem.ErrFill) {
		q := p.Clone()
		q.Laboratory.Fill = false
		return q.CompileFor(method)
	}
	return c, err
}

// usual returns the methods that are compared if nobody says which.
func usual(p *problem.Problem, own string) ([]string, error) {
	methods := []string{own}
	for _, m := range append([]string{p.ByRounds()}, p.Methods()...) {
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
		spending = []string{spending[0], uniform} // the usual design of equal replicates
	}
	for _, m := range spending[:min(len(spending), 2)] {
		if !slices.Contains(methods, m) {
			methods = append(methods, m)
		}
	}
	return methods, nil
}

// list lists the rows.
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
		s.cells = append(s.cells, cell{c: c, row: Row{Change: change.String(),
			Method: c.Card.Name, Budget: c.Budget}})
	}
	return nil
}
