package complexity

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/design"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/polyhedron"
	"github.com/purexp/purexp/pkg/question"
	"github.com/purexp/purexp/pkg/question/alternative"
)

// ErrParetoTie means that the answer depends on a tie between arms, or between an arm and the
// boundary of the feasible region.
var ErrParetoTie = errors.New("the answer depends on a tie")

var errNoRegion = errors.New("complexity: region is nil; use polyhedron.Whole for no constraints")

// A TStar is the characteristic time of a question about arms without features whose rewards are
// Gaussian,
//
//	1/T* = max over weights w of min over alternatives lambda of
//	       sum over i of w_i/2 (mu_i - lambda_i)'Sigma^-1 (mu_i - lambda_i),
//
// where alternatives are means with a different answer (Garivier and Kaufmann, COLT 2016; for
// Pareto sets, Crepon, Garivier and Koolen, AISTATS 2024). If there are several right answers, T*
// is the least characteristic time over these answers (Degenne and Koolen, NeurIPS 2019; for
// constrained Pareto sets with reasons, Kone, Kaufmann and Richert, "Constrained Pareto Set
// Identification with Bandit Feedback"). No method that is right with probability 1 - delta on
// every instance has an expected number of pulls below T* kl(delta, 1 - delta) on this instance.
// With several right answers, the bound holds asymptotically as delta tends to 0.
type TStar struct {
	// Lower and Upper are certified bounds on T*, up to rounding. The weights prove Upper, and a
	// mixture of alternatives proves Lower. If no alternative exists, for example for one arm
	// without constraints, Lower and Upper are 0.
	Lower, Upper float64
	// If Exact is true, the bracket of T* has the requested width. If Exact is false, there were
	// too many right answers to compare, so Reasons and Weights are only the best values found.
	Exact bool
	// Weights contains the optimal proportions of pulls.
	Weights []float64
	// Reasons contains the classes in the right answer with the least time, one per arm:
	// explore.Optimal, explore.Dominated or explore.Infeasible. If the question requires no
	// reasons, Reasons is nil.
	Reasons []explore.Class
	// Iterations is the number of best responses that were computed.
	Iterations int
}

// NewTStar returns T* of the question q for the means mu, K x d in reward units. The matrix cov is
// the covariance of a reward, d x d in squared units. If cov is nil, the covariance is the
// identity. (For independent objectives of standard deviation sigma, T* is sigma^2 times T* for the
// identity covariance.) Upper/Lower is at most 1 + tol; a tol of zero means 1e-6. The question must
// be one of the following:
//
//   - question.Pareto without a relaxation (T* of Pareto sets). With a single objective,
//     question.Pareto asks which arm is best.
//   - question.Feasible, whose T* has a closed form. For question.Feasible, each arm is a separate
//     question, so that T* = sum of 2/eta_i^2, with weights in proportion to 1/eta_i^2. The number
//     eta_i is the distance of mu_i to the boundary of the region in the metric of cov^-1.
//   - question.FeasiblePareto. If SetOnly is set, alternatives are means with another Pareto set
//     (cPSI). Without SetOnly, alternatives are means for which some reason is wrong. Several
//     answers can be right, because an arm that is both infeasible and dominated may be rejected
//     for either reason; T* is the smallest time over the right answers (e-cPSI). Without SetOnly,
//     T* is at least as large as with SetOnly. Branch and bound finds the best answer, exactly for
//     up to 10 arms that are both infeasible and dominated. With more such arms, the search may
//     give up; Exact is then false, and the bracket is valid but wide.
//
// For any other question, the error wraps explore.ErrQuestion. If T* is infinite, because an arm is
// tied with another arm or is on the boundary of the region, the error wraps ErrParetoTie. If
// rounding errors prevent a bracket of relative width tol, NewTStar returns an error together with
// the best bracket. NewTStar panics if a mean is not finite.
//
// NewTStar uses the method of cutting planes. Each iteration computes one best response and one
// matrix game with K rows.
func NewTStar(q explore.Question, mu *mat.Dense, cov mat.Symmetric, tol float64) (*TStar, error) {
	return NewCostTStar(q, mu, cov, nil, tol)
}

