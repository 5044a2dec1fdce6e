package plan

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/campaign/problem"
	"github.com/purexp/purexp/pkg/policy"
	"github.com/purexp/purexp/pkg/question"
)

// Quantiles interpolate between order statistics, and abandoned runs count as longer than all other runs. The
// second and the eighth order statistics enclose the median of 9 values with probability at least 95 % (Conover,
// Practical Nonparametric Statistics, table of the sign test).
func TestQuantile(t *testing.T) {
	x := []float64{9, 1, 8, 2, 7, 3, 6, 4, 5}
	none := make([]bool, 9)
	if q := quantile(x, none, .5); q != (Quantile{Value: 5, Lo: 2, Hi: 8}) {
		t.Errorf("median %+v", q)
	}
	if q := quantile(x, none, .9); math.Abs(q.Value-8.2) > 1e-12 || q.Open || !q.HiOpen {
		t.Errorf("90 %% point %+v; want 8.2, without an upper end", q)
	}
	// Runs 1 and 2 were abandoned, so each is at least as long as all other runs.
	given := slices.Clone(none)
	given[1], given[3] = true, true
	if q := quantile(x, given, .5); q.Value != 7 || q.Open || !q.HiOpen {
		t.Errorf("median %+v; want 7", q)
	}
	for i := range given {
		given[i] = i != 0
	}
	if q := quantile(x, given, .5); !q.Open {
		t.Errorf("median of runs that were given up %+v", q)
	}
	if q := quantile(nil, nil, .5); !q.Open || !q.HiOpen {
		t.Errorf("median of nothing %+v", q)
	}
	// All n values are above the median with probability 2^-n, which is at most 2.5 % for n >= 6.
	if five, six := quantile(x[4:], none[4:], .5), quantile(x[3:], none[3:], .5); five.Lo != 0 || six.Lo != 2 {
		t.Errorf("lower ends %v of five, %v of six; want 0 and 2", five.Lo, six.Lo)
	}
}

// Limits agrees with closed forms computed by hand.
func TestLimits(t *testing.T) {
	for _, x := range []struct {
		k, n   int
		lo, hi float64
	}{
		{0, 60, 0, 1 - math.Pow(.025, 1./60)}, {60, 60, math.Pow(.025, 1./60), 1}, {0, 0, 0, 1},
		{1, 2, 1 - math.Sqrt(.975), math.Sqrt(.975)},
	} {
		if lo, hi := Limits(x.k, x.n); math.Abs(lo-x.lo) > 1e-12 || math.Abs(hi-x.hi) > 1e-12 {
			t.Errorf("%d of %d: %v, %v; want %v, %v", x.k, x.n, lo, hi, x.lo, x.hi)
		}
	}
}

// Sums of rewards, converted to results, have the right means and variances: with Gaussian noise, with a range (with
// or without a guessed standard deviation), and with counts.
func TestLaw(t *testing.T) {
	for _, x := range []struct {
		objective      string
		mean, variance float64 // mean and variance of one result
	}{
		{"noise = { sd = 2.0 }", 3, 4},
		{"goal = \"minimise\"\nnoise = { sd = 2.0 }", 3, 4},
		{"noise = { range = [0, 10] }", 3, 21}, // results are 0 or 10
		{"noise = { range = [0, 10] }\nguess_sd = 1.5", 3, 21. / 9},
		{"noise = { counts = 12 }", 3, 12 * .25 * .75},
	} {
		p := parsed(t, `find = "best"`, "", x.objective+"\nguess = \"guess\"", "candidate,guess\nA,3\nB,5\n")
		b, err := believe(p)
		if err != nil {
			t.Fatal(err)
		}
		c := compiled(t, p)
		l := newLaw(c, b)
		b.draw(l.user, nil)
		l.set()
		scale := c.Scales[0]
		rnd := rand.New(rand.NewPCG(1, 2))
		const draws, n = 20_000, 7
		sum, square := 0., 0.
		dst := make([]float64, 1)
		for range draws {
			l.Sum(dst, 0, n, rnd)
			v := n*scale.Center + dst[0]*scale.PerReward
			sum += v / draws
			square += v * v / draws
		}
		variance := n * x.variance
		if z := (sum - n*x.mean) / math.Sqrt(variance/draws); math.Abs(z) > 4 {
			t.Errorf("%s: mean %v; want %v", x.objective, sum/n, x.mean)
		}
		if got := square - sum*sum; math.Abs(got/variance-1) > .06 {
			t.Errorf("%s: variance %v; want %v", x.objective, got/n, x.variance)
		}
		unit := p.Objectives[0].Rate(1) // the unit of means, which are rates for counts
		if got := b.noise[0].variance(3*unit) / unit / unit; math.Abs(got-x.variance) > 1e-9 {
			t.Errorf("%s: variance %v; want %v", x.objective, got, x.variance)
		}
	}
}

