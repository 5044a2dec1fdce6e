package complexity

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/design"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/question"
	"github.com/purexp/purexp/pkg/question/alternative"
)

// A GammaStar is the complexity of finding all epsilon-best items of a linear model with Gaussian
// rewards, or of arms without features. T* is the characteristic time
//
//	1/T* = max over weights w of min over displacements delta, after which other items
//	       are epsilon-best, of sum over arms k of w_k (x_k'delta)^2 / (2 sigma^2).
//
// The LinFACT paper writes (Gamma*)^-1 for T*, in pulls for sigma = 1. To compute T*, see
// [NewGammaStar] and, for the expression printed in the paper, [NewPaperGammaStar].
type GammaStar struct {
	// Lower and Upper are certified bounds on T* for sigma = 1. The weights prove Upper, and a
	// mixture of alternatives proves Lower. If no alternative exists, Lower and Upper are 0.
	Lower, Upper float64
	// Weights contains the optimal proportions of pulls.
	Weights []float64
	// Hardest is the change of the set that is cheapest at Weights; if the set cannot change,
	// Hardest.Item is -1. At the optimum, several changes are equally cheap. In a result of
	// NewPaperGammaStar, Hardest.Item is -1.
	Hardest alternative.Way
	// Sigma is the standard deviation of the rewards.
	Sigma float64
	// Iterations is the number of weight vectors that were evaluated.
	Iterations int
}

// gammaTol is the default relative width of the bracket of a GammaStar.
const gammaTol = 1e-4

// The following constants control the method of NewGammaStar.
const (
	gammaMost  = 40   // largest number of iterations
	gammaFloor = 1e-7 // least share of the total weight that is spread equally
	gammaNear  = 2.   // alternatives are considered up to this multiple of the least cost
	gammaWays  = 100  // largest number of new alternatives considered
	gammaCuts  = 300  // largest number of alternatives in the mixture
	gammaEnd   = .1   // width of the bracket below which cutting planes replace designs that no longer help
)

// NewGammaStar returns T* of the problem p, whose question must be question.AllEpsilonBest, for the
// true means of its items. Upper/Lower is at most 1 + tol; a tol of zero means 1e-4. If the arms
// have costs, T* bounds the expected cost instead of the number of pulls; weights are still
// proportions of pulls.
//
// If an item is on the threshold, so that T* is infinite, the error wraps question.ErrThreshold;
// for other questions, it wraps explore.ErrQuestion. If rounding errors prevent a bracket of
// relative width tol, NewGammaStar returns an error together with the best bracket. NewGammaStar
// panics if the number of means differs from the number of items.
//
// Method: the alternatives of one change of the set (an item leaves or enters) form a half-space,
// or lie in a half-space whose boundary contains the cheapest of them. If the alternatives of every
// change form a half-space, the best weights are an XY-optimal design. With new weights, other
// alternatives are cheapest, which gives new half-spaces for the next design. Because each
// half-space contains the alternatives of its change, the characteristic time of the weights never
// increases from design to design. The weights are optimal when their cheapest alternatives give
// the same half-spaces again. Two bounds certify how far the weights are from the optimum. The
// first bound comes from the mixture of alternatives in the certificate of the design. The second
// bound comes from a game in which nature mixes all alternatives found so far. Near the end,
// designs change the weights too little. Then, the next weights are halfway to the weights of the
// game, as in the method of cutting planes.
func NewGammaStar(p *explore.Problem, means []float64, tol float64) (*GammaStar, error) {
	q, x, err := gammaProblem(p, means)
	if err != nil {
		return nil, err
	}
	tol = cmp.Or(tol, gammaTol)
	if !(tol > 0) {
		return nil, fmt.Errorf("complexity: the tolerance is %v; expected a relative width such as 1e-4", tol)
	}
	z := p.Z
	if p.Costs != nil {
		per, err := p.PerCost()
		if err != nil {
			return nil, fmt.Errorf("complexity: %w", err)
		}
		x, z = per.X, per.Z
	}
	r, err := alternative.NewAllEpsilon(q, x, z)
	if err != nil {
		return nil, fmt.Errorf("complexity: Gamma*: %w", err)
	}
	r.SetMeans(means)
	s := &gammaSolver{r: r, x: x, tol: tol, pairs: map[[2]int]bool{}, high: math.Inf(1)}
	if err := s.run(); err != nil {
		return nil, err
	}
	p.Pulled(s.best)
	g := &GammaStar{Weights: s.best, Hardest: s.hardest, Sigma: p.Sigma, Iterations: s.rounds}
	if s.hardest.Item < 0 {
		return g, nil
	}
	g.Lower, g.Upper = 1/max(s.high, s.low), 1/s.low
	if g.Upper > g.Lower*(1+tol)*(1+1e-12) {
		return g, fmt.Errorf("complexity: T* is between %v and %v after %d iterations; the requested relative "+
			"width is %v; use a larger tolerance", g.Lower, g.Upper, s.rounds, tol)
	}
	return g, nil
}

