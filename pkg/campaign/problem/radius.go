package problem

import (
	"slices"

	"github.com/purexp/purexp/pkg/radius"
)

// Names of radii, for Method.Radius.
const (
	// RadiusMixture holds for all noise: radius.Mixture.
	RadiusMixture = "mixture"
	// RadiusFitted uses counts or ranges of the rewards of each objective: radius.Bernoulli and
	// radius.EmpiricalBernstein. It is for Pareto sets, and for the best candidate by one objective
	// without features.
	RadiusFitted = "fitted"
	// RadiusTheory is the radius of many papers' theorems, radius.Theory.
	RadiusTheory = "theory"
	// RadiusKaufmannKoolen is for Gaussian or independent noise: radius.KaufmannKoolen.
	RadiusKaufmannKoolen = "Kaufmann-Koolen"
)

// radii are the radii by name. Campaigns older than this choice have none.
var radii = map[string]func(*Problem) radius.Radius{
	"":                   (*Problem).before,
	RadiusMixture:        func(*Problem) radius.Radius { return mixture },
	RadiusFitted:         (*Problem).fitted,
	RadiusTheory:         func(*Problem) radius.Radius { return radius.Theory{} },
	RadiusKaufmannKoolen: func(*Problem) radius.Radius { return radius.KaufmannKoolen{} },
}

// mixture is for the few results of a candidate in a campaign: below about 60 it is narrower than
// the default, and hardly wider beyond.
var mixture = radius.Mixture{Rewards: 2}

// Intervals returns the radius of objective i for displayed intervals, which holds for its noise
// whatever the method uses: radius.Bernoulli or radius.Mixture.
func (p *Problem) Intervals(i int) radius.Radius {
	if o := &p.Objectives[i]; o.Noise.Counts != nil {
		return radius.Bernoulli{Trials: o.perReward(), Centered: true}
	}
	return mixture
}

// Radii returns the names of the radii that p can use, the default first.
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

// narrowest returns the name of the default radius.
func (p *Problem) narrowest() string { return p.Radii()[0] }

// every reports whether a condition holds for each measured objective.
func (p *Problem) every(is func(*Noise) bool) bool {
	return !slices.ContainsFunc(p.Objectives, func(o Objective) bool {
		return !o.Known && !is(&o.Noise)
	})
}

// gaussian reports whether all noise is Gaussian.
func (p *Problem) gaussian() bool {
	return p.every(func(n *Noise) bool { return n.SD != nil || n.Pilot != nil })
}

// fits reports whether RadiusFitted holds and some method can use it.
func (p *Problem) fits() bool {
	find := p.Question.Find
	return p.every(func(n *Noise) bool { return n.Range != nil || n.Counts != nil }) &&
		(find == FindPareto || find == FindBest && len(p.compared()) == 1) &&
		p.Candidates.Features == nil
}

// fitted returns RadiusFitted.
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

// before returns the radius of campaigns older than the choice.
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
		c.wrong("method.radius", "%q; for this question and noise use %s", r, choices(c.p.Radii())).
			on(append(c.each("noise"), "question", "method.name")...)
	}
}

// rewards returns RadiusFitted's description of rewards for betting methods.
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
