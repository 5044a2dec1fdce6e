package mc

import "time"

// A Pace tells how much longer a grid takes, from the calls of [Grid.Progress]. The
// zero value is ready to use.
type Pace struct {
	started bool
	before  int // rows that were there at the start
}

// Left takes the arguments of a call of Progress, all of them from the first one on,
// and returns the time that the rest takes if it goes on as it went since the start.
// Rows that a resumed file already held cost no time and are not counted into the
// rate. It returns false while nothing can be said, and when all is done.
func (p *Pace) Left(done, total int, elapsed time.Duration) (time.Duration, bool) {
	if !p.started {
		p.started, p.before = true, done
	}
	own := done - p.before
	if own <= 0 || done >= total || elapsed < time.Second {
		return 0, false
	}
	return time.Duration(float64(elapsed) * float64(total-done) / float64(own)), true
}
