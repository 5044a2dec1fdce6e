package policy

import (
	"cmp"
	"math"
	"math/rand/v2"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policy/internal/epsilonbest"
	"github.com/purexp/purexp/pkg/question"
)

// LinFACT is the method Linear Fast Arm Classification with Threshold estimation (Li, Ma, Hua and
// Zhu, "Identifying All epsilon-Best Arms in (Misspecified) Linear Bandits", the LinFACT paper,
// Algorithm 4).
//
// Question: all arms within Epsilon of the best (question.AllEpsilonBest, additive); a reward of
// arm x has mean x'theta. Fixed confidence.
//
// Assumptions: the means are linear in the features, rewards are sub-Gaussian of scale
// Problem.Sigma, and no mean is exactly on the threshold (the best mean minus Epsilon). In round r,
// means (design G) or differences (design XY) are estimated with accuracy 2^-r in reward units.
// Therefore, gaps should be below 2; if gaps are larger, divide rewards by a constant.
//
// Guarantee: the answer is right with probability at least 1 - Delta (Theorems 4.1 and 4.2). The
// confidence intervals in the proofs are valid for the numbers of pulls in equations (21) and (22)
// of the paper. With design G, the number of pulls is of order d log(K/Delta)/min(alpha, beta)^2
// (Theorem 4.1). Here, alpha is the smallest distance of a good arm from the threshold, and beta is
// the smallest distance from the threshold of an arm that is not good.
//
// Deviations from the paper:
//
//   - Union bounds are over the active arms, as in RAGE. The rewards of a round are fresh, and the
//     active arms are known before the round. Given the past, the error probability of a round is
//     at most its share of Delta. [PhaseUnionAll] selects the printed union bound.
//   - With the design XY, decisions use the accuracy 2^-r of differences. The printed rule
//     ([LinFACTPrinted]) allows twice the accuracy.
//   - The last active arm is the best arm and is classified without a further round.
//   - In (21), d is the value of the design, which equals the rank of the active arms up to the
//     tolerance. [LinFACTAmbient] selects the printed dimension.
//   - Designs are certified to be within Tol of the optimum, and numbers of pulls use the values of
//     the designs. Pulls are rounded by efficient apportionment, with at least 2 |support|/Rounding
//     pulls instead of the paper's 180 d/Rounding^2.
//   - Decisions of a round compare the arms that were active before the round.
//   - Numbers of pulls are scaled by Sigma^2. Arms with the same features are treated as one arm.
//
// If arms were dropped in the previous round, a round computes a new design for the active arms.
// The round pulls the active arms, and estimates means from its own rewards alone. Each round
// computes at most one design and takes O(K m^2) operations for rank m, whatever the number of
// pulls.
type LinFACT struct {
	// Delta is the error probability; zero means DefaultDelta.
	Delta float64
	// Design is the kind of design: for the differences of arms or for their means.
	Design LinFACTDesign `in:"[0,1]" want:"LinFACTXY or LinFACTG"`
	// Decisions is the rule by which arms are classified.
	Decisions LinFACTDecisions `label:"decisions %v" in:"[0,1]" want:"LinFACTTight or LinFACTPrinted"`
	// Union selects the arms over which union bounds are taken: PhaseUnionActive or PhaseUnionAll.
	// Labels omit PhaseUnionAll, because labels in published results are older than this setting.
	Union PhaseUnion `label:"!union over %v" usual:"all items" in:"[0,1]" want:"PhaseUnionActive or PhaseUnionAll"`
	// Budget selects the dimension in the formula for the number of pulls of LinFACTG.
	Budget LinFACTBudget `label:"budget for %v" in:"[0,1]" want:"LinFACTRank or LinFACTAmbient"`
	// Rounding is the fraction by which rounding to whole pulls may lengthen a round of LinFACTXY
	// (the paper's epsilon in q(epsilon)). Zero means 0.1.
	Rounding float64 `label:"rounding %v" usual:"0.1" in:"[0,1]" want:"a fraction between 0 and 1"`
	// Tol is the relative gap to which designs are computed; zero means design.DefaultTol.
	Tol float64 `in:"[0,inf)" want:"a relative gap, at least 0"`

	rounded
	delta    float64
	rounding float64
	features float64 // number of features with LinFACTAmbient, otherwise 0
	all      float64 // number of all arms with PhaseUnionAll, otherwise 0
}

