package linear

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/lapack/lapack64"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/purexp/purexp/pkg/design"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policy/internal/memory"
	"github.com/purexp/purexp/pkg/policy/internal/patience"
)

// Phases is the common part of policies that work in phases. Each phase has a design for the
// differences of the active items, rounded to whole numbers of pulls.
type Phases struct {
	prob      *explore.Problem
	Model     Model
	Survivors Survivors

	Pairs  *design.PairsCriterion
	Design *design.Design
	solved int // number of active items in the design, which identifies these items, because active sets are nested
	Phase  int // number of the phase, from 1
	Counts []int
	Warn   []error
}

// Init prepares the phases of a run on the problem prob.
func (p *Phases) Init(prob *explore.Problem) (err error) {
	*p = Phases{prob: prob}
	if err := p.Model.Init(prob); err != nil {
		return err
	}
	p.Survivors.Start(&p.Model)
	p.Pairs, err = design.NewPairs(p.Model.X, p.Model.Z)
	return err
}

// Solve computes the design for the active items, unless the previous phase had the same active
// items. If a certified design misses its tolerance, Solve adds a warning.
func (p *Phases) Solve(name string, o *design.Options) error {
	if p.solved == len(p.Survivors.Active) {
		return nil
	}
	p.Pairs.Keep(p.Survivors.Active)
	d, err := p.Pairs.Solve(o)
	if d == nil {
		return err
	}
	if err != nil && o.Method == design.Certified {
		p.Warn = append(p.Warn, fmt.Errorf("policy: %s, phase %d: %w", name, p.Phase, d.Warning(err)))
	}
	p.Design, p.solved = d, len(p.Survivors.Active)
	return nil
}

// Least returns a number of pulls with which rounding increases the variances at most by the
// fraction eps. Least is twice the size of the design's support divided by eps (Pukelsheim and
// Rieder 1992; RAGE paper, Proposition 2).
func (p *Phases) Least(eps float64) int {
	return Ceil(2 * float64(len(p.Design.Support())) / eps)
}

// Round sets the counts to want pulls in all, in the proportions of the design. If rounding so few
// pulls could increase the variances by more than the fraction eps, Round uses the smallest
// sufficient number.
func (p *Phases) Round(want, eps float64) error {
	if want > MostPulls {
		return p.Survivors.Tied(p.prob, want)
	}
	n := max(Ceil(want), p.Least(eps))
	a, err := design.Round(p.Pairs, p.Design.Weights, n, design.Efficient)
	if err != nil {
		return err
	}
	p.Counts = a.Counts
	return nil
}

// Ask appends the pulls of the current phase. At the beginning of a phase, Ask calls the function
// plan, which sets the pulls.
func (p *Phases) Ask(dst []explore.Pull, plan func() error) ([]explore.Pull, error) {
	if p.Survivors.Over {
		return dst, nil
	}
	if p.Counts == nil {
		p.Phase++
		if err := plan(); err != nil {
			return dst, err
		}
	}
	return Allocation(dst, p.Counts), nil
}

// Tell computes estimates from the rewards of the current phase alone. Tell then eliminates items;
// half-widths are width times the norm of a difference.
func (p *Phases) Tell(obs []explore.Batch, width float64) error {
	if err := p.Survivors.tell(obs); err != nil {
		return err
	}
	p.Survivors.update(width, obs)
	p.Counts = nil
	return nil
}

// Active returns the number of distinct items that are active.
func (p *Phases) Active() int { return len(p.Survivors.Active) }

// Static is the common part of policies that sample in fixed proportions. One design is used for
// phases of growing length, with a test after each phase.
//
// With the growth factor g, phase t ends at N_t = g + g^2 + ... + g^t pulls, where each term is
// rounded up. At the end of phase t, arm i has ceil(N_t w_i) pulls, where w_i is the weight of arm
// i in the design. The actual number of pulls therefore exceeds N_t by at most the size of the
// design's support. If Random is used, the arms of a phase are drawn from the design instead.
type Static struct {
	prob      *explore.Problem
	Model     Model
	Survivors Survivors
	Design    *design.Design
	growth    float64
	pairs     float64 // number of pairs in the union bound
	delta     float64
	phase     int
	target    float64
	pulled    []int // by arm: number of pulls
	counts    []int // by arm: pulls of the current phase; nil before the phase is planned
	rnd       *rand.Rand
	Warn      []error
}

