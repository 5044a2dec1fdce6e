package problem

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

// faultsOf returns the errors of a problem as text.
func faultsOf(t *testing.T, text, table string) (list []string) {
	t.Helper()
	_, err := Parse("p.toml", []byte(text), files(map[string]string{"c.csv": table}))
	if err == nil {
		return nil
	}
	var errs Errors
	if !errors.As(err, &errs) {
		t.Fatal(err)
	}
	for _, e := range errs {
		if e.File == "" {
			list = append(list, e.Text)
			continue
		}
		list = append(list, fmt.Sprintf("%d %s: %s", e.Line, e.Field, e.Text))
	}
	return list
}

// Wrong types, unknown fields, impossible values and cells without numbers are reported together,
// each with its line; consequences of other errors are not reported.
func TestAllFaults(t *testing.T) {
	const text = `title = 3
protocol = "open"
[question]
find = "pareto"
delta = "x"
[candidates]
file = "c.csv"
features = ["pH", 7]
[[objective]]
name = "yield"
noise = { sd = -2.0 }
values = [0, "a"]
at_least = "40"
slack = 1
tolerence = 1
[[objective]]
nam = "impurity"
goal = "minimise"
noise = { sd = 0.5, sigma = 3 }
guess = "guess"
[[objective]]
name = "price"
known = true
weight = true
[laboratory]
plate = 1.5
fill = true
days = -1
[method]
seed = -3
`
	got := faultsOf(t, text, "name,guess,price\nA,1,5\nB,x,y\nA,z,2\n")
	want := []string{
		"1 title: 3; expected text in quotes",
		`2 protocol: "open"; expected "frozen"`,
		`5 question.delta: "x"; expected a number`,
		"8 candidates.features[2]: 7; expected text in quotes",
		"11 objective[1].noise.sd: -2; expected a positive",
		`12 objective[1].values[2]: "a"; expected a number`,
		`13 objective[1].at_least: "40"; expected a number`,
		"15 objective[1].tolerence: unknown field; did you mean tolerance?",
		"17 objective[2].nam: unknown field; did you mean name?",
		"19 objective[2].noise.sigma: unknown field; did you mean sd?",
		"24 objective[3].weight: true; expected a number",
		"26 laboratory.plate: 1.5; expected a whole number",
		"28 laboratory.days: -1; expected the duration",
		"30 method.seed: -3; expected a non-negative whole number",
		`c.csv:4: column "name": "A" is also the candidate in line 2`,
		`c.csv:3: column "guess": "x" is not`,
		`c.csv:4: column "guess": "z" is not`,
		`c.csv:3: column "price": "y" is not`,
	}
	for i := range max(len(got), len(want)) {
		switch {
		case i >= len(got):
			t.Errorf("not reported: %s", want[i])
		case i >= len(want):
			t.Errorf("told: %s", got[i])
		case !strings.HasPrefix(got[i], want[i]):
			t.Errorf("%s\nwant %s", got[i], want[i])
		}
	}
}

// Errors that would disappear with the correction of another error are not reported.
func TestFollowingFaults(t *testing.T) {
	const text = `[question]
find = "best"
delta = 0.05
[candidates]
file = "c.csv"
[[objective]]
name = "yield"
goal = "bounded"
noise = { sd = 2 }
at_least = 40
[[objective]]
name = "price"
known = true
[[constraint]]
terms = { yield = 1, price = 2 }
at_most = 9
`
	const table = "name,price\nA,1\nB,2\nC,3\n"
	if got := faultsOf(t, text, table); got != nil {
		t.Fatal(got)
	}
	for _, x := range []struct {
		old, new string
		want     int // number of errors
	}{
		{"at_least = 40", `at_least = "40"`, 1},
		{`name = "yield"`, "name = 7", 1},
		{"file = \"c.csv\"", "file = 3", 1},
		{"file = \"c.csv\"", "file = \"d.csv\"", 1},
		{"find = \"best\"", "find = true\ncount = 2", 1},
		{"[[constraint]]", "[constraint]", 1},
		{"[[objective]]\nname = \"price\"\nknown = true", "", 2}, // no objective to compare, and an unknown objective in the constraint
		{"terms = { yield = 1, price = 2 }", "terms = { yield = \"1\", price = 2 }", 1},
		{"at_most = 9", "at_mots = 9", 1},
		{"at_least = 40", "at_least = 40\nslack = 1\nvalues = [2, 1]", 2},
	} {
		changed := strings.Replace(text, x.old, x.new, 1)
		if got := faultsOf(t, changed, table); len(got) != x.want {
			t.Errorf("%s: %d faults:\n%s", x.new, len(got), strings.Join(got, "\n"))
		}
	}
}

