package policy

import (
	"fmt"
	"math"
	"slices"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policy/internal/arms"
	"github.com/purexp/purexp/pkg/policy/internal/epsilonbest"
	"github.com/purexp/purexp/pkg/policy/internal/memory"
	"github.com/purexp/purexp/pkg/policy/internal/patience"
	"github.com/purexp/purexp/pkg/question"
	"github.com/purexp/purexp/pkg/radius"
)

// bestArms is the common part of policies that find the best arm without features: means,
// confidence radii of means and of differences, and a stopping rule. When a run stops, the mean of
// the answer is certainly at most Epsilon below the mean of each other arm. Radii with a guarantee
// hold for all arms and pairs at all times, with probability at least 1 - delta. With such radii,
// the answer is therefore right for any choice of pulls.
type bestArms struct {
	arms.Means
	epsilon float64
	bonus   radius.Bonus
	fitted  radius.Fitted // nil if half-widths depend on counts alone
	factor  float64       // current factor of bonus
	half    []float64     // K: half-widths of means, +Inf before the first reward
	leader  int           // the answer
	over    bool
}

// unstructured returns the question of a problem about the best arm. For other questions, links or
// items, unstructured returns an error. Error messages contain the given name of the policy.
func unstructured(prob *explore.Problem, name string) (question.Best, error) {
	q, ok := prob.Question.(question.Best)
	switch {
	case !ok:
		return q, fmt.Errorf("policy: %s: the question is %T; expected question.Best: "+
			"%w", name, prob.Question, explore.ErrQuestion)
	case prob.Z != nil:
		return q, fmt.Errorf("policy: %s: the items (Z) are not the arms; leave Z nil: %w", name, explore.ErrQuestion)
	}
	return q, prob.CheckLinear() // the policy compares means, not linear predictors
}

// start initialises the statistics and the radii for a run on a problem.
func (b *bestArms) start(prob *explore.Problem, name string, delta float64, r radius.Radius) error {
	q, err := unstructured(prob, name)
	if err != nil {
		return err
	}
	half := b.half
	*b = bestArms{Means: b.Means, epsilon: q.Epsilon, bonus: arms.Bind(r, prob, delta)}
	b.Init(prob)
	b.fitted, _ = b.bonus.(radius.Fitted)
	b.half = memory.Zeroed(half, b.K)
	for i := range b.half {
		b.half[i] = inf
	}
	b.over = b.K == 1
	return nil
}

func (b *bestArms) learn(obs []explore.Batch) {
	b.Tell(obs)
	b.factor, _ = b.bonus.Factors(b.Pulls)
	if b.fitted == nil {
		for i, n := range b.N {
			if n > 0 {
				b.half[i] = b.factor * b.bonus.Mean(n)
			}
		}
		return
	}
	for k := range obs {
		i := obs[k].Arm
		b.half[i] = b.factor * b.fitted.Around(0, b.seen(i))
	}
}

func (b *bestArms) seen(i int) radius.Seen {
	return radius.Seen{N: b.N[i], Mean: b.Mean[i], Spread: math.NaN()}
}

// apart returns the half-width of the interval for the difference of the means of two arms.
func (b *bestArms) apart(i, j int) float64 {
	if b.N[i] == 0 || b.N[j] == 0 {
		return inf
	}
	if b.fitted != nil {
		return b.factor * b.fitted.Apart(0, b.seen(i), b.seen(j))
	}
	return b.factor * b.bonus.Pair(b.bonus.Term(b.N[i]), b.bonus.Term(b.N[j]))
}

// settled reports whether the mean of arm i is certainly at most Epsilon below that of arm j.
func (b *bestArms) settled(i, j int) bool {
	return b.Mean[i]-b.Mean[j]+b.epsilon >= b.apart(i, j)
}

// rival returns the arm with the largest value among the arms that may be better than i by more than
// Epsilon. rival also makes i the leader. Without such arms, rival ends the run and returns -1.
func (b *bestArms) rival(i int, value func(j int) float64) int {
	best, most := -1, -inf
	for j := range b.K {
		if j == i || b.settled(i, j) {
			continue
		}
		if v := value(j); best < 0 || v > most {
			best, most = j, v
		}
	}
	b.leader, b.over = i, best < 0
	return best
}

func (b *bestArms) upper(j int) float64 { return b.Mean[j] + b.half[j] }

func (b *bestArms) best() int {
	best := 0
	for i, v := range b.Mean {
		if v > b.Mean[best] {
			best = i
		}
	}
	return best
}

// ask appends the pulls of the initial round, or one pull of each arm of next that is not -1.
func (b *bestArms) ask(dst []explore.Pull, p patience.Answerer, next ...int) ([]explore.Pull, error) {
	switch {
	case b.over:
		return dst, nil
	case b.Pulls == 0:
		return arms.Sweep(dst, b.K), nil
	}
	from := len(dst)
	for _, i := range next {
		if i >= 0 {
			dst = append(dst, explore.Pull{Arm: i, N: 1})
		}
	}
	return patience.Extend(dst, from, b.Pulls, b.Prob, p)
}

