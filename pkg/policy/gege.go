package policy

import (
	"cmp"
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"

	"github.com/purexp/purexp/pkg/design"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policy/internal/linear"
	"github.com/purexp/purexp/pkg/policy/internal/memory"
	"github.com/purexp/purexp/pkg/policy/internal/pareto"
	"github.com/purexp/purexp/pkg/question"
)

// GEGEFixedConfidence is GEGE, G-optimal Empirical Gap Elimination (Kone, Kaufmann and Richert,
// "Bandit Pareto Set Identification in a Multi-Output Linear Model", Algorithm 3).
//
// Question: the Pareto set of the arms, exact or relaxed by Epsilon of question.Pareto (section 3.3
// and appendix E.5 of the paper). The policy ignores Cover and AtMost, but its answer is also right
// for questions with Cover and AtMost. Fixed confidence. Features are optional.
//
// Assumptions: in each objective, the means are linear in the features, and rewards are
// sub-Gaussian of scale Problem.Sigma. If Epsilon is 0, two arms with different features and a gap
// of 0 lead to ErrUndecidable, whose text names the two arms.
//
// Guarantee (Theorem 3): with the constants GEGETheory, the answer is right with probability at
// least 1 - Delta. The number of pulls is of the order of the sum over the h smallest gaps of
// sigma^2/gap^2 log(K d log(1/gap)/Delta), where h is the rank of the features. The number of
// rounds is about log2(1/gap), where gap is the smallest gap.
//
// Deviations from the paper:
//
//   - The union bound is over arms and objectives; the paper prints its factor 2 inverted (see
//     GEGEConstants).
//   - The gap of an optimal arm i uses D_j of the other arm, as in equation (1) and the proofs, not
//     D_i as printed in (5).
//   - Numbers of pulls use the value of the design and are rounded up for each arm. The variance is
//     at most that of the design, so the factor 1 + 3 eps for rounding in the paper is not needed.
//   - With Epsilon, the run makes at least the first round, which is necessary if gaps are above
//     Scale.
//   - Arms with the same features are treated as one arm.
//
// Round r measures the active arms to an accuracy of eps_r/4 = Scale/2^(r+3), with fresh rewards in
// the proportions of a G-optimal design. At the end of the round, arms that are optimal by the
// estimates are accepted if their empirical gap is at least eps_r. Other arms are rejected if their
// empirical gap is at least eps_r/2. Each round takes O(A p d) operations for A active arms, p of
// which are optimal by the estimates. If the active set has changed, the round also computes a
// design.
type GEGEFixedConfidence struct {
	// Delta is the error probability; zero means DefaultDelta.
	Delta float64
	// Constants selects the formula for the number of pulls in a round; zero means GEGETheory.
	Constants GEGEConstants `in:"[0,2]" want:"GEGETheory, GEGEPaper or GEGECode"`
	// Scale is the paper's g0, an initial accuracy: eps_r = Scale/2^(r+1), in reward units. If the
	// largest gaps are far from 1, Scale should be close to the largest gaps. If Scale is too
	// small, the first round is longer than necessary; if Scale is too large, more rounds are
	// necessary. Zero means 1.
	Scale float64 `label:"scale %v" usual:"1" in:"(0,inf)" want:"the size of large gaps, positive and finite"`
	// Design is the method that computes the designs. design.MirrorDescent is the paper's Algorithm
	// 4. A zero Design means design.Certified, whose designs are as good but have fewer arms.
	Design design.Method `label:"design %v" in:"[0,2]" want:"design.Certified, design.FrankWolfePaper or design.MirrorDescent"`

	stages pareto.Stages
	delta  float64
	scale  float64
	half   float64          // half-width of differences of the current estimates
	final  []explore.Reason // by distinct arm: reasons of accepted and rejected arms
}

// Card implements explore.Describer.
func (p *GEGEFixedConfidence) Card() explore.Card {
	return explore.Card{
		Name:      "GEGE, fixed confidence",
		Answers:   []explore.Question{question.Pareto{}},
		Certifies: certifiesIf(p.Constants == GEGETheory),
		Needs:     []explore.Need{explore.SubGaussian{}, explore.Linear{}},
		Uses:      explore.UsesFeatures | explore.UsesRelaxations,
		Bound:     "pulls of order sigma² H1lin log",
		Source:    "Kone, Kaufmann, Richert 2025, Algorithm 3",
		Key:       "kone2025linear",
	}
}

// GEGEConstants is a formula for t_r, the number of pulls in round r of [GEGEFixedConfidence]. In
// the formulas, A is the number of active arms, h is the rank of their features, eps =
// Scale/2^(r+1), and delta_r = 6 Delta/(pi r)^2.
type GEGEConstants int

