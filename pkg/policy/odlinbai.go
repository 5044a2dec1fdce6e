package policy

import (
	"cmp"
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
	"sort"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/design"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policy/internal/linear"
	"github.com/purexp/purexp/pkg/question"
)

// ODLinBAI is OD-LinBAI (Yang and Tan, "Minimax Optimal Fixed-Budget Best Arm Identification in
// Linear Bandits", NeurIPS 2022, Algorithm 1).
//
// Question: the best arm of a linear model; items are the arms. Fixed budget.
//
// Assumptions: the means are linear in the features. Rewards are sub-Gaussian of scale
// Problem.Sigma.
//
// Guarantee: the error probability is at most (4 K/m + 3 log2 m) exp(-T'/(16 sigma^2 H2lin)), for K
// arms, budget T, rank m and noise of scale sigma. In the bound, T' is about T/log2 m, and H2lin is
// the maximum of i/gap_i^2 over 2 <= i <= m. Here gap_i is the gap of the i-th best arm. The number
// of arms affects only the factor before the exponential. Answers are not certified and have no
// reasons.
//
// Deviations from the paper: the budget of a round is rounded down to whole pulls. If all arms lie
// on one line (m = 1), only the arm with the largest norm is measured.
//
// The run has ceil(log2 m) rounds, each with a G-optimal design for the active arms. After round r,
// ceil(m/2^r) arms remain active. Each round computes one design. ODLinBAI never exceeds the
// budget.
type ODLinBAI struct {
	// Budget is T, the number of pulls, which must suffice for at least one pull in each round.
	Budget int

	halving linear.Halving
	rounds  int // number of rounds
	each    int // m in the paper: pulls of a round, before the pulls of each arm are rounded up
}

// Card implements explore.Describer.
func (*ODLinBAI) Card() explore.Card {
	return explore.Card{
		Name:    "OD-LinBAI",
		Answers: []explore.Question{question.Best{}},
		Kind:    explore.FixedBudget,
		Needs:   []explore.Need{explore.SubGaussian{}, explore.Linear{}},
		Uses:    explore.UsesFeatures,
		Bound:   "error decreases exponentially in T/(H2lin log m)",
		Source:  "Yang, Tan 2022",
		Key:     "yang2022minimax",
	}
}

// String returns the name of the policy, followed by its budget in parentheses.
func (p *ODLinBAI) String() string { return named("OD-LinBAI", p) }

// Init implements explore.Policy.
func (p *ODLinBAI) Init(prob *explore.Problem, _ rand.Source) error {
	if err := measurable(prob, "ODLinBAI"); err != nil {
		return err
	}
	if err := p.halving.Init(prob); err != nil {
		return err
	}
	m := p.halving.Model.Rank
	// spare is the largest number of pulls that the run needs in addition because the pulls of each
	// arm are rounded up.
	p.rounds = max(1, bits.Len(uint(m-1)))
	spare := min(p.halving.Model.N, m*(m+1)/2)
	for r := 1; r < p.rounds; r++ {
		spare += linear.CeilShift(m, r)
	}
	// The schedule needs at least one pull in each round.
	if p.each = (p.Budget - spare) / p.rounds; p.each < 1 && !p.halving.Survivors.Over {
		return budgetError("ODLinBAI", p.Budget, spare+p.rounds)
	}
	return nil
}

// Answer implements explore.Policy.
func (p *ODLinBAI) Answer() explore.Answer { return p.halving.Answer() }

// Ask implements explore.Policy.
func (p *ODLinBAI) Ask(dst []explore.Pull) ([]explore.Pull, error) {
	return p.halving.Ask(dst, p.plan)
}

func (p *ODLinBAI) plan() error {
	_, d, arms, err := p.halving.ActiveDesign()
	if err != nil {
		return err
	}
	n := make([]int, len(arms))
	for i, w := range d.Weights {
		n[i] = int(math.Ceil(float64(p.each) * w))
	}
	p.halving.Spread(arms, n)
	return nil
}

// Tell implements explore.Policy.
func (p *ODLinBAI) Tell(obs []explore.Batch) error {
	if err := p.halving.Tell(obs); err != nil {
		return err
	}
	keep := min(linear.CeilShift(p.halving.Model.Rank, p.halving.Stage), len(p.halving.Survivors.Active))
	p.halving.Keep(keep, p.halving.Stage == p.rounds)
	return nil
}

// GSE is Generalized Successive Elimination in its linear form with G-optimal designs (Azizi,
// Kveton and Ghavamzadeh, "Fixed-Budget Best-Arm Identification in Structured Bandits", IJCAI
// 2022).
//
// Question: the best arm of a linear model; items are the arms. Fixed budget.
//
// Assumptions: the same as those of [ODLinBAI].
//
// Guarantee: the error probability decreases exponentially in T gap^2/(m log_Eta K), where gap is
// the smallest gap, T is the budget and m is the rank. Answers are not certified and have no
// reasons.
//
// Deviations from the paper: least squares has no regularisation. Designs are rounded to whole
// pulls by efficient apportionment; the paper draws pulls at random or chooses them greedily.
//
// The run has ceil(log_Eta K) stages of equal length, each with a G-optimal design for the active
// arms. After each stage, the fraction 1/Eta of the active arms, rounded up, stays active. Each
// stage computes one design. GSE spends exactly the whole budget.
type GSE struct {
	// Budget is T, the number of pulls.
	Budget int
	// Eta is the factor by which each stage reduces the number of arms; zero means 2.
	Eta int `label:"eta %d" usual:"2" in:"[2,inf)" want:"at least 2"`

	halving linear.Halving
	eta     int
	stages  int
	left    int // remaining pulls
}

