package question

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/explore"
)

// ErrThreshold means that a mean is exactly on the threshold between good and bad items. If a mean
// is on the threshold, no number of rewards can decide whether its item is good or bad.
var ErrThreshold = errors.New("an item is on the threshold")

// thresholdRounding is the largest distance from the threshold that counts as a rounding error,
// relative to the size of the means and settings.
const thresholdRounding = 1e-12

// AllEpsilonBest asks for all items whose mean is within Epsilon of the largest mean, for a single
// objective (Mason, Jain, Tripathy and Nowak, NeurIPS 2020; the LinFACT paper, section 2.1). By
// definition, an item exactly on the threshold belongs to the answer, but no number of rewards can
// prove this. Therefore, a right answer may contain or omit items that are on the threshold up to
// rounding. If the problem has a link, linear predictors replace the means.
type AllEpsilonBest struct {
	// Epsilon is the largest distance from the largest mean, in reward units, at least 0. If
	// Multiplicative is true, Epsilon is a fraction of the largest mean, at least 0 and below 1. If
	// Epsilon is 0, the question is which items are best.
	Epsilon float64
	// If Multiplicative is true, the question asks for the items whose mean is at least
	// (1 - Epsilon) times the largest mean, which must be positive.
	Multiplicative bool
	// If the scale of rewards does not start at 0, Zero is the value from which the fractions of
	// Multiplicative are measured. The largest mean must be above Zero.
	Zero float64
}

// Title implements explore.Titled.
func (AllEpsilonBest) Title() string { return "all epsilon-best items" }

// GoString returns the question with all of its settings.
func (q AllEpsilonBest) GoString() string {
	return fmt.Sprintf("question.AllEpsilonBest{Epsilon:%v, Multiplicative:%v, Zero:%v}",
		q.Epsilon, q.Multiplicative, q.Zero)
}

// String returns the question with its tolerance.
func (q AllEpsilonBest) String() string {
	return "all items within " + q.tolerance() + " of the best"
}

func (q AllEpsilonBest) tolerance() string {
	if q.Multiplicative {
		return fmt.Sprintf("%.4g %%", 100*q.Epsilon)
	}
	return fmt.Sprintf("%.4g", q.Epsilon)
}

// OnPredictors implements explore.OnPredictors.
func (q AllEpsilonBest) OnPredictors() bool { return true }

// Validate returns an error if the question is not defined for p, or if its settings are invalid.
func (q AllEpsilonBest) Validate(p *explore.Problem) error {
	if p.D() != 1 {
		return fmt.Errorf("AllEpsilonBest: %d objectives; expected one (for several, ask for the "+
			"Pareto set, which has an Epsilon too)", p.D())
	}
	return q.validate()
}

func (q AllEpsilonBest) validate() error {
	switch {
	case !q.Multiplicative && (!(q.Epsilon >= 0) || math.IsInf(q.Epsilon, 1)):
		return fmt.Errorf("AllEpsilonBest.Epsilon is %v; expected a difference in reward units, at least 0", q.Epsilon)
	case q.Multiplicative && !(q.Epsilon >= 0 && q.Epsilon < 1):
		return fmt.Errorf("AllEpsilonBest.Epsilon is %v; expected a fraction of the largest mean, at least 0 and "+
			"below 1; for a difference, leave Multiplicative false", q.Epsilon)
	case math.IsNaN(q.Zero) || math.IsInf(q.Zero, 0):
		return fmt.Errorf("AllEpsilonBest.Zero is %v; expected a finite mean", q.Zero)
	case !q.Multiplicative && q.Zero != 0:
		return fmt.Errorf("AllEpsilonBest.Zero is %v; leave it at 0, or set Multiplicative", q.Zero)
	}
	return nil
}

// Line returns the two numbers that define the question: item i with mean mu_i is good if mu_i -
// factor mu_j + offset >= 0 for all items j. The two numbers are 1 and Epsilon or, with
// Multiplicative, 1 - Epsilon and -Epsilon*Zero.
func (q AllEpsilonBest) Line() (factor, offset float64) {
	if q.Multiplicative {
		return 1 - q.Epsilon, -q.Epsilon * q.Zero
	}
	return 1, q.Epsilon
}

