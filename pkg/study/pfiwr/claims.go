package pfiwr

import (
	"fmt"
	"math"
	"slices"

	"github.com/purexp/purexp/pkg/mc"
	"github.com/purexp/purexp/pkg/policy"
	"github.com/purexp/purexp/pkg/study"
	"github.com/purexp/purexp/pkg/tidy"
)

// onEstimator returns the claims about Fig. 1. The paper does not state whether contexts change,
// nor whether they are scaled to length at most 1. Therefore, a claim agrees with the measurements
// if it agrees on at least one reading of the contexts.
func onEstimator() []study.Claim {
	return []study.Claim{
		study.Says("A1", "Fig. 1a", "with diverse contexts, the error of the estimator is 0.73 times that of ridge "+
			"regression after 2000 rounds", someRatio(0, .73)),
		study.Says("A2", "Fig. 1b", "with highly correlated contexts, the error is 0.99 times that of ridge "+
			"regression", someRatio(1, .99)),
		study.Says("A3", "5.1", "the estimator converges faster than ridge regression when contexts are diverse",
			onReadings(0, study.Fewer, ratioOfErrors)),
		study.Says("A4", "5.1", "using all contexts helps more when they are diverse than when they are correlated",
			onReadings(0, study.Fewer, moreWhenDiverse)),
		study.Says("A7", "Fig. 1", "the same reading reproduces both error ratios, 0.73 and 0.99", bothRatios),
		study.Asks("A5", "(8)-(10)", "the estimator equals ridge regression on the pulled arms with regulariser p "+
			"lambda_t", collapses),
		study.Asks("A6", "4.1", "with redrawn pseudo-actions, the estimator is better than ridge regression with "+
			"regulariser p lambda_t", freshHelps),
	}
}

// onOneArm returns claims about Theorem 4.2, according to which the errors of all estimated means
// after t rounds are O(1/sqrt t), whatever arms are pulled.
func onOneArm() []study.Claim {
	var cs []study.Claim
	for i, size := range []int{0, 2} {
		cs = append(cs, study.Guarantees(fmt.Sprintf("B%d", i+1), "Theorem 4.2", "the estimates of all arms "+
			"converge even if only one arm is pulled: "+estimatorNames[size], converges(size)))
	}
	return cs
}

// onSensitivity returns the claims about p, judged with fixed and with changing contexts.
func onSensitivity() []study.Claim {
	return []study.Claim{
		study.Says("C1", "Fig. 2, 5.2", "p = 0.1 needs more samples than p = 0.5", eachReading(slower)),
		study.Says("C2", "Fig. 2a, 5.2", "p = 0.9 misidentifies more often than p = 0.5", eachReading(errsMore)),
		study.Says("C3", "Fig. 2a, 5.2", "p = 0.5 identifies the front", eachReading(rightAt(.5))),
		study.Says("C4", "Fig. 2a, 5.2", "p = 0.1 identifies the front", eachReading(rightAt(.1))),
		study.Says("C5", "Theorem 4.3", "p = 0.639 minimises the factor of the bound, 1/p^2 + 1/(1 - "+
			"p)", bestP).Knowable().On(study.PaperData),
		study.Asks("C6", "4.1", "with the doubly robust estimator, PFIwR needs fewer pulls",
			robustHelps(PNames(.5), "", 0, 1)),
	}
}

