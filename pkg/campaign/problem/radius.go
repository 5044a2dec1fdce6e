package problem

import (
	"slices"

	"github.com/purexp/purexp/pkg/radius"
)

// The following constants are the names of confidence radii, the values of Method.Radius.
const (
	// RadiusMixture selects radius.Mixture, which is valid for every kind of noise that a problem
	// can declare.
	RadiusMixture = "mixture"
	// RadiusFitted selects radius.Bernoulli for counts and radius.EmpiricalBernstein for ranges.
	// RadiusFitted is available for the question "pareto", and for "best" by one objective without
	// features.
	RadiusFitted = "fitted"
	// RadiusTheory selects radius.Theory, the radius in the theorems of many papers.
	RadiusTheory = "theory"
	// RadiusKaufmannKoolen selects radius.KaufmannKoolen, for Gaussian or independent noise.
	RadiusKaufmannKoolen = "Kaufmann-Koolen"
)

// radii maps the name of each radius to its constructor. Campaigns created before Method.Radius
// existed have the empty name.
var radii = map[string]func(*Problem) radius.Radius{
	"":                   (*Problem).before,
	RadiusMixture:        func(*Problem) radius.Radius { return mixture },
	RadiusFitted:         (*Problem).fitted,
	RadiusTheory:         func(*Problem) radius.Radius { return radius.Theory{} },
	RadiusKaufmannKoolen: func(*Problem) radius.Radius { return radius.KaufmannKoolen{} },
}

// mixture is tuned for small numbers of results per candidate, as in campaigns. Below about 60
// results, mixture is narrower than the default radius; for more results, mixture is only slightly
// wider.
var mixture = radius.Mixture{Rewards: 2}

// Intervals returns the radius for the displayed intervals of objective i: radius.Bernoulli or
// radius.Mixture. The radius for displayed intervals is valid for the noise of the objective,
// whatever radius the method uses.
func (p *Problem) Intervals(i int) radius.Radius {
	if o := &p.Objectives[i]; o.Noise.Counts != nil {
		return radius.Bernoulli{Trials: o.perReward(), Centered: true}
	}
	return mixture
}

// Radii returns the names of the radii that p can use, starting with the default radius.
func (p *Problem) Radii() []string {
	names := []string{RadiusMixture, RadiusTheory}
	if p.fits() {
		names = slices.Insert(names, 0, RadiusFitted)
	}
	if p.gaussian() || p.Independent || len(p.Objectives) == 1 {
		names = append(names, RadiusKaufmannKoolen)
	}
	return names
}

func (p *Problem) narrowest() string { return p.Radii()[0] }

// every reports whether is(n) returns true for the noise n of each measured objective.
func (p *Problem) every(is func(*Noise) bool) bool {
	return !slices.ContainsFunc(p.Objectives, func(o Objective) bool {
		return !o.Known && !is(&o.Noise)
	})
}

func (p *Problem) gaussian() bool {
	return p.every(func(n *Noise) bool { return n.SD != nil || n.Pilot != nil })
}

// fits reports whether RadiusFitted is valid for p, and whether some method can use it.
func (p *Problem) fits() bool {
	find := p.Question.Find
	return p.every(func(n *Noise) bool { return n.Range != nil || n.Counts != nil }) &&
		(find == FindPareto || find == FindBest && len(p.compared()) == 1) &&
		p.Candidates.Features == nil
}

// fitted returns the radius that RadiusFitted selects for p.
func (p *Problem) fitted() radius.Radius {
	var each radius.Each
	for i, r := range p.rewards() {
		if p.Objectives[i].Noise.Counts == nil {
			r = radius.EmpiricalBernstein{}
		}
		each = append(each, r)
	}
	return each
}

// before returns the radius for campaigns created before Method.Radius existed.
func (p *Problem) before() radius.Radius {
	switch {
	case p.every(func(n *Noise) bool { return n.Range != nil }) &&
		(p.Question.Find == FindPareto || p.Question.Find == FindBest && p.simple()):
		return radius.EmpiricalBernstein{}
	case p.gaussian() || p.Independent || len(p.Objectives) == 1:
		return radius.KaufmannKoolen{}
	}
	return nil
}

// radius checks Method.Radius.
func (c *checker) radius() {
	if r := c.p.Method.Radius; r != "" && !slices.Contains(c.p.Radii(), r) {
		c.wrong("method.radius", "%q; expected %s for this question and noise", r, choices(c.p.Radii())).
			on(append(c.each("noise"), "question", "method.name")...)
	}
}

// rewards returns the kind of rewards of each objective, which betting methods need with
// RadiusFitted.
func (p *Problem) rewards() (each radius.Each) {
	for i := range p.Objectives {
		o, trials := &p.Objectives[i], 1
		if o.Noise.Counts != nil {
			trials = o.perReward()
		}
		each = append(each, radius.Bernoulli{Trials: trials, Centered: true})
	}
	return each
}
