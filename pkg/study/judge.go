package study

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/purexp/purexp/pkg/tidy"
)

// Condition is the condition that an estimate is in the range of a phrase. A condition holds if the
// whole interval of the estimate is in the range, is refuted if the whole interval is outside the
// range, and is undecided otherwise.
type Condition struct {
	Phrase   Phrase
	Estimate Estimate
}

// Of returns the condition that an estimate is in the range of w.
func (w Phrase) Of(e Estimate) Condition { return Condition{w, e} }

// All judges the claim that all conditions hold; if a condition is refuted, the outcome is Differs.
func All(cs ...Condition) Verdict { return judge(cs, Differs) }

// Any judges the claim that some condition holds. If a condition holds, the outcome is Agrees; if
// all conditions are refuted, the outcome is Differs.
func Any(cs ...Condition) Verdict { return judge(cs, Agrees) }

// judge judges several conditions. If the outcome of any condition equals decides, this condition
// alone decides the claim. The intervals of all conditions hold simultaneously with probability
// Confidence.
func judge(cs []Condition, decides Outcome) Verdict {
	if len(cs) == 0 {
		return Missing("the compared methods")
	}
	for _, c := range cs {
		if c.Estimate.Lacks != "" {
			return Missing(c.Estimate.Lacks)
		}
	}
	v := Verdict{Outcome: Agrees}
	if decides == Agrees {
		v.Outcome = Differs
	}
	var measured, why []string
	few := true // whether more replicates would decide the claim
	confidence := 1 - (1-Confidence)/float64(len(cs))
	for _, c := range cs {
		s := c.Estimate.At(confidence)
		measured = append(measured, c.Estimate.text(s))
		if !slices.Contains(v.Phrases, c.Phrase) {
			v.Phrases = append(v.Phrases, c.Phrase)
		}
		o := c.outcome(s)
		switch {
		case o == decides:
			if v.Outcome != decides {
				why = nil
			}
			v.Outcome = decides
			why = append(why, c.Estimate.name())
		case o == NotComparable && v.Outcome != decides:
			v.Outcome = NotComparable
			text, more := c.lack(s)
			why, few = append(why, text), few && more
		}
	}
	v.Measured = strings.Join(measured, "; ")
	var means []string
	for _, w := range v.Phrases {
		means = append(means, w.Meaning())
	}
	v.Why = strings.Join(means, "; ") + "; "
	intervals := map[bool]string{false: "the interval is ", true: "all intervals are "}[len(cs) > 1]
	switch {
	case v.Outcome == NotComparable && !few:
		v.Why += "the results are inconclusive: " + strings.Join(why, "; ")
	case v.Outcome == NotComparable:
		v.Why += "too few replicates: " + strings.Join(why, "; ")
	case v.Outcome == decides && len(cs) > 1:
		so := map[Outcome]string{Agrees: "the claim holds for ", Differs: "the claim fails for "}[v.Outcome]
		v.Why += so + strings.Join(why, "; ")
	case v.Outcome == Agrees:
		v.Why += intervals + "inside this range"
	default:
		v.Why += intervals + "outside this range"
	}
	return v
}

// outcome returns the outcome of the condition, according to the interval of its estimate.
func (c Condition) outcome(s tidy.Summary) Outcome {
	if math.IsNaN(s.Center) || c.Estimate.Resampled && s.N < fewest {
		return NotComparable
	}
	return c.Phrase.place(s.Lo, s.Hi)
}

// lack describes what a verdict lacks, and whether more replicates would supply it.
func (c Condition) lack(s tidy.Summary) (text string, more bool) {
	name := c.Estimate.name()
	if math.IsNaN(s.Center) || c.Estimate.Resampled && s.N < fewest {
		return fmt.Sprintf("%s has %d replicates; expected at least %d", name, s.N, fewest), true
	}
	if c.Estimate.GivenUp {
		return name + " can be on either side of the limit, because runs were stopped early", false
	}
	edge := c.Phrase.edge(s.Lo, s.Center, s.Hi)
	text = fmt.Sprintf("the interval of %s contains %.3g", name, edge)
	if c.Estimate.Percent {
		text = fmt.Sprintf("the interval of %s contains %.3g %%", name, 100*edge)
	}
	// Half-widths decrease with the square root of the number of replicates.
	need := float64(s.N) * math.Pow((s.Hi-s.Lo)/2/(s.Center-edge), 2)
	if !(need < 1e5) {
		return text + ", and the estimate is too close to this limit for any feasible number of replicates", false
	}
	return text + fmt.Sprintf("; about %s replicates would suffice", tidy.Int(rounded(need))), true
}

// rounded returns x rounded up to one significant digit.
func rounded(x float64) int {
	unit := math.Pow(10, math.Floor(math.Log10(max(x, 1))))
	return int(math.Ceil(x/unit) * unit)
}

// Provided returns v with outcome Differs if any of the conditions that the claim presupposes is
// refuted; otherwise, it returns v unchanged.
func (v Verdict) Provided(cs ...Condition) Verdict {
	for _, c := range cs {
		if c.Estimate.Lacks != "" {
			continue
		}
		if s := c.Estimate.At(1 - (1-Confidence)/float64(len(cs))); c.outcome(s) == Differs {
			v.Outcome = Differs
			v.Measured += "; " + c.Estimate.text(s)
			v.Why = c.Estimate.What + " is outside the range of " + c.Phrase.Meaning()
		}
	}
	return v
}

// Needs returns v if the condition holds, that is, if the instances have the property that the
// claim needs; otherwise, it returns a verdict with outcome NotJudged. The argument why names the
// property that the instances lack.
func (v Verdict) Needs(c Condition, why string) Verdict {
	s := c.Estimate.At(Confidence)
	if c.outcome(s) == Agrees {
		return v
	}
	v.Outcome, v.Why = NotJudged, why
	v.Measured += "; " + c.Estimate.text(s)
	return v
}