// NewPaperGammaStar returns the expression of Theorem 3.2 of the LinFACT paper for the problem p
// and the true means of its items, ignoring costs. The argument tol and the errors are those of
// NewGammaStar. In Theorem 3.2, an item outside the set enters if it comes within epsilon of the
// best item, instead of all items. The paper states that the expression is a lower bound. In
// general, the expression is not a lower bound, because coming within epsilon of the best item need
// not change the set. The expression is at least T*, and may be larger.
//
// For multiplicative tolerances, which the paper does not consider, the error wraps
// explore.ErrQuestion.
func NewPaperGammaStar(p *explore.Problem, means []float64, tol float64) (*GammaStar, error) {
	q, x, err := gammaProblem(p, means)
	if err != nil {
		return nil, err
	}
	if q.Multiplicative {
		return nil, fmt.Errorf("complexity: Theorem 3.2 of the LinFACT paper needs an additive epsilon; use "+
			"NewGammaStar for a multiplicative epsilon: %w", explore.ErrQuestion)
	}
	z := p.Z
	if z == nil {
		z = x
	}
	n, h := z.Dims()
	best, threshold := floats.MaxIdx(means), q.Threshold(floats.Max(means))
	var y []float64
	add := func(i, j int, gap float64) {
		if i != j {
			for c, v := range z.RawRowView(i) {
				y = append(y, (v-z.At(j, c))/gap)
			}
		}
	}
	for i := range n {
		if means[i] < threshold {
			add(best, i, means[best]-means[i]-q.Epsilon)
			continue
		}
		for j := range n {
			add(i, j, means[i]-means[j]+q.Epsilon)
		}
	}
	tol = cmp.Or(tol, gammaTol)
	g := &GammaStar{Hardest: alternative.Way{Item: -1, By: -1}, Sigma: p.Sigma}
	if y == nil {
		g.Weights = slices.Repeat([]float64{1 / float64(p.K())}, p.K())
		return g, nil
	}
	d, err := design.XY(x, mat.NewDense(len(y)/h, h, y), &design.Options{Tol: tol})
	if d == nil {
		return nil, fmt.Errorf("complexity: Gamma*: %w", err)
	}
	g.Weights, g.Lower, g.Upper, g.Iterations = d.Weights, 2*d.Lower, 2*d.Value, d.Iterations
	return g, err
}

// LowerBound returns sigma^2 Lower kl(delta, 1 - delta). No method that is right with probability 1
// - delta on every instance has a smaller expected number of pulls on this instance; see
// TStar.LowerBound. (For a GammaStar of NewPaperGammaStar, LowerBound uses the paper's expression.)
func (g *GammaStar) LowerBound(delta float64) float64 {
	return LeastPulls(g.Sigma*g.Sigma*g.Lower, delta)
}