// The right answers agree with answers found by hand.
func TestRight(t *testing.T) {
	const table = "candidate,guess,price\nA,4,1\nB,9,3\nC,6,2\nD,5,2\n"
	const price = "\n[[objective]]\nname = \"price\"\ngoal = \"minimise\"\nknown = true"
	for _, x := range []struct {
		question, more string
		want           []int
	}{
		{`find = "best"`, "", []int{1}},
		{"find = \"top\"\ncount = 2", "", []int{1, 2}},
		{`find = "good"`, "tolerance = 3.5", []int{1, 2}},
		{`find = "feasible"`, "at_least = 5.5", []int{1, 2}},
		{`find = "pareto"`, price, []int{0, 1, 2}},
		{`find = "pareto"`, "at_least = 4.5" + price, []int{1, 2}},
		{`find = "best"`, "at_most = 7", []int{2}},
		{`find = "best"`, "at_most = 3", nil},
	} {
		p := parsed(t, x.question, "", "noise = { sd = 1 }\nguess = \"guess\"\n"+x.more, table)
		c := compiled(t, p)
		b, err := believe(p)
		if err != nil {
			t.Fatal(err)
		}
		l := newLaw(c, b)
		if got := question.Right(c.Problem.Question, mat.DenseCopyOf(l.mean)).Items; !slices.Equal(got, x.want) {
			t.Errorf("%s, %s: %v; want %v", x.question, x.more, got, x.want)
		}
	}
}

// Different blocks contain different runs. Long runs are accelerated, but their median length hardly changes.
func TestRuns(t *testing.T) {
	question := `find = "best"`
	objective := "noise = { sd = 2.0 }\nguess = \"guess\""
	p := parsed(t, question, "", objective, threeGuesses)
	r := fresh(t, p, 40)
	var first, second []int
	for i := range 20 {
		first = append(first, r.Sample[i].Measurements)
		second = append(second, r.Sample[20+i].Measurements)
	}
	if slices.Equal(first, second) {
		t.Errorf("the second block of runs is the first: %v", first)
	}
	// With eight times the noise, runs are long enough to be accelerated.
	p = parsed(t, question, "", "noise = { sd = 16.0 }\nguess = \"guess\"", threeGuesses)
	r = fresh(t, p, 120)
	b, err := believe(p)
	if err != nil {
		t.Fatal(err)
	}
	single := p.Clone()
	single.Laboratory.Plate = 1
	one := newRunner(compiled(t, single), b, 1_000_000)
	pulls := make([]float64, 120)
	for i := range pulls {
		pulls[i] = float64(one.run(t.Context(), 0, i).pulls)
	}
	slices.Sort(pulls)
	if m := r.Measurements.Median.Value; m > 1.1*pulls[60] || m < .9*pulls[59] {
		t.Errorf("median %v by plates, %v by single measurements", m, pulls[60])
	}
	if m := r.Plates.Median.Value; math.Abs(m/(r.Measurements.Median.Value/4)-1) > .05 {
		t.Errorf("%v plates of 4 for %v measurements", m, r.Measurements.Median.Value)
	}
}

