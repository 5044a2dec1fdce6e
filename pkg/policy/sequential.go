package policy

import (
	"errors"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/lsq"
)

// sequential is what policies for a linear model share that pull one arm a
// round: a start that spans the model, an estimate that follows every reward,
// and, for most of them, a test by generalised likelihood ratios.
type sequential struct {
	linear
	prob  *explore.Problem
	fit   *lsq.Tracker
	start []int // arms pulled once at first

	begun bool
	pulls int
	base  float64 // log det of the information of the start
	best  int     // the leader: the distinct item with the largest estimate
	next  int     // the arm to pull
	over  bool
	width float64 // half-width of a difference is width times its norm
}

// init prepares for the problem p with the least-squares weight reg of the
// norm of theta, starting with one reward of each arm, or if span with arms
// that span the model only.
func (s *sequential) init(p *explore.Problem, reg float64, span bool) error {
	*s = sequential{prob: p}
	if err := s.linear.init(p); err != nil {
		return err
	}
	s.start = s.span.Points()
	if reg > 0 {
		if err := s.isometric(); err != nil {
			return err
		}
	}
	if !span {
		s.start = make([]int, s.k)
		for i := range s.start {
			s.start[i] = i
		}
	}
	s.over = s.known()
	s.fit = lsq.NewTracker(s.x, s.z, reg)
	return nil
}

// isometric changes to coordinates in which arms have the same inner products as
// in the original features, so that the norm of theta means the same in both.
func (s *sequential) isometric() error {
	if s.prob.X == nil {
		return nil // coordinates of the canonical basis are isometric
	}
	_, h := s.prob.X.Dims()
	basis := mat.NewDense(h, s.m, nil)
	b, e := make([]float64, h), make([]float64, h)
	for c, i := range s.span.Points() {
		if s.m == h { // the features themselves, whatever their units
			basis.Set(c, c, 1)
			continue
		}
		copy(b, s.prob.X.RawRowView(i))
		size := floats.Norm(b, 2)
		for range 2 { // Gram and Schmidt, twice is enough
			for p := range c {
				mat.Col(e, p, basis)
				floats.AddScaled(b, -floats.Dot(b, e), e)
			}
		}
		left := floats.Norm(b, 2)
		if !(left > 1e-12*size) {
			return errors.New("policy: the features differ so much in size that a bound on the norm of theta means nothing; scale them, or leave Norm at 0")
		}
		floats.Scale(1/left, b)
		basis.SetCol(c, b)
	}
	same := s.z == s.x
	s.x = mat.NewDense(s.k, s.m, nil)
	s.x.Mul(s.prob.X, basis)
	if same {
		s.z = s.x
		return nil
	}
	of := s.prob.Z
	if of == nil {
		of = s.prob.X
	}
	s.z = mat.NewDense(s.n, s.m, nil)
	for c, i := range s.first {
		mat.NewVecDense(s.m, s.z.RawRowView(c)).MulVec(basis.T(), of.RowView(i))
	}
	return nil
}

// ask appends the pulls of the round.
func (s *sequential) ask(dst []explore.Pull) []explore.Pull {
	switch {
	case s.over:
		return dst
	case !s.begun:
		for _, i := range s.start {
			dst = append(dst, explore.Pull{Arm: i, N: 1})
		}
		return dst
	}
	return append(dst, explore.Pull{Arm: s.next, N: 1})
}

// tell takes the rewards of the round.
func (s *sequential) tell(obs []explore.Batch) error {
	for _, b := range obs {
		s.fit.Add(b.Arm, float64(b.N), b.Sum[0])
		s.pulls += b.N
	}
	if !s.begun {
		if !s.fit.Solve() {
			return errors.New("policy: the arms are too close to collinear for least squares: some direction of the features is within rounding of the others; drop or rescale features")
		}
		s.begun, s.base = true, s.fit.LogDet()
	}
	s.best = s.fit.Best()
	return nil
}

// evidence returns what thresholds depend on.
func (s *sequential) evidence(delta float64) Evidence {
	return Evidence{Delta: delta, Pulls: s.pulls, Rank: s.m, LogDet: s.fit.LogDet() - s.base}
}

// test stops if the likelihood ratios of the leader against all others exceed
// beta, and notes the half-widths that this means.
func (s *sequential) test(beta float64) {
	s.width = s.sigma * math.Sqrt(2*max(beta, 0))
	mean, square := s.fit.Means(), s.fit.Against(s.best)
	top := mean[s.best] + s.epsilon
	for i, v := range square {
		if i == s.best {
			continue
		}
		if gap := top - mean[i]; !(gap*gap > s.width*s.width*v) {
			return
		}
	}
	s.over = true
}

// Answer implements explore.Policy.
func (s *sequential) Answer() explore.Answer {
	if !s.begun {
		r := s.undecided()
		if s.over {
			r[0].Class = explore.Optimal
		}
		return s.answer(0, r)
	}
	mean, square := s.fit.Means(), s.fit.Against(s.best)
	return s.answer(s.best, s.compare(s.best, s.over, func(i int) (margin, radius float64) {
		return mean[s.best] - mean[i], s.width * math.Sqrt(max(square[i], 0))
	}))
}
