package policy

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policy/internal/game"
	"github.com/purexp/purexp/pkg/policy/internal/memory"
	"github.com/purexp/purexp/pkg/question"
)

// GameCPSI is Game-cPSI (Kone, Kaufmann and Richert, "Constrained Pareto Set Identification with
// Bandit Feedback", Algorithm 2 in Appendix B). GameCPSI plays the game behind the lower bound on
// the number of pulls. A learner chooses proportions of pulls. Nature chooses the alternative means
// (with a different answer) that these pulls distinguish least from the estimates.
//
// Question: the Pareto set of the feasible arms (question.FeasiblePareto), or of all arms
// (question.Pareto; the exact set is also right for every relaxation). For question.Pareto,
// GameCPSI solves a saddle-point problem, as methods of Degenne and Koolen (NeurIPS 2019) do. Fixed
// confidence.
//
// Assumptions: projections of rewards are sub-Gaussian of scale Problem.NormSigma. No arm is
// exactly on the boundary of the feasible region or tied with a member of the front.
//
// Guarantee: if Threshold is MixtureMartingales or SelfNormalized, the set is right with
// probability at least 1 - Delta (Lemma B.1). Theorem B.2 of the paper covers independent
// objectives of scale Problem.NormSigma and small Delta. By Theorem B.2, the number of pulls
// divided by log(1/Delta) is asymptotically at most the characteristic time T*, which is optimal.
// For independent objectives, set NormSigma to Sigma: the default NormSigma allows for any
// correlation, but increases the number of pulls by a factor of d.
//
// The guarantee covers only the set, not the reasons (SetOnly of question.FeasiblePareto). Reasons
// are based on the estimates: arms that are outside the region by the estimates are infeasible, and
// all other arms outside the answer are dominated. In the paper's experiment (Appendix G.2), 39 %
// of the answers had a wrong reason, and no answer had a wrong set. The confidence intervals given
// by SlackRadius and MarginRadius hold with probability at least 1 - Delta, and therefore show
// which reasons are certain.
//
// Deviations from the paper: the paper's threshold assumes t/(K d) rewards on average for each of
// the K d means, but the correct number is t/K. The default threshold is that of the theorem; for
// the paper's threshold, set MixtureMartingales{Printed: true}. The paper's bonus c_i = h/N_i is
// half as large as its derivation requires. The default bonus is 2 h/N_i; for the paper's bonus,
// set PrintedBonus. The scale of the noise is Problem.NormSigma. The bonus is recomputed only when
// t has grown by a factor of 9/8. Until then, the policy uses the bonus for the largest t of the
// interval, which is never too small.
//
// The policy stops when, for the numbers of pulls N, the evidence against every alternative lambda
// exceeds h(t, Delta):
//
//	inf over lambda of sum over i of N_i/2 ||muhat_i - lambda_i||^2 > sigma_u^2 h.
//
// If the policy does not stop, it takes proportions w from AdaHedge, pulls an arm drawn from w, and
// gives arm i the gain
//
//	(||muhat_i - lambda_i||/sigma_u + sqrt(c_i))^2,  c_i = 2 h(t^2, 1/t^3)/N_i,
//
// for the alternative lambda that minimises the sum above with w in place of N. Each round computes
// two best responses ([alternative.BestResponse]), and updates the means once. For up to 64 arms,
// rounds allocate no memory.
type GameCPSI struct {
	// Delta is the error probability; zero means DefaultDelta.
	Delta float64
	// Threshold is h, the stopping threshold. A nil Threshold means MixtureMartingales{}; the paper
	// uses MixtureMartingales{Printed: true}. The threshold Heuristic{}, which is log((1 + log
	// t)/Delta), is used in the experiments of Crepon, Garivier and Koolen (AISTATS 2024).
	// Runs stop much earlier with Heuristic{} than by default, but no theorem supports Heuristic{}.
	// A threshold must never decrease as the number of pulls grows.
	Threshold Threshold `label:"threshold %v" usual:"mixture martingales"`
	// If Track is true, the policy pulls the arm that lags furthest behind the sum of the
	// proportions (C-tracking), instead of a random arm.
	Track bool `label:"tracking"`
	// If PrintedBonus is true, the bonus is c_i = h(t^2, 1/t^3)/N_i.
	PrintedBonus bool `label:"bonus as printed"`

	batcher
	setRatio
	learner *game.AdaHedge

	gain   []float64 // K
	played []float64 // by arm: sum of the proportions, if Track is true
	bonus  float64   // c_i N_i, valid while t <= until
	until  int
	next   int
}

