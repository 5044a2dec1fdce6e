package policy

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/purexp/purexp/pkg/design"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policy/internal/linear"
)

// RAGE is the method Randomized Adaptive Gap Elimination (Fiez, Jain, Jamieson and Ratliff,
// "Sequential Experimental Design for Transductive Linear Bandits", NeurIPS 2019, Algorithm 1).
//
// Question: the item z with the largest mean z'theta; rewards of arms x have mean x'theta. With
// question.Best{Epsilon}, the run ends as soon as no item can be better than the leader by more
// than Epsilon. Items may be different from arms. Fixed confidence.
//
// Assumptions: the means are linear in the features. Rewards are sub-Gaussian of scale
// Problem.Sigma. Differences of items lie in the span of the arms.
//
// Guarantee (Theorem 2): the answer is right with probability at least 1 - Delta. The number of
// pulls is of order sigma^2 psi* log(e_1/gap) log(|Z|^2/Delta) for the set Z of items. Here psi* is
// PsiStar of package question/complexity, gap is the smallest gap, and e_1 is the accuracy of the
// first round, an upper bound on its half-widths. For Gaussian rewards, 2 sigma^2 psi* log(1/(2.4
// Delta)) is a lower bound on the expected number of pulls of every method with error probability
// at most Delta.
//
// The guarantee holds for any choice of e_1. In the paper, e_1 is 1/2, so the number of pulls
// depends on the units of rewards. For example, if gaps are 20, the first round with e_1 = 1/2 is
// 100 times as long as necessary. By default, e_1 = sigma sqrt(2 rho (1 + Rounding)
// log(n^2/delta_1)/r), the accuracy of a round of the least length r for n items. Each later round
// halves e_t, the accuracy of round t. The guarantee holds for the default e_1, which depends on
// the features, sigma and Delta, but not on rewards. The proof uses only two facts about round t:
// its pulls are chosen before its rewards, and its half-widths are at most e_t for all pairs with
// probability 1 - delta_t. Because the default e_1 scales with the units of rewards, the pulls do
// not depend on the units of rewards. Round 1 has the minimum length of any round. Each later round
// is about four times as long as the previous round, until items are eliminated. Therefore, until
// items are eliminated, all earlier rounds together have about a third as many pulls as the current
// round.
//
// Deviations from the paper: delta_t is Delta/(t(t+1)), which sums to Delta. The printed delta_t =
// Delta/t^2 guarantees only an error probability of 0.080 at Delta = 0.05, because the product of
// the factors 1 - delta_t in the proof is sin(pi sqrt(Delta))/(pi sqrt(Delta)). The union bound of
// a round is over the active items, which are determined before the round's rewards. With
// PhaseUnionBest, the bound is one-sided and over the rivals of the best item, which suffices for
// the answer. Designs are certified to be within Tol of the optimum. The fields Levels, Union,
// Design and First select the printed variants; [RAGEPrinted] selects all four. Numbers of pulls
// are scaled by Sigma^2, and widths by Sigma. Items with the same features are treated as one item.
//
// Round t makes N_t = max(ceil(2 (sigma/e_t)^2 rho (1 + Rounding) log(n^2/delta_t)), r) pulls, with
// r = 2 |support|/Rounding for the support of the design. The pulls follow a design that minimises
// rho, the largest variance of a difference of two active items. With N_t pulls, each difference
// has the accuracy e_t. Only the first round and rounds after an elimination compute a design. For
// rank m, a round takes O(n |active| m) operations, whatever the number of pulls.
type RAGE struct {
	// Delta is the error probability; zero means DefaultDelta.
	Delta float64
	// Rounding is the fraction by which rounding to whole pulls may lengthen a round (the paper's
	// epsilon); zero means 0.1.
	Rounding float64 `label:"rounding %v" usual:"0.1" in:"[0,1]" want:"a fraction between 0 and 1"`
	// First is e_1, the accuracy of differences after the first round, in reward units. Each later
	// round halves the accuracy. A zero First means the accuracy of a round of the least length r;
	// the paper uses RAGEFirstPaper. For example, if gaps are known to be at most 2, set First to 1
	// or less.
	First float64 `label:"first accuracy %v" in:"[0,inf)" want:"an accuracy in reward units, or 0"`
	// Levels selects how Delta is shared among rounds.
	Levels RAGELevels `label:"levels %v"`
	// Union selects the pairs of items in the union bound of a round.
	Union PhaseUnion `label:"union over %v" in:"[0,2]" want:"PhaseUnionActive, PhaseUnionAll or PhaseUnionBest"`
	// Design is the method that computes the designs. Tol is the relative gap to which designs are
	// computed; zero means design.DefaultTol.
	Design design.Method `label:"design %v" in:"[0,1]" want:"design.Certified or design.FrankWolfePaper"`
	Tol    float64       `in:"[0,inf)" want:"a relative gap, at least 0"`

	phases   linear.Phases
	delta    float64
	accuracy float64 // e_t/sigma
	logN     float64 // log(n^2/delta_t), or log((n - 1)/delta_t) for PhaseUnionBest
}

