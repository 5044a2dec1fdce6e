package policy

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/lsq"
)

// ErrUndecidable says that items are so close that a policy gives up telling
// them apart. A question that tolerates a small difference can be answered.
var ErrUndecidable = errors.New("policy: undecidable")

// mostPulls is the largest round that a policy asks for. Beyond it, differences
// are below the rounding of the measurements.
const mostPulls = 1e15

// survivors are the distinct items of a linear model that may still be the
// best, in policies that eliminate the others in phases.
type survivors struct {
	*linear
	fit     *lsq.Fit
	active  []int // ascending
	best    int   // the active item with the largest estimate
	over    bool
	reasons []explore.Reason // of the eliminated

	mean  []float64 // estimates, by item; of active items
	white []float64 // n x m: W z
	width float64   // half-width of a difference is width times its norm
	order []int     // the active items in descending order of estimates; nil before the first
	// half replaces the half-width of the difference of two items, if not nil.
	half func(i, j int) float64
}

func (s *survivors) start(l *linear) {
	*s = survivors{linear: l, fit: lsq.NewFit(l.m, 1), reasons: l.undecided()}
	for i := range l.n {
		s.active = append(s.active, i)
	}
	s.mean, s.white = make([]float64, l.n), make([]float64, l.n*l.m)
	s.over = l.known()
}

// update estimates the active items from the fit, which must have been solved,
// and eliminates those that are behind another one by more than width times the
// norm of their difference. It is over once one item is left, or the leader is
// behind none by more than the tolerance of the question.
//
// "Behind" is a cone in the coordinates of the items, hence transitive: an item
// needs to be compared with survivors only, in descending order of estimates.
func (s *survivors) update(width float64) {
	s.width = width
	s.estimate()
	kept := s.order[:0]
	for _, i := range s.order {
		out := false
		for _, j := range kept {
			gap := s.mean[j] - s.mean[i]
			if gap > 0 && gap*gap > width*width*s.squared(i, j) {
				s.reasons[i] = explore.Reason{Class: explore.Dominated, By: j, Margin: gap, MarginRadius: s.radius(i, j)}
				out = true
				break
			}
		}
		if !out {
			kept = append(kept, i)
		}
	}
	s.keep(kept)
	s.over = s.ahead()
}

// test estimates all items as update does, but eliminates none.
func (s *survivors) test(width float64) {
	s.width = width
	s.estimate()
	s.over = s.ahead()
}

// ahead reports whether the leader is behind no active item by more than the
// tolerance of the question.
func (s *survivors) ahead() bool {
	for _, i := range s.active {
		if i != s.best && s.mean[i]-s.mean[s.best]+s.radius(i, s.best) > s.epsilon {
			return false
		}
	}
	return true
}

// estimate computes the estimates of the active items and their order.
func (s *survivors) estimate() {
	for _, i := range s.active {
		s.mean[i] = s.fit.Mean(s.item(i), 0)
		s.fit.Whiten(s.whitened(i), s.item(i))
	}
	s.sort()
}

// sort puts the active items in descending order of their estimates.
func (s *survivors) sort() {
	s.order = append(s.order[:0], s.active...)
	slices.SortStableFunc(s.order, func(i, j int) int {
		switch {
		case s.mean[i] > s.mean[j]:
			return -1
		case s.mean[i] < s.mean[j]:
			return 1
		}
		return 0
	})
	s.best = s.order[0]
}

// keep makes the items kept, which are in descending order of estimates, the
// active ones.
func (s *survivors) keep(kept []int) {
	s.best = kept[0]
	s.active = append(s.active[:0], kept...)
	slices.Sort(s.active)
}

func (s *survivors) whitened(i int) []float64 { return s.white[i*s.m:][:s.m] }

// squared returns the squared norm of the difference of items i and j in the
// metric of the fit.
func (s *survivors) squared(i, j int) float64 {
	a, b, sum := s.whitened(i), s.whitened(j), 0.
	for c, v := range a {
		d := v - b[c]
		sum += d * d
	}
	return sum
}

// radius returns the half-width of the estimated difference of items i and j.
func (s *survivors) radius(i, j int) float64 {
	if s.half != nil {
		return s.half(i, j)
	}
	return s.width * math.Sqrt(s.squared(i, j))
}

// Answer implements explore.Policy.
func (s *survivors) Answer() explore.Answer {
	if s.order == nil {
		r := s.linear.undecided()
		if s.over {
			r[0].Class = explore.Optimal
		}
		return s.answer(s.best, r)
	}
	// The active items, compared with the leader; the others as they went.
	reasons := s.compare(s.best, s.over, func(i int) (margin, radius float64) {
		if s.reasons[i].Class == explore.Dominated {
			return s.reasons[i].Margin, s.reasons[i].MarginRadius
		}
		return s.mean[s.best] - s.mean[i], s.radius(i, s.best)
	})
	for i, r := range s.reasons {
		if r.Class == explore.Dominated {
			reasons[i] = r
		}
	}
	return s.answer(s.best, reasons)
}

// tell takes the rewards of a phase that uses no others.
func (s *survivors) tell(obs []explore.Batch) error {
	s.fit.Reset()
	return s.add(obs)
}

// add takes the rewards of a phase in addition to those of earlier ones.
func (s *survivors) add(obs []explore.Batch) error {
	for _, b := range obs {
		s.fit.Add(s.arm(b.Arm), b.N, b.Sum)
	}
	if s.fit.Solve() {
		return nil
	}
	return s.seen(s.fit.Metric)
}

// seen fails if the information of met, which is singular, says nothing about
// the difference of two active items. No design is such, but for rounding.
func (s *survivors) seen(met *lsq.Metric) error {
	y := make([]float64, s.m)
	for _, i := range s.active[1:] {
		floats.SubTo(y, s.item(i), s.item(s.active[0]))
		if met.Outside(y) > 1e-6 {
			return errors.New("policy: the arms that can tell the items left apart are too close to collinear for least squares; drop arms that nearly coincide with others, or add one that differs from them")
		}
	}
	return nil
}

// tied is the error of a policy that would need n pulls.
func (s *survivors) tied(p *explore.Problem, n float64) error {
	if s.order == nil {
		return fmt.Errorf("%w: the first phase would take %.1g pulls, far more than gaps of the size of 1 call for: give rewards, Sigma and bounds in units in which they are", ErrUndecidable, n)
	}
	a, b := s.best, s.active[0]
	if a == b && len(s.active) > 1 {
		b = s.active[1]
	}
	for _, i := range s.active {
		if i != a && s.mean[i] > s.mean[b] {
			b = i
		}
	}
	return fmt.Errorf("%w: the next phase would take %.1g pulls; %d items are left, among them %s and %s, whose estimates differ by %.2g: if they are tied, ask for question.Best{Epsilon: ...} with the smallest difference that matters",
		ErrUndecidable, n, len(s.active), p.Item(s.first[a]), p.Item(s.first[b]), math.Abs(s.mean[a]-s.mean[b]))
}

// allocation appends the pulls of counts, one number an arm.
func allocation(dst []explore.Pull, counts []int) []explore.Pull {
	for i, n := range counts {
		if n > 0 {
			dst = append(dst, explore.Pull{Arm: i, N: n})
		}
	}
	return dst
}

// ceil rounds a number of pulls up.
func ceil(n float64) int { return int(math.Ceil(min(n, mostPulls))) }

// total returns the sum of counts.
func total(counts []int) int {
	n := 0
	for _, c := range counts {
		n += c
	}
	return n
}
