// Package epsilonbest supports policies that find all items within epsilon of the best. [Question]
// returns the question of a problem after checking it, and a [Classifier] classifies items by
// confidence intervals. [Rounds] measures the arms of a linear model round by round, and classifies
// the items.
//
//	r.Init(prob, "LinFACT", epsilon, false) // epsilonbest.Rounds
//	pulls, err := r.Ask(dst, plan)          // plan sets the pulls of a round
//	err = r.Estimate(obs)
//	r.Classify(radius)
package epsilonbest

import (
	"fmt"
	"math"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/design"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/lsq"
	"github.com/purexp/purexp/pkg/policy/internal/arms"
	"github.com/purexp/purexp/pkg/policy/internal/linear"
	"github.com/purexp/purexp/pkg/question"
)

// Rounds runs rounds r = 1, 2, ... for a linear model. Each round r has a design for the active
// arms, fresh rewards, and a classification by estimates with accuracy 2^-r (Algorithm 4 of the
// LinFACT paper).
type Rounds struct {
	Model linear.Model
	Classifier
	prob *explore.Problem
	name string
	// If Static is true, all rounds use one design for all arms.
	Static bool
	// Tol is the relative gap to which designs are computed.
	Tol float64

	Round  int
	Counts []int // by arm: pulls of the current round; nil before the round is planned
	// Value is the value of the design per pull: the largest variance of an arm (G) or of a
	// difference of two arms (XY).
	Value   float64
	solved  int       // number of arms in the design, which identifies these arms, because active sets are nested
	points  []int     // items in the design; each item is an arm
	weights []float64 // weights of points
	pairs   *design.PairsCriterion
	fit     *lsq.Fit
	Warn    []error
	done    bool // whether the run has ended with undecided items
}

// Init initialises r for a problem with the tolerance epsilon; the features must be in r.Model.
func (r *Rounds) Init(p *explore.Problem, name string, epsilon float64, lone bool) {
	*r = Rounds{Model: r.Model, prob: p, name: name}
	r.Start(r.Model.N, epsilon, lone)
}

// Accuracy returns 2^-r, the accuracy of round r, in units of the noise.
func (r *Rounds) Accuracy() float64 { return math.Ldexp(1, -r.Round) / r.Model.Sigma }

// Share returns log(1/delta_r), where delta_r = delta/(r (r+1)) is the share of round r; all shares
// sum to delta.
func (r *Rounds) Share(delta float64) float64 {
	n := float64(r.Round)
	return math.Log(n*(n+1)) - math.Log(delta)
}

// Ask appends the pulls of the round. At the beginning of a round, Ask calls the function plan,
// which sets the pulls.
func (r *Rounds) Ask(dst []explore.Pull, plan func() error) ([]explore.Pull, error) {
	if r.Over || r.done {
		return dst, nil
	}
	if r.Counts == nil {
		r.Round++
		if err := plan(); err != nil {
			return dst, err
		}
	}
	return linear.Allocation(dst, r.Counts), nil
}

// G computes the design that minimises the largest variance of an active arm.
func (r *Rounds) G() error {
	return r.solve(func(x *mat.Dense) (design.Criterion, error) { return design.NewG(x) })
}

// XY computes the design that minimises the largest variance of a difference of active arms.
func (r *Rounds) XY() error {
	return r.solve(func(x *mat.Dense) (c design.Criterion, err error) {
		r.pairs, err = design.NewPairs(x, nil)
		return r.pairs, err
	})
}

// solve computes a design for the active arms, unless the previous design was for the same arms.
func (r *Rounds) solve(criterion func(x *mat.Dense) (design.Criterion, error)) error {
	if r.solved == len(r.Active) || r.Static && r.solved > 0 {
		return nil
	}
	r.points = append(r.points[:0], r.Active...)
	r.solved = len(r.points)
	if r.solved == 1 { // the design for a single arm gives all pulls to this arm
		r.weights, r.Value = []float64{1}, 1
		return nil
	}
	x := mat.NewDense(r.solved, r.Model.Rank, nil)
	for c, i := range r.points {
		x.SetRow(c, r.Model.Item(i))
	}
	c, err := criterion(x)
	if err != nil {
		return fmt.Errorf("policy: %s, round %d: %w", r.name, r.Round, err)
	}
	d, err := c.Solve(&design.Options{Tol: r.Tol})
	if d == nil {
		return fmt.Errorf("policy: %s, round %d: %w", r.name, r.Round, err)
	}
	if err != nil {
		r.Warn = append(r.Warn, fmt.Errorf("policy: %s, round %d: %w", r.name, r.Round, d.Warning(err)))
	}
	r.weights, r.Value = d.Weights, d.Value
	return nil
}

