// Package goodenough supports policies for Pareto sets with extensions. The extensions are
// tolerances (differences that do not matter), slacks (allowed violations of constraints), exactly
// known values, and half-widths that adapt to the variance of the rewards. The package implements
// the stopping rule of docs/good-enough.md; that document contains the proof. For problems without
// tolerances, slacks, known values or adaptive half-widths, use package constrained, which follows
// the published rules.
//
//	if goodenough.Asked(prob, radius) {
//		err = s.Init(prob, radius, delta) // goodenough.State
//	}
//	s.Tell(obs)
//	arm := s.Check() // the next arm to examine, or -1 if s.Answer() is final
package goodenough

import (
	"fmt"
	"math"
	"slices"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policy/internal/arms"
	"github.com/purexp/purexp/pkg/policy/internal/memory"
	"github.com/purexp/purexp/pkg/radius"
)

// State contains estimates and confidence intervals for K arms with d objectives, and applies the
// stopping rule. The stopping rule is valid for any sampling rule.
//
// The interval for the mean of arm i in objective c is Mean plus or minus factor times width. For a
// known value, the half-width is 0; without measurements, it is +Inf.
type State struct {
	Prob     *explore.Problem
	K, Pulls int
	N        []int
	Mean     []float64 // k x d

	d         int
	compared  []int     // compared objectives
	weight    float64   // factor on margins: the weight of the compared objective; 1 if the question has no weights
	tol       []float64 // by objective: difference that does not matter
	tolerates bool      // whether some tolerance is positive
	scale     []float64 // by objective: scale of the noise, relative to Problem.Sigma
	rows      []row
	bonus     radius.Bonus
	fitted    radius.Fitted // nil if half-widths depend on counts alone
	lo, hi    []float64     // by objective: smallest and largest mean of a batch so far
	factor    float64
	sum       []float64 // k x d
	squares   []float64 // k x d
	bare      []bool    // by arm: whether some rewards were reported without squares
	known     []bool    // k x d
	open      []bool    // by arm: whether the arm has unknown values that matter
	term      []radius.Term
	width     []float64 // k x d: half-widths divided by the current factor
	apart     []float64 // k x k x d: half-widths of differences, computed by the field fitted; NaN until then

	Inside   []bool    // by arm: whether the evidence suggests that the arm is tolerably feasible
	Sure     []float64 // by arm: evidence that Inside is right; certain if at least 0
	facet    []int     // by arm: the row that determines Sure, or -1
	Possible []int     // arms that are not certainly infeasible
	feasible []int     // arms for which Inside is true
	front    []int     // O: feasible arms whose estimates no other estimate dominates
	isMember []bool
	over     []int // by arm i: an arm whose estimate dominated that of i at the last update, or i itself
	racing   []int // scratch of Race
	stopped  bool
}

// Init starts a run with half-widths that follow from the radius r.
func (s *State) Init(p *explore.Problem, r radius.Radius, delta float64) error {
	s.Prob, s.K, s.d, s.Pulls, s.stopped = p, p.K(), p.D(), 0, false
	if err := s.read(p); err != nil {
		return err
	}
	s.tolerates = slices.Max(s.tol) > 0
	k, kd := s.K, s.K*s.d
	s.N, s.Mean, s.sum = memory.Zeroed(s.N, k), memory.Zeroed(s.Mean, kd), memory.Zeroed(s.sum, kd)
	s.squares, s.bare = memory.Zeroed(s.squares, kd), memory.Zeroed(s.bare, k)
	s.known, s.open = memory.Zeroed(s.known, kd), memory.Zeroed(s.open, k)
	s.term, s.width = memory.Zeroed(s.term, k), memory.Zeroed(s.width, kd)
	s.Inside, s.Sure = memory.Zeroed(s.Inside, k), memory.Zeroed(s.Sure, k)
	s.facet, s.isMember = memory.Zeroed(s.facet, k), memory.Zeroed(s.isMember, k)
	s.Possible, s.feasible = memory.Zeroed(s.Possible, k)[:0], memory.Zeroed(s.feasible, k)[:0]
	s.front, s.over = memory.Zeroed(s.front, k)[:0], memory.UpTo(s.over, k)
	most := s.know(p)
	s.bonus = r.Bind(radius.Params{Arms: k, Objectives: max(most, 1), Sigma: p.Sigma,
		NormSigma: p.SigmaU(), Delta: delta})
	s.fitted, _ = s.bonus.(radius.Fitted)
	if s.apart = s.apart[:0]; s.fitted != nil && k*kd <= mostApart {
		s.apart = memory.Zeroed(s.apart, k*kd)
		for i := range s.apart {
			s.apart[i] = math.NaN()
		}
	}
	s.lo, s.hi = memory.Zeroed(s.lo, s.d), memory.Zeroed(s.hi, s.d)
	for c := range s.lo {
		s.lo[c], s.hi[c] = inf, -inf
	}
	s.sort()
	// Arms that cannot be feasible need no measurement.
	for i := range s.open {
		s.open[i] = s.open[i] && (s.Inside[i] || s.Sure[i] < 0)
	}
	return nil
}

