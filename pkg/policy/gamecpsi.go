package policy

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/pareto"
	"github.com/purexp/purexp/pkg/policy/internal/arms"
	"github.com/purexp/purexp/pkg/policy/internal/constrained"
	"github.com/purexp/purexp/pkg/policy/internal/game"
	"github.com/purexp/purexp/pkg/policy/internal/memory"
	"github.com/purexp/purexp/pkg/polyhedron"
	"github.com/purexp/purexp/pkg/question/alternative"
)

var _ explore.Policy = (*GameCPSI)(nil)

// GameCPSI is Game-cPSI (Kone, Kaufmann and Richert, "Constrained Pareto Set
// Identification with Bandit Feedback", Algorithm 2 in Appendix B), which plays
// the game of the lower bound: a learner chooses proportions of pulls, nature
// the means that are cheapest to mistake for the estimates and have another
// answer.
//
// Question: the Pareto set of the feasible arms (question.FeasiblePareto), or
// that of all arms (question.Pareto; the exact set answers every relaxation),
// for which it is the saddle-point method in the spirit of Degenne and Koolen
// (NeurIPS 2019). Fixed confidence.
//
// Assumptions: rewards are Gaussian, with any covariance whose projections have
// scale at most Problem.NormSigma, or sub-Gaussian with independent objectives. No
// arm exactly on the boundary of the region, no tie with a member of the front.
//
// Guarantee: with MixtureMartingales or SelfNormalized the set is right with
// probability at least 1 - Delta (Lemma B.1), and the paper states that, for
// independent objectives of scale Problem.NormSigma, the number of pulls divided by
// log(1/Delta) tends to at most T*, the characteristic time, as Delta goes to 0
// (Theorem B.2), which no method can beat. For them set NormSigma to Sigma: left
// at 0, which allows for any correlation, it costs a factor of d. The guarantee is
// about the set alone (SetOnly). Asked for reasons too, it
// runs the same and gives those of the estimates: an arm whose estimate is
// outside the region is infeasible, any other is dominated. In the paper's
// experiment (Appendix G.2) 39 % of such answers had a wrong reason, and none a
// wrong set. SlackRadius and MarginRadius of a reason, which hold with the same
// probability as the set, tell which are certain.
//
// Deviations from the paper: its threshold takes the mean number of rewards for
// each of the K d means as t/(K d), where it is t/K: the default is the theorem's,
// MixtureMartingales{Printed: true} the paper's. Its bonus c_i = h/N_i is too
// small by a factor of 2 for the event that it is derived from: the default is
// 2 h/N_i, PrintedBonus the paper's. Noise is in units of Problem.NormSigma. The
// bonus is renewed when t has grown by 1/8, ahead of time, which is optimistic.
//
// Each round stops if the cheapest alternative for the numbers of pulls N costs
// more than h(t, Delta),
//
//	inf over lambda of sum over i of N_i/2 ||muhat_i - lambda_i||^2 > sigma_u^2 h,
//
// and otherwise takes proportions w from AdaHedge, pulls an arm drawn from w, and
// pays arm i
//
//	(||muhat_i - lambda_i||/sigma_u + sqrt(c_i))^2,  c_i = 2 h(t^2, 1/t^3)/N_i,
//
// for the cheapest alternative lambda at w. Cost: two best responses
// ([alternative.BestResponse]) and one setting of the means a round; no allocation
// for up to 48 arms.
type GameCPSI struct {
	// Delta is the error probability. Zero means DefaultDelta.
	Delta float64
	// Threshold is h. Nil means MixtureMartingales{}; MixtureMartingales{Printed:
	// true} is the paper's. Heuristic{}, log((1 + log t)/Delta), as in the
	// experiments of Crepon, Garivier and Koolen (AISTATS 2024), has no theorem, and
	// stops much earlier. It must not decrease as pulls are made.
	Threshold Threshold
	// Track pulls the arm that lags furthest behind the sum of the proportions
	// (C-tracking) instead of drawing one.
	Track bool
	// PrintedBonus makes c_i = h(t^2, 1/t^3)/N_i.
	PrintedBonus bool

	means    arms.Means
	response *alternative.BestResponse
	region   *polyhedron.Polyhedron
	delta    float64
	sigma    float64 // NormSigma
	gate     gate
	learner  *game.AdaHedge
	rnd      *rand.Rand

	n      []float64 // K: pulls
	grad   []float64 // K: half the squared displacement of each arm
	gain   []float64 // K
	played []float64 // K: sum of the proportions, if tracked
	logDet float64   // of the K d means
	bonus  float64   // c_i N_i, valid up to time until
	until  int
	front  []int // the feasible Pareto set of the estimates
	next   int
	over   bool
}

