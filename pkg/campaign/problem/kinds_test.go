package problem

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/internal/golden"
	"github.com/purexp/purexp/pkg/explore"
)

// kinds are problems of every kind: a base, and what is changed in it.
var kinds = []struct{ base, table, old, new string }{
	{"full", "", "", ""},
	{"full", "", `find = "best"`, "find = \"top\"\ncount = 2"},
	{"full", "", "weight = 2\n", "weight = 0.5\nnorm = 20\n"},
	{"full", "", "seed = 3", "confirm = false\nradius = \"theory\""},
	{"full", "", "goal = \"minimise\"", "goal = \"bounded\""},
	{"full", "", "at_least = 40", "at_least = 40\nat_most = 90"},
	{"full", "", "terms = { yield = 1, impurity = -2 }\nat_least = 10", "terms = { yield = -1, impurity = 0.5 }\nat_least = -90"},
	{"full", "", "name = \"net\"\n", ""},
	{"full", "", "independent = true\n", ""},
	{"full", "", "column = \"name\"\nfeatures = [\"pH\"]\ncategories = [\"ligand\"]\n", "column = \"name\"\n"},
	{"pareto", "", "", ""},
	{"pareto", "", "at_least = 40", "at_least = 40\nslack = 1\ntolerance = 2"},
	{"pareto", "", "[laboratory]", "[method]\nname = \"e-cAPE\"\n[laboratory]"},
	{"pareto", "", "{ yield = 1, impurity = -2 }", "{ yield = -1, impurity = -2.5 }"},
	{"good", "", "", ""},
	{"good", "", "tolerance = 2", "tolerance_percent = 5"},
	{"good", "", "tolerance = 2", "goal = \"minimise\"\ntolerance = 2"},
	{"good", "", `find = "good"`, `find = "best"`},
	{"good", "", "tolerance = 2", "tolerance = 2\nnorm = 300"},
	{"counts", "", "", ""},
	{"counts", "", `, evaluable = "left"`, ""},
	{"counts", "", "amounts = \"rates\"\nat_least = 0.2\ntolerance = 0.05", "amounts = \"counts\"\nat_least = 3\ntolerance = 1"},
	{"feasible", "", "", ""},
	{"begins", "", "", ""},
	{"begins", "", "find = \"top\"\ncount = 1", "find = \"best\""},
	{"begins", "", "noise = { pilot = { rewards = 4, delta = 0.01 } }", "noise = { pilot = { sd = 3, df = 9, delta = 0.01 } }"},
}

// long are numbers with many digits, of which the last ones differ between processors.
var long = regexp.MustCompile(`\d+\.\d{7,}(e[-+]\d+)?`)

