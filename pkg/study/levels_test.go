package study_test

import (
	"math"
	"testing"

	"github.com/purexp/purexp/pkg/mc"
	"github.com/purexp/purexp/pkg/study"
	"github.com/purexp/purexp/pkg/tidy"
)

// The intervals of all conditions of a claim hold simultaneously with probability at least Confidence. By the union
// bound, it suffices that their error probabilities sum to 1 - Confidence.
func TestLevelsOfConditions(t *testing.T) {
	for n := range 6 {
		var levels []float64
		var cs []study.Condition
		for range n {
			cs = append(cs, study.Fewer.Of(study.Estimate{What: "x", At: func(c float64) tidy.Summary {
				levels = append(levels, c)
				return tidy.Summary{Center: .5, Lo: .4, Hi: .6, Confidence: c, N: 20}
			}}))
		}
		for name, judge := range map[string]func(){
			"all":      func() { study.All(cs...) },
			"any":      func() { study.Any(cs...) },
			"provided": func() { study.Verdict{}.Provided(cs...) },
		} {
			levels = nil
			judge()
			wrong := 0.
			for _, c := range levels {
				wrong += 1 - c
			}
			if want := 1 - study.Confidence; len(levels) != n || n > 0 && math.Abs(wrong-want) > 1e-12 {
				t.Errorf("%s of %d conditions are judged at the levels %v; want %d that leave %.3g together",
					name, n, levels, n, want)
			}
		}
	}
	var level float64
	e := study.Estimate{What: "x", At: func(c float64) tidy.Summary {
		level = c
		return tidy.Summary{Center: .5, Lo: .4, Hi: .6, Confidence: c, N: 20}
	}}
	if study.All(study.Fewer.Of(e)).Needs(study.Fewer.Of(e), "none"); level != study.Confidence {
		t.Errorf("a required condition is judged at the level %v", level)
	}
}

// needing returns the rows of four runs with each of the given numbers of pulls.
func needing(pulls ...int) (rows []mc.Row) {
	for range 4 {
		for _, n := range pulls {
			rows = append(rows, mc.Row{Rep: len(rows), Pulls: n, Status: "stopped", Correct: true})
		}
	}
	return rows
}

// The ratio of medians increases from 200/100 = 2 to 900/50 = 18: it becomes 9 times as large. The
// means are 250 and 100, then 900 and 75: the ratio increases from 2.5 to 12.
func TestRatioChange(t *testing.T) {
	a1, b1 := needing(100, 200, 450), needing(50, 100, 150)
	a2, b2 := needing(800, 900, 1000), needing(25, 50, 150)
	for medians, factor := range map[bool]float64{true: 9, false: 4.8} {
		for _, x := range []struct {
			rows [4][]mc.Row
			want float64
		}{
			{[4][]mc.Row{a1, b1, a2, b2}, factor}, {[4][]mc.Row{a2, b2, a1, b1}, 1 / factor},
			{[4][]mc.Row{b1, a1, b2, a2}, 1 / factor}, {[4][]mc.Row{a1, b1, a1, b1}, 1},
		} {
			e := study.RatioChange("a/b", medians, x.rows[0], x.rows[1], x.rows[2], x.rows[3])
			s := e.At(.9)
			if math.Abs(s.Center-x.want) > 1e-9*x.want || !(s.Lo <= s.Center && s.Center <= s.Hi) || !e.Resampled {
				t.Errorf("%v: %+v; want %v", medians, s, x.want)
			}
		}
	}
}
