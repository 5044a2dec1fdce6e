package policy

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policy/internal/arms"
	"github.com/purexp/purexp/pkg/policy/internal/game"
	"github.com/purexp/purexp/pkg/policy/internal/linear"
	"github.com/purexp/purexp/pkg/question"
	"github.com/purexp/purexp/pkg/question/alternative"
	"github.com/purexp/purexp/pkg/question/complexity"
)

// AllEpsilonGame is a track-and-stop method for all epsilon-best items of a linear model.
// AllEpsilonGame pulls arms in the proportions that solve the game behind the characteristic time.
// In this game, a learner chooses the weights of the arms. Nature chooses the theta that is hardest
// to tell from the true theta among those with a different set of epsilon-best items.
// AllEpsilonGame serves as a reference for the methods of the LinFACT paper. The stopping rule and
// the tracking follow lazy track-and-stop (Jedra and Proutiere, "Optimal Best-Arm Identification in
// Linear Bandits", NeurIPS 2020, Algorithm 1). The formulation as a game follows Degenne, Menard,
// Shang and Valko (ICML 2020).
//
// Question: all items z whose mean z'theta is within Epsilon of the largest
// (question.AllEpsilonBest, additive or multiplicative); rewards of arms x have mean x'theta. Items
// may be different from arms. Fixed confidence.
//
// Assumptions: the means are linear in the features. Rewards are sub-Gaussian of scale
// Problem.Sigma. Differences of items lie in the span of the arms. With Multiplicative, the items
// themselves lie in the span of the arms. If an item is exactly on the threshold, the run does not
// stop.
//
// Guarantee: with SelfNormalized, the answer is right with probability at least 1 - Delta for any
// sampling rule. With probability at least 1 - Delta, (theta - theta-hat)'A(theta - theta-hat) <= 2
// sigma^2 beta at all times. Here, theta-hat is the estimate, A is the information matrix, and beta
// is the threshold. The cost of a parameter theta is (theta - theta-hat)'A(theta - theta-hat)/(2
// sigma^2). The policy stops when the cost of every theta with a different set of epsilon-best
// items exceeds beta. With probability at least 1 - Delta, the estimated set is then the set for
// the true theta.
//
// For Gaussian rewards and small Delta, the number of pulls is of order (1 + Tol) T* log(1/Delta).
// T* is the characteristic time (complexity.NewGammaStar). As Delta goes to 0, every method with
// this guarantee needs at least T* log(1/Delta) pulls. The proof follows the analysis of lazy
// track-and-stop. The steps are: exploration makes the estimate converge, the set of optimal
// weights depends continuously on the estimate, and the policy tracks averages of weights.
//
// Deviations from the paper: the paper treats only the best arm; for epsilon-best items,
// complexity.NewGammaStar solves the game up to the certified relative gap Tol. The policy does not
// solve the game with online learners: if the gaps of the items are about 0.02, the learners'
// confidence bonuses are larger than these gaps for millions of pulls. If the estimate is too close
// to a threshold to solve the game, the previous weights remain. A round may have several pulls.
// Exploration is as in [LazyTrackAndStop].
//
// Each round takes O(K m^2 + m^3 + g n m) operations for n items of rank m, where g is the size of
// the estimated set. A round also solves a small quadratic program for each item outside the set
// that could be the cheapest to enter the set. The policy solves a game whenever the number of
// pulls has grown by the factor Lazy.
type AllEpsilonGame struct {
	// Delta is the error probability; zero means DefaultDelta.
	Delta float64
	// Threshold is the stopping threshold; nil means SelfNormalized{}. No theorem supports
	// Heuristic{}.
	Threshold Threshold `label:"threshold %v" usual:"self-normalized (u = 0.1)"`
	// Lazy is the factor by which the number of pulls grows between games; zero means 1.5.
	Lazy float64 `label:"lazy %v" usual:"1.5" in:"(1,16]" want:"a growth factor above 1, at most 16"`
	// Batch is the number of pulls in a round as a fraction of all pulls so far; a round has at
	// least one pull. Zero means 0.01. A negative Batch means one pull per round.
	Batch float64 `label:"batch %v" usual:"0.01" in:"(-inf,1]" want:"a share of the pulls so far, at most 1"`
	// Tol is the relative gap to which games are solved; zero means 0.01.
	Tol float64 `label:"tol %v" usual:"0.01" in:"[0,inf)" want:"a relative gap, at least 0"`

	likelihoodRatio
	lazyGame
	response    *alternative.AllEpsilon
	exploration linear.Exploration
	width       float64
}

