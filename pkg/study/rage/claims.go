package rage

import (
	"fmt"
	"math"
	"strings"

	"github.com/purexp/purexp/pkg/design"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/mc"
	"github.com/purexp/purexp/pkg/study"
	"github.com/purexp/purexp/pkg/tidy"
)

// A ratio is that of medians of pulls at a size, paired by replicate.
type ratio struct {
	size int
	tidy.Summary
}

// ratios returns the ratios of a method to another by size; sizes at which one was not run are left
// out.
func ratios(r *study.Results, method, other string) []ratio {
	var rs []ratio
	for _, size := range r.Experiment.Sizes {
		a, b := r.Shown(size, method), r.Shown(size, other)
		if len(a) > 0 && len(b) > 0 {
			rs = append(rs, ratio{size, tidy.PullsRatio(a, b, study.Confidence)})
		}
	}
	return rs
}

// measured writes the ratios of RAGE to another method by size.
func measured(e study.Experiment, other string, rs []ratio) string {
	parts := make([]string, len(rs))
	for i, r := range rs {
		parts[i] = fmt.Sprintf("%.3g [%.3g, %.3g] at %s = %s",
			r.Center, r.Lo, r.Hi, e.Symbol(), tidy.Int(r.size))
	}
	return "RAGE / " + other + ": " + strings.Join(parts, "; ")
}

// compared judges the ratios of RAGE to another method, if there are at least so many.
func compared(
	other string, atLeast int, judge func([]ratio) (agrees bool, why string),
) func(*study.Results) study.Verdict {
	return func(r *study.Results) study.Verdict {
		rs := ratios(r, RAGE, other)
		if len(rs) < atLeast {
			return study.Missing(other)
		}
		agrees, why := judge(rs)
		return study.Decide(agrees, measured(r.Experiment, other, rs), why)
	}
}

// near checks that RAGE's median is within a factor of another method's, at every size.
func near(other string, factor float64) func(*study.Results) study.Verdict {
	return compared(other, 1, func(rs []ratio) (bool, string) {
		all := true
		for _, r := range rs {
			all = all && r.Hi <= factor && r.Lo >= 1/factor
		}
		return all, fmt.Sprintf("taken to mean within a factor of %v, interval included", factor)
	})
}

// fewer checks that RAGE needs fewer samples than others at every size.
func fewer(other string) func(*study.Results) study.Verdict {
	return compared(other, 1, func(rs []ratio) (bool, string) {
		below := 0
		for _, r := range rs {
			if r.Hi < 1 {
				below++
			}
		}
		return below == len(rs),
			fmt.Sprintf("below 1, interval included, at %d of %d sizes", below, len(rs))
	})
}

// worsens checks that a method does no worse than RAGE at the smallest size, and worse in
// comparison at the largest than at the smallest.
func worsens(other string) func(*study.Results) study.Verdict {
	return compared(other, 2, func(rs []ratio) (bool, string) {
		first, last := rs[0], rs[len(rs)-1]
		switch {
		case first.Hi < 1:
			return false, "it is worse than RAGE at the smallest size already"
		case !(last.Hi < first.Lo):
			return false, "in comparison with RAGE it does not get worse"
		}
		return true, "no worse than RAGE at the smallest size, and worse in comparison at the largest"
	})
}

// worst checks that a method needs more than others at every size.
func worst(method string, others ...string) func(*study.Results) study.Verdict {
	return func(r *study.Results) study.Verdict {
		agrees, why := true, "the ratio is above 1 at every size, interval included"
		var parts []string
		for _, o := range others {
			rs := ratios(r, method, o)
			if rs == nil {
				return study.Missing(o)
			}
			lo, hi := math.Inf(1), 0.
			for _, q := range rs {
				lo, hi = min(lo, q.Center), max(hi, q.Center)
				if q.Lo <= 1 {
					agrees = false
					why = fmt.Sprintf("not above %s at %s = %d", o, r.Experiment.Symbol(), q.size)
				}
			}
			parts = append(parts, fmt.Sprintf("%.3g to %.3g times %s", lo, hi, o))
		}
		return study.Decide(agrees, strings.Join(parts, "; "), why)
	}
}

// least checks that no method but the oracle needs fewer samples than RAGE.
func least(r *study.Results) study.Verdict {
	agrees, why := true, "no ratio is above 1, interval included"
	var parts []string
	for _, o := range r.Experiment.MethodNames() {
		if o == RAGE || o == Oracle {
			continue
		}
		for _, q := range ratios(r, RAGE, o) {
			parts = append(parts, fmt.Sprintf("RAGE / %s %.3g [%.3g, %.3g]", o, q.Center, q.Lo, q.Hi))
			if q.Lo > 1 {
				agrees, why = false, o+" needs fewer"
			}
		}
	}
	if parts == nil {
		return study.Missing("the other methods")
	}
	return study.Decide(agrees, strings.Join(parts, "; "), why)
}