// NewCostTStar returns T* as NewTStar does, for arms with the given costs, K positive numbers; nil
// means equal costs. With costs, T* bounds the expected cost of a run instead of the number of
// pulls; weights are still proportions of pulls.
func NewCostTStar(
	q explore.Question, mu *mat.Dense, cov mat.Symmetric, costs []float64, tol float64,
) (*TStar, error) {
	tol = cmp.Or(tol, tStarTol)
	if !(tol > 0) {
		return nil, fmt.Errorf("complexity: the tolerance is %v; expected a relative width such as 1e-6", tol)
	}
	g, err := newGame(q, mu, cov)
	if err != nil {
		return nil, err
	}
	if k, _ := mu.Dims(); costs != nil && len(costs) != k {
		return nil, fmt.Errorf("complexity: %d costs; expected %d, one for each arm", len(costs), k)
	}
	g.cost = costs
	s, err := g.time(q, tol)
	if s != nil {
		(&explore.Problem{Costs: costs}).Pulled(s.Weights)
	}
	return s, err
}

// time returns T*; the weights in the result are shares of the cost.
func (g *game) time(q explore.Question, tol float64) (*TStar, error) {
	switch q := q.(type) {
	case question.Feasible:
		return g.feasible()
	case question.FeasiblePareto:
		if !q.SetOnly {
			return newExplanation(q, g.mu).tStar(g, tol)
		}
	}
	return g.tStar(tol)
}

// A game contains the means of the arms and a best response over the alternatives; T* is computed
// from both.
type game struct {
	mu       *mat.Dense
	region   *polyhedron.Polyhedron // nil if unconstrained
	cost     []float64              // cost of a pull, by arm; nil if costs are equal
	response *alternative.BestResponse
}

// newGame returns the game of q, or an error if the question is not supported.
func newGame(q explore.Question, mu *mat.Dense, cov mat.Symmetric) (*game, error) {
	g := &game{mu: mu}
	switch q := q.(type) {
	case question.Pareto:
		if q != (question.Pareto{}) {
			return nil, fmt.Errorf("complexity: T*: the question %#v is relaxed and may need "+
				"fewer pulls; expected the exact question: %w", q, explore.ErrQuestion)
		}
	case question.Feasible:
		g.region = q.Region
	case question.FeasiblePareto:
		g.region = q.Region
	default:
		return nil, fmt.Errorf("complexity: T*: the question is %T; "+
			"expected question.Pareto, Feasible or FeasiblePareto: %w", q, explore.ErrQuestion)
	}
	if _, free := q.(question.Pareto); !free && g.region == nil {
		return nil, errNoRegion
	}
	k, d := mu.Dims()
	r, err := alternative.New(k, d, cov)
	if err != nil {
		return nil, err
	}
	if err := r.Constrain(g.region); err != nil {
		return nil, err
	}
	r.SetMeans(data(mu))
	g.response = r
	return g, nil
}

// start returns a cutting-plane method for the alternatives of a best response.
func (g *game) start() *cutting {
	k, _ := g.mu.Dims()
	return newCutting(g.response, k, g.cost)
}

func data(mu *mat.Dense) []float64 {
	k, d := mu.Dims()
	x := make([]float64, 0, k*d)
	for i := range k {
		x = append(x, mu.RawRowView(i)...)
	}
	return x
}

// tStar returns the characteristic time for the alternatives of a best response.
func (g *game) tStar(tol float64) (*TStar, error) {
	c := g.start()
	s := &TStar{Weights: c.best, Exact: true}
	if math.IsInf(c.unit, 1) {
		return s, nil
	}
	if err := g.tie(c.unit); err != nil {
		return nil, err
	}
	c.run(tol, 0)
	s.Iterations = c.rounds
	s.Lower, s.Upper = 1/max(c.high, c.low), 1/c.low
	return s, s.check(tol)
}

