package policy

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/pareto"
	"github.com/purexp/purexp/pkg/policy/internal/memory"
	sets "github.com/purexp/purexp/pkg/policy/internal/pareto"
	"github.com/purexp/purexp/pkg/policy/internal/patience"
	"github.com/purexp/purexp/pkg/question"
)

// PAL is Pareto active learning for linear models, or for arms without features (Zuluaga, Sergent,
// Krause and Pueschel, "Active Learning for Multi-Objective Optimization", ICML 2013; epsilon-PAL,
// Zuluaga, Krause and Pueschel, JMLR 2016).
//
// Question: the Pareto set of the arms, exact or relaxed by Epsilon and Cover of question.Pareto.
// The policy ignores AtMost, but its answer is also right for questions with AtMost. Fixed
// confidence.
//
// Assumptions: rewards are sub-Gaussian of scale Problem.Sigma in each objective. If arms have
// features, every objective is linear in the features. If Epsilon is 0 and arms are tied, the
// policy returns ErrUndecidable.
//
// Guarantee: if Width is PALTheory, the answer is right with probability at least 1 - Delta for any
// sampling rule. PALPaper has the same guarantee for arms without features; with features, its
// guarantee is Bayesian. PALTuned and PALCode have no guarantee.
//
// Deviations from the papers: the prior is flat. The run starts with one reward of each of m arms
// that span the model. Therefore, the run depends neither on the units of rewards (unless Width is
// PALCode) nor on their zero point. Arms may be pulled more than once, because rewards are noisy.
// As in the authors' code, half of the total slack Epsilon is for discarding arms, and half is for
// accepting arms. If Cover is smaller than half of Epsilon, the slack for discarding arms is Cover,
// and the rest of Epsilon is for accepting arms. The limit Cover applies only to discarding,
// because accepting arms removes no optimal arm. Arms with the same features are treated as one
// arm.
//
// If Form is PALBoxes, the policy keeps for each arm the intersection of the boxes mean +- beta of
// all rounds, where the half-width beta is set by Width. A round of PALBoxes consists of these
// steps:
//
//	discards an arm that is not in the Pareto set of the lower corners, if its
//	         upper corner is below the lower corner, plus slack, of an arm in the set;
//	accepts  an arm whose lower corner plus slack is below no other upper corner;
//	pulls    the arm with the largest box, among the undecided and accepted arms.
//
// If Form is PALRacing, the policy is the baseline of the GEGE paper: each round pulls every active
// arm once, and applies the tests of [AuerRacing] with the widths beta_i + beta_j.
//
// For A active arms, a round takes at most O(A^2 d) operations; with features, each reward takes a
// further O(n m) operations, for n arms and rank m. For up to 64 arms, rounds allocate no memory.
type PAL struct {
	// Delta is the error probability; zero means DefaultDelta.
	Delta float64
	// Form is PALBoxes (the default) or PALRacing.
	Form PALForm `label:"racing" in:"[0,1]" want:"PALBoxes or PALRacing"`
	// Width is the formula for beta: PALTheory (the default), PALPaper, PALTuned or PALCode.
	Width PALWidth `label:"width %v" in:"[0,3]" want:"PALTheory, PALPaper, PALTuned or PALCode"`

	batcher
	posterior sets.Posterior
	delta     float64
	discard   float64 // slack for discarding
	accept    float64
	rounds    int
	active    []int // undecided arms, and accepted arms that may still prevent decisions about other arms
	next      []int // scratch for active
	front     []int // Pareto set of the lower corners
	lo, hi    []float64
	beta      []float64
	hint      []int // by arm: the other arm that last prevented its acceptance
	taken     []bool
	race      sets.Race // the race of PALRacing; its arms are the active arms
	out       func(i, by int)
	final     []explore.Reason // reasons of decided arms
}

// Card implements explore.Describer.
func (p *PAL) Card() explore.Card {
	return explore.Card{
		Name:      "PAL",
		Evidence:  explore.AnySampling,
		Answers:   []explore.Question{question.Pareto{}},
		Certifies: certifiesIf(p.Width == PALTheory),
		Needs:     []explore.Need{explore.SubGaussian{}, explore.Linear{}},
		Uses:      explore.UsesFeatures | explore.UsesRelaxations,
		Source:    "Zuluaga, Sergent, Krause, Püschel 2013; ε-PAL 2016",
		Key:       "zuluaga2013active",
	}
}

// A PALForm is a variant of PAL.
type PALForm int

// The following constants are the variants of PAL.
const (
	PALBoxes  PALForm = iota // intersected boxes, one pull per round
	PALRacing                // the tests of Auer et al. (2016), with one pull of each active arm per round
)

// A PALWidth is a formula for b in the half-width beta_i = sigma sqrt(b) s_i, where sigma s_i is
// the posterior standard deviation of the mean of arm i.
type PALWidth int