// mostApart is the largest number of half-widths of differences that are stored.
const mostApart = 1 << 20

// know stores the known values of p, and returns the largest number of objectives that are unknown
// for an arm.
func (s *State) know(p *explore.Problem) (most int) {
	for i := range s.K {
		unknown := 0
		for c := range s.d {
			at := i*s.d + c
			s.width[at] = inf
			if p.Known != nil && !math.IsNaN(p.Known.At(i, c)) {
				s.Mean[at], s.known[at], s.width[at] = p.Known.At(i, c), true, 0
				continue
			}
			unknown++
		}
		s.open[i] = unknown > 0
		most = max(most, unknown)
	}
	return most
}

// Row returns the estimate of arm i.
func (s *State) Row(i int) []float64 { return s.Mean[i*s.d:][:s.d] }

// Squares stores in squares the mean of the squared rewards of arm i, and reports whether this mean
// is known.
func (s *State) Squares(squares []float64, i int) bool {
	if s.bare[i] || s.N[i] == 0 {
		return false
	}
	for c := range squares {
		squares[c] = s.squares[i*s.d+c] / float64(s.N[i])
	}
	return true
}

// Tell adds measurements to the state.
func (s *State) Tell(obs []explore.Batch) {
	for b := range obs {
		s.add(&obs[b])
	}
	s.sort()
}

// CheckRange returns an error if a batch has rewards outside the range that the half-widths assume.
func (s *State) CheckRange(obs []explore.Batch) error {
	if s.fitted == nil {
		return nil
	}
	for b := range obs {
		o := &obs[b]
		for c, x := range o.Sum {
			if s.known[o.Arm*s.d+c] {
				continue
			}
			mean := x / float64(o.N)
			lo, hi := min(s.lo[c], mean), max(s.hi[c], mean)
			if !s.fitted.Within(c, lo/s.scale[c], hi/s.scale[c]) {
				return fmt.Errorf("policy: rewards of %s range from %v to %v (the last reward is of %s), but "+
					"half-widths hold only for rewards %s; correct the reward, or choose a Sigma or a radius for "+
					"this range", s.Prob.Objective(c), lo, hi, s.Prob.Arm(o.Arm),
					s.fitted.Range(c, s.scale[c]))
			}
			s.lo[c], s.hi[c] = lo, hi
		}
	}
	return nil
}

func (s *State) add(b *explore.Batch) {
	i := b.Arm
	s.Pulls += b.N
	s.N[i] += b.N
	n := float64(s.N[i])
	s.bare[i] = s.bare[i] || b.Squares == nil && b.N > 1
	s.term[i] = s.bonus.Term(s.N[i])
	mean := s.bonus.Mean(s.N[i])
	s.forget(i)
	for c, x := range b.Sum {
		at := i*s.d + c
		if s.known[at] {
			continue
		}
		s.sum[at] += x
		s.Mean[at] = s.sum[at] / n
		s.width[at] = mean * s.scale[c]
		if s.fitted == nil {
			continue
		}
		if !s.bare[i] {
			s.squares[at] += b.Square(c)
		}
		s.width[at] = s.fitted.Around(c, s.seen(i, c)) * s.scale[c]
	}
}

// forget discards stored half-widths of differences that involve arm i.
func (s *State) forget(i int) {
	if len(s.apart) == 0 {
		return
	}
	for j := range s.K {
		a, b := s.apart[(i*s.K+j)*s.d:][:s.d], s.apart[(j*s.K+i)*s.d:][:s.d]
		for c := range a {
			a[c], b[c] = math.NaN(), math.NaN()
		}
	}
}

// seen returns the statistics of arm i in objective c, in units of the noise scale.
func (s *State) seen(i, c int) radius.Seen {
	at := i*s.d + c
	seen := radius.Seen{N: s.N[i], Mean: s.Mean[at] / s.scale[c], Spread: math.NaN()}
	if !s.bare[i] { // rounding may make the mean square deviation negative
		seen.Spread = math.Max(0, s.squares[at]/float64(s.N[i])-s.Mean[at]*s.Mean[at]) /
			(s.scale[c] * s.scale[c])
	}
	return seen
}

// sort computes the values that change from round to round: the positions of the arms relative to
// the region, and the Pareto set O of the estimates.
func (s *State) sort() {
	s.factor, _ = s.bonus.Factors(max(s.Pulls, 1))
	s.Possible, s.feasible, s.front = s.Possible[:0], s.feasible[:0], s.front[:0]
	for i := range s.K {
		s.locate(i)
		s.isMember[i] = false
		if s.Inside[i] {
			s.feasible = append(s.feasible, i)
		}
		if s.Inside[i] || s.Sure[i] < 0 {
			s.Possible = append(s.Possible, i)
		}
	}
	for _, i := range s.feasible {
		if n := len(s.front); n > 0 && slices.Equal(s.Row(i), s.Row(s.front[n-1])) {
			// No estimate dominates an estimate that equals the estimate of a member of O. Before
			// the first results, all estimates are equal.
			s.over[i] = i
		} else {
			s.over[i] = s.above(i)
		}
		if s.over[i] == i {
			s.front = append(s.front, i)
			s.isMember[i] = true
		}
	}
}

