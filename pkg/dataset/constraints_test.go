package dataset_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/purexp/purexp/pkg/dataset"
	"github.com/purexp/purexp/pkg/polyhedron"
)

var rates = []string{"efficacy", "safety"}

func ExampleParseConstraints() {
	region, err := dataset.ParseConstraints(strings.NewReader(`name,efficacy,safety,sense,bound
works,1,,>=,0.4
safe enough for its effect,1,-2,<=,0.1
`), "rules.csv", rates)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(region)
	fmt.Println(region.Contains([]float64{0.5, 0.3}), region.Contains([]float64{0.5, 0.1}))
	// Output:
	// {x in R^2 : works, safe enough for its effect}
	// true false
}

func TestParseConstraintsErrors(t *testing.T) {
	const head = "name,efficacy,safety,sense,bound\n"
	for _, c := range []struct{ name, in, says string }{
		{"empty file", "", "no constraints"},
		{"header only", head, "no constraints"},
		{"no sense", "efficacy,bound\n1,0.4\n", `no column "sense"`},
		{"no bound", "efficacy,sense\n1,>=\n", `no column "bound"`},
		{"unknown objective", "efficiency,sense,bound\n1,>=,0.4\n", `row 1, column "efficiency"`},
		{"sense", head + "a,1,,>,0.4\n", `row 2, column "sense": ">"`},
		{"bound missing", head + "a,1,,>=,\n", `row 2, column "bound": ""`},
		{"NaN", head + "a,1,,>=,0.4\nb,NaN,1,<=,1\n", `row 3, column "efficacy": "NaN"`},
		{"infinite", head + "a,1,,>=,Inf\n", `row 2, column "bound": "Inf"`},
		{"ragged", head + "a,1,>=,0.4\n", "wrong number of fields"},
		{"empty set", head + "low,1,,<=,0.3\nhigh,1,,>=,0.4\n", "rows [2 3]"},
		{"no interior", head + "low,1,,<=,0.4\nhigh,1,,>=,0.4\n", "rows [2 3]"},
		{"contradiction", head + "never,,,>=,1\n", "rows [2]"},
	} {
		_, err := dataset.ParseConstraints(strings.NewReader(c.in), "rules.csv", rates)
		if err == nil || !strings.Contains(err.Error(), c.says) ||
			!strings.Contains(err.Error(), "rules.csv") {
			t.Errorf("%s: error %v; want %q", c.name, err, c.says)
		}
	}
	_, err := dataset.ParseConstraints(strings.NewReader(head+"low,1,,<=,0.3\nhigh,1,,>=,0.4\n"),
		"rules.csv", rates)
	if !errors.Is(err, polyhedron.ErrEmpty) || !strings.Contains(err.Error(), "low") ||
		!strings.Contains(err.Error(), "high") {
		t.Errorf("the empty set: %v", err)
	}
	_, err = dataset.ParseConstraints(strings.NewReader(head+"low,1,,<=,0.4\nhigh,1,,>=,0.4\n"),
		"rules.csv", rates)
	if !errors.Is(err, polyhedron.ErrNoInterior) {
		t.Errorf("a set without interior: %v", err)
	}
}

func TestReadConstraints(t *testing.T) {
	path := filepath.Join(t.TempDir(), "rules.csv")
	os.WriteFile(path, []byte("\ufeffefficacy,safety,sense,bound\n1,,>=,0.4\n,1,≥,0.4\n"), 0o666)
	r, err := dataset.ReadConstraints(path, rates)
	if err != nil {
		t.Fatal(err)
	}
	want, err := polyhedron.AtLeast([]float64{.4, .4}, rates)
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range [][]float64{{.5, .5}, {.3, .5}, {.4, .4}, {.5, .39}} {
		i, eta, _ := r.Margin(x)
		j, eta2, _ := want.Margin(x)
		if i != j || eta != eta2 {
			t.Errorf("%v: %v at %v; want %v at %v", x, i, eta, j, eta2)
		}
	}
	if _, err := dataset.ReadConstraints(filepath.Join(t.TempDir(), "none.csv"),
		rates); err == nil {
		t.Error("a file that is not there")
	}
}

// Of two columns of a name the second one would win silently.
func TestConstraintColumns(t *testing.T) {
	for head, want := range map[string]string{
		"efficacy,safety,efficacy,sense,bound": `columns 1 and 3 are both called "efficacy"`,
		"efficacy,sense,bound, bound":          `columns 3 and 4 are both called "bound"`,
		"\ufeff\"efficacy\",sense,bound":       "",
	} {
		rows := map[int]string{2: "1,>=,0.4\n", 3: "1,>=,0.4,1\n", 4: "1,1,1,>=,0.4\n"}
		row := rows[strings.Count(head, ",")]
		_, err := dataset.ParseConstraints(strings.NewReader(head+"\n"+row), "rules.csv", rates)
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v; want %q", head, err, want)
		}
	}
	table := strings.NewReader("sense,bound\n<=,1\n")
	if _, err := dataset.ParseConstraints(table, "rules.csv", nil); err == nil {
		t.Error("constraints on no objectives")
	}
}

func FuzzParseConstraints(f *testing.F) {
	f.Add("name,efficacy,safety,sense,bound\na,1,,>=,0.4\n")
	f.Fuzz(func(t *testing.T, in string) {
		if r, err := dataset.ParseConstraints(strings.NewReader(in), "fuzz", rates); err == nil &&
			r.Dim() != 2 {
			t.Fatalf("accepted as %v", r)
		}
	})
}

func ExampleSecukinumab() {
	trial, err := dataset.Secukinumab{MinSafety: 0.45}.Instance()
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(trial.Problem.ArmNames, trial.Problem.Question)
	// Output:
	// [placebo 25 mg 75 mg 150 mg 300 mg] feasible Pareto set in {x in R^2 : efficacy >= 0.4, safety >= 0.45}
}

func ExampleCovBoost() {
	trial, err := dataset.CovBoost{}.Instance()
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(trial.Problem.K(), "strategies;", trial.Problem.Question)
	// Output:
	// 20 strategies; feasible Pareto set in {x in R^3 : ln IgG >= 8.25}
}
