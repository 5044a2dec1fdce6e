package pareto

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/design"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/lsq"
	"github.com/purexp/purexp/pkg/pareto"
	"github.com/purexp/purexp/pkg/policy/internal/arms"
	"github.com/purexp/purexp/pkg/policy/internal/linear"
	"github.com/purexp/purexp/pkg/policy/internal/memory"
	"github.com/purexp/purexp/pkg/question"
)

// Outputs is the common part of policies that find the Pareto set by successively discarding arms
// with large empirical gaps. Outputs contains estimates of the means, with or without a linear
// model, the empirical Pareto set of the active arms, and the gaps of these arms.
//
// Arms are the distinct arms of the model, numbered from 0 to n-1. Arms with the same features form
// one class and have the same verdict. Without features, every arm forms its own class.
type Outputs struct {
	Model    linear.Model // model of the features; X is nil without features
	Prob     *explore.Problem
	Question question.Pareto
	D        int
	number   []int     // by distinct arm: number of rewards
	sum      []float64 // n x d
	mean     []float64 // n x d: estimates of the arms that have been estimated
	Fit      *lsq.Fit  // nil without features
	Active   []int     // A, ascending
	// front is S, in ascending order: the empirical Pareto set, at the last estimation, of the arms
	// that were then active.
	front   []int
	Order   []int     // the arms of the last estimation, ascending; Keep overwrites Order
	InS     []bool    // by distinct arm
	Gap     []float64 // by distinct arm: empirical gap
	Optimal []bool    // by distinct arm: accepted as optimal (in B)
	Over    bool
	scratch []float64
}

// Init prepares the estimates for a run on the problem p. If linear is true and the arms have
// features, the estimates use the linear model.
func (o *Outputs) Init(p *explore.Problem, linear bool) error {
	q, ok := p.Question.(question.Pareto)
	if !ok || p.Z != nil {
		return arms.WrongQuestion(p, "question.Pareto")
	}
	o.Prob, o.Question, o.D = p, q, p.D()
	if linear && p.X != nil {
		if err := o.Model.Features(p); err != nil {
			return err
		}
		o.Fit = o.Model.Estimator(o.D)
	} else {
		o.unstructured()
	}
	n := o.Model.N
	o.number, o.sum = memory.Zeroed(o.number, n), memory.Zeroed(o.sum, n*o.D)
	o.mean, o.Gap = memory.Zeroed(o.mean, n*o.D), memory.Zeroed(o.Gap, n)
	o.InS, o.Optimal = memory.Zeroed(o.InS, n), memory.Zeroed(o.Optimal, n)
	o.scratch = memory.Zeroed(o.scratch, n)
	o.front, o.Order = memory.Zeroed(o.front, n)[:0], memory.Zeroed(o.Order, n)[:0]
	o.Active = memory.UpTo(o.Active, n)
	o.Over = n == 1
	return nil
}

// unstructured makes every arm a class of its own, for arms without features.
func (o *Outputs) unstructured() {
	k := o.Prob.K()
	class := memory.UpTo(o.Model.Class, k)
	o.Model = linear.Model{K: k, Rank: k, N: k, Class: class, First: class, Sigma: o.Prob.Sigma}
	o.Fit = nil
}

// Row returns the estimate of distinct arm i.
func (o *Outputs) Row(i int) []float64 { return o.mean[i*o.D:][:o.D] }

// Forget discards all rewards so far.
func (o *Outputs) Forget() {
	clear(o.number)
	clear(o.sum)
}

// Add adds rewards.
func (o *Outputs) Add(obs []explore.Batch) {
	for b := range obs {
		i := o.Model.Class[obs[b].Arm]
		o.number[i] += obs[b].N
		sum := o.sum[i*o.D:][:o.D]
		for c, x := range obs[b].Sum {
			sum[c] += x
		}
	}
}

