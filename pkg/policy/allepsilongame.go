package policy

import (
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
)

var _ explore.Policy = (*AllEpsilonGame)(nil)

// AllEpsilonGame is the saddle-point algorithm of Degenne, Menard, Shang and Valko ("Gamification of
// Pure Exploration for Linear Bandits", ICML 2020, Algorithm 1) for all epsilon-best items, with the
// exact best response: what the methods of the LinFACT paper are to be compared with.
//
// Question: all items z whose mean z'theta is within Epsilon of the best (question.AllEpsilonBest,
// additive or multiplicative), when rewards of arms x have mean x'theta. Items need not be arms. Fixed
// confidence.
//
// Assumptions: the means are linear in the features, rewards are sub-Gaussian of scale
// Problem.Sigma, differences of items lie in the span of the arms (with Multiplicative: the items).
// Where an item is on the threshold it does not stop.
//
// Guarantee: with SelfNormalized, whatever arms are pulled, the answer is right with probability at
// least 1 - Delta. With that probability (theta - theta-hat)'A(theta - theta-hat) <= 2 sigma^2 beta at
// all times, for the information A; it stops when the cheapest theta with another set of epsilon-best
// items costs more than that, so that the true one has the set of the estimate. For Gaussian rewards
// the paper's Theorem 2, which is for any question with finitely many answers, has pulls of order T*
// log(1/Delta) for small Delta, T* the characteristic time (complexity.NewGammaStar), for its own start
// and threshold: no method needs fewer.
//
// Deviations from the paper: those of [LinGame]. The paper has no all epsilon-best items; nature's
// answer is alternative.AllEpsilon, of all theta in which the set is another.
//
// Each round, the learner of the set of the estimate, AdaHedge on arms, proposes proportions; nature
// answers with the closest theta that has another set; the learner gains what each arm would have told
// the two apart, plus a bonus for uncertainty; and the arm is pulled that lags furthest behind its
// cumulative proportion. Cost: O(K m^2 + m^3 + g n m) a round for the g items of the set of n and rank
// m, and a small quadratic program for each item outside that may be the cheapest to enter, twice.
type AllEpsilonGame struct {
	// Delta is the error probability. Zero means DefaultDelta.
	Delta float64
	// Threshold is the stopping threshold. Nil means SelfNormalized{}; Heuristic{} is that of the
	// experiments of Degenne et al., without a theorem.
	Threshold Threshold
	// Batch is the share of all pulls so far that is made in the proportions of one proposal, which
	// saves time: 0.01 makes runs of 100 000 pulls about 100 times as fast. What is proved about errors
	// holds; about pulls, it does for 0, the default, which is one pull a round.
	Batch float64

	sequential linear.Sequential
	question   question.AllEpsilonBest
	delta      float64
	beta       Threshold
	response   *alternative.AllEpsilon
	learners   map[string]*game.AdaHedge // by set
	set        []byte                    // the set of the estimate, one byte an item
	played     []float64                 // K: sum of the proportions proposed
	gain       []float64                 // K
	counts     []float64                 // K: with the pulls of the round
	pulls      []explore.Pull            // of the round
	width      float64
}

// String returns the name with the settings.
func (p *AllEpsilonGame) String() string {
	s := linearName("All-epsilon game", p.Delta) + thresholdName(p.Threshold)
	if p.Batch != 0 {
		s += fmt.Sprintf(", batch %v", p.Batch)
	}
	return s
}