// Card implements explore.Describer.
func (p *AllEpsilonGame) Card() explore.Card {
	return explore.Card{
		Name:      "All-epsilon game",
		Evidence:  explore.AnySampling,
		Answers:   []explore.Question{question.AllEpsilonBest{}},
		Certifies: certifiesIf(proved(p.Threshold)),
		Needs:     []explore.Need{explore.SubGaussian{}, explore.Linear{}},
		Uses:      explore.UsesFeatures | explore.UsesItems | explore.UsesRelaxations,
		Bound:     "asymptotically optimal",
		Source:    "this project, after Jedra, Proutiere 2020",
		Key:       "jedra2020optimal",
	}
}

// String returns the name of the policy, followed by its settings.
func (p *AllEpsilonGame) String() string { return named("All-epsilon game", p) }

// Init implements explore.Policy.
func (p *AllEpsilonGame) Init(prob *explore.Problem, _ rand.Source) (err error) {
	if err := p.likelihoodRatio.init(p, prob, p.Delta, p.Threshold); err != nil {
		return err
	}
	p.lazyGame.init(p.Lazy, p.Batch, p.Tol)
	q, ok := prob.Question.(question.AllEpsilonBest)
	if !ok {
		return fmt.Errorf("policy: AllEpsilonGame: the question is %T; expected question.AllEpsilonBest: %w",
			prob.Question,
			explore.ErrQuestion)
	}
	if err := p.sequential.Features(prob); err != nil {
		return err
	}
	s := &p.sequential
	if prob.Z != nil { // the multiplicative question needs the items themselves in the span of the arms
		if _, err := alternative.NewAllEpsilon(q, prob.X, prob.Z); err != nil {
			return fmt.Errorf("policy: AllEpsilonGame: %w", err)
		}
	}
	if p.response, err = alternative.NewAllEpsilon(q, s.X, s.Z); err != nil {
		return fmt.Errorf("policy: AllEpsilonGame: %w", err)
	}
	p.start("AllEpsilonGame", &explore.Problem{X: s.X, Z: s.Z, Sigma: s.Sigma, Question: q}, s.Rank)
	s.Over = s.N == 1 && p.factor == 1
	p.exploration.Init(&s.Model)
	p.width = 0
	return nil
}

// Ask implements explore.Policy.
func (p *AllEpsilonGame) Ask(dst []explore.Pull) ([]explore.Pull, error) {
	if p.sequential.Over || p.sequential.Pulls == 0 {
		return p.sequential.Ask(dst)
	}
	return append(dst, p.pulls...), nil
}

// Tell implements explore.Policy.
func (p *AllEpsilonGame) Tell(obs []explore.Batch) error {
	s := &p.sequential
	if err := s.Tell(obs); err != nil {
		return err
	}
	p.response.SetMeans(s.Fit.Means())
	beta := p.level()
	p.width = s.Sigma * math.Sqrt(2*max(beta, 0))
	if s.Over = p.response.Cost(nil, s.Fit.Weights())/(s.Sigma*s.Sigma) > beta; s.Over {
		return nil
	}
	p.exploration.Add(obs)
	if err := p.renew(s.Fit.Means(), s.Pulls); err != nil {
		return err
	}
	p.creditUnplanned(p.played, p.weights, s.Latest(), p.pulls)
	p.plan(p.neglected(), s.Fit.Weights(), s.Pulls)
	return nil
}

// neglected returns an arm to pull for exploration, or -1 if the least eigenvalue of the
// information matrix is large enough.
func (p *AllEpsilonGame) neglected() int {
	s := &p.sequential
	if level := math.Sqrt(float64(s.Pulls) / float64(s.Rank)); level > 1 {
		if arm, due := p.exploration.Due(level); due {
			return arm
		}
	}
	return -1
}

// Answer implements explore.Policy.
func (p *AllEpsilonGame) Answer() explore.Answer {
	s := &p.sequential
	if s.Pulls == 0 {
		reasons := arms.Undecided(s.N)
		if s.Over {
			reasons[0].Class = explore.Optimal
		}
		return s.Model.Answer(func(int) bool { return true }, reasons)
	}
	y := make([]float64, s.Rank)
	half := func(i, j int) float64 {
		floats.AddScaledTo(y, s.Item(i), -p.factor, s.Item(j))
		return p.width * math.Sqrt(max(s.Fit.Squared(y), 0))
	}
	return s.Model.Answer(p.response.Inside, p.reasons(s.Fit.Means(), s.Best, s.Over, p.response.Inside, half))
}

