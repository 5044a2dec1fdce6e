package gege

import (
	"fmt"
	"sort"

	"github.com/purexp/purexp/pkg/bandit"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/pareto"
	"github.com/purexp/purexp/pkg/policy"
	"github.com/purexp/purexp/pkg/study"
	"github.com/purexp/purexp/pkg/study/hardness"
)

// onSynthetic returns the claims about fixed budgets as the number of arms grows.
func onSynthetic() []study.Claim {
	return []study.Claim{
		study.Says("A1", "Fig. 1, 5.2", "the error probability of GEGE barely grows with K",
			study.Rising(study.BarelyRises,
				"increase of GEGE's error rate from the fewest to the most arms", study.As(GEGE, ""))),
		study.Says("A2", "Fig. 1, 5.2", "EGE-SH's error rate grows much faster with K than GEGE's", risesFaster(EGESH)),
		study.Says("A3", "Fig. 1, 5.2", "EGE-SR's error rate grows much faster with K than GEGE's", risesFaster(EGESR)),
	}
}

// asArmsGrow returns the claims about fixed confidence as the number of arms grows. The claims are
// judged with the constants in the released code of GEGE and APE, which agree with the paper's
// figures. The paper does not state the constants of its experiments.
func asArmsGrow() []study.Claim {
	return []study.Claim{
		study.Says("B1", "Fig. 2, 5.2", "the sample complexity of GEGE does not significantly increase with "+
			"K", barelyGrows(Code)),
		study.Asks("B1 theory", "Theorem 3", "with the theorem's constants, the sample complexity of GEGE does not "+
			"significantly increase with K", barelyGrows(Theory)),
		study.Says("B2", "Fig. 2, 5.2", "the sample complexity of APE significantly increases with K", grows(Code)),
	}
}

// fewerOnNoC returns claims that compare the pulls of GEGE with those of other methods, for three
// choices of constants. The first choice is the printed constants. The second choice is the
// constants of the released code, without a guarantee; this project infers that the paper used the
// second choice. The third choice has a guarantee; comparisons with it are questions of this
// project, not claims of the paper.
func fewerOnNoC() []study.Claim {
	var cs []study.Claim
	for _, o := range []string{APE, PAL} {
		says := "GEGE uses significantly fewer samples than " + o + " on NoC"
		cs = append(cs, study.Says("D "+o+" printed", "Fig. 4, 5.2", says+", with Algorithm 3 as printed and the "+
			"constants of the other method's paper", fewer(study.SignificantlyFewer, Printed, o)),
			study.Says("D "+o, "Fig. 4, 5.2", says+", with the constants of the released code",
				fewer(study.SignificantlyFewer, Code, o)).On(study.Reading),
			study.Asks("D "+o+" theory", "Theorem 3", "with the constants of the guarantees, GEGE uses "+
				"significantly fewer samples on NoC than "+o,
				fewer(study.SignificantlyFewer, Theory, o)))
	}
	return cs
}

// onEnergy returns the claims about fixed budgets on the loads of buildings.
func onEnergy(id, name string) []study.Claim {
	return []study.Claim{
		study.Says(id+"1", "Fig. 6, I.2", "at T = 10000, GEGE largely outperforms its competitors: "+name, outperforms),
		study.Says(id+"2", "I.2", "GEGE's error probability is reasonable even for T below K: "+name, early),
	}
}

// fewerThanRacing returns the claims about fixed confidence on the loads of buildings.
func fewerThanRacing(id, name string) []study.Claim {
	return []study.Claim{
		study.Says(id, "Fig. 7, I.2", "GEGE largely outperforms Racing: "+name, fewer(study.LargelyFewer, Code, Auer)),
		study.Asks(id+" theory", "Theorem 3", "with the constants of the guarantees, GEGE largely outperforms "+
			"Racing: "+name, fewer(study.LargelyFewer, Theory, Auer)),
	}
}

// guaranteed returns the claim that Theorem 3 holds.
func guaranteed(name string) study.Claim {
	return study.Guarantees("J "+name, "Theorem 3", "with the theorem's constants, the error probability of GEGE is "+
		"at most delta: "+name, study.WithinDelta(study.Mistakes, Theory,
		GEGE)).On(study.AnyInstance)
}

// risesFaster returns a check that the error rate of a method rises faster than that of GEGE.
func risesFaster(method string) study.Check {
	return study.RisingAbove(study.RisesMuchFaster, "increase of the error rate of "+method+
		" from the fewest to the most arms, minus that of GEGE", study.As(method, ""),
		study.As(GEGE, ""))
}

// barelyGrows returns a check of how GEGE's mean pulls grow; it uses means because Fig. 2 shows
// means.
func barelyGrows(constants string) study.Check {
	return func(r *study.Results) study.Verdict {
		return study.BarelyGrows.Judge(study.MeanGrowth("exponent of "+GEGE, r.BySize(GEGE, constants)))
	}
}

// grows returns a check of how APE's mean pulls grow. The mean pulls are about H1
// times logarithms. If H1 does not grow, runs cannot show that the pulls of APE grow.
func grows(constants string) study.Check {
	return func(r *study.Results) study.Verdict {
		c := r.BySize(APE, constants)
		v := study.Grows.Judge(study.MeanGrowth("exponent of APE", c))
		if len(c) < 2 {
			return v
		}
		e, err := hardness.GrowthOfH1(r.Experiment, c[0].Size, c[len(c)-1].Size)
		if err != nil {
			return study.Unknown(err)
		}
		return v.Needs(study.Grows.Of(study.Exact("exponent of H1", e)), "these instances cannot confirm the claim: "+
			"additional arms have large gaps and need few pulls, so H1, the complexity without features, hardly "+
			"grows (by a factor of 1.0 to 1.3 from 10 to 100 arms, over 30 draws of Theta); the paper's arms are not "+
			"published")
	}
}