// Card implements explore.Describer.
func (*LinFACT) Card() explore.Card {
	return explore.Card{
		Name:      "LinFACT",
		Answers:   []explore.Question{question.AllEpsilonBest{}},
		Certifies: explore.CertifiesSet,
		Needs:     []explore.Need{explore.SubGaussian{}, explore.Linear{}},
		Uses:      explore.UsesFeatures | explore.UsesRelaxations,
		Bound:     "pulls of order d log(K/delta)/gap²",
		Source:    "Li, Ma, Hua, Zhu 2025, Algorithm 4",
		Key:       "li2025identifying",
	}
}

// A LinFACTDesign is a kind of optimal design.
type LinFACTDesign int

// The following constants are the kinds of optimal designs.
const (
	// Optimal design for the differences of the active arms, with the number of pulls (22).
	LinFACTXY LinFACTDesign = iota
	LinFACTG                // optimal design for the means of the active arms, with the number of pulls (21)
)

// String returns the name that the design has in the paper.
func (d LinFACTDesign) String() string { return word(int(d), "XY", "G") }

// LinFACTDecisions is a rule by which arms are classified.
type LinFACTDecisions int

// The following constants are the rules by which arms are classified.
const (
	// LinFACTTight compares differences of estimates with their actual accuracy: 2^-r with
	// LinFACTXY, and 2 * 2^-r with LinFACTG. LinFACTTight classifies the last active arm as good
	// without a test.
	LinFACTTight LinFACTDecisions = iota
	// LinFACTPrinted is the rule printed in Algorithm 3. LinFACTPrinted compares differences of
	// estimates with 2 * 2^-r for both designs. LinFACTPrinted pulls the last active arm until the
	// arm's own test classifies it, which never happens if Epsilon is 0.
	LinFACTPrinted
)

// String returns the name of the rule.
func (d LinFACTDecisions) String() string { return word(int(d), "tight", "printed") }

// A LinFACTBudget is an interpretation of the dimension d in equation (21).
type LinFACTBudget int

// The following constants are the interpretations of d in equation (21).
const (
	LinFACTRank LinFACTBudget = iota // d is the rank of the active arms
	// The dimension d is the number of features; PhaseUnionAll then counts duplicate arms
	// separately.
	LinFACTAmbient
)

// String returns a description of the dimension.
func (b LinFACTBudget) String() string { return word(int(b), "rank of the active arms", "d features") }

// String returns the name of the policy, followed by its settings.
func (p *LinFACT) String() string {
	return named("LinFACT-"+p.Design.String(), p)
}

// Init implements explore.Policy.
func (p *LinFACT) Init(prob *explore.Problem, _ rand.Source) (err error) {
	if p.delta, _, err = checked(p, p.Delta, nil); err != nil {
		return err
	}
	p.rounding = cmp.Or(p.Rounding, .1)
	err = startRounds(&p.rounds, prob, "LinFACT", p.Tol, p.Decisions == LinFACTTight)
	if err != nil {
		return err
	}
	p.features, p.all = 0, 0
	if p.Union == PhaseUnionAll {
		p.all = float64(p.rounds.Model.N)
	}
	if p.Budget == LinFACTAmbient {
		k := float64(prob.K())
		if p.all > 0 {
			p.all = k
		}
		if p.features = float64(prob.H()); prob.X == nil {
			p.features = k
		}
	}
	return nil
}

// startRounds initialises r for policies that classify the arms of a linear model in rounds.
func startRounds(r *epsilonbest.Rounds, prob *explore.Problem, name string, tol float64, lone bool) error {
	epsilon, err := epsilonbest.Additive(prob, name)
	if err != nil {
		return err
	}
	if err := r.Model.Features(prob); err != nil {
		return err
	}
	r.Init(prob, name, epsilon, lone)
	r.Tol = tol
	return nil
}

// Ask implements explore.Policy.
func (p *LinFACT) Ask(dst []explore.Pull) ([]explore.Pull, error) {
	return p.rounds.Ask(dst, p.plan)
}