// Card implements explore.Describer.
func (*GSE) Card() explore.Card {
	c := (*ODLinBAI)(nil).Card()
	c.Name, c.Bound = "GSE", "error decreases exponentially in T gap²/(m log K)"
	c.Source, c.Key = "Azizi, Kveton, Ghavamzadeh 2022", "azizi2022fixed"
	return c
}

// String returns the name of the policy, followed by its settings.
func (p *GSE) String() string { return named("GSE", p) }

// Init implements explore.Policy.
func (p *GSE) Init(prob *explore.Problem, _ rand.Source) error {
	if _, _, err := checked(p, 0, nil); err != nil {
		return err
	}
	p.eta = cmp.Or(p.Eta, 2)
	if err := measurable(prob, "GSE"); err != nil {
		return err
	}
	if err := p.halving.Init(prob); err != nil {
		return err
	}
	p.stages = 0
	for n := 1; n < p.halving.Model.N; n *= p.eta {
		p.stages++
	}
	if least := p.halving.Model.Rank * p.stages; p.Budget < least {
		return budgetError("GSE", p.Budget, least)
	}
	p.left = p.Budget
	return nil
}

// Ask implements explore.Policy.
func (p *GSE) Ask(dst []explore.Pull) ([]explore.Pull, error) { return p.halving.Ask(dst, p.plan) }

func (p *GSE) plan() error {
	c, d, arms, err := p.halving.ActiveDesign()
	if err != nil {
		return err
	}
	n := p.left / (p.stages - p.halving.Stage + 1)
	a, err := design.Round(c, d.Weights, n, design.Best)
	if err != nil {
		return err
	}
	p.left -= n
	p.halving.Spread(arms, a.Counts)
	return nil
}

// Tell implements explore.Policy.
func (p *GSE) Tell(obs []explore.Batch) error {
	if err := p.halving.Tell(obs); err != nil {
		return err
	}
	keep := (len(p.halving.Survivors.Active) + p.eta - 1) / p.eta
	p.halving.Keep(keep, p.halving.Stage == p.stages)
	return nil
}

// Answer implements explore.Policy.
func (p *GSE) Answer() explore.Answer { return p.halving.Answer() }

// PEACE is the fixed-budget algorithm of Katz-Samuels, Jain, Karnin and Jamieson ("An Empirical
// Process Approach to the Union Bound: Practical Algorithms for Combinatorial and Linear Bandits",
// NeurIPS 2020). PEACE uses the width rho: the largest variance of a difference between two active
// items, under the design that minimises this variance.
//
// Question: the item z with the largest mean z'theta; rewards of arms x have mean x'theta. Items
// may be different from arms. Fixed budget.
//
// Assumptions: the same as those of [RAGE].
//
// Answers are not certified and have no reasons. The paper bounds the error probability in terms of
// the Gaussian width gamma, an expected maximum. For n items, gamma equals rho up to a factor log
// n.
//
// Deviations from the paper: as in the authors' later code, rho replaces gamma throughout. Unlike
// gamma, rho needs no Monte Carlo simulation. With rho in place of gamma, the paper's
// fixed-confidence algorithm is RAGE, so this package does not implement the fixed-confidence
// algorithm separately. At least two items stay active, and the run spends the remaining budget on
// distinguishing the last two items. In the paper, the run ends early when one item remains.
//
// The run has max(2, ceil(log2 rho)) epochs of equal length, each with a design for the differences
// of the active items. After an epoch, PEACE keeps the largest number of leading items whose width
// rho is at most half the previous width, but at least two items. An epoch with two active items is
// the last epoch, and spends the rest of the budget. Each epoch computes O(log n) designs. PEACE
// spends exactly the whole budget.
type PEACE struct {
	// Budget is T, the number of pulls.
	Budget int
	// Tol is the relative gap to which designs are computed; zero means design.DefaultTol.
	Tol float64 `in:"[0,inf)" want:"a relative gap, at least 0"`

	halving linear.Halving
	pairs   *design.PairsCriterion
	design  *design.Design
	epochs  int // largest number of epochs
	left    int // remaining pulls
}

// Card implements explore.Describer.
func (*PEACE) Card() explore.Card {
	return explore.Card{
		Name:    "PEACE",
		Answers: []explore.Question{question.Best{}},
		Kind:    explore.FixedBudget,
		Needs:   []explore.Need{explore.SubGaussian{}, explore.Linear{}},
		Uses:    explore.UsesFeatures | explore.UsesItems,
		Bound:   "budget never exceeded",
		Source:  "Katz-Samuels, Jain, Karnin, Jamieson 2020, width rho",
		Key:     "katzsamuels2020empirical",
	}
}

// String returns the name of the policy, followed by its budget in parentheses.
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

// If at most two items are active, shorten makes the next epoch the last epoch.
func (p *PEACE) shorten() {
	if len(p.halving.Survivors.Active) <= 2 {
		p.epochs = p.halving.Stage + 1
	}
}

// solve computes the design for the differences of the active items.
func (p *PEACE) solve() (err error) {
	p.pairs, p.design, err = p.width(p.halving.Survivors.Active)
	return err
}

// width returns the design for the differences of the given items; the value of the design is rho.
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
	return c, d, nil // an imprecise design makes estimates less accurate, but does not increase the number of pulls
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
	// The search finds keep + 1, the smallest number of leading items for which the width is too
	// large.
	keep := 1 + sort.Search(len(order)-1, func(i int) bool {
		_, d, err := p.width(order[:i+2])
		if err != nil {
			failed = err
			return true
		}
		return d.Lower > p.design.Value/2 // true if the width is certainly above half the previous width
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
