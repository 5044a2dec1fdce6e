package problem

import (
	"fmt"
	"maps"
	"strings"
	"testing"

	"github.com/purexp/purexp/internal/golden"
)

// base is a valid problem file with its tables.
type base struct {
	text   string
	tables map[string]string
}

// bases together contain every field of a problem file.
var bases = map[string]base{
	"full": {`title = "Full"
independent = true
[question]
find = "best"
delta = 0.05
[candidates]
file = "c.csv"
column = "name"
features = ["pH"]
categories = ["ligand"]
cost = "price"
cost_unit = "EUR"
[[objective]]
name = "yield"
unit = "%"
noise = { sd = 2.0 }
values = [0, 100]
at_least = 40
guess = "guess"
[[objective]]
name = "impurity"
goal = "minimise"
noise = { pilot = { delta = 0.005 } }
at_most = 3
weight = 2
[[constraint]]
name = "net"
terms = { yield = 1, impurity = -2 }
at_least = 10
[pilot]
file = "pilot.csv"
column = "name"
[laboratory]
plate = 8
fill = true
reference = "control"
at_once = 2
days = 0.5
failures = 0.05
late = 0.1
late_by = 2
extras = "accept"
measurements = 500
[method]
seed = 3
`, map[string]string{
		"c.csv":     "number,name,pH,ligand,price,guess\n1,A,7,x,5,60\n2,B,8,y,6,70\n3,C,9,x,7,50\n4,D,7,y,8,55\n",
		"pilot.csv": "day,name,yield,impurity\n1,A,60,1.5\n1,A,62,1.7\n2,B,70,2.5\n2,B,71,2.1\n3,C,,3\n",
	}},
	"pareto": {catalysts + "[[constraint]]\nterms = { yield = 1, impurity = -2 }\nat_least = 10\nslack = 0.5\n",
		map[string]string{"catalysts.csv": catalystTable}},
	"good": {`[question]
find = "good"
delta = 0.05
[candidates]
names = ["A", "B", "C"]
[[objective]]
name = "yield"
unit = "mg"
noise = { range = [0, 100] }
guess_sd = 9
tolerance = 2
`, nil},
	"counts": {`[question]
find = "pareto"
delta = 0.05
[candidates]
file = "c.csv"
[[objective]]
name = "response"
noise = { counts = 12, evaluable = "left", of = "patients" }
amounts = "rates"
at_least = 0.2
tolerance = 0.05
[[objective]]
name = "price"
goal = "minimise"
known = true
column = "EUR"
`, map[string]string{"c.csv": "dose,EUR\nlow,5\nhigh,9\n"}},
	"feasible": {`[question]
find = "feasible"
delta = 0.05
[candidates]
names = ["A"]
[[objective]]
name = "response"
goal = "bounded"
noise = { counts = 20 }
amounts = "counts"
at_least = 5
[[objective]]
name = "dose"
unit = "mg"
goal = "bounded"
noise = { sd = 2 }
[[constraint]]
terms = { response = 0.5, dose = -1 }
at_most = 9
`, nil},
	"begins": {`[question]
find = "top"
count = 1
delta = 0.05
[candidates]
names = ["A", "B", "C"]
[[objective]]
name = "yield"
noise = { pilot = { rewards = 4, delta = 0.01 } }
values = [0, 100]
`, nil},
}