// check returns an error if the relative width of the bracket of s exceeds tol.
func (s *TStar) check(tol float64) error {
	s.Exact = s.Upper <= s.Lower*(1+tol)*(1+1e-12)
	if s.Exact {
		return nil
	}
	return fmt.Errorf("complexity: T* is between %v and %v after %d iterations; "+
		"the requested relative width is %v; use a larger tolerance", s.Lower, s.Upper, s.Iterations, tol)
}

// tie returns an error if the cheapest alternative has cost 0.
func (g *game) tie(cost float64) error {
	if cost > 0 {
		return nil
	}
	a := g.response.Alternative()
	switch {
	case a.Constraint >= 0:
		return fmt.Errorf("complexity: arm %d is in the Pareto set, "+
			"but on the boundary of the feasible region (%s): %w",
			a.Arm, g.region.Constraint(a.Constraint), ErrParetoTie)
	case a.By >= 0:
		return fmt.Errorf("complexity: arm %d is in the Pareto set, but arm %d is no worse in any objective: %w",
			a.Arm, a.By, ErrParetoTie)
	case a.Feasible, g.region != nil && !g.region.Contains(g.mu.RawRowView(a.Arm)):
		return fmt.Errorf("complexity: arm %d is infeasible, "+
			"but on the boundary of the feasible region up to rounding: %w", a.Arm, ErrParetoTie)
	default:
		return fmt.Errorf("complexity: arm %d is outside the Pareto set, but ties with members that dominate it: %w",
			a.Arm, ErrParetoTie)
	}
}

// LowerBound returns Lower kl(delta, 1 - delta). Every method that is right with probability 1 -
// delta on every instance needs at least Lower kl(delta, 1 - delta) pulls in expectation. The
// function kl(a, b) is the divergence of two Bernoulli distributions (Kaufmann, Cappe and Garivier,
// JMLR 2016, Theorem 1 and Lemma 1). For delta of 1/2 or more, LowerBound returns 0. If there are
// several right answers, which is possible with reasons, the bound holds only asymptotically as
// delta tends to 0.
func (s *TStar) LowerBound(delta float64) float64 { return LeastPulls(s.Lower, delta) }

// LeastPulls returns t kl(delta, 1 - delta), where kl is the divergence of two Bernoulli
// distributions. If t is a characteristic time, or a lower bound on one, the result is the lower
// bound of TStar.LowerBound.
func LeastPulls(t, delta float64) float64 {
	if !(delta > 0) {
		return math.Inf(1)
	}
	if delta >= .5 {
		return 0
	}
	return t * (1 - 2*delta) * math.Log((1-delta)/delta)
}

// feasible returns the characteristic time of question.Feasible, which has a closed form.
func (g *game) feasible() (*TStar, error) {
	k, d := g.mu.Dims()
	s := &TStar{Weights: make([]float64, k), Exact: true}
	x := make([]float64, d)
	for i := range k {
		square := g.response.Boundary(x, i)
		if square == 0 {
			return nil, fmt.Errorf("complexity: arm %d is on the boundary of the feasible region: %w", i, ErrParetoTie)
		}
		s.Weights[i] = 2 / square
		if g.cost != nil {
			s.Weights[i] *= g.cost[i]
		}
	}
	s.Lower = floats.Sum(s.Weights)
	s.Upper = s.Lower
	if s.Lower == 0 { // there are no constraints
		s.Weights = slices.Repeat([]float64{1 / float64(k)}, k)
		return s, nil
	}
	floats.Scale(1/s.Lower, s.Weights)
	return s, nil
}

