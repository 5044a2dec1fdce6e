package linear

import (
	"cmp"
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/design"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/lsq"
	"github.com/purexp/purexp/pkg/policy/internal/arms"
	"github.com/purexp/purexp/pkg/policy/internal/game"
	"github.com/purexp/purexp/pkg/policy/internal/memory"
	"github.com/purexp/purexp/pkg/policy/internal/patience"
)

// Sequential is the common part of policies for linear models that pull one arm per round.
// Sequential consists of an initial round that spans the model, and an estimate that is updated
// after every reward. For most policies, Sequential also includes a test by generalised likelihood
// ratios.
type Sequential struct {
	Model
	Prob  *explore.Problem
	Fit   *lsq.Tracker
	Start []int // arms of the first round
	reg   float64

	begun  bool
	Pulls  int
	latest int     // number of rewards in the last Tell; 0 for the initial round
	base   float64 // log determinant of the information after the initial round
	Best   int     // the leader: the distinct item with the largest estimate
	Next   int     // the next arm to pull
	Over   bool
	Width  float64 // the half-width of a difference is Width times its norm

	expected [1]float64 // scratch
}

// Init initialises s for the problem p, with reg as the weight of the squared norm of theta in
// least squares. The initial round is one reward of each arm or, if span is true, of each arm in a
// set that spans the model.
func (s *Sequential) Init(p *explore.Problem, reg float64, span bool) error {
	*s = Sequential{Prob: p}
	if err := s.Model.Init(p); err != nil {
		return err
	}
	s.Over = s.known()
	return s.begin(reg, span)
}

// Features initialises s for any question, as Init does, with an initial round of arms that span
// the model. Unlike Init, Features does not set Over.
func (s *Sequential) Features(p *explore.Problem) error {
	*s = Sequential{Prob: p}
	if err := s.Model.Features(p); err != nil {
		return err
	}
	return s.begin(0, true)
}

func (s *Sequential) begin(reg float64, span bool) error {
	s.Start, s.reg = s.Span.Points(), reg
	if reg > 0 {
		if err := s.isometric(); err != nil {
			return err
		}
	}
	if !span {
		s.Start = memory.UpTo(nil, s.K)
	}
	s.Fit = s.Model.Tracker(reg)
	return nil
}

// isometric changes coordinates so that inner products of arms equal those of the original
// features. The norm of theta is then the same as in the original coordinates.
func (s *Sequential) isometric() error {
	if s.Prob.X == nil {
		return nil // the canonical basis is isometric
	}
	_, h := s.Prob.X.Dims()
	basis := mat.NewDense(h, s.Rank, nil)
	b, e := make([]float64, h), make([]float64, h)
	for c, i := range s.Span.Points() {
		if s.Rank == h { // the features themselves are the coordinates
			basis.Set(c, c, 1)
			continue
		}
		copy(b, s.Prob.X.RawRowView(i))
		size := floats.Norm(b, 2)
		for range 2 { // after two passes of Gram-Schmidt, the basis is orthogonal up to rounding
			for p := range c {
				mat.Col(e, p, basis)
				floats.AddScaled(b, -floats.Dot(b, e), e)
			}
		}
		left := floats.Norm(b, 2)
		if !(left > 1e-12*size) {
			return errors.New("policy: the sizes of the features differ too much for a bound on " +
				"the norm of theta; rescale the features, or leave Norm at 0")
		}
		floats.Scale(1/left, b)
		basis.SetCol(c, b)
	}
	same := s.Z == s.X
	s.X = mat.NewDense(s.K, s.Rank, nil)
	s.X.Mul(s.Prob.X, basis)
	if same {
		s.Z = s.X
		return nil
	}
	of := s.Prob.Z
	if of == nil {
		of = s.Prob.X
	}
	s.Z = mat.NewDense(s.N, s.Rank, nil)
	for c, i := range s.First {
		mat.NewVecDense(s.Rank, s.Z.RawRowView(c)).MulVec(basis.T(), of.RowView(i))
	}
	return nil
}

// Ask appends the pulls of the round. If the run does not end for a long time, rounds become
// longer, and finally Ask returns ErrUndecidable.
func (s *Sequential) Ask(dst []explore.Pull) ([]explore.Pull, error) {
	switch {
	case s.Over:
		return dst, nil
	case !s.begun:
		for _, i := range s.Start {
			dst = append(dst, explore.Pull{Arm: i, N: 1})
		}
		return dst, nil
	}
	return patience.Extend(append(dst, explore.Pull{Arm: s.Next, N: 1}), len(dst), s.Pulls, s.Prob, s)
}

// Due returns the number of rewards in the next round or in the last Tell, whichever is larger.
// Policies that track proportions multiply the current proportions by Due before adding them to the
// sum over rounds.
func (s *Sequential) Due() float64 { return float64(max(patience.Rewards(s.Pulls, 1), s.latest)) }

// Latest returns the number of rewards in the last Tell, or 0 if this Tell reported the initial
// round.
func (s *Sequential) Latest() int { return s.latest }

// Tell adds the rewards of the round.
func (s *Sequential) Tell(obs []explore.Batch) error {
	before := s.Pulls
	for _, b := range obs {
		s.Fit.Add(b.Arm, float64(b.N), b.Sum[0])
		s.Pulls += b.N
	}
	if s.latest = s.Pulls - before; !s.begun {
		if !s.Fit.Solve() {
			return errors.New("policy: the arms are too close to collinear for least squares; drop or rescale features")
		}
		s.begun, s.latest, s.base = true, 0, s.baseline()
	}
	s.Best = s.Fit.Best()
	return nil
}

