package policy

import (
	"fmt"
	"math/bits"
	"math/rand/v2"

	"github.com/purexp/purexp/pkg/design"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policy/internal/linear"
	"github.com/purexp/purexp/pkg/policy/internal/pareto"
	"github.com/purexp/purexp/pkg/question"
)

// GEGEFixedBudget is GEGE, G-optimal Empirical Gap Elimination (Kone, Kaufmann
// and Richert, "Bandit Pareto Set Identification in a Multi-Output Linear
// Model", Algorithm 2).
//
// Question: the Pareto set of the arms; an exact answer serves every relaxation
// of question.Pareto. Fixed budget. Features are optional: without them the
// policy is [EGESH] with fresh rewards.
//
// Assumptions: the means are linear in the features in each objective, and
// objectives are sub-Gaussian of scale Problem.Sigma.
//
// Guarantee (Theorem 1): the error probability is at most
// exp(-T/(1200 sigma^2 H2lin R) + log(2 d (K + h + R))) for a budget T of at
// least 45 h R, rank h of the features and R = ceil(log2 h), H2lin being that of
// question.Pareto.Complexity: the number of arms matters inside the logarithm
// only. Below 45 h R pulls the policy works, and says so in Result.Warnings. It
// is not certified at run time: answers come without reasons.
//
// Deviations from the paper: a stage has floor(T/R) pulls with R rounded up,
// where Algorithm 2 prints T/log2 h, which overspends unless h is a power of 2;
// with h = 1 there is one stage; the gap of an optimal arm i takes the D_j of
// the other arm, as equation (1) and the proofs do, not the D_i that is printed
// in (5); arms with the same features are one arm; designs are rounded to the
// better of two apportionments and checked, as the printed guarantee of the
// rounding does not hold for its kappa = 1/3.
//
// R stages of fresh rewards, each a G-optimal design among the arms still in,
// after which the ceil(h/2^r) arms with the smallest empirical gaps stay; the
// others are accepted if they look optimal and rejected if not. Cost a stage:
// one design, and O(A p d) for A active arms of which p look optimal. The budget
// is never exceeded; where the arms left are linearly independent, up to A - 1
// pulls a stage that no arm would profit from alone are not made.
type GEGEFixedBudget struct {
	// Budget is T, the number of pulls: at least h R.
	Budget int
	// Design computes the designs: design.MirrorDescent is that of the paper's
	// Algorithm 4. Zero means design.Certified, whose designs are as good with
	// fewer arms.
	Design design.Method

	stages pareto.Stages
	rounds int // R
}

// Card implements explore.Carded.
func (*GEGEFixedBudget) Card() explore.Card {
	return explore.Card{
		Name:     "GEGE, fixed budget",
		Answers:  []explore.Question{question.Pareto{}},
		Kind:     explore.FixedBudget,
		Needs:    []explore.Need{explore.SubGaussian{}, explore.Linear{}},
		Evidence: explore.OwnRounds,
		Uses:     explore.UsesFeatures,
		Bound:    "error decreases exponentially in T/(sigma² H2lin log h)",
		Source:   "Kone, Kaufmann, Richert 2025, Algorithm 2",
		Key:      "kone2025linear",
	}
}

// String returns the name with the budget.
func (p *GEGEFixedBudget) String() string {
	return label("GEGE", withBudget(p.Budget)+setting("design %v", p.Design))
}

// Init implements explore.Policy.
func (p *GEGEFixedBudget) Init(prob *explore.Problem, _ rand.Source) error {
	p.stages.Method = p.Design
	if err := p.stages.Init(prob); err != nil {
		return err
	}
	h := p.stages.Outputs.Model.Rank
	p.rounds = max(1, bits.Len(uint(h-1)))
	if p.stages.Outputs.Over {
		return nil
	}
	if least := h * p.rounds; p.Budget < least {
		return budgetError("GEGEFixedBudget", p.Budget, least)
	}
	if enough := 45 * h * p.rounds; p.Budget < enough {
		p.stages.Warn = append(p.stages.Warn,
			fmt.Errorf("policy: GEGEFixedBudget.Budget is %d; the bound on the error "+
				"probability is for at least %d pulls", p.Budget, enough))
	}
	return nil
}

// Ask implements explore.Policy.
func (p *GEGEFixedBudget) Ask(dst []explore.Pull) ([]explore.Pull, error) {
	return p.stages.Ask(dst, p.plan)
}

func (p *GEGEFixedBudget) plan() error { return p.stages.Spend(p.Budget / p.rounds) }

// Tell implements explore.Policy.
func (p *GEGEFixedBudget) Tell(obs []explore.Batch) error {
	if err := p.stages.Tell(obs); err != nil {
		return err
	}
	p.stages.Outputs.Keep(min(linear.CeilShift(p.stages.Outputs.Model.Rank, p.stages.Stage),
		len(p.stages.Outputs.Active)))
	return nil
}

// Answer implements explore.Policy. Before the last stage has ended, the items
// are those accepted and the active ones that look optimal.
func (p *GEGEFixedBudget) Answer() explore.Answer { return p.stages.Outputs.Answer() }

// Warnings implements explore.Warnings.
func (p *GEGEFixedBudget) Warnings() []error { return p.stages.Warn }
