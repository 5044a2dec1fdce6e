package complexity

import (
	"cmp"
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/question"
)

// A Tolerant is a lower bound for a question that has several right answers because differences or
// distances to a bound do not matter,
//
//	1/T = max over weights w of min over means lambda of
//	      sum over i and c of w_i (mu_ic - lambda_ic)^2 / (2 variance_c),
//
// where lambda runs over means for which *every* answer that is right for mu is wrong. On such
// means the answer errs with probability at most delta, and on mu it errs unless one of the answers
// of mu is given, so that no method that is right with probability 1 - delta on every instance has
// an expected number of pulls below T kl(delta, 1 - delta) (Kaufmann, Cappe and Garivier, JMLR
// 2016, Lemma 1, for the event that one of the right answers of mu is given). That holds for every
// delta. The time of Degenne and Koolen (NeurIPS 2019), the least over right answers of what tells
// each apart from where it is wrong, is larger, and bounds as delta tends to 0 only.
//
// Means that make all right answers wrong are searched for, and not all of them are found. T is
// computed from those that were: each is one, so that T is a lower bound whatever was missed.
// They are of three kinds:
//
//   - each item that may stand for a feasible item, itself included, leaves the region widened by
//     the slack, or is beaten by one that is none of them;
//   - an item that is in no right answer enters the region, and none of the items that may be in
//     one stands for it.
//
// Without tolerances T is near that of NewTStar for the set alone.
type Tolerant struct {
	// Lower is T, 0 if there are no such means: some answer is right anyhow.
	Lower float64
	// Weights are proportions in which an oracle would pull the arms, as far as the means that
	// were found tell; nil if there are none.
	Weights []float64
	// Iterations is the number of times that means were searched for.
	Iterations int
}

// LowerBound returns Lower kl(delta, 1 - delta), a lower bound on the expected number of pulls of
// every method that is right with probability 1 - delta on every instance.
func (t *Tolerant) LowerBound(delta float64) float64 { return LeastPulls(t.Lower, delta) }

// tolerantMost is the largest number of times that means are searched for.
const tolerantMost = 300

// NewTolerant returns the bound for the question q about arms with means mu, K x d in reward
// units. The noise of objectives is Gaussian and independent, with the given variances, one an
// objective. Entries of known, K x d, that are not NaN are known exactly and not measured; nil
// knows none. It fails with ErrParetoTie if some means that make all right answers wrong are no
// distance away, and with explore.ErrQuestion if the arguments do not fit. Tol is the relative
// width at which the search for means ends; zero means 1e-2.
func NewTolerant(q question.FeasiblePareto, mu *mat.Dense, variance []float64, known *mat.Dense,
	tol float64) (*Tolerant, error) {
	s, err := newSpoilers(q, mu, variance, known)
	if err != nil {
		return nil, err
	}
	return bound(s.k, s.cheapest, tol)
}

// bound returns T for k arms and the cheapest means, whose cost and derivative by the weights of arms are those of a function.
func bound(k int, cheapest func(w, grad []float64) float64, tol float64) (*Tolerant, error) {
	tol = cmp.Or(tol, 1e-2)
	w, best := make([]float64, k), make([]float64, k)
	for i := range w {
		w[i] = 1 / float64(k)
	}
	grad := make([]float64, k)
	unit := cheapest(w, grad)
	t := &Tolerant{Iterations: 1}
	switch {
	case math.IsInf(unit, 1):
		return t, nil
	case unit <= 0:
		return nil, fmt.Errorf("complexity: an answer is right by no margin: %w", ErrParetoTie)
	}
	m := newMaster(k)
	low, high := 0., math.Inf(1)
	for f := unit; ; {
		if f > low {
			low = f
			copy(best, w)
		}
		x, bound := m.add(grad, unit)
		high = min(high, bound*unit)
		if high <= low*(1+tol) || t.Iterations == tolerantMost {
			break
		}
		for i := range w {
			w[i] = max((x[i]+best[i])/2, tStarFloor)
		}
		floats.Scale(1/floats.Sum(w), w)
		f = cheapest(w, grad)
		t.Iterations++
		if f <= 0 {
			return nil, fmt.Errorf("complexity: an answer is right by no margin: %w", ErrParetoTie)
		}
	}
	t.Lower, t.Weights = 1/high, best
	return t, nil
}

var errVariance = errors.New("complexity: want a positive variance for each objective")

// checkTolerant reports whether the arguments of NewTolerant, or NewBestFeasible, fit.
func checkTolerant(q interface {
	Validate(p *explore.Problem) error
}, mu *mat.Dense, variance []float64,
	known *mat.Dense) error {
	k, d := mu.Dims()
	if err := q.Validate(&explore.Problem{Arms: k, Objectives: d, Sigma: 1}); err != nil {
		return fmt.Errorf("complexity: %w: %w", err, explore.ErrQuestion)
	}
	if len(variance) != d {
		return errVariance
	}
	for _, v := range variance {
		if !(v > 0) {
			return errVariance
		}
	}
	if known != nil {
		if r, c := known.Dims(); r != k || c != d {
			return fmt.Errorf("complexity: known is %d x %d; want %d x %d", r, c, k, d)
		}
	}
	return nil
}