// A Bound is the characteristic time of a problem, as returned by LowerBound for any supported
// question.
type Bound struct {
	Name    string    // name of the characteristic time in the literature: psi*, Gamma* or T*
	Time    float64   // kl(delta, 1 - delta) times Time is a lower bound on the expected number of pulls (or cost)
	Weights []float64 // optimal proportions of pulls
}

// Pulls returns Time kl(delta, 1 - delta), a lower bound on the number of pulls. No method that is
// right with probability 1 - delta on every instance has a smaller expected number of pulls on this
// instance. If arms have costs, Pulls is a lower bound on the expected cost.
func (b *Bound) Pulls(delta float64) float64 { return LeastPulls(b.Time, delta) }

// LowerBound returns the bound for the problem p, whose items have means mu (M x d). Apart from
// question.AllEpsilonBest, the question must not have a tolerance. Rewards are Gaussian with
// independent objectives of the given variances. For details and errors, see NewPsiStar for the
// best item, NewGammaStar for all epsilon-best items, and NewCostTStar for sets of arms without
// features.
func LowerBound(p *explore.Problem, mu *mat.Dense, variances []float64) (*Bound, error) {
	const tol = 1e-3
	switch q := p.Question.(type) {
	case question.Best:
		s, err := NewPsiStar(p, mat.Col(nil, 0, mu), &design.Options{Tol: tol})
		if err != nil {
			return nil, err
		}
		return &Bound{"psi*", 2 * variances[0] * s.Lower, s.Weights}, nil
	case question.AllEpsilonBest:
		g, err := NewGammaStar(p, mat.Col(nil, 0, mu), tol)
		if err != nil {
			return nil, err
		}
		return &Bound{"Gamma*", variances[0] * g.Lower, g.Weights}, nil
	default:
		t, err := NewCostTStar(q, mu, mat.NewDiagDense(len(variances), variances), p.Costs, 1e-2)
		if t == nil {
			return nil, err
		}
		return &Bound{"T*", t.Lower, t.Weights}, nil
	}
}

// explainedMost is the largest number of complete and partial answers that are evaluated. For ten
// arms with two possible reasons each, there are 2^11 - 1 complete and partial answers.
const explainedMost = 4096

// An explanation is the search for the right answer with the least characteristic time. In a
// partial answer, the reasons for which some arms are rejected are open. If the reason for an arm
// is open, the partial answer claims only that the arm is outside the set. The time of a partial
// answer is at most the time of each of its completions, and the cuts of a partial answer are valid
// for all completions.
type explanation struct {
	as   []explore.Class // class of each arm; undecided if the arm is both infeasible and dominated
	most int             // largest number of evaluated answers

	tol      float64
	answers  int // number of evaluated answers
	rounds   int
	lower    float64 // least time of the branches that were not searched further
	upper    float64 // time of the best answer found so far
	weights  []float64
	best     []explore.Class
	complete bool
}

// newExplanation returns the search over the right answers to q.
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

// tStar returns the characteristic time of the best answer.
func (e *explanation) tStar(g *game, tol float64) (*TStar, error) {
	g.response.Reject(e.as)
	c := g.start()
	s := &TStar{Weights: c.best, Exact: true}
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
	if err := s.check(tol); err != nil && e.complete {
		return s, err
	}
	return s, nil
}

// search solves the linear program for a partial answer, whose classes are in as. search then tries
// both classes for the open arm whose better reason is easiest to refute, beginning with this
// reason.
func (e *explanation) search(c *cutting, as []explore.Class) {
	e.answers++
	c.r.Reject(as)
	c.run(e.tol/2, 1/e.upper) // stop if no completion can be better than the best answer
	e.rounds += c.rounds
	if c.low == 0 && c.high == 0 {
		return // if a reason holds only because of a tie, the time is infinite
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

// decide completes the partial answer as[] with the reasons that are harder to refute at the best
// weights of c, and bounds the time of the completed answer at these weights. decide also returns
// the open arm whose better reason is easiest to refute, or -1 if no arm is open.
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
