package linear

import (
	"fmt"
	"math"
	"slices"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/lsq"
	"github.com/purexp/purexp/pkg/policy/internal/arms"
)

// Survivors contains the distinct items of a linear model that may still be the best, for policies
// that eliminate items in phases.
type Survivors struct {
	*Model
	fit     *lsq.Fit
	Active  []int // ascending
	best    int   // the active item with the largest estimate
	Over    bool
	Reasons []explore.Reason // reasons of eliminated items

	Mean  []float64 // estimates of active items, by item
	white []float64 // n x m: whitened items
	width float64   // the half-width of a difference is width times its norm
	Order []int     // active items in descending order of estimates; nil before the first estimates
	// If Half is not nil, it returns the half-width for the difference of two items.
	Half func(i, j int) float64
	// Known is one more than the index of an item that is the leader regardless of the estimates,
	// or 0 if there is none.
	Known int
}

// Start makes all items of l active.
func (s *Survivors) Start(l *Model) {
	*s = Survivors{Model: l, fit: l.Estimator(1), Reasons: arms.Undecided(l.N)}
	for i := range l.N {
		s.Active = append(s.Active, i)
	}
	s.Mean, s.white = make([]float64, l.N), make([]float64, l.N*l.Rank)
	s.Over = l.known()
}

// update computes the estimates of the active items from the fit, which must be solved and contain
// the rewards obs. update eliminates items that are worse than another item by more than width
// times the norm of their difference. The run is over if one item is left, or if no item is better
// than the leader by more than the question's tolerance, according to the intervals.
//
// If item i is worse than item j, and item k eliminated item j, then i is also worse than k. The
// reason is that gaps add up, and that half-widths satisfy the triangle inequality. Therefore,
// update compares each item only with the items kept so far, in descending order of estimates.
//
// No gap is larger than the norm of the estimate times the norm of the difference (Cauchy-Schwarz).
// If the norm of the estimate is below width, as in a short first round, all items stay, and update
// skips the comparisons.
func (s *Survivors) update(width float64, obs []explore.Batch) {
	s.width = width
	s.estimate()
	if s.reach(obs) < (1-rounding)*width*width {
		s.Keep(s.Order)
		s.Over = s.Ahead()
		return
	}
	kept := s.Order[:0]
	for _, i := range s.Order {
		out := false
		for _, j := range kept {
			gap := s.Mean[j] - s.Mean[i]
			if gap > 0 && gap*gap > width*width*s.Squared(i, j) {
				s.Reasons[i] = explore.Reason{Class: explore.Dominated, By: j, Margin: gap,
					MarginRadius: s.radius(i, j)}
				out = true
				break
			}
		}
		if !out {
			kept = append(kept, i)
		}
	}
	s.Keep(kept)
	s.Over = s.Ahead()
}

// update skips comparisons only if the squared norm is below (1 - rounding) times the square of
// width.
const rounding = 1e-9

// reach returns the squared norm of the estimate in the metric that the rewards define.
func (s *Survivors) reach(obs []explore.Batch) float64 {
	sum := 0.
	for _, b := range obs {
		mean := s.fit.Mean(s.Arm(b.Arm), 0)
		sum += float64(b.N) * mean * mean
	}
	return sum
}

// test computes the estimates of the active items as update does, but does not eliminate items.
func (s *Survivors) test(width float64) {
	s.width = width
	s.estimate()
	s.Over = s.Ahead()
}

// Ahead reports whether it is certain that no active item is better than the leader by more than
// the question's tolerance.
func (s *Survivors) Ahead() bool {
	return !slices.ContainsFunc(s.Active, func(i int) bool {
		return i != s.best && s.Mean[i]-s.Mean[s.best]+s.radius(i, s.best) > s.Epsilon
	})
}

// estimate computes the estimates of the active items, and sorts the items by estimate.
func (s *Survivors) estimate() {
	for _, i := range s.Active {
		s.Mean[i] = s.fit.Mean(s.Item(i), 0)
		s.fit.Whiten(s.whitened(i), s.Item(i))
	}
	s.Sort()
}

