package study

import (
	"math"

	"github.com/purexp/purexp/pkg/bandit"
	"github.com/purexp/purexp/pkg/mc"
)

// Check judges a claim; see Claim.Check.
type Check = func(*Results) Verdict

// Unknown returns the verdict for a claim whose input is missing; why names what is missing.
func Unknown(why error) Verdict { return Verdict{Measured: "-", Why: why.Error()} }

// Judge judges the claim that an estimate is in the range of w.
func (w Phrase) Judge(e Estimate) Verdict { return All(w.Of(e)) }

// For returns a check that an estimate, computed from the results, is in the range of w.
func (w Phrase) For(of func(*Results) Estimate) Check {
	return func(r *Results) Verdict { return w.Judge(of(r)) }
}

// Exactly judges whether a count equals the number want that the paper states. The argument says
// contains the words of the claim, and the argument what names the counted things.
func Exactly(says string, want int, what string, count int) Verdict {
	v := float64(want)
	return Between(says, v, v, "exactly").Judge(Exact(what, float64(count)))
}

// OnInstance returns a check that judges a claim by a single instance, that at the experiment's
// first size.
func OnInstance(judge func(*bandit.Instance) Verdict) Check {
	return onInstance(func(e Experiment) (*bandit.Instance, error) { return e.At(e.Sizes[0], 0) }, judge)
}

// OnNamed is like OnInstance, but uses the instance with the given name in Names.
func OnNamed(name string, judge func(*bandit.Instance) Verdict) Check {
	return onInstance(func(e Experiment) (*bandit.Instance, error) { return e.Named(name) }, judge)
}

func onInstance(
	load func(Experiment) (*bandit.Instance, error), judge func(*bandit.Instance) Verdict,
) Check {
	return func(r *Results) Verdict {
		inst, err := load(r.Experiment)
		if err != nil {
			return Unknown(err)
		}
		return judge(inst)
	}
}

// BySize returns the rows of a method, grouped by size.
func (r *Results) BySize(method, constants string) []At {
	return r.bySize(func(size int) []mc.Row { return r.Cell(size, method, constants) })
}

// ShownBySize returns the rows of a method, grouped by size, with the first constants that figures
// show.
func (r *Results) ShownBySize(method string) []At {
	return r.bySize(func(size int) []mc.Row { return r.Shown(size, method) })
}

func (r *Results) bySize(cell func(size int) []mc.Row) (all []At) {
	for _, size := range r.Experiment.Sizes {
		if rows := cell(size); len(rows) > 0 {
			all = append(all, At{Size: size, Rows: rows})
		}
	}
	return all
}

// TallyOf counts the wrong answers in rows, for a cell with the given name.
func TallyOf(name string, rows []mc.Row) Tally {
	return Tally{Name: name, Wrong: Mistakes(rows), Runs: len(rows), GivenUp: GivenUp(rows)}
}

// Phrase is an expression in papers, with its meaning in numbers: a measured number must be between
// Lo and Hi. The meanings of phrases were chosen before any run and are the same in all studies.
//
// Costs within a factor of 1.25 count as nearly the same; beyond this factor, they differ
// significantly. Costs within a factor of 2 count as comparable; beyond this factor, one cost is
// largely above the other. Phrases about growth with the size of a problem use the exponents 0.25
// and 1. Differences of error rates are in percentage points.
type Phrase struct {
	Says   string  // the words of the phrase
	Lo, Hi float64 // the range of numbers that the phrase means
	// If Strict is true, the range excludes Lo and Hi.
	Strict bool
	Means  string // the range of numbers in words
}

var inf = math.Inf(1)