// A change of delta keeps the proportion of delta that pilots use, and does not modify the original problem.
func TestChange(t *testing.T) {
	p := parsed(t, `find = "best"`, "",
		"noise = { pilot = { sd = 2, df = 10, delta = 0.02 } }\nguess = \"guess\"", threeGuesses)
	q, err := Change{Field: "delta", Value: .2}.Apply(p)
	if err != nil {
		t.Fatal(err)
	}
	if q.Question.Delta != .2 || math.Abs(q.Objectives[0].Noise.Pilot.Delta-.04) > 1e-15 ||
		p.Question.Delta != .1 || p.Objectives[0].Noise.Pilot.Delta != .02 {
		t.Errorf("%v with a pilot of %v; it was %v with %v", q.Question.Delta,
			q.Objectives[0].Noise.Pilot.Delta, p.Question.Delta, p.Objectives[0].Noise.Pilot.Delta)
	}
	for _, x := range []struct {
		c   Change
		get func(*problem.Problem) float64
	}{
		{Change{"y", "tolerance", 2}, func(p *problem.Problem) float64 { return p.Objectives[0].Tolerance }},
		{Change{"y", "at_least", 2}, func(p *problem.Problem) float64 { return *p.Objectives[0].AtLeast }},
		{Change{"", "plate", 9}, func(p *problem.Problem) float64 { return float64(p.Laboratory.Wells()) }},
		{Change{"", "at_once", 3}, func(p *problem.Problem) float64 { return float64(p.Laboratory.AtOnce) }},
	} {
		q, err := x.c.Apply(p)
		if err != nil || x.get(q) != x.c.Value {
			t.Errorf("%v: %v", x.c, err)
		}
	}
	for _, c := range []Change{{"", "plate", 1.5}, {"z", "tolerance", 1}, {"y", "sd", 1}, {"", "delta", 2}} {
		if _, err := c.Apply(p); err == nil {
			t.Errorf("%v is taken", c)
		}
	}
	// A change that the method cannot use is rejected, as it would be in a problem file.
	exact := *p
	for _, new := range policy.Catalogue() {
		exact.Method.Name = new().Card().Name
		if tolerances, _ := exact.Tolerant(); tolerances || exact.Ready() != nil || exact.Validate() != nil {
			continue
		}
		if _, err := (Change{"y", "tolerance", 2}).Apply(&exact); err == nil || !strings.Contains(err.Error(), "ignores it") {
			t.Errorf("a tolerance for %s: %v", exact.Method.Name, err)
		}
		exact.Method.Name = ""
		break
	}
	if exact.Method.Name != "" {
		t.Error("no method is exact")
	}
	// By default, a plan tries twice delta, a larger plate, and a tolerance of half a standard deviation.
	want := []Change{{"", "delta", .2}, {"", "plate", 16}, {"y", "tolerance", round(p.Objectives[0].Sigma() / 2)}}
	if got := Changes(p); !slices.Equal(got, want) {
		t.Errorf("changes %v; want %v", got, want)
	}
	if _, err := Simulate(context.Background(), p, &Options{Runs: -1}); err == nil {
		t.Error("-1 runs are accepted")
	}
}

// A row contains the counts of outcomes, the proportions of measurements, and each candidate's most frequent last
// rival (the first of equally frequent rivals). If more than half of the runs were abandoned, the row is hopeless.
func TestSumByHand(t *testing.T) {
	p := parsed(t, `find = "best"`, "", "noise = { sd = 2.0 }\nguess = \"guess\"", threeGuesses)
	p.Laboratory.Measurements, p.Laboratory.Days = 100, .5
	run := func(status ending, guessed bool, time float64, against []int, arms ...int) outcome {
		n := 0
		for _, m := range arms {
			n += m
		}
		return outcome{pulls: n, plates: float64(n) / 2, time: time, status: status, guessed: guessed, arms: arms, against: against}
	}
	runs := []outcome{run(right, true, 4, []int{1, 0, -1}, 10, 5, 5), run(wrong, false, 8, []int{2, 0, -1}, 20, 5, 5),
		run(right, true, 6, []int{2, 2, -1}, 10, 10, 0), run(gaveUp, true, 2, nil, 0, 10, 30)}
	x := &cell{c: compiled(t, p)}
	x.sum(runs, 40)
	r := &x.row
	if r.Runs != 4 || r.Wrong != 1 || r.GaveUp != 1 || r.Right == nil || r.Right.Count != 3 || r.Right.Share != .75 || r.Hopeless != "" || r.Cost != nil {
		t.Errorf("%+v", r)
	}
	if lo, hi := Limits(1, 4); r.ErrorLo != lo || r.ErrorHi != hi {
		t.Errorf("errors from %v to %v", r.ErrorLo, r.ErrorHi)
	}
	if r.Measurements.Median.Value != 25 || r.Plates.Median.Value != 12.5 || r.Days.Median.Value != 3.5 || !r.Measurements.Most.Open || r.Measurements.Median.Open {
		t.Errorf("%+v measurements, %+v plates, %+v days", r.Measurements, r.Plates, r.Days)
	}
	names := p.Candidates.Names
	want := []Effort{{10, 40. / 110, names[2], 2. / 3}, {7.5, 30. / 110, names[0], 2. / 3}, {10, 40. / 110, "", 0}}
	if !slices.Equal(r.Effort, want) {
		t.Errorf("effort %+v; want %+v", r.Effort, want)
	}
	if len(r.Sample) != 4 || !r.Sample[1].Wrong || r.Sample[0].Wrong || !r.Sample[3].GaveUp || r.Sample[2].GaveUp || r.Sample[1].Measurements != 30 {
		t.Errorf("%+v", r.Sample)
	}
	tie := effort(x.c, []outcome{run(right, true, 1, []int{2, -1, -1}, 1, 1, 1), run(right, true, 1, []int{1, -1, -1}, 1, 1, 1)})
	if tie[0].Against != names[1] || tie[0].AgainstShare != .5 {
		t.Errorf("against %s in %v", tie[0].Against, tie[0].AgainstShare)
	}
	for given, hopeless := range map[int]bool{1: false, 2: false, 3: true, 4: true} {
		runs := slices.Clone(runs)
		for i := range given {
			runs[i].status = gaveUp
		}
		for i := given; i < 4; i++ {
			runs[i].status = right
		}
		x := &cell{c: compiled(t, p)}
		x.c.Source.Laboratory.Measurements = 0
		x.sum(runs, 40)
		if got := x.row.Hopeless; (got != "") != hopeless || hopeless && !strings.HasPrefix(got, fmt.Sprintf("%d of 4 runs were stopped, after 40 measurements", given)) ||
			x.row.Right != nil {
			t.Errorf("%d of 4: %q", given, got)
		}
	}
}

