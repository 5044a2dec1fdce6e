package problem

import (
	"strings"
	"testing"
)

// Columns of numbers that are missing, or hold something else, are named with the field that asks for
// them, whatever they are for.
func TestColumnsOfNumbers(t *testing.T) {
	for field, c := range map[string]struct{ objective, want string }{
		"guess, missing": {`guess = "cost"`, `objective[1].guess: c.csv: no column "cost"`},
		"guess, text":    {`guess = "note"`, "c.csv:3: column \"note\": "},
		"known, missing": {"known = true\ncolumn = \"cost\"", `objective[1].column: c.csv: no column "cost"`},
		"known, text":    {"known = true\ncolumn = \"note\"", "c.csv:3: column \"note\": "},
	} {
		text := `candidates = {file = "c.csv"}
question = {find = "pareto", delta = 0.05}
[[objective]]
name = "yield"
` + c.objective + `
noise = {sd = 2}
[[objective]]
name = "waste"
noise = {sd = 1}
`
		if strings.Contains(c.objective, "known") {
			text = strings.Replace(text, "noise = {sd = 2}\n", "", 1)
		}
		_, err := Parse("p.toml", []byte(text), func(string) ([]byte, error) {
			return []byte("candidate,note\nA,1\nB,much\n"), nil
		})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v; want %q", field, err, c.want)
		}
	}
}