// describe writes what policies and people are told of a problem.
func describe(t *testing.T, p *Problem) string {
	t.Helper()
	var out strings.Builder
	say := func(what string, value any) { fmt.Fprintf(&out, "\t%s: %v\n", what, value) }
	say("asks", p.Words())
	c, err := p.Compile()
	if err != nil {
		say("compile", err)
		return out.String()
	}
	say("method", fmt.Sprintf("%s, delta %.6g, radius %s, uses all %v, squares %v", c.Card.Name, c.Delta, c.Radius(), c.UsesAll(), c.Adaptive()))
	say("question", fmt.Sprintf("%#v", c.Problem.Question))
	say("methods", p.Methods())
	say("by rounds", p.ByRounds())
	say("radii", p.Radii())
	say("rests on", strings.Join(c.Rests(), "; "))
	say("unused", c.Unused())
	for i, s := range c.Scales {
		o := &p.Objectives[i]
		lo, hi := c.Limits(i)
		say("scale", fmt.Sprintf("%s: %+v, from %v to %v; axis %s; told 1: %.4g, mean 1: %.4g, out 1: %.4g, size -2: %.4g", o.Label(), s, lo, hi,
			o.Axis(), s.Told(1), s.In(1), s.Out(1), s.Size(-2)))
		say("intervals", fmt.Sprintf("%#v", p.Intervals(i)))
	}
	for _, b := range c.Bounds {
		say("bound", fmt.Sprintf("%s: %v, limit %v, at least %v, slack %v", b.Name, b.Weights, b.Limit, b.AtLeast, b.Slack))
	}
	for i, name := range p.Candidates.Names {
		row := []string{name}
		if p.Candidates.Features != nil {
			row = append(row, fmt.Sprint(p.Candidates.Features[i]), fmt.Sprint(p.Candidates.Settings(i)))
		}
		if p.Candidates.Costs != nil {
			row = append(row, fmt.Sprintf("costs %v", p.Candidates.Costs[i]))
		}
		say("candidate", strings.Join(row, " "))
	}
	if p.Candidates.Features != nil {
		say("features", fmt.Sprint(p.Candidates.FeatureNames))
	}
	say("asks newcomers for", p.NewcomerColumns())
	n, called := p.Trials()
	say("trials", fmt.Sprintf("%d %s, each %d", n, called, p.Each()))
	if p.Pilot != nil {
		say("pilot", fmt.Sprintf("%v %.4v %.4v %v", p.Pilot.N, p.Pilot.Means, p.Pilot.SD, p.Pilot.DF))
	}
	for i := range p.Objectives {
		if g := p.Objectives[i].GuessedMeans(); g != nil {
			say("guesses", g)
		}
	}
	tolerances, slacks := p.Tolerant()
	say("of use", fmt.Sprintf("tolerances %v, slacks %v", tolerances, slacks))
	return long.ReplaceAllStringFunc(out.String(), func(s string) string {
		x, _ := strconv.ParseFloat(s, 64)
		return fmt.Sprintf("%.6g", x)
	})
}

// kind makes a problem.
func kind(t *testing.T, name, table, old, new string) *Problem {
	t.Helper()
	b := bases[name]
	text := strings.Replace(b.text, old, new, 1)
	if old != "" && text == b.text {
		t.Fatalf("%s has no %q", name, old)
	}
	p, err := Parse("p.toml", []byte(text), files(b.tables))
	if err != nil {
		t.Fatalf("%s, %q: %v", name, new, err)
	}
	return p
}

// Problems of every kind are what policies and people are told of them, in testdata/kinds.txt, which has of a
// changed base the lines that the base has not. As a campaign
// keeps them, with a candidate less and with one more they are still what is written there.
func TestKinds(t *testing.T) {
	var out strings.Builder
	for _, x := range kinds {
		p := kind(t, x.base, x.table, x.old, x.new)
		fmt.Fprintf(&out, "%s: %q for %q\n", x.base, x.new, x.old)
		plain := ""
		if x.old != "" {
			plain = describe(t, kind(t, x.base, "", "", ""))
		}
		for line := range strings.Lines(describe(t, p)) {
			if !strings.Contains(plain, line) {
				out.WriteString(line)
			}
		}
		again, err := Decode(p.Encode())
		if err != nil {
			t.Errorf("%s, %q: %v", x.base, x.new, err)
			continue
		}
		if again.Method.Name = p.Method.Name; describe(t, again) != describe(t, p) {
			t.Errorf("%s, %q: decoded it is\n%s", x.base, x.new, describe(t, again))
		}
		before := describe(t, p)
		columns := map[string]string{}
		for i, c := range p.NewcomerColumns() {
			columns[c] = fmt.Sprint(3 + i)
		}
		more, err := p.With(Candidate{Name: " new ", Columns: columns})
		if err != nil {
			fmt.Fprintf(&out, "\twith another: %v\n", err)
			continue
		}
		fmt.Fprintf(&out, "\twith another: %v %v %v\n", more.Candidates.Names, more.Candidates.Features, more.Candidates.Costs)
		less, err := more.Without("new")
		if err != nil {
			t.Errorf("%s, %q: %v", x.base, x.new, err)
			continue
		}
		first, err := less.Without(less.Candidates.Names[0])
		if err != nil {
			fmt.Fprintf(&out, "\twithout two: %v\n", err)
		} else {
			fmt.Fprintf(&out, "\twithout two: %v %v %v\n", first.Candidates.Names, first.Candidates.Features, first.Candidates.Costs)
			if first.Pilot != nil {
				fmt.Fprintf(&out, "\tpilot without two: %v %.4v\n", first.Pilot.N, first.Pilot.Means)
			}
		}
		if describe(t, p) != before {
			t.Errorf("%s, %q: a change of a copy changed it", x.base, x.new)
		}
	}
	golden.Parts(t, "kinds.txt", out.String(), `^\S.*`)
}