// The following constants are the formulas for b after t pulls.
const (
	// Without features, PALTheory is the same as PALPaper. With features, b is twice the threshold
	// SelfNormalized{} at Delta/d, which is valid for all arms at all times and for any sampling
	// rule.
	PALTheory PALWidth = iota
	// PALPaper is b = 2 log(K d pi^2 t^2/(6 Delta)) for K arms and d objectives, as printed.
	PALPaper
	// PALTuned is the formula used in the papers' experiments. For PALBoxes, PALTuned divides the b
	// of PALPaper by 5. For PALRacing, b = log(K d pi^2 r^2/(6 Delta))/5 in round r.
	PALTuned
	// PALCode is PALTuned without the factor sigma, as in the code of the GEGE paper. The scale of
	// the noise in the GEGE paper is 0.5, so the half-width of PALCode is twice that of PALTuned.
	// Without the factor sigma, the half-width does not scale with the units of rewards, so a
	// change of units changes the run. Therefore, use PALCode only for comparisons with the GEGE
	// paper.
	PALCode
)

// String returns the name of the width.
func (w PALWidth) String() string { return word(int(w), "theory", "paper", "tuned", "code") }

// String returns the name of the policy, followed by its settings.
func (p *PAL) String() string { return named("PAL", p) }

// Init implements explore.Policy.
func (p *PAL) Init(prob *explore.Problem, _ rand.Source) (err error) {
	p.batcher.init(p, prob, nil, p.posterior.Expected)
	if p.delta, _, err = checked(p, p.Delta, nil); err != nil {
		return err
	}
	if err := p.posterior.Init(prob); err != nil {
		return err
	}
	q := prob.Question.(question.Pareto)
	p.discard = min(q.Cover, q.Epsilon/2)
	p.accept = q.Epsilon - p.discard
	n, d := p.posterior.Model.N, p.posterior.D
	p.rounds = 0
	p.active, p.next, p.front = memory.UpTo(p.active, n), memory.Zeroed(p.next, n)[:0], memory.Zeroed(p.front, n)[:0]
	if p.Form == PALRacing {
		p.race.Init(n)
		p.active, p.out = p.race.Active, p.leave
	}
	p.lo, p.hi, p.beta = memory.Zeroed(p.lo, n*d), memory.Zeroed(p.hi, n*d), memory.Zeroed(p.beta, n)
	for i := range p.lo {
		p.lo[i], p.hi[i] = -inf, inf
	}
	p.hint, p.taken = memory.Zeroed(p.hint, n), memory.Zeroed(p.taken, n)
	p.final = memory.Zeroed(p.final, n)
	if n == 1 {
		p.active = p.active[:0]
		p.taken[0] = true
		p.final[0] = explore.Reason{Class: explore.Optimal, By: -1}
	}
	return nil
}

func (p *PAL) over() bool {
	return !slices.ContainsFunc(p.active, func(i int) bool { return !p.taken[i] })
}

// Ask implements explore.Policy.
func (p *PAL) Ask(dst []explore.Pull) ([]explore.Pull, error) {
	from := len(dst)
	pull := func(i int) { dst = append(dst, explore.Pull{Arm: p.posterior.Model.First[i], N: 1}) }
	switch {
	case p.over():
	case p.Form == PALRacing:
		for _, i := range p.active {
			pull(i)
		}
	case p.posterior.Pulls == 0:
		for _, i := range p.posterior.Start {
			pull(i)
		}
	default:
		pull(p.widest())
	}
	return patience.Extend(dst, from, p.posterior.Pulls, p.posterior.Prob, p)
}

// widest returns the active arm whose box has the longest diagonal.
func (p *PAL) widest() int {
	arm, most := -1, -1.
	for _, i := range p.active {
		s := 0.
		for c, v := range p.upper(i) {
			v -= p.lower(i)[c]
			s += v * v
		}
		if s > most {
			arm, most = i, s
		}
	}
	return arm
}

func (p *PAL) lower(i int) []float64 { return p.lo[i*p.posterior.D:][:p.posterior.D] }
func (p *PAL) upper(i int) []float64 { return p.hi[i*p.posterior.D:][:p.posterior.D] }

// Tell implements explore.Policy.
func (p *PAL) Tell(obs []explore.Batch) error {
	p.posterior.Tell(obs)
	p.rounds++
	wide := math.Sqrt(p.width())
	if p.Width != PALCode {
		wide *= p.posterior.Model.Sigma
	}
	for _, i := range p.active {
		p.beta[i] = wide * p.posterior.Deviation(i)
	}
	if p.Form == PALRacing {
		p.race.Round(p.posterior.Mean, p.posterior.D, p.beta, p.discard+p.accept, p.out)
		p.active = p.race.Active
	} else {
		p.classify()
	}
	return nil
}

