package policy

import (
	"math/rand/v2"

	"github.com/purexp/purexp/pkg/design"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policy/internal/linear"
	"github.com/purexp/purexp/pkg/question"
)

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
// drawing arms from it; it is within Tol of optimal, certified. Draw and Design
// choose the printed forms, and [XYStaticPrinted] both. The test is the appendix's,
// which unlike the authors' code advances t by one a phase.
//
// One design for all differences of items, then phases that each test whether
// the leader beats every other item. Cost a phase: O(n m), whatever the number
// of pulls.
type XYStatic struct {
	// Delta is the error probability. Zero means DefaultDelta.
	Delta float64
	// Growth is the factor by which phases grow. Zero means 1.35, the paper's.
	Growth float64 `label:"growth %v" usual:"1.35" in:"(1,16]" want:"a factor above 1 by which phases grow, at most 16"`
	// Draw draws the arms of a phase from the design, as printed.
	Draw bool `label:"arms drawn"`
	// Design computes the design; Tol is its relative gap, zero means
	// design.DefaultTol.
	Design design.Method `label:"design %v"`
	Tol    float64       `in:"[0,inf)" want:"a relative gap, at least 0"`

	phases linear.Static
}

// Card implements explore.Carded.
func (*XYStatic) Card() explore.Card {
	return explore.Card{
		Name:      "XY-static",
		Answers:   []explore.Question{question.Best{}},
		Certifies: explore.CertifiesSet,
		Needs:     []explore.Need{explore.SubGaussian{}, explore.Linear{}},
		Evidence:  explore.OwnRounds,
		Uses:      explore.UsesFeatures | explore.UsesItems | explore.UsesRelaxations,
		Bound:     "pulls of order rho log(n²/delta)/gap²",
		Source:    "Soare, Lazaric, Munos 2014",
		Key:       "soare2014best",
	}
}

// XYStaticPrinted returns the method of the RAGE paper's appendix F: arms drawn
// from a design by plain Frank-Wolfe.
func XYStaticPrinted(delta float64) *XYStatic {
	return &XYStatic{Delta: delta, Draw: true, Design: design.FrankWolfePaper}
}

// String returns the name with the settings.
func (p *XYStatic) String() string { return named("XY-static", p) }

// Init implements explore.Policy.
func (p *XYStatic) Init(prob *explore.Problem, src rand.Source) error {
	delta, _, err := checked(p, p.Delta, nil)
	if err != nil {
		return err
	}
	if err := p.phases.Model.Init(prob); err != nil {
		return err
	}
	c, err := design.NewPairs(p.phases.Model.X, p.phases.Model.Z)
	if err != nil {
		return err
	}
	n := float64(p.phases.Model.N)
	err = p.phases.Start(prob, "XYStatic", delta, p.Growth, 1.35, n*n, c,
		&design.Options{Tol: p.Tol, Method: p.Design})
	if p.Draw {
		p.phases.Random(src)
	}
	return err
}

// Ask implements explore.Policy.
func (p *XYStatic) Ask(dst []explore.Pull) ([]explore.Pull, error) { return p.phases.Ask(dst) }

// Tell implements explore.Policy.
func (p *XYStatic) Tell(obs []explore.Batch) error { return p.phases.Tell(obs) }

// Answer implements explore.Policy.
func (p *XYStatic) Answer() explore.Answer { return p.phases.Survivors.Answer() }

// Warnings implements explore.Warnings: a design that misses its tolerance.
func (p *XYStatic) Warnings() []error { return p.phases.Warn }
