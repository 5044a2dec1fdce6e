package policy

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/pareto"
	"github.com/purexp/purexp/pkg/policy/internal/arms"
	"github.com/purexp/purexp/pkg/policy/internal/memory"
	sets "github.com/purexp/purexp/pkg/policy/internal/pareto"
	"github.com/purexp/purexp/pkg/policy/internal/patience"
	"github.com/purexp/purexp/pkg/question"
	"github.com/purexp/purexp/pkg/radius"
)

// AuerRacing pulls each active arm once per round, and removes an arm from the race when its status
// is certain. Source: Auer, Chiang, Ortner and Drugan, "Pareto Front Identification from Stochastic
// Bandit Feedback", AISTATS 2016, Algorithm 1. Other papers call AuerRacing "Racing" (GEGE) or
// "PFIMulti".
//
// Question: the Pareto set of the arms, exact or relaxed by Epsilon of question.Pareto, which is
// the paper's epsilon0. The policy ignores Cover and AtMost, but its answer is also right for
// questions with Cover and AtMost. Fixed confidence. Features are ignored.
//
// Assumptions: rewards are sub-Gaussian of scale Problem.Sigma in each objective. If Epsilon is 0
// and arms are tied, the policy returns ErrUndecidable.
//
// Guarantee: with the default radius, the answer is right with probability at least 1 - Delta. The
// number of pulls is of the order of the sum over arms of sigma^2/max(gap, eps)^2 log(K d/(Delta
// gap)).
//
// Deviations from the paper: the noise has scale Sigma, whereas the paper assumes rewards in [0,
// 1]. An arm is not compared with itself.
//
// The rules of a round use beta, the half-width of the interval for each mean, and m(i,j), the
// estimated amount by which arm j is better than arm i in every objective. In terms of m and M(i,j)
// = -m(i,j), each round does the following:
//
//	drops          each arm i with m(i,j) > 2 beta for an active arm j; the remaining arms form A1;
//	finds optimal  each arm i of A1 with M(i,j) + eps >= 2 beta for all j in A1; P1 is the set of these arms;
//	retires        each arm j of P1 with M(i,j) + eps > 2 beta for all i in A1 outside P1,
//	               so that no arm outside P1 needs j as evidence of dominance.
//
// A round with A active arms and d objectives usually costs O(A d). Rounds in which an arm may
// retire cost O(A p d), where p is the number of active arms that are optimal by the estimates.
// Whenever the number of rewards has doubled, a few dozen rounds check whether arms may retire, at
// a cost of O(A p d) each. For up to a few dozen arms, rounds allocate no memory.
type AuerRacing struct {
	// Delta is the error probability; zero means DefaultDelta.
	Delta float64
	// Radius is the choice of confidence radii; nil means AuerRadius{}.
	Radius radius.Radius

	outputs sets.Outputs
	bonus   radius.Bonus
	n, t    int     // pulls of each active arm, and of all arms
	wide    float64 // 2 beta
	final   []explore.Reason
	p1      []bool    // by arm: whether it is in P1
	margin  []float64 // D_i, by position among the active arms
	raceState
}

// Card implements explore.Describer.
func (p *AuerRacing) Card() explore.Card {
	return byRadius(p.radius(), explore.Card{
		Name:      "Auer",
		Answers:   []explore.Question{question.Pareto{}},
		Certifies: explore.CertifiesSet,
		Needs:     []explore.Need{explore.SubGaussian{}},
		Uses:      explore.UsesRelaxations,
		Source:    "Auer, Chiang, Ortner, Drugan 2016, Algorithm 1",
		Key:       "auer2016pareto",
	})
}

// AuerRadius is the confidence radius in the paper by Auer et al., for equal or unequal numbers of
// pulls:
//
//	beta_i  = Scale sigma sqrt(2 log(4 K d N_i^2/delta)/N_i)
//	beta_ij = beta_i + beta_j
//
// If Scale is at least 1, all means are within beta_i of their estimates at all times, with
// probability at least 1 - delta. For the norm of the error in d objectives, the radius is U_i =
// sqrt(d) beta_i; all radii hold simultaneously.
type AuerRadius struct {
	// Scale is a factor that multiplies the radius. With a Scale below 1, as is common in
	// experiments, the error probability Delta is only nominal. Zero means 1.
	Scale float64
}

