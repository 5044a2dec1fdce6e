package pfiwr

import (
	"fmt"
	"math"

	"github.com/purexp/purexp/pkg/study"
)

// onEstimator are the claims about Fig. 1. The paper does not say whether contexts change, nor
// whether they are divided by their length: what holds on one of these readings counts.
func onEstimator() []study.Claim {
	return []study.Claim{
		study.Says("A1", "Fig. 1a", "with diverse contexts the error of the estimator is 0.73 "+
			"times that of ridge regression after 2000 rounds", someRatio(0, .73)),
		study.Says("A2", "Fig. 1b", "with highly correlated contexts the ratio is 0.99",
			someRatio(1, .99)),
		study.Says("A3", "5.1", "the estimator converges faster than ridge regression when "+
			"contexts are diverse", onReadings(0, study.Fewer, ratioOfErrors)),
		study.Says("A4", "5.1", "using all contexts helps more when they are diverse than when "+
			"they are correlated", onReadings(0, study.Fewer, moreWhenDiverse)),
		study.Says("A7", "Fig. 1", "both ratios, 0.73 and 0.99, come out on the same reading",
			bothRatios),
		study.Asks("A5", "(8)-(10)", "the estimator is ridge regression on the arms pulled, with "+
			"regulariser p lambda_t", collapses),
		study.Asks("A6", "4.1", "with pseudo-actions that are drawn anew, it is better than that",
			freshHelps),
	}
}

// onOneArm are about Theorem 4.2: after t rounds all means are known up to O(1/sqrt t), whatever
// is pulled.
func onOneArm() []study.Claim {
	var cs []study.Claim
	for i, size := range []int{0, 2} {
		cs = append(cs, study.Guarantees(fmt.Sprintf("B%d", i+1), "Theorem 4.2", "the estimates "+
			"of all arms converge whatever is pulled, one arm only included: "+
			""+estimatorNames[size], converges(size)))
	}
	return cs
}

// onSensitivity are the claims about p, judged with contexts that do not change and that do.
func onSensitivity() []study.Claim {
	return []study.Claim{
		study.Says("C1", "Fig. 2, 5.2", "p = 0.1 needs more samples than p = 0.5",
			eachReading(slower)),
		study.Says("C2", "Fig. 2a, 5.2", "p = 0.9 misidentifies more often than p = 0.5",
			eachReading(errsMore)),
		study.Says("C3", "Fig. 2a, 5.2", "p = 0.5 identifies the front", eachReading(rightAt(.5))),
		study.Says("C4", "Fig. 2a, 5.2", "p = 0.1 identifies the front", eachReading(rightAt(.1))),
		study.Says("C5", "Theorem 4.3", "p = 0.639 minimises the factor of the bound, 1/p^2 + "+
			"1/(1 - p)", bestP).Knowable().On(study.PaperData),
		study.Asks("C6", "4.1", "with the doubly robust estimator PFIwR needs fewer pulls",
			robustHelps(PNames(.5), "", 0, 1)),
	}
}

