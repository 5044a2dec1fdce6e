package linfact

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/design"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/lsq"
	"github.com/purexp/purexp/pkg/study"
	"github.com/purexp/purexp/pkg/tidy"
)

// The following claims are about lower bounds on six arms.
var limitClaims = []study.Claim{
	study.Guarantees("C1", "Theorem 3.2", "(19) is a lower bound for six arms, five of which are nearly "+
		"equal", isBound).Knowable(),
	study.Asks("C2", "cf. Theorem 4.2", "at the smallest delta, the game needs at most twice as many pulls as the "+
		"lower bound, and LinFACT-XY needs at least twice as many", nearLimit).On(study.StandIn),
}

// nearLimit compares the pulls of methods with the lower bound at the smallest delta.
func nearLimit(r *study.Results) study.Verdict {
	size := r.Experiment.Sizes[len(r.Experiment.Sizes)-1]
	bound := r.Bound(size, LowerBound)
	if len(bound) == 0 {
		return study.Missing(LowerBound)
	}
	least := float64(bound[0].Pulls)
	over := func(method string) study.Estimate {
		x := study.Pulls(r.Cell(size, method, Theory))
		for i := range x {
			x[i] /= least
		}
		return average(method+" / the lower bound", x, same)
	}
	return study.All(study.Competitive.Of(over(Game)), study.LargelyMore.Of(over(LinFACTXY)))
}

// The following claims are about misspecified models. In MisspecifiedInstance, arms below the
// threshold are at least 1/4 away from the threshold. Arms above the threshold are at least 1/4
// minus 2 L_m away from the threshold.
var misspecifiedClaims = []study.Claim{
	study.Guarantees("D1", "Theorem 5.1", "the radius of the linear model suffices for L_m below min(alpha, "+
		"beta)/(2 sqrt d)",
		rightBelow(MISUnchanged, func(m float64) float64 { return margin(m) / 4 })),
	study.Guarantees("D2", "Theorem 5.2", "with the orthogonal parameterisation, every arm is classified correctly "+
		"for L_m below min(alpha, beta)/(2 (sqrt d + 2))",
		rightBelow(MISOrthogonal, func(m float64) float64 { return margin(m) / 8 })),
	study.Guarantees("D3", "Proposition 5.4", "with the radius (35), the number of rounds is the same as without "+
		"deviations", sameRounds).Unjudged("in these instances, the distances from the threshold decrease as L_m " +
		"grows, which requires more rounds for any radius"),
	study.Asks("D4", "section 5", "with a valid radius, no arm is misclassified, whatever the deviations",
		noWrongArms).On(study.StandIn),
	study.Asks("D5", "cf. Proposition 5.3", "on these instances, L_mu, the deviation above which structure no longer "+
		"helps, is at most the range of the means",
		limited(deviating)).Knowable(),
	study.Guarantees("D7", "Theorem 5.1", "without noise, estimates differ from the means by at most L_m sqrt d, the "+
		"radius for deviations", withinRadius(twoAlike)).Knowable(),
	study.Guarantees("D6", "Proposition 5.3", "for any question, L_mu, the deviation above which structure no longer "+
		"helps, is at most the range of the means (tested on two arms, both epsilon-best)",
		limited(counterexample)).Knowable(),
}

// twoAlike returns an instance with two arms, whose single features are 1 and 0.99. With theta = 1,
// the linear means are 1 and 0.99. The first mean, 0, is 1 below its linear mean, and the second
// mean, 1.99, is 1 above its linear mean, so L_m = 1. For the features 1 and 0.99, the G-optimal
// design pulls only the first arm.
func twoAlike() (x *mat.Dense, mu []float64, deviation float64) {
	return mat.NewDense(2, 1, []float64{1, .99}), []float64{0, 1.99}, 1
}

// withinRadius returns a check of the errors of least-squares estimates from exact means, with
// pulls in a G-optimal design. The unit of errors is L_m sqrt(d). An arm's error is the sum of its
// own deviation and the effect of the deviations of the pulled arms. The radius in the theorem
// omits the arm's own deviation.
func withinRadius(instance func() (*mat.Dense, []float64, float64)) study.Check {
	return known(func() study.Verdict {
		x, mu, deviation := instance()
		k, d := x.Dims()
		g, err := design.G(x, nil)
		if err != nil {
			return study.Unknown(err)
		}
		fit := lsq.NewFit(d, 1)
		for i, w := range g.Weights {
			if n := int(math.Round(1e6 * w)); n > 0 {
				fit.Add(x.RawRowView(i), n, []float64{float64(n) * mu[i]})
			}
		}
		if !fit.Solve() {
			return study.Unknown(fmt.Errorf("linfact: the design does not span the features"))
		}
		theta := fit.Theta().ColView(0)
		most := 0.
		for i := range k {
			most = max(most, math.Abs(mat.Dot(x.RowView(i), theta)-mu[i]))
		}
		return study.Between("within", 0, 1, "at most 1").Judge(study.Exact(
			"largest error / (L_m sqrt d)", most/(deviation*math.Sqrt(float64(d)))))
	})
}

