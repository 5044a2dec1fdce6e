package plan

import (
	"context"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/campaign/problem"
)

// The means of a pilot, with their standard errors, serve as guesses. Here, A has the results 1 and 3, B has 5 and
// 9, and C has 4. The sums of squares about the means of A and B are 2 and 8, with 2 degrees of freedom in total.
func TestPilot(t *testing.T) {
	const table = "candidate\nA\nB\nC\n"
	objective := "noise = { sd = 2.0 }\n[pilot]\nfile = \"pilot.csv\""
	p := parsed(t, `find = "best"`, "", objective, table)
	b, err := believe(p)
	if err != nil {
		t.Fatal(err)
	}
	sd := math.Sqrt(5)
	for i, want := range [][2]float64{{2, sd / math.Sqrt2}, {7, sd / math.Sqrt2}, {4, sd}} {
		if m, se := b.mean.At(i, 0), b.se.At(i, 0); m != want[0] || math.Abs(se-want[1]) > 1e-12 {
			t.Errorf("candidate %d: %v, %v; want %v", i, m, se, want)
		}
	}
	if !strings.Contains(strings.Join(b.notes, " "), "drawn from the distribution") {
		t.Errorf("assumptions %q", b.notes)
	}
	made, err := Simulate(context.Background(), p, &Options{Runs: 60, Changes: []Change{}})
	if err != nil {
		t.Fatal(err)
	}
	// With uncertain means, the lengths of runs vary more than with known means.
	known := parsed(t, `find = "best"`, "", "noise = { sd = 2.0 }\nguess = \"guess\"",
		"candidate,guess\nA,2\nB,7\nC,4\n")
	sure := fresh(t, known, 60).Measurements
	r := &made.Rows[0]
	wide := r.Measurements
	if wide.Most.Value/wide.Median.Value < 2*sure.Most.Value/sure.Median.Value {
		t.Errorf("with a pilot %+v, with guesses %+v", wide, sure)
	}
	if len(made.Answer) != 1 || made.Answer[0] != 1 || r.ErrorLo > .1 {
		t.Errorf("answer %v, %d of %d wrong", made.Answer, r.Wrong, r.Runs)
	}

	_, err = Simulate(context.Background(), parsed(t, `find = "best"`, "", objective, table+"D\n"),
		&Options{Runs: 1})
	if err == nil || !strings.Contains(err.Error(), `the pilot has no measurement of y for "D"`) {
		t.Errorf("without a measurement of D: %v", err)
	}
}

// If guesses are not linear in the features, the plan simulates the closest linear means, and says so. For
// example, the guesses 0, 1, 1 at the features 0, 1, 2 become 1/6, 2/3, 7/6.
func TestLinear(t *testing.T) {
	const table = "candidate,x,guess\nA,0,0\nB,1,1\nC,2,1\n"
	p := parsed(t, `find = "best"`, `features = ["x"]`, "noise = { sd = 0.5 }\nguess = \"guess\"", table)
	made, err := Simulate(context.Background(), p, &Options{Runs: 60, Changes: []Change{}})
	shown, fails := Characterise(context.Background(), p, []Scenario{{Means: [][]float64{{0}, {1}, {1}}}}, &Options{Runs: 20})
	if err != nil || fails != nil {
		t.Fatal(err, fails)
	}
	for i, want := range []float64{1. / 6, 2. / 3, 7. / 6} {
		if a, b := made.Means[i][0], shown.Rows[0].Means[i][0]; math.Abs(a-want) > 1e-12 || math.Abs(b-want) > 1e-12 {
			t.Errorf("candidate %d: %v, and %v in a scenario; want %v", i, a, b, want)
		}
	}
	// The guess of B is off by 1/3, two thirds of a standard deviation.
	if s := strings.Join(made.Assumptions, " "); !strings.Contains(s, "by up to 0.67 noise standard") {
		t.Errorf("assumptions: %s", s)
	}
	if len(made.Answer) != 1 || made.Answer[0] != 2 {
		t.Errorf("answer %v; want C", made.Answer)
	}
	for _, r := range made.Rows {
		if r.ErrorLo > .1 || r.GaveUp > 0 || r.Bound.Measurements > r.Measurements.Median.Value {
			t.Errorf("%+v", r)
		}
	}
	// If each of two candidates has its own feature, the model does not restrict the means. The characteristic time is
	// 8 × sd^2/gap^2. The lower bound is this time multiplied by kl(0.1, 0.9), which is 0.8 × log(9) (Kaufmann, Cappé
	// and Garivier, 2016). For bounded noise, the formula would be wrong. For example, to compare two rates of 0.2
	// with a bound of 0.001 at delta = 0.05, 13 measurements are enough, but the formula gives 43.
	for _, x := range []struct {
		noise string
		want  float64
	}{{"noise = { sd = 0.5 }", 8 * .25 / 4 * .8 * math.Log(9)},
		{"noise = { pilot = { sd = 0.5, df = 10, delta = 0.01 } }", 8 * .25 / 4 * .8 * math.Log(9)},
		{"noise = { range = [0, 10] }\nguess_sd = 1.5", 0}, {"noise = { counts = 10 }", 0}} {
		two := parsed(t, `find = "best"`, `features = ["x"]`, x.noise+"\nguess = \"guess\"",
			"candidate,x,guess\nA,0,3\nB,1,5\n")
		c := compiled(t, two)
		b, err := believe(two)
		if err != nil {
			t.Fatal(err)
		}
		l := newLaw(c, b)
		if got := lower(c, l).Measurements; math.Abs(got-x.want) > 1e-6*x.want {
			t.Errorf("%s: at least %v; want %v", x.noise, got, x.want)
		}
		if !mat.EqualApprox(l.user, b.mean, 1e-12) {
			t.Errorf("linear means are changed: %v", mat.Formatted(l.user))
		}
	}
}