// The following variables are phrases for the ratio of two costs, or of other positive numbers.
var (
	Fewer = Phrase{"fewer", 0, 1, true, "the ratio is below 1, by any amount"}
	More  = Phrase{"more", 1, inf, true, "the ratio is above 1, by any amount"}

	SignificantlyFewer = Phrase{Says: "significantly fewer", Hi: .8, Means: "at most 0.8 times as many (1/1.25)"}
	SignificantlyMore  = Phrase{Says: "significantly more", Lo: 1.25, Hi: inf, Means: "at least 1.25 times as many"}

	LargelyFewer = Phrase{Says: "largely fewer", Hi: .5, Means: "at most half as many"}
	LargelyMore  = Phrase{Says: "largely, excessively more", Lo: 2, Hi: inf, Means: "at least twice as many"}

	SlightlyFewer = Phrase{Says: "slightly fewer", Lo: .8, Hi: 1, Strict: true,
		Means: "fewer, and more than 0.8 times as many"}

	Nearly      = Phrase{Says: "nearly matches", Hi: 1.25, Means: "at most 1.25 times as many"}
	About       = Phrase{Says: "about, nearly equal", Lo: .8, Hi: 1.25, Means: "within a factor of 1.25"}
	Competitive = Phrase{Says: "competitive, close to the best", Hi: 2, Means: "at most twice as many"}
	Comparable  = Phrase{Says: "comparable, close", Lo: .5, Hi: 2, Means: "within a factor of 2"}
)

// The following variables are phrases about growth: exponents e of pulls proportional to size^e,
// and differences of such exponents.
var (
	BarelyGrows = Phrase{Says: "barely grows", Lo: -inf, Hi: .25,
		Means: "with an exponent of at most 0.25: ten times the size takes at most 1.8 times the pulls"}
	Grows = Phrase{Says: "grows significantly", Lo: .25, Hi: inf, Strict: true,
		Means: "with an exponent above 0.25: ten times the size takes more than 1.8 times the pulls"}
	GrowsAtAll = Phrase{Says: "grows", Hi: inf, Strict: true, Means: "with an exponent above 0, by any amount"}
	Linearly   = Phrase{Says: "grows linearly", Lo: .9, Hi: 1.1, Means: "with an exponent within 0.1 of 1"}
	Faster     = Phrase{Says: "grows faster", Hi: inf, Strict: true, Means: "the exponent is larger, by any amount"}
	MuchFaster = Phrase{Says: "grows much faster", Lo: .25, Hi: inf, Means: "the exponent is larger by at least 0.25"}
)

// The following variables are phrases about error rates and their differences.
var (
	Negligible      = Phrase{Says: "negligible, zero", Hi: .01, Means: "a rate of at most 1 %"}
	Reasonable      = Phrase{Says: "reasonable", Hi: .5, Means: "a rate of at most 50 %"}
	Mostly          = Phrase{Says: "mostly", Lo: .5, Hi: inf, Strict: true, Means: "in more than half of the cases"}
	BarelyRises     = Phrase{Says: "barely rises", Lo: -1, Hi: .1, Means: "by at most 10 percentage points"}
	RisesMuchFaster = Phrase{Says: "rises much faster", Lo: .1, Hi: 1, Means: "by at least 10 percentage points more"}
	MoreOften       = Phrase{Says: "more often", Hi: inf, Strict: true,
		Means: "the difference of rates is above 0, by any amount"}
)

// Meaning returns the phrase with its meaning, as in: "nearly matches": at most 1.25 times as many.
func (w Phrase) Meaning() string { return "\"" + w.Says + "\": " + w.Means }

// Between returns a phrase with a given range, such as a range around a number that a paper states.
func Between(says string, lo, hi float64, means string) Phrase {
	return Phrase{Says: says, Lo: lo, Hi: hi, Means: means}
}

// place compares an interval with the range of w: the interval is inside the range, outside the
// range, or across one of its ends.
func (w Phrase) place(lo, hi float64) Outcome {
	below := func(a, b float64) bool {
		return a < b || a == b && (!w.Strict || math.IsInf(a, 0))
	}
	switch {
	case below(w.Lo, lo) && below(hi, w.Hi):
		return Agrees
	case !below(w.Lo, hi) || !below(lo, w.Hi):
		return Differs
	}
	return NotComparable
}

// edge returns the end of the range that lies in the interval; if both ends do, edge returns the
// end nearer to the interval's centre.
func (w Phrase) edge(lo, center, hi float64) float64 {
	in := func(x float64) bool { return lo <= x && x <= hi }
	if in(w.Lo) && (!in(w.Hi) || math.Abs(center-w.Lo) <= math.Abs(center-w.Hi)) {
		return w.Lo
	}
	return w.Hi
}