// Each plans ceil(n w_i) pulls of each arm i, where w are the proportions of the design.
func (r *Rounds) Each(n float64) error {
	if err := r.feasible(n); err != nil {
		return err
	}
	r.Counts = make([]int, r.Model.K)
	for c, i := range r.points {
		r.Counts[r.Model.First[i]] = linear.Ceil(n * r.weights[c])
	}
	return nil
}

// Apportion plans n or more pulls, in the proportions of a design for differences. The number is at
// least twice the size of the support divided by eps, so rounding increases the variances by at
// most the fraction eps (Pukelsheim and Rieder, 1992).
func (r *Rounds) Apportion(n, eps float64) error {
	if err := r.feasible(n); err != nil {
		return err
	}
	total := max(linear.Ceil(n), linear.Ceil(2*float64(r.Support())/eps))
	r.Counts = make([]int, r.Model.K)
	if len(r.points) == 1 {
		r.Counts[r.Model.First[r.points[0]]] = total
		return nil
	}
	a, err := design.Round(r.pairs, r.weights, total, design.Efficient)
	if err != nil {
		return fmt.Errorf("policy: %s, round %d: %w", r.name, r.Round, err)
	}
	for c, i := range r.points {
		r.Counts[r.Model.First[i]] = a.Counts[c]
	}
	return nil
}

// feasible returns ErrUndecidable if n, the pulls of a round, is so large that the differences to
// detect are below rounding errors.
func (r *Rounds) feasible(n float64) error {
	if n <= linear.MostPulls {
		return nil
	}
	if r.Round == 1 {
		return fmt.Errorf("%w: %s: the first round would take %.1g pulls, far more than gaps of about 1 need; "+
			"rescale the rewards, Sigma and Epsilon so that gaps are about 1", linear.ErrUndecidable, r.name, n)
	}
	return fmt.Errorf("%w: %s: round %d would take %.1g pulls; %s; if these items are on the threshold, change "+
		"Epsilon a little; if Epsilon is 0 and several items are best, use a positive Epsilon",
		linear.ErrUndecidable, r.name, r.Round, n, r.undecided())
}

// undecided names the items that are not classified, with their estimated distances from the
// threshold for items within epsilon of the best. Published rows contain the text that undecided
// returns, so this text must not change.
func (r *Rounds) undecided() string {
	const most = 5
	open, s := r.Open(), []string(nil)
	for _, i := range open[:min(len(open), most)] {
		x := r.Reasons[i]
		where := "above"
		if x.Margin < 0 {
			where = "below"
		}
		s = append(s, fmt.Sprintf("%s (%.2g %s the threshold)", r.prob.Item(r.Model.First[i]),
			math.Abs(x.Margin), where))
	}
	more := ""
	if len(open) > most {
		more = fmt.Sprintf(" and %d more", len(open)-most)
	}
	return "undecided: " + strings.Join(s, ", ") + more
}

// Estimate computes the estimates of the active items, by least squares from the rewards of the
// round.
func (r *Rounds) Estimate(obs []explore.Batch) error {
	if r.fit == nil {
		r.fit = r.Model.Estimator(1)
	}
	r.fit.Reset()
	for _, b := range obs {
		r.fit.Add(r.Model.Arm(b.Arm), b.N, b.Sum)
	}
	if !r.fit.Solve() {
		if err := r.Model.Seen(r.Active, r.fit.Outside); err != nil {
			return err
		}
	}
	for _, i := range r.Active {
		r.Mean[i] = r.fit.Mean(r.Model.Item(i), 0)
	}
	return nil
}

// Classify classifies the active items and ends the round; see Classifier.Update.
func (r *Rounds) Classify(radius float64) {
	r.Update(radius)
	r.Counts = nil
}

// Support returns the number of arms that have positive weight in the design.
func (r *Rounds) Support() (n int) {
	for _, w := range r.weights {
		if w > 0 {
			n++
		}
	}
	return n
}

// Skip ends the round without classifying items.
func (r *Rounds) Skip() { r.Counts = nil }

// Pulls returns the number of pulls of the round.
func (r *Rounds) Pulls() int { return linear.Total(r.Counts) }

// End ends the run while some items are undecided, and adds a warning that states the reason.
// Published rows contain the text of the warning, so this text must not change.
func (r *Rounds) End(why string) {
	r.done = true
	r.Warn = append(r.Warn, fmt.Errorf("policy: %s ended after round %d: %s; %s", r.name, r.Round, why, r.undecided()))
}

// Answer implements explore.Policy.
func (r *Rounds) Answer() explore.Answer {
	return r.Model.Answer(func(i int) bool { return r.Member(i, !r.done) }, r.Reasons)
}

// Warnings implements explore.Warnings.
func (r *Rounds) Warnings() []error { return r.Warn }

