package problem

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/purexp/purexp/pkg/explore"
)

// files opens the tables of a test.
func files(tables map[string]string) func(string) ([]byte, error) {
	return func(name string) ([]byte, error) {
		text, ok := tables[name]
		if !ok {
			return nil, fmt.Errorf("%s: no such file", name)
		}
		return []byte(text), nil
	}
}

const catalysts = `title = "Catalysts for step 3"

[question]
find = "pareto"
delta = 0.05

[candidates]
file = "catalysts.csv"
column = "catalyst"

[[objective]]
name = "yield"
unit = "%"
noise = { sd = 2.0 }
values = [0, 100]
at_least = 40
guess = "expected yield"

[[objective]]
name = "impurity"
unit = "%"
goal = "minimise"
noise = { sd = 0.5 }
at_most = 3
guess = "expected impurity"

[laboratory]
plate = 8
days = 0.5
failures = 0.05
`

const catalystTable = "catalyst,ligand,pH,expected yield,expected impurity\n" +
	"A07,PPh3,7,62,1.5\nB02,PCy3,8,71,2.2\nC11,PCy3,9,35,0.9\n"

func TestParse(t *testing.T) {
	p, err := Parse("catalysts.toml", []byte(catalysts), files(map[string]string{"catalysts.csv": catalystTable}))
	if err != nil {
		t.Fatal(err)
	}
	c, err := p.Compile()
	if err != nil {
		t.Fatal(err)
	}
	if got := explore.Name(c.Policy()); !strings.HasPrefix(got, "feasible Pareto set by betting (delta 0.0475") {
		t.Errorf("policy %s", got)
	}
	r, err := c.In(nil, 0, []float64{54, 2.5})
	if err != nil || r[0] != 2 || r[1] != -5 {
		t.Errorf("rewards %v, %v; want 2 and -5", r, err)
	}
	for i, want := range []float64{54, 2.5} {
		if back := c.Scales[i].Out(r[i]); back != want {
			t.Errorf("back in units: %v", back)
		}
	}
	again, err := Decode(p.Encode())
	if err != nil || !bytes.Equal(again.Encode(), p.Encode()) {
		t.Errorf("decoded: %v\n%s\n%s", err, p.Encode(), again.Encode())
	}
	if q, err := Decode(p.Canonical()); err != nil || !bytes.Equal(q.Canonical(), p.Canonical()) {
		t.Errorf("canonical: %v", err)
	}
}

func TestErrors(t *testing.T) {
	for _, x := range []struct{ old, new, want string }{
		{"plate = 8", "plate = 1.5", "c.toml:28: laboratory.plate: 1.5; expected a whole number"},
		{"plate = 8", "plat = 8", "c.toml:28: laboratory.plat: unknown field; did you mean plate?"},
		{"delta = 0.05", "delta = 0", "c.toml:5: question.delta: 0; expected the error probability"},
		{"unit = \"%\"", "unit = 3", "c.toml:13: objective[1].unit: 3; expected text in quotes"},
		{"sd = 2.0", "sd = -2.0", "c.toml:14: objective[1].noise.sd: -2; expected a positive"},
		{"noise = { sd = 0.5 }", "noise = { pilot = { sd = 1.0, df = 5, delta = 0 } }",
			"c.toml:23: objective[2].noise.pilot.delta: missing"},
		{"[laboratory]", "[laboratory", "c.toml:27: column"},
		{"file = \"catalysts.csv\"", "file = \"x.csv\"", "c.toml:8: candidates.file: x.csv: no such"},
	} {
		text := strings.Replace(catalysts, x.old, x.new, 1)
		_, err := Parse("c.toml", []byte(text), files(map[string]string{"catalysts.csv": catalystTable}))
		if err == nil || !strings.HasPrefix(err.Error(), x.want) {
			t.Errorf("%s:\n%v\nwant %s", x.new, err, x.want)
		}
	}
}

// A protocol is frozen or empty.
func TestProtocol(t *testing.T) {
	for text, want := range map[string]string{"": "", `protocol = "frozen"`: "",
		`protocol = "open"`: `p.toml:1: protocol: "open"; expected "frozen", or leave it out`} {
		p, err := Parse("p.toml", []byte(text+`
[question]
find = "best"
delta = 0.05
[candidates]
names = ["a", "b"]
[[objective]]
name = "y"
noise = { sd = 1 }
`), nil)
		switch {
		case want != "":
			if err == nil || err.Error() != want {
				t.Errorf("%v; want %s", err, want)
			}
		case err != nil:
			t.Error(err)
		case (p.Protocol == Frozen) != (text != ""):
			t.Errorf("%q: %q", text, p.Protocol)
		}
	}
}
