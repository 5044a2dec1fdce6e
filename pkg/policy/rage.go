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

// RAGE is Randomized Adaptive Gap Elimination (Fiez, Jain, Jamieson and Ratliff, "Sequential
// Experimental Design for Transductive Linear Bandits", NeurIPS 2019, Algorithm 1).
//
// Question: the best item z by its mean z'theta, when rewards of arms x have mean x'theta. With
// question.Best{Epsilon}, the run ends as soon as no item can be better than the leader by more
// than Epsilon. Items need not be arms. Fixed confidence.
//
// Assumptions: the means are linear in the features. Rewards are sub-Gaussian of scale
// Problem.Sigma. Differences of items must lie in the span of the arms.
//
// Guarantee (Theorem 2): the answer is right with probability at least 1 - Delta. The number of
// pulls is of order psi* log(e_1/gap) log(|Z|^2/Delta). For every method, 2 psi* log(1/(2.4 Delta))
// is a lower bound; e_1 is the accuracy of the first round.
//
// Any choice of the accuracy e_1 is valid. The paper sets e_1 to 1/2, so that the number of pulls
// depends on the units of the rewards. With gaps of 20 and e_1 = 1/2, the first round is 100 times
// as long as needed. By default, e_1 is the accuracy of a round of the least length r, e_1 = sigma
// sqrt(2 rho (1 + Rounding) log(n^2/delta_1)/r), and each later round halves the accuracy. The
// default does not affect Delta, because e_1 is a function of the features, sigma and Delta. The
// proof needs only two facts about round t. The pulls of round t are chosen before its rewards, and
// its half-widths are at most e_t for all pairs with probability 1 - delta_t. The default e_1 is
// proportional to the rewards, so that no pull depends on the units of rewards. Round 1 has the
// minimum length of any round. Each later round is about four times longer until items are
// eliminated. The early rounds cost at most a third of the last round.
//
// Deviations from the paper: delta_t is Delta/(t(t+1)), which sums to Delta. The printed Delta/t^2
// certifies 0.080 at Delta = 0.05, because the product in the proof is sin(pi sqrt(Delta))/(pi
// sqrt(Delta)). The union bound is over the active items, which are fixed before the round's
// rewards. PhaseUnionBest is a one-sided bound over the rivals of the best item, which suffices for
// the answer. Designs are certified to be within Tol of the optimum. Levels, Union, Design and
// First select the printed forms, and [RAGEPrinted] selects all four printed forms. Numbers of
// pulls are scaled by Sigma^2, and widths by Sigma. Items with the same features are treated as one
// item.
//
// Round t pulls N_t = max(ceil(2 (sigma/e_t)^2 rho (1 + Rounding) log(n^2/delta_t)), r) times, with
// r = 2 |support|/Rounding. The design of a round minimizes the largest variance rho of a
// difference of two active items. The N_t pulls give each difference the accuracy e_t. If items
// were eliminated, a round computes one design and O(n |active| m) comparisons, for any number of
// pulls.
type RAGE struct {
	// Delta is the error probability; zero means DefaultDelta.
	Delta float64
	// Rounding is the allowed cost of rounding to whole pulls, as a fraction of a round (the
	// paper's epsilon); zero means 0.1.
	Rounding float64 `label:"rounding %v" usual:"0.1" in:"[0,1]" want:"a fraction between 0 and 1"`
	// First is e_1, the accuracy of differences after the first round, in reward units. Each round
	// after the first halves the accuracy. A zero First means the accuracy of a round of the least
	// length r; the paper uses RAGEFirstPaper. If gaps are known to be at most 2, for example, set
	// First to 1 or less.
	First float64 `label:"first accuracy %v" in:"[0,inf)" want:"an accuracy in reward units, or 0"`
	// Levels selects how Delta is shared among rounds.
	Levels RAGELevels `label:"levels %v"`
	// Union selects the pairs of items in the union bound of a round.
	Union PhaseUnion `label:"union over %v" in:"[0,2]" want:"PhaseUnionActive, PhaseUnionAll or PhaseUnionBest"`
	// Design computes the designs. Tol is the relative gap of the designs; zero means
	// design.DefaultTol.
	Design design.Method `label:"design %v"`
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
		Evidence:  explore.OwnRounds,
		Bound:     "pulls of order psi* log(1/gap) log(n²/delta)",
		Source:    "Fiez, Jain, Jamieson, Ratliff 2019, Algorithm 1",
		Key:       "fiez2019sequential",
	})
}

// RAGEFirstPaper is the accuracy of the first round in the RAGE paper, for RAGE.First.
const RAGEFirstPaper = .5

// RAGEPrinted returns Algorithm 1 as printed: a first accuracy of 1/2, levels delta/t^2, and a
// union bound over all items in every round. Designs are computed by plain Frank-Wolfe, and rounds
// have at least r pulls, by efficient apportionment for eps = 0.1. The levels delta/t^2 sum to more
// than delta; see [RAGELevelsPaper].
func RAGEPrinted(delta float64) *RAGE {
	return &RAGE{
		Delta: delta, Rounding: .1, First: RAGEFirstPaper, Levels: RAGELevelsPaper,
		Union: PhaseUnionAll, Design: design.FrankWolfePaper,
	}
}

// RAGELevels is a rule for sharing an error probability delta among rounds t = 1, 2, ...
type RAGELevels int

// The following constants are the rules for sharing an error probability.
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

// A PhaseUnion is the set of pairs of items that a union bound covers.
type PhaseUnion int

// The following constants are the choices of the union bound.
const (
	// With PhaseUnionActive, the union bound covers the active items. A union bound over active
	// items is valid because the rewards of each round are fresh.
	PhaseUnionActive PhaseUnion = iota
	PhaseUnionAll               // PhaseUnionAll covers all items, in every round, as printed
	// PhaseUnionBest covers the differences of the best item from the other active items,
	// one-sided, with log((n - 1)/delta_t) instead of log(n^2/delta_t). The one-sided bound
	// suffices for the answer, because the only possible error is to drop the best item. With
	// PhaseUnionBest, amounts in reasons that compare other items hold only individually, not
	// simultaneously. With PhaseUnionBest, Schedule returns the rounds for the case that all bounds
	// on amounts hold.
	PhaseUnionBest
)

// String returns the name of the union bound.
func (u PhaseUnion) String() string {
	return word(int(u), "active items", "all items", "the best item's rivals")
}

// String returns the name of the policy with its settings.
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
	T     int     // number of the round
	Items int     // |S_t|: all distinct items in round 1, later those with gap at most 4 e_t
	Rho   float64 // largest variance of a difference in S_t under the design
	Pulls int     // N_t, an upper bound that holds with the probability of the guarantee
}

// Schedule returns the rounds that RAGE needs on a problem whose items have the given means,
// according to Theorem 2, until one item is left. Schedule uses the settings of p, such as the union
// bound.
func (p *RAGE) Schedule(prob *explore.Problem, means []float64) ([]RAGEStage, error) {
	own := *p
	if err := own.Init(prob, nil); err != nil {
		return nil, err
	}
	if len(means) != prob.M() {
		panic(fmt.Sprintf("policy: %d means of %d items", len(means), prob.M()))
	}
	for i, v := range means {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return nil, fmt.Errorf("policy: the mean of %s is %v; expected finite numbers",
				prob.Item(i), v)
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

// Warnings implements explore.Warnings. Warnings reports designs that miss their tolerance.
func (p *RAGE) Warnings() []error { return p.phases.Warn }