// growth returns the exponent with which the median of a method grows from the smallest to the
// largest size, with an interval from those of the medians.
func growth(r *study.Results, method string) (g tidy.Summary, ok bool) {
	cell := func(size int) []mc.Row { return r.Shown(size, method) }
	ends, ok := r.Ends(cell, study.MedianPulls)
	a, b := ends.AtSmall, ends.AtLarge
	span := math.Log(float64(ends.Large) / float64(ends.Small))
	return tidy.Summary{
		Center: math.Log(b.Center/a.Center) / span,
		Lo:     math.Log(b.Lo/a.Hi) / span,
		Hi:     math.Log(b.Hi/a.Lo) / span,
	}, ok
}

func exponent(g tidy.Summary) string {
	return fmt.Sprintf("%.2f [%.2f, %.2f]", g.Center, g.Lo, g.Hi)
}

// slopes checks that others grow faster than RAGE.
func slopes(others ...string) func(*study.Results) study.Verdict {
	return func(r *study.Results) study.Verdict {
		own, ok := growth(r, RAGE)
		if !ok {
			return study.Missing(RAGE)
		}
		agrees, why := true, "every exponent is above RAGE's, intervals included"
		found := "exponent of growth from the smallest to the largest size: RAGE " + exponent(own)
		for _, o := range others {
			g, ok := growth(r, o)
			if !ok {
				return study.Missing(o)
			}
			found += ", " + o + " " + exponent(g)
			if !(g.Lo > own.Hi) {
				agrees, why = false, o+" does not grow faster beyond doubt"
			}
		}
		return study.Decide(agrees, found, why)
	}
}

// linearIn checks that a method grows like the size from the last but one size to the largest,
// where constants matter least.
func linearIn(method string) func(*study.Results) study.Verdict {
	return func(r *study.Results) study.Verdict {
		last := *r
		e := &last.Experiment
		e.Sizes = e.Sizes[len(e.Sizes)-2:]
		from, to := tidy.Int(e.Sizes[0]), tidy.Int(e.Sizes[1])
		g, ok := growth(&last, method)
		if !ok {
			return study.Verdict{Measured: "-", Why: fmt.Sprintf(
				"%s is not run at %s = %s, where it would need too many pulls", method, e.Symbol(), to)}
		}
		return study.Decide(g.Lo >= .9 && g.Hi <= 1.1,
			fmt.Sprintf("%s grows with exponent %s from %s = %s to %s",
				method, exponent(g), e.Symbol(), from, to),
			"taken to mean an exponent within 0.1 of 1, interval included")
	}
}

// flat checks that RAGE grows with an exponent below 1/4.
func flat(r *study.Results) study.Verdict {
	g, ok := growth(r, RAGE)
	if !ok {
		return study.Missing(RAGE)
	}
	return study.Decide(g.Hi < .25, "RAGE grows with exponent "+exponent(g),
		"taken to mean an exponent below 0.25, interval included")
}

// failures checks that no run of an experiment is wrong. Those that were given up are counted
// apart.
func failures(r *study.Results) study.Verdict {
	runs := r.Runs()
	var ended []mc.Row
	most := 0
	for _, row := range runs {
		if row.Status == explore.PullLimit.String() {
			most = max(most, row.Pulls)
		} else {
			ended = append(ended, row)
		}
	}
	wrong, n := study.Mistakes(ended), len(runs)
	rate := tidy.Rate(wrong, n, study.Confidence)
	found := fmt.Sprintf("%d of %d answers wrong: at most %.2g %%", wrong, n, 100*rate.Hi)
	if early := n - len(ended); early > 0 {
		found += fmt.Sprintf("; %d runs were given up after %s pulls", early, tidy.Int(most))
	}
	if wrong > 0 {
		allowed := r.Experiment.Delta * float64(n)
		return study.Decide(false, found, fmt.Sprintf("not zero; delta allows %.0f", allowed))
	}
	return study.Decide(true, found, "all methods and sizes, both choices of constants")
}

// schedule judges Theorem 2: RAGE's pulls against the schedule of the same instance.
func schedule(r *study.Results) study.Verdict {
	over, n, largest := 0, 0, 0.
	for _, size := range r.Experiment.Sizes {
		most := map[int]int{} // by draw
		for _, row := range r.Bound(size, ScheduleName) {
			most[row.Draw] = row.Pulls
		}
		for _, row := range r.Shown(size, RAGE) {
			if most[row.Draw] == 0 {
				continue
			}
			n++
			share := float64(row.Pulls) / float64(most[row.Draw])
			largest = max(largest, share)
			if share > 1+2*design.DefaultTol {
				over++
			}
		}
	}
	if n == 0 {
		return study.Missing(RAGE)
	}
	return study.Decide(tidy.Rate(over, n, study.Confidence).Lo <= r.Experiment.Delta,
		fmt.Sprintf("%d of %d runs exceed it; the largest takes %.0f %% of it", over, n, 100*largest),
		"designs within 1 % are allowed for")
}