// gammaProblem returns the question and the features of p, or an error if GammaStar is not defined
// for p and the means.
func gammaProblem(p *explore.Problem, means []float64) (q question.AllEpsilonBest, x *mat.Dense, err error) {
	q, ok := p.Question.(question.AllEpsilonBest)
	if !ok {
		return q, nil, fmt.Errorf("complexity: Gamma*: the question is %T; expected "+
			"question.AllEpsilonBest: %w", p.Question, explore.ErrQuestion)
	}
	if err := p.CheckLinear(); err != nil {
		return q, nil, fmt.Errorf("complexity: Gamma* is for Gaussian rewards: %w", err)
	}
	if err := q.Validate(p); err != nil {
		return q, nil, fmt.Errorf("complexity: Gamma*: %w", err)
	}
	if len(means) != p.M() {
		panic(fmt.Sprintf("complexity: %d means; expected %d, one for each item", len(means), p.M()))
	}
	if best := floats.Max(means); q.Multiplicative && best <= q.Zero {
		return q, nil, fmt.Errorf("complexity: Gamma*: the largest mean is %v; expected more than "+
			"AllEpsilonBest.Zero = %v", best, q.Zero)
	}
	if err := q.Check(p, mat.NewDense(len(means), 1, slices.Clone(means))); err != nil {
		return q, nil, err
	}
	if x, err = p.Features(); err != nil {
		return q, nil, fmt.Errorf("complexity: %w", err)
	}
	return q, x, nil
}

// A gammaSolver is the state of NewGammaStar.
type gammaSolver struct {
	r   *alternative.AllEpsilon
	x   *mat.Dense // K x h
	tol float64

	low, high float64 // bracket of 1/T*
	unit      float64 // 1/T of the first weights, the unit of payoffs
	best      []float64
	hardest   alternative.Way
	rounds    int

	pairs map[[2]int]bool // whether y contains the change by which an item falls
	falls [][2]int        // keys of pairs, in the order of y
	y     []float64       // constant directions of the changes in falls, h numbers each
	// Items whose entry into the set the next design considers; its direction depends on the
	// weights.
	enter []int
	cuts  [][]float64 // for each alternative, the cost per unit of weight of each arm (K numbers)

	rows [][2]int // changes whose directions the next design uses
	mix  []mixed  // mixture that certifies the last design
}

// A mixed is a change of the set together with its weight in a certificate.
type mixed struct {
	way    [2]int // the item that changes, and the field By of the change
	weight float64
}

// run narrows the bracket of 1/T* until its relative width is within the tolerance, or gammaMost
// iterations have been made.
func (s *gammaSolver) run() error {
	k, h := s.x.Dims()
	w := slices.Repeat([]float64{1 / float64(k)}, k)
	s.hardest.Item, s.hardest.By = -1, -1
	s.best = slices.Clone(w)
	gap, cut, more := math.Inf(1), false, make([]float64, k)
	for ; ; s.rounds++ {
		s.spread(w, gammaFloor)
		near := gammaNear
		if s.rounds == 0 {
			near = math.Inf(1)
		}
		ways := s.r.Ways(nil, w, near, gammaWays, s.enter)
		if len(ways) == 0 {
			return nil
		}
		s.unit = cmp.Or(s.unit, ways[0].Cost)
		if f := ways[0].Cost; f > s.low {
			s.low, s.hardest = f, ways[0]
			copy(s.best, w)
		}
		s.certify(ways)
		y := s.directions(ways, w, h)
		// If an arm has no weight, its displacements cost nothing and do not improve the bound. To
		// find different displacements, increase the share of the weight that is divided equally.
		copy(more, w)
		s.spread(more, min(gap/8, .01))
		play := s.bound(s.r.Ways(ways, more, gammaNear, gammaWays, nil))
		if s.high <= s.low*(1+s.tol) || s.rounds == gammaMost {
			return nil
		}
		last := gap
		gap = s.high/s.low - 1
		stalled := gap > .7*last
		if stalled && gap < gammaEnd {
			cut = !cut
		}
		if cut {
			for i, v := range play {
				w[i] = (v + s.best[i]) / 2
			}
			continue
		}
		// The certificate of a design is as accurate as the design itself. In contrast, games
		// depend on the cost that each arm contributes to an alternative; the errors of these costs
		// are of the order of the square root of the design's gap.
		fine := max(math.Pow(min(gap, gammaEnd), 2)/8, 1e-10)
		if !stalled {
			fine = max(fine, s.tol/16)
		}
		d, err := design.XY(s.x, mat.NewDense(len(y)/h, h, y), &design.Options{
			Tol: fine, Start: s.best,
		})
		if d == nil {
			return fmt.Errorf("complexity: Gamma*: %w", err)
		}
		copy(w, d.Weights)
		s.mix = s.mix[:0]
		for _, c := range d.Critical {
			s.mix = append(s.mix, mixed{s.rows[c.I], c.Weight})
		}
	}
}

