package pfiwr

import (
	"fmt"

	"github.com/purexp/purexp/pkg/study"
)

// onEstimator are the claims about Fig. 1. The paper does not say whether contexts change, nor in
// which units they are: a ratio that comes out with some of these counts.
func onEstimator() []study.Claim {
	return []study.Claim{
		{ID: "A1", Source: "Fig. 1a", Check: someRatio(0, .73),
			Statement: "with diverse contexts the error of the estimator is 0.73 times that of " +
				"ridge regression after 2000 rounds"},
		{ID: "A2", Source: "Fig. 1b", Check: someRatio(1, .99),
			Statement: "with highly correlated contexts the ratio is 0.99"},
		{ID: "A3", Source: "5.1", Check: fasterThanRidge,
			Statement: "the estimator converges faster than ridge regression when contexts are " +
				"diverse"},
		{ID: "A4", Source: "5.1", Check: moreWhenDiverse,
			Statement: "using all contexts helps more when they are diverse than when they are " +
				"correlated"},
		{ID: "A5", Kind: study.Addition, Source: "(8)-(10)", Check: collapses,
			Statement: "the estimator is ridge regression on the arms pulled, with regulariser p " +
				"lambda_t"},
		{ID: "A6", Kind: study.Addition, Source: "4.1", Check: freshHelps,
			Statement: "with pseudo-actions that are drawn anew, it is better than that"},
	}
}

// onOneArm are about Theorem 4.2: after t rounds all means are known up to O(1/sqrt t), whatever
// is pulled.
func onOneArm() []study.Claim {
	var cs []study.Claim
	for i, size := range []int{0, 2} {
		cs = append(cs, study.Claim{
			ID: fmt.Sprintf("B%d", i+1), Kind: study.Guarantee, Source: "Theorem 4.2",
			Check: converges(size),
			Statement: "the estimates of all arms converge whatever is pulled, one arm only " +
				"included: " + estimatorNames[size],
		})
	}
	return cs
}

// onSensitivity are the claims about p, judged with contexts that do not change and that do.
func onSensitivity() []study.Claim {
	return []study.Claim{
		{
			ID: "C1", Source: "Fig. 2, 5.2", Statement: "p = 0.1 needs more samples than p = 0.5",
			Check: slower,
		},
		{
			ID: "C2", Source: "Fig. 2a, 5.2",
			Statement: "p = 0.9 misidentifies more often than p = 0.5", Check: errsMore,
		},
		{
			ID: "C3", Source: "Fig. 2a, 5.2", Statement: "p = 0.5 identifies the front",
			Check: rightAt(.5),
		},
		{
			ID: "C4", Source: "Fig. 2a, 5.2", Statement: "p = 0.1 identifies the front",
			Check: rightAt(.1),
		},
		{ID: "C5", Source: "Theorem 4.3", Known: true, Check: bestP,
			Statement: "p = 0.639 minimises the factor of the bound, 1/p^2 + 1/(1 - p)"},
		{ID: "C6", Kind: study.Addition, Source: "4.1", Check: robustHelps(PNames(.5), "", 0, 1),
			Statement: "with the doubly robust estimator PFIwR needs fewer pulls"},
	}
}