// gameSettings contains the settings of policies that track optimal weights and recompute them only
// from time to time.
type gameSettings struct{ lazy, batch, tol float64 }

func (g *gameSettings) init(lazy, batch, tol float64) {
	*g = gameSettings{cmp.Or(lazy, 1.5), max(cmp.Or(batch, .01), 0), cmp.Or(tol, .01)}
}

// lazyGame is the common part of policies whose pulls follow the solution of the game for all
// epsilon-best items. lazyGame recomputes the proportions whenever the number of pulls has grown by
// a fixed factor.
type lazyGame struct {
	gameSettings
	policy         string // name of the policy in error messages
	prob           *explore.Problem
	factor, offset float64        // an item is good if its mean is at least factor times the best mean, minus offset
	due            float64        // number of pulls at which the next game is due
	weights        []float64      // K: proportions
	played         []float64      // by arm: sum over all pulls of the proportions at the time of the pull
	pulls          []explore.Pull // pulls of the round
	warn           []error
}

// start initialises the game for a problem; until the first game is solved, the proportions are
// uniform. The argument start is the number of pulls in the first round.
func (g *lazyGame) start(policy string, prob *explore.Problem, start int) {
	g.policy, g.prob = policy, prob
	g.factor, g.offset = prob.Question.(question.AllEpsilonBest).Line()
	k := prob.K()
	g.weights, g.played = make([]float64, k), make([]float64, k)
	for i := range k {
		g.weights[i], g.played[i] = 1/float64(k), float64(start)/float64(k)
	}
	g.due, g.pulls, g.warn = 2*float64(start), nil, nil
}

// renew solves the game at the estimated means, if a new solution is due after t pulls. If an item
// is exactly on the threshold, or a Multiplicative threshold is undefined, the game has no value,
// and renew keeps the previous proportions.
func (g *lazyGame) renew(means []float64, t int) error {
	if float64(t) < g.due {
		return nil
	}
	for g.due <= float64(t) {
		g.due *= g.lazy
	}
	q := g.prob.Question.(question.AllEpsilonBest)
	s, err := complexity.NewGammaStar(g.prob, means, g.tol)
	if errors.Is(err, question.ErrThreshold) || s == nil && q.Multiplicative && floats.Max(means) <= q.Zero {
		return nil
	}
	if err != nil {
		err = fmt.Errorf("policy: %s, after %d pulls: %w", g.policy, t, err)
	}
	if s == nil {
		return err
	}
	if err != nil {
		g.warn = append(g.warn, err)
	}
	copy(g.weights, s.Weights)
	return nil
}

// plan chooses the pulls of the next round, given the number of pulls t and the counts of the arms.
// If first is not negative, the round is one pull of arm first, for exploration. If first is
// negative, the round pulls the arms whose counts are furthest below the proportions.
func (g *lazyGame) plan(first int, counts []float64, t int) {
	g.pulls = g.pulls[:0]
	if first >= 0 {
		floats.Add(g.played, g.weights)
		g.pulls = append(g.pulls, explore.Pull{Arm: first, N: 1})
		return
	}
	n := max(1, int(g.batch*float64(t)))
	floats.AddScaled(g.played, float64(n), g.weights)
	g.pulls = game.Batch(g.pulls, counts, g.played, n)
}

// reasons explains an answer: it compares each item with the item of the largest mean, and the item
// of the largest mean with the second best. The function half returns the half-width of the
// interval for mean i minus factor times mean j.
func (g *lazyGame) reasons(mean []float64, best int, over bool, inside func(i int) bool,
	half func(i, j int) float64) []explore.Reason {
	reasons, second := arms.Undecided(len(mean)), -1
	for i, v := range mean {
		if i != best && (second < 0 || v > mean[second]) {
			second = i
		}
	}
	for i := range reasons {
		r := &reasons[i]
		if r.By = best; i == best {
			r.By = second
		}
		if r.By >= 0 {
			r.Margin = mean[i] - g.factor*mean[r.By] + g.offset
			r.MarginRadius = half(i, r.By)
		}
		switch in := inside(i); {
		case over && in:
			r.Class = explore.Optimal
		case over:
			r.Class, r.Margin = explore.Dominated, -r.Margin
		}
	}
	return reasons
}

// keepDesign implements designer.
func (g *lazyGame) keepDesign() { g.due = inf }

// Warnings implements explore.Warnings. Warnings warns about games that missed their tolerance.
func (g *lazyGame) Warnings() []error { return g.warn }
