package problem

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policy"
)

// Budget returns the number of measurements of a fixed-budget method: the number set at the start
// of the campaign, or the affordable number. If neither number is given, Budget returns 0.
func (p *Problem) Budget() int { return cmp.Or(p.Method.Budget, p.Laboratory.Measurements) }

// FixedBudget reports whether the method of p has a fixed budget. The answer of a fixed-budget
// method has no stated error probability.
func (p *Problem) FixedBudget() bool {
	new := named(p.Method.Name)
	return new != nil && new().Card().Kind == explore.FixedBudget
}

// Budgeted returns the names of the methods that can answer the question of p within its fixed
// budget, starting with the recommended method. If p has no budget, Budgeted returns nil.
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

// spend sets the budget of the method of c, if the method has a fixed budget.
func (c *Compiled) spend() error {
	p := c.Source
	switch _, _, rewards := p.pilots(); {
	case c.Card.Kind != explore.FixedBudget || !slices.ContainsFunc(p.forms(c), func(f *explore.Problem) bool {
		return c.Card.Suits(f.Question)
	}): // the policy's error names the questions that it cannot answer
	case p.Budget() == 0:
		return Errors{p.wrong("laboratory.measurements", "missing; %s spends a fixed number of measurements; set, "+
			"for example, measurements = 96 under [laboratory]", c.Card.Name)}
	case rewards > 0:
		return Errors{p.wrong("method.name", "%s spends the whole budget, which leaves no measurements for the "+
			"declared pilot; declare a standard deviation instead, noise = { sd = 2.0 }", c.Card.Name)}
	default:
		c.Budget = p.Budget()
	}
	return nil
}

// small converts the policy's error about its budget to an error that names the rejected budget.
func (c *Compiled) small(err error) error {
	_, text, ok := strings.Cut(err.Error(), "; ") // err is like "policy: EGESR.Budget is 7; this problem needs ..."
	if !ok {
		text = err.Error()
	}
	return Errors{c.Source.wrong("laboratory.measurements", "%d is too small for %s; %s", c.Budget, c.Card.Name,
		strings.ReplaceAll(text, " pulls", " measurements"))}
}

// ErrFill reports that free wells of plates cannot be filled, because the guarantee of the method
// covers only measurements that the method itself requests.
var ErrFill = errors.New("plates cannot be filled")

// fillable returns an error that wraps ErrFill if plates are to be filled and the policy of c
// cannot use the additional measurements.
func (c *Compiled) fillable() error {
	p := c.Source
	if !p.Laboratory.Fill || c.UsesAll() || c.Overlaps() {
		return nil
	}
	instead := ""
	if usual := p.AnySampling(); usual != "" {
		instead = fmt.Sprintf(", or use a method that learns from any measurement, such as %s", usual)
	}
	return fmt.Errorf("%w: %w", Errors{p.wrong("laboratory.fill", "the guarantee of %s covers only the measurements "+
		"that the method requests, so the method cannot use other measurements; leave fill out%s",
		c.Card.Name, instead)}, ErrFill)
}

// Fill appends n pulls to plate, which must not be empty; the pulls are replicates of open
// candidates, as evenly distributed as possible. Open candidates are those already on the plate,
// and those that the policy's current answer a leaves undecided. If the setting [Laboratory.Fill]
// is true, a campaign calls Fill for plates with free wells.
func (c *Compiled) Fill(plate []explore.Pull, n int, a explore.Answer) []explore.Pull {
	count := make([]int, c.Source.K()) // number of pulls on the plate by candidate
	var open []int
	for i, r := range a.Reasons {
		if r.Class == explore.Undecided {
			open = append(open, i)
		}
	}
	for _, p := range plate {
		count[p.Arm] += p.N
		open = append(open, p.Arm)
	}
	slices.Sort(open)
	open = slices.Compact(open)
	for range n {
		next := slices.MinFunc(open, func(i, j int) int { return count[i] - count[j] })
		count[next]++
		plate = append(plate, explore.Pull{Arm: next, N: 1})
	}
	return plate
}
