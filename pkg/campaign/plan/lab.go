package plan

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/purexp/purexp/pkg/campaign/problem"
	"github.com/purexp/purexp/pkg/explore"
)

// lab simulates a laboratory in which some measurements fail and some results arrive late.
type lab struct {
	problem.Laboratory
	src     rand.Source
	late    []waiting
	pending []explore.Pull // measurements that are late
	plates  float64        // number of plates so far
	time    float64        // time so far, in units of the time of a plate
}

// waiting is a measurement whose result is late.
type waiting struct {
	explore.Pull
	left int // number of plates until the result arrives
}

// reset starts a new simulated campaign in the same laboratory.
func (l *lab) reset(src rand.Source) {
	l.src, l.late, l.pending, l.plates, l.time = src, l.late[:0], l.pending[:0], 0, 0
}

func (l *lab) perfect() bool { return l.Failures == 0 && l.Late == 0 }

// binomial draws the number of events of probability p in n trials.
func (l *lab) binomial(n int, p float64) int {
	if n == 0 || p == 0 {
		return 0
	}
	return int(distuv.Binomial{N: float64(n), P: p, Src: l.src}.Rand())
}

// make simulates the n measurements in pulls, on a simulated plate
// that represents m real plates. make returns the pulls whose results
// arrive with this plate, including late results of earlier plates.
func (l *lab) make(pulls []explore.Pull, n, m int) []explore.Pull {
	plates := float64(m) * math.Ceil(float64(n)/float64(l.Free()))
	l.plates += plates
	l.time += plates / float64(max(l.AtOnce, 1))
	if n == 0 {
		l.time++ // wait for the time of one plate
	}
	if l.perfect() && len(l.late) == 0 {
		return pulls
	}
	there := pulls[:0]
	for _, p := range pulls {
		p.N -= l.binomial(p.N, l.Failures)
		if late := l.binomial(p.N, l.Late); late > 0 {
			p.N -= late
			// If a simulated plate represents several plates, most late results still arrive within
			// the same simulated plate.
			stay := (late + m - 1) / m
			p.N += late - stay
			l.late = append(l.late, waiting{explore.Pull{Arm: p.Arm, N: stay}, max(l.LateBy, 1)})
		}
		if p.N > 0 {
			there = append(there, p)
		}
	}
	// Add late results of earlier plates, which arrive together with the results of this plate.
	keep := l.late[:0]
	for _, w := range l.late {
		if w.left == 0 {
			there = append(there, w.Pull)
			continue
		}
		w.left--
		keep = append(keep, w)
	}
	l.late, l.pending = keep, l.pending[:0]
	for _, w := range keep {
		l.pending = append(l.pending, w.Pull)
	}
	return there
}

// free returns the number of free wells in the last plate if n measurements are made.
func (l *lab) free(n int) int { return (l.Free() - n%l.Free()) % l.Free() }

// round simulates a round of n measurements that must all succeed before the next request; failed
// measurements are repeated.
func (l *lab) round(n int) {
	wells := l.Free()
	if l.perfect() {
		plates := math.Ceil(float64(n) / float64(wells))
		l.plates += plates
		l.time += plates / float64(max(l.AtOnce, 1))
		return
	}
	last := 0 // number of plates until all late results have arrived
	for n > 0 {
		plates := max(n/wells, 1)
		made := min(n, plates*wells)
		l.plates += float64(plates)
		l.time += float64(plates) / float64(max(l.AtOnce, 1))
		failed := l.binomial(made, l.Failures)
		last = max(last-plates, 0)
		if l.binomial(min(made-failed, wells), l.Late) > 0 {
			last = max(l.LateBy, 1)
		}
		n += failed - made
	}
	l.time += float64(last)
}
