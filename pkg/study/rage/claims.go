package rage

import (
	"fmt"
	"math"
	"strings"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/mc"
	"github.com/purexp/purexp/pkg/study"
	"github.com/purexp/purexp/pkg/tidy"
)

// confidence of all intervals.
const confidence = 0.95

// Claims lists what section 5 of the paper asserts.
func Claims() []study.Claim { return claims("") }

// claims returns the claims about an experiment; all for the empty name.
func claims(experiment string) []study.Claim {
	var cs []study.Claim
	add := func(e, id, source, statement string, check func(Experiment, []mc.Row) study.Verdict) {
		if experiment != "" && experiment != e {
			return
		}
		exp, err := Named(e)
		if err != nil {
			panic(err)
		}
		cs = append(cs, study.Claim{ID: id, Source: source, Statement: statement, Check: func(r *study.Results) study.Verdict {
			own := exp.pooled(r.Rows)
			if len(own) == 0 {
				return study.Missing(exp.Title)
			}
			return check(exp, own)
		}})
	}
	add(BenchmarkName, "A1", "Fig. 1a", "RAGE performs competitively with the oracle", near(Oracle, 4))
	add(BenchmarkName, "A2", "Fig. 1a", "XY-adaptive performs nearly equivalently to RAGE", near(XYAdaptive, 2))
	add(BenchmarkName, "A3", "Fig. 1a", "LinGapE performs well when the dimension is small, and suffers as it grows", worsens(LinGapE))
	add(BenchmarkName, "A4", "Fig. 1a", "ALBA performs the worst of the recently proposed algorithms", worst(ALBA, RAGE, LinGapE, XYAdaptive))
	add(BenchmarkName, "A5", "Fig. 1a", "adaptive sampling gains over the static allocation", fewer(XYStatic))
	add(BenchmarkName, "A6", "3.1", "the static allocation pays a factor of the dimension that RAGE does not", slopes(XYStatic))
	for _, e := range []struct{ name, id, what string }{{ManyArmsName, "B", ""}, {ModerateName, "C", ", with standard deviation .09"}} {
		add(e.name, e.id+"1", "Fig. 1b", "LinGapE scales linearly in the number of arms"+e.what, linearIn(LinGapE))
		add(e.name, e.id+"2", "Fig. 1b", "RAGE barely grows with the number of arms"+e.what, flat)
		add(e.name, e.id+"3", "Fig. 1b", "RAGE needs fewer samples than the static allocation"+e.what, fewer(XYStatic))
	}
	add(SphereName, "D1", "Fig. 1c", "RAGE significantly outperforms ALBA", fewer(ALBA))
	add(TransductiveName, "E1", "Fig. 1d", "RAGE significantly outperforms the static allocation", fewer(XYStatic))
	add(TransductiveName, "E2", "Fig. 1d", "RAGE nearly matches the oracle", near(Oracle, 2))
	add(MultivariateName, "F1", "Fig. 2a", "RAGE performs close to the oracle", near(Oracle, 4))
	add(MultivariateName, "F2", "Fig. 2a", "the sample complexity of the others grows faster with the number of arms", slopes(LinGapE, ALBA, XYStatic))
	add(ClickThroughName, "G1", "Fig. 2b", "RAGE has good performance: no method but the oracle needs fewer samples", least)
	for _, e := range Experiments() {
		add(e.Name, "H "+e.Name, "5", "the empirical failure probability is zero: "+e.Title, failures)
		add(e.Name, "I "+e.Name, "Theorem 2", "RAGE keeps within its schedule with probability 1 - delta: "+e.Title, schedule)
	}
	return cs
}

// cell returns the rows of a method at a size, with the constants that it is
// judged with, in order of replicates.
func cell(e Experiment, rows []mc.Row, method string, size int) []mc.Row {
	var c []mc.Row
	for _, r := range rows {
		if r.Instance == e.label(size) && r.Method == method && r.Constants == judged(method) {
			c = append(c, r)
		}
	}
	return c
}

// ratios returns, by size, the ratio of RAGE's median to that of another method,
// paired by replicate; sizes at which one was not run are left out.
func ratios(e Experiment, rows []mc.Row, other string) (sizes []int, rs []tidy.Summary) {
	for _, size := range e.Sizes {
		a, b := cell(e, rows, RAGE, size), cell(e, rows, other, size)
		if len(a) == 0 || len(b) == 0 {
			continue
		}
		sizes, rs = append(sizes, size), append(rs, tidy.PullsRatio(a, b, confidence))
	}
	return sizes, rs
}

