package policy

import (
	"fmt"
	"math/rand/v2"

	"github.com/purexp/purexp/pkg/design"
	"github.com/purexp/purexp/pkg/explore"
)

var _ explore.Policy = (*XYStatic)(nil)

// XYStatic is the XY-allocation (Soare, Lazaric and Munos, "Best-Arm
// Identification in Linear Bandits", NeurIPS 2014) in the phases of the RAGE
// paper, appendix F.
//
// Question: the best item of a linear model, as for [RAGE]. Fixed confidence.
//
// Assumptions: those of RAGE.
//
// Guarantee: the answer is right with probability at least 1 - Delta: a union
// bound over ordered pairs of items and phases, sum of 1/(2 t^2) < 1. Pulls are of
// order rho log(n^2/Delta)/gap^2 for the smallest gap, rho the value of the
// design: up to a factor of the dimension more than an adaptive method needs.
//
// Deviations from the paper: the design is followed by rounding up instead of
// drawing arms from it; it is within Tol of optimal, certified. The test is the
// appendix's, which unlike the authors' code advances t by one a phase.
//
// One design for all differences of items, then phases that each test whether
// the leader beats every other item. Cost a phase: O(n m), whatever the number
// of pulls.
type XYStatic struct {
	// Delta is the error probability. Zero means DefaultDelta.
	Delta float64
	// Growth is the factor by which phases grow. Zero means 1.35, the paper's.
	Growth float64
	// Design computes the design; Tol is its relative gap, zero means
	// design.DefaultTol.
	Design design.Method
	Tol    float64

	p static
}

// String returns the name with the settings.
func (p *XYStatic) String() string {
	return linearName("XY-static", p.Delta) + growthName(p.Growth, 1.35) + designName(p.Design)
}

// growthName says that the growth of phases is not the usual one.
func growthName(growth, usual float64) string {
	if growth == 0 || growth == usual {
		return ""
	}
	return fmt.Sprintf(", growth %v", growth)
}

// designName says that designs are not certified.
func designName(m design.Method) string {
	if m == design.Certified {
		return ""
	}
	return ", design " + m.String()
}

// Init implements explore.Policy.
func (p *XYStatic) Init(prob *explore.Problem, _ rand.Source) error {
	delta, _, err := confidence(p.Delta, nil)
	if err != nil {
		return err
	}
	if err := p.p.l.init(prob); err != nil {
		return err
	}
	c, err := design.NewPairs(p.p.l.x, p.p.l.z)
	if err != nil {
		return err
	}
	n := float64(p.p.l.n)
	return p.p.start(prob, "XYStatic", delta, p.Growth, 1.35, n*n, c, &design.Options{Tol: p.Tol, Method: p.Design})
}

// Ask implements explore.Policy.
func (p *XYStatic) Ask(dst []explore.Pull) ([]explore.Pull, error) { return p.p.ask(dst) }

// Tell implements explore.Policy.
func (p *XYStatic) Tell(obs []explore.Batch) error { return p.p.tell(obs) }

// Answer implements explore.Policy.
func (p *XYStatic) Answer() explore.Answer { return p.p.s.Answer() }

// Warnings implements explore.Warner: a design that misses its tolerance.
func (p *XYStatic) Warnings() []error { return p.p.warn }
