package study

import (
	"fmt"
	"math"

	"github.com/purexp/purexp/pkg/tidy"
)

// Tally counts the wrong answers of a cell, that is, of a method on an instance. An unfinished run
// counts as a wrong answer.
type Tally struct {
	Name        string // name of the cell
	Wrong, Runs int
	// GivenUp is the number of wrong runs that were stopped at a limit of the study. The answers of
	// runs that were stopped at a limit might have been right, so such runs are no evidence of an
	// error rate above delta.
	GivenUp int
}

// AtMost judges the claim that error rates are at most delta. The claim differs if the
// Clopper-Pearson interval of a cell lies above delta; the intervals of all cells hold
// simultaneously with probability 95 %. The claim agrees if the interval of each cell lies at or
// below delta. If a cell has too few runs, the claim agrees if the pooled interval of all cells
// lies at or below delta and no cell has more wrong answers than delta times its number of runs, or
// than 1 if this number is larger. Wrong runs that were given up are no evidence against the claim.
// In all other cases, the evidence is insufficient and the claim has no verdict. The argument
// meaning explains the paper's words, and is placed before the reason for the verdict. If the cells
// count something other than wrong answers, the optional argument, counted, names it.
func AtMost(delta float64, cells []Tally, meaning string, counted ...string) Verdict {
	if len(cells) == 0 {
		return Missing("the methods")
	}
	confidence := 1 - (1-Confidence)/float64(len(cells))
	all, high, doubt, givenUp := Tally{}, 0., false, 0
	var worst tidy.Summary
	var where string
	for _, t := range cells {
		all.Wrong, all.Runs = all.Wrong+t.Wrong, all.Runs+t.Runs
		r := tidy.Rate(t.Wrong, t.Runs, confidence)
		high = max(high, r.Hi)
		if t.GivenUp > 0 {
			givenUp += t.GivenUp
			r.Lo = tidy.Rate(t.Wrong-t.GivenUp, t.Runs, confidence).Lo
		}
		// In a cell of few runs, a single wrong answer is no evidence.
		doubt = doubt || float64(t.Wrong-t.GivenUp) > max(delta*float64(t.Runs), 1)
		if where == "" || r.Lo > worst.Lo || r.Lo == worst.Lo && r.Center > worst.Center {
			worst, where = r, t.Name
		}
	}
	pool := tidy.Rate(all.Wrong, all.Runs, Confidence)
	what, rate := "answers wrong", "the error rate"
	if len(counted) > 0 {
		what, rate = counted[0], "the share"
	}
	v := Verdict{Measured: fmt.Sprintf("%d of %d "+what+", %.2f %% [%.2f %%, %.2f %%]",
		all.Wrong, all.Runs, 100*pool.Center, 100*pool.Lo, 100*pool.Hi)}
	if all.Wrong > 0 && len(cells) > 1 {
		v.Measured += fmt.Sprintf("; worst cell %.1f %% [%.1f %%, %.1f %%], %s",
			100*worst.Center, 100*worst.Lo, 100*worst.Hi, where)
	}
	limit := fmt.Sprintf("%.3g %%", 100*delta)
	switch {
	case worst.Lo > delta:
		v.Outcome = Differs
		v.Why = meaning + "the confidence interval of " + rate + " of " + where + " lies above " + limit
	case high <= delta:
		v.Outcome = Agrees
		v.Why = meaning + "in every cell, the confidence interval of " + rate + " lies at or below " + limit
	case pool.Hi <= delta && !doubt:
		v.Outcome = Agrees
		v.Why = meaning + "over all cells, the confidence interval of " + rate + " lies at or below " + limit +
			", and no single cell contradicts this limit"
	case givenUp > 0:
		v.Why = meaning + fmt.Sprintf("%d runs were stopped early, and their answers might have been right", givenUp)
	case pool.Center >= delta || doubt:
		v.Why = meaning + "too few replicates: the pooled rate or the rate of a cell reaches " + limit +
			", possibly by chance"
	default:
		v.Why = meaning + fmt.Sprintf(
			"too few replicates: at this rate, %s runs in total would suffice",
			tidy.Int(rounded(enough(pool.Center, delta))))
	}
	return v
}

// enough returns the approximate number of runs needed to show that an error rate p is at most
// delta.
func enough(p, delta float64) float64 {
	if p == 0 {
		return math.Log((1-Confidence)/2) / math.Log1p(-delta)
	}
	return 3.84 * delta * (1 - delta) / ((delta - p) * (delta - p))
}

// FewWrong judges the claim that error rates are at most the upper end of the phrase w, by the rule
// of AtMost.
func FewWrong(w Phrase, cells []Tally) Verdict {
	v := AtMost(w.Hi, cells, w.Meaning()+"; ")
	v.Phrases = []Phrase{w}
	return v
}