// list writes ratios by size.
func list(e Experiment, sizes []int, rs []tidy.Summary) string {
	var parts []string
	for i, r := range rs {
		parts = append(parts, fmt.Sprintf("%.3g [%.3g, %.3g] at %s = %s", r.Center, r.Lo, r.Hi, e.letter(), tidy.Int(sizes[i])))
	}
	return strings.Join(parts, "; ")
}

// near checks that RAGE's median is within a factor of another method's, at
// every size.
func near(other string, factor float64) func(Experiment, []mc.Row) study.Verdict {
	return func(e Experiment, rows []mc.Row) study.Verdict {
		sizes, rs := ratios(e, rows, other)
		if len(rs) == 0 {
			return study.Missing(other)
		}
		v := study.Verdict{Outcome: study.Agrees, Measured: "RAGE / " + other + ": " + list(e, sizes, rs),
			Why: fmt.Sprintf("taken to mean within a factor of %v, interval included", factor)}
		for _, r := range rs {
			if !(r.Hi <= factor && r.Lo >= 1/factor) {
				v.Outcome = study.Differs
			}
		}
		return v
	}
}

// fewer checks that RAGE needs fewer samples than others at every size.
func fewer(other string) func(Experiment, []mc.Row) study.Verdict {
	return func(e Experiment, rows []mc.Row) study.Verdict {
		sizes, rs := ratios(e, rows, other)
		if len(rs) == 0 {
			return study.Missing(other)
		}
		below := 0
		for _, r := range rs {
			if r.Hi < 1 {
				below++
			}
		}
		v := study.Verdict{Outcome: study.Differs, Measured: "RAGE / " + other + ": " + list(e, sizes, rs),
			Why: fmt.Sprintf("below 1, interval included, at %d of %d sizes", below, len(rs))}
		if below == len(rs) {
			v.Outcome = study.Agrees
		}
		return v
	}
}

// worst checks that a method needs more than others at every size.
func worst(method string, others ...string) func(Experiment, []mc.Row) study.Verdict {
	return func(e Experiment, rows []mc.Row) study.Verdict {
		v := study.Verdict{Outcome: study.Agrees, Why: "the ratio is above 1 at every size, interval included"}
		var parts []string
		for _, o := range others {
			lo, hi := math.Inf(1), 0.
			for _, size := range e.Sizes {
				a, b := cell(e, rows, method, size), cell(e, rows, o, size)
				if len(a) == 0 || len(b) == 0 {
					continue
				}
				r := tidy.PullsRatio(a, b, confidence)
				lo, hi = min(lo, r.Center), max(hi, r.Center)
				if r.Lo <= 1 {
					v.Outcome, v.Why = study.Differs, fmt.Sprintf("not above %s at %s = %d", o, e.letter(), size)
				}
			}
			if hi == 0 {
				return study.Missing(o)
			}
			parts = append(parts, fmt.Sprintf("%.3g to %.3g times %s", lo, hi, o))
		}
		v.Measured = strings.Join(parts, "; ")
		return v
	}
}

// worsens checks that a method does no worse than RAGE at the smallest size, and
// worse in comparison at the largest than at the smallest.
func worsens(other string) func(Experiment, []mc.Row) study.Verdict {
	return func(e Experiment, rows []mc.Row) study.Verdict {
		sizes, rs := ratios(e, rows, other)
		if len(rs) < 2 {
			return study.Missing(other)
		}
		first, last := rs[0], rs[len(rs)-1]
		v := study.Verdict{Outcome: study.Differs, Measured: "RAGE / " + other + ": " + list(e, sizes, rs)}
		switch {
		case first.Hi < 1:
			v.Why = "it is worse than RAGE at the smallest size already"
		case !(last.Hi < first.Lo):
			v.Why = "in comparison with RAGE it does not get worse"
		default:
			v.Outcome, v.Why = study.Agrees, "no worse than RAGE at the smallest size, and worse in comparison at the largest"
		}
		return v
	}
}

// growth returns the exponent with which the median of a method grows from the
// smallest to the largest size, with an interval from those of the medians.
func growth(e Experiment, rows []mc.Row, method string) (tidy.Summary, bool) {
	var ends [2]tidy.Summary
	var sizes [2]int
	n := 0
	for _, size := range e.Sizes {
		if c := cell(e, rows, method, size); len(c) > 0 {
			at := min(n, 1)
			ends[at], sizes[at] = tidy.Median(pulls(c), confidence), size
			n++
		}
	}
	if n < 2 {
		return tidy.Summary{}, false
	}
	span := math.Log(float64(sizes[1]) / float64(sizes[0]))
	return tidy.Summary{
		Center: math.Log(ends[1].Center/ends[0].Center) / span,
		Lo:     math.Log(ends[1].Lo/ends[0].Hi) / span,
		Hi:     math.Log(ends[1].Hi/ends[0].Lo) / span,
	}, true
}