// In a column without numbers, the first ten errors are reported, and one more error states the number of remaining
// cells.
func TestManyCells(t *testing.T) {
	text := "[question]\nfind = \"best\"\ndelta = 0.05\n[candidates]\nfile = \"c.csv\"\nfeatures = [\"x\"]\n" +
		"[[objective]]\nname = \"y\"\nnoise = { sd = 1 }\n"
	table := "name,x\n"
	for i := range 100 {
		table += fmt.Sprintf("c%d,high\n", i)
	}
	got := faultsOf(t, text, table)
	if len(got) != mostCells+1 || !strings.HasPrefix(got[mostCells],
		`c.csv:101: column "x": the last of 90 further cells with this error`) {
		t.Errorf("%d faults, the last %s", len(got), got[len(got)-1])
	}
}

// The suggestion for an unknown field has a similar spelling, or is the field that other programs call by this name.
// Names of at least four letters may differ by two letters, and shorter names by one.
func TestNearest(t *testing.T) {
	words := []string{"at_least", "at_most", "goal", "tolerance", "delta", "plate", "sd", "objective", "constraint", "names", "method"}
	for name, want := range map[string]string{
		"min": "at_least", "Minimum": "at_least", "lower": "at_least", "max": "at_most", "maximum": "at_most", "upper": "at_most",
		"direction": "goal", "epsilon": "tolerance", "alpha": "delta", "batch": "plate", "batch size": "plate", "batch-size": "plate",
		"sigma": "sd", "std": "sd", "objectives": "objective", "constraints": "constraint", "arms": "names", "policy": "method",
		"algorithm": "method", "at-least": "at_least", "gaol": "goal", "goel": "goal", "go": "", "god": "", "goa": "goal", "s": "sd",
		"xd": "sd", "xy": "", "dlta": "delta", "dltaa": "delta", "dxxta": "delta", "dxxxa": "", "colour": "",
	} {
		if got := nearest(name, words); got != want {
			t.Errorf("%q: %q; want %q", name, got, want)
		}
	}
}

// TestExcess: decoding files like these takes seconds to minutes. The parser rejects such files before decoding,
// at the first line beyond the limit.
func TestExcess(t *testing.T) {
	var dotted, inline, tables strings.Builder
	inline.WriteString("title = {")
	for i := range 10 * mostFields {
		fmt.Fprintf(&dotted, "a%d.b.c.d = 1\n", i)
		fmt.Fprintf(&inline, "a%d.b = 1, ", i)
		fmt.Fprintf(&tables, "[[a%d.b]]\n", i)
	}
	inline.WriteString("z = 1}\n")
	deep := "\na" + strings.Repeat(".b", 50_000) + " = 1\n"
	nested := "title = " + strings.Repeat("{a = ", 9000) + "1" + strings.Repeat("}", 9000)
	for name, c := range map[string]struct{ text, want string }{
		"dotted": {dotted.String(), fmt.Sprintf("f.toml:%d: more than %d fields", mostFields+1, mostFields)},
		"inline": {inline.String(), "f.toml:1: more than"},
		"tables": {tables.String(), fmt.Sprintf("f.toml:%d: more than", mostFields+1)},
		"deep":   {deep, "f.toml:2: the name has more than 16 parts"},
		"nested": {nested, "f.toml:1: more than"},
	} {
		if _, err := Parse("f.toml", []byte(c.text), nil); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %.200v; want %q", name, err, c.want)
		}
	}
}

// If a column of numbers is missing or contains text, the error names the field or the cell, for guesses and for known
// values.
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

// TOML keys are read regardless of case. A field that occurs twice, in different cases, is an error.
func TestFieldTwice(t *testing.T) {
	_, err := Parse("p.toml", []byte("question = { find = \"best\", delta = 0.1 }\ncandidates = { names = [\"a\", \"b\"] }\n"+
		"[[objective]]\nname = \"y\"\nnoise = { sd = 1 }\nGoal = \"maximise\"\ngoal = \"minimise\"\n"), nil)
	var errs Errors
	if !errors.As(err, &errs) || len(errs) != 1 || errs[0].Line != 7 || errs[0].Field != "objective[1].goal" {
		t.Errorf("%v", err)
	}
}

// Names of candidates and objectives that look like other names are rejected in a new problem. The record of an older
// campaign may contain such names.
func TestDisguised(t *testing.T) {
	for names, field := range map[string]string{
		"\"A\", \"\u0410\"": "candidates.names[2]", "\"A\", \"\uff21\"": "candidates.names[2]", "\"Ni\u200b\", \"Pd\"": "candidates.names[1]",
		"\"A\", \"p\u041d7\"": "candidates.names[2]", "\"x\", \"y\"]\n[[objective]]\nname = \"\u0443\"\nnoise = { sd = 1 }\n#": "objective[2].name",
	} {
		text := "question = { find = \"pareto\", delta = 0.1 }\n[[objective]]\nname = \"y\"\nnoise = { sd = 1 }\n[candidates]\nnames = [" + names + "]\n"
		_, err := Parse("p.toml", []byte(text), nil)
		var errs Errors
		if !errors.As(err, &errs) || len(errs) != 1 || errs[0].Field != field {
			t.Errorf("%+q: %v; want an error about %s", names, err, field)
		}
	}
	p, err := Parse("p.toml", []byte("title = \"β-lactams\"\nquestion = { find = \"best\", delta = 0.1 }\n[[objective]]\nname = \"ΔT\"\nunit = \"µK\"\n"+
		"noise = { sd = 1 }\n[candidates]\nnames = [\"β-1\", \"α-1\"]\n"), nil)
	if err != nil {
		t.Fatal(err)
	}
	p.Candidates.Names[1] = "\u03b2-1\u200b"
	if _, err := Decode(p.Encode()); err != nil {
		t.Errorf("of an older campaign: %v", err)
	}
}