// Averages estimates the means of the active arms by the averages of their rewards. If features are
// linearly independent, the averages are also the least-squares estimates.
func (o *Outputs) Averages() {
	for _, i := range o.Active {
		n := float64(o.number[i])
		mean := o.Row(i)
		for c, x := range o.sum[i*o.D:][:o.D] {
			mean[c] = x / n
		}
	}
}

// LeastSquares estimates the means of the active arms by least squares.
func (o *Outputs) LeastSquares() error {
	o.Fit.Reset()
	for i, n := range o.number {
		if n > 0 {
			o.Fit.Add(o.Model.Item(i), n, o.sum[i*o.D:][:o.D])
		}
	}
	spans := o.Fit.Solve()
	for _, i := range o.Active {
		x := o.Model.Item(i)
		// Up to rounding, every allocation spans the active arms, so an error of LeastSquares is
		// rare.
		if !spans && o.Fit.Outside(x) > 1e-6 {
			return errors.New("policy: the remaining arms are too close to collinear for least " +
				"squares; drop arms that nearly coincide with others")
		}
		for c := range o.D {
			o.mean[i*o.D+c] = o.Fit.Mean(x, c)
		}
	}
	return nil
}

// Classify computes S and the empirical gaps of the active arms from comparisons among active arms.
// If margin is not nil, Classify stores in margin the number D_i for each active arm i. D_i is the
// maximum over active arms j of m(i,j), the smallest amount by which j is better than i in an
// objective.
func (o *Outputs) Classify(margin []float64) {
	gap := o.scratch[:len(o.Active)]
	for _, i := range o.front {
		o.InS[i] = false
	}
	o.front = pareto.AppendSetGapsOf(o.front[:0], gap, margin, o.mean, o.D, o.Active)
	for p, i := range o.Active {
		o.Gap[i] = gap[p]
	}
	for _, i := range o.front {
		o.InS[i] = true
	}
	o.Order = append(o.Order[:0], o.Active...)
}