// onLLVM returns the claims about Table 1 and Fig. 3. The widths of PFIwR and PFIMulti are
// calibrated on the first column of Table 1.
func onLLVM() []study.Claim {
	var cs []study.Claim
	for _, row := range []struct{ method, letter string }{{PFIwR, "D1"}, {PFIMulti, "D2"}} {
		for i, size := range []int{1, 2} {
			v := table1.Of(llvmNames[size], row.method)
			cs = append(cs, study.Says(row.letter+[]string{"b", "c"}[i], "Table 1",
				fmt.Sprintf("%s needs %v +- %v pulls at epsilon = %v", row.method, v[0], v[1], Epsilons[size]),
				stated(size, row.method, v[0], v[1])))
		}
	}
	for size, eps := range Epsilons {
		letter := string(rune('a' + size))
		order := study.Says("D3"+letter, "Table 1",
			fmt.Sprintf("PFIwR needs fewer samples than PFIMulti at epsilon = %v", eps),
			fewer(size, study.As(PFIwR, Calibrated), study.As(PFIMulti, Calibrated)))
		if size < 2 {
			order = order.Unjudged("both widths are calibrated to the paper's numbers, which have this order and are " +
				"nearly equal at the two smaller values of epsilon, so the outcome was determined in advance")
		}
		cs = append(cs, order, study.Asks("D4"+letter, "Table 1",
			fmt.Sprintf("with proven widths, PFIwR needs fewer samples than PFIMulti at epsilon = %v", eps),
			fewer(size, study.As(PFIwR, SelfNormalised), study.As(PFIMulti, Theory))))
	}
	return append(cs, study.Says("D5", "Table 1, Algorithm 1", "the forced exploration of Algorithm 1 ends within "+
		"the runs of Table 1, which have at most 12846 pulls on average", phaseEnds).Knowable().
		On(study.PaperData),
		study.Asks("D6", "Table 1", "at epsilon = 0.01, PFIMulti with 0.4 times its width needs fewer pulls than "+
			"calibrated PFIwR, and its error rate is at most delta",
			fewer(1, study.As(PFIMulti, Narrowed), study.As(PFIwR, Calibrated))),
		study.Says("E1", "Fig. 3a", "PFIwR identifies the front in every trial",
			study.Negligible.For(func(r *study.Results) study.Estimate {
				return share("runs of PFIwR without the exact front", r.Cell(1, PFIwR, Calibrated), Exact,
					func(v float64) bool { return v == 0 })
			})),
		study.Says("E2", "Fig. 3a", "PFIMulti returns a suboptimal arm in most trials",
			study.Mostly.For(func(r *study.Results) study.Estimate {
				return share("runs of PFIMulti with a suboptimal arm", r.Cell(1, PFIMulti, Calibrated), Added,
					func(v float64) bool { return v > 0 })
			})),
		study.Says("E3", "Fig. 3b", "PFIwR has a lower regret than PFIMulti", lowerRegret(Calibrated, Calibrated)),
		study.Asks("E4", "Fig. 3b", "with proven widths, PFIwR has a lower regret than PFIMulti",
			lowerRegret(SelfNormalised, Theory)),
		study.Asks("E5", "Fig. 3b", "with forced exploration of 100 pulls per arm, a thirtieth of that in Algorithm "+
			"1, PFIwR has a lower regret than PFIMulti with 0.4 times its width",
			lowerRegret(Long, Narrowed)),
		study.Asks("F1", "cf. Theorem 4.4", "with the calibrated width (not the theorem's), no pull after the random "+
			"phase has a regret above 2 beta, with probability 1 - delta", below2Beta),
		study.Guarantees("F2", "Theorem 4.4", "the bound on the cumulative regret is sublinear in the number of "+
			"samples", sublinear).Knowable().On(study.AnyInstance),
		study.Asks("F3", "policy.PFIwR", "with the self-normalised width, the error probability of PFIwR is at most "+
			"delta", study.WithinDelta(study.Mistakes, SelfNormalised, PFIwR)),
		study.Asks("F4", "Auer et al. 2016", "with its own width, the error probability of PFIMulti is at most delta",
			study.WithinDelta(study.Mistakes, Theory, PFIMulti)),
	)
}

// onOther returns claims about details that the paper does not state.
func onOther() []study.Claim {
	return []study.Claim{
		study.Asks("J1", "5.3", "the number of pulls of PFIwR does not depend on whether the rewards of the "+
			"objectives are drawn together", study.About.For(func(r *study.Results) study.Estimate {
			return study.MeanRatio("pulls, drawn separately / together:", r.Cell(1, PFIwR, Calibrated),
				r.Cell(0, PFIwR, Calibrated))
		})),
		study.Asks("J2", "5.3", "with the flags as contexts, the error rate of PFIwR exceeds delta at epsilon = 0.01",
			study.Between("more often than delta", delta, math.Inf(1),
				"wrong with a probability above delta = 0.1").For(func(r *study.Results) study.Estimate {
				return study.Wrong("error rate with flags", r.Cell(2, PFIwR, Calibrated))
			})),
		study.Asks("J3", "4.1", "with the doubly robust estimator, PFIwR needs fewer pulls",
			robustHelps(PFIwR, Calibrated, 0, 1)),
	}
}