// slips are typical mistakes. In each slip, one text of a base, or of one of its tables, is replaced.
var slips = []slip{
	// The following slips are in files and tables.
	{"full", "", `"c.csv"`, `"d.csv"`},
	{"full", "", `file = "c.csv"`, "file = \"c.csv\"\nnames = [\"A\"]"},
	{"full", "", `column = "name"` + "\nfeatures", `column = "nane"` + "\nfeatures"},
	{"full", "", `column = "name"` + "\n[lab", `column = "nane"` + "\n[lab"},
	{"full", "", `features = ["pH"]`, `features = ["ph value"]`},
	{"full", "", `features = ["pH"]`, `features = ["pH", "pH"]`},
	{"full", "", `categories = ["ligand"]`, `categories = ["ligand", "pH"]`},
	{"full", "", `categories = ["ligand"]`, `categories = ["ligands"]`},
	{"full", "", `cost = "price"`, `cost = "prize"`},
	{"full", "", "cost = \"price\"\n", ""},
	{"full", "", `guess = "guess"`, `guess = "guesses"`},
	{"full", "", `file = "pilot.csv"`, `file = "pilots.csv"`},
	{"full", "", `file = "pilot.csv"` + "\n", ""},
	{"full", "c.csv", "1,A,7,x,5,60\n2,B,8,y,6,70\n3,C,9,x,7,50\n4,D,7,y,8,55\n", ""},
	{"full", "c.csv", "2,B", "2,A"},
	{"full", "c.csv", "2,B", "2,"},
	{"full", "c.csv", "2,B", "2,B\u200bb\u202e"},
	{"full", "c.csv", "8,y,6", "8,,6"},
	{"full", "c.csv", "8,y,6", "eight,y,6"},
	{"full", "c.csv", "8,y,6", "8e60,y,6"},
	{"full", "c.csv", "8,y,6", "8,y,0"},
	{"full", "c.csv", "8,y,6", "8,y,2e12"},
	{"full", "c.csv", "8,y,6", "8,y,free"},
	{"full", "c.csv", "6,70", "6,170"},
	{"full", "c.csv", "6,70", "6,"},
	{"full", "c.csv", "number,name,pH", "number,name,name"},
	{"full", "c.csv", "1,A,7,x,5,60\n2,B,8,y,6,70\n", "1,A,7,x,5,60\n2,B,8,y\n"},
	{"full", "pilot.csv", "2,B,71", "2,E,71"},
	{"full", "pilot.csv", "71,2.1", "71,two"},
	{"full", "pilot.csv", "1,A,62,1.7\n2,B,70,2.5\n", ""},
	{"full", "pilot.csv", "impurity", "impurities"},
	{"full", "pilot.csv", "1,A,60,1.5\n1,A,62,1.7\n2,B,70,2.5\n2,B,71,2.1\n3,C,,3\n", ""},
	{"full", "", "[pilot]\nfile = \"pilot.csv\"\ncolumn = \"name\"\n", ""},
	{"good", "", `names = ["A", "B", "C"]`, ""},
	{"good", "", `names = ["A", "B", "C"]`, `names = ["A"]`},
	{"good", "", `names = ["A", "B", "C"]`, `names = ["A", "B", " A "]`},
	{"good", "", `names = ["A", "B", "C"]`, `names = ["A", "", "C"]`},
	{"good", "", `names = ["A", "B", "C"]`, `names = ["A", "B\u0007"]`},
	{"good", "", `names = ["A", "B", "C"]`, `names = ["A", "` + strings.Repeat("ü", 201) + `"]`},
	{"good", "", `names = ["A", "B", "C"]`, `names = ["A", "B"]` + "\nfeatures = [\"pH\"]"},
	{"good", "", `names = ["A", "B", "C"]`, `names = ["A", "B"]` + "\ncategories = [\"pH\"]"},
	{"good", "", `names = ["A", "B", "C"]`, `names = ["A", "B"]` + "\ncost = \"pH\""},
	{"good", "", `names = ["A", "B", "C"]`, `names = ["A", "B"]` + "\ncost_unit = \"EUR\""},
	{"counts", "c.csv", "high,9", "high,nine"},
	{"counts", "", `"EUR"`, `"USD"`},
	{"counts", "", `file = "c.csv"`, `names = ["low", "high"]`},
	// The following slips are in objectives.
	{"good", "", "[[objective]]\nname = \"yield\"\nunit = \"mg\"\nnoise = { range = [0, 100] }\nguess_sd = 9\ntolerance = 2\n", ""},
	{"good", "", `name = "yield"`, `name = ""`},
	{"full", "", `name = "impurity"`, `name = "yield"`},
	{"good", "", `unit = "mg"`, `unit = "m\u2028g"`},
	{"full", "", `"minimise"`, `"less"`},
	{"full", "", "at_least = 40", "at_least = 1e51"},
	{"full", "", "at_least = 40", "at_least = 40\nat_most = 40"},
	{"pareto", "", "at_least = 40", "slack = 1"},
	{"pareto", "", "at_least = 40", "at_least = 40\nslack = -1"},
	{"pareto", "", "at_least = 40", "at_least = 40\nslack = 1e51"},
	{"full", "", "at_least = 40", "at_least = 40\nslack = 1"},
	{"full", "", "at_least = 10", "at_least = 10\nslack = 1"},
	{"pareto", "", "at_least = 40", "tolerance = -1"},
	{"pareto", "", "at_least = 40", "tolerance = 1e51"},
	{"full", "", "at_least = 40", "tolerance = 1"},
	{"full", "", "at_least = 40", "at_least = 40\ngoal = \"bounded\"\ntolerance = 1"},
	{"full", "", "at_most = 3\n", "at_most = 3\ntolerance_percent = 5\n"},
	{"full", "", "weight = 2", "weight = 0"},
	{"full", "", "weight = 2", "norm = -2"},
	{"full", "", "values = [0, 100]", "values = [100, 0]"},
	{"full", "", "values = [0, 100]", "values = [0, 50, 100]"},
	{"full", "", "values = [0, 100]", "values = [65, 100]"},
	{"good", "", "tolerance = 2", "tolerance_percent = 100"},
	{"good", "", "tolerance = 2", "tolerance_percent = -1"},
	{"good", "", "tolerance = 2", "tolerance = 2\ntolerance_percent = 5"},
	{"good", "", "tolerance = 2", "goal = \"minimise\"\ntolerance_percent = 5"},
	{"good", "", "tolerance = 2", "goal = \"bounded\""},
	{"good", "", "tolerance = 2", "norm = -2"},
	// The following slips are in the noise.
	{"good", "", "noise = { range = [0, 100] }", ""},
	{"good", "", "noise = { range = [0, 100] }", "noise = { range = [0, 100], sd = 2 }"},
	{"good", "", "noise = { range = [0, 100] }", "noise = { range = [0, 0] }"},
	{"good", "", "noise = { range = [0, 100] }", "noise = { sd = 2 }"},
	{"good", "", "guess_sd = 9", "guess_sd = 51"},
	{"good", "", "guess_sd = 9", "guess_sd = -1"},
	{"full", "", "sd = 2.0", "sd = 0.0"},
	{"full", "", "sd = 2.0", "sd = 1e-51"},
	{"full", "", "sd = 2.0", "counts = 0"},
	{"full", "", "sd = 2.0", "counts = 1_000_000_001"},
	{"full", "", "delta = 0.005", "delta = 0.5"},
	{"full", "", "delta = 0.005", "delta = 0.05"},
	{"full", "", "delta = 0.005", "delta = 0.005, sd = 2"},
	{"full", "", "delta = 0.005", "delta = 0.005, sd = -2, df = 3"},
	{"full", "", "delta = 0.005", "delta = 0.005, sd = 2, df = -3"},
	{"full", "", "delta = 0.005", "delta = 0.005, rewards = 4"},
	{"begins", "", "rewards = 4", "rewards = 1"},
	{"begins", "", "rewards = 4", "rewards = 10_001"},
	{"begins", "", "rewards = 4", "rewards = 4, df = 3"},
	{"begins", "", "rewards = 4", "rewards = 4, sd = -3"},
	{"begins", "", "values = [0, 100]", ""},
	{"begins", "", "values = [0, 100]", "values = [0, 100]\n[[objective]]\nname = \"b\"\nnoise = { range = [0, 1] }"},
	{"begins", "", "values = [0, 100]", "values = [0, 100]\n[[objective]]\nname = \"b\"\nnoise = { counts = 12 }"},
	{"counts", "", "known = true", "known = true\nnoise = { sd = 1 }"},
	{"counts", "", "known = true", "known = true\nvalues = [6, 9]"},
	{"counts", "", "noise = { counts = 12, evaluable = \"left\", of = \"patients\" }\namounts = \"rates\"\nat_least = 0.2\ntolerance = 0.05", "known = true\ncolumn = \"EUR\""},
	{"counts", "", "at_least = 0.2", "at_least = 2.4"},
	{"counts", "", `amounts = "rates"`, `amounts = "percent"`},
	{"counts", "", `amounts = "rates"`, `unit = "mg"`},
	{"counts", "", `evaluable = "left"`, `evaluable = "response"`},
	{"counts", "", `evaluable = "left"`, `evaluable = "note"`},
	{"counts", "", `counts = 12, evaluable`, `sd = 12, evaluable`},
	// The following slips are in constraints.
	{"full", "", "{ yield = 1, impurity = -2 }", "{ yields = 1 }"},
	{"full", "", "{ yield = 1, impurity = -2 }", "{ yield = 1e51 }"},
	{"full", "", "{ yield = 1, impurity = -2 }", "{ yield = 0 }"},
	{"full", "", "at_least = 10\n", ""},
	{"full", "", "at_least = 10\n", "at_least = 10\nat_most = 10\n"},
	{"full", "", "at_least = 10\n", "at_most = 1e51\n"},
	{"pareto", "", "slack = 0.5", "slack = -0.5"},
	{"full", "", `name = "net"`, `name = "net\nto"`},
	{"full", "", "[pilot]", strings.Repeat("[[constraint]]\nterms = { yield = 1 }\nat_least = 1\n", 100) + "[pilot]"},
	// The following slips are in questions.
	{"full", "", `find = "best"` + "\n", ""},
	{"full", "", `find = "best"`, `find = "worst"`},
	{"full", "", `find = "best"`, `find = "top"`},
	{"full", "", `find = "best"`, `find = "top"` + "\ncount = 4"},
	{"full", "", `find = "best"`, `find = "best"` + "\ncount = 2"},
	{"full", "", `find = "best"`, `find = "good"`},
	{"full", "", `find = "best"`, `find = "feasible"`},
	{"full", "", `find = "best"`, `find = "pareto"`},
	{"full", "", "delta = 0.05\n", "delta = 0.5\n"},
	{"full", "", "delta = 0.05\n", "delta = 1e-51\n"},
	{"good", "", `find = "good"`, `find = "feasible"`},
	{"good", "", `find = "good"` + "\ndelta = 0.05", `find = "best"` + "\ndelta = 0.05\ncount = 1"},
	{"good", "", `tolerance = 2`, "at_least = 3"},
	{"counts", "", "goal = \"minimise\"\nknown", "goal = \"bounded\"\nat_most = 7\nknown"},
	{"begins", "", "values = [0, 100]", "goal = \"bounded\"\nat_most = 7\nvalues = [0, 100]"},
	{"feasible", "", `names = ["A"]`, `names = []`},
	{"feasible", "", "at_least = 5\n", ""},
	{"feasible", "", "at_most = 9", "at_most = 9\nslack = 1"},
	{"feasible", "", "at_least = 5\n", "at_least = 0.5\n"},
	{"feasible", "", "amounts = \"counts\"\nat_least = 5\n", "at_least = 0.5\n"},
	{"feasible", "", "counts = 20", "counts = 20, of = \"pa\ttients\""},
	{"feasible", "", "sd = 2", "sd = 2, of = \"patients\""},
	{"feasible", "", "sd = 2", "sd = 2, evaluable = \"left\""},
	{"feasible", "", "sd = 2", "counts = 10, evaluable = \"left\""},
	{"feasible", "", `find = "feasible"`, `find = "best"`},
	{"counts", "", `name = "response"`, `name = "ticket"`},
	{"counts", "", "tolerance = 0.05", "slack = 1.5\nguess = \"EUR\""},
	{"full", "c.csv", "1,A,7,x,5,60\n2,B,8,y,6,70\n3,C,9,x,7,50\n4,D,7,y,8,55\n", "1,A,7,x,5,60\n2,B,7,x,6,70\n3,C,7,x,7,50\n4,D,7,x,8,55\n"},
	{"pareto", "", "[laboratory]", "[method]\nname = \"LUCB\"\n[laboratory]"},
	{"pareto", "", "[laboratory]", "[method]\nname = \"nobody's\"\n[laboratory]"},
	{"pareto", "", "plate = 8", "plate = 8\nfill = true\n[method]\nname = \"e-cAPE\""},
	{"good", "", "tolerance = 2", "tolerance = 2\n[method]\nname = \"EGE-SH\""},
	// The following slips are in laboratories.
	{"full", "", "plate = 8\nfill = true\nreference = \"control\"\n", "fill = true\n"},
	{"full", "", "plate = 8\nfill = true\n", "plate = 1\n"},
	{"full", "", "plate = 8\n", "plate = 1_000_001\n"},
	{"full", "", `reference = "control"`, "reference_wells = 2"},
	{"full", "", `reference = "control"`, "reference = \"control\"\nreference_wells = -1"},
	{"full", "", `reference = "control"`, "reference = \"control\"\nreference_wells = 8"},
	{"full", "", `reference = "control"`, `reference = "control\t2"`},
	{"full", "", "at_once = 2", "at_once = 1001"},
	{"full", "", "days = 0.5", "days = 1e6"},
	{"full", "", "failures = 0.05", "failures = 0.91"},
	{"full", "", "late = 0.1", "late = -0.1"},
	{"full", "", "late_by = 2", "late_by = 1001"},
	{"full", "", `extras = "accept"`, `extras = "take"`},
	{"full", "", "measurements = 500", "measurements = -1"},
	{"full", "", `title = "Full"`, `title = "` + strings.Repeat("x", 201) + `"`},
	{"full", "", `title = "Full"`, `title = "F\u202eull"`},
	// The following slips are in methods.
	{"full", "", "seed = 3", "radius = \"wide\""},
	{"full", "", "seed = 3", "radius = \"fitted\""},
	{"counts", "", `column = "EUR"`, "column = \"EUR\"\n[method]\nradius = \"Kaufmann-Koolen\""},
	// The following slips are in the syntax of TOML.
	{"full", "", "[[constraint]]", "[[constraint]"},
	{"full", "", "[question]", "[questions]"},
	{"full", "", "independent = true", "independent = 1"},
	{"full", "", "{ yield = 1, impurity = -2 }", "[\"yield\"]"},
	{"full", "", "{ sd = 2.0 }", "2.0"},
	{"full", "", "values = [0, 100]", "values = 100"},
	{"full", "", `categories = ["ligand"]`, `categories = "ligand"`},
	{"full", "", "[laboratory]", "[method]"},
	{"full", "", "seed = 3", "seed = 3\nsead = 4"},
	{"full", "", "seed = 3", "seed = 3\n" + strings.Repeat("q", 41) + " = 4"},
	{"full", "", "seed = 3", "seed = 3\nunlikely = 4"},
	{"full", "", `title = "Full"`, "title = \"\xff\""},
}

