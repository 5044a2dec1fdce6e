package problem

import (
	"cmp"
	"fmt"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/lsq"
	"github.com/purexp/purexp/pkg/question"
)

// unsupported explains why a campaign must not rely on the policy of c, and names the field that
// the user can change; unsupported returns "" if the policy is acceptable. A campaign accepts a
// method that stops by itself with a certified answer if the problem declares or implies all
// assumptions of the method. A campaign also accepts a fixed-budget method, whose answer is not
// certified.
func (c *Compiled) unsupported() (field, why string) {
	card := &c.Card
	field = "method.name"
	switch {
	case c.Budget == 0 && (card.Kind != explore.FixedConfidence || card.Certifies < explore.CertifiesSet):
		return field, fmt.Sprintf("%s does not certify its answer (%s)", card.Name, card.Guarantee())
	case c.Source.Evaluable() != "" && card.Evidence != explore.AnySampling:
		return field, fmt.Sprintf("%s requires complete measurements, but some measurements may have fewer %s; "+
			"replace non-evaluable trials before you report results, and leave out evaluable = %q", card.Name,
			c.trials(), c.Source.Evaluable())
	case c.known() != nil && c.Source.Question.Find == FindPareto &&
		!card.Uses.Has(explore.UsesKnownValues): // without support for known values, equal known values would be a tie
		return field, fmt.Sprintf("%s treats known values as noisy values", card.Name)
	}
	if c.Budget > 0 {
		return "", ""
	}
	d := c.declared()
	missing := card.Lacks(d)
	if len(missing) == 0 {
		return "", ""
	}
	why = fmt.Sprintf("the guarantee of %s requires that %s, which the problem does not "+
		"declare", card.Name, missing[0].In(d))
	if _, ok := missing[0].(explore.Norm); ok {
		for i := range c.Source.Objectives {
			if o := &c.Source.Objectives[i]; o.Norm == 0 {
				return fmt.Sprintf("objective[%d].norm", i+1), fmt.Sprintf("%s; declare a safe upper bound, in the "+
					"unit of %s", why, o.Name)
			}
		}
	}
	return field, why
}

// Rests returns the assumptions behind the certificate in terms of the problem, one clause each. An
// example of a clause is "a measurement of yield has a noise standard deviation of at most 2 % (declared)".
func (c *Compiled) Rests() []string { return c.Card.Rests(c.declared()) }

// Unused returns a sentence that names a part of the problem that the method ignores, or "".
func (c *Compiled) Unused() string {
	if c.Source.Candidates.Features == nil || c.Card.Uses.Has(explore.UsesFeatures) {
		return ""
	}
	why := ""
	if c.known() != nil {
		why = ", because methods that use features do not support exactly known values"
	}
	return fmt.Sprintf("%s does not use the features of candidates%s, so it estimates each candidate "+
		"from its own measurements only.", c.Card.Name, why)
}

// declared returns the declarations of the problem in the form that package explore requires.
func (c *Compiled) declared() *explore.Declaration {
	p := c.Source
	d := &explore.Declaration{Problem: c.Problem, Gaussian: true, Bounded: true,
		Independent: p.Independent,
		Amount: func(objective int, difference float64) string {
			o := &p.Objectives[objective]
			return fmt.Sprintf("%.4g%s", c.Scales[objective].Size(difference), Scale{Unit: o.Unit}.suffix())
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

// Scatters describes the noise of an objective as a predicate, such as "has a noise standard deviation of at most 2 %".
func (o *Objective) Scatters() string {
	n, unit := o.Noise, Scale{Unit: o.Unit}.suffix()
	switch {
	case o.Known:
		return "is known exactly"
	case n.SD != nil:
		return fmt.Sprintf("has a noise standard deviation of at most %v%s", *n.SD, unit)
	case n.Range != nil:
		return fmt.Sprintf("is between %v and %v%s", n.Range[0], n.Range[1], unit)
	case n.Counts != nil:
		called := cmp.Or(n.Of, "trials")
		if n.Evaluable != "" {
			return fmt.Sprintf("counts the successes in %d independent %s, which may be non-evaluable only for "+
				"reasons unrelated to their outcomes", *n.Counts, called)
		}
		return fmt.Sprintf("counts the successes in %d independent %s", *n.Counts, called)
	case n.Pilot != nil && n.Pilot.Rewards == 0:
		return fmt.Sprintf("has a noise standard deviation of at most %.4g%s, an upper bound from a "+
			"pilot", n.Pilot.Bound(), unit)
	}
	return "is Gaussian"
}

// coefficients describes in words the numbers whose norm Objective.Norm bounds.
func (p *Problem) coefficients() string {
	if p.Candidates.Features == nil {
		return "list of all means"
	}
	return "coefficients of " + Listed(p.Candidates.FeatureNames)
}

// At most Finalists candidates are confirmed, each with a number of measurements equal to
// Replicates. The finalists are the candidates of the answer and their closest rivals.
const (
	Replicates = 3
	Finalists  = 4
)

// few is the number of replicates below which too much noise might go unnoticed. A candidate's
// replicates are its results after the first.
const few = 4

// Confirming returns the total number of confirming measurements for the candidates of the answer
// and their closest rivals, given the number of measurements n[i] of each candidate i. If the
// method uses features, confirming measurements test the answer without the linear model. If the
// method uses no features, confirming measurements detect noise larger than declared, in campaigns
// with very few replicates. Confirming returns 0 if no confirmation is needed, Method.Confirm is
// not true, or the method has a fixed budget.
func (c *Compiled) Confirming(n []int) int {
	p, measured, replicates := c.Source, 0, 0
	for _, n := range n {
		measured += min(n, 1)
		replicates += max(n-1, 0)
	}
	switch {
	case p.Method.Confirm == nil || !*p.Method.Confirm || c.Budget > 0:
		return 0
	case c.Linear():
		return Replicates * min(Finalists, p.K())
	case replicates < few && c.declaresSD():
		return Replicates * min(Finalists, measured)
	}
	return 0
}

// declaresSD reports whether the problem declares a standard deviation that replicates could
// contradict.
func (c *Compiled) declaresSD() bool {
	return slices.ContainsFunc(c.Source.Objectives, func(o Objective) bool {
		return !o.Known && (o.Noise.SD != nil || o.Noise.Pilot != nil && o.Noise.Pilot.Rewards == 0)
	})
}

// Linear reports whether an answer to Best, AllEpsilonBest or Pareto assumes fewer features than candidates.
func (c *Compiled) Linear() bool {
	x := c.Source.Candidates.Features
	if x == nil || !c.Card.Uses.Has(explore.UsesFeatures) {
		return false
	}
	switch c.Problem.Question.(type) {
	case question.Best, question.AllEpsilonBest, question.Pareto:
	default:
		return false
	}
	all := mat.NewDense(len(x), len(x[0]), nil)
	for i, row := range x {
		all.SetRow(i, row)
	}
	return lsq.NewSpan(all).Rank() < len(x)
}