func (p *LinFACT) plan() error {
	r := &p.rounds
	acc := r.Accuracy()
	if p.Design == LinFACTG {
		if err := r.G(); err != nil {
			return err
		}
		log := math.Log(2*p.arms()) + r.Share(p.delta)
		return r.Each(2 * max(p.features, r.Value) / (acc * acc) * log)
	}
	if err := r.XY(); err != nil {
		return err
	}
	if len(r.Active) == 1 { // no difference is left to estimate: make the smallest number of pulls that rounding allows
		return r.Apportion(1, p.rounding)
	}
	log := math.Log(2*p.arms()*(p.arms()-1)) + r.Share(p.delta)
	return r.Apportion(2*r.Value*(1+p.rounding)/(acc*acc)*log, p.rounding)
}

// arms returns the number of arms over which the union bound of the round is taken.
func (p *LinFACT) arms() float64 {
	if p.all > 0 {
		return p.all
	}
	return float64(len(p.rounds.Active))
}

// Tell implements explore.Policy.
func (p *LinFACT) Tell(obs []explore.Batch) error {
	if err := p.rounds.Estimate(obs); err != nil {
		return err
	}
	radius := math.Ldexp(2, -p.rounds.Round)
	if p.Design == LinFACTXY && p.Decisions == LinFACTTight {
		radius /= 2
	}
	p.rounds.Classify(radius)
	return nil
}

// rounded is the common part of policies that classify arms in rounds.
type rounded struct{ rounds epsilonbest.Rounds }

// Answer implements explore.Policy.
func (r *rounded) Answer() explore.Answer { return r.rounds.Answer() }

// Warnings implements explore.Warnings. Warnings warns about designs that miss their tolerance.
func (r *rounded) Warnings() []error { return r.rounds.Warnings() }

// GStatic is [LinFACT] with a single G-optimal design for all arms, used in all rounds. GStatic is
// a baseline for the adaptive designs of the LinFACT paper.
//
// Question: all arms within Epsilon of the best, as for LinFACT. Fixed confidence.
//
// Assumptions: the same as those of LinFACT.
//
// Guarantee: the answer is right with probability at least 1 - Delta, by the union bound in
// LinFACT's Theorem 4.1. The number of pulls is of order d log(K/Delta)/min(alpha, beta)^2.
//
// Deviations from the paper: GStatic does not occur in the paper. Decisions, numbers of pulls and
// accuracies are those of LinFACT with design G. Arms that have left the active set are still
// pulled, but no longer compared.
//
// Each round takes O(K m^2) operations for rank m; a run computes only one design.
type GStatic struct {
	// Delta is the error probability; zero means DefaultDelta.
	Delta float64
	// Tol is the relative gap to which the design is computed; zero means design.DefaultTol.
	Tol float64 `in:"[0,inf)" want:"a relative gap, at least 0"`

	rounded
	delta float64
}

// Card implements explore.Describer.
func (*GStatic) Card() explore.Card {
	return explore.Card{
		Name:      "G-static",
		Answers:   []explore.Question{question.AllEpsilonBest{}},
		Certifies: explore.CertifiesSet,
		Needs:     []explore.Need{explore.SubGaussian{}, explore.Linear{}},
		Uses:      explore.UsesFeatures | explore.UsesRelaxations,
		Source:    "this project, a baseline for Li, Ma, Hua, Zhu 2025",
		Key:       "li2025identifying",
	}
}

// String returns the name of the policy, followed by its settings.
func (p *GStatic) String() string { return named("G-static", p) }

// Init implements explore.Policy.
func (p *GStatic) Init(prob *explore.Problem, _ rand.Source) (err error) {
	if p.delta, _, err = checked(p, p.Delta, nil); err != nil {
		return err
	}
	if err := startRounds(&p.rounds, prob, "GStatic", p.Tol, true); err != nil {
		return err
	}
	p.rounds.Static = true
	return nil
}

// Ask implements explore.Policy.
func (p *GStatic) Ask(dst []explore.Pull) ([]explore.Pull, error) {
	return p.rounds.Ask(dst, p.plan)
}

func (p *GStatic) plan() error {
	r := &p.rounds
	if err := r.G(); err != nil {
		return err
	}
	acc := r.Accuracy()
	log := math.Log(2*float64(r.Model.N)) + r.Share(p.delta)
	return r.Each(2 * r.Value / (acc * acc) * log)
}

// Tell implements explore.Policy.
func (p *GStatic) Tell(obs []explore.Batch) error {
	if err := p.rounds.Estimate(obs); err != nil {
		return err
	}
	p.rounds.Classify(math.Ldexp(2, -p.rounds.Round))
	return nil
}