// Question returns the question of p; errors name the given policy. If the question is not
// question.AllEpsilonBest about the arms, Question returns an error.
func Question(p *explore.Problem, name string) (q question.AllEpsilonBest, err error) {
	q, ok := p.Question.(question.AllEpsilonBest)
	if !ok {
		return q, fmt.Errorf("policy: %s: the question is %T; expected question.AllEpsilonBest: %w", name, p.Question,
			explore.ErrQuestion)
	}
	if p.Z != nil {
		return q, fmt.Errorf("policy: %s: the items (Z) are not the arms; leave Z nil: %w", name, explore.ErrQuestion)
	}
	return q, nil
}

// Additive returns the tolerance of the question of p; see Question. For multiplicative tolerances,
// Additive returns an error.
func Additive(p *explore.Problem, name string) (epsilon float64, err error) {
	q, err := Question(p, name)
	if err == nil && q.Multiplicative {
		err = fmt.Errorf("policy: %s needs an Epsilon in reward units; leave "+
			"AllEpsilonBest.Multiplicative false: %w", name, explore.ErrQuestion)
	}
	return q.Epsilon, err
}

// A Classifier decides which items are within epsilon of the best, from repeated estimates with
// decreasing errors (Algorithm 3 of the LinFACT paper).
//
// An item becomes inactive when it is classified as not within epsilon of the best. An item that is
// classified as within epsilon stays active until another item is certainly better, because
// undecided items must be compared with the best item.
type Classifier struct {
	Epsilon float64
	// If Lone is true, the last active item is classified as the best.
	Lone    bool
	Active  []int            // compared items, ascending
	Mean    []float64        // estimates by item; valid for active items when Update is called
	Reasons []explore.Reason // by item
	Over    bool             // whether all items are classified

	leader, second int // the active items with the largest estimates; second may be -1
}

// Start makes all n items active.
func (c *Classifier) Start(n int, epsilon float64, lone bool) {
	*c = Classifier{Epsilon: epsilon, Lone: lone, Mean: make([]float64, n), Reasons: arms.Undecided(n), second: -1}
	for i := range n {
		c.Active = append(c.Active, i)
	}
	c.Over = n == 1 // a single item is the best item, whatever its mean
	if c.Over {
		c.Reasons[0].Class = explore.Optimal
	}
}

// Reopen makes all items undecided. Reopen is needed if items consist of several arms whose means
// may differ. The last active item need not be the best if it consists of arms with different
// means.
func (c *Classifier) Reopen() {
	c.Lone, c.Over = false, false
	c.Reasons = arms.Undecided(len(c.Reasons))
}

// Update classifies active items by their estimates; each difference of estimates has an error of
// at most radius:
//
//	rejected if the leader is ahead by more than epsilon + radius,
//	kept     if the leader is ahead by less than epsilon - radius.
//
// A kept item becomes inactive when the leader is better by at least radius. All decisions in one
// call compare items that were active before the call.
func (c *Classifier) Update(radius float64) {
	c.rank()
	active := c.Active[:0]
	for _, i := range c.Active {
		gap := c.Mean[c.leader] - c.Mean[i]
		if r := &c.Reasons[i]; r.Class == explore.Undecided {
			*r = explore.Reason{By: c.leader, Margin: c.Epsilon - gap, MarginRadius: radius, Constraint: -1}
			if i == c.leader {
				if r.By = c.second; r.By >= 0 {
					r.Margin += c.Mean[i] - c.Mean[r.By]
				}
			}
			switch {
			case gap > c.Epsilon+radius:
				r.Class, r.Margin = explore.Dominated, gap-c.Epsilon
				continue
			case gap < c.Epsilon-radius:
				r.Class = explore.Optimal
			}
		}
		if c.Reasons[i].Class == explore.Optimal && gap >= radius {
			continue
		}
		active = append(active, i)
	}
	c.Active = active
	if len(active) == 1 && c.Lone {
		c.Reasons[active[0]].Class = explore.Optimal
	}
	c.Over = len(c.Open()) == 0
}

func (c *Classifier) rank() {
	c.leader, c.second = c.Active[0], -1
	for _, i := range c.Active[1:] {
		switch {
		case c.Mean[i] > c.Mean[c.leader]:
			c.leader, c.second = i, c.leader
		case c.second < 0 || c.Mean[i] > c.Mean[c.second]:
			c.second = i
		}
	}
}

// Open returns the items that are not classified.
func (c *Classifier) Open() []int {
	var open []int
	for i, r := range c.Reasons {
		if r.Class == explore.Undecided {
			open = append(open, i)
		}
	}
	return open
}

// Member reports whether item i is in the current answer. The answer contains kept items and, if
// guess is true, undecided items whose estimates are within epsilon of the leader's.
func (c *Classifier) Member(i int, guess bool) bool {
	r := c.Reasons[i]
	return r.Class == explore.Optimal ||
		guess && r.Class == explore.Undecided && c.Mean[c.leader]-c.Mean[i] <= c.Epsilon
}