// String returns the name with the settings.
func (p *GameCPSI) String() string {
	s := linearName("Game-cPSI", p.Delta) + armThresholdName(p.Threshold)
	if p.Track {
		s += ", tracking"
	}
	if p.PrintedBonus {
		s += ", bonus as printed"
	}
	return s
}

// Init implements explore.Policy.
func (p *GameCPSI) Init(prob *explore.Problem, src rand.Source) (err error) {
	if p.delta, _, err = confidence(p.Delta, nil); err != nil {
		return err
	}
	t, err := armThreshold(p.Threshold)
	if err != nil {
		return err
	}
	if p.region, err = constrained.Region(prob); err != nil {
		return err
	}
	k, d := prob.K(), prob.D()
	if p.response, err = alternative.New(k, d, nil); err != nil {
		return err
	}
	if p.region.Rows() > 0 {
		if err := p.response.Constrain(p.region); err != nil {
			return err
		}
	}
	if src == nil {
		src = rand.NewPCG(0, 0)
	}
	p.means.Init(prob)
	p.gate.init(t, 1, p.delta, k*d)
	p.sigma, p.rnd, p.learner = prob.SigmaU(), rand.New(src), game.NewAdaHedge(k)
	p.n, p.grad, p.gain, p.played = memory.Zeroed(p.n, k), memory.Zeroed(p.grad, k),
		memory.Zeroed(p.gain, k), memory.Zeroed(p.played, k)
	p.front = memory.Zeroed(p.front, k)[:0]
	p.logDet, p.bonus, p.until, p.next, p.over = 0, 0, 0, 0, false
	return nil
}

// Ask implements explore.Policy.
func (p *GameCPSI) Ask(dst []explore.Pull) ([]explore.Pull, error) {
	switch {
	case p.over:
		return dst, nil
	case p.means.Pulls == 0:
		return arms.Sweep(dst, p.means.K), nil
	}
	return append(dst, explore.Pull{Arm: p.next, N: 1}), nil
}

// Tell implements explore.Policy.
func (p *GameCPSI) Tell(obs []explore.Batch) error {
	p.means.Tell(obs)
	p.logDet = 0
	for i, n := range p.means.N {
		p.n[i] = float64(n)
		p.logDet += float64(p.means.D) * math.Log(p.n[i])
	}
	p.response.SetMeans(p.means.Mean)
	p.front = append(p.front[:0], p.response.Front()...)
	s2 := p.sigma * p.sigma
	if p.over = p.gate.exceeds(0, p.response.Cost(nil, p.n)/s2, p.evidence()); p.over {
		return nil
	}
	w := p.learner.Weights
	p.response.Cost(p.grad, w)
	for i, g := range p.grad {
		root := math.Sqrt(2*g)/p.sigma + math.Sqrt(p.optimism()/p.n[i])
		p.gain[i] = root * root
	}
	if p.Track {
		for i, v := range w {
			p.played[i] += v
		}
		p.next = game.Lagging(p.n, p.played)
	} else {
		p.next = game.Draw(w, p.rnd.Float64())
	}
	p.learner.Learn(p.gain)
	return nil
}

// evidence is what the threshold depends on.
func (p *GameCPSI) evidence() Evidence {
	return Evidence{Delta: p.delta, Pulls: p.means.Pulls, Rank: p.means.K * p.means.D,
		LogDet: p.logDet}
}

// optimism returns c_i N_i, twice h(t^2, 1/t^3), or once as printed.
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
		// The most that so many pulls can have: that of equal numbers.
		LogDet: float64(m) * max(math.Log(t*t/float64(p.means.K)), 0),
	})
	if !p.PrintedBonus {
		p.bonus *= 2
	}
	return p.bonus
}

