package plan

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/purexp/purexp/pkg/campaign/problem"
)

// Noise of a range is that of trials between its ends, wherever these are, by hand: 15 is a quarter of the way from 10 to 30; means
// that are drawn stay between them.
func TestRangesFromAnywhere(t *testing.T) {
	for _, lo := range []float64{0, 10, -40} {
		n := noise{bounded: true, lo: lo, hi: lo + 20, trials: 1}
		for _, x := range []struct{ sd, mean, trials, chance, variance float64 }{
			{0, 5, 1, .25, 75}, {5, 5, 3, .25, 25}, {0, -3, 1, 0, 0}, {0, 23, 1, 1, 0}, {0, 10, 1, .5, 100}, {20, 10, 1, .5, 100},
		} {
			n.sd = x.sd
			if trials, chance := n.of(lo + x.mean); trials != x.trials || chance != x.chance || n.variance(lo+x.mean) != x.variance {
				t.Errorf("%+v, mean %v: %v trials of %v, variance %v; want %+v", n, lo+x.mean, trials, chance, n.variance(lo+x.mean), x)
			}
		}
		b := &belief{k: 1, d: 1, mean: mat.NewDense(1, 1, []float64{lo + 10}), se: mat.NewDense(1, 1, []float64{1000}), noise: []noise{n}}
		seen, dst, rnd := map[float64]bool{}, mat.NewDense(1, 1, nil), rand.New(rand.NewPCG(1, 2))
		for range 100 {
			b.draw(dst, rnd)
			seen[dst.At(0, 0)] = true
			if m := dst.At(0, 0); m < lo || m > lo+20 {
				t.Fatalf("a mean of %v in %+v", m, n)
			}
		}
		if !seen[lo] || !seen[lo+20] {
			t.Errorf("the ends of %+v are never drawn", n)
		}
	}
}

// A candidate that is outside two bounds is shown to be so by either test; one that is inside both has to pass both.
func TestUsualByTwoBounds(t *testing.T) {
	p, err := problem.Parse("p.toml", []byte(`question = { find = "feasible", delta = 0.1 }
candidates = { file = "c.csv" }
[[objective]]
name = "y"
noise = { sd = 2 }
guess = "y"
at_least = 5
[[objective]]
name = "z"
noise = { sd = 1 }
guess = "z"
at_most = 3
`), func(string) ([]byte, error) { return []byte("c,y,z\nin,7,2\nout,4,3.25\none,6,4\n"), nil })
	if err != nil {
		t.Fatal(err)
	}
	_, l := lawOf(t, p)
	d := design{p: p, l: l, of: -1, noise: distuv.UnitNormal, c: 1.5}
	phi := distuv.UnitNormal.CDF
	for i, want := range []float64{phi(2-1.5) * phi(2-1.5), 1 - phi(1.5-1)*phi(1.5-.5), phi(2 - 1.5)} { // four replicates: errors of 1 and .5
		in, inside, outside := d.bounded(i, 4)
		if in != (i == 0) || in && !(math.Abs(inside-want) <= 1e-9) || !in && !(math.Abs(outside-want) <= 1e-9) {
			t.Errorf("candidate %d: inside %v, shown with %v or %v; want %v", i, in, inside, outside, want)
		}
	}
}

// A limit that is asked for is the one of scenarios, whatever can be afforded; progress counts the runs of all methods; and that means
// are linear is said of features alone.
func TestScenariosWithALimit(t *testing.T) {
	p := parsed(t, `find = "best"`, "", "noise = { sd = 2.0 }", threeGuesses)
	p.Laboratory.Measurements = 90
	list := []Scenario{{"near", [][]float64{{0}, {1}, {3}}}, {"far", [][]float64{{0}, {9}, {30}}}}
	for limit, want := range map[int]int{0: 90, 40: 40, 200: 200} {
		last, of := 0, 0
		made, err := Characterise(t.Context(), p, list, &Options{Runs: 5, Limit: limit, Methods: []string{p.MethodName(), "LinGapE"},
			Progress: func(done, total int) { last, of = done, total }})
		if err != nil || len(made.Rows) != 4 || last != 20 || of != 20 {
			t.Fatalf("%+v, %v; %d of %d", made, err, last, of)
		}
		for _, r := range made.Rows {
			if r.Guess == nil || r.Guess.Measurements != want {
				t.Errorf("limit %d: %+v; want %d", limit, r.Guess, want)
			}
		}
	}
	made, err := Characterise(t.Context(), p, list[1:], &Options{Runs: 2, Methods: []string{"LinGapE"}})
	if err != nil || strings.Contains(strings.Join(made.Assumptions, " "), "linear in the features") {
		t.Errorf("%q, %v", made.Assumptions, err)
	}
}

// A row that errs too often does so by its own delta, which a change may have raised; what a problem has no use for is said once, as is
// that a few measurements confirm an answer that rests on features, and no other.
func TestWarningsOfEachRow(t *testing.T) {
	p := parsed(t, `find = "best"`, "", "noise = { sd = 2.0 }\nguess = \"guess\"", threeGuesses)
	loose := p.Clone()
	loose.Question.Delta = .3
	for _, x := range []struct {
		lo   float64
		want int
	}{{.05, 0}, {.2, 1}, {.35, 2}} {
		s := &study{Options: Options{Runs: 100}, plan: &Plan{Answer: []int{1}}}
		for _, q := range []*problem.Problem{p, loose} {
			r := Row{Method: "method", Runs: 100, ErrorLo: x.lo}
			s.cells, s.plan.Rows = append(s.cells, cell{c: compiled(t, q), row: r}), append(s.plan.Rows, r)
		}
		if got := s.warnings(); len(got) != x.want || x.want == 2 && !strings.Contains(got[1], "more than delta, 0.3, allows") {
			t.Errorf("an error of %v at least: %q; want %d warnings", x.lo, got, x.want)
		}
	}
	for columns, want := range map[string]bool{"": false, "features = [\"x\"]": true} {
		p := parsed(t, `find = "best"`, columns, "noise = { sd = 2.0 }\nguess = \"guess\"", "candidate,x,guess\nA,0,0\nB,1,1\nC,2,2\n")
		for method, used := range map[string]bool{p.MethodName(): want, "UGapE": false} {
			p.Method.Name = method
			s, err := newStudy(p, &Options{Methods: []string{}, Changes: []Change{}})
			if err != nil {
				t.Fatal(err)
			}
			if got := strings.Contains(strings.Join(s.plan.Assumptions, " "), "confirm the answer without features"); got != used {
				t.Errorf("%q, %s: %q", columns, method, s.plan.Assumptions)
			}
			if got := len(s.plan.Warnings); (got == 1) != (columns != "" && !used) {
				t.Errorf("%q, %s: %q", columns, method, s.plan.Warnings)
			}
		}
	}
}