// TestExactMethods: a tolerance is rejected if the method does not use it. Methods that use tolerances accept a
// tolerance, and so does the default method.
func TestExactMethods(t *testing.T) {
	text := func(method string) string {
		return `question = {find = "best", delta = 0.05}
candidates = {names = ["A", "B", "C"]}
method = {name = "` + method + `"}
[[objective]]
name = "yield"
tolerance = 3
noise = {sd = 2}
`
	}
	for method, taken := range map[string]bool{"": true, "APE": true, "LinGapE": true, "Betting": true,
		"Racing": false, "e-cAPE": false, "Uniform": false} {
		p, err := Parse("p.toml", []byte(text(method)), nil)
		if taken {
			if err != nil {
				t.Errorf("%s: %v", method, err)
			} else if use, _ := p.Tolerant(); !use {
				t.Errorf("%s: the tolerance is not used", method)
			}
			continue
		}
		want := "p.toml:6: objective[1].tolerance: 3, but the method " + method + " ignores it"
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v; want %q", method, err, want)
		}
	}
}

// A reference occupies wells of each plate, and must leave some wells for candidates.
func TestReference(t *testing.T) {
	for _, x := range []struct {
		lab  string
		free int
		want string // text of the error, or "" for no error
	}{
		{`reference = "DMSO"`, 7, ""},
		{"reference = \" DMSO \"\nreference_wells = 2", 6, ""},
		{`reference = "B02"`, 7, ""},
		{"reference_wells = 2", 0, "c.toml:29: laboratory.reference_wells: 2, but the reference is missing"},
		{"reference = \"DMSO\"\nreference_wells = 8", 0, "c.toml:30: laboratory.reference_wells: 8 of the 8 wells of a plate"},
		{"reference = \"DMSO\"\nreference_wells = -1", 0, "c.toml:30: laboratory.reference_wells: -1"},
		{`reference = "a\u0007b"`, 0, "c.toml:29: laboratory.reference: "},
	} {
		p, err := Parse("c.toml", []byte(strings.Replace(catalysts, "plate = 8", "plate = 8\n"+x.lab, 1)),
			files(map[string]string{"catalysts.csv": catalystTable}))
		var wrong Errors
		switch {
		case x.want != "":
			if !errors.As(err, &wrong) || len(wrong) != 1 || !strings.HasPrefix(err.Error(), x.want) {
				t.Errorf("%s: %v; want %s", x.lab, err, x.want)
			}
		case err != nil:
			t.Error(err)
		case p.Laboratory.Free() != x.free || p.Laboratory.References(1) != 0:
			t.Errorf("%s: %d wells are free; want %d", x.lab, p.Laboratory.Free(), x.free)
		}
	}
}

// A campaign may have as many candidates as its radius, question and features allow, and no more.
func TestServable(t *testing.T) {
	ten := 10
	counts, ranges, sd := Noise{Counts: &ten}, Noise{Range: []float64{0, 1}}, Noise{SD: new(float64)}
	*sd.SD = 1
	for _, x := range []struct {
		what   string
		most   int
		find   string
		noise  Noise
		linear bool
		method Method
	}{
		{"counts", 1000, FindBest, counts, false, Method{}},
		{"a Pareto set of counts", 1000, FindPareto, counts, false, Method{Radius: RadiusFitted}},
		{"ranges", 3000, FindBest, ranges, false, Method{}},
		{"features", 5000, FindPareto, sd, true, Method{}},
		{"another radius", 100000, FindBest, counts, false, Method{Radius: RadiusMixture}},
		{"a fixed budget", 100000, FindBest, counts, false, Method{Name: "EGE-SH"}},
		{"counts with features", 100000, FindBest, counts, true, Method{}},
		{"Gaussian noise", 100000, FindPareto, sd, false, Method{}},
	} {
		for _, over := range []int{0, 1} {
			if x.most == MostCandidates && over > 0 {
				continue // Validate rejects more than MostCandidates
			}
			p := &Problem{Question: Question{Find: x.find, Delta: .05}, Method: x.method,
				Objectives: []Objective{{Name: "y", Goal: Maximise, Noise: x.noise}}}
			for i := range x.most + over {
				p.Candidates.Names = append(p.Candidates.Names, fmt.Sprint(i))
			}
			if x.linear {
				p.Candidates.Features = make([][]float64, p.K())
			}
			err := p.Servable()
			var e Errors
			if over == 0 && err != nil || over == 1 && (!errors.As(err, &e) || e[0].Field != "candidates") {
				t.Errorf("%s: %d candidates: %v", x.what, p.K(), err)
			}
		}
	}
}
