package arena_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policy"
	"github.com/purexp/purexp/pkg/polyhedron"
	"github.com/purexp/purexp/pkg/question"
	"github.com/purexp/purexp/pkg/study/arena"
)

// What docs/arena.md says to take is what policy.For takes: the first name of each row, and for late
// or unsolicited results the one that is said to be for these. The README names these, too.
func TestTake(t *testing.T) {
	b, err := os.ReadFile("../../../docs/arena.md")
	if err != nil {
		t.Fatal(err)
	}
	readme, err := os.ReadFile("../../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	region, err := polyhedron.AtLeast([]float64{0, 0}, nil)
	if err != nil {
		t.Fatal(err)
	}
	x := mat.NewDense(3, 2, []float64{1, 0, 0, 1, .6, .6})
	late := policy.Circumstances{AnySampling: true}
	plain := func(q explore.Question, d int) *explore.Problem {
		return &explore.Problem{Arms: 3, Objectives: d, Sigma: 1, Question: q}
	}
	linear := &explore.Problem{X: x, Sigma: 1, Question: question.Best{}}
	good := *linear
	good.Question = question.AllEpsilonBest{Epsilon: .1}
	for _, c := range []struct {
		row   string
		p     *explore.Problem
		c     policy.Circumstances
		first bool // of the names of the row
	}{
		{"best item or arm", linear, policy.Circumstances{}, true},
		{"best item or arm", plain(question.Best{}, 1), policy.Circumstances{}, true},
		{"best item with features, with late", linear, late, true},
		{"best arm without features, with late", plain(question.Best{}, 1), late, true},
		{"all epsilon-best items with features", &good, policy.Circumstances{}, true},
		{"all epsilon-best items with features", &good, late, false},
		{"all epsilon-best arms without", plain(good.Question, 1), policy.Circumstances{}, true},
		{"all epsilon-best arms without", plain(good.Question, 1), late, false},
		{"Pareto set |", plain(question.Pareto{}, 2), policy.Circumstances{}, true},
		{"Pareto set |", plain(question.Pareto{}, 2), late, false},
		{"feasible Pareto set", plain(question.FeasiblePareto{Region: region}, 2),
			policy.Circumstances{Gaussian: true}, true},
		{"feasible Pareto set", plain(question.FeasiblePareto{Region: region}, 2),
			policy.Circumstances{Gaussian: true, AnySampling: true}, false},
	} {
		_, row, ok := strings.Cut(string(b), "\n| "+c.row)
		if !ok {
			t.Fatalf("docs/arena.md has no row %q", c.row)
		}
		row, _, _ = strings.Cut(row, "\n")
		r, err := policy.For(c.p, c.c)
		if err != nil {
			t.Fatal(err)
		}
		name := "`" + explore.TypeName(r.Make()) + "`"
		if at := strings.Index(row, "`"); at < 0 || !strings.Contains(row, name) ||
			c.first && !strings.HasPrefix(row[at:], name) {
			t.Errorf("%s: %s is not what the row says:%s", c.row, name, row)
		}
		if short := strings.Trim(name, "`"); !strings.Contains(string(readme), short) {
			t.Errorf("README.md does not name %s", short)
		}
	}
}

// The tables of docs/arena.md are those of the rows, and the numbers that it, the README and
// docs/betting.md say of the methods of this project are in them.
func TestDocs(t *testing.T) {
	text := map[string]string{}
	for _, name := range []string{"README.md", "docs/arena.md", "docs/betting.md"} {
		b, err := os.ReadFile("../../../" + name)
		if err != nil {
			t.Fatal(err)
		}
		text[name] = strings.Join(strings.Fields(string(b)), " ")
	}
	multiple := map[string]string{}
	for _, q := range arena.Questions() {
		ts, err := arena.PublishedTables(q)
		if err != nil {
			t.Fatal(err)
		}
		for _, row := range ts[0].Rows {
			name := strings.ReplaceAll(row[1].(string), "*", `\*`)
			line := fmt.Sprintf("| %s | %v | %v |", name, row[2], row[3])
			line = strings.Join(strings.Fields(strings.ReplaceAll(line, "<nil>", "")), " ")
			if !strings.Contains(text["docs/arena.md"], line) {
				t.Errorf("docs/arena.md lacks %q of %q; purexp report arena --format markdown has it",
					line, q)
			}
			multiple[row[1].(string)] = fmt.Sprint(row[3])
		}
		for _, table := range ts[1:] { // with a fixed budget, the instances that are held back
			for _, row := range table.Rows {
				if name := fmt.Sprintf("| %v | %v | ", row[0], row[1]); strings.Contains(text["docs/arena.md"], name) {
					var line strings.Builder
					for _, cell := range row {
						fmt.Fprintf(&line, "| %v ", cell)
					}
					if !strings.Contains(text["docs/arena.md"], strings.Join(strings.Fields(strings.ReplaceAll(line.String(), "<nil>", "")+"|"), " ")) {
						t.Errorf("docs/arena.md lacks %s|", line.String())
					}
				}
			}
		}
	}
	round := func(method string) string {
		var x float64
		if _, err := fmt.Sscan(multiple[method], &x); err != nil {
			t.Fatalf("%s: %v", method, err)
		}
		return fmt.Sprintf("%.1f", x)
	}
	all, pareto, feasible := round("Betting all epsilon-best"), round("Betting Pareto"),
		round("Betting feasible Pareto")
	for name, want := range map[string][]string{
		"README.md": {"`BettingElimination` " + round("Betting") + " | `LinGapE` " + round("LinGapE") +
			"; without features, or with few candidates for them, `UGapE` " + round("UGapE") + " |",
			"`BettingAllEpsilon` " + all + " | `AllEpsilonGame` " + round("All-epsilon game") +
				"; likewise `ST2` " + round("(ST)^2") + " |",
			"`BettingPareto` " + pareto + " | `APE` " + round("APE") + "; with many candidates for their features `Sparing` " +
				round("Sparing") + " |",
			"`BettingFeasible` " + feasible + " | `ECAPE` " + round("e-cAPE") + " |"},
		"docs/arena.md": {"| " + round("Betting") + " times the lower bound", "| " + all + " times the lower bound",
			"| " + pareto + " times the lower bound", "| " + feasible + " times the lower bound"},
		"docs/betting.md": {"they need " + all + ", " + pareto + " and " + feasible + " times the bound at .05"},
	} {
		for _, w := range want {
			if !strings.Contains(text[name], w) {
				t.Errorf("%s lacks %q", name, w)
			}
		}
	}
}