// Card implements explore.Describer.
func (p *RAGE) Card() explore.Card {
	return linearBest(explore.Card{
		Name:      "RAGE",
		Certifies: certifiesIf(p.Levels == RAGELevelsTheory),
		Bound:     "pulls of order psi* log(1/gap) log(n²/delta)",
		Source:    "Fiez, Jain, Jamieson, Ratliff 2019, Algorithm 1",
		Key:       "fiez2019sequential",
	})
}

// RAGEFirstPaper is the paper's value of First, the accuracy of the first round.
const RAGEFirstPaper = .5

// RAGEPrinted returns the algorithm as printed: accuracy 1/2 in the first round, levels delta/t^2,
// and a union bound over all items in every round. Designs are computed by plain Frank-Wolfe
// iterations, and are rounded by efficient apportionment with Rounding 0.1, so each round has at
// least r pulls. The levels delta/t^2 sum to more than delta; see [RAGELevelsPaper].
func RAGEPrinted(delta float64) *RAGE {
	return &RAGE{
		Delta: delta, Rounding: .1, First: RAGEFirstPaper, Levels: RAGELevelsPaper,
		Union: PhaseUnionAll, Design: design.FrankWolfePaper,
	}
}

// RAGELevels is a rule by which the error probability delta is divided among rounds t = 1, 2, ...
type RAGELevels int

// The following constants are the rules for dividing the error probability.
const (
	RAGELevelsTheory RAGELevels = iota // RAGELevelsTheory is delta/(t(t+1)), which sums to delta
	RAGELevelsPaper                    // RAGELevelsPaper is delta/t^2, which sums to 1.64 delta
)

func (v RAGELevels) at(delta float64, t int) float64 {
	if v == RAGELevelsPaper {
		return delta / float64(t*t)
	}
	return delta / float64(t*(t+1))
}

// String returns the formula of the rule.
func (v RAGELevels) String() string { return word(int(v), "delta/(t(t+1))", "delta/t^2") }

// A PhaseUnion is the set of pairs of items over which a union bound is taken.
type PhaseUnion int

// The following constants are the sets over which a union bound is taken.
const (
	// PhaseUnionActive consists of the pairs of active items. A union bound over active items is
	// valid because each round uses only new rewards.
	PhaseUnionActive PhaseUnion = iota
	PhaseUnionAll               // PhaseUnionAll consists of the pairs of all items in every round, as in the paper
	// PhaseUnionBest consists of the pairs of the best item and each other active item. The bounds
	// are one-sided, so log((n - 1)/delta_t) replaces log(n^2/delta_t). One-sided bounds suffice
	// for the answer, because the only possible error is to drop the best item. If a reason in the
	// answer does not concern the best item, the confidence interval of its margin is valid only
	// individually, not simultaneously with all other intervals. For PhaseUnionBest, Schedule
	// describes the case in which all these intervals are valid.
	PhaseUnionBest
)

// String returns the name of the set of pairs.
func (u PhaseUnion) String() string {
	return word(int(u), "active items", "all items", "the best item's rivals")
}