// String returns "Auer", followed by the scale unless it is 1.
func (r AuerRadius) String() string {
	if r.Scale == 0 || r.Scale == 1 {
		return "Auer"
	}
	return fmt.Sprintf("Auer x %v", r.Scale)
}

// Validate returns an error if Scale is negative or not finite.
func (r AuerRadius) Validate() error {
	if !(r.Scale >= 0) || math.IsInf(r.Scale, 1) {
		return fmt.Errorf("policy: AuerRadius.Scale is %v; expected a positive factor; 0 means 1", r.Scale)
	}
	return nil
}

// Holds implements radius.Holder.
func (r AuerRadius) Holds() radius.Noise {
	if r.Scale > 0 && r.Scale < 1 {
		return radius.Nominal
	}
	return radius.SubGaussian
}

// Bind implements radius.Radius.
func (r AuerRadius) Bind(p radius.Params) radius.Bonus {
	scale := cmp.Or(r.Scale, 1)
	return auerBonus{
		scale: scale * p.Sigma, root: math.Sqrt(float64(p.Objectives)),
		log: math.Log(4 * float64(p.Arms) * float64(p.Objectives) / p.Delta),
	}
}

type auerBonus struct{ scale, root, log float64 }

func (auerBonus) Factors(int) (pair, norm float64) { return 1, 1 }

// Mean returns scale sigma sqrt(2 log(4 K d n^2/delta)/n). If the factor scale is at least 1, the
// error probability is at most delta, because the sum over n of 2 K d exp(-log(4 K d n^2/delta)) is
// delta pi^2/12 < delta.
func (b auerBonus) Mean(n int) float64 {
	x := float64(n)
	return b.scale * math.Sqrt(2*(b.log+2*math.Log(x))/x)
}

func (b auerBonus) Term(n int) radius.Term { return radius.Term{X: b.Mean(n)} }

func (b auerBonus) Pair(i, j radius.Term) float64 { return i.X + j.X }

func (b auerBonus) Norm(n int) float64 { return b.root * b.Mean(n) }

// String returns the name of the policy, followed by its settings.
func (p *AuerRacing) String() string { return named("Auer racing", p, p.radius()) }

// radius returns the policy's radius, or the default radius if the field is nil.
func (p *AuerRacing) radius() radius.Radius { return cmp.Or[radius.Radius](p.Radius, AuerRadius{}) }

// Init implements explore.Policy.
func (p *AuerRacing) Init(prob *explore.Problem, _ rand.Source) error {
	delta, r, err := confidence(p.Delta, p.radius())
	if err != nil {
		return err
	}
	if err := p.outputs.Init(prob, false); err != nil {
		return err
	}
	p.bonus = arms.Bind(r, prob, delta)
	k := p.outputs.Model.N
	p.n, p.t, p.wide = 0, 0, 0
	p.final, p.p1 = memory.Zeroed(p.final, k), memory.Zeroed(p.p1, k)
	p.then, p.margin = memory.Zeroed(p.then, k*p.outputs.D), memory.Zeroed(p.margin, k)
	p.below, p.stale = math.Inf(1), false
	return nil
}

// Ask implements explore.Policy.
func (p *AuerRacing) Ask(dst []explore.Pull) ([]explore.Pull, error) {
	if p.outputs.Over {
		return dst, nil
	}
	from := len(dst)
	return patience.Extend(p.outputs.Each(dst, 1), from, p.t, p.outputs.Prob, p)
}

// Tell implements explore.Policy.
func (p *AuerRacing) Tell(obs []explore.Batch) error {
	o := &p.outputs
	o.Add(obs)
	n := obs[0].N
	p.n += n
	p.t += n * len(obs)
	o.Averages()
	factor, _ := p.bonus.Factors(p.t)
	term := p.bonus.Term(p.n)
	p.wide = factor * p.bonus.Pair(term, term)
	if p.stale = p.stands(); !p.stale {
		p.race()
		o.Over = len(o.Active) == 0
	}
	return nil
}

