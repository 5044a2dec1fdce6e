package plan

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/purexp/purexp/pkg/campaign/problem"
	"github.com/purexp/purexp/pkg/explore"
)

// A lab makes measurements, some of which fail or are late.
type lab struct {
	problem.Laboratory
	src     rand.Source
	late    []waiting
	pending []explore.Pull // late measurements
	plates  float64        // number of plates made
	time    float64        // in plate times
}

// waiting is a late measurement.
type waiting struct {
	explore.Pull
	left int // plates until it arrives
}

// reset starts a run.
func (l *lab) reset(src rand.Source) {
	l.src, l.late, l.pending, l.plates, l.time = src, l.late[:0], l.pending[:0], 0, 0
}

// perfect reports whether there are no failures and no late results.
func (l *lab) perfect() bool { return l.Failures == 0 && l.Late == 0 }

// binomial draws the number of events of probability p in n trials.
func (l *lab) binomial(n int, p float64) int {
	if n == 0 || p == 0 {
		return 0
	}
	return int(distuv.Binomial{N: float64(n), P: p, Src: l.src}.Rand())
}

// make makes the measurements of pulls and returns those with results. N of the pulls are new, in
// plates that stand for m plates each; the rest is late from earlier plates.
func (l *lab) make(pulls []explore.Pull, n, m int) []explore.Pull {
	plates := float64(m) * math.Ceil(float64(n)/float64(l.Free()))
	l.plates += plates
	l.time += plates / float64(max(l.AtOnce, 1))
	if n == 0 {
		l.time++ // wait one plate time
	}
	if l.perfect() && len(l.late) == 0 {
		return pulls
	}
	there := pulls[:0]
	for _, p := range pulls {
		p.N -= l.binomial(p.N, l.Failures)
		if late := l.binomial(p.N, l.Late); late > 0 {
			p.N -= late
			// If a plate stands for several, most late results arrive with another of these.
			stay := (late + m - 1) / m
			p.N += late - stay
			l.late = append(l.late, waiting{explore.Pull{Arm: p.Arm, N: stay}, max(l.LateBy, 1)})
		}
		if p.N > 0 {
			there = append(there, p)
		}
	}
	// Results of earlier plates that arrive with this one.
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

// free returns the number of free wells in the last plate of n measurements.
func (l *lab) free(n int) int { return (l.Free() - n%l.Free()) % l.Free() }

// round makes n measurements that must all be complete before the next request; failed ones are
// repeated.
func (l *lab) round(n int) {
	wells := l.Free()
	if l.perfect() {
		plates := math.Ceil(float64(n) / float64(wells))
		l.plates += plates
		l.time += plates / float64(max(l.AtOnce, 1))
		return
	}
	last := 0 // plates until all late results have arrived
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
