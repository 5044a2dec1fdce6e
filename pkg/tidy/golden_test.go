package tidy_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/purexp/purexp/internal/golden"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/mc"
	"github.com/purexp/purexp/pkg/tidy"
)

// made are rows of two methods on two instances, of which some are wrong, ended early or failed.
func made(reps int) []mc.Row {
	rnd := rand.New(rand.NewPCG(1, 2))
	var rows []mc.Row
	for _, inst := range []string{"easy", "hard"} {
		for m, method := range []string{"A", "B"} {
			for rep := range reps {
				r := mc.Row{Study: "s", Seed: 1, Experiment: "e", Instance: inst, Method: method, Delta: .1, Rep: rep, Correct: rnd.IntN(9) > 0,
					Status: explore.Stopped.String(), ArmPulls: []int{rnd.IntN(50), 10 + rnd.IntN(9), rep}}
				r.Pulls = int(100 * float64(m+1) * math.Exp(rnd.NormFloat64()))
				switch rnd.IntN(12) {
				case 0:
					r.Status = explore.PullLimit.String()
				case 1:
					r.Status, r.Err = explore.Failure.String(), fmt.Sprintf("broke at %d", rep)
				case 2:
					r.Warnings = []string{"explore: 3 rewards were not used", "explore: something else"}
				}
				rows = append(rows, r)
			}
		}
	}
	return rows
}

// What is said of a cell is what one counts by hand.
func TestSampleComplexityCounts(t *testing.T) {
	rows := made(40)
	cells := tidy.SampleComplexity(rows, .9)
	if len(cells) != 4 {
		t.Fatalf("%d cells", len(cells))
	}
	for _, c := range cells {
		var pulls []float64
		reps, stopped, wrong, early, failed := 0, 0, 0, 0, 0
		for _, r := range rows {
			if r.Instance != c.Instance || r.Method != c.Method {
				continue
			}
			reps++
			if r.Status == "failure" || r.Err != "" {
				failed++
				continue
			}
			pulls = append(pulls, float64(r.Pulls))
			if r.Status == explore.Stopped.String() {
				stopped++
				if !r.Correct {
					wrong++
				}
			} else {
				early++
			}
		}
		slices.Sort(pulls)
		n := len(pulls)
		median := (pulls[(n-1)/2] + pulls[n/2]) / 2
		sum := 0.
		for _, v := range pulls {
			sum += v
		}
		if c.Reps != reps || c.Stopped != stopped || c.Errors != wrong || c.Early != early || c.Failed != failed || c.Median.Center != median ||
			math.Abs(c.Mean.Center-sum/float64(n)) > 1e-9*sum || c.Mean.N != n || math.Abs(c.ErrorRate.Center-float64(wrong)/float64(stopped)) > 1e-12 {
			t.Errorf("%s on %s: %+v; want %d %d %d %d %d, median %v, mean %v of %d", c.Method, c.Instance, c, reps, stopped, wrong, early, failed, median,
				sum/float64(n), n)
		}
		if !(c.Median.Lo <= median && median <= c.Median.Hi && c.Mean.Lo < c.Mean.Center && c.Mean.Center < c.Mean.Hi) {
			t.Errorf("intervals %+v, %+v", c.Median, c.Mean)
		}
	}
}