// onRandomPhase returns a claim about the reason why the calibrated width does well on SW-LLVM.
func onRandomPhase() []study.Claim {
	return []study.Claim{study.Asks("G1", "5.3", "with the calibrated width, PFIwR is wrong more often after one "+
		"random pull per arm than after ten", study.MoreOften.For(func(r *study.Results) study.Estimate {
		return study.WrongSum("error rate with 16 random rounds minus that with 160",
			study.Weighted{Weight: 1, Rows: r.Cell(16, PFIwR, Calibrated)},
			study.Weighted{Weight: -1, Rows: r.Cell(160, PFIwR, Calibrated)})
	}))}
}

// onWidths returns claims about error probabilities.
func onWidths() []study.Claim {
	return []study.Claim{
		study.Asks("H1", "policy.PFIwR", "with the self-normalised width, the error probability is at most delta",
			study.WithinDelta(study.Mistakes, SelfNormalised, PFIwR)),
		study.Guarantees("H2", "Theorem 4.2", "with the width (12), the error probability of PFIwR is at most delta",
			study.WithinDelta(study.Mistakes, Theory, PFIwR)).On(study.AnyInstance),
		study.Asks("H3", "5.3", "with the calibrated width, the error probability of PFIwR is at most delta",
			study.WithinDelta(study.Mistakes, Calibrated, PFIwR)),
	}
}

// onFrontier returns claims that compare Sparing, at its default price, with all methods that have
// a guarantee.
func onFrontier(letter string) []study.Claim {
	return []study.Claim{
		study.Asks(letter+"1", "policy.Sparing", "Sparing needs fewer pulls than all other methods with a "+
			"guarantee", sparingPulls),
		study.Asks(letter+"2", "policy.Sparing", "Sparing has a lower regret than all other methods with a "+
			"guarantee", sparingRegret),
		study.Asks(letter+"3", "policy.Sparing", "a price on regret lowers the regret: price 10 compared with price 0",
			atEach("price 10 / price 0", study.As(Sparing, Priced(10)), study.As(Sparing, Priced(0)))),
		study.Asks(letter+"4", "policy.PFIwR", "PFIwR with the calibrated width, which has no guarantee, has a "+
			"lower regret than Sparing",
			atEach("PFIwR / Sparing", study.As(PFIwR, Calibrated), study.As(Sparing, Priced(10)))),
		study.Asks(letter+"5", "policy.Sparing", "the error probability of Sparing is at most delta, at any "+
			"price", sparingRight),
	}
}

// stated returns a check that compares mean pulls with a number in Table 1; the tolerance is the
// standard deviation in the table. Runs with a wrong answer are excluded, because they lost an
// optimal arm and take long; the paper reports no such runs.
func stated(size int, method string, pulls, sd float64) func(*study.Results) study.Verdict {
	word := study.Between(fmt.Sprintf("%v +- %v", pulls, sd), pulls-sd, pulls+sd,
		"the mean is within the standard deviation that the table states")
	return func(r *study.Results) study.Verdict {
		rows := r.Cell(size, method, Calibrated)
		if len(rows) == 0 {
			return study.Missing(method)
		}
		right := slices.DeleteFunc(slices.Clone(rows), func(r mc.Row) bool { return !r.Correct })
		mean := func(c float64) tidy.Summary { return tidy.Mean(study.Pulls(right), c) }
		v := study.All(word.Of(study.Estimate{
			What: "mean pulls of " + method, Resampled: true, At: mean,
		}))
		if n := len(rows) - len(right); n > 0 {
			v.Measured += fmt.Sprintf(", over runs with a right answer; %d answers were wrong", n)
		}
		return v
	}
}