// Threshold returns the smallest mean of a good item; the argument best is the largest mean.
func (q AllEpsilonBest) Threshold(best float64) float64 {
	factor, offset := q.Line()
	return factor*best - offset
}

// Right returns the right answer for items with means mu, M x 1: the indices of the good items in
// ascending order.
func (q AllEpsilonBest) Right(mu *mat.Dense) []int {
	threshold, _ := q.at(mu)
	return q.members(mu, func(v float64) bool { return v >= threshold })
}

// OnThreshold returns the items whose mean is on the threshold up to rounding. A right answer may
// contain or omit items on the threshold, and no policy can be certain about them. If only the best
// item is on the threshold, OnThreshold returns no items.
func (q AllEpsilonBest) OnThreshold(mu *mat.Dense) []int {
	threshold, near := q.at(mu)
	on := q.members(mu, func(v float64) bool { return math.Abs(v-threshold) <= near })
	if best := mat.Max(mu); len(on) == 1 && mu.At(on[0], 0) == best {
		return nil
	}
	return on
}

// Given mu, the means of the items of p (M x 1), Check returns an error if an item is on the
// threshold. The error wraps ErrThreshold and names the first item on the threshold.
func (q AllEpsilonBest) Check(p *explore.Problem, mu *mat.Dense) error {
	on := q.OnThreshold(mu)
	if len(on) == 0 {
		return nil
	}
	threshold, _ := q.at(mu)
	more := ""
	if len(on) > 1 {
		more = fmt.Sprintf(" (and %d more)", len(on)-1)
	}
	return fmt.Errorf("question: %s%s has mean %.6g, and the threshold is %.6g, the smallest mean within %s of the "+
		"best; no number of rewards decides such a tie; change Epsilon a little: %w",
		p.Item(on[0]), more, mu.At(on[0], 0), threshold, q.tolerance(), ErrThreshold)
}

// at returns the threshold for means mu, and the distance from it that counts as a rounding error.
func (q AllEpsilonBest) at(mu *mat.Dense) (threshold, near float64) {
	size := math.Abs(q.Epsilon) + math.Abs(q.Zero)
	m, _ := mu.Dims()
	for i := range m {
		size = max(size, math.Abs(mu.At(i, 0)))
	}
	return q.Threshold(mat.Max(mu)), thresholdRounding * size
}

func (q AllEpsilonBest) members(mu *mat.Dense, in func(mean float64) bool) []int {
	var items []int
	m, _ := mu.Dims()
	for i := range m {
		if in(mu.At(i, 0)) {
			items = append(items, i)
		}
	}
	return items
}

// Correct implements explore.Question.
func (q AllEpsilonBest) Correct(mu *mat.Dense, a explore.Answer) bool {
	threshold, near := q.at(mu)
	m, _ := mu.Dims()
	in := make([]bool, m)
	for _, i := range a.Items {
		if i < 0 || i >= m || in[i] || mu.At(i, 0) < threshold-near {
			return false
		}
		in[i] = true
	}
	for i := range m {
		if !in[i] && mu.At(i, 0) > threshold+near {
			return false
		}
	}
	// An empty answer is wrong if the largest mean reaches the threshold.
	return len(a.Items) > 0 || mat.Max(mu) < threshold
}

// A Score measures how well a returned set of items agrees with the right set.
type Score struct {
	// Precision is the fraction of the returned items that are right. Recall is the fraction of the
	// right items that are returned. F1 is the harmonic mean of Precision and Recall (the LinFACT
	// paper, section 7). If no returned item is right, all three scores are 0.
	Precision, Recall, F1 float64
}

// Score returns the scores of the items in answer a, for means mu, M x 1. Score ignores items on
// the threshold.
func (q AllEpsilonBest) Score(mu *mat.Dense, a explore.Answer) Score {
	threshold, near := q.at(mu)
	open := func(i int) bool {
		v := mu.At(i, 0)
		return math.Abs(v-threshold) <= near && v < mat.Max(mu)
	}
	asked, returned, hits := map[int]bool{}, 0, 0
	for _, i := range q.Right(mu) {
		if !open(i) {
			asked[i] = true
		}
	}
	right := len(asked)
	for _, i := range a.Items {
		if open(i) {
			continue
		}
		returned++
		if asked[i] {
			hits++
			delete(asked, i)
		}
	}
	if hits == 0 {
		return Score{}
	}
	s := Score{Precision: float64(hits) / float64(returned), Recall: float64(hits) / float64(right)}
	s.F1 = 2 * s.Precision * s.Recall / (s.Precision + s.Recall)
	return s
}

