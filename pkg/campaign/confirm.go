package campaign

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/campaign/problem"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/lsq"
	"github.com/purexp/purexp/pkg/monitor"
	"github.com/purexp/purexp/pkg/policy"
	"github.com/purexp/purexp/pkg/question"
)

// confirmation is the last stage of a campaign whose answer relies on a linear model in features.
// The campaign measures the candidates of the answer and their closest rivals again, and tests the
// new results without the linear model; see monitor.Confirmation. An answer with very few
// replicates is also confirmed, to check the declared noise.
type confirmation struct {
	*monitor.Confirmation
	after int // last ticket before the confirmation; only results of later tickets are used
	ended int // number of the event that ended the confirmation, or 0
}

// confirm starts the confirmation stage if the answer needs confirmation.
func (r *run) confirm() {
	if r.session.Status() != explore.Stopped || r.failure != nil || r.waiting != nil ||
		r.compiled.Confirming(r.measured()) == 0 {
		return
	}
	sigma := make([]float64, len(r.compiled.Scales))
	for c := range sigma {
		sigma[c] = 1 // scale of the noise of standardised rewards
	}
	if p, ok := r.policy.(*policy.Piloted); ok {
		copy(sigma, p.Sigmas())
	}
	var claims []monitor.Claim
	if r.compiled.Linear() {
		if claims = closest(r.claims(), problem.Finalists); len(claims) == 0 {
			return // the answer to a question with bounds or weighted sums makes no claims about pairs of candidates
		}
	} else {
		for _, i := range r.contenders() { // use a claim that is always true, in order to request replicates
			claims = append(claims, monitor.Claim{Ahead: i, Behind: i})
		}
	}
	r.confirming = &confirmation{after: r.asked, Confirmation: monitor.NewConfirmation(claims,
		problem.Replicates, sigma, r.compiled.Delta)}
}

// contenders returns a candidate of the answer and the other candidates with the most measurements,
// which are the hardest to distinguish from the answer. contenders skips unmeasured candidates,
// whose verdicts follow from known values.
func (r *run) contenders() []int {
	var order []int
	n := make([]int, r.compiled.Source.K())
	for i, a := range r.arm {
		if a >= 0 && r.tally[i].n > 0 {
			order, n[a] = append(order, a), r.tally[i].n
		}
	}
	if items := r.session.Result().Answer.Items; len(items) > 0 {
		n[items[0]] = math.MaxInt
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(n[j], n[i]) })
	return order[:min(problem.Finalists, len(order))]
}

// jointClaim is a conjunction of claims, with an estimate of the margin by which all of them are
// true.
type jointClaim struct {
	claims []monitor.Claim
	amount float64
}

// claims returns the comparisons of pairs of candidates that the answer implies, with margins
// estimated by a linear fit to all results.
func (r *run) claims() (list []jointClaim) {
	x := r.compiled.Problem.X
	k, h := x.Dims()
	d := len(r.compiled.Scales)
	ridge := lsq.NewRidge(h, d)
	for i, a := range r.arm {
		if a >= 0 && r.tally[i].n > 0 {
			ridge.Add(x.RawRowView(a), float64(r.tally[i].n), r.tally[i].sum)
		}
	}
	ridge.Solve(1e-9) // a small ridge allows collinear features; its bias is negligible
	mean := mat.NewDense(k, d, nil)
	for i := range k {
		ridge.Means(mean.RawRowView(i), x.RawRowView(i))
	}
	in := make([]bool, k)
	items := r.session.Result().Answer.Items
	for _, i := range items {
		in[i] = true
	}
	ahead := func(i, j, c int, margin float64) jointClaim {
		return jointClaim{[]monitor.Claim{{Ahead: i, Behind: j, Objective: c, Margin: margin}},
			mean.At(i, c) - mean.At(j, c) + margin}
	}
	// first returns the item of the answer for which amount is largest.
	first := func(amount func(i int) float64) int {
		return slices.MaxFunc(items, func(i, j int) int { return cmp.Compare(amount(i), amount(j)) })
	}
	if len(items) == 0 {
		return nil
	}
	switch q := r.compiled.Problem.Question.(type) {
	case question.Best: // the claim is that no item is better than the answer by more than the tolerance
		for j := range k {
			if !in[j] {
				list = append(list, ahead(items[0], j, 0, q.Epsilon))
			}
		}
	// The claim is that exactly the items of the answer are within the tolerance of the best item.
	case question.AllEpsilonBest:
		top := first(func(i int) float64 { return mean.At(i, 0) })
		for j := range k {
			if in[j] && j != top {
				list = append(list, ahead(j, top, 0, q.Epsilon))
			} else if !in[j] {
				list = append(list, ahead(top, j, 0, -q.Epsilon))
			}
		}
	case question.Pareto:
		for j := range k {
			if in[j] {
				// The claim is that no candidate i dominates j: j is ahead of each i in some
				// objective, up to the tolerance.
				for i := range k {
					if i != j {
						l := ahead(j, i, 0, q.Epsilon)
						for c := 1; c < d; c++ {
							if m := ahead(j, i, c, q.Epsilon); m.amount > l.amount {
								l = m
							}
						}
						list = append(list, l)
					}
				}
				continue
			}
			least := func(i int) (least float64) { // least returns the smallest lead of i over j among all objectives
				least = math.Inf(1)
				for c := range d {
					least = min(least, mean.At(i, c)-mean.At(j, c))
				}
				return least
			}
			by := first(least)
			l := jointClaim{amount: least(by)}
			for c := range d {
				l.claims = append(l.claims, ahead(by, j, c, q.Epsilon).claims...)
			}
			list = append(list, l)
		}
	}
	return list
}