// String returns the name of the policy, followed by its settings.
func (p *RAGE) String() string { return named("RAGE", p) }

// Init implements explore.Policy.
func (p *RAGE) Init(prob *explore.Problem, _ rand.Source) (err error) {
	if p.delta, _, err = checked(p, p.Delta, nil); err != nil {
		return err
	}
	return p.phases.Init(prob)
}

// Ask implements explore.Policy.
func (p *RAGE) Ask(dst []explore.Pull) ([]explore.Pull, error) { return p.phases.Ask(dst, p.plan) }

func (p *RAGE) plan() error {
	if err := p.phases.Solve("RAGE", &design.Options{Tol: p.Tol, Method: p.Design}); err != nil {
		return err
	}
	n, eps, t := p.phases.Model.N, p.Rounding, p.phases.Phase
	if p.Union != PhaseUnionAll {
		n = p.phases.Active()
	}
	eps = cmp.Or(eps, .1)
	pairs := 2 * math.Log(float64(n))
	if p.Union == PhaseUnionBest {
		pairs = math.Log(float64(n - 1))
	}
	p.logN = pairs - math.Log(p.Levels.at(p.delta, t))
	unit := 2 * p.phases.Design.Value * (1 + eps) * p.logN // number of pulls for an accuracy of sigma
	switch {
	case t > 1:
		p.accuracy /= 2
	case p.First > 0:
		p.accuracy = p.First / p.phases.Model.Sigma
	default:
		p.accuracy = math.Sqrt(unit / float64(p.phases.Least(eps)))
		return p.phases.Round(0, eps)
	}
	return p.phases.Round(unit/(p.accuracy*p.accuracy), eps)
}

// A RAGEStage describes a round of RAGE's schedule for an instance.
type RAGEStage struct {
	T int // number of the round
	// |S_t|, the number of items: in round 1, all distinct items; later, the items with gaps of at
	// most 4 e_t.
	Items int
	Rho   float64 // largest variance of a difference in S_t under the design
	Pulls int     // N_t: with the probability of the guarantee, the round has at most this number of pulls
}

// Schedule returns the rounds that RAGE needs, according to Theorem 2, on a problem whose items
// have the given means. The settings of p, such as the union bound, affect the schedule.
func (p *RAGE) Schedule(prob *explore.Problem, means []float64) ([]RAGEStage, error) {
	own := *p
	if err := own.Init(prob, nil); err != nil {
		return nil, err
	}
	if len(means) != prob.M() {
		panic(fmt.Sprintf("policy: %d means; expected %d, one for each item", len(means), prob.M()))
	}
	for i, v := range means {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return nil, fmt.Errorf("policy: the mean of %s is %v; expected finite numbers", prob.Item(i), v)
		}
	}
	best := slices.Max(means)
	var stages []RAGEStage
	for {
		own.phases.Phase++
		bound := inf
		if own.phases.Phase > 1 { // the previous round had an accuracy of 2 e_t
			bound = 2 * own.accuracy * own.phases.Model.Sigma
		}
		s := &own.phases.Survivors
		s.Active = s.Active[:0]
		for c, i := range own.phases.Model.First {
			if best-means[i] <= bound {
				s.Active = append(s.Active, c)
			}
		}
		if len(s.Active) <= 1 {
			return stages, nil
		}
		if err := own.plan(); err != nil {
			return stages, err
		}
		stages = append(stages, RAGEStage{own.phases.Phase, len(s.Active), own.phases.Design.Value,
			linear.Total(own.phases.Counts)})
	}
}

// Tell implements explore.Policy.
func (p *RAGE) Tell(obs []explore.Batch) error {
	return p.phases.Tell(obs, p.phases.Model.Sigma*math.Sqrt(2*p.logN))
}

// Answer implements explore.Policy.
func (p *RAGE) Answer() explore.Answer { return p.phases.Survivors.Answer() }

// Warnings implements explore.Warnings. Warnings warns about designs that miss their tolerance.
func (p *RAGE) Warnings() []error { return p.phases.Warn }
