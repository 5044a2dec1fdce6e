package arena_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/purexp/purexp/pkg/study/arena"
)

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
		"README.md": {"needs " + round("Betting") + " times the lower bound",
			"need " + all + ", " + pareto + " and " + feasible + " times the bound"},
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
