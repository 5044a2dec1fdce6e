package live

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/campaign/problem"
	"github.com/purexp/purexp/pkg/explore"
)

// many returns an instance of k arms, d objectives and h features; h = 0 means no features.
func many(k, d, h int) *Instance {
	in := &Instance{Noise: Noise{Kind: "gaussian", SD: 1}, Question: Question{Kind: "pareto"}}
	for c := range d {
		in.Objectives = append(in.Objectives, fmt.Sprint("y", c))
	}
	for i := range k {
		in.Arms = append(in.Arms, fmt.Sprint("a", i))
		in.Means = append(in.Means, make([]float64, d))
		if h > 0 {
			in.Features = append(in.Features, make([]float64, h))
			in.Features[i][i%h] = 1
		}
	}
	return in
}

// grid returns a table of points and numbers as CSV.
func grid(rows, columns int, cell string) string {
	var b strings.Builder
	b.WriteString("n")
	for c := range columns {
		fmt.Fprint(&b, ",x", c)
	}
	for i := range rows {
		fmt.Fprint(&b, "\np", i, strings.Repeat(","+cell, columns))
	}
	return b.String() + "\n"
}

// Requests at a limit are computed, and requests just beyond it are rejected with the limit.
func TestLimits(t *testing.T) {
	build := func(in *Instance) error { _, err := in.build(); return err }
	noisy := func(sd float64) error { in := many(2, 1, 0); in.Noise.SD = sd; return build(in) }
	read := func(rows, columns int, cell string) error {
		_, _, _, err := points("the table", grid(rows, columns, cell), "", nil, false)
		return err
	}
	method := func(delta float64) error {
		in, err := many(2, 2, 0).build()
		if err != nil {
			return err
		}
		_, _, err = Method{Name: "ape", Delta: delta}.policy(in)
		return err
	}
	fitted := func(mean, off float64) error {
		_, err := fit(mat.NewDense(2, 1, []float64{1, 1}), mat.NewDense(2, 1, []float64{mean, mean + off}))
		return err
	}
	for _, x := range []struct {
		at     error
		beyond error
		want   string
	}{
		{build(many(maxArms, 1, 0)), build(many(maxArms+1, 1, 0)), "arms: 501; expected 1 to 500"},
		{build(many(2, maxObjectives, 0)), build(many(2, maxObjectives+1, 0)), "objectives: 11; expected 1 to 10"},
		{build(many(2, 1, maxArms)), build(many(2, 1, maxArms+1)), "features: empty, or too many columns; expected rows of 1 to 500 numbers"},
		{noisy(explore.Largest), noisy(2 * explore.Largest), "noise: sd is"},
		{noisy(1), noisy(math.NaN()), "noise: sd is NaN"},
		{read(maxPoints, 1, "1"), read(maxPoints+1, 1, "1"), "the table has 20001 rows below its header; expected 1 to 20000"},
		{read(1, maxFeatures, "1"), read(1, maxFeatures+1, "1"), "the table has 201 features; expected 1 to 200"},
		{read(1, 1, "1e100"), read(1, 1, "1.1e100"), `the table:2: column "x0": 1.1e+100; expected a number between -1e100 and 1e100`},
		{read(1, 1, "-1e100"), read(1, 1, "-1.1e100"), "-1.1e+100; expected a number between -1e100 and 1e100"},
		{method(1e-300), method(0), "method: delta is 0; expected a number between 0 and 1"},
		{method(1 - 1e-9), method(1), "method: delta is 1; expected"},
		{method(.5), method(math.NaN()), "method: delta is NaN; expected"},
		{fitted(1e6, 1e-2), fitted(1e6, 1e-1), "differs by"}, // the tolerance is relative for large means
		{fitted(0, 1e-8), fitted(0, 1e-7), "differs by"},
	} {
		if x.at != nil || x.beyond == nil || !strings.Contains(x.beyond.Error(), x.want) {
			t.Errorf("at the limit %v, beyond it %v; want nothing, and %q", x.at, x.beyond, x.want)
		}
	}
	// If a request exceeds a limit and has another error, the limit is reported first.
	for _, x := range []struct {
		call, at, beyond, want string
	}{
		{"design", `{"measurements": 1000000, "criterion": "h", "table": "n,u\na,1\n"}`, `{"measurements": 1000001}`, "measurements: 1000001; expected 1 to 1e6, or 0 for none"},
		{"plan", `{"runs": 10000}`, `{"runs": 10001}`, "runs: 10001; expected 1 to 10000"},
		{"plan", `{"runs": 0}`, `{"runs": -1}`, "runs: -1; expected"},
		{"problem-fields", `{"text": "` + strings.Repeat(" ", problem.LargestFile) + `"}`, `{"text": "` + strings.Repeat(" ", problem.LargestFile+1) + `"}`,
			"problem-fields: the problem file has " + strconv.Itoa(problem.LargestFile+1) + " bytes; expected at most " + strconv.Itoa(problem.LargestFile)},
	} {
		if at, beyond := string(Do(x.call, []byte(x.at), nil)), string(Do(x.call, []byte(x.beyond), nil)); strings.Contains(at, "; expected 1 to") ||
			strings.Contains(at, " bytes;") || !strings.Contains(beyond, x.want) {
			t.Errorf("%s: %.200s and %.200s; want %q", x.call, at, beyond, x.want)
		}
	}
}