// reduced judges whether, at some budget, GEGE is wrong less often than EGE-SH by about as much as
// the paper states.
func reduced(r *study.Results) study.Verdict {
	word := study.Between("by up to 0.5", .4, 1, "at least 0.4 (0.5 divided by 1.25) at some budget")
	var cs []study.Condition
	for _, size := range r.Experiment.Sizes {
		a, b := r.Cell(size, GEGE, ""), r.Cell(size, EGESH, "")
		if len(a) > 0 && len(b) > 0 {
			cs = append(cs, word.Of(study.WrongSum(fmt.Sprintf("reduction at T = %d", size),
				study.Weighted{Weight: 1, Rows: b}, study.Weighted{Weight: -1, Rows: a})))
		}
	}
	if cs == nil {
		return study.Missing(EGESH)
	}
	return study.Any(cs...)
}

// runnable compares the smallest budgets with which the methods can run.
func runnable(inst *bandit.Instance) study.Verdict {
	need := func(p func(budget int) explore.Policy) float64 {
		runs := func(t int) bool { return p(t).Init(inst.Problem, nil) == nil }
		return float64(sort.Search(100_000, runs))
	}
	sh := need(func(t int) explore.Policy { return &policy.EGESH{Budget: t} })
	own := need(func(t int) explore.Policy { return &policy.GEGEFixedBudget{Budget: t} })
	about := study.About
	about.Lo, about.Hi = 2000*about.Lo, 2000*about.Hi
	about.Means = "within a factor of 1.25 of 2000"
	return study.All(
		about.Of(study.Exact("smallest budget of EGE-SH", sh)),
		study.Between("hardly any", 0, .1*float64(inst.Problem.K()), "at most a tenth of the number of arms").
			Of(study.Exact("smallest budget of GEGE", own)))
}

// fewer returns a check that compares GEGE with another method by the ratio of median pulls. If
// GEGE is wrong more often than delta, the verdict does not count GEGE as better.
func fewer(word study.Phrase, constants, other string) study.Check {
	return func(r *study.Results) study.Verdict {
		e := r.Experiment
		a, b := r.Cell(e.Sizes[0], GEGE, constants), r.Cell(e.Sizes[0], other, constants)
		name := fmt.Sprintf("pulls of GEGE (%s) / %s (%s)", constants, other, constants)
		right := study.Between("right", 0, e.Delta, fmt.Sprintf("wrong with probability at most delta = %v", e.Delta))
		v := word.Judge(study.Ratio(name, a, b))
		return hardly(r, v.Provided(right.Of(study.Wrong("error rate of GEGE", a))))
	}
}

// outperforms judges whether, at the largest budget, the error rate of GEGE is at most half that of
// each other method.
func outperforms(r *study.Results) study.Verdict {
	word := study.Between("largely outperforms", -1, 0,
		"the error rate of GEGE minus half of the other method's error rate is at most 0")
	size := r.Experiment.Sizes[len(r.Experiment.Sizes)-1]
	var cs []study.Condition
	for _, m := range []string{EGESH, EGESR, Uniform} {
		cs = append(cs, word.Of(study.WrongSum("GEGE minus half of "+m,
			study.Weighted{Weight: 1, Rows: r.Cell(size, GEGE, "")},
			study.Weighted{Weight: -.5, Rows: r.Cell(size, m, "")})))
	}
	return hardly(r, study.All(cs...))
}

// hardly adds an explanation to a verdict Differs: the instance is not that of the paper, or
// violates an assumption of GEGE.
func hardly(r *study.Results, v study.Verdict) study.Verdict {
	switch {
	case v.Outcome != study.Differs:
	case misspecified[r.Experiment.Name]:
		v.Why += "; the means are not linear in the features, although GEGE assumes linearity"
	case fourArms[r.Experiment.Name]:
		v.Why += "; the instance is a stand-in with four optimal arms, but the paper's instance has three, and the " +
			"paper does not state its noise"
	}
	return v
}

// fourArms names the experiments on linearised loads of buildings, in which four arms are optimal.
var fourArms = map[string]bool{"gege/energy-budget": true, "gege/energy-confidence": true}

// early judges the error rate of GEGE with budgets smaller than the number of arms.
func early(r *study.Results) study.Verdict {
	inst, err := r.Experiment.At(r.Experiment.Sizes[0], 0)
	if err != nil {
		return study.Unknown(err)
	}
	var cs []study.Condition
	for _, size := range r.Experiment.Sizes {
		if size < inst.Problem.K() {
			cs = append(cs, study.Reasonable.Of(study.Wrong(
				fmt.Sprintf("GEGE's error rate at T = %d, K = %d,", size, inst.Problem.K()),
				r.Cell(size, GEGE, ""))))
		}
	}
	return hardly(r, study.All(cs...))
}

// threeArms judges how many arms are optimal in the instance that the paper describes.
func threeArms(inst *bandit.Instance) study.Verdict {
	v := study.Exactly("three", 3, "number of optimal arms if linearised loads are minimised",
		len(pareto.Set(inst.Truth())))
	if v.Outcome == study.Differs {
		v.Why += "; with the measured loads, two arms are optimal if the loads are minimised, and three if they are " +
			"maximised"
	}
	return v
}
