package mc_test

import (
	"testing"
	"time"

	"github.com/purexp/purexp/pkg/mc"
)

func TestPace(t *testing.T) {
	type call struct {
		done    int
		elapsed time.Duration
		left    time.Duration // 0 if unknown
	}
	for name, calls := range map[string][]call{
		"from the start": {{0, 0, 0}, {1, 500 * time.Millisecond, 0},
			{50, 10 * time.Second, 10 * time.Second},
			{75, 20 * time.Second, 20 * time.Second / 3}, {100, 30 * time.Second, 0}},
		// The file already had 80 rows. The next 10 rows took 10 s, so the last 10 rows are expected to take 10 s.
		"resumed":           {{80, 0, 0}, {80, 5 * time.Second, 0}, {90, 10 * time.Second, 10 * time.Second}},
		"nothing to do":     {{100, 0, 0}},
		"a second":          {{0, 0, 0}, {1, time.Second - 1, 0}, {1, time.Second, 99 * time.Second}},
		"the last one":      {{99, 0, 0}, {99, time.Hour, 0}, {100, 2 * time.Hour, 0}},
		"first call late":   {{10, time.Minute, 0}, {11, 2 * time.Minute, 178 * time.Minute}},
		"fewer than before": {{50, 0, 0}, {40, 5 * time.Second, 0}},
		"more than wanted":  {{120, 2 * time.Second, 0}},
	} {
		var p mc.Pace
		for _, c := range calls {
			left, ok := p.Left(c.done, 100, c.elapsed)
			if ok != (c.left > 0) || (left-c.left).Abs() > time.Microsecond {
				t.Errorf("%s: %v, %v after %+v", name, left, ok, c)
			}
		}
	}
}
