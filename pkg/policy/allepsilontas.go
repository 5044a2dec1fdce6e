package policy

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policy/internal/arms"
	"github.com/purexp/purexp/pkg/policy/internal/epsilonbest"
	"github.com/purexp/purexp/pkg/policy/internal/game"
	"github.com/purexp/purexp/pkg/question"
	"github.com/purexp/purexp/pkg/question/alternative"
)

var _ explore.Open = (*AllEpsilonTrackAndStop)(nil)

// AllEpsilonTrackAndStop is track-and-stop for all epsilon-best arms without structure (Al
// Marjani, Kocak and Garivier, "On the Complexity of All epsilon-Best Arms Identification", ECML
// 2022, Algorithm 3).
//
// Question: all arms within Epsilon of the best (question.AllEpsilonBest, additive or
// multiplicative), whose features, if there are any, are not used. Fixed confidence.
//
// Assumptions: rewards are sub-Gaussian of scale Problem.Sigma; with Multiplicative, the largest
// mean is above the question's Zero. Where an arm is on the threshold it does not stop.
//
// Guarantee: the answer is right with probability at least 1 - Delta with [MixtureMartingales],
// whatever arms are pulled; pulls are of order (1 + Tol) T* log(1/Delta) for small Delta and
// Gaussian rewards, T* the characteristic time.
//
// Deviations from the paper: weights are those of complexity.NewGammaStar, with a certificate, in
// place of mirror ascent; they are computed anew when the pulls have grown by Lazy, and averages
// of them are tracked. Rounds have several pulls. Where the estimate is too close to a threshold
// weights stay as they are.
//
// Each round pulls an arm with fewer than sqrt(t) - K/2 rewards, if there is one, and otherwise
// the arms that lag behind the proportions. It stops when the cheapest means with another set of
// epsilon-best arms cost more than the threshold. Cost: O(g K + K^2) a round for the g arms of
// the set of K, and the weights now and then.
type AllEpsilonTrackAndStop struct {
	// Delta is the error probability. Zero means DefaultDelta.
	Delta float64
	// Threshold is the stopping threshold. Nil means MixtureMartingales{}; Heuristic{} has no
	// theorem.
	Threshold Threshold
	// Lazy is the factor by which the number of pulls grows between weights. Zero means 1.5.
	Lazy float64
	// Batch is the share of all pulls so far that a round has, at least one pull. Zero means 0.01;
	// negative means one pull a round.
	Batch float64
	// Tol is the relative gap of the weights. Zero means 0.01.
	Tol float64

	batcher
	means    arms.Means
	prob     *explore.Problem // without features
	factor   float64
	offset   float64
	settings gameSettings
	gate     gate
	delta    float64
	response *alternative.AllEpsilonArms
	due      float64
	weights  []float64
	played   []float64
	counts   []float64
	pulls    []explore.Pull
	over     bool
	width    float64 // root of twice the threshold
	warn     []error
}

// Card implements explore.Carded.
func (p *AllEpsilonTrackAndStop) Card() explore.Card {
	return explore.Card{
		Name:      "All-epsilon track-and-stop",
		Answers:   []explore.Question{question.AllEpsilonBest{}},
		Certifies: certifiesIf(proved(p.Threshold)),
		Needs:     []explore.Need{explore.SubGaussian{}},
		Uses:      explore.UsesRelaxations,
		Bound:     "asymptotically optimal",
		Source:    "Al Marjani, Kocak, Garivier 2022, Algorithm 3",
		Key:       "almarjani2022complexity",
	}
}

// String returns the name with the settings.
func (p *AllEpsilonTrackAndStop) String() string {
	return label("All-epsilon track-and-stop", withDelta(p.Delta),
		stopping(p.Threshold, MixtureMartingales{}),
		gameSettings{p.Lazy, p.Batch, p.Tol}.options())
}

// Init implements explore.Policy.
func (p *AllEpsilonTrackAndStop) Init(prob *explore.Problem, _ rand.Source) (err error) {
	p.batcher.init(p, prob, nil, p.means.Row)
	if p.delta, _, err = confidence(p.Delta, nil); err != nil {
		return err
	}
	beta, err := armThreshold(p.Threshold)
	if err != nil {
		return err
	}
	if err := p.settings.init("AllEpsilonTrackAndStop", p.Lazy, p.Batch, p.Tol); err != nil {
		return err
	}
	q, err := epsilonbest.Question(prob, "AllEpsilonTrackAndStop")
	if err != nil {
		return err
	}
	if err := prob.CheckLinear(); err != nil {
		return err
	}
	p.means.Init(prob)
	k := p.means.K
	p.gate.init(beta, 1, p.delta, k)
	p.prob = &explore.Problem{Arms: k, Sigma: prob.Sigma, Question: q}
	p.factor, p.offset = q.Line()
	p.response = alternative.NewAllEpsilonArms(q, k)
	p.weights, p.played, p.counts = make([]float64, k), make([]float64, k), make([]float64, k)
	for i := range k {
		p.weights[i], p.played[i] = 1/float64(k), 1
	}
	p.due, p.width, p.pulls, p.warn = 2*float64(k), 0, nil, nil
	p.over = k == 1 && p.factor == 1
	return nil
}

