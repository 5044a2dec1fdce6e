package arena_test

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policy"
	"github.com/purexp/purexp/pkg/polyhedron"
	"github.com/purexp/purexp/pkg/question"
	"github.com/purexp/purexp/pkg/study/arena"
)

// docs/arena.md recommends the methods that policy.For returns. For requested results, the method of policy.For is the
// first name in its row. README.md also names the methods for requested results.
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
		first bool // whether the method must be the first name in its row
	}{
		{"best item or arm", linear, policy.Circumstances{}, true},
		{"best item or arm", plain(question.Best{}, 1), policy.Circumstances{}, true},
		{"best item with features, unsolicited", linear, late, true},
		{"best arm without features, unsolicited", plain(question.Best{}, 1), late, true},
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
		if short := strings.Trim(name, "`"); !c.c.AnySampling && !strings.Contains(string(readme), short) {
			t.Errorf("README.md does not name %s", short)
		}
	}
	for _, m := range regexp.MustCompile(`(?m)^\| [12] \| (.*?) \| [\d.]+ \| ([\d.]+) \|`).FindAllStringSubmatch(string(b), -1) {
		if x, _ := strconv.ParseFloat(m[2], 64); m[1] != "PSIPS" && !strings.Contains(string(readme), fmt.Sprintf(" %.1f |", x)) {
			t.Errorf("README.md lacks the number %.1f of %s", x, m[1])
		}
	}
}

// The tables of docs/arena.md agree with the published rows.
func TestTablesOfDocs(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped: bounds are solved anew, which takes a while")
	}
	page, err := os.ReadFile("../../../docs/arena.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, q := range arena.Questions() {
		tables, err := arena.PublishedTables(q)
		if err != nil {
			t.Fatal(err)
		}
		rows := tables[0]
		for i := len(rows.Columns) - 1; i >= 0; i-- { // the page leaves out four columns
			if slices.Contains([]string{"looked at, δ = 0.05", "tuning, δ = 0.05", "failed", "instances"}, rows.Columns[i].Name) {
				rows.Columns = slices.Delete(rows.Columns, i, i+1)
				for j := range rows.Rows {
					rows.Rows[j] = slices.Delete(rows.Rows[j], i, i+1)
				}
			}
		}
		for line := range strings.Lines(rows.Markdown()) {
			if strings.HasPrefix(line, "|") && !strings.Contains(string(page), line) {
				t.Errorf("docs/arena.md lacks %s", line)
			}
		}
	}
}
