package policy

import (
	"math"
	"slices"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/pareto"
	"github.com/purexp/purexp/pkg/policy/internal/arms"
	"github.com/purexp/purexp/pkg/policy/internal/constrained"
	"github.com/purexp/purexp/pkg/policy/internal/linear"
	"github.com/purexp/purexp/pkg/policy/internal/memory"
	"github.com/purexp/purexp/pkg/policy/internal/patience"
	"github.com/purexp/purexp/pkg/polyhedron"
	"github.com/purexp/purexp/pkg/question/alternative"
)

// A setRatio is the common part of policies that solve the game in the definition of the lower
// bound on the number of pulls. A run stops when the generalised likelihood ratio of the estimates,
// against all alternative means lambda with a different (feasible) Pareto set, exceeds a threshold:
//
//	inf over lambda of sum over i of N_i/2 ||muhat_i - lambda_i||^2 > sigma_u^2 beta.
type setRatio struct {
	means    arms.Means
	response *alternative.BestResponse
	region   *polyhedron.Polyhedron
	delta    float64
	sigma    float64 // NormSigma
	gate     stoppingTest

	n      []float64 // K: pulls
	grad   []float64 // K: half the squared distance of each arm's mean in the closest alternative from its estimate
	logDet float64   // log determinant of the information about the K d means
	front  []int     // feasible Pareto set of the estimates
	over   bool
	latest int // number of rewards in the last Tell, by which the sum of proportions grows; 1 for the initial round
}