// Sort sorts the active items in descending order of their estimates.
func (s *Survivors) Sort() {
	s.Order = append(s.Order[:0], s.Active...)
	slices.SortStableFunc(s.Order, func(i, j int) int {
		switch {
		case s.Mean[i] > s.Mean[j]:
			return -1
		case s.Mean[i] < s.Mean[j]:
			return 1
		}
		return 0
	})
	s.best = s.Order[0]
	if s.Known > 0 {
		s.best = s.Known - 1
	}
}

// Keep replaces the active items by kept, which must be sorted in descending order of estimates.
func (s *Survivors) Keep(kept []int) {
	s.best = kept[0]
	s.Active = append(s.Active[:0], kept...)
	slices.Sort(s.Active)
}

func (s *Survivors) whitened(i int) []float64 { return s.white[i*s.Rank:][:s.Rank] }

// Squared returns the squared norm of the difference of items i and j, in the metric of the fit.
func (s *Survivors) Squared(i, j int) float64 {
	a, b, sum := s.whitened(i), s.whitened(j), 0.
	for c, v := range a {
		d := v - b[c]
		sum += d * d
	}
	return sum
}

// radius returns the half-width for the difference of items i and j.
func (s *Survivors) radius(i, j int) float64 {
	if s.Half != nil {
		return s.Half(i, j)
	}
	return s.width * math.Sqrt(s.Squared(i, j))
}

// Answer implements explore.Policy.
func (s *Survivors) Answer() explore.Answer {
	if s.Order == nil {
		r := arms.Undecided(s.N)
		if s.Over {
			r[0].Class = explore.Optimal
		}
		return s.Model.Answer(class(s.best), r)
	}
	// The reasons for active items compare them with the leader. The reasons for eliminated items
	// stay as they were at the elimination.
	reasons := s.compare(s.best, s.Over, func(i int) (margin, radius float64) {
		if s.Reasons[i].Class == explore.Dominated {
			return s.Reasons[i].Margin, s.Reasons[i].MarginRadius
		}
		return s.Mean[s.best] - s.Mean[i], s.radius(i, s.best)
	})
	for i, r := range s.Reasons {
		if r.Class == explore.Dominated {
			reasons[i] = r
		}
	}
	return s.Model.Answer(class(s.best), reasons)
}

// tell replaces all rewards by the rewards of a phase.
func (s *Survivors) tell(obs []explore.Batch) error {
	s.fit.Reset()
	return s.add(obs)
}

// add adds the rewards of a phase to those of earlier phases.
func (s *Survivors) add(obs []explore.Batch) error {
	for _, b := range obs {
		s.fit.Add(s.Arm(b.Arm), b.N, b.Sum)
	}
	if s.fit.Solve() {
		return nil
	}
	return s.Seen(s.Active, s.fit.Outside)
}

// Tied returns the error for a phase that would need n pulls, which is too many.
func (s *Survivors) Tied(p *explore.Problem, n float64) error {
	if s.Order == nil {
		return fmt.Errorf("%w: the first phase would take %.1g pulls, far more than gaps of about 1 need; rescale "+
			"the rewards, Sigma and bounds so that gaps are about 1", ErrUndecidable, n)
	}
	a, b := s.best, s.Active[0]
	if a == b && len(s.Active) > 1 {
		b = s.Active[1]
	}
	for _, i := range s.Active {
		if i != a && s.Mean[i] > s.Mean[b] {
			b = i
		}
	}
	return fmt.Errorf("%w: the next phase would take %.1g pulls; %d items are left, among them %s and %s, whose "+
		"estimates differ by %.2g; if they are tied, set Epsilon of question.Best to the smallest difference that "+
		"matters",
		ErrUndecidable, n, len(s.Active), p.Item(s.First[a]), p.Item(s.First[b]),
		math.Abs(s.Mean[a]-s.Mean[b]))
}
