package linear

import (
	"cmp"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/design"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policy/internal/game"
)

// Lazy is the sampling rule of lazy track-and-stop (Jedra and Proutiere, NeurIPS 2020, Algorithm
// 1): exploration is forced where the least eigenvalue of the information is low, and otherwise
// the arm is pulled that lags furthest behind the designs of all rounds so far. A design is
// computed only when the number of pulls passes a power of a factor.
type Lazy struct {
	s           *Sequential
	policy      string // named in errors
	factor      float64
	tol         float64   // relative gap of the designs
	weights     []float64 // K: the design in use
	designs     []float64 // K: sum of the designs of all rounds
	due         float64   // pulls at which the next design is due
	exploration Exploration
	warn        []error
}

// Init prepares for the run of s, which is prepared. A factor of zero means 2, a tolerance of
// zero design.DefaultTol.
func (z *Lazy) Init(s *Sequential, policy string, factor, tol float64) error {
	factor = cmp.Or(factor, 2)
	*z = Lazy{s: s, policy: policy, factor: factor, tol: tol, due: 1,
		weights: make([]float64, s.K), designs: make([]float64, s.K)}
	for i := range s.K { // uniform, until the first design and during the start
		z.weights[i] = 1 / float64(s.K)
		z.designs[i] = float64(s.Rank) / float64(s.K)
	}
	for z.due <= float64(s.Rank) {
		z.due *= factor
	}
	z.exploration.Init(&s.Model)
	return nil
}

// Add takes the rewards of a round into account.
func (z *Lazy) Add(obs []explore.Batch) { z.exploration.Add(obs) }

// Choose sets the arm to pull next. If a design is due it is the one for the directions, in rows;
// with none, the design in use is kept.
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
	// The information of the start is the identity in these coordinates.
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

// Warnings are about designs that miss their tolerance.
func (z *Lazy) Warnings() []error { return z.warn }

// KeepDesign keeps the design in use, however many pulls there will be.
func (z *Lazy) KeepDesign() { z.due = inf }