// TestGuessedSpread: rewards in a range are simulated with the guessed standard deviation. Without a guess, the
// plan uses the largest noise that the range allows, and says so.
func TestGuessedSpread(t *testing.T) {
	const table = "candidate,guess\nA,2\nB,7\n"
	const said = "simulated with the largest noise"
	for guess, want := range map[string]bool{"": true, "guess_sd = 1\n": false} {
		b, err := believe(parsed(t, `find = "best"`, "",
			"noise = { range = [0, 10] }\nguess = \"guess\"\n"+guess, table))
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Contains(strings.Join(b.notes, " "), said); got != want {
			t.Errorf("%q: %q", guess, b.notes)
		}
	}
}

// TestHopeless: a question is hopeless if it takes more than a million measurements or more than ten years. Here a plate
// of 4 takes half a day.
func TestHopeless(t *testing.T) {
	c := compiled(t, parsed(t, `find = "best"`, "", "noise = { sd = 2.0 }", "candidate\nA\nB\n"))
	for n, want := range map[float64]bool{100: false, 29_000: false, 29_400: true, 2e6: true} {
		if got := hopeless(c, Bound{Measurements: n}) != ""; got != want {
			t.Errorf("%v measurements: hopeless %v", n, got)
		}
	}
	// Failed measurements also occupy wells of plates.
	c.Source.Laboratory.Failures = .5
	if got := hopeless(c, Bound{Measurements: 1e6}); !strings.Contains(got, "(5e+05 plates, 2.5e+05 days)") {
		t.Errorf("a million measurements on plates of 4, half of which fail: %q", got)
	}
	for n, want := range map[float64]bool{14_500: false, 14_700: true} {
		if got := hopeless(c, Bound{Measurements: n}) != ""; got != want {
			t.Errorf("%v measurements, half of which fail: hopeless %v", n, got)
		}
	}
	c.Source.Laboratory.Failures = 0
	c.Source.Laboratory.Days, c.Source.Laboratory.Plate = 1e-9, 4
	if hopeless(c, Bound{Measurements: 2e6}) == "" {
		t.Error("two million measurements in no time are not hopeless")
	}
	// A budget is sufficient if it equals the required number of measurements.
	c.Source.Laboratory.Measurements = 96
	for n, want := range map[float64]bool{95.5: false, 96: false, 96.5: true} {
		if got := hopeless(c, Bound{Measurements: n}); strings.Contains(got, "you can afford 96") != want {
			t.Errorf("%v measurements of 96: %q", n, got)
		}
	}
}

// Random means stay in the range of measurements; with Gaussian noise, the means are unlimited.
func TestDrawnMeansStayInRange(t *testing.T) {
	b := &belief{k: 1, d: 2, mean: mat.NewDense(1, 2, []float64{.9, .9}), se: mat.NewDense(1, 2, []float64{1, 1}),
		noise: []noise{{bounded: true, hi: 1, trials: 1}, {sd: 1}}}
	rnd, m := rand.New(rand.NewPCG(1, 1)), mat.NewDense(1, 2, nil)
	ends, above := map[float64]int{}, 0
	for range 200 {
		if b.draw(m, rnd); m.At(0, 0) < 0 || m.At(0, 0) > 1 {
			t.Fatalf("%v is no rate", m.At(0, 0))
		}
		ends[m.At(0, 0)]++
		if m.At(0, 1) > 1 {
			above++
		}
	}
	if ends[0] == 0 || ends[1] == 0 || above == 0 {
		t.Errorf("%d at 0, %d at 1, %d of Gaussian noise above 1: no test", ends[0], ends[1], above)
	}
}

