package plan

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/purexp/purexp/pkg/campaign/problem"
)

// severalOf is the text of a problem to which every kind of change can be applied.
const severalOf = `question = { find = "pareto", delta = 0.1 }
candidates = { file = "c.csv" }
laboratory = { plate = 8, fill = true, failures = 0.1, late = 0.1 }
[[objective]]
name = "price"
goal = "minimise"
known = true
at_most = 30
[[objective]]
name = "y"
unit = "%"
noise = { sd = 2 }
guess = "y"
[[objective]]
name = "z.1"
goal = "minimise"
noise = { sd = 4 }
guess = "z"
at_most = 20
[[objective]]
name = "w"
noise = { counts = 16 }
guess = "w"
at_least = 3
[[constraint]]
name = "first"
terms = { y = 1, "z.1" = -1 }
at_least = -50
[[constraint]]
name = "second"
terms = { y = 1, w = 1 }
at_least = -60
`

func several(t *testing.T) *problem.Problem {
	t.Helper()
	p, err := problem.Parse("p.toml", []byte(severalOf), func(string) ([]byte, error) {
		return []byte("c,price,y,z,w\na,10,50,12,8\nb,20,60,10,4\nc,29,65,15,12\n"), nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// A change applies to the named objective or constraint, in any spelling, and to no other objective or constraint.
func TestChangeOfOneOfSeveral(t *testing.T) {
	state := func(p *problem.Problem) string {
		var all []string
		add := func(name, field string, x *float64) {
			if x != nil && *x != 0 {
				all = append(all, fmt.Sprintf("%s.%s=%v", name, field, *x))
			}
		}
		for i := range p.Objectives {
			o := &p.Objectives[i]
			add(o.Name, "at_least", o.AtLeast)
			add(o.Name, "at_most", o.AtMost)
			add(o.Name, "tolerance", &o.Tolerance)
			add(o.Name, "slack", &o.Slack)
			add(o.Name, "sd", o.Noise.SD)
		}
		for i := range p.Constraints {
			s := &p.Constraints[i]
			add(s.Name, "at_least", s.AtLeast)
			add(s.Name, "at_most", s.AtMost)
			add(s.Name, "slack", &s.Slack)
		}
		return strings.Join(all, " ")
	}
	const before = "price.at_most=30 y.sd=2 z.1.at_most=20 z.1.sd=4 w.at_least=3 first.at_least=-50 second.at_least=-60"
	for text, x := range map[string]struct{ old, new string }{
		"second.at_least=5":          {"second.at_least=-60", "second.at_least=5"},
		"first.at_most = 7":          {"first.at_least=-50", "first.at_least=-50 first.at_most=7"},
		"second.slack=2":             {"second.at_least=-60", "second.at_least=-60 second.slack=2"},
		" z.1 . at_most =25":         {"z.1.at_most=20", "z.1.at_most=25"},
		"z.1.sd=3":                   {"z.1.sd=4", "z.1.sd=3"},
		"w.tolerance=1":              {"w.at_least=3", "w.at_least=3 w.tolerance=1"},
		"w.slack=1":                  {"w.at_least=3", "w.at_least=3 w.slack=1"},
		"y .at_most=90":              {"y.sd=2", "y.at_most=90 y.sd=2"},
		"first.tolerance=1":          {"", "unknown field of a constraint; expected slack, at_least or at_most"},
		"w.sd=1":                     {"", "the problem gives no sd for w"},
		"v.slack=1":                  {"", `unknown objective or constraint "v"`},
		"plate = 1e10":               {"", "plate = 1e+10: expected a whole number"},
		"late_by = 1e10":             {"", "late_by = 1e+10: expected a whole number"},
		"at_once = 2.5":              {"", "at_once = 2.5: expected a whole number"},
		"measurements = -2000000000": {"", "expected a whole number"},
	} {
		p := several(t)
		c, err := ParseChange(text)
		if err != nil {
			t.Fatal(err)
		}
		q, err := c.Apply(p)
		if got := state(p); got != before {
			t.Errorf("%s changed the problem itself: %s", text, got)
		}
		if x.old == "" {
			if err == nil || !strings.Contains(err.Error(), x.new) {
				t.Errorf("%s: %v; want %q", text, err, x.new)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", text, err)
		} else if got, want := state(q), strings.Replace(before, x.old, x.new, 1); got != want {
			t.Errorf("%s: %s; want %s", text, got, want)
		}
	}
}

// Axes convert rewards to the user's units: counts become rates, and values of minimised objectives get the right
// sign. The means are the guesses or, for methods with a linear model, the closest linear means.
func TestInstanceInUnits(t *testing.T) {
	p := several(t)
	inst, means, err := Instance(compiled(t, p))
	if err != nil {
		t.Fatal(err)
	}
	if inst.Name != "candidates" {
		t.Errorf("without a title it is called %q", inst.Name)
	}
	for i, want := range []string{"price", "y [%]", "z.1", "w"} {
		a := inst.Axes[i]
		if a.Label != p.Objectives[i].Label() || !strings.HasPrefix(a.Label, want) {
			t.Errorf("axis %d is called %q; want %q", i, a.Label, want)
		}
		reward := make([]float64, 4)
		for arm := range 3 {
			inst.Law.Mean(reward, arm)
			guess := [][]float64{{10, 50, 12, .5}, {20, 60, 10, .25}, {29, 65, 15, .75}}[arm][i]
			if got := a.Center + a.PerReward*reward[i]; !(math.Abs(got-guess) <= 1e-9) || !(math.Abs(means.At(arm, i)-guess) <= 1e-9) {
				t.Errorf("candidate %d, %s: %v on the axis, mean %v; want %v", arm, want, got, means.At(arm, i), guess)
			}
		}
	}
	p.Title = "Dyes"
	if inst, _, err := Instance(compiled(t, p)); err != nil || inst.Name != "Dyes" {
		t.Errorf("%v, %v", inst, err)
	}
	linear := parsed(t, `find = "best"`, "features = [\"x\"]", "noise = { sd = 2.0 }\nguess = \"guess\"", "candidate,x,guess\nA,0,0\nB,1,3\nC,2,0\n")
	linear.Method.Name = "LinGapE"
	_, means, err = Instance(compiled(t, linear))
	for i := range 3 {
		if err != nil || !(math.Abs(means.At(i, 0)-1) <= 1e-9) {
			t.Errorf("candidate %d has the mean %v, %v; want 1, the closest line", i, means.At(i, 0), err)
		}
	}
}