// Progress reports state the number of finished measurements of a run, or of finished campaigns of a plan, and the
// largest possible number. For a design, the number of iterations is unknown in advance. Progress never decreases.
func TestTells(t *testing.T) {
	in := many(3, 1, 0)
	in.Means, in.Question.Kind = [][]float64{{0}, {.02}, {.03}}, "best"
	file := ProblemFile{Text: "[question]\nfind = \"best\"\ndelta = 0.1\n[candidates]\nfile = \"c.csv\"\n[[objective]]\nname = \"y\"\nnoise = { sd = 1 }\nguess = \"g\"\n",
		Files: map[string]string{"c.csv": "n,g\na,1\nb,3\n"}}
	limited := &RunRequest{Instance: *in, Method: Method{Name: "rage", Delta: .1}, MaxPulls: 5000}
	byOne := &RunRequest{Instance: *in, Method: Method{Name: "lingame", Delta: .1}, MaxPulls: 4000}
	unlimited := &RunRequest{Instance: *many(1, 1, 0), Method: Method{Name: "uniform", Delta: .1}}
	for _, x := range []struct {
		name      string
		call      func(Tell) error
		of, least float64 // the total, and the least number of reports
		ends      bool    // whether the last report equals the total
	}{
		{"run", func(tell Tell) error { _, err := run(limited, tell); return err }, 5000, 1, false},
		{"run by single measurements", func(tell Tell) error { _, err := run(byOne, tell); return err }, 4000, 60, false},
		{"run without a limit", func(tell Tell) error { _, err := run(unlimited, tell); return err }, 20_000_000, 1, false},
		{"plan", func(tell Tell) error {
			_, err := planOf(&PlanRequest{Problem: file, Runs: 10, Changes: []string{}}, tell)
			return err
		}, 3 * 10, 2, true}, // three methods
		{"design", func(tell Tell) error {
			_, err := designOf(&DesignRequest{Table: "n,u,v\na,1,0\nb,0,1\nc,0.7,0.9\nd,-1,3\n", Criterion: "xy"}, tell)
			return err
		}, 0, 2, false},
	} {
		var told []float64
		if err := x.call(func(done, of float64) {
			if told = append(told, done); of != x.of {
				t.Errorf("%s: %v of %v; want of %v", x.name, done, of, x.of)
			}
		}); err != nil {
			t.Errorf("%s: %v", x.name, err)
		}
		for i := 1; i < len(told) && x.of == 4000; i++ { // reports are at most 256 rounds apart, even if samples are further apart
			if gap := told[i] - told[i-1]; gap > 256 {
				t.Errorf("%s: no progress is reported for %v measurements", x.name, gap)
			}
		}
		if n := len(told); float64(n) < x.least || !slices.IsSorted(told) || told[n-1] <= 0 || n > 1 && told[0] == told[n-1] || x.ends && told[n-1] != x.of ||
			x.of > 0 && told[n-1] > x.of {
			t.Errorf("%s: told %v", x.name, told)
		}
	}
}

// If a call panics, Do returns an error, and later calls work. Numbers that JSON cannot represent are encoded as null.
func TestDoSurvives(t *testing.T) {
	calls["faulty"] = typed(func(*struct{}, Tell) (*struct{}, error) { panic("index out of range") })
	calls["numbers"] = typed(func(*struct{}, Tell) (*[]Number, error) {
		list := numbers([]float64{1.5, math.NaN(), math.Inf(1), math.Inf(-1), -2e-9, 0, 1e21})
		return &list, nil
	})
	defer func() { delete(calls, "faulty"); delete(calls, "numbers") }()
	for _, x := range []struct{ call, want string }{
		{"faulty", `{"error":"faulty: this is a bug in purexp; please report it: index out of range"}`},
		{"numbers", `{"answer":[1.5,null,null,null,-2e-9,0,1e+21]}`},
	} {
		if got := string(Do(x.call, []byte("{}"), nil)); got != x.want {
			t.Errorf("%s: %s; want %s", x.call, got, x.want)
		}
	}
}
