package study_test

import (
	"testing"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/mc"
	"github.com/purexp/purexp/pkg/study"
	"github.com/purexp/purexp/pkg/tidy"
)

// Runs ended by a limit are evidence neither of a high nor of a low error rate.
func TestWrongOfRunsGivenUp(t *testing.T) {
	rows := func(wrong, right, givenUp int) (rs []mc.Row) {
		for i := range wrong + right + givenUp {
			r := mc.Row{Rep: i + 1, Correct: i >= wrong, Status: explore.Stopped.String()}
			if i >= wrong+right {
				r.Correct, r.Status = false, explore.PullLimit.String()
			}
			rs = append(rs, r)
		}
		return rs
	}
	high := study.Between("high", .1, 1, "above 10 %")
	for _, c := range []struct {
		wrong, right, givenUp int
		want                  study.Outcome
	}{
		{50, 0, 0, study.Agrees}, {0, 50, 0, study.Differs},
		{0, 0, 50, study.NotComparable}, {0, 50, 50, study.NotComparable},
		{30, 20, 50, study.Agrees},
	} {
		v := study.All(high.Of(study.Wrong("errors", rows(c.wrong, c.right, c.givenUp))))
		if v.Outcome != c.want {
			t.Errorf("%d wrong, %d right, %d given up: %+v", c.wrong, c.right, c.givenUp, v)
		}
		// The interval ranges from the rate if all runs ended by a limit were right to the rate if all of them were
		// wrong.
		n := c.wrong + c.right + c.givenUp
		for _, confidence := range []float64{.95, .99} {
			got := study.Wrong("errors", rows(c.wrong, c.right, c.givenUp)).At(confidence)
			low, high := tidy.Rate(c.wrong, n, confidence), tidy.Rate(c.wrong+c.givenUp, n, confidence)
			if got.Lo != low.Lo || got.Hi != high.Hi || got.Center != high.Center {
				t.Errorf("%+v; want from %v to %v", got, low.Lo, high.Hi)
			}
		}
	}
}