// Answer implements explore.Policy. Radii follow from the event behind the
// threshold: all that is at a distance of at most sigma_u^2 h from the estimates
// is compatible with them.
func (p *GameCPSI) Answer() explore.Answer {
	e := &p.means
	a := explore.Answer{Items: slices.Clone(p.front), Reasons: arms.Undecided(e.K)}
	if e.Pulls == 0 {
		return a
	}
	v := gameVerdicts{e: e, reasons: a.Reasons,
		wide: p.sigma * math.Sqrt(2*p.gate.beta(p.evidence()))}
	v.locate(p.region)
	inFront := func(j int) bool { return slices.Contains(p.front, j) }
	certainlyFeasible := func(j int) bool { return v.inside[j] && v.certain(j) }
	for i := range a.Reasons {
		r := &a.Reasons[i]
		switch {
		case inFront(i):
			if v.ahead(i) && v.certain(i) || p.over {
				r.Class = explore.Optimal
			}
		case !v.inside[i] && (p.over || v.certain(i)):
			r.Class = explore.Infeasible
		case p.over:
			r.Class = explore.Dominated
			v.behind(i, func(j int) bool {
				return inFront(j) && pareto.Dominates(e.Row(j), e.Row(i))
			})
		case v.behind(i, certainlyFeasible):
			r.Class = explore.Dominated
		default:
			v.ahead(i)
		}
	}
	return a
}

// gameVerdicts compares the estimates of arms with the region and with each other.
type gameVerdicts struct {
	e       *arms.Means
	reasons []explore.Reason
	inside  []bool
	wide    float64 // half-width of a mean is wide over the root of its pulls
}

// locate notes where the arms are relative to the region.
func (v *gameVerdicts) locate(region *polyhedron.Polyhedron) {
	v.inside = make([]bool, v.e.K)
	for i := range v.reasons {
		r := &v.reasons[i]
		v.inside[i], r.Slack, r.Constraint = region.Margin(v.e.Row(i))
		r.SlackRadius = v.wide / math.Sqrt(float64(v.e.N[i]))
		if !v.inside[i] {
			r.Slack = -r.Slack
		}
	}
}

// certain reports whether arm i is certainly on the side of the boundary of the
// region where its estimate is.
func (v *gameVerdicts) certain(i int) bool {
	return math.Abs(v.reasons[i].Slack) > v.reasons[i].SlackRadius
}

// pair returns the half-width of the difference of arms i and j.
func (v *gameVerdicts) pair(i, j int) float64 {
	return v.wide * math.Sqrt(1/float64(v.e.N[i])+1/float64(v.e.N[j]))
}

// behind notes the arm among others that is most in front of i in every objective,
// and reports whether that is certain.
func (v *gameVerdicts) behind(i int, among func(j int) bool) bool {
	r := &v.reasons[i]
	r.By, r.Margin = -1, math.Inf(-1)
	for j := range v.e.K {
		if j == i || !among(j) {
			continue
		}
		m, half := pareto.Deficit(v.e.Row(i), v.e.Row(j)), v.pair(i, j)
		if r.By < 0 || m-half > r.Margin-r.MarginRadius {
			r.By, r.Margin, r.MarginRadius = j, m, half
		}
	}
	return r.By >= 0 && r.Margin > r.MarginRadius
}

// ahead notes the arm that may be feasible and comes closest to dominating i, and
// reports whether it certainly does not.
func (v *gameVerdicts) ahead(i int) bool {
	r := &v.reasons[i]
	r.By, r.Margin, r.MarginRadius = -1, 0, 0
	for j := range v.e.K {
		if j == i || !v.inside[j] && v.certain(j) {
			continue
		}
		m, half := pareto.Excess(v.e.Row(i), v.e.Row(j)), v.pair(i, j)
		if r.By < 0 || m-half < r.Margin-r.MarginRadius {
			r.By, r.Margin, r.MarginRadius = j, m, half
		}
	}
	return r.By < 0 || r.Margin > r.MarginRadius
}
