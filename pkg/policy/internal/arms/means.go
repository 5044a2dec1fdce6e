package arms

import (
	"fmt"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policy/internal/memory"
	"github.com/purexp/purexp/pkg/radius"
)

// Means holds the empirical means of K arms with d objectives.
type Means struct {
	Prob  *explore.Problem
	K, D  int
	Pulls int // number of pulls so far
	N     []int
	sum   []float64 // k x d
	Mean  []float64 // k x d
}

// Init prepares means for the arms of p, without any rewards.
func (e *Means) Init(p *explore.Problem) {
	e.Prob, e.K, e.D, e.Pulls = p, p.K(), p.D(), 0
	e.N = memory.Zeroed(e.N, e.K)
	e.sum, e.Mean = memory.Zeroed(e.sum, e.K*e.D), memory.Zeroed(e.Mean, e.K*e.D)
}

// Row returns the mean of arm i.
func (e *Means) Row(i int) []float64 { return e.Mean[i*e.D:][:e.D] }

// Tell adds measurements to the averages.
func (e *Means) Tell(obs []explore.Batch) {
	for b := range obs {
		o := &obs[b]
		e.Pulls += o.N
		e.N[o.Arm] += o.N
		sum, mean := e.sum[o.Arm*e.D:][:e.D], e.Row(o.Arm)
		for c, x := range o.Sum {
			sum[c] += x
			mean[c] = sum[c] / float64(e.N[o.Arm])
		}
	}
}

// Sweep appends a pull for each of the arms 0 to k-1.
func Sweep(dst []explore.Pull, k int) []explore.Pull {
	for i := range k {
		dst = append(dst, explore.Pull{Arm: i, N: 1})
	}
	return dst
}

// WrongQuestion returns the error of a policy for questions about arms. The error states that the
// items of p are not the arms or, if the items are the arms, that the question is not one of the
// expected questions.
func WrongQuestion(p *explore.Problem, expected string) error {
	if p.Z != nil {
		return fmt.Errorf("policy: the items (Problem.Z) are not the arms; leave Z nil: %w", explore.ErrQuestion)
	}
	return fmt.Errorf("policy: the question is %T; expected %s: %w", p.Question, expected, explore.ErrQuestion)
}

// Bind adapts radius r to the arms of p and the error probability delta.
func Bind(r radius.Radius, p *explore.Problem, delta float64) radius.Bonus {
	return r.Bind(radius.Params{Arms: p.K(), Objectives: p.D(), Sigma: p.Sigma, NormSigma: p.SigmaU(), Delta: delta})
}

// Undecided returns n reasons with the class Undecided, as the starting point of an answer.
func Undecided(n int) []explore.Reason {
	r := make([]explore.Reason, n)
	for i := range r {
		r[i].By, r[i].Constraint = -1, -1
	}
	return r
}

// Thrift keeps only one of the pulls in dst[from:], which are meant to compare arms, if arms have
// costs. Let n_i be the number of pulls of arm i, and c_i the cost of a pull. At a given total
// cost, the variance 1/n_1 + 1/n_2 of a difference is smallest if n_i is proportional to
// 1/sqrt(c_i). Therefore, Thrift keeps the pull of the arm with the smallest n_i sqrt(c_i).
// Policies may call Thrift only if their guarantee holds for any sampling. If rounds repeat the
// same pair, Thrift keeps pulls of both arms, in proportion to 1/sqrt(c_i).
func Thrift(dst []explore.Pull, from int, p *explore.Problem, n []int) []explore.Pull {
	if p.Costs == nil || len(dst) < from+2 {
		return dst
	}
	best := from
	for k := from + 1; k < len(dst); k++ {
		if lag(dst[k].Arm, p, n) < lag(dst[best].Arm, p, n) {
			best = k
		}
	}
	dst[from] = dst[best]
	return dst[:from+1]
}

// lag returns n_i^2 c_i, the square of the quantity by which Thrift compares arms.
func lag(i int, p *explore.Problem, n []int) float64 {
	return float64(n[i]) * float64(n[i]) * p.Costs[i]
}

// A Front is the empirical Pareto set of some arms, updated from round to round. For each dominated
// arm, a Front stores one arm that dominates it. The dominance of one arm over another remains
// valid until one of the two arms is pulled or leaves the set.
type Front struct {
	Members []int // in ascending order if the arms are in ascending order
	// Over contains for each arm an arm whose estimate dominates it or, for members of the front,
	// the arm itself.
	Over []int

	candidates []int // scratch
}

// Init starts with k arms, none of which is known to be dominated.
func (f *Front) Init(k int) {
	f.Members, f.candidates = memory.Zeroed(f.Members, k)[:0], memory.Zeroed(f.candidates, k)[:0]
	f.Over = memory.UpTo(f.Over, k)
}

// Update finds the arms of set whose estimates are not dominated by the estimate of another arm of
// set. The argument fresh marks arms that were pulled since the last call, and in marks the arms of
// set (a nil slice means all arms). Arms that are new in set must be marked as fresh.
func (f *Front) Update(e *Estimates, set []int, fresh, in []bool) {
	// Candidates for the front are arms without a stored dominator. Each dominated arm is dominated
	// by a candidate.
	f.candidates = f.candidates[:0]
	over := f.Over
	for _, i := range set {
		j := over[i]
		if j == i || in != nil && !in[j] || (fresh[i] || fresh[j]) && !e.Below(i, j) {
			f.candidates = append(f.candidates, i)
		}
	}
	f.Members = f.Members[:0]
next:
	for _, i := range f.candidates {
		old := over[i] == i && !fresh[i] // members of the last front that were not pulled do not dominate each other
		for _, j := range f.candidates {
			if j != i && !(old && over[j] == j && !fresh[j]) && e.Below(i, j) {
				over[i] = j
				continue next
			}
		}
		f.Members = append(f.Members, i)
	}
	for _, i := range f.Members {
		over[i] = i
	}
}

// Mark sets the entries of fresh for the arms of obs to x.
func Mark(fresh []bool, obs []explore.Batch, x bool) {
	for b := range obs {
		fresh[obs[b].Arm] = x
	}
}
