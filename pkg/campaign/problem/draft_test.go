package problem

import (
	"strings"
	"testing"
)

// The settings of counts may have any order. A tolerance may be a percentage of the best value. Drafts suggest a
// tolerance only for questions that use tolerances.
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

// FindColumn ignores case, and ignores a unit in brackets if only one column matches. If several columns match
// equally well, FindColumn returns none.
func TestFindColumns(t *testing.T) {
	for _, c := range []struct{ columns, name, want string }{
		{"cost,Cost", "cost", "cost"}, {"Cost,cost", "cost", "cost"}, {"Cost", "cost", "Cost"}, {"cost (EUR)", "COST", "cost (EUR)"},
		{"cost [EUR]", "cost", "cost [EUR]"}, {"cost (EUR),cost [USD]", "cost", ""}, {"cost (EUR),Cost", "cost", ""}, {"(x)", "", ""},
		{"(x)", "(x)", "(x)"}, {"cost (EUR) net", "cost", ""}, {"price", "cost", ""}, {"cost (EUR),cost", "cost", "cost"},
	} {
		var cs []TableColumn
		for _, name := range strings.Split(c.columns, ",") {
			cs = append(cs, TableColumn{Name: name})
		}
		if got, err := FindColumn(cs, c.name); got != c.want || (err == nil) != (c.want != "") {
			t.Errorf("%q in %s: %q, %v; want %q", c.name, c.columns, got, err, c.want)
		}
	}
}

// A plate of one well is valid, drafts with bounds suggest no tolerance, and an objective needs a name.
func TestDraftsInPart(t *testing.T) {
	bounded, err := ParseDraftObjective("yield,max,sd=2,at_most=9")
	if err != nil {
		t.Fatal(err)
	}
	for plate, has := range map[int]bool{0: false, 1: true, 8: true} {
		text := Draft{Table: "a/d.csv", Find: FindBest, Objectives: []DraftObjective{bounded}, Plate: plate}.TOML()
		if strings.Contains(text, "plate = ") != has || strings.Contains(text, "# tolerance") || !strings.Contains(text, "file = \"a/d.csv\"") ||
			!strings.Contains(text, "title = \"d\"") || !strings.Contains(text, "delta = 0.05 ") {
			t.Errorf("a plate of %d:\n%s", plate, text)
		}
	}
	for _, text := range []string{"", " ", " ,max,sd=2", ",max"} {
		if _, err := ParseDraftObjective(text); err == nil || !strings.Contains(err.Error(), "the name is missing") {
			t.Errorf("%q: %v", text, err)
		}
	}
	if _, err := ParseDraftObjective("yield,1,sd=2"); err == nil || !strings.Contains(err.Error(), `unknown setting "1"; expected max`) {
		t.Error(err)
	}
	if _, err := ParseDraftObjective("yield,max,sd=2,5"); err == nil || !strings.Contains(err.Error(), "write sd=2.5") {
		t.Error(err)
	}
}