// compare orders active arms by gap, from the first to keep to the first to discard; if gaps are
// equal, empirically optimal arms come first. Equal gaps are common, because two arms often
// determine each other's gap. If gaps are equal, no dominated arm is kept longer than an arm that
// dominates it. Further criteria make the order independent of how arms are numbered.
func (o *Outputs) compare(i, j int) int {
	switch a, b := o.Gap[i], o.Gap[j]; {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	if o.InS[i] != o.InS[j] {
		if o.InS[i] {
			return -1
		}
		return 1
	}
	if c := slices.Compare(o.Row(j), o.Row(i)); c != 0 {
		return c
	}
	return cmp.Compare(i, j)
}

// Keep keeps the n active arms with the smallest empirical gaps. All other active arms are
// discarded; those in S are accepted as optimal. Only arms whose gap equals the n-th smallest gap
// need to be sorted.
func (o *Outputs) Keep(n int) {
	gaps := o.scratch[:len(o.Active)] // sorted gaps of the active arms
	slices.Sort(gaps)
	last := gaps[n-1]
	less, _ := slices.BinarySearch(gaps, last)
	o.Order = o.Order[:0]
	for _, i := range o.Active {
		if o.Gap[i] == last {
			o.Order = append(o.Order, i)
		}
	}
	slices.SortFunc(o.Order, o.compare)
	kept, tied := o.Active[:0], o.Order[:n-less]
	for _, i := range o.Active {
		if o.Gap[i] < last || o.Gap[i] == last && slices.Contains(tied, i) {
			kept = append(kept, i)
		} else {
			o.Optimal[i] = o.InS[i]
		}
	}
	o.Active = kept
	o.Over = n == 1
}

// member reports whether the distinct arm i is in the current answer. The answer contains the arms
// of B and the active arms of S; when the run is over, it contains all active arms.
func (o *Outputs) member(i int) bool {
	if o.Optimal[i] {
		return true
	}
	_, active := slices.BinarySearch(o.Active, i)
	return active && (o.Over || o.InS[i])
}

// Answer implements explore.Policy for policies with a fixed budget, which certify nothing.
func (o *Outputs) Answer() explore.Answer { return o.Model.Answer(o.member, nil) }

// Certified returns the answer of a policy with fixed confidence. The argument final contains the
// reasons for discarded arms, and half is the half-width for differences at the last estimation.
func (o *Outputs) Certified(final []explore.Reason, half float64) explore.Answer {
	reasons := slices.Clone(final)
	for _, i := range o.Active {
		reasons[i] = explore.Reason{By: -1}
		if len(o.Order) > 0 {
			reasons[i] = o.Reason(i, explore.Undecided, half)
		}
		if o.Over { // the last remaining arm is optimal
			reasons[i].Class = explore.Optimal
		}
	}
	return o.Model.Answer(o.member, reasons)
}

// Reason returns the reason for the class of arm i, which must have been active at the last
// estimation. A dominated arm is compared with the arm of the front that dominates it most. An arm
// that is not dominated is compared with the arm that comes closest to dominating it.
func (o *Outputs) Reason(i int, verdict explore.Class, half float64) explore.Reason {
	r := explore.Reason{Class: verdict, MarginRadius: half}
	if verdict == explore.Dominated {
		r.By, r.Margin = o.closest(i, o.front)
		r.Margin = -r.Margin
		return r
	}
	if r.By, r.Margin = o.closest(i, o.Order); r.By < 0 {
		r.Margin, r.MarginRadius = 0, 0 // with only one arm, there is nothing to compare
	}
	return r
}

// closest returns the distinct arm j of set that dominates i most or, if no arm of set dominates i,
// comes closest to dominating i. closest also returns M(i,j), the largest amount by which i is
// better than j in an objective. closest returns -1 and +Inf if set has no other arm.
func (o *Outputs) closest(i int, set []int) (by int, excess float64) {
	by, excess = -1, inf
	mean := o.Row(i)
next:
	for _, j := range set {
		if j == i {
			continue
		}
		m := -inf
		for c, x := range o.Row(j) {
			if m = max(m, mean[c]-x); m >= excess {
				continue next
			}
		}
		by, excess = j, m
	}
	return by, excess
}

// Each appends n pulls of every active arm.
func (o *Outputs) Each(dst []explore.Pull, n int) []explore.Pull {
	for _, i := range o.Active {
		dst = append(dst, explore.Pull{Arm: o.Model.First[i], N: n})
	}
	return dst
}

// Nearest returns the two active arms that are closest to a tie, and the largest amount by which
// the first arm is better than the second in an objective. At least two arms must be active.
func (o *Outputs) Nearest() (i, j int, excess float64) {
	excess = inf
	for _, a := range o.Active {
		for _, b := range o.Active {
			if a != b {
				if m := pareto.Excess(o.Row(a), o.Row(b)); math.Abs(m) < math.Abs(excess) {
					i, j, excess = a, b, m
				}
			}
		}
	}
	return i, j, excess
}

// Drop discards the last active arm in the order of compare. If this arm is in S, Drop accepts it
// as optimal.
func (o *Outputs) Drop() {
	last := o.Active[0]
	for _, i := range o.Active[1:] {
		if o.compare(i, last) > 0 {
			last = i
		}
	}
	o.Optimal[last] = o.InS[last]
	kept := o.Active[:0]
	for _, i := range o.Active {
		if i != last {
			kept = append(kept, i)
		}
	}
	o.Active = kept
	o.Over = len(kept) == 1
}

// Stages is the common part of the two variants of GEGE: stages of fresh rewards, each with a
// G-optimal design for the active arms (OptEstimator, Algorithm 1 of the paper).
type Stages struct {
	Outputs Outputs
	Stage   int // r, from 1
	counts  []int
	asked   bool // whether counts are those of the current stage

	Method design.Method // method that computes designs

	// solved is the number of active arms in the current design, which identifies the active set,
	// because active sets are nested.
	solved    int
	Rank      int              // h_r
	criterion design.Criterion // nil if the active arms are linearly independent
	Design    *design.Design   // nil if the active arms are linearly independent
	Warn      []error
}

// Init prepares the stages of a run on the problem prob.
func (g *Stages) Init(prob *explore.Problem) error {
	g.Stage, g.asked, g.solved, g.Warn = 0, false, 0, nil
	if err := g.Outputs.Init(prob, true); err != nil {
		return err
	}
	g.counts = memory.Zeroed(g.counts, g.Outputs.Model.N)
	return nil
}

// solve computes the design for the active arms, unless the previous stage had the same active
// arms. If arms are linearly independent or have no features, the design is uniform.
func (g *Stages) solve() error {
	active := g.Outputs.Active
	if g.solved == len(active) {
		return nil
	}
	g.solved, g.Rank, g.criterion, g.Design = len(active), len(active), nil, nil
	if g.Outputs.Fit == nil {
		return nil
	}
	x := mat.NewDense(len(active), g.Outputs.Model.Rank, nil)
	for r, i := range active {
		x.SetRow(r, g.Outputs.Model.Item(i))
	}
	c, err := design.NewG(x)
	if err != nil {
		return err
	}
	if g.Rank = c.Rank(); g.Rank == len(active) {
		return nil
	}
	d, err := c.Solve(&design.Options{Method: g.Method})
	if d == nil {
		return err
	}
	if err != nil {
		g.Warn = append(g.Warn, fmt.Errorf("policy: GEGE, stage %d: %w", g.Stage, d.Warning(err)))
	}
	g.criterion, g.Design = c, d
	return nil
}

// Spend sets the counts to at most n pulls; n must be at least the rank. If arms are linearly
// independent, their counts are equal, and a remainder is not spent, because it would not reduce
// the largest variance.
func (g *Stages) Spend(n int) error {
	clear(g.counts)
	if g.Design == nil {
		for _, i := range g.Outputs.Active {
			g.counts[i] = n / len(g.Outputs.Active)
		}
		return nil
	}
	a, err := design.Round(g.criterion, g.Design.Weights, n, design.Best)
	if err != nil {
		return err
	}
	for p, i := range g.Outputs.Active {
		g.counts[i] = a.Counts[p]
	}
	return nil
}

// Ask appends the pulls of the stage. At the beginning of a stage, Ask calls the function plan,
// which sets the pulls.
func (g *Stages) Ask(dst []explore.Pull, plan func() error) ([]explore.Pull, error) {
	if g.Outputs.Over {
		return dst, nil
	}
	if !g.asked {
		g.Stage++
		if err := g.solve(); err != nil {
			return dst, err
		}
		if err := plan(); err != nil {
			return dst, err
		}
		g.asked = true
	}
	for i, n := range g.counts {
		if n > 0 {
			dst = append(dst, explore.Pull{Arm: g.Outputs.Model.First[i], N: n})
		}
	}
	return dst, nil
}

// Tell classifies the active arms, using the rewards of the stage alone.
func (g *Stages) Tell(obs []explore.Batch) error {
	g.asked = false
	g.Outputs.Forget()
	g.Outputs.Add(obs)
	if g.Design == nil {
		g.Outputs.Averages()
	} else if err := g.Outputs.LeastSquares(); err != nil {
		return err
	}
	g.Outputs.Classify(nil)
	return nil
}

// Warnings implements explore.Warnings.
func (g *Stages) Warnings() []error { return g.Warn }

// Cover sets the counts to n pulls in the proportions of the design, where the count of each arm is
// rounded up.
func (g *Stages) Cover(n float64) {
	clear(g.counts)
	for p, i := range g.Outputs.Active {
		w := 1 / float64(len(g.Outputs.Active))
		if g.Design != nil {
			w = g.Design.Weights[p]
		}
		g.counts[i] = linear.Ceil(n * w)
	}
}