// Tables, ratios and contrasts, of what is usual and of what is rare, say what testdata has.
func TestSaid(t *testing.T) {
	var out strings.Builder
	say := func(what string, s tidy.Summary) {
		fmt.Fprintf(&out, "%s: %.6g [%.6g, %.6g], n %d, %v: %s\n", what, s.Center, s.Lo, s.Hi, s.N, s.Confidence, s)
		for _, w := range s.Warnings {
			fmt.Fprintf(&out, "\t%v\n", w)
		}
	}
	rows := made(40)
	mixed := slices.Clone(rows)
	for i := range mixed {
		if i%2 == 0 {
			mixed[i].Delta, mixed[i].Constants = .01, "paper"
		}
		if i%5 == 0 {
			mixed[i].Seed = 7
		}
	}
	for _, x := range []struct {
		what string
		rows []mc.Row
	}{{"all", rows}, {"mixed", mixed}, {"few", rows[:3]}, {"none", nil}} {
		cells := tidy.SampleComplexity(x.rows, .95)
		fmt.Fprintf(&out, "%s\n%s", x.what, tidy.ComplexityTable(cells).Text())
		for _, names := range [][]string{nil, {"left", "middle", "right"}, {"one"}} {
			table, err := tidy.ArmPulls(x.rows, names)
			if err != nil {
				fmt.Fprintf(&out, "%v\n", err)
				continue
			}
			out.WriteString(table.Text())
		}
	}
	other := slices.Clone(rows)
	other[5].ArmPulls = other[5].ArmPulls[:2]
	_, err := tidy.ArmPulls(other, nil)
	fmt.Fprintf(&out, "%v\n", err)
	of := func(rows []mc.Row, method string, most int) (list []mc.Row) {
		for _, r := range rows {
			if r.Instance == "easy" && r.Method == method && r.Rep < most && r.Err == "" {
				list = append(list, r)
			}
		}
		return list
	}
	whole := func(list []mc.Row, of []mc.Row) (common []mc.Row) {
		for _, r := range list {
			if slices.ContainsFunc(of, func(o mc.Row) bool { return o.Rep == r.Rep }) {
				common = append(common, r)
			}
		}
		return common
	}
	a, b := of(rows, "A", 40), of(rows, "B", 40)
	say("paired medians", tidy.PullsRatio(whole(a, b), whole(b, a), .95))
	say("paired means", tidy.MeanPullsRatio(whole(a, b), whole(b, a), .95))
	say("partly paired", tidy.PullsRatio(a, b, .95))
	say("apart", tidy.PullsRatio(of(rows, "A", 20), rows[len(rows)-15:], .95))
	say("of nothing", tidy.PullsRatio(a, nil, .95))
	say("of different rows", tidy.PullsRatio(rows, mixed, .95))
	nan := math.NaN()
	for _, x := range []struct {
		what string
		a, b []float64
	}{{"usual", []float64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, []float64{2, 3, 4, 5, 6, 7, 8, 9, 1, 1}}, {"one", []float64{3}, []float64{2}},
		{"two", []float64{3, 4}, []float64{2, 1}}, {"zeros", []float64{0, 0, 5}, []float64{1, 2, 3}}, {"zeros below", []float64{1, 2, 3}, []float64{0, 0, 5}},
		{"negative", []float64{-1, -2}, []float64{1, 2}}, {"mostly zero", []float64{0, 0, 1, 1, 1}, []float64{1, 0, 1, 0, 1}}, {"not numbers", []float64{1, nan, 3}, []float64{nan, 2, 3}},
		{"equal", []float64{2, 2, 2, 2}, []float64{4, 4, 4, 4}}, {"infinite", []float64{1, math.Inf(1), 3}, []float64{1, 2, 3}}} {
		for _, paired := range []bool{false, true} {
			say(fmt.Sprint(x.what, " means, paired ", paired), tidy.RatioOfMeans(x.a, x.b, paired, .9))
			say(fmt.Sprint(x.what, " medians, paired ", paired), tidy.RatioOfMedians(x.a, x.b, paired, .9))
		}
		say(x.what+" mean", tidy.Mean(x.a, .9))
		say(x.what+" median", tidy.Median(x.a, .9))
		say(x.what+" quantile", tidy.Quantile(x.a, .8, .9))
		say(x.what+" contrast", tidy.LogContrast([]float64{1, -2}, [][]float64{x.a, x.b}, true, .9))
		say(x.what+" contrast of means", tidy.LogContrast([]float64{1, -2}, [][]float64{x.a, x.b}, false, .9))
	}
	say("no values", tidy.Mean(nil, .9))
	say("contrast with none", tidy.LogContrast([]float64{1, 1}, [][]float64{{1, 2}, nil}, true, .9))
	for _, k := range [][2]int{{0, 0}, {0, 5}, {5, 5}, {3, 10}, {499, 500}} {
		say(fmt.Sprint("rate ", k), tidy.Rate(k[0], k[1], .95))
	}
	say("difference of rates", tidy.RateContrast([]float64{1, -1}, []int{8, 3}, []int{10, 12}, .95))
	say("sum of rates", tidy.RateContrast([]float64{2, .5}, []int{8, 3}, []int{10, 12}, .95))
	say("rates of none", tidy.RateContrast([]float64{1, -1}, []int{8, 0}, []int{10, 0}, .95))
	for _, v := range []float64{0, 1, -1, 9.999, 12.345, 123.45, 1234.5, 99999, 123456, 1e6, 1.5e9, 1e12, .1, .0123, .00012, 1e-9, -1234.5, math.Inf(1), math.Inf(-1), nan} {
		fmt.Fprintf(&out, "%v: %s %s %s\n", v, tidy.Number(v), tidy.Percent(v), tidy.Plain(v))
	}
	for _, n := range []int{0, 9, 999, 1000, 12345, -1234567} {
		fmt.Fprintf(&out, "%d: %s\n", n, tidy.Int(n))
	}
	golden.Parts(t, "said.txt", out.String(), `^[a-z]+$`)
}