// just lists replacements that are still accepted, mostly with the largest or smallest allowed values.
var just = []slip{
	{"full", "c.csv", "8,y,6", "8e49,y,6"},
	{"full", "c.csv", "8,y,6", "8,y,1e12"},
	{"full", "c.csv", "8,y,6", "8,y,0.000001"},
	{"full", "c.csv", "6,70", "6,100"},
	{"full", "c.csv", "6,70", "6,0"},
	{"good", "", `names = ["A", "B", "C"]`, `names = ["A", "` + strings.Repeat("ü", 200) + `"]`},
	{"full", "", "at_least = 40", "at_least = 1e50"},
	{"full", "", "at_least = 40", "at_least = 40\nat_most = 40.001"},
	{"pareto", "", "at_least = 40", "at_least = 40\nslack = 1e50"},
	{"pareto", "", "at_least = 40", "tolerance = 0"},
	{"pareto", "", "slack = 0.5", "slack = 0.0"},
	{"full", "", "weight = 2", "weight = 1e-6"},
	{"good", "", "tolerance = 2", "tolerance_percent = 99"},
	{"good", "", "tolerance = 2", "tolerance_percent = 0.001"},
	{"good", "", "guess_sd = 9", "guess_sd = 50"},
	{"full", "", "sd = 2.0", "sd = 1e-50"},
	{"full", "", "sd = 2.0", "sd = 1e50"},
	{"feasible", "", "counts = 20", "counts = 1_000_000_000"},
	{"feasible", "", "counts = 20 }\namounts = \"counts\"\nat_least = 5", "counts = 1 }\namounts = \"counts\"\nat_least = 0.5"},
	{"full", "", "delta = 0.005", "delta = 0.0499"},
	{"full", "", "delta = 0.005", "delta = 1e-50"},
	{"full", "", "delta = 0.005", "delta = 0.005, sd = 2, df = 1"},
	{"full", "", "delta = 0.005", "delta = 0.005, sd = 2, df = 1_000_000_000"},
	{"begins", "", "rewards = 4", "rewards = 2"},
	{"begins", "", "rewards = 4", "rewards = 10_000"},
	{"begins", "", "rewards = 4", "rewards = 4, sd = 3"},
	{"begins", "", "values = [0, 100]", "values = [0, 1e50]"},
	{"counts", "", "at_least = 0.2", "at_least = 0.999"},
	{"full", "", "{ yield = 1, impurity = -2 }", "{ yield = 1e50 }"},
	{"full", "", "{ yield = 1, impurity = -2 }", "{ yield = 0, impurity = -2 }"},
	{"full", "", "at_least = 10\n", "at_most = 1e50\n"},
	{"full", "", "[pilot]", strings.Repeat("[[constraint]]\nterms = { yield = 1 }\nat_least = 1\n", 99) + "[pilot]"},
	{"full", "", "delta = 0.05\n", "delta = 0.499\n"},
	{"good", "", "delta = 0.05\n", "delta = 1e-50\n"},
	{"feasible", "", "amounts = \"counts\"\nat_least = 5\n", "amounts = \"counts\"\nat_least = 19.5\n"},
	{"begins", "", "count = 1", "count = 2"},
	{"full", "", "plate = 8\nfill = true\nreference = \"control\"\n", "plate = 2\nfill = true\n"},
	{"full", "", "plate = 8\n", "plate = 1_000_000\n"},
	{"full", "", `reference = "control"`, "reference = \"control\"\nreference_wells = 7"},
	{"full", "", "at_once = 2", "at_once = 1000"},
	{"full", "", "days = 0.5", "days = 1e5"},
	{"full", "", "failures = 0.05", "failures = 0.9"},
	{"full", "", "failures = 0.05", "failures = 0"},
	{"full", "", "late = 0.1", "late = 0.9"},
	{"full", "", "late_by = 2", "late_by = 1000"},
	{"full", "", "late_by = 2", "late_by = 2\nexpire = \"1m\""},
	{"full", "", "late_by = 2", "late_by = 2\nexpire = \"8760h0m\""},
	{"full", "", `title = "Full"`, `title = "` + strings.Repeat("ü", 200) + `"`},
}