// fewer returns a check that compares the mean pulls of two choices of method and constants. If a
// method is wrong more often than delta, the verdict does not count it as needing fewer pulls.
func fewer(size int, own, theirs study.Choice) study.Check {
	return func(r *study.Results) study.Verdict {
		a, b := r.Cell(size, own.Method, own.Constants), r.Cell(size, theirs.Method, theirs.Constants)
		return study.Fewer.Judge(study.MeanRatio(fmt.Sprintf("pulls of %v / %v", own, theirs), a, b)).Provided(right(a))
	}
}

// onLLVMConstants returns the constants of the theorems for SW-LLVM.
func onLLVMConstants() policy.PFIwRConstants {
	return policy.PFIwRConstants{Arms: 16, Features: 16, Objectives: 2, Delta: delta, P: half, Norm: 1}
}

// phaseEnds compares the length of the random phase of Algorithm 1 on SW-LLVM with the largest mean
// in Table 1.
func phaseEnds(*study.Results) study.Verdict {
	return study.Between("within", 0, 12846, "at most 12846 pulls").Judge(study.Exact("pulls of the random phase of "+
		"Algorithm 1, 16 arms and 2 objectives,", math.Floor(onLLVMConstants().Start())))
}

// sublinear judges the exponent with which the regret bound grows.
func sublinear(*study.Results) study.Verdict {
	return study.Between("sublinear", 0, .9, "with an exponent of at most 0.9 from 10^6 to 10^7 pulls").
		Judge(study.Exact("exponent of the bound", exponent(onLLVMConstants(), 1e6, 1e7)))
}

// lowerRegret returns a check that compares the cumulative regret of complete runs at epsilon =
// 0.01.
func lowerRegret(own, theirs string) study.Check {
	return study.Fewer.For(func(r *study.Results) study.Estimate {
		return means(fmt.Sprintf("regret of PFIwR (%s) / PFIMulti (%s)", own, theirs),
			r.Cell(1, PFIwR, own), r.Cell(1, PFIMulti, theirs), "regret")
	})
}

func below2Beta(r *study.Results) study.Verdict {
	word := study.Between("with probability 1 - delta", 0, delta, "at most a fraction delta = 0.1 of the runs has a "+
		"pull with a regret above 2 beta")
	var cs []study.Condition
	for _, size := range r.Experiment.Sizes {
		cs = append(cs, word.Of(share(fmt.Sprintf("share of runs with a pull above 2 beta at epsilon = "+
			"%v", Epsilons[size]),
			r.Cell(size, PFIwR, Calibrated), AboveBeta, func(v float64) bool { return v > 0 })))
	}
	return study.All(cs...)
}

// rivals are the other methods with a guarantee, with their constants.
var rivals = [][2]string{
	{APE, Theory}, {PFIMulti, Theory}, {PAL, Theory}, {GEGE, Theory}, {Uniform, Theory},
	{PFIwR, SelfNormalised},
}

// againstRivals compares Sparing at price 10 with all rivals at all relaxations.
func againstRivals(
	r *study.Results, of func(what string, a, b []mc.Row) study.Estimate,
) study.Verdict {
	var cs []study.Condition
	for _, size := range r.Experiment.Sizes {
		for _, m := range rivals {
			cs = append(cs, study.Fewer.Of(of(fmt.Sprintf(
				"Sparing / %s, %s:", m[0], r.Experiment.SizeLabel(size),
			),
				r.Cell(size, Sparing, Priced(10)), r.Cell(size, m[0], m[1]))))
		}
	}
	return study.All(cs...)
}

func sparingPulls(r *study.Results) study.Verdict { return againstRivals(r, study.MeanRatio) }

func sparingRegret(r *study.Results) study.Verdict {
	return againstRivals(r, func(what string, a, b []mc.Row) study.Estimate {
		return means("regret of "+what, a, b, "regret")
	})
}

// atEach returns a check that compares the cumulative regret of two choices at each relaxation.
func atEach(name string, a, b study.Choice) study.Check {
	return func(r *study.Results) study.Verdict {
		var cs []study.Condition
		for _, size := range r.Experiment.Sizes {
			cs = append(cs, study.Fewer.Of(means(fmt.Sprintf("regret of %s, %s:", name, r.Experiment.SizeLabel(size)),
				r.Cell(size, a.Method, a.Constants), r.Cell(size, b.Method, b.Constants), "regret")))
		}
		return study.All(cs...)
	}
}

