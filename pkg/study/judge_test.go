package study_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/mc"
	"github.com/purexp/purexp/pkg/study"
	"github.com/purexp/purexp/pkg/tidy"
)

// between returns an estimate with a given interval.
func between(lo, hi float64) study.Estimate {
	return study.Estimate{What: "x", At: func(float64) tidy.Summary {
		return tidy.Summary{Center: (lo + hi) / 2, Lo: lo, Hi: hi, Confidence: .95, N: 20}
	}}
}

// The verdict is "agrees" if the whole interval is inside the phrase's range, and "differs" if it is outside. The test
// covers both ends of the range.
func TestPlaces(t *testing.T) {
	const yes, no, open = study.Agrees, study.Differs, study.NotComparable
	for _, c := range []struct {
		w      study.Phrase
		lo, hi float64
		want   study.Outcome
	}{
		{study.Fewer, .5, .99, yes}, {study.Fewer, .5, 1, open}, {study.Fewer, .9, 1.1, open},
		{study.Fewer, 1, 1.1, no}, {study.Fewer, 1, 1, no},
		{study.More, 1.01, 2, yes}, {study.More, 1, 2, open}, {study.More, .5, 1, no},
		{study.More, .5, 2, open},
		{study.SignificantlyFewer, .5, .8, yes}, {study.SignificantlyFewer, .7, .81, open},
		{study.SignificantlyFewer, .81, .9, no},
		{study.LargelyMore, 2, 3, yes}, {study.LargelyMore, 1.9, 30, open},
		{study.LargelyMore, 1, 1.99, no},
		{study.About, .8, 1.25, yes}, {study.About, .7, 1, open}, {study.About, 1, 1.3, open},
		{study.About, .7, 1.3, open},
		{study.About, .7, .79, no}, {study.About, 1.26, 2, no},
		{study.BarelyGrows, -1, .25, yes}, {study.BarelyGrows, .2, .3, open},
		{study.BarelyGrows, .26, 1, no},
		{study.Grows, .26, 1, yes}, {study.Grows, .25, 1, open}, {study.Grows, 0, .25, no},
		{study.Mostly, .6, 1, yes}, {study.Mostly, .5, 1, open}, {study.Mostly, 0, .5, no},
		{study.MoreOften, .1, 1, yes},
		{study.Negligible, 0, .01, yes}, {study.Negligible, 0, .02, open},
		{study.Negligible, .011, .02, no},
	} {
		v := study.All(c.w.Of(between(c.lo, c.hi)))
		if v.Outcome != c.want || !strings.Contains(v.Why, c.w.Meaning()) || !slices.Contains(v.Phrases, c.w) {
			t.Errorf("%s in [%v, %v]: %+v; want %v", c.w.Says, c.lo, c.hi, v, c.want)
		}
		if lacks := strings.Contains(v.Why, "too few replicates") ||
			strings.Contains(v.Why, "the results are inconclusive"); lacks != (c.want == open) {
			t.Errorf("%s in [%v, %v]: why %q", c.w.Says, c.lo, c.hi, v.Why)
		}
		if any := study.Any(c.w.Of(between(c.lo, c.hi))); any.Outcome != v.Outcome || any.Measured != v.Measured {
			t.Errorf("%s in [%v, %v]: any of one %+v; want as all of one, %+v", c.w.Says, c.lo, c.hi, any, v)
		}
	}
}