// width returns the factor b in the half-widths sigma sqrt(b) s_i.
func (p *PAL) width() float64 {
	m := &p.posterior
	paper := func(t int) float64 {
		x := float64(t)
		return math.Log(float64(m.Model.N*m.D) * math.Pi * math.Pi * x * x / (6 * p.delta))
	}
	tuned := p.Width == PALTuned || p.Width == PALCode
	switch {
	case tuned && p.Form == PALRacing:
		return paper(p.rounds) / 5
	case tuned:
		return 2 * paper(m.Pulls) / 5
	case p.Width == PALPaper || m.Free:
		return 2 * paper(m.Pulls)
	}
	return 2 * SelfNormalized{}.Beta(Evidence{Delta: p.delta / float64(m.D), Pulls: m.Pulls,
		Rank: m.Model.Rank, LogDet: m.LogDet})
}

// classify discards and accepts arms according to their boxes.
func (p *PAL) classify() {
	d := p.posterior.D
	for _, i := range p.active {
		b, lo, hi := p.beta[i], p.lower(i), p.upper(i)
		for c, v := range p.posterior.Row(i) {
			lo[c], hi[c] = max(lo[c], v-b), min(hi[c], v+b)
			if lo[c] > hi[c] { // the intervals of arm i do not intersect: the model or an earlier interval was wrong
				lo[c], hi[c] = v-b, v+b
			}
		}
	}
	p.front = pareto.AppendSetOf(p.front[:0], p.lo, d, p.active)
	p.next = p.next[:0]
	on := 0
	for _, i := range p.active {
		if on < len(p.front) && p.front[on] == i {
			on++
		} else if by := p.covered(i); by >= 0 && !p.taken[i] {
			p.final[i] = p.reason(i, by, explore.Dominated)
			continue
		}
		p.next = append(p.next, i)
	}
	p.active, p.next = p.next, p.active
	for _, i := range p.active {
		if !p.taken[i] && p.clear(i) {
			p.taken[i] = true
			by, _ := p.posterior.Closest(i, p.active)
			p.final[i] = p.reason(i, by, explore.Optimal)
		}
	}
}

// covered returns an arm of the front of the lower corners whose lower corner, plus the slack, is
// at least the upper corner of arm i in every objective. If the front has no such arm, covered
// returns -1.
func (p *PAL) covered(i int) int {
	for _, j := range p.front {
		if j != i && pareto.Excess(p.upper(i), p.lower(j)) <= p.discard {
			return j
		}
	}
	return -1
}

// clear reports whether no other active arm can be better than i by more than the slack in every
// objective.
func (p *PAL) clear(i int) bool {
	blocks := func(j int) bool {
		return j != i && pareto.Deficit(p.lower(i), p.upper(j)) >= p.accept
	}
	if j := p.hint[i]; slices.Contains(p.active, j) && blocks(j) {
		return false
	}
	for _, j := range p.active {
		if blocks(j) {
			p.hint[i] = j
			return false
		}
	}
	return true
}

// reason returns the reason for the class of arm i; the reason compares arm i with arm by.
func (p *PAL) reason(i, by int, class explore.Class) explore.Reason {
	r := explore.Reason{Class: class, By: by}
	if by < 0 {
		return r
	}
	r.MarginRadius = p.beta[i] + p.beta[by]
	r.Margin = pareto.Excess(p.posterior.Row(i), p.posterior.Row(by))
	if class == explore.Dominated {
		r.Margin = -r.Margin
	}
	return r
}

// leave records why arm i leaves the race: arm i is dominated by arm by or, if by is negative, arm
// i is optimal.
func (p *PAL) leave(i, by int) {
	if by >= 0 {
		p.final[i] = p.reason(i, by, explore.Dominated)
		return
	}
	p.taken[i] = true
	by, _ = p.posterior.Closest(i, p.race.Active)
	p.final[i] = p.reason(i, by, explore.Optimal)
}

// Answer implements explore.Policy. Until all arms are decided, the items are the accepted arms,
// and those undecided arms whose estimates no active arm dominates.
func (p *PAL) Answer() explore.Answer {
	m := &p.posterior
	reasons, in := slices.Clone(p.final), slices.Clone(p.taken)
	for _, i := range p.active {
		if p.taken[i] {
			continue
		}
		reasons[i] = explore.Reason{By: -1}
		if m.Pulls == 0 {
			continue
		}
		in[i] = true
		for _, j := range p.active {
			if pareto.Dominates(m.Row(j), m.Row(i)) {
				in[i] = false
			}
		}
		by, _ := m.Closest(i, p.active)
		reasons[i] = p.reason(i, by, explore.Undecided)
	}
	return m.Model.Answer(func(c int) bool { return in[c] }, reasons)
}
