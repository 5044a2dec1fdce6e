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

// onSensitivity are the claims about p.
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
		{ID: "C3", Source: "Fig. 2a, 5.2", Statement: "p = 0.5 identifies the front",
			Check: rightAt(.5)},
		{ID: "C4", Source: "Fig. 2a, 5.2", Statement: "p = 0.1 identifies the front",
			Check: rightAt(.1)},
		{ID: "C5", Source: "Theorem 4.3", Known: true, Check: bestP,
			Statement: "p = 0.639 minimises the factor of the bound, 1/p^2 + 1/(1 - p)"},
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
				Statement: fmt.Sprintf(
					"so it does where both have widths that a proof supports, at epsilon "+
						"= %v", eps)})
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
		study.Claim{ID: "E3", Source: "Fig. 3b",
			Statement: "PFIwR has a lower regret than PFIMulti",
			Check:     lowerRegret(Calibrated, Calibrated)},
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
			Statement: "with the self-normalised width the error probability of PFIwR is at " +
				"most delta"},
		study.Claim{ID: "F4", Kind: study.Guarantee, Source: "Auer et al. 2016",
			Check:     withinDelta(PFIMulti, Theory),
			Statement: "that of PFIMulti with its own width is"},
	)
}

// onRandomPhase is about why the calibrated width does well on SW-LLVM.
func onRandomPhase() []study.Claim {
	return []study.Claim{{ID: "G1", Kind: study.Addition, Source: "5.3", Check: phaseDecides,
		Statement: "with a random phase of one pull an arm the calibrated width errs more " +
			"often than with ten"}}
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
func onFrontier() []study.Claim {
	return []study.Claim{
		{ID: "I1", Kind: study.Addition, Source: "policy.Sparing", Check: sparingPulls,
			Statement: "Sparing needs fewer pulls than all other methods with a guarantee"},
		{ID: "I2", Kind: study.Addition, Source: "policy.Sparing", Check: sparingRegret,
			Statement: "Sparing has a lower regret than all other methods with a guarantee"},
		{ID: "I3", Kind: study.Addition, Source: "policy.Sparing", Check: priceHelps,
			Statement: "a price of regret lowers it: price 10 against none"},
		{ID: "I4", Kind: study.Addition, Source: "policy.PFIwR", Check: cheaper,
			Statement: "PFIwR with the calibrated width, which has no guarantee, has a lower " +
				"regret than Sparing"},
		{ID: "I5", Kind: study.Guarantee, Source: "policy.Sparing", Check: sparingRight,
			Statement: "the error probability of Sparing is at most delta, at any price"},
	}
}

// means is the ratio of the means of numbers of runs, paired where they saw the same rewards.
func means(what string, a, b []mc.Row, measure string) study.Estimate {
	x, y := study.Measured(a, measure), study.Measured(b, measure)
	if len(x) == 0 || len(y) == 0 {
		return study.Estimate{Lacks: what}
	}
	paired := len(x) == len(y)
	for i := range x {
		paired = paired && a[i].Rep == b[i].Rep
	}
	return study.Estimate{What: what, Resampled: true, At: func(c float64) tidy.Summary {
		return tidy.RatioOfMeans(x, y, paired, c)
	}}
}

// ratioAt is that of the mean errors of two estimators at the end.
func ratioAt(r *study.Results, size int, a, b string) study.Estimate {
	return means("ratio, "+estimatorNames[size]+":",
		r.Cell(size, a, ""), r.Cell(size, b, ""), errorAt(last(estimatorRounds)))
}

// readings are the sizes of Estimator with diverse (0) or correlated (1) contexts.
func readings(correlated int) (sizes []int) {
	for size := correlated; size < len(estimatorNames); size += 2 {
		sizes = append(sizes, size)
	}
	return sizes
}

// someRatio looks for a stated ratio of the estimator, in closed form, to ridge regression.
func someRatio(correlated int, stated float64) func(*study.Results) study.Verdict {
	word := study.About
	word.Says, word.Means = fmt.Sprint(stated), fmt.Sprintf("within a factor of 1.25 of %v", stated)
	word.Lo, word.Hi = stated*word.Lo, stated*word.Hi
	return func(r *study.Results) study.Verdict {
		var cs []study.Condition
		for _, size := range readings(correlated) {
			cs = append(cs, word.Of(ratioAt(r, size, RidgeLambda, RidgeOne)))
		}
		return study.Any(cs...)
	}
}

func fasterThanRidge(r *study.Results) study.Verdict {
	var cs []study.Condition
	for _, size := range readings(0) {
		cs = append(cs, study.Fewer.Of(ratioAt(r, size, RidgeLambda, RidgeOne)))
	}
	return study.All(cs...)
}

// moreWhenDiverse compares the ratios of both kinds of contexts, reading by reading.
func moreWhenDiverse(r *study.Results) study.Verdict {
	var cs []study.Condition
	for _, size := range readings(0) {
		what := "ratio of ratios, as of " + estimatorNames[size] + ":"
		var x [][]float64
		for _, c := range [][]mc.Row{
			r.Cell(size, RidgeLambda, ""), r.Cell(size, RidgeOne, ""),
			r.Cell(size+1, RidgeLambda, ""), r.Cell(size+1, RidgeOne, ""),
		} {
			x = append(x, study.Measured(c, errorAt(last(estimatorRounds))))
		}
		e := study.Estimate{What: what, Resampled: true, At: func(c float64) tidy.Summary {
			s := tidy.LogContrast([]float64{1, -1, -1, 1}, x, false, c)
			s.Center, s.Lo, s.Hi = math.Exp(s.Center), math.Exp(s.Lo), math.Exp(s.Hi)
			return s
		}}
		if slices.ContainsFunc(x, func(s []float64) bool { return len(s) == 0 }) {
			e = study.Estimate{Lacks: what}
		}
		cs = append(cs, study.Fewer.Of(e))
	}
	return study.All(cs...)
}

// collapses compares the estimator word for word with its closed form, run by run.
func collapses(r *study.Results) study.Verdict {
	const what = "largest relative difference of errors"
	worst, runs := 0., 0
	for _, size := range r.Experiment.Sizes {
		closed := map[int][]float64{}
		for _, row := range r.Cell(size, RidgeLambda, "") {
			closed[row.Rep] = study.Measured([]mc.Row{row}, errorAt(last(estimatorRounds)))
		}
		for _, row := range r.Cell(size, Printed, "") {
			x, y := study.Measured([]mc.Row{row}, errorAt(last(estimatorRounds))), closed[row.Rep]
			if len(x) == 1 && len(y) == 1 {
				worst, runs = max(worst, math.Abs(x[0]/y[0]-1)), runs+1
			}
		}
	}
	if runs == 0 {
		return study.Missing(Printed)
	}
	word := study.Between("is", 0, 1e-9, "the same up to a relative difference of 1e-9")
	v := study.All(word.Of(study.Exact(what, worst)))
	v.Measured += fmt.Sprintf(" in %d runs", runs)
	return v
}

func freshHelps(r *study.Results) study.Verdict {
	var cs []study.Condition
	for _, size := range r.Experiment.Sizes {
		// Of the closed form, the draws that the other has.
		cs = append(cs, study.Fewer.Of(means("ratio, "+estimatorNames[size]+":",
			r.Cell(size, Fresh, ""), r.Cell(size, Printed, ""), errorAt(last(estimatorRounds)))))
	}
	return study.All(cs...)
}

// converges compares the largest error of a mean at the end with that a hundred times earlier: a
// tenth, if it falls as 1/sqrt t.
func converges(size int) func(*study.Results) study.Verdict {
	word := study.Between("converge", 0, .5, "after 100 times the rounds the error of the worst "+
		"mean is at most half")
	return func(r *study.Results) study.Verdict {
		rows := r.Cell(size, RidgeLambda, "")
		end := last(oneArmRounds)
		x, y := study.Measured(rows, worstAt(end)), study.Measured(rows, worstAt(end/100))
		const what = "error after 40 000 rounds / 400"
		if len(x) == 0 || len(y) == 0 {
			return study.Missing(RidgeLambda)
		}
		ratio := func(c float64) tidy.Summary { return tidy.RatioOfMeans(x, y, true, c) }
		return study.All(word.Of(study.Estimate{What: what, Resampled: true, At: ratio}))
	}
}

func slower(r *study.Results) study.Verdict {
	return study.All(study.More.Of(study.Ratio(
		"pulls of p = 0.1 / p = 0.5", r.Cell(arms, PNames(.1), ""), r.Cell(arms, PNames(.5), ""),
	)))
}

func errsMore(r *study.Results) study.Verdict {
	return study.All(study.MoreOften.Of(study.WrongSum("error rate of p = 0.9 less that of p = 0.5",
		study.Weighted{Weight: 1, Rows: r.Cell(arms, PNames(.9), "")},
		study.Weighted{Weight: -1, Rows: r.Cell(arms, PNames(.5), "")})))
}

// rightAt judges whether error rates are at most delta.
func rightAt(p float64) func(*study.Results) study.Verdict {
	return func(r *study.Results) study.Verdict {
		return study.AtMost(delta, tallies(r, PNames(p), ""),
			"errors with probability at most delta: ")
	}
}

// bestP computes where the factor of the bound is smallest.
func bestP(*study.Results) study.Verdict { return factorAt(.639) }

// factorAt compares p with the minimiser, at which 2 (1 - p)^2 = p^3.
func factorAt(p float64) study.Verdict {
	lo, hi := 0., 1.
	for hi-lo > 1e-9 {
		if mid := (lo + hi) / 2; 2*(1-mid)*(1-mid) > mid*mid*mid {
			lo = mid
		} else {
			hi = mid
		}
	}
	word := study.Between(fmt.Sprint(p), p-.0005, p+.0005, "to three digits")
	return study.All(word.Of(study.Exact("minimiser", hi)))
}

// stated compares mean pulls with a number of Table 1, give or take the standard deviation that
// it has.
func stated(size int, method string, pulls, sd float64) func(*study.Results) study.Verdict {
	word := study.Between(fmt.Sprintf("%v +- %v", pulls, sd), pulls-sd, pulls+sd,
		"the mean is within the standard deviation that the table states")
	return func(r *study.Results) study.Verdict {
		rows := r.Cell(size, method, Calibrated)
		if len(rows) == 0 {
			return study.Missing(method)
		}
		mean := func(c float64) tidy.Summary { return tidy.Mean(study.Pulls(rows), c) }
		return study.All(word.Of(study.Estimate{
			What: "mean pulls of " + method, Resampled: true, At: mean,
		}))
	}
}

// fewer compares mean pulls, and errors: who answers wrongly more often than delta does not need
// fewer.
func fewer(size int, own, theirs string) func(*study.Results) study.Verdict {
	return func(r *study.Results) study.Verdict {
		a, b := r.Cell(size, PFIwR, own), r.Cell(size, PFIMulti, theirs)
		return study.All(study.Fewer.Of(study.MeanRatio(
			fmt.Sprintf("pulls of PFIwR (%s) / PFIMulti (%s)", own, theirs), a, b,
		))).
			Provided(right(a))
	}
}

// right is that the error rate is at most delta.
func right(rows []mc.Row) study.Condition {
	return study.Between(
		"right", 0, delta, fmt.Sprintf("wrong with probability at most delta = %v", delta),
	).
		Of(study.Wrong("error rate of PFIwR", rows))
}

// share is that of runs whose number of a measure is as wanted.
func share(what string, rows []mc.Row, measure string, is func(float64) bool) study.Estimate {
	k, x := 0, study.Measured(rows, measure)
	for _, v := range x {
		if is(v) {
			k++
		}
	}
	return study.Share(what, k, len(x))
}

func everyTrial(r *study.Results) study.Verdict {
	return study.All(study.Negligible.Of(share("runs of PFIwR without the exact front",
		r.Cell(1, PFIwR, Calibrated), Exact,
		func(v float64) bool { return v == 0 })))
}

func mostlyAdds(r *study.Results) study.Verdict {
	return study.All(study.Mostly.Of(share("runs of PFIMulti with a suboptimal arm",
		r.Cell(1, PFIMulti, Calibrated), Added,
		func(v float64) bool { return v > 0 })))
}

// lowerRegret compares the regret of whole runs at epsilon = 0.01.
func lowerRegret(own, theirs string) func(*study.Results) study.Verdict {
	return func(r *study.Results) study.Verdict {
		return study.All(study.Fewer.Of(means(fmt.Sprintf(
			"regret of PFIwR (%s) / PFIMulti (%s)", own, theirs,
		),
			r.Cell(1, PFIwR, own), r.Cell(1, PFIMulti, theirs), "regret")))
	}
}

func below2Beta(r *study.Results) study.Verdict {
	word := study.Between("with probability 1 - delta", 0, delta, "in at most a share delta = 0.1 "+
		"of the runs is there one")
	var cs []study.Condition
	for _, size := range r.Experiment.Sizes {
		cs = append(cs, word.Of(share(fmt.Sprintf(
			"runs with a pull above 2 beta at epsilon = %v", Epsilons[size],
		),
			r.Cell(size, PFIwR, Calibrated), AboveBeta, func(v float64) bool { return v > 0 })))
	}
	return study.All(cs...)
}

// sublinear computes how the bound grows.
func sublinear(*study.Results) study.Verdict {
	c := policy.PFIwRConstants{Arms: 16, Features: 16, Objectives: 2, Delta: delta, P: half,
		Norm: 1}
	return grows(growth(c, 1e6, 1e7))
}

func grows(exponent float64) study.Verdict {
	word := study.Between("sublinear", 0, .9, "with an exponent of at most 0.9 from 10^6 to 10^7 "+
		"pulls")
	return study.All(word.Of(study.Exact("exponent of the bound", exponent)))
}

// tallies are the wrong answers of a method at all sizes.
func tallies(r *study.Results, method, constants string) (cells []study.Tally) {
	for _, size := range r.Experiment.Sizes {
		if rows := r.Cell(size, method, constants); len(rows) > 0 {
			cells = append(cells, study.Tally{
				Name: method + " on " + r.Experiment.SizeLabel(size), Wrong: study.Mistakes(rows),
				Runs: len(rows),
			})
		}
	}
	return cells
}

func withinDelta(method, constants string) func(*study.Results) study.Verdict {
	return func(r *study.Results) study.Verdict {
		return study.AtMost(delta, tallies(r, method, constants), "")
	}
}

func phaseDecides(r *study.Results) study.Verdict {
	return study.All(study.MoreOften.Of(
		study.WrongSum("error rate with 16 random rounds less that with 160",
			study.Weighted{Weight: 1, Rows: r.Cell(16, PFIwR, Calibrated)}, study.Weighted{
				Weight: -1, Rows: r.Cell(160, PFIwR, Calibrated),
			})))
}

// rivals of Sparing that have a guarantee.
var rivals = [][2]string{{APE, Theory}, {PFIMulti, Theory}, {PAL, Theory}, {PFIwR, SelfNormalised}}

// againstRivals compares Sparing at price 10 with all rivals at all relaxations.
func againstRivals(
	r *study.Results, of func(what string, a, b []mc.Row) study.Estimate,
) study.Verdict {
	var cs []study.Condition
	for _, size := range r.Experiment.Sizes {
		for _, m := range rivals {
			cs = append(cs, study.Fewer.Of(of(fmt.Sprintf(
				"Sparing / %s at epsilon = %v", m[0], Epsilons[size],
			),
				r.Cell(size, Sparing, Priced(10)), r.Cell(size, m[0], m[1]))))
		}
	}
	return study.All(cs...)
}

func sparingPulls(r *study.Results) study.Verdict { return againstRivals(r, study.MeanRatio) }

func sparingRegret(r *study.Results) study.Verdict {
	return againstRivals(
		r,
		func(what string, a, b []mc.Row) study.Estimate {
			return means(
				"regret of "+what, a, b, "regret",
			)
		},
	)
}

// atEach compares the regret of two methods at each relaxation.
func atEach(r *study.Results, name string, a, b [2]string) study.Verdict {
	var cs []study.Condition
	for _, size := range r.Experiment.Sizes {
		cs = append(cs, study.Fewer.Of(means(fmt.Sprintf(
			"regret of %s at epsilon = %v", name, Epsilons[size],
		),
			r.Cell(size, a[0], a[1]), r.Cell(size, b[0], b[1]), "regret")))
	}
	return study.All(cs...)
}

func priceHelps(r *study.Results) study.Verdict {
	return atEach(
		r, "price 10 / price 0", [2]string{Sparing, Priced(10)}, [2]string{Sparing, Priced(0)},
	)
}

func cheaper(r *study.Results) study.Verdict {
	return atEach(r, "PFIwR / Sparing", [2]string{PFIwR, Calibrated},
		[2]string{Sparing, Priced(10)})
}

func sparingRight(r *study.Results) study.Verdict {
	var cells []study.Tally
	for _, p := range prices {
		cells = append(cells, tallies(r, Sparing, Priced(p))...)
	}
	return study.AtMost(delta, cells, "")
}
