package policy

import (
	"math"
	"math/rand/v2"
	"slices"
	"sort"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/design"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policy/internal/linear"
	"github.com/purexp/purexp/pkg/question"
)

// PEACE is the fixed-budget algorithm of Katz-Samuels, Jain, Karnin and Jamieson
// ("An Empirical Process Approach to the Union Bound: Practical Algorithms for
// Combinatorial and Linear Bandits", NeurIPS 2020) with the width rho: the
// largest variance of a difference under the best design.
//
// Question: the best item z, by z'theta, when rewards of arms x have mean
// x'theta. Items need not be arms. Fixed budget.
//
// Assumptions: those of [RAGE].
//
// Guarantee: none at run time: answers come without reasons. The paper's bound
// is for the Gaussian width gamma, an expected maximum; rho replaces it up to a
// factor log n.
//
// Deviations from the paper: rho in place of gamma throughout, which needs no
// Monte Carlo (as in its authors' later code). With that width its
// fixed-confidence algorithm is that of RAGE, which is therefore not repeated
// here. Two items stay at least, and all of the budget that is left goes to
// telling them apart, where the paper ends early with one item.
//
// max(2, ceil(log2 rho)) epochs of equal length, each a design for the
// differences of the items still in; then as many of the leading items stay as
// have half the width, two at least; the epoch of two items is the last one, and
// spends what is left. Cost an epoch: O(log n) designs. The budget is spent, and
// never exceeded.
type PEACE struct {
	// Budget is T, the number of pulls.
	Budget int
	// Tol is the relative gap of designs. Zero means design.DefaultTol.
	Tol float64 `in:"[0,inf)" want:"a relative gap, at least 0"`

	halving linear.Halving
	pairs   *design.PairsCriterion
	design  *design.Design
	epochs  int // how many there may be
	left    int // pulls
}

// Card implements explore.Carded.
func (*PEACE) Card() explore.Card {
	return explore.Card{
		Name:     "PEACE",
		Answers:  []explore.Question{question.Best{}},
		Kind:     explore.FixedBudget,
		Needs:    []explore.Need{explore.SubGaussian{}, explore.Linear{}},
		Evidence: explore.OwnRounds,
		Uses:     explore.UsesFeatures | explore.UsesItems,
		Bound:    "budget never exceeded",
		Source:   "Katz-Samuels, Jain, Karnin, Jamieson 2020, width rho",
		Key:      "katzsamuels2020empirical",
	}
}

// String returns the name with the budget.
func (p *PEACE) String() string { return named("PEACE", p) }

// Init implements explore.Policy.
func (p *PEACE) Init(prob *explore.Problem, _ rand.Source) error {
	if _, _, err := checked(p, 0, nil); err != nil {
		return err
	}
	if err := p.halving.Init(prob); err != nil {
		return err
	}
	if p.halving.Survivors.Over {
		return nil
	}
	if err := p.solve(); err != nil {
		return err
	}
	p.epochs = max(2, int(math.Ceil(math.Log2(p.design.Value))))
	if least := p.epochs * p.halving.Model.Rank; p.Budget < least {
		return budgetError("PEACE", p.Budget, least)
	}
	p.left = p.Budget
	p.shorten()
	return nil
}

// shorten makes the epoch to come the last one if it is that of two items.
func (p *PEACE) shorten() {
	if len(p.halving.Survivors.Active) <= 2 {
		p.epochs = p.halving.Stage + 1
	}
}

// solve computes the design for the active items.
func (p *PEACE) solve() (err error) {
	p.pairs, p.design, err = p.width(p.halving.Survivors.Active)
	return err
}

// width returns the design for the differences of some items; its value is rho.
func (p *PEACE) width(items []int) (c *design.PairsCriterion, d *design.Design, err error) {
	z := mat.NewDense(len(items), p.halving.Model.Rank, nil)
	for r, i := range items {
		z.SetRow(r, p.halving.Model.Item(i))
	}
	if c, err = design.NewPairs(p.halving.Model.X, z); err != nil {
		return nil, nil, err
	}
	if d, err = c.Solve(&design.Options{Tol: p.Tol}); d == nil {
		return nil, nil, err
	}
	return c, d, nil // a gap costs accuracy, not the budget
}

// Ask implements explore.Policy.
func (p *PEACE) Ask(dst []explore.Pull) ([]explore.Pull, error) {
	return p.halving.Ask(dst, p.plan)
}

func (p *PEACE) plan() error {
	n := p.left / (p.epochs - p.halving.Stage + 1)
	a, err := design.Round(p.pairs, p.design.Weights, n, design.Best)
	if err != nil {
		return err
	}
	p.left -= n
	p.halving.Counts = a.Counts
	return nil
}

// Tell implements explore.Policy.
func (p *PEACE) Tell(obs []explore.Batch) error {
	if err := p.halving.Tell(obs); err != nil {
		return err
	}
	if p.halving.Stage == p.epochs {
		p.halving.Keep(1, true)
		return nil
	}
	order := slices.Clone(p.halving.Survivors.Order)
	var failed error
	// One less than the first number of leading items whose width is too large.
	keep := 1 + sort.Search(len(order)-1, func(i int) bool {
		_, d, err := p.width(order[:i+2])
		if err != nil {
			failed = err
			return true
		}
		return d.Lower > p.design.Value/2 // too large for certain: exact halves stay
	})
	if failed != nil {
		return failed
	}
	p.halving.Keep(max(keep, min(2, len(order))), false)
	p.shorten()
	return p.solve()
}

// Answer implements explore.Policy.
func (p *PEACE) Answer() explore.Answer { return p.halving.Answer() }