// A single refuted condition decides All, and a single confirmed condition decides Any. The order of conditions does
// not matter.
func TestAllAndAny(t *testing.T) {
	yes, no, open := between(.5, .9), between(1.1, 2), between(.9, 1.1)
	for _, c := range []struct {
		es       []study.Estimate
		all, any study.Outcome
	}{
		{[]study.Estimate{yes, yes}, study.Agrees, study.Agrees},
		{[]study.Estimate{no, no}, study.Differs, study.Differs},
		{[]study.Estimate{yes, no}, study.Differs, study.Agrees},
		{[]study.Estimate{yes, open}, study.NotComparable, study.Agrees},
		{[]study.Estimate{no, open}, study.Differs, study.NotComparable},
		{[]study.Estimate{open, open}, study.NotComparable, study.NotComparable},
		{[]study.Estimate{yes, no, open}, study.Differs, study.Agrees},
	} {
		for range 2 {
			var cs []study.Condition
			for _, e := range c.es {
				cs = append(cs, study.Fewer.Of(e))
			}
			if all, any := study.All(cs...), study.Any(cs...); all.Outcome != c.all || any.Outcome != c.any {
				t.Errorf("%d conditions: all %+v, any %+v; want %v, %v", len(cs), all, any, c.all, c.any)
			} else if open := "contains 1"; strings.Contains(all.Why, open) != (c.all == study.NotComparable) ||
				strings.Contains(any.Why, open) != (c.any == study.NotComparable) {
				t.Errorf("a verdict must give the reasons of the conditions that decide it: all %q, any %q", all.Why, any.Why)
			}
			slices.Reverse(c.es)
		}
	}
	if v := study.All(study.Fewer.Of(yes),
		study.Fewer.Of(study.Ratio("a/b", nil, nil))); v.Outcome != study.NotComparable ||
		!strings.Contains(v.Why, "no runs of a/b") {
		t.Errorf("without rows: %+v", v)
	}
	if v := study.All(); v.Outcome != study.NotComparable {
		t.Errorf("without conditions: %+v", v)
	}
}

// An interval from 20 replicates has half-width 0.1, and its center is 0.05 from the limit. Halving the width needs
// four times as many replicates, that is, 80.
func TestNeeded(t *testing.T) {
	e := study.Estimate{What: "x", At: func(float64) tidy.Summary {
		return tidy.Summary{Center: .95, Lo: .85, Hi: 1.05, N: 20, Confidence: .95}
	}}
	if v := study.All(study.Fewer.Of(e)); !strings.Contains(v.Why, "the interval of x contains 1; about 80 replicates") {
		t.Errorf("%+v; want some 80 replicates", v)
	}
	if v := study.All(study.Fewer.Of(between(.9, 1.1))); !strings.Contains(v.Why, "too close") {
		t.Errorf("an estimate on the limit: %+v", v)
	}
	// If 0 of 100 answers are wrong at delta = 0.01, the claim needs log(0.025)/log(0.99) = 367.04 runs, rounded up to
	// one significant digit.
	if v := study.AtMost(.01, []study.Tally{{Name: "a", Runs: 100}}, ""); !strings.Contains(v.Why, "400 runs") {
		t.Errorf("%+v; want 400 runs", v)
	}
	// If 5 of 1,000 answers are wrong at delta = 0.01, the claim needs 3.84 * 0.0099/0.005^2 = 1,521 runs, rounded up
	// to one significant digit.
	v := study.AtMost(.01, []study.Tally{{Name: "a", Wrong: 5, Runs: 1000}}, "")
	if !strings.Contains(v.Why, "2 000 runs") {
		t.Errorf("%+v; want 2000 runs", v)
	}
}

// Resampled intervals from a handful of replicates do not count as evidence.
func TestFewReplicates(t *testing.T) {
	rows := func(n, pulls int) []mc.Row {
		rs := make([]mc.Row, n)
		for i := range rs {
			rs[i] = mc.Row{Rep: i, Pulls: pulls + i, Status: "stopped", Correct: true}
		}
		return rs
	}
	for n, want := range map[int]study.Outcome{1: study.NotComparable, 9: study.NotComparable, 10: study.Agrees} {
		if v := study.All(study.Fewer.Of(study.Ratio("a/b", rows(n, 100), rows(n, 1000)))); v.Outcome != want {
			t.Errorf("%d replicates: %+v; want %v", n, v, want)
		}
	}
}

