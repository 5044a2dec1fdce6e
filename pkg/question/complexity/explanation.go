package complexity

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/question"
	"github.com/purexp/purexp/pkg/question/alternative"
)

// explainedMost is the most answers and partial answers that are looked at; ten
// arms with a choice have 2^11 - 1.
const explainedMost = 4096

// An explanation is the search for the right answer that takes the least time. A
// partial answer leaves the reasons of some arms open. For those it claims only
// that they are outside the set, which every reason implies: so the time of a partial
// answer bounds that of every completion from below, and the cuts found for it
// are valid for them all.
type explanation struct {
	as   []explore.Class // one an arm; undecided if it is both infeasible and dominated
	most int             // most answers to look at

	tol      float64
	answers  int // looked at
	rounds   int
	lower    float64 // least time of what was not searched further
	upper    float64 // time of the best answer
	weights  []float64
	best     []explore.Class
	complete bool
}

// newExplanation returns the search among the right answers to q.
func newExplanation(q question.FeasiblePareto, mu *mat.Dense) *explanation {
	truth := q.Truth(mu)
	e := &explanation{as: make([]explore.Class, len(truth.Eta)), most: explainedMost}
	for i := range e.as {
		switch {
		case truth.Optimal[i]:
			e.as[i] = explore.Optimal
		case truth.Feasible[i]:
			e.as[i] = explore.Dominated
		case !truth.SubOpt[i]:
			e.as[i] = explore.Infeasible
		}
	}
	return e
}

// tStar returns the characteristic time.
func (e *explanation) tStar(g *game, tol float64) (*TStar, error) {
	g.response.Reject(e.as)
	c := g.start()
	s := &TStar{Weights: c.best, Hardest: alternative.None(), Exact: true}
	if math.IsInf(c.unit, 1) {
		s.Reasons = e.as
		return s, nil
	}
	if err := g.tie(c.unit); err != nil {
		return nil, err
	}
	e.tol, e.lower, e.upper, e.complete = tol, math.Inf(1), math.Inf(1), true
	e.search(c, slices.Clone(e.as))
	s.Weights, s.Reasons, s.Iterations = e.weights, e.best, e.rounds
	s.Lower, s.Upper = min(e.lower, e.upper), e.upper
	g.response.Reject(e.best)
	c.value(nil, s.Weights)
	s.Hardest = g.response.Alternative()
	if err := s.check(tol); err != nil && e.complete {
		return s, err
	}
	return s, nil
}

// search solves the program for as, and then for the two ways to decide about the
// arm whose open reason is most in the way, the better one first.
func (e *explanation) search(c *cutting, as []explore.Class) {
	e.answers++
	c.r.Reject(as)
	c.run(e.tol/2, 1/e.upper) // a bound of no less than upper is enough
	e.rounds += c.rounds
	if c.low == 0 && c.high == 0 {
		return // a reason that is true only by a tie: it takes for ever
	}
	lower := 1 / max(c.high, c.low)
	if lower >= e.upper {
		e.lower = min(e.lower, lower)
		return
	}
	full, arm := e.decide(c, as)
	if e.upper <= lower*(1+e.tol) || arm < 0 || e.answers >= e.most {
		e.lower = min(e.lower, lower)
		e.complete = e.complete && e.answers < e.most
		return
	}
	second := explore.Dominated
	if full[arm] == explore.Dominated {
		second = explore.Infeasible
	}
	for _, class := range []explore.Class{full[arm], second} {
		as[arm] = class
		e.search(c.after(), as)
	}
	as[arm] = explore.Undecided
}

// decide completes as by the reasons that are harder to refute at the best weights
// of c, which makes an answer whose time is bounded at these weights. It also
// returns the arm with an open reason whose better one is easiest to refute, -1
// if none is open.
func (e *explanation) decide(c *cutting, as []explore.Class) (full []explore.Class, arm int) {
	full, arm = slices.Clone(as), -1
	least := math.Inf(1)
	pulls := c.pulls(c.best)
	for i, class := range as {
		if class != explore.Undecided {
			continue
		}
		a := c.r.Refute(pulls, i, explore.Dominated)
		b := c.r.Refute(pulls, i, explore.Infeasible)
		full[i] = explore.Dominated
		if b > a {
			full[i] = explore.Infeasible
		}
		if v := max(a, b); v < least {
			least, arm = v, i
		}
	}
	c.r.Reject(full)
	if f := c.value(nil, c.best); 1/f < e.upper {
		e.upper, e.weights, e.best = 1/f, slices.Clone(c.best), full
	}
	return full, arm
}