// margin returns the distance from the threshold to the nearest mean of an arm.
func margin(deviation float64) float64 { return mixEpsilon - 2*deviation }

// rightBelow returns a check that a method is right with probability at least 1 - delta if
// deviations are below the given limit.
func rightBelow(method string, limit func(deviation float64) float64,
) study.Check {
	return func(r *study.Results) study.Verdict {
		var ts []study.Tally
		for _, size := range r.Experiment.Sizes {
			if m := deviation(size); m > 0 && m < limit(m) {
				rows := r.Cell(size, method, Theory)
				if len(rows) == 0 {
					return study.Missing(method)
				}
				ts = append(ts, study.Tally{Name: r.Experiment.SizeLabel(size),
					Wrong: study.Mistakes(rows), Runs: len(rows)})
			}
		}
		return study.AtMost(r.Experiment.Delta, ts, "")
	}
}

// sameRounds judges Proposition 5.4 by the ratio of mean rounds with deviations to mean rounds
// without deviations.
func sameRounds(r *study.Results) study.Verdict {
	sizes := r.Experiment.Sizes
	linear := study.Measured(r.Cell(sizes[0], MISPrinted, Theory), Rounds)
	var cs []study.Condition
	for _, size := range sizes[1:] {
		what := "rounds at " + r.Experiment.SizeLabel(size) + " / without deviations,"
		x := study.Measured(r.Cell(size, MISPrinted, Theory), Rounds)
		e := study.Estimate{What: what, Resampled: true, At: func(c float64) tidy.Summary {
			return tidy.RatioOfMeans(x, linear, false, c)
		}}
		if len(x) == 0 || len(linear) == 0 {
			e = study.Estimate{Lacks: MISPrinted}
		}
		cs = append(cs, noMore.Of(e))
	}
	return study.All(cs...)
}

// noWrongArms judges whether runs have a wrong verdict with probability at most delta.
func noWrongArms(r *study.Results) study.Verdict {
	var ts []study.Tally
	for _, m := range []string{MIS, MISOrthogonal} {
		for _, size := range r.Experiment.Sizes {
			t := study.Tally{Name: m + ", " + r.Experiment.SizeLabel(size)}
			for _, v := range study.Measured(r.Cell(size, m, Theory), Wrong) {
				t.Runs++
				if v > 0 {
					t.Wrong++
				}
			}
			if t.Runs == 0 {
				return study.Missing(m)
			}
			ts = append(ts, t)
		}
	}
	return study.AtMost(r.Experiment.Delta, ts, "a run is wrong if it misclassifies an arm; ")
}

// glmClaims returns claims about generalised linear models.
func glmClaims(id string, link explore.Link, shift func(size int) float64) []study.Claim {
	return []study.Claim{
		study.Guarantees(id+"1", "Theorem 6.1", "LinFACT-GLM is right with probability 1 - delta", guarantee(GLM)),
		study.Guarantees(id+"2", "Theorem 6.1", "pulls grow at most as 1/c_min^2 (times sigma^2, which (41) omits)",
			func(r *study.Results) study.Verdict { return growsAs(r, link, shift) }),
	}
}

// growsAs judges whether pulls grow at most in proportion to sigma^2/c_min^2, which is the upper
// bound in the theorem.
func growsAs(r *study.Results, link explore.Link, shift func(size int) float64) study.Verdict {
	unit := func(size int) float64 {
		return variance(link, shift(size)) / math.Pow(steepness(link, shift(size)), 2)
	}
	last := r.Experiment.Sizes[len(r.Experiment.Sizes)-1]
	var cs []study.Condition
	for _, size := range r.Experiment.Sizes[:len(r.Experiment.Sizes)-1] {
		a, b := r.Cell(size, GLM, Theory), r.Cell(last, GLM, Theory)
		factor := unit(last) / unit(size)
		e := study.MeanRatio(fmt.Sprintf("pulls at %s / at %s, divided by the expected ratio,",
			r.Experiment.SizeLabel(size), r.Experiment.SizeLabel(last)), a, b)
		if e.Lacks == "" {
			at := e.At
			e.At = func(c float64) tidy.Summary {
				s := at(c)
				s.Center, s.Lo, s.Hi = factor*s.Center, factor*s.Lo, factor*s.Hi
				return s
			}
		}
		cs = append(cs, inProportion.Of(e))
	}
	return study.All(cs...)
}

// inProportion is the phrase for an upper bound up to a constant: growth is at most proportional,
// with a tolerance of 25 %.
var inProportion = study.Between("at most in proportion", 0, 1.25, "at most 1.25 times proportional growth")
