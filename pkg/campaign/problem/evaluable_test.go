package problem

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

const evaluableOfTwenty = `[[objective]]
name = "response"
noise = { counts = 20, of = "patients", evaluable = "n" }
[[objective]]
name = "toxicity"
goal = "minimise"
at_most = 5
noise = { counts = 20, of = "patients", evaluable = "n" }
`

// If some patients may not be evaluable, a reward is one patient, and the question does not change. Methods lists only
// methods that use every result, with any number of evaluable patients.
func TestEvaluable(t *testing.T) {
	p, err := doses(t, evaluableOfTwenty)
	if err != nil {
		t.Fatal(err)
	}
	c, err := p.Compile()
	if err != nil {
		t.Fatal(err)
	}
	sum, n, err := c.Learn(nil, 0, []float64{6, 3}, 15, 0)
	if err != nil || n != 15 || c.Scales[0].Out(sum[0]/15) != .4 || c.Scales[1].Out(sum[1]/15) != .2 {
		t.Errorf("%v of %d, %v", sum, n, err)
	}
	if got := c.Squares(sum, n); !slices.Equal(got, []float64{15, 15}) {
		t.Errorf("the squares are %v", got)
	}
	if b, err := c.Batch(0, []float64{6, 3}); err != nil || b.N != 20 {
		t.Errorf("%+v, %v", b, err)
	}
	if c.Bounds[0].Name != "toxicity <= 0.25" || c.Radius() != "Bernoulli" || p.Each() != 20 || p.Evaluable() != "n" {
		t.Errorf("%s, %s, %d", c.Bounds[0].Name, c.Radius(), p.Each())
	}
	for _, name := range p.Methods() {
		if c, err := p.CompileFor(name); err != nil || !c.UsesAll() {
			t.Errorf("%s: %v", name, err)
		}
	}
	if p.AnySampling() != p.usual() || slices.Contains(p.Methods(), "Betting feasible Pareto") {
		t.Errorf("%s; %q", p.usual(), p.Methods())
	}
	for _, x := range []struct {
		values []float64
		of     int
		want   string
	}{
		{[]float64{6, 3}, 5, "response: 6 of 5 evaluable patients; expected 1 to 20 evaluable trials, and at most as many successes"},
		{[]float64{6, 3}, 21, "response: 6 of 21 evaluable patients"},
		{[]float64{6.5, 3}, 15, "response: 6.5; expected a whole number"},
	} {
		if _, _, err := c.Learn(nil, 0, x.values, x.of, 0); err == nil || !strings.Contains(err.Error(), x.want) {
			t.Errorf("%v: %v; want %q", x.values, err, x.want)
		}
	}
}

// All objectives must count the same patients, and the column of evaluable patients needs a name of its own.
func TestEvaluableProblems(t *testing.T) {
	first := "counts = 20, of = \"patients\", evaluable = \"n\" }\n[[objective]]"
	for _, x := range []struct{ old, with, want string }{
		{first, "sd = 1 }\n[[objective]]", `objective[1].noise: "response" has no counts, but other objectives have the column "n"`},
		{first, "counts = 12, evaluable = \"n\" }\n[[objective]]", "objective[1].noise.counts: 12, but another objective has 20"},
		{first, "counts = 20 }\n[[objective]]", `objective[1].noise.evaluable: "", but another objective has "n"`},
		{first, "sd = 1, evaluable = \"n\" }\n[[objective]]", `objective[1].noise.evaluable: "n", but only counts use`},
		{`"n"`, `"response"`, `objective[1].noise.evaluable: "response" is an objective; use another name for the column`},
		{`"n"`, `"note"`, `objective[1].noise.evaluable: "note" is another column of worksheets`},
		{"counts = 20", "counts = 2000", "objective[1].noise.evaluable: a measurement has 2000 trials; expected at most 1000"},
	} {
		text := strings.Replace(evaluableOfTwenty, x.old, x.with, 1)
		if !strings.Contains(x.old, "[[") {
			text = strings.ReplaceAll(evaluableOfTwenty, x.old, x.with)
		}
		if _, err := doses(t, text); err == nil || !strings.Contains(err.Error(), x.want) {
			t.Errorf("%q: %v; want %q", x.with, err, x.want)
		}
	}
}

// In a cohort of twelve patients, eleven are evaluable, of whom four responded.
func ExampleCompiled_Learn() {
	twelve := 12
	p := &Problem{Question: Question{Find: FindBest, Delta: .1}, Candidates: Candidates{Names: []string{"low", "high"}},
		Objectives: []Objective{{Name: "responses", Goal: Maximise, Noise: Noise{Counts: &twelve, Evaluable: "evaluable"}}}}
	c, err := p.Compile()
	if err != nil {
		panic(err)
	}
	sum, n, err := c.Learn(nil, p.Candidate("low"), []float64{4}, 11, 0)
	fmt.Printf("%d rewards with the mean %.3f %v\n", n, c.Scales[0].Out(sum[0]/float64(n)), err)
	// Output: 11 rewards with the mean 0.364 <nil>
}