// Start computes the design for criterion c, and initialises the phases.
func (p *Static) Start(prob *explore.Problem, name string, delta, growth, usual, pairs float64,
	c design.Criterion, o *design.Options) error {
	growth = cmp.Or(growth, usual)
	p.prob, p.growth, p.pairs, p.delta = prob, growth, pairs, delta
	p.phase, p.target, p.counts, p.rnd, p.Warn = 0, 0, nil, nil, nil
	p.pulled = memory.Zeroed(p.pulled, p.Model.K)
	p.Survivors.Start(&p.Model)
	if p.Survivors.Over {
		return nil
	}
	d, err := c.Solve(o)
	if d == nil {
		return err
	}
	if err != nil && o.Method == design.Certified {
		p.Warn = append(p.Warn, fmt.Errorf("policy: %s: %w", name, d.Warning(err)))
	}
	p.Design = d
	return nil
}

// Random makes Ask draw the arms of each phase from the design at random, with the source src. If
// src is nil, a fixed seed is used.
func (p *Static) Random(src rand.Source) {
	if src == nil {
		src = rand.NewPCG(0, 0)
	}
	p.rnd = rand.New(src)
}

// Ask appends the pulls of the phase.
func (p *Static) Ask(dst []explore.Pull) ([]explore.Pull, error) {
	if p.Survivors.Over {
		return dst, nil
	}
	if p.counts == nil {
		if p.target > MostPulls {
			return dst, p.Survivors.Tied(p.prob, p.target)
		}
		p.counts = make([]int, p.Model.K)
		for Total(p.counts) == 0 {
			// Skip phases without pulls: counts are rounded up, so earlier phases may contain all
			// pulls of a short phase.
			p.phase++
			n := math.Ceil(math.Pow(p.growth, float64(p.phase)))
			p.target += n
			if p.rnd != nil {
				p.counts = Draw(Ceil(n), p.Design.Weights, p.rnd)
				continue
			}
			for i, w := range p.Design.Weights {
				p.counts[i] = Ceil(p.target*w) - p.pulled[i]
			}
		}
	}
	return Allocation(dst, p.counts), nil
}

// Tell adds the rewards of the phase, and tests whether the leader is the answer.
func (p *Static) Tell(obs []explore.Batch) error {
	for _, b := range obs {
		p.pulled[b.Arm] += b.N
	}
	p.counts = nil
	if err := p.Survivors.add(obs); err != nil {
		if p.rnd != nil && errors.Is(err, errCollinear) {
			return nil // the arms drawn so far do not distinguish all items
		}
		return err
	}
	t := float64(p.phase)
	p.Survivors.test(p.Model.Sigma * math.Sqrt(2*math.Log(2*t*t*p.pairs/p.delta)))
	return nil
}

// Halving is the common part of policies with a fixed budget that work in stages of fresh rewards;
// each stage discards the items with the smallest estimates.
type Halving struct {
	Model     Model
	Survivors Survivors
	Stage     int // number of the stage, from 1
	Counts    []int
}

// Init prepares the stages of a run on the problem prob.
func (p *Halving) Init(prob *explore.Problem) error {
	*p = Halving{}
	if err := p.Model.Init(prob); err != nil {
		return err
	}
	p.Survivors.Start(&p.Model)
	return nil
}

// Ask appends the pulls of the stage. At the beginning of a stage, Ask calls the function plan,
// which sets the counts.
func (p *Halving) Ask(dst []explore.Pull, plan func() error) ([]explore.Pull, error) {
	if p.Survivors.Over {
		return dst, nil
	}
	if p.Counts == nil {
		p.Stage++
		if err := plan(); err != nil {
			return dst, err
		}
	}
	return Allocation(dst, p.Counts), nil
}

// Tell processes the rewards of a stage, and sorts the active items by their estimates.
func (p *Halving) Tell(obs []explore.Batch) error {
	if err := p.Survivors.tell(obs); err != nil {
		return err
	}
	p.Survivors.estimate()
	p.Counts = nil
	return nil
}

// Keep keeps the n active items with the largest estimates. If the argument last is true, Keep ends
// the run.
func (p *Halving) Keep(n int, last bool) {
	p.Survivors.Keep(p.Survivors.Order[:n])
	p.Survivors.Over = last || n == 1
}

// Answer returns the leader without reasons, because policies with a fixed budget certify nothing.
func (p *Halving) Answer() explore.Answer {
	if p.Model.known() {
		return p.Survivors.Answer()
	}
	return p.Model.Answer(class(p.Survivors.best), nil)
}

