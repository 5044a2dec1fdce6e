package problem

import (
	"slices"

	"github.com/purexp/purexp/pkg/radius"
)

// Names of radii, for Method.Radius.
const (
	// RadiusMixture holds for all noise, and is narrow: radius.Mixture.
	RadiusMixture = "mixture"
	// RadiusFitted fits the rewards of each objective, which are counts or in a range:
	// radius.Bernoulli and radius.EmpiricalBernstein. It is for Pareto sets, and the best candidate
	// by one objective without features.
	RadiusFitted = "fitted"
	// RadiusTheory is that of the theorems of many papers, radius.Theory.
	RadiusTheory = "theory"
	// RadiusKaufmannKoolen is for Gaussian or independent noise: radius.KaufmannKoolen.
	RadiusKaufmannKoolen = "Kaufmann-Koolen"
)

// radii are what names stand for. Campaigns that were begun when there was no choice have none.
var radii = map[string]func(*Problem) radius.Radius{
	"":                   (*Problem).before,
	RadiusMixture:        func(*Problem) radius.Radius { return mixture },
	RadiusFitted:         (*Problem).fitted,
	RadiusTheory:         func(*Problem) radius.Radius { return radius.Theory{} },
	RadiusKaufmannKoolen: func(*Problem) radius.Radius { return radius.KaufmannKoolen{} },
}

// mixture is for the few results of a candidate that campaigns have: below 60 or so it is narrower
// than the default, and hardly wider beyond.
var mixture = radius.Mixture{Rewards: 2}

// Intervals returns the radius of objective i in what is told of each candidate, which holds for its
// noise whatever the method has: radius.Bernoulli or radius.Mixture.
func (p *Problem) Intervals(i int) radius.Radius {
	if o := &p.Objectives[i]; o.Noise.Counts != nil {
		return radius.Bernoulli{Trials: o.perReward(), Centered: true}
	}
	return mixture
}

// Radii returns the names of the radii that p can have, the usual one first.
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

// narrowest returns the name of the usual radius.
func (p *Problem) narrowest() string { return p.Radii()[0] }

// every reports whether something is true of each objective that is measured.
func (p *Problem) every(is func(*Noise) bool) bool {
	return !slices.ContainsFunc(p.Objectives, func(o Objective) bool {
		return !o.Known && !is(&o.Noise)
	})
}

// gaussian reports whether all noise is.
func (p *Problem) gaussian() bool {
	return p.every(func(n *Noise) bool { return n.SD != nil || n.Pilot != nil })
}

// fits reports whether RadiusFitted holds, and there are methods for it.
func (p *Problem) fits() bool {
	find := p.Question.Find
	return p.every(func(n *Noise) bool { return n.Range != nil || n.Counts != nil }) &&
		(find == FindPareto || find == FindBest && len(p.compared()) == 1) &&
		p.Candidates.Features == nil
}

// fitted is RadiusFitted.
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

// before is what campaigns had when there was no choice.
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

// radius checks the name of the radius.
func (c *checker) radius() {
	if r := c.p.Method.Radius; r != "" && !slices.Contains(c.p.Radii(), r) {
		c.wrong("method.radius", "%q; for this question and noise want %s", r, choices(c.p.Radii())).
			on(append(c.each("noise"), "question", "method.name")...)
	}
}

// rewards is what RadiusFitted says of rewards to methods that bet on them.
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