// onLLVM are the claims about Table 1 and Fig. 3. Both widths were calibrated by the first column.
func onLLVM() []study.Claim {
	var cs []study.Claim
	for _, row := range []struct{ method, letter string }{{PFIwR, "D1"}, {PFIMulti, "D2"}} {
		for i, size := range []int{1, 2} {
			v := table1.Of(llvmNames[size], row.method)
			cs = append(cs, study.Says(row.letter+[]string{"b", "c"}[i], "Table 1",
				fmt.Sprintf("%s needs %v +- %v pulls at epsilon = %v", row.method, v[0], v[1],
					Epsilons[size]),
				stated(size, row.method, v[0], v[1])))
		}
	}
	for size, eps := range Epsilons {
		letter := string(rune('a' + size))
		order := study.Says("D3"+letter, "Table 1",
			fmt.Sprintf("PFIwR needs fewer samples than PFIMulti at epsilon = %v", eps),
			fewer(size, study.As(PFIwR, Calibrated), study.As(PFIMulti, Calibrated)))
		if size < 2 {
			order = order.Unjudged("both widths are calibrated by the numbers of this order, which " +
				"are nearly the same at the two smaller epsilon: it could not have come out otherwise")
		}
		cs = append(cs, order,
			study.Asks("D4"+letter, "Table 1",
				fmt.Sprintf("so it does where both have widths that a proof supports, at "+
					"epsilon = %v", eps),
				fewer(size, study.As(PFIwR, SelfNormalised), study.As(PFIMulti, Theory))))
	}
	return append(cs,
		study.Says("D5", "Table 1, Algorithm 1", "the forced exploration of Algorithm 1 ends within "+
			"the runs of Table 1, of 12846 pulls at most", phaseEnds).Knowable().
			On(study.PaperData),
		study.Asks("D6", "Table 1", "PFIMulti with 0.4 times its width needs fewer pulls than "+
			"calibrated PFIwR at epsilon = 0.01, and errs no more often than delta",
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
		study.Says("E3", "Fig. 3b", "PFIwR has a lower regret than PFIMulti",
			lowerRegret(Calibrated, Calibrated)),
		study.Asks("E4", "Fig. 3b", "so it has where both have widths that a proof supports",
			lowerRegret(SelfNormalised, Theory)),
		study.Asks("E5", "Fig. 3b", "PFIwR has a lower regret than PFIMulti with 0.4 times its width "+
			"where the forced exploration is 100 pulls an arm, a thirtieth of what Algorithm 1 prints",
			lowerRegret(Long, Narrowed)),
		study.Asks("F1", "beside Theorem 4.4", "after the random phase no pull has a regret above "+
			"2 beta, with probability 1 - delta, with the calibrated width, which is not that of "+
			"the theorem", below2Beta),
		study.Guarantees("F2", "Theorem 4.4", "the bound on the cumulative regret is sublinear "+
			"in the number of samples", sublinear).Knowable().On(study.AnyInstance),
		study.Asks("F3", "policy.PFIwR", "with the self-normalised width the error "+
			"probability of PFIwR is at most delta", study.WithinDelta(study.Mistakes, SelfNormalised, PFIwR)),
		study.Asks("F4", "Auer et al. 2016", "with its own width the error probability of "+
			"PFIMulti is at most delta",
			study.WithinDelta(study.Mistakes, Theory, PFIMulti)),
	)
}

// onOther are about what the paper leaves open.
func onOther() []study.Claim {
	return []study.Claim{
		study.Asks("J1", "5.3", "it does not matter for the pulls of PFIwR whether objectives "+
			"are drawn together", study.About.For(func(r *study.Results) study.Estimate {
			return study.MeanRatio("pulls, drawn separately / together:", r.Cell(1, PFIwR, Calibrated),
				r.Cell(0, PFIwR, Calibrated))
		})),
		study.Asks("J2", "5.3", "with the flags as contexts PFIwR errs more often than delta at "+
			"epsilon = 0.01", study.Between("more often than delta", delta, math.Inf(1),
			"wrong with a probability above delta = 0.1").For(func(r *study.Results) study.Estimate {
			return study.Wrong("error rate with flags", r.Cell(2, PFIwR, Calibrated))
		})),
		study.Asks("J3", "4.1", "with the doubly robust estimator PFIwR needs fewer pulls",
			robustHelps(PFIwR, Calibrated, 0, 1)),
	}
}

// onRandomPhase is about why the calibrated width does well on SW-LLVM.
func onRandomPhase() []study.Claim {
	return []study.Claim{study.Asks("G1", "5.3", "with a random phase of one pull an arm the "+
		"calibrated width errs more often than with ten", study.MoreOften.For(func(r *study.Results) study.Estimate {
		return study.WrongSum("error rate with 16 random rounds less that with 160",
			study.Weighted{Weight: 1, Rows: r.Cell(16, PFIwR, Calibrated)},
			study.Weighted{Weight: -1, Rows: r.Cell(160, PFIwR, Calibrated)})
	}))}
}

// onWidths are about error probabilities.
func onWidths() []study.Claim {
	return []study.Claim{
		study.Asks("H1", "policy.PFIwR", "with the self-normalised width the error "+
			"probability is at most delta", study.WithinDelta(study.Mistakes, SelfNormalised, PFIwR)),
		study.Guarantees("H2", "Theorem 4.2", "with the width (12) the error probability of "+
			"PFIwR is at most delta",
			study.WithinDelta(study.Mistakes, Theory, PFIwR)).On(study.AnyInstance),
		study.Asks("H3", "5.3", "with the calibrated width the error probability "+
			"of PFIwR is at most delta", study.WithinDelta(study.Mistakes, Calibrated, PFIwR)),
	}
}

// onFrontier compares Sparing at its default price with all that have a guarantee.
func onFrontier(letter string) []study.Claim {
	return []study.Claim{
		study.Asks(letter+"1", "policy.Sparing", "Sparing needs fewer pulls than all other "+
			"methods with a guarantee", sparingPulls),
		study.Asks(letter+"2", "policy.Sparing", "Sparing has a lower regret than all other "+
			"methods with a guarantee", sparingRegret),
		study.Asks(letter+"3", "policy.Sparing", "a price of regret lowers it: price 10 "+
			"against none",
			atEach("price 10 / price 0", study.As(Sparing, Priced(10)), study.As(Sparing, Priced(0)))),
		study.Asks(letter+"4", "policy.PFIwR", "PFIwR with the calibrated width, which has no "+
			"guarantee, has a lower regret than Sparing",
			atEach("PFIwR / Sparing", study.As(PFIwR, Calibrated), study.As(Sparing, Priced(10)))),
		study.Asks(letter+"5", "policy.Sparing", "the error probability of Sparing is at "+
			"most delta, at any price", sparingRight),
	}
}