func TestProvided(t *testing.T) {
	yes, open := study.All(study.Fewer.Of(between(.5, .9))), study.All(study.Fewer.Of(between(.9, 1.1)))
	right := study.Between("right", 0, .1, "at most 0.1")
	for _, c := range []struct {
		v    study.Verdict
		e    study.Estimate
		want study.Outcome
	}{
		{yes, between(0, .05), study.Agrees}, {yes, between(0, .2), study.Agrees},
		{yes, between(.2, .3), study.Differs},
		{open, between(0, .05), study.NotComparable}, {open, between(.2, .3), study.Differs},
	} {
		if v := c.v.Provided(right.Of(c.e)); v.Outcome != c.want {
			t.Errorf("%+v; want %v", v, c.want)
		}
	}
	for _, c := range []struct {
		e    study.Estimate
		want study.Outcome
	}{{between(.3, .4), study.Agrees}, {between(.2, .3), study.NotJudged}, {between(0, .1), study.NotJudged}} {
		if v := yes.Needs(study.Grows.Of(c.e), "it cannot grow"); v.Outcome != c.want ||
			(c.want != study.Agrees) != (v.Why == "it cannot grow") {
			t.Errorf("%+v; want %v", v, c.want)
		}
	}
}

// power returns eleven rows for each size. The median number of pulls is a * size^exponent.
func power(a, exponent float64, sizes ...int) (cells []study.At) {
	for _, size := range sizes {
		c := study.At{Size: size}
		for rep := range 11 {
			c.Rows = append(c.Rows, mc.Row{Rep: rep, Status: "stopped", Correct: true,
				Pulls: int(a * math.Pow(float64(size), exponent) * (1 + .01*float64(rep-5)))})
		}
		cells = append(cells, c)
	}
	return cells
}

// The estimated exponents equal those from which the rows were generated.
func TestGrowth(t *testing.T) {
	near := func(what string, e study.Estimate, want float64) {
		t.Helper()
		s := e.At(.95)
		if math.Abs(s.Center-want) > 1e-3 || !(s.Lo < s.Center && s.Center < s.Hi) || s.Hi-s.Lo > .1 || s.N != 11 {
			t.Errorf("%s: %+v; want %v", what, s, want)
		}
	}
	linear, root := power(1e5, 1, 10, 20, 100), power(1e7, .5, 5, 50, 500)
	near("linear", study.Growth("a", linear), 1)
	near("root", study.Growth("b", root), .5)
	near("difference", study.GrowthAbove("a above b", linear, root), .5)
	near("difference the other way", study.GrowthAbove("b above a", root, linear), -.5)
	change := study.RatioChange("a/b", true, linear[0].Rows, root[0].Rows, linear[2].Rows, root[0].Rows).At(.95)
	if math.Abs(change.Center-10) > .01 || !(change.Lo > 8 && change.Lo < 10 && change.Hi > 10 && change.Hi < 12) {
		t.Errorf("change of the ratio: %+v; want 10", change)
	}
	times := make([][]float64, 3)
	for k, size := range []float64{2, 4, 8} {
		for i := range 11 {
			times[k] = append(times[k], size*size*(1+.001*float64(i-5)))
		}
	}
	near("times", study.GrowthOf("t", []float64{2, 4, 8}, times), 2)
	for _, e := range []study.Estimate{study.Growth("a", linear[:1]),
		study.GrowthOf("t", []float64{2}, [][]float64{{4}}),
		study.GrowthAbove("a", linear, root[:1]), study.GrowthAbove("a", nil, root),
		study.RatioChange("a", true, linear[0].Rows, nil, linear[0].Rows, root[0].Rows)} {
		if e.Lacks == "" {
			t.Errorf("%+v; want Lacks set", e)
		}
	}
}

