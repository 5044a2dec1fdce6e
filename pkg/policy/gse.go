package policy

import (
	"cmp"
	"math/rand/v2"

	"github.com/purexp/purexp/pkg/design"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policy/internal/linear"
	"github.com/purexp/purexp/pkg/question"
)

// GSE is Generalized Successive Elimination (Azizi, Kveton and Ghavamzadeh,
// "Fixed-Budget Best-Arm Identification in Structured Bandits", IJCAI 2022), its
// linear form with G-optimal designs.
//
// Question: the best arm of a linear model. Fixed budget; items are the arms.
//
// Assumptions: those of [ODLinBAI].
//
// Guarantee: an error probability that decreases exponentially in
// T gap^2/(m log_Eta K), for the smallest gap, budget T and rank m. It is not
// certified at run time: answers come without reasons.
//
// Deviations from the paper: least squares without ridge; pulls are rounded
// efficiently instead of drawn or chosen greedily.
//
// ceil(log_Eta K) stages of equal length, each a G-optimal design among the arms
// still in, after which one in Eta remains, rounded up. Cost a stage: one design.
// The budget is spent, and never exceeded.
type GSE struct {
	// Budget is T, the number of pulls.
	Budget int
	// Eta is how many times fewer arms each stage leaves. Zero means 2.
	Eta int `label:"eta %d" usual:"2" in:"[2,inf)" want:"at least 2"`

	halving linear.Halving
	eta     int
	stages  int
	left    int // pulls
}

// Card implements explore.Carded.
func (*GSE) Card() explore.Card {
	return explore.Card{
		Name:     "GSE",
		Answers:  []explore.Question{question.Best{}},
		Kind:     explore.FixedBudget,
		Needs:    []explore.Need{explore.SubGaussian{}, explore.Linear{}},
		Evidence: explore.OwnRounds,
		Uses:     explore.UsesFeatures,
		Bound:    "error decreases exponentially in T gap²/(m log K)",
		Source:   "Azizi, Kveton, Ghavamzadeh 2022",
		Key:      "azizi2022fixed",
	}
}

// String returns the name with the settings.
func (p *GSE) String() string { return named("GSE", p) }

// Init implements explore.Policy.
func (p *GSE) Init(prob *explore.Problem, _ rand.Source) error {
	if _, _, err := checked(p, 0, nil); err != nil {
		return err
	}
	p.eta = cmp.Or(p.Eta, 2)
	if err := measurable(prob, "GSE"); err != nil {
		return err
	}
	if err := p.halving.Init(prob); err != nil {
		return err
	}
	p.stages = 0
	for n := 1; n < p.halving.Model.N; n *= p.eta {
		p.stages++
	}
	if least := p.halving.Model.Rank * p.stages; p.Budget < least {
		return budgetError("GSE", p.Budget, least)
	}
	p.left = p.Budget
	return nil
}

// Ask implements explore.Policy.
func (p *GSE) Ask(dst []explore.Pull) ([]explore.Pull, error) { return p.halving.Ask(dst, p.plan) }

func (p *GSE) plan() error {
	c, d, arms, err := p.halving.ActiveDesign()
	if err != nil {
		return err
	}
	n := p.left / (p.stages - p.halving.Stage + 1)
	a, err := design.Round(c, d.Weights, n, design.Best)
	if err != nil {
		return err
	}
	p.left -= n
	p.halving.Spread(arms, a.Counts)
	return nil
}

// Tell implements explore.Policy.
func (p *GSE) Tell(obs []explore.Batch) error {
	if err := p.halving.Tell(obs); err != nil {
		return err
	}
	keep := (len(p.halving.Survivors.Active) + p.eta - 1) / p.eta
	p.halving.Keep(keep, p.halving.Stage == p.stages)
	return nil
}

// Answer implements explore.Policy.
func (p *GSE) Answer() explore.Answer { return p.halving.Answer() }