// What is told of verdicts of every kind is in testdata/verdicts.txt: ahead and behind, surely and not, inside and
// outside, with means and without.
func TestVerdicts(t *testing.T) {
	var out strings.Builder
	for _, x := range []struct{ base, old, new string }{
		{"full", "", ""}, {"pareto", "", ""}, {"pareto", "at_least = 40", "at_least = 40\nslack = 1\ntolerance = 2"},
		{"good", "", ""}, {"good", "tolerance = 2", "tolerance_percent = 5"}, {"good", `find = "good"`, `find = "best"`},
		{"counts", "", ""}, {"counts", `, evaluable = "left"`, ""},
	} {
		p := kind(t, x.base, "", x.old, x.new)
		c, err := p.Compile()
		if err != nil {
			t.Fatal(err)
		}
		k := p.K()
		means := mat.NewDense(k, len(p.Objectives), nil)
		for i := range k {
			for j := range p.Objectives {
				lo, hi := c.Limits(j)
				if math.IsInf(lo, 0) || math.IsInf(hi, 0) {
					lo, hi = 0, 10
				}
				means.Set(i, j, lo+(hi-lo)*float64(1+i+j)/float64(k+len(p.Objectives)+1))
				if p.Objectives[j].Known {
					means.Set(i, j, p.Objectives[j].Exact[i])
				}
			}
		}
		fmt.Fprintf(&out, "%s: %q\n", x.base, x.new)
		for _, class := range []explore.Class{explore.Optimal, explore.Dominated, explore.Infeasible, explore.Undecided} {
			for _, r := range []explore.Reason{
				{By: -1, Constraint: -1},
				{By: 1, Margin: 1.5, Constraint: -1},
				{By: 1, Margin: 1.5, MarginRadius: .5, Constraint: -1, Estimated: true},
				{By: 1, Margin: -1.5, MarginRadius: .5, Constraint: -1},
				{By: 1, Margin: .5, MarginRadius: 1.5, Constraint: -1},
				{By: 0, Margin: .5, MarginRadius: .2, Constraint: -1},
				{By: -1, Constraint: 0, Slack: 2, SlackRadius: .5},
				{By: -1, Constraint: 0, Slack: -.2, SlackRadius: .5},
				{By: 1, Margin: 1, Constraint: len(c.Bounds) - 1, Slack: .2, SlackRadius: .5},
			} {
				if len(c.Bounds) == 0 && r.Constraint >= 0 {
					continue
				}
				r.Class = class
				reasons := slices.Repeat([]explore.Reason{{Class: explore.Undecided, By: -1, Constraint: -1}}, k)
				reasons[0] = r
				a := explore.Answer{Reasons: reasons}
				if class == explore.Optimal {
					a.Items = []int{0}
				}
				// With the means, the margin is what they are apart in an objective.
				v, w := c.Explain(a, nil)[0], ""
				if r.By == 1 && x.base != "good" {
					lead := c.Scales[0].In(means.At(0, 0)) - c.Scales[0].In(means.At(1, 0))
					if class == explore.Dominated {
						lead = -lead
					}
					reasons[0].Margin = math.Copysign(math.Abs(lead), lead)
					w = "; by means: " + c.Explain(a, means)[0].Why
				}
				fmt.Fprintf(&out, "\t%s: %s%s\n", v.Status, v.Why, w)
			}
		}
	}
	golden.Parts(t, "verdicts.txt", out.String(), `^\S.*`)
}