// certify computes an upper bound on 1/T* from the mixture of alternatives in the certificate of
// the last design. The certificate of a design with information matrix M is the mixture q of its
// directions y. In terms of the alternatives delta = M^-1 y/v with v = y'M^-1 y, which cost 1/(2
// v), q corresponds to the mixture with weights q v^2.
func (s *gammaSolver) certify(ways []alternative.Way) {
	total, sum := make([]float64, len(s.best)), 0.
	for _, q := range s.mix {
		for _, t := range ways {
			if q.way == [2]int{t.Item, t.By} {
				u := q.weight * math.Pow(s.unit/t.Cost, 2)
				for i, v := range t.Shift {
					total[i] += u * v * v / 2
				}
				sum += u
			}
		}
	}
	if sum > 0 {
		s.high = min(s.high, floats.Max(total)/sum)
	}
}

// spread distributes a share of the total weight equally over all arms.
func (s *gammaSolver) spread(w []float64, share float64) {
	for i := range w {
		w[i] = (1-share)*w[i] + share/float64(len(w))
	}
}

// directions returns one direction for each pair of items found so far, and one for each element of
// ways in which an item enters the set. Each half-space y'delta >= 1 contains the alternatives of
// its change, and touches them at the cheapest alternative.
func (s *gammaSolver) directions(ways []alternative.Way, w []float64, h int) []float64 {
	var moving []float64
	var entries [][2]int
	for _, t := range ways {
		key := [2]int{t.Item, t.By}
		if t.By >= 0 && s.pairs[key] {
			continue
		}
		row := make([]float64, h) // the direction is M(w) delta / (delta'M(w) delta)
		for i, v := range t.Shift {
			floats.AddScaled(row, w[i]*v/(2*t.Cost), s.x.RawRowView(i))
		}
		if t.By >= 0 {
			s.pairs[key] = true
			s.y = append(s.y, row...)
			s.falls = append(s.falls, key)
			continue
		}
		if !slices.Contains(s.enter, t.Item) {
			s.enter = append(s.enter, t.Item)
		}
		moving = append(moving, row...)
		entries = append(entries, key)
	}
	s.rows = append(slices.Clip(s.falls), entries...)
	return append(slices.Clip(s.y), moving...)
}

// bound solves the game in which nature mixes the alternatives found so far. The largest cost
// against nature's mixture is an upper bound on 1/T*. bound returns the weights that are best
// against this mixture.
func (s *gammaSolver) bound(ways []alternative.Way) (play []float64) {
	for _, t := range ways {
		cut := make([]float64, len(t.Shift))
		for i, v := range t.Shift {
			cut[i] = v * v / 2 / s.unit
		}
		s.cuts = append(s.cuts, cut)
	}
	if n := len(s.cuts) - gammaCuts; n > 0 {
		s.cuts = slices.Delete(s.cuts, 0, n)
	}
	a := mat.NewDense(len(s.best), len(s.cuts), nil)
	for j, c := range s.cuts {
		a.SetCol(j, c)
	}
	play, mix, _ := design.Game(a)
	total := make([]float64, len(s.best))
	for j, u := range mix {
		floats.AddScaled(total, u, s.cuts[j])
	}
	s.high = min(s.high, floats.Max(total)*s.unit)
	return play
}