// The following constants are the formulas for the number of pulls.
const (
	// GEGETheory makes 32 sigma^2 v/eps^2 log(2 d A/delta_r) pulls, rounded up for each arm, where
	// v >= h is the value of the design. The proof of Theorem 3 requires this number of pulls.
	GEGETheory GEGEConstants = iota
	// GEGEPaper makes ceil(32 (1 + 3 eps) sigma^2 h/eps^2 log(d A/(2 delta_r))) pulls, as printed
	// in Algorithm 3. In the factor 1 + 3 eps, eps is relative to Scale; the logarithm is at least
	// log 2. With GEGEPaper, the error probability Delta is only nominal, because the union bound
	// is short by a factor of 4.
	GEGEPaper
	// GEGECode makes h/eps^2 log(1/delta_r) pulls for any Sigma, rounded up for each arm, as in the
	// authors' released code. GEGECode has no guarantee, because it omits the factor 32 sigma^2 and
	// the union bound.
	GEGECode
)

// String returns the name of the constants.
func (c GEGEConstants) String() string { return word(int(c), "theory", "paper", "code") }

// String returns the name of the policy, followed by its settings.
func (p *GEGEFixedConfidence) String() string { return named("GEGE", p, p.Constants) }

// Init implements explore.Policy.
func (p *GEGEFixedConfidence) Init(prob *explore.Problem, _ rand.Source) (err error) {
	if p.delta, _, err = checked(p, p.Delta, nil); err != nil {
		return err
	}
	p.scale = cmp.Or(p.Scale, 1)
	p.stages.Method = p.Design
	if err := p.stages.Init(prob); err != nil {
		return err
	}
	p.final = memory.Zeroed(p.final, p.stages.Outputs.Model.N)
	return nil
}

func (p *GEGEFixedConfidence) eps(r int) float64 { return math.Ldexp(p.scale, -r-1) }

// Ask implements explore.Policy.
func (p *GEGEFixedConfidence) Ask(dst []explore.Pull) ([]explore.Pull, error) {
	return p.stages.Ask(dst, p.plan)
}

// plan sets the number of pulls of each arm in the round. With N pulls, the estimate of an arm has
// variance proxy sigma^2 v/N. By a union bound over A arms, d objectives and two sides, all
// estimates have accuracy eps/4 if N = 2 sigma^2 v/(eps/4)^2 log(2 d A/delta_r).
func (p *GEGEFixedConfidence) plan() error {
	o, r := &p.stages.Outputs, float64(p.stages.Stage)
	eps, delta := p.eps(p.stages.Stage), 6*p.delta/(math.Pi*math.Pi*r*r)
	sigma, h, events := o.Model.Sigma, float64(p.stages.Rank), float64(len(o.Active)*o.D)
	var n float64
	switch p.Constants {
	case GEGETheory:
		if p.stages.Design != nil {
			h = p.stages.Design.Value
		}
		n = 32 * (sigma / eps) * (sigma / eps) * h * math.Log(2*events/delta)
	case GEGEPaper:
		log := max(math.Log(events/(2*delta)), math.Ln2)
		n = 32 * (1 + 3*eps/p.scale) * (sigma / eps) * (sigma / eps) * h * log
	case GEGECode:
		n = h / (eps * eps) * math.Log(1/delta)
	}
	if !(n <= linear.MostPulls) {
		return p.tied(n)
	}
	if p.Constants == GEGEPaper {
		return p.stages.Spend(max(linear.Ceil(n), p.stages.Rank))
	}
	p.stages.Cover(n)
	return nil
}

// Tell implements explore.Policy.
func (p *GEGEFixedConfidence) Tell(obs []explore.Batch) error {
	if err := p.stages.Tell(obs); err != nil {
		return err
	}
	o, eps := &p.stages.Outputs, p.eps(p.stages.Stage)
	p.half = eps / 2 // each estimate is within eps/4 of its mean
	// All decisions of the round use the same estimates of the arms in o.Order, which does not
	// change in this loop.
	kept := o.Active[:0]
	for _, i := range o.Order {
		switch {
		case o.InS[i] && o.Gap[i] >= eps:
			o.Optimal[i] = true
			p.final[i] = o.Reason(i, explore.Optimal, p.half)
		case !o.InS[i] && o.Gap[i] >= eps/2:
			p.final[i] = o.Reason(i, explore.Dominated, p.half)
		default:
			kept = append(kept, i)
		}
	}
	o.Active = kept
	o.Over = len(kept) <= 1 || p.eps(p.stages.Stage+1) <= o.Question.Epsilon/4
	return nil
}

// Answer implements explore.Policy. Before the end of the run, the items are the accepted arms, and
// those active arms that are optimal by the estimates.
func (p *GEGEFixedConfidence) Answer() explore.Answer {
	return p.stages.Outputs.Certified(p.final, p.half)
}

// Warnings implements explore.Warnings.
func (p *GEGEFixedConfidence) Warnings() []error { return p.stages.Warn }

