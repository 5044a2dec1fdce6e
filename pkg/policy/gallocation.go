package policy

import (
	"math/rand/v2"

	"github.com/purexp/purexp/pkg/design"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policy/internal/linear"
	"github.com/purexp/purexp/pkg/question"
)

// GAllocation is the G-allocation (Soare, Lazaric and Munos, "Best-Arm
// Identification in Linear Bandits", NeurIPS 2014): it measures so that the mean
// of each arm is known, not the differences that matter.
//
// Question: the best item of a linear model, as for [RAGE]. Fixed confidence.
//
// Assumptions: those of RAGE.
//
// Guarantee: that of [XYStatic], with 4 m in place of rho for rank m if the items
// are the arms.
//
// Deviations from the paper: phases and test are those of [XYStatic], so that
// the two differ in the design only; the paper tests after every pull, with
// larger constants.
//
// Cost: as for XYStatic, with a design that is found much faster.
type GAllocation struct {
	// Delta is the error probability. Zero means DefaultDelta.
	Delta float64
	// Growth is the factor by which phases grow. Zero means 1.35.
	Growth float64 `label:"growth %v" usual:"1.35" in:"(1,16]" want:"a factor above 1 by which phases grow, at most 16"`
	// Tol is the relative gap of the design. Zero means design.DefaultTol.
	Tol float64 `in:"[0,inf)" want:"a relative gap, at least 0"`

	phases linear.Static
}

// Card implements explore.Carded.
func (*GAllocation) Card() explore.Card {
	return explore.Card{
		Name:      "G-allocation",
		Answers:   []explore.Question{question.Best{}},
		Certifies: explore.CertifiesSet,
		Needs:     []explore.Need{explore.SubGaussian{}, explore.Linear{}},
		Evidence:  explore.OwnRounds,
		Uses:      explore.UsesFeatures | explore.UsesItems | explore.UsesRelaxations,
		Source:    "Soare, Lazaric, Munos 2014",
		Key:       "soare2014best",
	}
}

// String returns the name with the settings.
func (p *GAllocation) String() string { return named("G-allocation", p) }

// Init implements explore.Policy.
func (p *GAllocation) Init(prob *explore.Problem, _ rand.Source) error {
	delta, _, err := checked(p, p.Delta, nil)
	if err != nil {
		return err
	}
	if err := p.phases.Model.Init(prob); err != nil {
		return err
	}
	c, err := design.NewG(p.phases.Model.X)
	if err != nil {
		return err
	}
	n := float64(p.phases.Model.N)
	return p.phases.Start(prob, "GAllocation", delta, p.Growth, 1.35, n*n, c,
		&design.Options{Tol: p.Tol})
}

// Ask implements explore.Policy.
func (p *GAllocation) Ask(dst []explore.Pull) ([]explore.Pull, error) { return p.phases.Ask(dst) }

// Tell implements explore.Policy.
func (p *GAllocation) Tell(obs []explore.Batch) error { return p.phases.Tell(obs) }

// Answer implements explore.Policy.
func (p *GAllocation) Answer() explore.Answer { return p.phases.Survivors.Answer() }

// Warnings implements explore.Warnings: a design that misses its tolerance.
func (p *GAllocation) Warnings() []error { return p.phases.Warn }