func sparingRight(r *study.Results) study.Verdict {
	var cells []study.Tally
	for _, p := range prices {
		for _, size := range r.Experiment.Sizes {
			if rows := r.Cell(size, Sparing, Priced(p)); len(rows) > 0 {
				cells = append(cells, study.TallyOf(Sparing+" on "+r.Experiment.SizeLabel(size), rows))
			}
		}
	}
	return study.AtMost(delta, cells, "")
}

// eachReading returns a check that judges a claim with changing and with fixed contexts; see
// study.AnyReading.
func eachReading(judge func(r *study.Results, size int) study.Verdict) study.Check {
	return func(r *study.Results) study.Verdict {
		var vs []study.Verdict
		for _, size := range r.Experiment.Sizes {
			vs = append(vs, judge(r, size))
		}
		return study.AnyReading(vs...)
	}
}

// slower compares the mean pulls for p = 0.1, as in Fig. 2, with those for p = 0.5.
func slower(r *study.Results, size int) study.Verdict {
	return study.More.Judge(study.MeanRatio(
		"pulls of p = 0.1 / p = 0.5, "+r.Experiment.SizeLabel(size)+":",
		r.Cell(size, PNames(.1), ""), r.Cell(size, PNames(.5), ""),
	))
}

// errsMore compares the error rates for p = 0.9 and p = 0.5, and reports both.
func errsMore(r *study.Results, size int) study.Verdict {
	high, middle := r.Cell(size, PNames(.9), ""), r.Cell(size, PNames(.5), "")
	v := study.MoreOften.Judge(study.WrongSum(
		"error rate of p = 0.9 minus that of p = 0.5, "+r.Experiment.SizeLabel(size)+":",
		study.Weighted{Weight: 1, Rows: high}, study.Weighted{Weight: -1, Rows: middle}))
	if len(high) > 0 && len(middle) > 0 {
		v.Measured += fmt.Sprintf(" (%.0f %% and %.0f %%)", 100*study.ErrorRate(high).Center,
			100*study.ErrorRate(middle).Center)
	}
	return v
}

// rightAt returns a check that error rates for p are at most delta.
func rightAt(p float64) func(*study.Results, int) study.Verdict {
	return func(r *study.Results, size int) study.Verdict {
		rows := r.Cell(size, PNames(p), "")
		if len(rows) == 0 {
			return study.Missing(PNames(p))
		}
		return study.AtMost(delta, []study.Tally{study.TallyOf(r.Experiment.SizeLabel(size), rows)},
			"wrong with probability at most delta; ")
	}
}

// bestP compares the paper's p, 0.639, with the p that minimises the factor in the bound of Theorem
// 4.3. The minimising p solves 2 (1 - p)^2 = p^3.
func bestP(*study.Results) study.Verdict {
	lo, hi := 0., 1.
	for hi-lo > 1e-9 {
		if mid := (lo + hi) / 2; 2*(1-mid)*(1-mid) > mid*mid*mid {
			lo = mid
		} else {
			hi = mid
		}
	}
	return study.Between("0.639", .639-.0005, .639+.0005, "to three digits").Judge(study.Exact("minimiser", hi))
}

// robustHelps returns a check that compares the mean pulls of PFIwR with those of its doubly robust
// variant. The check uses only sizes at which the linear model is right. If a method is wrong more
// often than delta, the verdict does not count it as needing fewer pulls.
func robustHelps(method, constants string, sizes ...int) func(*study.Results) study.Verdict {
	return func(r *study.Results) study.Verdict {
		var cs, rights []study.Condition
		for _, size := range sizes {
			own := r.Cell(size, Robust, Calibrated)
			cs = append(cs, study.Fewer.Of(study.MeanRatio(
				"pulls of doubly robust / closed form, "+r.Experiment.SizeLabel(size)+":",
				own, r.Cell(size, method, constants))))
			rights = append(rights, right(own))
		}
		return study.All(cs...).Provided(rights...)
	}
}