// A slip is a base with the text old replaced by new, in the problem or in a table.
type slip struct{ base, table, old, new string }

// changed returns the text and the tables with the slip.
func (s slip) changed(t *testing.T) (text string, tables map[string]string) {
	b := bases[s.base]
	text, tables = b.text, maps.Clone(b.tables)
	was := text
	if s.table != "" {
		was = tables[s.table]
	}
	now := strings.Replace(was, s.old, s.new, 1)
	if now == was {
		t.Errorf("%s has no %q", s.base, s.old)
	}
	if s.table != "" {
		tables[s.table] = now
	} else {
		text = now
	}
	return text, tables
}

func TestJustTaken(t *testing.T) {
	for _, x := range just {
		text, tables := x.changed(t)
		if _, err := Parse("p.toml", []byte(text), files(tables)); err != nil {
			t.Errorf("%s, %.60q instead of %q: %v", x.base, x.new, x.old, err)
		}
	}
}

// Each error names the place of the mistake. The bases have no errors, so each error is caused by the mistake. The
// places, with file, line and field, are in testdata/slips.txt.
func TestSlips(t *testing.T) {
	for name, b := range bases {
		if _, err := Parse("p.toml", []byte(b.text), files(b.tables)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	var out strings.Builder
	for _, x := range slips {
		text, tables := x.changed(t)
		p, err := Parse("p.toml", []byte(text), files(tables))
		fmt.Fprintf(&out, "%s %s: %.60q for %.60q =>", x.base, x.table, x.new, x.old)
		switch {
		case err != nil && p != nil:
			t.Errorf("%q: a problem with faults was returned", x.new)
		case err != nil:
			for line := range strings.Lines(err.Error()) {
				fmt.Fprintf(&out, " %s;", strings.Join(strings.SplitN(strings.TrimSpace(line), ": ", 3)[:min(2, strings.Count(line, ": "))], " "))
			}
		default:
			if _, err := p.Compile(); err != nil {
				fmt.Fprintf(&out, " compile: %s", strings.Split(err.Error(), ": ")[0])
			} else {
				fmt.Fprint(&out, " nothing is wrong")
			}
		}
		fmt.Fprintln(&out)
	}
	golden.Check(t, "slips.txt", out.String())
}

// A problem whose size is exactly at a limit is accepted.
func TestLimits(t *testing.T) {
	many := func(n int) string {
		return "[question]\nfind = \"best\"\ndelta = 0.05\n[candidates]\nfile = \"c.csv\"\n" +
			strings.Repeat("[[objective]]\nname = \"y%d\"\nnoise = { sd = 1 }\n", n)
	}
	table := func(k int) map[string]string {
		var b strings.Builder
		b.WriteString("name\n")
		for i := range k {
			fmt.Fprintf(&b, "c%d\n", i)
		}
		return map[string]string{"c.csv": b.String()}
	}
	wide := func(h int) (string, map[string]string) {
		var b strings.Builder
		b.WriteString("name,kind\n")
		for i := range h {
			fmt.Fprintf(&b, "c%d,k%d\n", i, i)
		}
		return strings.Replace(many(1), "[[objective]]", "categories = [\"kind\"]\n[[objective]]", 1),
			map[string]string{"c.csv": b.String()}
	}
	numbered := func(n int) string {
		args := make([]any, n)
		for i := range args {
			args[i] = i
		}
		return fmt.Sprintf(many(n), args...)
	}
	text, tables := wide(999)
	tooWide, wideTables := wide(1001)
	for _, x := range []struct {
		text   string
		tables map[string]string
		want   string
	}{
		{numbered(1), table(MostCandidates), ""},
		{numbered(1), table(MostCandidates + 1), "p.toml:4: candidates: 100001; expected at most 100000"},
		{numbered(MostObjectives), table(2), ""},
		{numbered(MostObjectives + 1), table(2), "p.toml:6: objective: 21; expected at most 20"},
		{fmt.Sprintf(text, 0), tables, ""},
		{fmt.Sprintf(tooWide, 0), wideTables, "p.toml:6: candidates.categories[1]: the values make more than 1000 " +
			"features; use a column with fewer distinct values"},
		{numbered(1) + strings.Repeat("#", LargestFile-len(numbered(1))), table(2), ""},
		{numbered(1) + strings.Repeat("#", LargestFile+1-len(numbered(1))), table(2),
			fmt.Sprintf("p.toml: %d bytes; expected a problem file of at most %d bytes; put tables into separate files", LargestFile+1, LargestFile)},
	} {
		_, err := Parse("p.toml", []byte(x.text), files(x.tables))
		switch {
		case err == nil && x.want != "":
			t.Errorf("want %s", x.want)
		case err != nil && err.Error() != x.want:
			t.Errorf("%v; want %q", err, x.want)
		}
	}
}