// Card implements explore.Describer.
func (p *GameCPSI) Card() explore.Card {
	return explore.Card{
		Name:      "Game-cPSI",
		Evidence:  explore.AnySampling,
		Answers:   []explore.Question{question.FeasiblePareto{}, question.Pareto{}},
		Certifies: certifiesIf(provedForArms(p.Threshold)),
		Needs:     []explore.Need{explore.SubGaussian{}, explore.IndependentObjectives{}},
		Bound:     "asymptotically optimal for independent objectives",
		Source:    "Kone, Kaufmann, Richert 2025, Algorithm 2 (appendix B)",
		Key:       "kone2025constrained",
	}
}

// String returns the name of the policy, followed by its settings.
func (p *GameCPSI) String() string { return named("Game-cPSI", p) }

// Init implements explore.Policy.
func (p *GameCPSI) Init(prob *explore.Problem, src rand.Source) error {
	p.batcher.init(p, prob, src, p.means.Row)
	if err := p.setRatio.init(prob, p.Delta, p.Threshold); err != nil {
		return err
	}
	k := prob.K()
	p.learner = game.NewAdaHedge(k)
	p.gain, p.played = memory.Zeroed(p.gain, k), memory.Zeroed(p.played, k)
	p.bonus, p.until, p.next = 0, 0, 0
	return nil
}

// Ask implements explore.Policy.
func (p *GameCPSI) Ask(dst []explore.Pull) ([]explore.Pull, error) { return p.ask(dst, p.next) }

// Tell implements explore.Policy.
func (p *GameCPSI) Tell(obs []explore.Batch) error {
	if p.tell(obs); p.over {
		return nil
	}
	w, n := p.learner.Weights, float64(p.latest)
	p.response.Cost(p.grad, w)
	for i, g := range p.grad {
		root := math.Sqrt(2*g)/p.sigma + math.Sqrt(p.optimism()/p.n[i])
		p.gain[i] = n * root * root
	}
	if p.Track {
		for i, v := range w {
			p.played[i] += n * v
		}
		p.next = game.Lagging(p.n, p.played)
	} else {
		p.next = game.Draw(w, p.rnd.Float64())
	}
	p.learner.Learn(p.gain)
	return nil
}

// optimism returns c_i N_i, which is 2 h(t^2, 1/t^3) or, if PrintedBonus is true, h(t^2, 1/t^3).
func (p *GameCPSI) optimism() float64 {
	if p.means.Pulls <= p.until {
		return p.bonus
	}
	p.until = p.means.Pulls + p.means.Pulls/8
	t, m := float64(p.until), p.means.K*p.means.D
	p.bonus = p.gate.beta(Evidence{
		Delta: 1 / (t * t * t),
		Pulls: int(min(t*t, math.MaxInt32*math.MaxInt32)),
		Rank:  m,
		// For a given total number of pulls, equal numbers of pulls maximise the determinant.
		LogDet: float64(m) * max(math.Log(t*t/float64(p.means.K)), 0),
	})
	if !p.PrintedBonus {
		p.bonus *= 2
	}
	return p.bonus
}

// ParetoTrackAndStop is track-and-stop for Pareto sets (Crepon, Garivier and Koolen, "Sequential
// Learning of the Pareto Front for Multi-objective Bandits", AISTATS 2024). The pulls track
// proportions that gradient ascent moves towards the optimal proportions for the estimated means.
//
// Question: the Pareto set of all arms (question.Pareto; the exact set is also right for every
// relaxation), or of the feasible arms (question.FeasiblePareto). Fixed confidence.
//
// Assumptions: projections of rewards are sub-Gaussian of scale Problem.NormSigma. No arm is tied
// with a member of the front or exactly on the boundary of the feasible region.
//
// Guarantee: if Threshold is MixtureMartingales or SelfNormalized, the set is right with
// probability at least 1 - Delta for any sampling rule (Kaufmann and Koolen, JMLR 2021). The paper
// aims at asymptotic optimality: the number of pulls, divided by log(1/Delta), tends to the
// characteristic time T* as Delta tends to 0. For independent objectives, set NormSigma to Sigma:
// the default NormSigma allows for any correlation, but increases the number of pulls by a factor
// of d. For the meaning of reasons in answers, see [GameCPSI].
//
// The sampling rules follow the authors' code. Deviations from the paper: the default threshold is
// MixtureMartingales{}. The paper's experiments use log(log(1 + t)/Delta), which no theorem
// supports; the similar Heuristic{} is log((1 + log t)/Delta). Proportions are stored as
// logarithms, because a proportion that is rounded to 0 would remain 0 for the rest of the run. The
// policy tracks the sum of the proportions, because the ascent has a regret bound for this sum. The
// authors' code tracks the current proportions instead; to do the same, set Direct. The paper does
// not consider feasible regions.
//
// The policy stops when, for the numbers of pulls N, the evidence against every alternative lambda
// exceeds beta(t, Delta):
//
//	inf over lambda of sum over i of N_i/2 ||muhat_i - lambda_i||^2 > sigma_u^2 beta.
//
// If the policy does not stop, it takes a step of exponentiated gradient ascent on F(w), the
// infimum above with the proportions w in place of N:
//
//	w_i <- w_i exp(eta g_i) / sum,  eta = sqrt(log K / (1 + t)) / max |g|.
//
// In the ascent step, g is the gradient of F at w, and the maximum is over all gradients so far. If
// an arm has at most sqrt(t) - K/2 pulls, the policy pulls the arm with the fewest pulls. If all
// arms have more than sqrt(t) - K/2 pulls, the policy pulls the arm that lags furthest behind the
// proportions. Each round computes two best responses ([alternative.BestResponse]), and updates the
// means once. For up to 64 arms, rounds allocate no memory.
type ParetoTrackAndStop struct {
	// Delta is the error probability; zero means DefaultDelta.
	Delta float64
	// Threshold is beta; nil means MixtureMartingales{}. The paper's experiments use Heuristic{}. A
	// threshold must never decrease as the number of pulls grows.
	Threshold Threshold `label:"threshold %v" usual:"mixture martingales"`
	// If Direct is true, the policy pulls the arm that lags furthest behind t times the current
	// proportions (D-tracking), not the sum of the proportions (C-tracking).
	Direct bool `label:"direct tracking"`

	batcher
	setRatio
	log    []float64 // by arm: logarithm of the proportion, up to a common term
	weight []float64 // K: the proportions
	aim    []float64 // by arm: target number of pulls
	most   float64   // max |g| so far
	next   int
}