// baseline returns the log determinant of the information matrix of one reward of each arm in the
// initial round, even if there were more rewards. The reason is that confidence bounds need an
// initial information matrix that does not depend on rewards.
func (s *Sequential) baseline() float64 {
	if s.Pulls == len(s.Start) {
		return s.Fit.LogDet()
	}
	least := s.Model.Tracker(s.reg)
	for _, i := range s.Start {
		least.Add(i, 1, 0)
	}
	least.Solve()
	return least.LogDet()
}

// Expected returns the estimated mean of an arm. The next call of Expected overwrites the returned
// slice.
func (s *Sequential) Expected(arm int) []float64 {
	s.expected[0] = s.Fit.Mean(s.Arm(arm))
	return s.expected[:]
}

// Test ends the run if the log-likelihood ratio of the leader against every other item exceeds
// beta. Test also sets Width to the half-width that corresponds to the threshold beta.
func (s *Sequential) Test(beta float64) {
	s.Width = s.Sigma * math.Sqrt(2*max(beta, 0))
	mean, square := s.Fit.Means(), s.Fit.Against(s.Best)
	top := mean[s.Best] + s.Epsilon
	for i, v := range square {
		if i == s.Best {
			continue
		}
		if gap := top - mean[i]; !(gap*gap > s.Width*s.Width*v) {
			return
		}
	}
	s.Over = true
}

// Answer implements explore.Policy.
func (s *Sequential) Answer() explore.Answer {
	if !s.begun {
		r := arms.Undecided(s.N)
		if s.Over {
			r[0].Class = explore.Optimal
		}
		return s.Model.Answer(class(0), r)
	}
	mean, square := s.Fit.Means(), s.Fit.Against(s.Best)
	return s.Model.Answer(class(s.Best), s.compare(s.Best, s.Over, func(i int) (margin, radius float64) {
		return mean[s.Best] - mean[i], s.Width * math.Sqrt(max(square[i], 0))
	}))
}

// Gained returns the increase of the log determinant of the information matrix since the initial
// round.
func (s *Sequential) Gained() float64 { return s.Fit.LogDet() - s.base }

// Lazy is the sampling rule of lazy track-and-stop (Jedra and Proutiere, NeurIPS 2020, Algorithm
// 1). Lazy explores if the least eigenvalue of the information matrix is low. If the least
// eigenvalue is high enough, Lazy pulls the arm that lags furthest behind the sum of the designs of
// all rounds so far. A new design is computed only when the number of pulls passes the next power
// of the field factor.
type Lazy struct {
	s           *Sequential
	policy      string // name of the policy in error messages
	factor      float64
	tol         float64   // relative gap of the designs
	weights     []float64 // K: current design
	designs     []float64 // K: sum of the designs of all rounds
	due         float64   // number of pulls at which the next design is due
	exploration Exploration
	warn        []error
}

// Init initialises z for the run of s, which must already be initialised. A factor of zero means 2,
// and a tolerance of zero means design.DefaultTol.
func (z *Lazy) Init(s *Sequential, policy string, factor, tol float64) error {
	factor = cmp.Or(factor, 2)
	*z = Lazy{s: s, policy: policy, factor: factor, tol: tol, due: 1,
		weights: make([]float64, s.K), designs: make([]float64, s.K)}
	for i := range s.K { // use uniform weights until the first design, and during the initial round
		z.weights[i] = 1 / float64(s.K)
		z.designs[i] = float64(s.Rank) / float64(s.K)
	}
	for z.due <= float64(s.Rank) {
		z.due *= factor
	}
	z.exploration.Init(&s.Model)
	return nil
}

// Add adds the information of the rewards of a round.
func (z *Lazy) Add(obs []explore.Batch) { z.exploration.Add(obs) }

// Choose selects the next arm to pull. If a new design is due, Choose computes the design for the
// rows of the matrix that the function directions returns. If directions returns nil, Choose keeps
// the current design.
func (z *Lazy) Choose(directions func() *mat.Dense) error {
	s := z.s
	if float64(s.Pulls) >= math.Ceil(z.due) {
		for z.due <= float64(s.Pulls) {
			z.due *= z.factor
		}
		if y := directions(); y != nil {
			if err := z.design(y); err != nil {
				return err
			}
		}
	}
	floats.AddScaled(z.designs, s.Due(), z.weights)
	// In the coordinates of the model, the information matrix of the initial round is the identity.
	if level := math.Sqrt(float64(s.Pulls) / float64(s.Rank)); level > 1 {
		if arm, due := z.exploration.Due(level); due {
			s.Next = arm
			return nil
		}
	}
	s.Next = game.Lagging(s.Fit.Weights(), z.designs)
	return nil
}

func (z *Lazy) design(y *mat.Dense) error {
	c, err := design.NewXY(z.s.X, y)
	if err != nil {
		return fmt.Errorf("policy: %s, design after %d pulls: %w", z.policy, z.s.Pulls, err)
	}
	d, err := c.Solve(&design.Options{Tol: z.tol})
	if d == nil {
		return fmt.Errorf("policy: %s, design after %d pulls: %w", z.policy, z.s.Pulls, err)
	}
	if err != nil {
		z.warn = append(z.warn, fmt.Errorf("policy: %s, after %d pulls: %w", z.policy, z.s.Pulls, d.Warning(err)))
	}
	copy(z.weights, d.Weights)
	return nil
}

// Warnings returns warnings about designs that miss their tolerance.
func (z *Lazy) Warnings() []error { return z.warn }

// KeepDesign keeps the current design for the rest of the run.
func (z *Lazy) KeepDesign() { z.due = inf }
