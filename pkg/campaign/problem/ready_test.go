package problem_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/purexp/purexp/pkg/campaign/problem"
)

// A tolerance or a slack that no method uses is rejected; the error names the field.
func TestServed(t *testing.T) {
	const text = `[question]
find = %q
delta = 0.05
[candidates]
names = ["a", "b", "c"]
[[objective]]
name = "yield"
noise = { sd = 2 }
%s
`
	for _, c := range []struct{ find, more, want string }{
		{"best", "tolerance = 1", ""},
		{"good", "tolerance = 1", ""},
		{"pareto", "tolerance = 1\nat_least = 40\nslack = 1", ""},
		{"best", "at_least = 40", ""},
		{"best", "at_least = 40\ntolerance = 1", "p.toml:10: objective[1].tolerance: 1, but no method " +
			"for \"best\" with bounds uses this field"},
		{"best", "at_least = 40\nslack = 1", "objective[1].slack"},
		{"feasible", "at_least = 40\nslack = 1", "objective[1].slack: 1, but no method for " +
			"\"feasible\" with bounds"},
		{"feasible", "at_least = 40\ntolerance = 2", "objective[1].tolerance"},
	} {
		_, err := problem.Parse("p.toml", fmt.Appendf(nil, text, c.find, c.more), nil)
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s, %s: %v; want %q", c.find, c.more, err, c.want)
		}
	}
}

// Names that a worksheet cannot use, and features that no method can use, are rejected at the
// start.
func TestReady(t *testing.T) {
	const text = `[question]
find = "best"
delta = 0.05
[candidates]
file = "c.csv"
features = [%q]
[[objective]]
name = %q
noise = { sd = 2 }
`
	for _, c := range []struct{ feature, name, want string }{
		{"x", "yield", ""},
		{"x", "Plate", ""},
		{"x", "plate", `p.toml:8: objective[1].name: "plate" is another column of worksheets`},
		{"x", "ticket", "another column of worksheets"},
		{"x", "event", `"event" is another column of worksheets or exports; use another name, such as "event value"`},
		{"x", "note", "another column of worksheets"},
		{"same", "yield", "p.toml:6: candidates.features: all candidates have the same features"},
	} {
		_, err := problem.Parse("p.toml", fmt.Appendf(nil, text, c.feature, c.name),
			func(string) ([]byte, error) { return []byte("c,x,same\na,1,3\nb,2,3\n"), nil })
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s, %s: %v; want %q", c.feature, c.name, err, c.want)
		}
	}
}

// A pilot's table is rejected if the results of one candidate scatter more than a common standard deviation allows.
// The column of candidates may be anywhere in the table.
func TestUnequalPilotTable(t *testing.T) {
	text := "[candidates]\nnames = [\"a\", \"b\", \"c\"]\ncolumn = \"candidate\"\n[pilot]\nfile = \"pilot.csv\"\n[[objective]]\nname = \"y\"\nunit = \"g\"\n" +
		"noise = { pilot = { delta = 0.005 } }\n[question]\nfind = \"best\"\ndelta = 0.05\n"
	for spread, wrong := range map[float64]bool{1: false, 100: true} {
		table := "day,Candidate,Y (g)\n"
		for _, v := range []float64{-1, .5, 1, -.5, 0, .2} {
			table += fmt.Sprintf("1,a,%v\n1,b,%v\n1,c,%v\n", v, spread*v, -v)
		}
		_, err := problem.Parse("p.toml", []byte(text), func(string) ([]byte, error) { return []byte(table), nil })
		if got := err != nil && strings.Contains(err.Error(), "pilot.csv:3: column \"Y (g)\": b has 100 times the standard deviation"); got != wrong || wrong == (err == nil) {
			t.Errorf("spread %v: %v", spread, err)
		}
	}
	_, err := problem.Parse("p.toml", []byte(text), func(string) ([]byte, error) { return []byte("candidate,x\na,1\na,2\n"), nil })
	if err == nil || !strings.Contains(err.Error(), `p.toml:5: pilot.file: no column is named after a measured objective; the columns are ["candidate" "x"]`) {
		t.Error(err)
	}
}