// Card implements explore.Describer.
func (p *ParetoTrackAndStop) Card() explore.Card {
	return explore.Card{
		Name:      "Track-and-Stop",
		Evidence:  explore.AnySampling,
		Answers:   []explore.Question{question.FeasiblePareto{}, question.Pareto{}},
		Certifies: certifiesIf(provedForArms(p.Threshold)),
		Needs:     []explore.Need{explore.SubGaussian{}, explore.IndependentObjectives{}},
		Bound:     "aims at the asymptotic optimum for independent objectives",
		Source:    "Crepon, Garivier, Koolen 2024",
		Key:       "crepon2024sequential",
	}
}

// String returns the name of the policy, followed by its settings.
func (p *ParetoTrackAndStop) String() string { return named("Track-and-Stop", p) }

// Init implements explore.Policy.
func (p *ParetoTrackAndStop) Init(prob *explore.Problem, _ rand.Source) error {
	p.batcher.init(p, prob, nil, p.means.Row)
	if err := p.setRatio.init(prob, p.Delta, p.Threshold); err != nil {
		return err
	}
	k := prob.K()
	p.log, p.weight, p.aim = memory.Zeroed(p.log, k), memory.Zeroed(p.weight, k), memory.Zeroed(p.aim, k)
	for i := range k {
		p.weight[i], p.aim[i] = 1/float64(k), 1
	}
	p.most, p.next = 0, 0
	return nil
}

// Ask implements explore.Policy.
func (p *ParetoTrackAndStop) Ask(dst []explore.Pull) ([]explore.Pull, error) {
	return p.ask(dst, p.next)
}

// Tell implements explore.Policy.
func (p *ParetoTrackAndStop) Tell(obs []explore.Batch) error {
	if p.tell(obs); p.over {
		return nil
	}
	p.climb()
	t := float64(p.means.Pulls)
	for i, w := range p.weight {
		if p.Direct {
			p.aim[i] = t * w
		} else {
			p.aim[i] += float64(p.latest) * w
		}
	}
	if p.next = floats.MinIdx(p.n); p.n[p.next] > math.Sqrt(t)-float64(len(p.n))/2 {
		p.next = game.Lagging(p.n, p.aim)
	}
	return nil
}

// climb takes a step of exponentiated gradient ascent in the proportions.
func (p *ParetoTrackAndStop) climb() {
	p.response.Cost(p.grad, p.weight)
	if p.most = max(p.most, floats.Max(p.grad)); p.most == 0 {
		return // the value F is constant while the estimates are tied
	}
	eta := math.Sqrt(math.Log(float64(len(p.log)))/(1+float64(p.means.Pulls))) / p.most
	floats.AddScaled(p.log, eta, p.grad)
	top, sum := floats.Max(p.log), 0.
	for i, v := range p.log {
		p.log[i] = v - top
		p.weight[i] = math.Exp(p.log[i])
		sum += p.weight[i]
	}
	floats.Scale(1/sum, p.weight)
}
