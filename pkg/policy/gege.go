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

// GEGEFixedConfidence is GEGE, G-optimal Empirical Gap Elimination (Kone,
// Kaufmann and Richert, "Bandit Pareto Set Identification in a Multi-Output
// Linear Model", Algorithm 3).
//
// Question: the Pareto set of the arms, exact or relaxed by question.Pareto's
// Epsilon (section 3.3 and appendix E.5 of the paper); Cover and AtMost are
// answered as if they were not there, which is right. Fixed confidence. Features
// are optional.
//
// Assumptions: the means are linear in the features in each objective, and
// objectives are sub-Gaussian of scale Problem.Sigma. Without Epsilon, no tie:
// arms that differ in their features and have a gap of 0 end in ErrUndecidable,
// which names two of them.
//
// Guarantee (Theorem 3): with GEGETheory the answer is right with probability
// at least 1 - Delta; pulls are of order sum over the h smallest gaps, h the rank
// of the features, of sigma^2/gap^2 log(K d log(1/gap)/Delta), in about log2(1/gap)
// rounds for the smallest gap.
//
// Deviations from the paper: the union bound over arms and objectives, whose
// factor 2 is inverted in print (see GEGEConstants); the gap of an optimal arm
// i takes the D_j of the other arm, as equation (1) and the proofs do, not the
// D_i that is printed in (5); numbers of pulls use the value that the design has
// and are rounded up arm by arm, which keeps the variance below the design's
// whatever the number, where the paper has a factor 1 + 3 eps for rounding; with
// Epsilon the run does not stop before the first round, which is needed for gaps
// above Scale; arms with the same features are one arm.
//
// Round r measures all active arms to eps_r/4 = Scale/2^(r+3) with fresh rewards
// after a G-optimal design. Arms that look optimal with an empirical gap of at
// least eps_r are accepted, others with a gap of at least eps_r/2 rejected. Cost
// a round: O(A p d) for A active arms of which p look optimal, and one design
// whenever the active set has changed.
type GEGEFixedConfidence struct {
	// Delta is the error probability. Zero means DefaultDelta.
	Delta float64
	// Constants choose the lengths of rounds. Zero means GEGETheory.
	Constants GEGEConstants `in:"[0,2]" want:"GEGETheory, GEGEPaper or GEGECode"`
	// Scale is g0, the accuracy to begin with: eps_r = Scale/2^(r+1), in reward
	// units. It should be about as large as the largest gaps, which matters
	// where they are far from 1: below, the first round is longer than
	// necessary; above, there are more rounds. Zero means 1.
	Scale float64 `label:"scale %v" usual:"1" in:"(0,inf)" want:"the size of large gaps, positive and finite"`
	// Design computes the designs: design.MirrorDescent is that of the paper's
	// Algorithm 4. Zero means design.Certified, whose designs are as good with
	// fewer arms.
	Design design.Method `label:"design %v"`

	stages pareto.Stages
	delta  float64
	scale  float64
	half   float64          // half-width of differences of the last estimates
	final  []explore.Reason // by distinct arm, of those discarded
}

// Card implements explore.Carded.
func (p *GEGEFixedConfidence) Card() explore.Card {
	return explore.Card{
		Name:      "GEGE, fixed confidence",
		Answers:   []explore.Question{question.Pareto{}},
		Certifies: certifiesIf(p.Constants == GEGETheory),
		Needs:     []explore.Need{explore.SubGaussian{}, explore.Linear{}},
		Evidence:  explore.OwnRounds,
		Uses:      explore.UsesFeatures | explore.UsesRelaxations,
		Bound:     "pulls of order sigma² H1lin log",
		Source:    "Kone, Kaufmann, Richert 2025, Algorithm 3",
		Key:       "kone2025linear",
	}
}

// GEGEConstants choose how many pulls t_r a round of [GEGEFixedConfidence] has, for
// A active arms of rank h, the accuracy eps = Scale/2^(r+1) and the error
// probability delta_r = 6 Delta/(pi r)^2.
type GEGEConstants int

// Lengths of rounds.
const (
	// GEGETheory: 32 sigma^2 v/eps^2 log(2 d A/delta_r), v >= h the value of
	// the design, rounded up arm by arm. This is what the proof needs.
	GEGETheory GEGEConstants = iota
	// GEGEPaper: ceil(32 (1 + 3 eps) sigma^2 h/eps^2 log(d A/(2 delta_r))) as
	// printed in Algorithm 3, with eps relative to Scale in 1 + 3 eps and a
	// logarithm of at least log 2. Delta is nominal: the union bound is
	// short by a factor of 4.
	GEGEPaper
	// GEGECode: h/eps^2 log(1/delta_r), rounded up arm by arm, as in the
	// authors' released code, whatever Sigma is. There is no guarantee: it
	// undercuts the theorem by far more than 32 sigma^2.
	GEGECode
)

// String returns the name of the constants.
func (c GEGEConstants) String() string { return word(int(c), "theory", "paper", "code") }

// String returns the name with the settings.
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

// eps returns eps_r for the round r of the paper.
func (p *GEGEFixedConfidence) eps(r int) float64 { return math.Ldexp(p.scale, -r-1) }

// Ask implements explore.Policy.
func (p *GEGEFixedConfidence) Ask(dst []explore.Pull) ([]explore.Pull, error) {
	return p.stages.Ask(dst, p.plan)
}

// plan sets the counts of the round. Two-sided, with variance proxy sigma^2 v/N
// of an arm's estimate, accuracy eps/4 of each of A arms in d objectives takes
// N = 2 sigma^2 v/(eps/4)^2 log(2 d A/delta_r).
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
	p.half = eps / 2 // estimates are within eps/4
	// All decisions are about the same set of arms, in order, which stays.
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

// Answer implements explore.Policy. Before the run has ended, the items are those
// accepted and the active ones that look optimal.
func (p *GEGEFixedConfidence) Answer() explore.Answer {
	return p.stages.Outputs.Certified(p.final, p.half)
}

// Warnings implements explore.Warnings.
func (p *GEGEFixedConfidence) Warnings() []error { return p.stages.Warn }

// tied is the error of a round that would need n pulls.
func (p *GEGEFixedConfidence) tied(n float64) error {
	o := &p.stages.Outputs
	if len(o.Order) == 0 {
		return fmt.Errorf("%w: the first round would take %.1g pulls: set "+
			"GEGEFixedConfidence.Scale, which is %v, to the size of large gaps in the units of "+
			"Sigma and of the rewards", ErrUndecidable, n, p.scale)
	}
	i, j, excess := o.Nearest()
	return fmt.Errorf("%w: the next round would take %.1g pulls; %d arms are left, among them "+
		"%s and %s, which are within %.2g of a tie: if that makes no difference to you, ask for "+
		"question.Pareto{Epsilon: ...} with the smallest difference that does",
		ErrUndecidable, n, len(o.Active), o.Prob.Item(o.Model.First[i]),
		o.Prob.Item(o.Model.First[j]), math.Abs(excess))
}

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