// Init implements explore.Policy.
func (p *AllEpsilonGame) Init(prob *explore.Problem, _ rand.Source) (err error) {
	if p.delta, _, err = confidence(p.Delta, nil); err != nil {
		return err
	}
	if p.beta, err = threshold(p.Threshold); err != nil {
		return err
	}
	if !(p.Batch >= 0 && p.Batch <= 1) {
		return fmt.Errorf("policy: AllEpsilonGame.Batch is %v; want a share of the pulls so far, from 0 "+
			"to 1", p.Batch)
	}
	q, ok := prob.Question.(question.AllEpsilonBest)
	if !ok {
		return fmt.Errorf("policy: AllEpsilonGame: %T; want question.AllEpsilonBest: %w", prob.Question,
			explore.ErrQuestion)
	}
	p.question = q
	if err := p.sequential.Features(prob); err != nil {
		return err
	}
	s := &p.sequential
	if prob.Z != nil { // fractions need the items themselves, and not only their differences
		if _, err := alternative.NewAllEpsilon(q, prob.X, prob.Z); err != nil {
			return fmt.Errorf("policy: AllEpsilonGame: %w", err)
		}
	}
	if p.response, err = alternative.NewAllEpsilon(q, s.X, s.Z); err != nil {
		return fmt.Errorf("policy: AllEpsilonGame: %w", err)
	}
	factor, _ := q.Line()
	s.Over = s.N == 1 && factor == 1
	p.learners, p.set = make(map[string]*game.AdaHedge), make([]byte, s.N)
	p.played, p.gain, p.counts = make([]float64, s.K), make([]float64, s.K), make([]float64, s.K)
	p.pulls, p.width = nil, 0
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
	beta := p.beta.Beta(evidence(s, p.delta))
	p.width = s.Sigma * math.Sqrt(2*max(beta, 0))
	if s.Over = p.response.Cost(nil, s.Fit.Weights())/(s.Sigma*s.Sigma) > beta; s.Over {
		return nil
	}
	for i := range p.set {
		if p.set[i] = 0; p.response.Inside(i) {
			p.set[i] = 1
		}
	}
	l := p.learners[string(p.set)]
	if l == nil {
		l = game.NewAdaHedge(s.K)
		p.learners[string(p.set)] = l
	}
	p.plan(l.Weights)
	p.respond(l.Weights)
	l.Learn(p.gain)
	return nil
}

// plan decides about the pulls of the round: those that lag furthest behind the proportions.
func (p *AllEpsilonGame) plan(w []float64) {
	s := &p.sequential
	n := max(1, int(p.Batch*float64(s.Pulls)))
	floats.AddScaled(p.played, float64(n), w)
	copy(p.counts, s.Fit.Weights())
	p.pulls = p.pulls[:0]
	if n == 1 {
		p.pulls = append(p.pulls, explore.Pull{Arm: game.Lagging(p.counts, p.played), N: 1})
		return
	}
	for k, v := range p.played {
		if lag := int(v - p.counts[k]); lag > 0 && v > 0 {
			lag = min(lag, n)
			p.pulls = append(p.pulls, explore.Pull{Arm: k, N: lag})
			n -= lag
		}
		if n == 0 {
			return
		}
	}
	if len(p.pulls) == 0 {
		p.pulls = append(p.pulls, explore.Pull{Arm: game.Lagging(p.counts, p.played), N: 1})
	}
}

// respond sets gain to what each arm tells about the difference between theta and the closest
// alternative for the proportions w.
func (p *AllEpsilonGame) respond(w []float64) {
	s := &p.sequential
	clear(p.gain)
	if !math.IsInf(p.response.Cost(nil, w), 1) {
		copy(p.gain, p.response.Response().Shift)
	}
	logT := math.Log(float64(s.Pulls))
	for k, h := range s.Fit.Leverages() {
		d := math.Abs(p.gain[k])/s.Sigma + math.Sqrt(2*logT*max(h, 0))
		p.gain[k] = min(d*d/2, logT)
	}
}

// Answer implements explore.Policy.
func (p *AllEpsilonGame) Answer() explore.Answer {
	s := &p.sequential
	reasons := arms.Undecided(s.N)
	if s.Pulls == 0 {
		if s.Over {
			reasons[0].Class = explore.Optimal
		}
		return s.Model.Answer(func(int) bool { return true }, reasons)
	}
	mean := s.Fit.Means()
	second := -1
	for i, v := range mean {
		if i != s.Best && (second < 0 || v > mean[second]) {
			second = i
		}
	}
	factor, offset := p.question.Line()
	y := make([]float64, s.Rank)
	for i := range reasons {
		r := &reasons[i]
		if r.By = s.Best; i == s.Best {
			r.By = second
		}
		in := p.response.Inside(i)
		if r.By >= 0 {
			r.Margin = mean[i] - factor*mean[r.By] + offset
			floats.AddScaledTo(y, s.Item(i), -factor, s.Item(r.By))
			r.MarginRadius = p.width * math.Sqrt(max(s.Fit.Squared(y), 0))
		}
		switch {
		case s.Over && in:
			r.Class = explore.Optimal
		case s.Over:
			r.Class = explore.Dominated
			r.Margin = -r.Margin
		}
	}
	return s.Model.Answer(p.response.Inside, reasons)
}