// init prepares a run on prob with error probability delta and threshold t.
func (p *setRatio) init(prob *explore.Problem, delta float64, t Threshold) (err error) {
	if p.delta, _, err = confidence(delta, nil); err != nil {
		return err
	}
	if t, err = armThreshold(t); err != nil {
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
	p.means.Init(prob)
	p.gate.init(t, 1, p.delta, k*d)
	p.sigma = prob.SigmaU()
	p.n, p.grad = memory.Zeroed(p.n, k), memory.Zeroed(p.grad, k)
	p.front = memory.Zeroed(p.front, k)[:0]
	p.logDet, p.over = 0, false
	return nil
}

// At the start of a run, ask appends one pull of every arm; later, ask appends one pull of the arm
// next.
func (p *setRatio) ask(dst []explore.Pull, next int) ([]explore.Pull, error) {
	switch {
	case p.over:
		return dst, nil
	case p.means.Pulls == 0:
		return arms.Sweep(dst, p.means.K), nil
	}
	return patience.Extend(append(dst, explore.Pull{Arm: next, N: 1}), len(dst), p.means.Pulls, p.means.Prob, p)
}

// tell adds measurements to the statistics, and tests whether the run is over.
func (p *setRatio) tell(obs []explore.Batch) {
	before := p.means.Pulls
	p.means.Tell(obs)
	p.latest = 1 // the initial round counts as one reward
	if before > 0 {
		p.latest = p.means.Pulls - before
	}
	p.logDet = 0
	for i, n := range p.means.N {
		p.n[i] = float64(n)
		p.logDet += float64(p.means.D) * math.Log(p.n[i])
	}
	p.response.SetMeans(p.means.Mean)
	p.front = append(p.front[:0], p.response.Front()...)
	s2 := p.sigma * p.sigma
	p.over = p.gate.exceeds(0, p.response.Cost(nil, p.n)/s2, p.evidence())
}

func (p *setRatio) evidence() Evidence {
	return Evidence{Delta: p.delta, Pulls: p.means.Pulls, Rank: p.means.K * p.means.D, LogDet: p.logDet}
}

// Answer implements explore.Policy. Half-widths are valid if, for the true means mu, the sum of
// N_i/2 ||muhat_i - mu_i||^2 is at most sigma_u^2 beta. If a theorem supports the threshold, this
// event has probability at least 1 - delta.
func (p *setRatio) Answer() explore.Answer {
	e := &p.means
	a := explore.Answer{Items: slices.Clone(p.front), Reasons: arms.Undecided(e.K)}
	if e.Pulls == 0 {
		return a
	}
	v := ratioVerdicts{e: e, reasons: a.Reasons, wide: p.sigma * math.Sqrt(2*p.gate.beta(p.evidence()))}
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

// ratioVerdicts compares the estimates of arms with the boundary of the region and with each other.
type ratioVerdicts struct {
	e       *arms.Means
	reasons []explore.Reason
	inside  []bool
	wide    float64 // half-width of a mean, times the square root of the arm's number of pulls
}

// locate records the position of each arm relative to the region.
func (v *ratioVerdicts) locate(region *polyhedron.Polyhedron) {
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

// certain reports whether arm i is certainly on the same side of the region's boundary as its
// estimate.
func (v *ratioVerdicts) certain(i int) bool {
	return math.Abs(v.reasons[i].Slack) > v.reasons[i].SlackRadius
}

// pair returns the half-width for the difference of arms i and j.
func (v *ratioVerdicts) pair(i, j int) float64 {
	return v.wide * math.Sqrt(1/float64(v.e.N[i])+1/float64(v.e.N[j]))
}

// behind records which of the given arms most clearly dominates arm i, and reports whether this
// dominance is certain.
func (v *ratioVerdicts) behind(i int, among func(j int) bool) bool {
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

// ahead records which of the possibly feasible arms comes closest to dominating arm i.
// ahead reports whether arm i is certainly not dominated.
func (v *ratioVerdicts) ahead(i int) bool {
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

// likelihoodRatio is the common part of policies for linear models that stop when a likelihood
// ratio exceeds the setting Threshold. Policies embed likelihoodRatio.
type likelihoodRatio struct {
	batcher
	sequential linear.Sequential
	delta      float64
	beta       Threshold
}

// init prepares a run of the policy self with the given error probability and threshold. After
// init, the policy must initialize the field sequential.
func (p *likelihoodRatio) init(self explore.Policy, prob *explore.Problem, delta float64, t Threshold) (err error) {
	p.batcher.init(self, prob, nil, p.sequential.Expected)
	if p.delta, _, err = checked(self, delta, nil); err != nil {
		return err
	}
	p.beta, err = threshold(t)
	return err
}

// begin calls init, and initialises sequential with one reward of each arm or of each arm in a set
// that spans the model.
func (p *likelihoodRatio) begin(self explore.Policy, prob *explore.Problem, delta float64, t Threshold,
	spanning bool) error {
	if err := p.init(self, prob, delta, t); err != nil {
		return err
	}
	return p.sequential.Init(prob, 0, spanning)
}

// level returns the threshold for likelihood ratios, given all rewards so far.
func (p *likelihoodRatio) level() float64 {
	s := &p.sequential
	return p.beta.Beta(Evidence{Delta: p.delta, Pulls: s.Pulls, Rank: s.Rank, LogDet: s.Gained()})
}

// test adds the rewards of a round, and reports whether the leader is certainly the best.
func (p *likelihoodRatio) test(obs []explore.Batch) (over bool, err error) {
	s := &p.sequential
	if err := s.Tell(obs); err != nil {
		return false, err
	}
	s.Test(p.level())
	return s.Over, nil
}

// Ask implements explore.Policy.
func (p *likelihoodRatio) Ask(dst []explore.Pull) ([]explore.Pull, error) {
	return p.sequential.Ask(dst)
}

// Answer implements explore.Policy.
func (p *likelihoodRatio) Answer() explore.Answer { return p.sequential.Answer() }

// lazyDesigns is a likelihoodRatio whose pulls follow designs that are recomputed only from time to
// time.
type lazyDesigns struct {
	likelihoodRatio
	rule linear.Lazy
}

// keepDesign implements designer.
func (p *lazyDesigns) keepDesign() { p.rule.KeepDesign() }

// Warnings implements explore.Warnings. Warnings warns about designs that miss their tolerance.
func (p *lazyDesigns) Warnings() []error { return p.rule.Warnings() }
