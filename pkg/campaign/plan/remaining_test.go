package plan

import (
	"context"
	"fmt"
	"math"
	"testing"

	"github.com/purexp/purexp/pkg/campaign/problem"
	"github.com/purexp/purexp/pkg/explore"
)

// parsed parses a problem with one measured objective y, the given lines for each section, and a table.
func parsed(t testing.TB, question, candidates, objective, table string) *problem.Problem {
	t.Helper()
	text := "[question]\n" + question + "\ndelta = 0.1\n[candidates]\nfile = \"c.csv\"\n" +
		candidates + "\n[[objective]]\nname = \"y\"\n" + objective + "\n[laboratory]\nplate = 4\n" +
		"days = 0.5\n"
	p, err := problem.Parse("p.toml", []byte(text), func(name string) ([]byte, error) {
		if name == "pilot.csv" {
			return []byte("candidate,y\nA,1\nA,3\nB,5\nB,9\nC,4\n"), nil
		}
		return []byte(table), nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func compiled(t testing.TB, p *problem.Problem) *problem.Compiled {
	t.Helper()
	c, err := p.Compile()
	if err != nil {
		t.Fatal(err)
	}
	return c
}

const threeGuesses = "candidate,guess\nA,0\nB,1\nC,3\n"

// fresh simulates p from the start, with the method of p only.
func fresh(t testing.TB, p *problem.Problem, runs int) *Row {
	t.Helper()
	made, err := Simulate(context.Background(), p, &Options{Runs: runs, Changes: []Change{}, Methods: []string{p.MethodName()}})
	if err != nil {
		t.Fatal(err)
	}
	return &made.Rows[0]
}

func remaining(t testing.TB, p *problem.Problem, told []explore.Batch, runs int) *Forecast {
	t.Helper()
	f, err := Remaining(context.Background(), compiled(t, p), told, nil, &Options{Runs: runs, Limit: 1_000_000})
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// one returns a batch of n measurements with mean y of one candidate; a reward is a measurement divided by sd.
func one(arm, n int, y, sd float64) explore.Batch {
	return explore.Batch{Pull: explore.Pull{Arm: arm, N: n}, Sum: []float64{float64(n) * y / sd}}
}

// Before the first measurement, a forecast equals the plan. Results reduce the number of remaining measurements, which
// is 0 after the decision.
func TestRemaining(t *testing.T) {
	p := parsed(t, `find = "best"`, "", "noise = { sd = 2.0 }\nguess = \"guess\"", threeGuesses)
	p.Method.Name = "UGapE"
	begin := fresh(t, p, 40)
	if f := remaining(t, p, nil, 40); f.Runs != 40 || f.Measurements != begin.Measurements ||
		f.Plates != begin.Plates || f.Days != begin.Days {
		t.Errorf("with nothing told\n%+v\nfrom the start\n%+v", f, begin)
	}
	all := begin.Measurements.Median.Value
	left := func(n int) float64 {
		told := []explore.Batch{one(0, n, 0, 2), one(1, 2*n, 1, 2), one(2, 2*n, 3, 2)}
		return remaining(t, p, told, 40).Measurements.Median.Value
	}
	// After few measurements, the means are still uncertain; near the end, few measurements remain.
	if few, most := left(3), left(20); !(few > 0 && most < few && most < all/2) {
		t.Errorf("after 15 measurements %v are left, after 100 %v; from the start it takes %v", few, most, all)
	}
	done := []explore.Batch{one(0, 1000, 0, 2), one(1, 1000, 1, 2), one(2, 1000, 3, 2)}
	f := remaining(t, p, done, 40)
	for _, s := range []Spread{f.Measurements, f.Plates, f.Days} {
		if s.Median.Value != 0 || s.Most.Value != 0 {
			t.Errorf("after the decision, %+v is left", f)
		}
	}
	if _, err := Remaining(context.Background(), compiled(t, p), nil, nil, &Options{Limit: -1}); err == nil {
		t.Error("a negative limit is taken")
	}
	f, err := Remaining(context.Background(), compiled(t, p), nil, nil, &Options{Runs: 20, Limit: 2})
	if err != nil || f.GaveUp != 20 || len(f.Warnings) != 1 || !f.Measurements.Median.Open {
		t.Errorf("with a limit of 2: %+v, %v", f, err)
	}
}

// A method with rounds of its own is simulated from the start, and completed measurements are subtracted: after ten
// measurements, ten fewer remain.
func TestRemainingRounds(t *testing.T) {
	p := parsed(t, `find = "good"`, "", "noise = { sd = 0.01 }\ntolerance = 1.5\nguess = \"guess\"",
		threeGuesses)
	p.Method.Name = "LinFACT"
	if _, open := compiled(t, p).Policy().(explore.Asynchronous); open {
		t.Fatal("LinFACT is asynchronous here; want a policy with rounds")
	}
	begin := fresh(t, p, 20)
	f := remaining(t, p, []explore.Batch{one(0, 10, 0, .01)}, 20)
	whole := begin.Measurements.Median.Value
	if want := max(whole-10, 0); f.Measurements.Median.Value != want {
		t.Errorf("%v are left of %v; want %v", f.Measurements.Median.Value, whole, want)
	}
	plates := begin.Plates.Median.Value
	if want := max(plates-2, 0); f.Plates.Median.Value != want { // ten measurements fill two plates of four
		t.Errorf("%v plates are left of %v; want %v", f.Plates.Median.Value, plates, want)
	}
	// With one reference well, a plate has three free wells, so ten measurements fill three plates.
	p.Laboratory.Reference = "control"
	begin = fresh(t, p, 20)
	f = remaining(t, p, []explore.Batch{one(0, 10, 0, .01)}, 20)
	if want := max(begin.Plates.Median.Value-3, 0); f.Plates.Median.Value != want {
		t.Errorf("with a reference %v plates are left of %v; want %v", f.Plates.Median.Value, begin.Plates.Median.Value, want)
	}
}

// A forecast uses the observed mean of a measured candidate, and its standard error. For other candidates, it uses
// the guess or, without a guess, the mean and the spread of the measured candidates.
func TestLearned(t *testing.T) {
	told := []explore.Batch{one(0, 4, 1, 2), one(0, 5, 10, 2), one(1, 1, 8, 2)}
	for _, x := range []struct {
		guess       string
		mean2, dev2 float64
	}{
		{"guess = \"guess\"", 3, 0},
		{"", 7, math.Sqrt2}, // the mean and the standard deviation of 6 and 8
	} {
		p := parsed(t, `find = "best"`, "", "noise = { sd = 2.0 }\n"+x.guess, threeGuesses)
		b := learned(compiled(t, p), told)
		for i, want := range [][2]float64{{6, 2. / 3}, {8, 2}, {x.mean2, x.dev2}} {
			if m, se := b.mean.At(i, 0), b.se.At(i, 0); math.Abs(m-want[0]) > 1e-12 || math.Abs(se-want[1]) > 1e-12 {
				t.Errorf("%q, candidate %d: %v, %v; want %v", x.guess, i, m, se, want)
			}
		}
	}
	s := problem.Scale{Center: 5, PerReward: -3}
	for _, x := range []struct {
		x        []float64
		mean, sd float64
	}{{nil, 5, 3}, {[]float64{7}, 7, 3}, {[]float64{1, 3, 5}, 3, 2}} {
		if m, sd := likeOthers(x.x, s); m != x.mean || sd != x.sd {
			t.Errorf("like %v: %v, %v; want %v, %v", x.x, m, sd, x.mean, x.sd)
		}
	}
}

// The pooled standard deviation agrees with a calculation by hand. The results 0, 1, 2 of one candidate and 4, 6
// of another have sums of squared deviations of 2 each, with 2 and 1 degrees of freedom.
func TestDeviation(t *testing.T) {
	batch := func(arm, n int, sum float64, squares ...float64) explore.Batch {
		return explore.Batch{Pull: explore.Pull{Arm: arm, N: n}, Sum: []float64{sum}, Squares: squares}
	}
	told := []explore.Batch{batch(0, 3, 3, 5), batch(1, 1, 4), batch(1, 1, 6),
		batch(2, 9, 100), // without squares, this batch has no information on the spread
	}
	if got, want := deviation(told, 0), math.Sqrt(4./3); math.Abs(got-want) > 1e-12 {
		t.Errorf("%v; want %v", got, want)
	}
	for _, none := range [][]explore.Batch{nil, {batch(0, 1, 3)}, {batch(0, 2, 6, 18)}} {
		if got := deviation(none, 0); got != 1 {
			t.Errorf("of %v: %v; want 1", none, got)
		}
	}
}

// A run depends only on the seed and on its number, not on the number of workers.
func TestWorkers(t *testing.T) {
	var texts []string
	for _, workers := range []int{1, 8} {
		made, err := Simulate(context.Background(), bench(t), &Options{Runs: 25, Workers: workers,
			Seed: 7, Changes: []Change{{"", "plate", 3}}})
		if err != nil {
			t.Fatal(err)
		}
		text := ""
		for _, r := range made.Rows {
			if r.Runs != 25 {
				t.Errorf("%d runs", r.Runs)
			}
			text += fmt.Sprintf("%+v\n", r)
		}
		p := parsed(t, `find = "best"`, "", "noise = { sd = 2.0 }\nguess = \"guess\"", threeGuesses)
		f, err := Remaining(context.Background(), compiled(t, p), nil, nil, &Options{Runs: 25, Workers: workers})
		if err != nil {
			t.Fatal(err)
		}
		texts = append(texts, text+fmt.Sprintf("%+v", f))
	}
	if texts[0] != texts[1] {
		t.Errorf("with 1 worker\n%s\nwith 8\n%s", texts[0], texts[1])
	}
}

// If the campaign's own pilot estimates the noise, a forecast takes noise and means from the reported results, in
// the unit of results.
func TestLearnedNoise(t *testing.T) {
	for _, goal := range []string{"maximise", "minimise"} {
		p := parsed(t, `find = "best"`, "", "noise = { pilot = { rewards = 3, delta = 0.01 } }\nvalues = [0, 50]\ngoal = \""+goal+"\"", threeGuesses)
		c := compiled(t, p)
		var told []explore.Batch
		for arm, values := range [][]float64{{10, 14}, {21, 19}, {33, 33}} {
			for _, v := range values {
				x := c.Scales[0].In(v)
				told = append(told, explore.Batch{Pull: explore.Pull{Arm: arm, N: 1}, Sum: []float64{x}, Squares: []float64{x * x}})
			}
		}
		b := learned(c, told)
		if want := math.Sqrt(10. / 3); math.Abs(b.noise[0].sd-want) > 1e-9 || math.Abs(b.mean.At(0, 0)-12) > 1e-9 {
			t.Errorf("%s: noise %v, mean %v; want %v and 12 (a reward is %v)", goal, b.noise[0].sd, b.mean.At(0, 0), want, c.Scales[0].PerReward)
		}
	}
}