// Ratios, proportions of wrong answers and their differences agree with values computed by hand.
func TestEstimates(t *testing.T) {
	rows := func(pulls, wrong, n int) []mc.Row {
		rs := make([]mc.Row, n)
		for i := range rs {
			rs[i] = mc.Row{Rep: i, Pulls: pulls, Status: "stopped", Correct: i >= wrong}
		}
		return rs
	}
	skewed := append(rows(100, 0, 9), rows(1100, 0, 1)...) // median 100, mean 200
	skewed[9].Rep = 9
	for _, c := range []struct {
		e    study.Estimate
		want float64
	}{
		{study.Ratio("a/b", rows(100, 0, 10), rows(400, 0, 10)), .25},
		{study.Ratio("a/b", skewed, rows(400, 0, 10)), .25},
		{study.MeanRatio("a/b", skewed, rows(400, 0, 10)), .5},
		{study.Wrong("a", rows(1, 3, 12)), .25},
		{study.Share("a", 3, 12), .25},
		{study.WrongSum("a-b", study.Weighted{1, rows(1, 6, 12)}, study.Weighted{-1, rows(1, 3, 12)}), .25},
		{study.WrongSum("a-b/2", study.Weighted{1, rows(1, 6, 12)}, study.Weighted{-.5, rows(1, 12, 12)}), 0},
		{study.Exact("a", 7), 7},
	} {
		if s := c.e.At(.95); math.Abs(s.Center-c.want) > 1e-9 || s.Lo > s.Center || s.Hi < s.Center {
			t.Errorf("%s: %+v; want %v", c.e.What, s, c.want)
		}
	}
}

// Runs ended by a limit would have needed more pulls. Their numbers of pulls are lower bounds, and support claims in
// one direction only.
func TestCensored(t *testing.T) {
	rows := func(pulls, givenUp int) (rs []mc.Row) {
		for i := range 20 {
			s := explore.Stopped
			if i < givenUp {
				s = explore.PullLimit
			}
			rs = append(rs, mc.Row{Rep: i, Pulls: pulls + i, Status: s.String()})
		}
		return rs
	}
	const yes, no, open = study.Agrees, study.Differs, study.NotComparable
	for _, c := range []struct {
		a, b []mc.Row
		// verdicts on "a needs fewer", "more" and "about as many"
		fewer, more, about study.Outcome
		measured           string
	}{
		{rows(1000, 0), rows(2000, 0), yes, no, no, "["},
		{rows(1000, 1), rows(2000, 0), open, open, open, "above"},
		{rows(1000, 0), rows(2000, 1), yes, no, no, "below"},
		{rows(2000, 1), rows(1000, 0), no, yes, no, "above"},
		{rows(2000, 0), rows(1000, 1), open, open, open, "below"},
		{rows(1000, 0), rows(1010, 0), yes, no, yes, "["},
		{rows(1000, 1), rows(1010, 1), open, open, open, "unknown"},
	} {
		e := study.MeanRatio("a / b", c.a, c.b)
		for _, w := range []struct {
			word study.Phrase
			want study.Outcome
		}{{study.Fewer, c.fewer}, {study.More, c.more}, {study.About, c.about}} {
			v := study.All(w.word.Of(e))
			if v.Outcome != w.want || !strings.Contains(v.Measured, c.measured) {
				t.Errorf("%s: %+v; want %v, %q", w.word.Says, v, w.want, c.measured)
			}
			if given := strings.Contains(v.Why, "stopped early"); given != (w.want == open) {
				t.Errorf("%s: why %q", w.word.Says, v.Why)
			}
		}
	}
	if e := study.MeanRatio("a / b", nil, rows(1, 1)); e.Lacks == "" {
		t.Error("no runs, but a ratio")
	}
	failed := rows(1000, 0)
	failed[3].Status = explore.Failure.String()
	if e := study.MeanRatio("a / b", failed, rows(2000, 0)); e.GivenUp {
		t.Error("a failed run counts as given up")
	}
}
