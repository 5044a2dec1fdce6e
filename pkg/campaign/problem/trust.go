package problem

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/purexp/purexp/pkg/explore"
)

// doubt says why the answers of c's policy to c's problem are not to be trusted, and which field
// could change that; "" if they are. A campaign takes a method that stops by itself with an answer
// that is certified, if somebody answers for everything that this rests on; or one that spends a
// budget, whose answer is a guess that nobody certifies.
func (c *Compiled) doubt() (field, why string) {
	card := &c.Card
	field = "method.name"
	switch {
	case c.Budget == 0 && (card.Kind != explore.FixedConfidence || card.Certifies < explore.CertifiesSet):
		return field, fmt.Sprintf("%s certifies nothing (%s)", card.Name, card.Guarantee())
	case c.Source.Evaluable() != "" && card.Evidence != explore.AnySampling:
		return field, fmt.Sprintf("%s is about complete measurements, and some may have fewer %s than that; replace "+
			"those that are not evaluable before results are told, and leave out evaluable = %q", card.Name,
			c.trials(), c.Source.Evaluable())
	case c.known() != nil && c.Source.Question.Find == FindPareto &&
		!card.Uses.Has(explore.UsesKnownValues): // equal ones would be a tie
		return field, fmt.Sprintf("%s takes values that are known for noisy ones", card.Name)
	}
	if c.Budget > 0 {
		return "", ""
	}
	d := c.declared()
	missing := card.Lacks(d)
	if len(missing) == 0 {
		return "", ""
	}
	why = fmt.Sprintf("%s is right only if %s, and the problem does not say so", card.Name,
		missing[0].In(d))
	if _, ok := missing[0].(explore.Norm); ok {
		for i := range c.Source.Objectives {
			if o := &c.Source.Objectives[i]; o.Norm == 0 {
				return fmt.Sprintf("objective[%d].norm", i+1), fmt.Sprintf("%s; state one that is "+
					"large enough for certain, in the unit of %s", why, o.Name)
			}
		}
	}
	return field, why
}

// Rests returns what a certificate rests on, a clause each, in the words of the problem: "a
// measurement of yield scatters by at most 2 % (declared)".
func (c *Compiled) Rests() []string { return c.Card.Rests(c.declared()) }

// Unused says which part of the problem the method has no use for, in a sentence; "" if there is
// none.
func (c *Compiled) Unused() string {
	if c.Source.Candidates.Features == nil || c.Card.Uses.Has(explore.UsesFeatures) {
		return ""
	}
	why := ""
	if c.known() != nil {
		why = ", since methods that use features take no values that are known exactly"
	}
	return fmt.Sprintf("%s does not use the features of candidates%s: each candidate is learned "+
		"from its own measurements alone.", c.Card.Name, why)
}

// declared returns what the problem says of the world.
func (c *Compiled) declared() *explore.Declaration {
	p := c.Source
	d := &explore.Declaration{Problem: c.Problem, Gaussian: true, Bounded: true,
		Independent: p.Independent,
		Amount: func(objective int, difference float64) string {
			o := &p.Objectives[objective]
			return fmt.Sprintf("%.4g%s", c.Scales[objective].Size(difference),
				Scale{Unit: o.Unit}.suffix())
		}}
	if p.Candidates.Features != nil {
		d.Linear = slices.Concat(p.Candidates.FeatureColumns, p.Candidates.CategoryColumns)
	}
	for i := range p.Objectives {
		o := &p.Objectives[i]
		d.Gaussian = d.Gaussian && (o.Known || o.Noise.SD != nil || o.Noise.Pilot != nil)
		d.Bounded = d.Bounded && (o.Known || o.Noise.Range != nil || o.Noise.Counts != nil)
		d.Noise = append(d.Noise, o.Scatters())
	}
	return d
}

// Scatters says how measurements of an objective scatter, as a predicate: "scatters by at most 2 %".
func (o *Objective) Scatters() string {
	n, unit := o.Noise, Scale{Unit: o.Unit}.suffix()
	switch {
	case o.Known:
		return "is known exactly"
	case n.SD != nil:
		return fmt.Sprintf("scatters by at most %v%s", *n.SD, unit)
	case n.Range != nil:
		return fmt.Sprintf("is between %v and %v%s", n.Range[0], n.Range[1], unit)
	case n.Counts != nil:
		called := cmp.Or(n.Of, "trials")
		if n.Evaluable != "" {
			return fmt.Sprintf("counts the successes of those of %d independent %s that are evaluable, whatever their "+
				"outcome would have been", *n.Counts, called)
		}
		return fmt.Sprintf("counts the successes of %d independent %s", *n.Counts, called)
	case n.Pilot != nil && n.Pilot.Rewards == 0:
		return fmt.Sprintf("scatters by at most %.4g%s, which a pilot bounds", n.Pilot.Bound(), unit)
	}
	return "is Gaussian"
}

// coefficients says of what Objective.Norm is the norm.
func (p *Problem) coefficients() string {
	if p.Candidates.Features == nil {
		return "list of all means"
	}
	return "coefficients of " + listed(p.Candidates.FeatureNames)
}
