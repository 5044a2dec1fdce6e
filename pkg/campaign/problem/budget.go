package problem

import (
	"cmp"
	"slices"
	"strings"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policy"
)

// Budget returns the number of measurements that a method with a fixed budget has: the one with which
// the campaign was begun, or what the laboratory can afford. Zero means that nobody says.
func (p *Problem) Budget() int { return cmp.Or(p.Method.Budget, p.Laboratory.Measurements) }

// FixedBudget reports whether the method of p spends a number of measurements that is fixed
// beforehand. Nobody declares how often its answer is wrong.
func (p *Problem) FixedBudget() bool {
	new := named(p.Method.Name)
	return new != nil && new().Card().Kind == explore.FixedBudget
}

// Budgeted returns the names of the methods that can answer the question of p with its fixed budget,
// the recommended one first; nil without a budget.
func (p *Problem) Budgeted() (names []string) {
	c, err := p.compile()
	if err != nil || p.Budget() == 0 {
		return nil
	}
	add := func(name string) {
		if name == "" || slices.Contains(names, name) {
			return
		}
		if _, err := p.CompileFor(name); err == nil {
			names = append(names, name)
		}
	}
	for _, form := range p.forms(c) {
		if r, err := policy.For(form, policy.Circumstances{Budget: p.Budget()}); err == nil &&
			r.Kind == explore.FixedBudget {
			add(r.Name)
		}
	}
	for _, new := range policy.Catalogue() {
		if card := new().Card(); card.Kind == explore.FixedBudget {
			add(card.Name)
		}
	}
	return names
}

// spend gives c the budget of its method, if that is fixed.
func (c *Compiled) spend() error {
	p := c.Source
	switch _, _, rewards := p.pilots(); {
	case c.Card.Kind != explore.FixedBudget || !slices.ContainsFunc(p.forms(c), func(f *explore.Problem) bool {
		return c.Card.Suits(f.Question)
	}): // the policy says what it does not answer
	case p.Budget() == 0:
		return Errors{p.wrong("laboratory.measurements", "missing; %s spends a number of measurements "+
			"that is fixed beforehand: say how many there are, such as measurements = 96 under "+
			"[laboratory]", c.Card.Name)}
	case rewards > 0:
		return Errors{p.wrong("method.name", "%s spends all measurements by itself, and the noise of "+
			"an objective asks for a pilot at the beginning; state a standard deviation instead, "+
			"noise = { sd = 2.0 }", c.Card.Name)}
	default:
		c.Budget = p.Budget()
	}
	return nil
}

// small says that the budget is too small, by the error of the policy.
func (c *Compiled) small(err error) error {
	_, text, ok := strings.Cut(err.Error(), "; ") // "policy: EGESR.Budget is 7; this problem needs ..."
	if !ok {
		text = err.Error()
	}
	return Errors{c.Source.wrong("laboratory.measurements", "%d, too few for %s: %s", c.Budget, c.Card.Name,
		strings.ReplaceAll(text, " pulls", " measurements"))}
}