// Known values are not replaced by a linear model.
func TestKnownIsNotProjected(t *testing.T) {
	p, err := problem.Parse("p.toml", []byte(`[question]
find = "feasible"
delta = 0.1
[candidates]
file = "c.csv"
features = ["x"]
[[objective]]
name = "yield"
guess = "guess"
noise = { sd = 1 }
at_least = 3
[[objective]]
name = "price"
goal = "minimise"
known = true
at_most = 40
`), func(string) ([]byte, error) { return []byte("name,x,guess,price\na,0,1,9\nb,1,7,1\nc,2,3,30\n"), nil })
	if err != nil {
		t.Fatal(err)
	}
	c := compiled(t, p)
	b, err := believe(p)
	if err != nil {
		t.Fatal(err)
	}
	l := newLaw(c, b)
	for i, price := range []float64{9, 1, 30} {
		if got := l.mean.At(i, 1); got != c.Scales[1].In(price) {
			t.Errorf("the price of %d is %v; want %v", i, got, c.Scales[1].In(price))
		}
	}
	if l.fit == nil || math.Abs(l.user.At(1, 0)-11./3) > 1e-9 { // the line fitted to 1, 7 and 3
		t.Errorf("the yield of b is %v; want it on the line", l.user.At(1, 0))
	}
}

// In a pilot of counts, 1 of 10 and 3 of 10 give the rate 0.2. Its standard error is the standard deviation of a
// result, divided by the number of trials and by the square root of the number of results.
func TestBeliefFromCounts(t *testing.T) {
	p := parsed(t, `find = "best"`, "", "noise = { counts = 10 }\n[pilot]\nfile = \"pilot.csv\"", "candidate\nA\nB\nC\n")
	b, err := believe(p) // the pilot has the results 1 and 3 of A, 5 and 9 of B, and 4 of C
	if err != nil {
		t.Fatal(err)
	}
	sd := math.Sqrt((2. + 8.) / 2) // pooled standard deviation of results
	for i, want := range [][2]float64{{.2, sd / 10 / math.Sqrt2}, {.7, sd / 10 / math.Sqrt2}, {.4, sd / 10}} {
		if got := [2]float64{b.mean.At(i, 0), b.se.At(i, 0)}; math.Abs(got[0]-want[0]) > 1e-12 || math.Abs(got[1]-want[1]) > 1e-12 {
			t.Errorf("candidate %d: %v; want %v", i, got, want)
		}
	}
}

// After a pilot without replicates, standard errors follow from the declared standard deviation.
func TestBeliefWithoutReplicates(t *testing.T) {
	p := parsed(t, `find = "best"`, "", "noise = { sd = 2 }\n[pilot]\nfile = \"pilot.csv\"", "candidate\nA\nB\nC\n")
	p.Pilot.N, p.Pilot.SD, p.Pilot.DF = [][]int{{1, 1, 4}}, []float64{0}, []int{0}
	b, err := believe(p)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []float64{2, 2, 1} {
		if got := b.se.At(i, 0); math.Abs(got-want) > 1e-12 {
			t.Errorf("candidate %d: %v; want %v", i, got, want)
		}
	}
}

// Plates of eight with two reference wells are planned as plates of six, and the plan says so.
func TestReferencePlates(t *testing.T) {
	made := map[int]*Plan{}
	for _, lab := range []problem.Laboratory{{Plate: 6}, {Plate: 8, Reference: "DMSO", ReferenceWells: 2}} {
		p := bench(t)
		p.Laboratory = lab
		var err error
		made[lab.Plate], err = Simulate(context.Background(), p, &Options{Runs: 20, Methods: []string{"e-cAPE"},
			Changes: []Change{}})
		if err != nil {
			t.Fatal(err)
		}
	}
	if a, b := made[6].Rows[0], made[8].Rows[0]; !reflect.DeepEqual(a, b) {
		t.Errorf("plates %v and measurements %v; want %v and %v", b.Plates, b.Measurements, a.Plates, a.Measurements)
	}
	if all := strings.Join(made[8].Assumptions, " "); !strings.Contains(all,
		"On each plate, 2 of 8 wells contain the reference, DMSO") {
		t.Error(all)
	}
}
