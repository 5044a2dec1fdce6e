package policy

import (
	"fmt"
	"math/rand/v2"

	"github.com/purexp/purexp/pkg/design"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policy/internal/linear"
	"github.com/purexp/purexp/pkg/question/complexity"
)

var _ explore.Policy = (*XYOracle)(nil)

// XYOracle follows the optimal static allocation lambda* of the RAGE paper,
// equation (1), which depends on the true means: it is no method but a yardstick,
// for simulations.
//
// Question: the best item of a linear model, as for [RAGE]. Fixed confidence.
//
// Assumptions: those of RAGE; Means are the truth, with one best item.
//
// Guarantee: the answer is right with probability at least 1 - Delta, as it knows
// which n - 1 differences to be sure of, after about 2 psi* log(n/Delta) pulls.
//
// Deviations from the paper: as for [XYStatic].
//
// Cost: as for XYStatic, with n - 1 directions instead of n(n-1)/2.
type XYOracle struct {
	// Means are the true means of the items, in the order of the problem.
	Means []float64
	// Delta is the error probability. Zero means DefaultDelta.
	Delta float64
	// Growth is the factor by which phases grow. Zero means 1.1, the paper's.
	Growth float64
	// Design computes the design; Tol is its relative gap, zero means
	// design.DefaultTol.
	Design design.Method
	Tol    float64

	phases linear.Static
}

// String returns the name with the settings.
func (p *XYOracle) String() string {
	return linearName("XY-oracle, knows the means", p.Delta) + growthName(p.Growth, 1.1) +
		designName(p.Design)
}

// Init implements explore.Policy.
func (p *XYOracle) Init(prob *explore.Problem, _ rand.Source) error {
	delta, _, err := confidence(p.Delta, nil)
	if err != nil {
		return err
	}
	l := &p.phases.Model
	if err := l.Init(prob); err != nil {
		return err
	}
	if len(p.Means) != prob.M() {
		return fmt.Errorf("policy: XYOracle.Means has %d numbers; want the true means of %d items",
			len(p.Means), prob.M())
	}
	means := make([]float64, l.N)
	for c, i := range l.First {
		means[c] = p.Means[i]
	}
	var c design.Criterion
	if l.N > 1 {
		y, err := complexity.Towards(l.Z, means)
		if err != nil {
			return fmt.Errorf("policy: XYOracle: %w", err)
		}
		if c, err = design.NewXY(l.X, y); err != nil {
			return err
		}
	}
	return p.phases.Start(prob, "XYOracle", delta, p.Growth, 1.1, float64(l.N), c,
		&design.Options{Tol: p.Tol, Method: p.Design})
}

// Ask implements explore.Policy.
func (p *XYOracle) Ask(dst []explore.Pull) ([]explore.Pull, error) { return p.phases.Ask(dst) }

// Tell implements explore.Policy.
func (p *XYOracle) Tell(obs []explore.Batch) error { return p.phases.Tell(obs) }

// Answer implements explore.Policy.
func (p *XYOracle) Answer() explore.Answer { return p.phases.Survivors.Answer() }

// Warnings implements explore.Warner: a design that misses its tolerance.
func (p *XYOracle) Warnings() []error { return p.phases.Warn }