// Rescale returns the equivalent question for rewards that are converted from x to scale*x + shift.
func (q AllEpsilonBest) Rescale(scale float64, shift []float64) explore.Question {
	if !q.Multiplicative {
		q.Epsilon *= scale
		return q
	}
	q.Zero *= scale
	for _, s := range shift {
		q.Zero += s
	}
	return q
}

// Explain implements explore.Explainer. The threshold in a reason is the threshold that item By
// determines. Margin is the distance of the item from the threshold: above the threshold for an
// item of the answer, and below the threshold for a rejected item. If an undecided item has a
// negative Margin, its estimate is below the threshold.
func (q AllEpsilonBest) Explain(p *explore.Problem, i int, r explore.Reason) (verdict, why string) {
	const undecided = "undecided"
	if r.By < 0 || r.By == i {
		switch {
		case r.Class == explore.Optimal && r.By == i:
			return "kept", "none is better"
		case r.Class == explore.Optimal:
			return "kept", ""
		case r.Class == explore.Dominated:
			return "rejected", "not within " + q.tolerance() + " of the best"
		}
		return undecided, ""
	}
	by, amount := p.Item(r.By), explore.Amount(r.Margin, r.MarginRadius)
	if r.Estimated { // the verdict does not depend on the half-width
		amount = fmt.Sprintf("an estimated %.4g", r.Margin)
	}
	within := fmt.Sprintf("within %s of %s with %s to spare", q.tolerance(), by, amount)
	switch {
	case r.Class == explore.Optimal:
		return "kept", within
	case r.Class == explore.Dominated:
		return "rejected", fmt.Sprintf("not within %s of %s: outside by %s", q.tolerance(), by, amount)
	case r.Margin < 0:
		amount = explore.Amount(-r.Margin, r.MarginRadius)
		return undecided, fmt.Sprintf("%s too low to be within %s of %s", amount, q.tolerance(), by)
	}
	return undecided, within
}

// Best asks for the best item by a single objective; by default, there is no tolerance. If several
// items are best, for example items with equal features, each of them is a right answer.
type Best struct {
	// Epsilon is the amount by which the answer may be worse than the best item, in reward units.
	Epsilon float64
}

// Title implements explore.Titled.
func (Best) Title() string { return "best item" }

// GoString returns the question with all of its settings.
func (q Best) GoString() string { return fmt.Sprintf("question.Best{Epsilon:%v}", q.Epsilon) }

// AllowsUndecided reports whether a right answer may leave items undecided. If Epsilon is positive,
// items that may be better than the answer by at most Epsilon may remain undecided.
func (q Best) AllowsUndecided() bool { return q.Epsilon > 0 }

// OnPredictors implements explore.OnPredictors. All links are increasing, so the item with the
// largest predictor also has the largest mean.
func (q Best) OnPredictors() bool { return true }

// Validate returns an error if the question is not defined for p.
func (q Best) Validate(p *explore.Problem) error {
	if p.D() != 1 {
		return fmt.Errorf("Best: %d objectives; expected one (for several, ask for the Pareto set)", p.D())
	}
	if !(q.Epsilon >= 0) || math.IsInf(q.Epsilon, 1) {
		return fmt.Errorf("Best.Epsilon is %v; expected a difference in reward units, at least 0", q.Epsilon)
	}
	return nil
}

// Correct implements explore.Question.
func (q Best) Correct(mu *mat.Dense, a explore.Answer) bool {
	m, _ := mu.Dims()
	best := math.Inf(-1)
	for i := range m {
		best = max(best, mu.At(i, 0))
	}
	for _, i := range a.Items {
		if i < 0 || i >= m || mu.At(i, 0) < best-q.Epsilon {
			return false
		}
	}
	return len(a.Items) > 0
}

// Rescale returns the equivalent question for rewards that are converted from x to scale*x + shift.
func (q Best) Rescale(scale float64, _ []float64) explore.Question {
	q.Epsilon *= scale
	return q
}