// Answer returns the leader, which is the arm i in the last call of rival. An arm is classified as
// dominated if it is certainly worse than the leader.
func (b *bestArms) Answer() explore.Answer {
	a := explore.Answer{Reasons: arms.Undecided(b.K)}
	if b.Pulls == 0 && !b.over {
		return a
	}
	h := b.leader
	a.Items = []int{h}
	closest := inf
	for j := range b.K {
		if j == h {
			continue
		}
		r := &a.Reasons[j]
		lead, radius := b.Mean[h]-b.Mean[j], b.apart(h, j)
		// The margin of a dominated arm is the amount by which the leader is better than the arm.
		// The margin of an undecided arm is the amount by which the arm is better than the leader.
		r.By, r.Margin, r.MarginRadius = h, -lead, radius
		if lead >= radius && radius > 0 {
			r.Class, r.Margin = explore.Dominated, lead
		}
		if lead-radius < closest {
			closest = lead - radius
			a.Reasons[h].By, a.Reasons[h].Margin, a.Reasons[h].MarginRadius = j, lead, radius
		}
	}
	if b.over {
		a.Reasons[h].Class = explore.Optimal
	}
	return a
}

// goodArms is the common part of policies without features that find all arms within epsilon of the
// best. goodArms uses confidence intervals of means (Mason, Jain, Tripathy and Nowak 2020).
type goodArms struct {
	arms.Means
	sigma          float64
	factor, offset float64 // an arm is good if its mean is at least factor times the best mean, minus offset
	bonus          radius.Bonus
	low, high      []float64 // confidence intervals
	reasons        []explore.Reason
	over           bool
}

// start initialises the statistics and the intervals for a run on a problem.
func (g *goodArms) start(prob *explore.Problem, name string, delta float64, r radius.Radius) error {
	q, err := epsilonbest.Question(prob, name)
	if err != nil {
		return err
	}
	if err := prob.CheckLinear(); err != nil {
		return err
	}
	*g = goodArms{bonus: arms.Bind(r, prob, delta), sigma: prob.Sigma}
	g.factor, g.offset = q.Line()
	g.Init(prob)
	g.low, g.high = make([]float64, g.K), make([]float64, g.K)
	for i := range g.low {
		g.low[i], g.high[i] = -inf, inf
	}
	g.reasons = arms.Undecided(g.K)
	if g.over = g.K == 1; g.over {
		g.reasons[0].Class = explore.Optimal
	}
	return nil
}

func (g *goodArms) learn(obs []explore.Batch) {
	g.Tell(obs)
	f, _ := g.bonus.Factors(g.Pulls)
	for i, n := range g.N {
		if n > 0 {
			r := f * g.bonus.Mean(n)
			g.low[i], g.high[i] = g.Mean[i]-r, g.Mean[i]+r
		}
	}
}

// threshold returns the smallest mean of a good arm; the argument best is the largest mean.
func (g *goodArms) threshold(best float64) float64 { return g.factor*best - g.offset }

// leaders returns the two arms of set with the largest values, best first. If set is nil, leaders
// uses all arms. If there is only one arm, second is -1.
func (g *goodArms) leaders(v []float64, set []bool) (first, second int) {
	first, second = -1, -1
	for i, x := range v {
		switch {
		case set != nil && !set[i]:
		case first < 0 || x > v[first]:
			first, second = i, first
		case second < 0 || x > v[second]:
			second = i
		}
	}
	return first, second
}

// decide determines the class of arm i. Of the arms that may be best, arm sure has the largest
// lower confidence bound. Of these arms except arm i, arm by has the largest upper confidence
// bound. Arm i is Optimal if it is certainly good, and Dominated if it is certainly not good.
func (g *goodArms) decide(i, by, sure int) explore.Class {
	r := &g.reasons[i]
	r.By = by
	if by < 0 { // no other arm may be the best
		r.Class = explore.Optimal
		return r.Class
	}
	r.Margin = g.Mean[i] - g.threshold(g.Mean[by])
	r.MarginRadius = (g.high[i] - g.low[i] + g.factor*(g.high[by]-g.low[by])) / 2
	switch {
	case g.low[i] >= g.threshold(g.high[by]):
		r.Class = explore.Optimal
	case sure != i && g.high[i] < g.threshold(g.low[sure]):
		r.Class, r.By = explore.Dominated, sure
		r.Margin = g.threshold(g.Mean[sure]) - g.Mean[i]
		r.MarginRadius = (g.high[i] - g.low[i] + g.factor*(g.high[sure]-g.low[sure])) / 2
	default:
		r.Class = explore.Undecided
	}
	return r.Class
}

// Answer returns the arms that are certainly good, and those undecided arms that are good by their
// estimates.
func (g *goodArms) Answer() explore.Answer {
	a := explore.Answer{Reasons: append([]explore.Reason(nil), g.reasons...)}
	best := slices.Max(g.Mean)
	for i, r := range g.reasons {
		if r.Class == explore.Optimal || r.Class == explore.Undecided && g.Mean[i] >= g.threshold(best) {
			a.Items = append(a.Items, i)
		}
	}
	return a
}