// Options outside their ranges are rejected, and defaults replace zero values.
func TestOptionsHaveARange(t *testing.T) {
	for _, x := range []struct {
		o    Options
		want string // number of runs and limit on the work, or an error
	}{
		{Options{}, "500 10000000"}, {Options{Runs: 1e6, Work: -1}, "1000000 -1"}, {Options{Runs: 1e6 + 1}, "plan: 1000001 runs; expected 1 to 1e6"},
		{Options{Runs: -1}, "plan: -1 runs"}, {Options{Limit: -1}, "plan: the limit is -1 measurements; expected at least 1"}, {Options{Runs: 1, Limit: 1, Work: 5}, "1 5"},
	} {
		s, err := resolved(&x.o)
		got := fmt.Sprint(err)
		if err == nil {
			got = fmt.Sprint(s.Runs, s.Work)
		}
		if !strings.HasPrefix(got, x.want) || err == nil && s.Workers < 1 {
			t.Errorf("%+v: %s; want %s, and workers", x.o, got, x.want)
		}
	}
}

// The true means of a scenario must lie in the range of measurements, which includes its ends. If amounts are rates,
// the error for a percentage asks for a rate.
func TestScenarioMeansHaveLimits(t *testing.T) {
	for _, x := range []struct {
		noise, low, high, below, above string
	}{
		{"noise = { range = [-5, 10] }", "-5", "10", "-5.01", "10.01"}, {"noise = { sd = 1 }\nvalues = [2, 4]", "2", "4", "1.9", "4.1"},
		{"noise = { counts = 12 }", "0", "12", "-0.1", "12.1"}, {"noise = { counts = 12 }\namounts = \"rates\"", "0", "1", "-0.1", "1.1"},
	} {
		p := parsed(t, `find = "best"`, "", x.noise, "candidate\nA\nB\n")
		read := func(mean string) error {
			_, err := ReadScenarios(p, "s.csv", []byte("scenario,candidate,y\none,A,"+mean+"\none,B,"+x.low+"\n"))
			return err
		}
		for _, mean := range []string{x.low, x.high} {
			if err := read(mean); err != nil {
				t.Errorf("%s: %s: %v", x.noise, mean, err)
			}
		}
		for _, mean := range []string{x.below, x.above} {
			if err := read(mean); err == nil || !strings.Contains(err.Error(), `s.csv:2: column "y": `+mean+" is outside ["+x.low+", "+x.high+"]") {
				t.Errorf("%s: %s: %v", x.noise, mean, err)
			}
		}
		err := read("20 %")
		if hint := strings.Contains(fmt.Sprint(err), "expected a rate from 0 to 1 without a unit, here 0.2"); err == nil || hint != strings.Contains(x.noise, "rates") {
			t.Errorf("%s: %v", x.noise, err)
		}
	}
}

// For ten campaigns with 1, 2, ..., 10 measurements, the 10, 50 and 90 % points are interpolated, and the mean is 5.5.
func TestCharacteristicsHavePoints(t *testing.T) {
	var runs []outcome
	for i := range 10 {
		runs = append(runs, outcome{pulls: 10 - i, status: right, arms: []int{10 - i, 0}, items: []int{0}})
	}
	row := &Characteristics{Right: []int{0}}
	row.sum(runs, 2, 0)
	if !(math.Abs(row.Low.Value-1.9) <= 1e-9) || row.Median.Value != 5.5 || !(math.Abs(row.Most.Value-9.1) <= 1e-9) || !(math.Abs(row.Mean-5.5) <= 1e-9) || row.Guess != nil ||
		!(math.Abs(row.Candidates[0].Measurements-5.5) <= 1e-9) || row.Candidates[0].Selected.Count != 10 || row.Candidates[1].Selected.Count != 0 {
		t.Errorf("%+v", row)
	}
}