func pulls(rows []mc.Row) []float64 {
	x := make([]float64, len(rows))
	for i, r := range rows {
		x[i] = float64(r.Pulls)
	}
	return x
}

func exponent(g tidy.Summary) string { return fmt.Sprintf("%.2f [%.2f, %.2f]", g.Center, g.Lo, g.Hi) }

// slopes checks that others grow faster than RAGE.
func slopes(others ...string) func(Experiment, []mc.Row) study.Verdict {
	return func(e Experiment, rows []mc.Row) study.Verdict {
		own, ok := growth(e, rows, RAGE)
		if !ok {
			return study.Missing(RAGE)
		}
		v := study.Verdict{Outcome: study.Agrees, Measured: "exponent of growth from the smallest to the largest size: RAGE " + exponent(own),
			Why: "every exponent is above RAGE's, intervals included"}
		for _, o := range others {
			g, ok := growth(e, rows, o)
			if !ok {
				return study.Missing(o)
			}
			v.Measured += ", " + o + " " + exponent(g)
			if !(g.Lo > own.Hi) {
				v.Outcome, v.Why = study.Differs, o+" does not grow faster beyond doubt"
			}
		}
		return v
	}
}

// linearIn checks that a method grows like the size from the last but one size to
// the largest, where constants matter least.
func linearIn(method string) func(Experiment, []mc.Row) study.Verdict {
	return func(e Experiment, rows []mc.Row) study.Verdict {
		last := e
		last.Sizes = e.Sizes[len(e.Sizes)-2:]
		g, ok := growth(last, rows, method)
		if !ok {
			return study.Verdict{Outcome: study.NotComparable, Measured: "-",
				Why: fmt.Sprintf("%s is not run at %s = %s, where it would need too many pulls", method, e.letter(), tidy.Int(last.Sizes[1]))}
		}
		v := study.Verdict{Outcome: study.Differs, Measured: fmt.Sprintf("%s grows with exponent %s from %s = %s to %s", method, exponent(g), e.letter(), tidy.Int(last.Sizes[0]), tidy.Int(last.Sizes[1])),
			Why: "taken to mean an exponent within 0.1 of 1, interval included"}
		if g.Lo >= .9 && g.Hi <= 1.1 {
			v.Outcome = study.Agrees
		}
		return v
	}
}

// flat checks that RAGE grows with an exponent below 1/4.
func flat(e Experiment, rows []mc.Row) study.Verdict {
	g, ok := growth(e, rows, RAGE)
	if !ok {
		return study.Missing(RAGE)
	}
	v := study.Verdict{Outcome: study.Differs, Measured: "RAGE grows with exponent " + exponent(g), Why: "taken to mean an exponent below 0.25, interval included"}
	if g.Hi < .25 {
		v.Outcome = study.Agrees
	}
	return v
}

// least checks that no method but the oracle needs fewer samples than RAGE.
func least(e Experiment, rows []mc.Row) study.Verdict {
	v := study.Verdict{Outcome: study.Agrees, Why: "no ratio is above 1, interval included"}
	var parts []string
	for _, o := range e.Methods {
		if o == RAGE || o == Oracle {
			continue
		}
		_, rs := ratios(e, rows, o)
		for _, r := range rs {
			parts = append(parts, fmt.Sprintf("RAGE / %s %.3g [%.3g, %.3g]", o, r.Center, r.Lo, r.Hi))
			if r.Lo > 1 {
				v.Outcome, v.Why = study.Differs, o+" needs fewer"
			}
		}
	}
	if parts == nil {
		return study.Missing("the other methods")
	}
	v.Measured = strings.Join(parts, "; ")
	return v
}

// failures checks that no run of an experiment is wrong.
func failures(e Experiment, rows []mc.Row) study.Verdict {
	wrong, early, n, most := 0, 0, 0, 0
	for _, r := range rows {
		if r.Constants == Bound {
			continue
		}
		switch n++; {
		case r.Status == explore.PullLimit.String():
			early, most = early+1, max(most, r.Pulls)
		case r.Status != explore.Stopped.String():
			wrong++
		case !r.Correct:
			wrong++
		}
	}
	rate := tidy.Rate(wrong, n, confidence)
	v := study.Verdict{Outcome: study.Agrees, Measured: fmt.Sprintf("%d of %d answers wrong: at most %.2g %%", wrong, n, 100*rate.Hi), Why: "all methods and sizes, both choices of constants"}
	if early > 0 {
		v.Measured += fmt.Sprintf("; %d runs were given up after %s pulls", early, tidy.Int(most))
	}
	if wrong > 0 {
		v.Outcome, v.Why = study.Differs, "not zero; delta allows "+fmt.Sprintf("%.0f", Delta*float64(n))
	}
	return v
}