// Ask implements explore.Policy.
func (p *AllEpsilonTrackAndStop) Ask(dst []explore.Pull) ([]explore.Pull, error) {
	switch {
	case p.over:
		return dst, nil
	case p.means.Pulls == 0:
		return arms.Sweep(dst, p.means.K), nil
	}
	return append(dst, p.pulls...), nil
}

// Tell implements explore.Policy.
func (p *AllEpsilonTrackAndStop) Tell(obs []explore.Batch) error {
	m := &p.means
	before := m.Pulls
	m.Tell(obs)
	told := m.Pulls - before
	if before == 0 {
		told = 0
	}
	logs := 0.
	for i, n := range m.N {
		p.counts[i] = float64(n)
		logs += math.Log(float64(n))
	}
	p.response.SetMeans(m.Mean)
	e := Evidence{Delta: p.delta, Pulls: m.Pulls, Rank: m.K, LogDet: logs}
	ratio := p.response.Cost(nil, p.counts) / (p.prob.Sigma * p.prob.Sigma)
	p.over = p.gate.exceeds(0, ratio, e)
	p.width = math.Sqrt(2 * p.gate.beta(e))
	if p.over {
		return nil
	}
	if float64(m.Pulls) >= p.due {
		for p.due <= float64(m.Pulls) {
			p.due *= p.settings.lazy
		}
		w, warning, err := p.settings.solve("AllEpsilonTrackAndStop", p.prob, m.Mean, m.Pulls)
		if err != nil {
			return err
		}
		if warning != nil {
			p.warn = append(p.warn, warning)
		}
		if w != nil {
			copy(p.weights, w)
		}
	}
	p.creditUnplanned(p.played, p.weights, told, p.pulls)
	p.plan()
	return nil
}

// keepDesign implements designer.
func (p *AllEpsilonTrackAndStop) keepDesign() { p.due = inf }

// plan decides about the pulls of the round.
func (p *AllEpsilonTrackAndStop) plan() {
	m := &p.means
	p.pulls = p.pulls[:0]
	least := floats.MinIdx(p.counts)
	if p.counts[least] < math.Sqrt(float64(m.Pulls))-float64(m.K)/2 {
		floats.Add(p.played, p.weights)
		p.pulls = append(p.pulls, explore.Pull{Arm: least, N: 1})
		return
	}
	n := max(1, int(p.settings.batch*float64(m.Pulls)))
	floats.AddScaled(p.played, float64(n), p.weights)
	p.pulls = game.Batch(p.pulls, p.counts, p.played, n)
}

// Answer implements explore.Policy.
func (p *AllEpsilonTrackAndStop) Answer() explore.Answer {
	m := &p.means
	a := explore.Answer{Reasons: arms.Undecided(m.K)}
	if m.Pulls == 0 {
		if p.over {
			a.Items, a.Reasons[0].Class = []int{0}, explore.Optimal
		}
		return a
	}
	best, second := floats.MaxIdx(m.Mean), -1
	for i, v := range m.Mean {
		if i != best && (second < 0 || v > m.Mean[second]) {
			second = i
		}
	}
	for i := range a.Reasons {
		r := &a.Reasons[i]
		if r.By = best; i == best {
			r.By = second
		}
		if r.By >= 0 {
			r.Margin = m.Mean[i] - p.factor*m.Mean[r.By] + p.offset
			r.MarginRadius = p.prob.Sigma * p.width *
				math.Sqrt(1/float64(m.N[i])+p.factor*p.factor/float64(m.N[r.By]))
		}
		in := p.response.Inside(i)
		if in {
			a.Items = append(a.Items, i)
		}
		switch {
		case p.over && in:
			r.Class = explore.Optimal
		case p.over:
			r.Class, r.Margin = explore.Dominated, -r.Margin
		}
	}
	return a
}

// Warnings implements explore.Warnings: weights that miss their tolerance.
func (p *AllEpsilonTrackAndStop) Warnings() []error { return p.warn }
