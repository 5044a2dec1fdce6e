package policy

import (
	"fmt"
	"math"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policy/internal/arms"
	"github.com/purexp/purexp/pkg/policy/internal/memory"
	"github.com/purexp/purexp/pkg/policy/internal/patience"
	"github.com/purexp/purexp/pkg/question"
	"github.com/purexp/purexp/pkg/radius"
)

// bestArms is what policies share that look for the best arm without structure: means, radii of
// them and of their differences, and one stopping rule. The answer is an arm that is certainly at
// most Epsilon behind each other one. Since the radii hold for all arms and pairs at all times,
// with probability at least 1 - delta, that is right however arms were chosen.
type bestArms struct {
	arms.Means
	epsilon float64
	bonus   radius.Bonus
	fitted  radius.Fitted // nil if bonus has no narrower half-widths
	factor  float64       // of bonus, now
	half    []float64     // K: half-widths of means, +Inf before the first reward
	leader  int           // the answer
	over    bool
}

// unstructured returns the question of problems whose items are arms without structure, for the
// policy of a name.
func unstructured(prob *explore.Problem, name string) (question.Best, error) {
	q, ok := prob.Question.(question.Best)
	switch {
	case !ok:
		return q, fmt.Errorf("policy: %s: %T; want question.Best: %w", name, prob.Question,
			explore.ErrQuestion)
	case prob.Z != nil:
		return q, fmt.Errorf("policy: %s: items that are not arms; it compares arms: %w", name,
			explore.ErrQuestion)
	}
	return q, prob.CheckLinear() // means, not predictors
}

// start prepares for a problem.
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

// learn takes rewards and computes the half-widths of means.
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

// apart returns the half-width of the difference of two arms.
func (b *bestArms) apart(i, j int) float64 {
	if b.N[i] == 0 || b.N[j] == 0 {
		return inf
	}
	if b.fitted != nil {
		return b.factor * b.fitted.Apart(0, b.seen(i), b.seen(j))
	}
	return b.factor * b.bonus.Pair(b.bonus.Term(b.N[i]), b.bonus.Term(b.N[j]))
}

// settled reports whether arm i is certainly at most Epsilon behind arm j.
func (b *bestArms) settled(i, j int) bool {
	return b.Mean[i]-b.Mean[j]+b.epsilon >= b.apart(i, j)
}

// rival returns the arm that may be ahead of i by the largest value, -1 if i is certainly good
// enough; i then is the answer.
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

// upper returns the upper confidence bound of arm j.
func (b *bestArms) upper(j int) float64 { return b.Mean[j] + b.half[j] }

// best returns the arm with the largest mean.
func (b *bestArms) best() int {
	best := 0
	for i, v := range b.Mean {
		if v > b.Mean[best] {
			best = i
		}
	}
	return best
}

// ask returns the first pulls of a policy, or one of each of two arms; -1 is none.
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

// Answer returns the leader. An arm is dominated if it is certainly behind the leader.
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
		// Dominated is by how much the leader is ahead, undecided by how much the arm is.
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
