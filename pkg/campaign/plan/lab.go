package plan

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/purexp/purexp/pkg/campaign/problem"
	"github.com/purexp/purexp/pkg/explore"
)

// A lab makes measurements of which some fail and others come late.
type lab struct {
	problem.Laboratory
	src     rand.Source
	late    []waiting
	pending []explore.Pull // what is late
	plates  float64        // that were made
	time    float64        // in which they were, in that of a plate
}

// waiting is a measurement that is late.
type waiting struct {
	explore.Pull
	left int // plates until it comes
}

// reset begins a run.
func (l *lab) reset(src rand.Source) {
	l.src, l.late, l.pending, l.plates, l.time = src, l.late[:0], l.pending[:0], 0, 0
}

// perfect reports whether nothing fails, and nothing is late.
func (l *lab) perfect() bool { return l.Failures == 0 && l.Late == 0 }

// binomial draws how many of n there are, each with probability p.
func (l *lab) binomial(n int, p float64) int {
	if n == 0 || p == 0 {
		return 0
	}
	return int(distuv.Binomial{N: float64(n), P: p, Src: l.src}.Rand())
}

// make makes the measurements of pulls and returns those whose results are there now. Of the pulls
// n are new, by plates that stand for m plates each; the rest is late from earlier plates.
func (l *lab) make(pulls []explore.Pull, n, m int) []explore.Pull {
	plates := float64(m) * math.Ceil(float64(n)/float64(l.Free()))
	l.plates += plates
	l.time += plates / float64(max(l.AtOnce, 1))
	if n == 0 {
		l.time++ // nothing is made before something comes
	}
	if l.perfect() && len(l.late) == 0 {
		return pulls
	}
	there := pulls[:0]
	for _, p := range pulls {
		p.N -= l.binomial(p.N, l.Failures)
		if late := l.binomial(p.N, l.Late); late > 0 {
			p.N -= late
			// In plates that stand for several most of what is late comes with another one of them.
			stay := (late + m - 1) / m
			p.N += late - stay
			l.late = append(l.late, waiting{explore.Pull{Arm: p.Arm, N: stay}, max(l.LateBy, 1)})
		}
		if p.N > 0 {
			there = append(there, p)
		}
	}
	// What was late before this plate, and comes with it.
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

// free returns the number of wells that n measurements leave free in the last of their plates.
func (l *lab) free(n int) int { return (l.Free() - n%l.Free()) % l.Free() }

// round makes n measurements of which all have to be there before anything else is asked for: what
// fails is made again.
func (l *lab) round(n int) {
	wells := l.Free()
	if l.perfect() {
		plates := math.Ceil(float64(n) / float64(wells))
		l.plates += plates
		l.time += plates / float64(max(l.AtOnce, 1))
		return
	}
	last := 0 // plates until all that is late is there
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
