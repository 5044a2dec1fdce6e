package problem

import (
	"strings"
	"testing"
)

// What is said of trials is in one place, whatever the order; a tolerance may be in per cent of the best; and files
// speak of tolerances only where a question has a use for them.
func TestDraft(t *testing.T) {
	draft := func(find string, texts ...string) string {
		d := Draft{Table: "d.csv", Column: "dose", Find: find}
		for _, text := range texts {
			o, err := ParseDraftObjective(text)
			if err != nil {
				t.Fatal(err)
			}
			d.Objectives = append(d.Objectives, o)
		}
		text := d.TOML()
		if _, err := Parse("d.toml", []byte(text), func(string) ([]byte, error) {
			return []byte("dose,rate\nlow,0.2\nhigh,0.5\n"), nil
		}); err != nil {
			t.Errorf("%v\n%s", err, text)
		}
		return text
	}
	const counted = "of=patients,counts=12,evaluable=left"
	for _, c := range []struct {
		text, want string
		has        bool
	}{
		{draft(FindBest, "response,max,"+counted), `noise = { counts = 12, of = "patients", evaluable = "left" }`, true},
		{draft(FindBest, "response,max,"+counted), "# tolerance = 0.05", true},
		{draft(FindBest, "response,max,"+counted, "toxicity,bounded,at_most=0.33,"+counted), `goal = "bounded"`, true},
		{draft(FindBest, "response,max,"+counted, "toxicity,bounded,at_most=0.33,"+counted), "# tolerance", false},
		{draft(FindPareto, "response,max,sd=2,tolerance=1"), "# tolerance", false},
		{draft(FindGood, "response,max,sd=2,tolerance=5 %"), "tolerance_percent = 5 ", true},
		{draft(FindFeasible, "response,max,sd=2,at_least=1"), "# tolerance", false},
	} {
		if strings.Contains(c.text, c.want) != c.has {
			t.Errorf("%q: want %v in\n%s", c.want, c.has, c.text)
		}
	}
}