// closest returns the claims with the smallest margins; the claims are about at most n candidates.
func closest(list []jointClaim, n int) (claims []monitor.Claim) {
	slices.SortStableFunc(list, func(a, b jointClaim) int { return cmp.Compare(a.amount, b.amount) })
	arms := map[int]bool{}
	for again := true; again && len(arms) < n; {
		again = false
		for i := range list {
			l := &list[i]
			if l.claims == nil {
				continue
			}
			a, b := l.claims[0].Ahead, l.claims[0].Behind
			more := 0
			for _, x := range []int{a, b} {
				if !arms[x] {
					more++
				}
			}
			if len(arms)+more > n {
				continue
			}
			arms[a], arms[b] = true, true
			claims = append(claims, l.claims...)
			l.claims, again = nil, true
		}
	}
	return claims
}

// missing returns a candidate for each confirming
// measurement that is neither reported nor pending.
func (x *confirmation) missing(r *run, l *ledger) (names []string) {
	out := map[string]int{}
	for _, t := range l.tickets[x.after:] {
		if t.State == Pending && !t.Reference {
			out[t.Arm]++
		}
	}
	for _, a := range x.Next() {
		name := r.compiled.Source.Candidates.Names[a]
		if out[name]--; out[name] < 0 {
			names = append(names, name)
		}
	}
	return names
}

// end returns the number of the event that ended the campaign, or 0.
func (r *run) end() int {
	switch {
	case r.confirming != nil:
		return r.confirming.ended
	case r.waiting != nil && r.failure == nil:
		return 0
	}
	return r.ended
}

// busy reports whether measurements are still needed although the policy has stopped.
func (r *run) busy() bool { return r.waiting != nil || r.left() > 0 }

// left returns the number of missing confirming measurements, or 0 if there is no confirmation.
func (r *run) left() int {
	if r.confirming == nil {
		return 0
	}
	return len(r.confirming.Next())
}

// contradicted reports whether confirming measurements contradict the answer.
func (r *run) contradicted() bool {
	return r.confirming != nil && r.confirming.Verdict() == monitor.Contradicted
}

// confirmed describes the confirmation. Without a confirmation, confirmed explains why a linear
// model is not confirmed (yet), and returns "" for other models.
func (r *run) confirmed() string {
	linear := r.compiled.Linear()
	if r.confirming == nil {
		switch n := r.compiled.Confirming(nil); {
		case linear && n > 0 && r.session.Status() == explore.Stopped:
			return "The answer is not confirmed independently of the features: this question has no confirming " +
				"measurements. If the means do not follow the features, the answer can be wrong even if no result " +
				"contradicts it, for example about a candidate with few measurements."
		case linear && n == 0:
			return "The answer is not confirmed independently of the features (confirm = false). If the means do not " +
				"follow the features, the answer can be wrong even if no result contradicts it, for example about a " +
				"candidate with few measurements."
		case linear:
			return fmt.Sprintf("At the end, %s the answer and its closest rivals %s the answer independently of the "+
				"features.", counted(n, "measurement of", "measurements of"),
				map[bool]string{true: "confirms", false: "confirm"}[n == 1])
		}
		return ""
	}
	who := fmt.Sprintf("measurements of %s", problem.Abbreviated(r.finalists()))
	switch v := r.confirming.Verdict(); {
	case v == monitor.Open && linear:
		return fmt.Sprintf("The last %s serve to confirm the answer independently of the features; %s.", who,
			counted(r.left(), "is missing", "are missing"))
	case v == monitor.Open:
		return fmt.Sprintf("There are too few other replicates to check the noise. The last %s are replicates; "+
			"%s.", who, counted(r.left(), "is missing", "are missing"))
	case !linear:
		return fmt.Sprintf("The last %s show how much replicates scatter.", who)
	case v == monitor.Established:
		return fmt.Sprintf("The last %s confirm the answer independently of the linear model of the features.", who)
	case v == monitor.Survived:
		return fmt.Sprintf("The last %s do not contradict the answer. They would reveal that the answer is worse "+
			"than one of these candidates by at least %.2g standard deviations of a measurement. They cannot reveal "+
			"a smaller difference, or another candidate that is better than its features "+
			"predict.", who, r.confirming.Shows())
	}
	return fmt.Sprintf("The last %s contradict the answer (e = %.2g): their own means do not follow the "+
		"features. Leave the features out, or add missing features, and start a new campaign, which can "+
		"use the results.", who, r.confirming.E())
}

// finalists returns the names of the candidates that the confirmation measures.
func (r *run) finalists() (names []string) {
	for _, a := range r.confirming.Arms() {
		names = append(names, r.compiled.Source.Candidates.Names[a])
	}
	return names
}