// ActiveDesign returns a G-optimal design for estimating the means of the active items, and the
// arms in the design. If arms are equal, only one of them is in the design.
func (p *Halving) ActiveDesign() (c design.Criterion, d *design.Design, arms []int, err error) {
	x := mat.NewDense(len(p.Survivors.Active), p.Model.Rank, nil)
	arms = make([]int, len(p.Survivors.Active))
	for r, i := range p.Survivors.Active {
		x.SetRow(r, p.Model.Item(i))
		arms[r] = p.Model.First[i]
	}
	g, err := design.NewG(x)
	if err != nil {
		return nil, nil, nil, err
	}
	if d, err = g.Solve(nil); d == nil {
		return nil, nil, nil, err
	}
	// No error if the design misses its tolerance: estimates are then less accurate, but the budget
	// stays the same.
	return g, d, arms, nil
}

// Spread sets the counts of the given arms to n.
func (p *Halving) Spread(arms, n []int) {
	p.Counts = make([]int, p.Model.K)
	for r, a := range arms {
		p.Counts[a] = n[r]
	}
}

// ErrUndecidable reports that items are too close for a policy to decide between them.
var ErrUndecidable = patience.ErrUndecidable

// MostPulls is the largest number of pulls in a round. In longer rounds, the differences to be
// detected would be below rounding errors.
const MostPulls = 1e15

// Allocation appends the pulls in counts: for each arm, the number of pulls.
func Allocation(dst []explore.Pull, counts []int) []explore.Pull {
	for i, n := range counts {
		if n > 0 {
			dst = append(dst, explore.Pull{Arm: i, N: n})
		}
	}
	return dst
}

// Draw draws n points and returns how often each point was drawn. The weights w must sum to 1. The
// numbers are drawn one after another, each from its binomial distribution given the earlier
// numbers.
func Draw(n int, w []float64, rnd *rand.Rand) []int {
	counts := make([]int, len(w))
	left, mass := float64(n), 1.
	for i, v := range w {
		c := left
		switch q := v / mass; {
		case i == len(w)-1:
		case v == 0:
			c = 0
		case q < 1:
			c = distuv.Binomial{N: left, P: q, Src: rnd}.Rand()
		}
		counts[i] = int(c)
		left, mass = left-c, mass-v
	}
	return counts
}

// Total returns the sum of counts.
func Total(counts []int) int {
	n := 0
	for _, c := range counts {
		n += c
	}
	return n
}

// Ceil rounds a number of pulls up.
func Ceil(n float64) int { return int(math.Ceil(min(n, MostPulls))) }

// CeilShift returns ceil(m/2^r).
func CeilShift(m, r int) int { return (m + 1<<r - 1) >> r }

// Weights converts counts to weights for a design.Criterion.
func Weights(counts []int) []float64 {
	w := make([]float64, len(counts))
	for i, n := range counts {
		w[i] = float64(n)
	}
	return w
}

// Exploration keeps the least eigenvalue of the information matrix above a level, by forced rewards
// of spanning arms in cyclic order (Jedra and Proutiere 2020).
type Exploration struct {
	l     *Model
	info  []float64 // m x m, lower triangle
	chol  blas64.Symmetric
	least float64 // lower bound on the least eigenvalue of info
	turn  int     // position of the next spanning arm to explore
}

// Init initialises e for a model.
func (e *Exploration) Init(l *Model) {
	m := l.Rank
	*e = Exploration{l: l, info: make([]float64, m*m),
		chol: blas64.Symmetric{Uplo: blas.Lower, N: m, Stride: m, Data: make([]float64, m*m)}}
}

// Add adds the information of some rewards.
func (e *Exploration) Add(obs []explore.Batch) {
	m := e.l.Rank
	sym := blas64.Symmetric{Uplo: blas.Lower, N: m, Stride: m, Data: e.info}
	for _, b := range obs {
		blas64.Syr(float64(b.N), vector(e.l.Arm(b.Arm)), sym)
	}
}

// If the least eigenvalue is below level, Due returns the arm to explore and true.
func (e *Exploration) Due(level float64) (arm int, due bool) {
	if e.explored(level) {
		return 0, false
	}
	arm = e.l.Span.Points()[e.turn]
	e.turn = (e.turn + 1) % e.l.Rank
	return arm, true
}

// explored reports whether the least eigenvalue of the information matrix is at least level.
// The least eigenvalue never decreases, so one lower bound can serve for many rounds.
func (e *Exploration) explored(level float64) bool {
	if e.least >= level {
		return true
	}
	m := e.l.Rank
	above := func(level float64) bool {
		copy(e.chol.Data, e.info)
		for i := range m {
			e.chol.Data[i*m+i] -= level
		}
		_, ok := lapack64.Potrf(e.chol)
		return ok
	}
	// The margin allows for rounding errors if the eigenvalue equals the level.
	if !above(level * (1 - 1e-9)) {
		return false
	}
	e.least = level
	if above(1.05 * level) {
		e.least = 1.05 * level
	}
	return true
}