// race drops arms that are certainly dominated, and retires arms that are certainly optimal.
//
// The sets A1 and P1 of the paper follow from the numbers D_i = max over active j of m(i,j).
// Dropped arms do not affect whether -D_i, the minimum of M(i,j) over j, is at least 2 beta - eps.
// For a proof, let arm j be dropped because an arm k of A1 is better than j by more than 2 beta in
// every objective. For the dropped arm j, M(i,k) < M(i,j) if k is not i, and M(i,j) > 2 beta if k
// is i.
func (p *AuerRacing) race() {
	o, eps := &p.outputs, p.outputs.Question.Epsilon
	o.Classify(p.margin[:len(o.Active)]) // o.Order is a copy of o.Active; margin has the same order
	a1 := o.Active[:0]
	found := false
	for q, i := range o.Order {
		switch d := p.margin[q]; {
		case d > p.wide:
			p.final[i] = o.Reason(i, explore.Dominated, p.wide)
			continue
		case eps-d >= p.wide:
			p.p1[i], found = true, true
		default:
			p.p1[i] = false
		}
		a1 = append(a1, i)
	}
	retired := len(a1) < len(o.Order)
	o.Active = a1
	if !found {
		p.rest(retired)
		return
	}
	for _, j := range a1 {
		if p.p1[j] && p.need(j, p.wide) > p.wide {
			p.final[j] = o.Reason(j, explore.Optimal, p.wide)
			o.Optimal[j] = true
		}
	}
	kept := a1[:0]
	for _, i := range a1 {
		if !o.Optimal[i] {
			kept = append(kept, i)
		}
	}
	o.Active = kept
	p.rest(retired || len(kept) < len(a1))
}

// need returns the minimum of M(i,j) + eps over the arms i of A1 outside P1. need stops early as
// soon as a value is at most enough. If the result is at most 2 beta, arm j may be the only arm
// that can show that some arm i is dominated.
func (p *AuerRacing) need(j int, enough float64) float64 {
	o := &p.outputs
	least := math.Inf(1)
	for _, i := range o.Active {
		if !p.p1[i] {
			if least = min(least, pareto.Excess(o.Row(i), o.Row(j))+o.Question.Epsilon); least <= enough {
				break
			}
		}
	}
	return least
}

// Answer implements explore.Policy. Before the end of the race, the items are the retired optimal
// arms, and those active arms that are optimal by the estimates.
func (p *AuerRacing) Answer() explore.Answer {
	if p.stale {
		p.outputs.Classify(nil)
		p.stale = false
	}
	return p.outputs.Certified(p.final, p.wide)
}

// raceState contains what AuerRacing needs to skip races that cannot change the status of any arm.
// Every number that the rules compare with 2 beta is a maximum or a minimum of differences between
// two means. Since the last race, a maximum or minimum of differences of two means has changed by
// at most twice the largest change of a mean. No check is needed when an arm leaves P1, because a
// smaller P1 can only delay the retirement of arms.
type raceState struct {
	below float64   // the largest number compared with 2 beta in the last race; +Inf if the race removed an arm
	then  []float64 // the means at the last race
	stale bool      // whether the means have changed since the last race
}

// stands reports whether a new race would certainly not change the status of an arm.
func (p *AuerRacing) stands() bool {
	o := &p.outputs
	if !(p.below < p.wide) { // a race is needed, whether or not the means have changed
		return false
	}
	moved := 0.
	for _, i := range o.Active {
		then := p.then[i*o.D:][:o.D]
		for c, v := range o.Row(i) {
			moved = max(moved, math.Abs(v-then[c]))
		}
	}
	reach := 2*moved + 1e-9*(moved+p.wide+o.Question.Epsilon) // with a margin for rounding errors
	return p.below+reach < p.wide
}

// After a race in which no arm was removed, stand records the current means and the largest of the
// numbers that the rules compare with 2 beta.
func (p *AuerRacing) stand() {
	o, eps := &p.outputs, p.outputs.Question.Epsilon
	p.below = math.Inf(-1)
	for q, i := range o.Active {
		copy(p.then[i*o.D:][:o.D], o.Row(i))
		d := p.margin[q]
		p.below = max(p.below, d) // the rules drop an arm if d is above 2 beta
		if p.p1[i] {
			p.below = max(p.below, p.need(i, math.Inf(-1))) // arm i retires if need(i) is above 2 beta
		} else {
			p.below = max(p.below, eps-d) // an arm joins P1 if eps - d is at least 2 beta
		}
	}
}

// rest is called at the end of a race. If the race removed an arm, as the argument retired states,
// rest makes the next race necessary. Otherwise, rest calls stand.
func (p *AuerRacing) rest(retired bool) {
	if p.below = math.Inf(1); !retired {
		p.stand()
	}
}