// draftLines are objectives as people type them.
var draftLines = []string{
	"yield", "", ",max,sd=2", "yield,max,sd=2", "yield,min,sd=2.5,unit=%", "yield,max,sd=2,3", "yield,max,sd=two", "yield,max,2",
	"yield,maximal,sd=2", "price,known,min", "price,known,min,at_most=30", "yield,sd=2,at_least=40", "yield,sd=2,at_most=40",
	"yield,bounded,sd=2,at_least=40,slack=1", "yield,max,sd=2,at_least=1e-3", "yield,max,range=0..100,values=0..100",
	"yield,max,range=100..0", "yield,max,range=0-100", "yield,max,range=..5", "yield,max,range=5..5", "yield,max,sd=2,values=0..",
	"yield,max,counts=12", "yield,max,counts=12.5", "yield,max,counts=12,at_least=20%", "yield,max,counts=12,at_least=0.2,of=patients,evaluable=left",
	"yield,max,sd=2,at_least=20%", "yield,max,sd=2,tolerance=5%", "yield,max,sd=2,tolerance=five%", "yield,min,sd=2,tolerance=5%",
	"yield,max,sd=2,tolerance=1", "yield,max,sd=2,slack=x", "yield,max,sd=2,guess=expected yield", "yield,max,sd=2,weight=3", "yield, max , sd=2 ",
	"yield,max,unit=a\"b,sd=2", "yield,max,unit=%,5,sd=1", "yield,max,sd=-1",
}

// What is typed of an objective becomes lines of a problem file, or is told what is wrong with it.
func TestDraftLines(t *testing.T) {
	var out strings.Builder
	for _, line := range draftLines {
		o, err := ParseDraftObjective(line)
		fmt.Fprintf(&out, "%s\n", line)
		if err != nil {
			fmt.Fprintf(&out, "\twrong: %v\n", err)
			continue
		}
		fmt.Fprintf(&out, "\t%q\n\t%s\n\ttolerates %v\n", o.Name, strings.Join(o.Fields, "\n\t"), o.Tolerates())
	}
	columns := func(table string) []TableColumn {
		cs, err := Columns("c.csv", []byte(table))
		if err != nil {
			t.Fatal(err)
		}
		return cs
	}
	for _, table := range []string{"n,name,pH,cost (EUR),guess [%]\n1,A,7,5,60\n2,B,7,6,70\n", "a,b\n1,2\n1,2\n", "a,b\n1,1\n2,1\n",
		"a,b\n,x\ny,x\n", "Yield (a),yield [b]\n1,2\n", "x\n"} {
		cs := columns(table)
		fmt.Fprintf(&out, "%q\n\t%+v\n\tnames in column %d\n", table, cs, NameColumn(cs))
		for _, name := range []string{"name", "NAME", "cost", "guess", "price", "yield", "cost (EUR)"} {
			found, err := FindColumn(cs, name)
			fmt.Fprintf(&out, "\t%s: %q %v\n", name, found, err)
		}
		for _, line := range []string{"yield,max,sd=2,guess=Guess", "cost,min,known", "pH,min,known", "yield,max,sd=2,guess=expected", "size,known"} {
			o, err := ParseDraftObjective(line)
			if err != nil {
				t.Fatal(err)
			}
			err = o.Match(cs)
			fmt.Fprintf(&out, "\t%s: %q %v\n", line, o.Fields, err)
		}
	}
	for _, d := range []Draft{
		{Table: `data\c.csv`, Column: "name", Plate: 8, Features: []string{"pH", "T"}, Categories: []string{"ligand"}, Cost: "price"},
		{Table: "dir/c.tsv", Find: FindGood, Delta: .1},
		{Table: "c.csv", Find: FindBest},
		{Table: "c.csv", Find: FindPareto},
	} {
		for _, objectives := range [][]string{{"yield,max,sd=2"}, {"yield,max,sd=2", "toxicity,min,counts=12,at_most=0.3", "price,min,known"},
			{"yield,max,sd=2,tolerance=1"}} {
			d.Objectives = nil
			for _, line := range objectives {
				o, err := ParseDraftObjective(line)
				if err != nil {
					t.Fatal(err)
				}
				d.Objectives = append(d.Objectives, o)
			}
			fmt.Fprintf(&out, "%s", d.TOML())
		}
	}
	golden.Parts(t, "drafts.txt", out.String(), `^\S.*`)
}
