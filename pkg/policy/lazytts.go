package policy

import (
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/design"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policy/internal/game"
	"github.com/purexp/purexp/pkg/policy/internal/linear"
)

var _ explore.Policy = (*LazyTrackAndStop)(nil)

// LazyTrackAndStop is Lazy Track-and-Stop (Jedra and Proutiere, "Optimal Best-Arm
// Identification in Linear Bandits", NeurIPS 2020, Algorithm 1).
//
// Question: the best item z, by z'theta, when rewards of arms x have mean
// x'theta, up to question.Best{Epsilon}. Items need not be arms. Fixed
// confidence.
//
// Assumptions: the means are linear in the features, rewards are sub-Gaussian of
// scale Problem.Sigma, differences of items lie in the span of the arms.
//
// Guarantee: with SelfNormalized the answer is right with probability at least
// 1 - Delta; the paper proves that pulls are of order T* log(1/Delta)
// for small Delta, T* the characteristic time, for its own threshold.
//
// Deviations from the paper: the spanning arms are chosen by pivoting, and
// pulled (the authors' code adds them to the information without rewards). The
// least eigenvalue that calls for exploration is measured relative to the
// information of the spanning arms, so that units of features do not matter;
// this explores at least as much. The determinant in the threshold is bounded
// likewise: see [SelfNormalized]. With Epsilon > 0, gaps are enlarged by it. Ties
// go to the lowest index.
//
// Each round pulls the next spanning arm if the least eigenvalue of the
// information is below sqrt(t/m), and otherwise the arm that lags furthest
// behind the average of the designs so far. A design for the differences
// (z_b - z_j)/gap_j from the leader is computed only when t passes a power of
// Lazy. Cost: O(m^2 + (K + n) m) a round, O(m^3) in the rare rounds in which the
// eigenvalue needs a look.
type LazyTrackAndStop struct {
	// Delta is the error probability. Zero means DefaultDelta.
	Delta float64
	// Threshold is the stopping threshold. Nil means SelfNormalized{}, whose U
	// is the paper's u; Heuristic{} has no guarantee.
	Threshold Threshold
	// Lazy is the factor by which the number of pulls grows between designs.
	// Zero means 2.
	Lazy float64
	// Tol is the relative gap of the designs. Zero means design.DefaultTol.
	Tol float64

	sequential linear.Sequential
	delta      float64
	beta       Threshold
	lazy       float64
	weights    []float64 // K: the design in use
	designs    []float64 // K: sum of the designs of all rounds
	due        float64   // pulls at which the next design is due

	exploration linear.Exploration
	warn        []error
}

// String returns the name with the settings.
func (p *LazyTrackAndStop) String() string {
	s := linearName("Lazy TTS", p.Delta) + thresholdName(p.Threshold)
	if p.Lazy != 0 && p.Lazy != 2 {
		s += fmt.Sprintf(", lazy %v", p.Lazy)
	}
	return s
}

// Init implements explore.Policy.
func (p *LazyTrackAndStop) Init(prob *explore.Problem, _ rand.Source) (err error) {
	if p.delta, _, err = confidence(p.Delta, nil); err != nil {
		return err
	}
	if p.beta, err = threshold(p.Threshold); err != nil {
		return err
	}
	if p.lazy = p.Lazy; p.lazy == 0 {
		p.lazy = 2
	}
	if !(p.lazy > 1 && p.lazy <= 16) {
		return fmt.Errorf("policy: LazyTrackAndStop.Lazy is %v; want a factor above 1 between "+
			"designs, at most 16", p.Lazy)
	}
	if !(p.Tol >= 0) || math.IsInf(p.Tol, 1) {
		return fmt.Errorf("policy: LazyTrackAndStop.Tol is %v; want a relative gap, at least 0",
			p.Tol)
	}
	if err := p.sequential.Init(prob, 0, true); err != nil {
		return err
	}
	k, m := p.sequential.K, p.sequential.Rank
	p.weights, p.designs = make([]float64, k), make([]float64, k)
	for i := range k { // uniform, until the first design and during the start
		p.weights[i] = 1 / float64(k)
		p.designs[i] = float64(m) / float64(k)
	}
	for p.due = 1; p.due <= float64(m); {
		p.due *= p.lazy
	}
	p.exploration.Init(&p.sequential.Model)
	p.warn = nil
	return nil
}

// Ask implements explore.Policy.
func (p *LazyTrackAndStop) Ask(dst []explore.Pull) ([]explore.Pull, error) {
	return p.sequential.Ask(dst)
}

// Tell implements explore.Policy.
func (p *LazyTrackAndStop) Tell(obs []explore.Batch) error {
	s := &p.sequential
	if err := s.Tell(obs); err != nil {
		return err
	}
	p.exploration.Add(obs)
	if s.Test(p.beta.Beta(evidence(s, p.delta))); s.Over {
		return nil
	}
	if float64(s.Pulls) >= math.Ceil(p.due) {
		for p.due <= float64(s.Pulls) {
			p.due *= p.lazy
		}
		if err := p.design(); err != nil {
			return err
		}
	}
	floats.AddScaled(p.designs, s.Due(), p.weights)
	// The information of the start is the identity in these coordinates.
	if level := math.Sqrt(float64(s.Pulls) / float64(s.Rank)); level > 1 {
		if arm, due := p.exploration.Due(level); due {
			s.Next = arm
			return nil
		}
	}
	s.Next = game.Lagging(s.Fit.Weights(), p.designs)
	return nil
}

// design computes the proportions for the estimated gaps. Where the leader is
// tied there is none, and those in use are kept.
func (p *LazyTrackAndStop) design() error {
	s := &p.sequential
	mean := s.Fit.Means()
	top, least := mean[s.Best]+s.Epsilon, inf
	for i, v := range mean {
		if i != s.Best {
			least = min(least, top-v)
		}
	}
	if least <= 0 {
		return nil
	}
	y := mat.NewDense(s.N, s.Rank, nil)
	for i, v := range mean {
		if i != s.Best {
			row := y.RawRowView(i)
			floats.SubTo(row, s.Item(s.Best), s.Item(i))
			floats.Scale(least/(top-v), row)
		}
	}
	c, err := design.NewXY(s.X, y)
	if err != nil {
		return fmt.Errorf("policy: LazyTrackAndStop, design after %d pulls: %w", s.Pulls, err)
	}
	d, err := c.Solve(&design.Options{Tol: p.Tol})
	if d == nil {
		return fmt.Errorf("policy: LazyTrackAndStop, design after %d pulls: %w", s.Pulls, err)
	}
	if err != nil {
		p.warn = append(p.warn, fmt.Errorf("policy: LazyTrackAndStop, after %d pulls: the "+
			"design may need %.3g %% more pulls than the best one: %w", s.Pulls, 100*d.Gap(), err))
	}
	copy(p.weights, d.Weights)
	return nil
}

// Answer implements explore.Policy.
func (p *LazyTrackAndStop) Answer() explore.Answer { return p.sequential.Answer() }

// Warnings implements explore.Warner: designs that miss their tolerance.
func (p *LazyTrackAndStop) Warnings() []error { return p.warn }