// tied returns the error for a round that would need n pulls, which is too many.
func (p *GEGEFixedConfidence) tied(n float64) error {
	o := &p.stages.Outputs
	if len(o.Order) == 0 {
		return fmt.Errorf("%w: the first round would take %.1g pulls; set "+
			"GEGEFixedConfidence.Scale, now %v, to the size of large gaps, in the units of "+
			"Sigma and of the rewards", ErrUndecidable, n, p.scale)
	}
	i, j, excess := o.Nearest()
	return fmt.Errorf("%w: the next round would take %.1g pulls; %d arms are left, among them %s and %s, which are "+
		"within %.2g of a tie; if this difference does not matter, set Epsilon of question.Pareto to the smallest "+
		"difference that matters",
		ErrUndecidable, n, len(o.Active), o.Prob.Item(o.Model.First[i]),
		o.Prob.Item(o.Model.First[j]), math.Abs(excess))
}

// GEGEFixedBudget is GEGE, G-optimal Empirical Gap Elimination (Kone, Kaufmann and Richert, "Bandit
// Pareto Set Identification in a Multi-Output Linear Model", Algorithm 2).
//
// Question: the Pareto set of the arms. The exact set is also a right answer for every relaxation
// of question.Pareto. Fixed budget. Without features, the policy is the same as [EGESH] with fresh
// rewards.
//
// Assumptions: in each objective, the means are linear in the features, and rewards are
// sub-Gaussian of scale Problem.Sigma.
//
// Guarantee (Theorem 1): if the budget T is at least 45 h R, the error probability is at most
// exp(-T/(1200 sigma^2 H2lin R) + log(2 d (K + h + R))). In the bound of Theorem 1, h is the rank
// of the features, R = ceil(log2 h), and H2lin is the complexity H2Lin returned by
// complexity.NewGaps. The number of arms affects only the logarithm. With a smaller budget, the
// policy adds a warning to Result.Warnings. Answers are not certified and have no reasons.
//
// Deviations from the paper:
//
//   - A stage has floor(T/R) pulls with R rounded up. The paper's T/log2 h pulls exceed the budget
//     unless h is a power of 2. With h = 1, there is one stage.
//   - The gap of an optimal arm i uses D_j of the other arm, as in equation (1) and the proofs, not
//     D_i as printed in (5).
//   - Arms with the same features are treated as one arm.
//   - Designs are rounded by the better of two apportionments and then checked. The guarantee of
//     the rounding as printed in the paper does not hold for its kappa = 1/3.
//
// The run has R stages of fresh rewards, each with a G-optimal design for the active arms. After
// stage r, the ceil(h/2^r) arms with the smallest empirical gaps stay active. Each of the other
// arms is accepted if it is optimal by the estimates, and rejected otherwise. Each stage computes
// one design, and takes O(A p d) operations for A active arms, p of which are optimal by the
// estimates. GEGEFixedBudget never exceeds the budget. If the active arms are linearly independent,
// all of them have equal counts, so a stage may leave up to A - 1 pulls unused.
type GEGEFixedBudget struct {
	// Budget is T, the number of pulls, which must be at least h R.
	Budget int
	// Design is the method that computes the designs. design.MirrorDescent is the paper's Algorithm
	// 4. A zero Design means design.Certified, whose designs are as good but have fewer arms.
	Design design.Method `label:"design %v" in:"[0,2]" want:"design.Certified, design.FrankWolfePaper or design.MirrorDescent"`

	stages pareto.Stages
	rounds int // R: number of stages
}

// Card implements explore.Describer.
func (*GEGEFixedBudget) Card() explore.Card {
	return explore.Card{
		Name:    "GEGE, fixed budget",
		Answers: []explore.Question{question.Pareto{}},
		Kind:    explore.FixedBudget,
		Needs:   []explore.Need{explore.SubGaussian{}, explore.Linear{}},
		Uses:    explore.UsesFeatures,
		Bound:   "error decreases exponentially in T/(sigma² H2lin log h)",
		Source:  "Kone, Kaufmann, Richert 2025, Algorithm 2",
		Key:     "kone2025linear",
	}
}

// String returns the name of the policy, followed by its settings.
func (p *GEGEFixedBudget) String() string {
	return named("GEGE", p)
}

// Init implements explore.Policy.
func (p *GEGEFixedBudget) Init(prob *explore.Problem, _ rand.Source) error {
	if _, _, err := checked(p, 0, nil); err != nil {
		return err
	}
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

// Answer implements explore.Policy. Before the end of the last stage, the items are the accepted
// arms, and those active arms that are optimal by the estimates.
func (p *GEGEFixedBudget) Answer() explore.Answer { return p.stages.Outputs.Answer() }

// Warnings implements explore.Warnings.
func (p *GEGEFixedBudget) Warnings() []error { return p.stages.Warn }