// above returns an arm that is Inside and whose estimate dominates that of arm i, or i if there is
// no such arm. above first tries the arm that dominated i after the last update.
func (s *State) above(i int) int {
	if j := s.over[i]; s.Inside[j] && s.below(i, j) {
		return j
	}
	for _, j := range s.feasible {
		if s.below(i, j) {
			return j
		}
	}
	return i
}

// locate determines whether the evidence that arm i is inside the region exceeds the evidence that
// it is outside, and stores the larger evidence. For a constraint, the evidence is the distance of
// the estimate from the boundary minus the half-width of this distance, in units of the noise.
func (s *State) locate(i int) {
	in, inAt, out, outAt := inf, -1, -inf, -1
	mean, width := s.Row(i), s.width[i*s.d:][:s.d]
	for k := range s.rows {
		r := &s.rows[k]
		value, half := 0., 0.
		for c, a := range r.a {
			if a != 0 {
				value += a * mean[c]
				half += math.Abs(a) * width[c]
			}
		}
		half *= s.factor
		inner, outer := (r.b+r.slack-value-half)/r.scale, (value-r.b-half)/r.scale
		if half == 0 { // known values are certain, even on the boundary
			inner, outer = inf, -inf
			switch {
			case value > r.b+r.slack:
				inner, outer = -inf, inf
			case value > r.b:
				// If the arm violates the constraint by less than the slack, the arm may be either
				// accepted or rejected.
				outer = -inf
			}
		}
		if inner < in {
			in, inAt = inner, k
		}
		if outer > out {
			out, outAt = outer, k
		}
	}
	if s.Inside[i] = in >= out; s.Inside[i] {
		s.Sure[i], s.facet[i] = in, inAt
	} else {
		s.Sure[i], s.facet[i] = out, outAt
	}
}

// below reports whether the estimate of arm j dominates the estimate of arm i.
func (s *State) below(i, j int) bool {
	worse := false
	a, b := s.Row(i), s.Row(j)
	for _, c := range s.compared {
		x := a[c]
		if x > b[c] {
			return false
		}
		worse = worse || x < b[c]
	}
	return worse
}

// Sweep appends a pull of every arm that has unknown values on which the answer may depend.
func (s *State) Sweep(dst []explore.Pull) []explore.Pull {
	for i, is := range s.open {
		if is {
			dst = append(dst, explore.Pull{Arm: i, N: 1})
		}
	}
	return dst
}

// Answer implements explore.Policy. Answer returns the arms of O, and those other good arms that no
// member of O can replace. The reasons state only claims that are certain.
func (s *State) Answer() explore.Answer {
	a := explore.Answer{Reasons: arms.Undecided(s.K)}
	if s.Pulls == 0 && !s.stopped {
		return a
	}
	rivals := func(int) []int { return s.Possible }
	if s.fitted == nil {
		type kind struct {
			n     int
			known string
		}
		rivals = arms.Leading(s.Possible, s.Row,
			func(i int) kind { return kind{s.N[i], fmt.Sprint(s.known[i*s.d:][:s.d])} })
	}
	for i := range a.Reasons {
		r := &a.Reasons[i]
		s.reason(r, i, rivals(i))
		if s.isMember[i] || r.Class == explore.Optimal {
			a.Items = append(a.Items, i)
		}
	}
	return a
}

// reason stores the certain claims about arm i in r. The argument rivals contains the arms to
// compare with arm i.
func (s *State) reason(r *explore.Reason, i int, rivals []int) {
	s.slack(r, i)
	if !s.Inside[i] && s.Sure[i] >= 0 {
		r.Class = explore.Infeasible
		return
	}
	if !s.isMember[i] {
		if by, m := s.cover(i); m >= 0 && s.good(by, negative) >= 0 {
			r.Class = explore.Dominated
			r.By = by
			m, half := s.behind(i, by)
			r.Margin, r.MarginRadius = s.weight*m, s.weight*half
			return
		}
	}
	if s.good(i, negative) >= 0 {
		r.Class = explore.Optimal
	}
	if r.By = s.rival(i, rivals, false); r.By >= 0 {
		m, half := s.ahead(i, r.By)
		r.Margin, r.MarginRadius = s.weight*m, s.weight*half
	}
}

// slack sets the slack in the reason for arm i.
func (s *State) slack(r *explore.Reason, i int) {
	if s.facet[i] < 0 {
		r.Slack = inf
		return
	}
	k := &s.rows[s.facet[i]]
	r.Constraint, r.Slack = k.of, k.b
	for c, a := range k.a {
		if a != 0 {
			r.Slack -= a * s.Mean[i*s.d+c]
			r.SlackRadius += math.Abs(a) * s.width[i*s.d+c] * s.factor
		}
	}
}

// inf is +Inf, which is also the minimum of an empty set of numbers.
var inf = math.Inf(1)