// onLLVM are the claims about Table 1 and Fig. 3. Both widths were calibrated by the first column.
func onLLVM() []study.Claim {
	var cs []study.Claim
	table := []struct {
		method       string
		pulls, sd    [2]float64
		name, letter string
	}{{PFIwR, [2]float64{11921, 68}, [2]float64{739, 20}, "PFIwR", "D1"},
		{PFIMulti, [2]float64{15059, 952}, [2]float64{294, 21}, "PFIMulti", "D2"}}
	for _, row := range table {
		for i, size := range []int{1, 2} {
			cs = append(cs, study.Claim{
				ID: row.letter + []string{"b", "c"}[i], Source: "Table 1",
				Check: stated(size, row.method, row.pulls[i], row.sd[i]),
				Statement: fmt.Sprintf(
					"%s needs %v +- %v pulls at epsilon = %v", row.name, row.pulls[i], row.sd[i],
					Epsilons[size],
				),
			})
		}
	}
	for size, eps := range Epsilons {
		letter := string(rune('a' + size))
		cs = append(cs,
			study.Claim{ID: "D3" + letter, Source: "Table 1",
				Check: fewer(size, Calibrated, Calibrated),
				Statement: fmt.Sprintf("PFIwR needs fewer samples than PFIMulti at epsilon = %v",
					eps)},
			study.Claim{ID: "D4" + letter, Kind: study.Addition, Source: "Table 1",
				Check: fewer(size, SelfNormalised, Theory),
				Statement: fmt.Sprintf("so it does where both have widths that a proof supports, "+
					"at epsilon = %v", eps)})
	}
	return append(cs,
		study.Claim{
			ID: "E1", Source: "Fig. 3a", Statement: "PFIwR identifies the front in every trial",
			Check: everyTrial,
		},
		study.Claim{
			ID: "E2", Source: "Fig. 3a",
			Statement: "PFIMulti returns a suboptimal arm in most trials", Check: mostlyAdds,
		},
		study.Claim{ID: "E3", Source: "Fig. 3b", Statement: "PFIwR has a lower regret than " +
			"PFIMulti",
			Check: lowerRegret(Calibrated, Calibrated)},
		study.Claim{ID: "E4", Kind: study.Addition, Source: "Fig. 3b",
			Check:     lowerRegret(SelfNormalised, Theory),
			Statement: "so it has where both have widths that a proof supports"},
		study.Claim{ID: "F1", Kind: study.Guarantee, Source: "Theorem 4.4", Check: below2Beta,
			Statement: "after the random phase no pull has a regret above 2 beta, with " +
				"probability 1 - delta (calibrated width)"},
		study.Claim{ID: "F2", Kind: study.Guarantee, Source: "Theorem 4.4", Known: true,
			Check:     sublinear,
			Statement: "the bound on the cumulative regret is sublinear in the number of samples"},
		study.Claim{ID: "F3", Kind: study.Guarantee, Source: "policy.PFIwR",
			Check: withinDelta(PFIwR, SelfNormalised),
			Statement: "with the self-normalised width the error probability of PFIwR is at most " +
				"delta"},
		study.Claim{ID: "F4", Kind: study.Guarantee, Source: "Auer et al. 2016",
			Check:     withinDelta(PFIMulti, Theory),
			Statement: "that of PFIMulti with its own width is"},
	)
}

// onReadings are about what the paper leaves open.
func onReadings() []study.Claim {
	return []study.Claim{
		{ID: "J1", Kind: study.Addition, Source: "5.3", Check: separatelyAlike,
			Statement: "it does not matter for the pulls of PFIwR whether objectives are drawn " +
				"together"},
		{ID: "J2", Kind: study.Addition, Source: "5.3", Check: flagsErr,
			Statement: "with the flags as contexts PFIwR errs more often than delta at epsilon = " +
				"0.01"},
		{ID: "J3", Kind: study.Addition, Source: "4.1", Check: robustHelps(PFIwR, Calibrated, 0, 1),
			Statement: "with the doubly robust estimator PFIwR needs fewer pulls"},
	}
}

// onRandomPhase is about why the calibrated width does well on SW-LLVM.
func onRandomPhase() []study.Claim {
	return []study.Claim{{ID: "G1", Kind: study.Addition, Source: "5.3", Check: phaseDecides,
		Statement: "with a random phase of one pull an arm the calibrated width errs more often " +
			"than with ten"}}
}

// onWidths are about error probabilities.
func onWidths() []study.Claim {
	return []study.Claim{
		{ID: "H1", Kind: study.Guarantee, Source: "policy.PFIwR",
			Check:     withinDelta(PFIwR, SelfNormalised),
			Statement: "with the self-normalised width the error probability is at most delta"},
		{ID: "H2", Kind: study.Guarantee, Source: "Theorem 4.2", Check: withinDelta(PFIwR, Theory),
			Statement: "with the width (12) it is"},
		{ID: "H3", Kind: study.Addition, Source: "5.3", Check: withinDelta(PFIwR, Calibrated),
			Statement: "with the calibrated width it is"},
	}
}

// onFrontier compares Sparing at its default price with all that have a guarantee.
func onFrontier(letter string) []study.Claim {
	return []study.Claim{
		{ID: letter + "1", Kind: study.Addition, Source: "policy.Sparing", Check: sparingPulls,
			Statement: "Sparing needs fewer pulls than all other methods with a guarantee"},
		{ID: letter + "2", Kind: study.Addition, Source: "policy.Sparing", Check: sparingRegret,
			Statement: "Sparing has a lower regret than all other methods with a guarantee"},
		{ID: letter + "3", Kind: study.Addition, Source: "policy.Sparing", Check: priceHelps,
			Statement: "a price of regret lowers it: price 10 against none"},
		{ID: letter + "4", Kind: study.Addition, Source: "policy.PFIwR", Check: cheaper,
			Statement: "PFIwR with the calibrated width, which has no guarantee, has a lower " +
				"regret than Sparing"},
		{ID: letter + "5", Kind: study.Guarantee, Source: "policy.Sparing", Check: sparingRight,
			Statement: "the error probability of Sparing is at most delta, at any price"},
	}
}
