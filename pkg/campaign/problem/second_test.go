package problem

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policy"
	"github.com/purexp/purexp/pkg/radius"
)

// asked returns a problem file with two candidates, no table, and the given objectives.
func asked(find, objectives string) string {
	return "question = { find = \"" + find + "\", delta = 0.1 }\ncandidates = { names = [\"A\", \"B\"] }\n" + objectives
}

// The problem declares Gaussian (or bounded) noise only if all measured objectives do, in any order. In the problem
// "full", the means are declared to be linear in a numeric column and in a category column.
func TestDeclaredOfAll(t *testing.T) {
	noises := map[string][2]bool{"noise = { sd = 1 }": {true, false}, "noise = { pilot = { sd = 1, df = 9, delta = 0.01 } }": {true, false},
		"noise = { range = [0, 9] }": {false, true}, "noise = { counts = 12 }": {false, true}}
	for a, x := range noises {
		for b, y := range noises {
			c := compile(t, read(t, asked("pareto", "[[objective]]\nname = \"a\"\n"+a+"\n[[objective]]\nname = \"b\"\n"+b+"\n"), ""))
			if d := c.declared(); d.Gaussian != (x[0] && y[0]) || d.Bounded != (x[1] && y[1]) {
				t.Errorf("%s beside %s: Gaussian %v, bounded %v", a, b, d.Gaussian, d.Bounded)
			}
		}
	}
	if got := compile(t, parsedBase(t, "full")).declared().Linear; !slices.Equal(got, []string{"pH", "ligand"}) {
		t.Errorf("linear in %q", got)
	}
}

// The radius of each objective depends on its own noise and number of trials, in any order of objectives.
func TestRewardsOfEachObjective(t *testing.T) {
	const counts, bounded = "[[objective]]\nname = \"a\"\nnoise = { counts = 12 }\n", "[[objective]]\nname = \"b\"\nnoise = { range = [0, 9] }\n"
	many, one := radius.Bernoulli{Trials: 12, Centered: true}, radius.Bernoulli{Trials: 1, Centered: true}
	for text, want := range map[string][2]radius.Each{counts + bounded: {{many, one}, {many, radius.EmpiricalBernstein{}}},
		bounded + counts: {{one, many}, {radius.EmpiricalBernstein{}, many}}} {
		p := read(t, asked("pareto", text), "")
		if got := fmt.Sprintf("%#v", p.rewards()); got != fmt.Sprintf("%#v", want[0]) {
			t.Errorf("%s: rewards %s", text, got)
		}
		if got := fmt.Sprintf("%#v", p.fitted()); got != fmt.Sprintf("%#v", want[1]) {
			t.Errorf("%s: radii %s", text, got)
		}
	}
}

// A pilot inside the campaign uses its own part of the error probability, and the method gets the rest, even if
// another objective has an earlier pilot. A method that plans all measurements in advance rejects a pilot inside the
// campaign, even if the pilot is small.
func TestPilotsOfBothKinds(t *testing.T) {
	text := asked("pareto", "[[objective]]\nname = \"a\"\nnoise = { pilot = { rewards = 2, delta = 0.02 } }\nvalues = [0, 9]\n"+
		"[[objective]]\nname = \"b\"\nnoise = { pilot = { sd = 1, df = 9, delta = 0.03 } }\n")
	c := compile(t, read(t, text, ""))
	p, ok := c.Policy().(*policy.Piloted)
	if !ok || !(math.Abs(p.Delta*p.Share-.95*.02) <= 1e-12) || !(math.Abs(p.Delta*(1-p.Share)-c.Delta) <= 1e-12) || c.Delta > .05 || p.Rewards != 2 {
		t.Errorf("%+v, and %v for the method", p, c.Delta)
	}
	for _, rewards := range []string{"2", "3", "4"} {
		q := read(t, strings.Replace(text, "rewards = 2", "rewards = "+rewards, 1)+"[laboratory]\nmeasurements = 96\n", "")
		if _, err := q.CompileFor("EGE-SR"); err == nil || !strings.Contains(err.Error(), "EGE-SR spends the whole budget") {
			t.Errorf("a pilot of %s: %v", rewards, err)
		}
	}
}

// Confirming measurements detect noise that is larger than declared, but do not test noise that the
// campaign's own pilot estimated. Linear models need confirmation if the rank of the features is
// below the number of candidates, for any number of features.
func TestConfirmingRests(t *testing.T) {
	for noise, want := range map[string]int{"noise = { sd = 1 }": 6, "noise = { pilot = { sd = 1, df = 9, delta = 0.01 } }": 6,
		"noise = { pilot = { rewards = 3, delta = 0.01 } }\nvalues = [0, 9]": 0, "noise = { counts = 9 }": 0} {
		c := compile(t, read(t, asked("best", "[[objective]]\nname = \"a\"\n"+noise+"\n"), ""))
		if got := c.Confirming([]int{1, 1}); got != want {
			t.Errorf("%s: %d; want %d", noise, got, want)
		}
	}
	for z, want := range map[string][3]string{"9": {"2", "4", "6"}, "0": {"1", "5", "2"}} {
		text := strings.Replace(asked("best", "[[objective]]\nname = \"a\"\nnoise = { sd = 1 }\n"), `names = ["A", "B"]`, `file = "c.csv", features = ["x", "z"]`, 1)
		c := compile(t, read(t, text, fmt.Sprintf("c,x,z\nA,1,%s\nB,2,%s\nC,3,%s\n", want[0], want[1], want[2])))
		if c.Linear() != (z == "9") || (c.Confirming([]int{5, 5, 5}) == 9) != (z == "9") {
			t.Errorf("features %v: linear %v, %d confirm it", want, c.Linear(), c.Confirming([]int{5, 5, 5}))
		}
	}
}

// The table of a problem may be in another folder. A table alone is not a problem, whatever its name.
func TestReadFromElsewhere(t *testing.T) {
	here, there := t.TempDir(), t.TempDir()
	write := func(path, text string) {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	table := filepath.Join(there, "c.tsv")
	write(table, "name\tx\na\t1\nb\t2\n")
	for path, want := range map[string]string{table: "", filepath.Join(here, "c.tsv"): "no such file"} {
		write(filepath.Join(here, "p.toml"), fmt.Sprintf("question = { find = \"best\", delta = 0.1 }\ncandidates = { file = %q }\n"+
			"[[objective]]\nname = \"y\"\nnoise = { sd = 1 }\n", filepath.ToSlash(path)))
		p, err := Read(filepath.Join(here, "p.toml"))
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) || err == nil && p.Candidates.Separator != "\t" {
			t.Errorf("%s: %v; want %q", path, err, want)
		}
	}
	for _, name := range []string{"c.csv", "c.tsv", "C.CSV", "c.Tsv"} {
		write(filepath.Join(here, name), "name\na\n")
		if _, err := Read(filepath.Join(here, name)); err == nil || !strings.Contains(err.Error(), "the file is a table, not a problem file; write a problem file with 'purexp problem new ") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Values just outside a limit are rejected, and values just inside are accepted, in a problem file and in a stored
// problem.
func TestJustInAndOut(t *testing.T) {
	evaluable := asked("best", "[[objective]]\nname = \"a\"\nnoise = { counts = %d, evaluable = \"left\" }\n")
	noise := func(line string) string { return asked("best", "[[objective]]\nname = \"a\"\n"+line+"\n") }
	deep := func(parts int) string {
		return noise("noise = { sd = 1 }") + "x" + strings.Repeat(".x", parts-1) + " = 1\n"
	}
	for text, want := range map[string]string{
		fmt.Sprintf(evaluable, mostEach): "", fmt.Sprintf(evaluable, mostEach+1): "a measurement has 1001 trials; expected at most 1000",
		noise("noise = { range = [-100, 0] }"): "", noise("noise = { range = [-100, -50] }"): "",
		noise("noise = { range = [10, 20] }\nguess_sd = 5"): "", noise("noise = { range = [10, 20] }\nguess_sd = 5.1"): "at most half the range",
		noise("noise = { pilot = { rewards = 3, delta = 0.01, sd = inf } }\nvalues = [0, 9]"):                          "expected a guess of the standard deviation",
		noise("noise = { pilot = { rewards = 3, delta = 0.01, sd = 2 } }\nvalues = [0, 9]"):                            "",
		strings.Replace(noise("noise = { sd = 1 }"), `"best", delta`, `"pareto", count = 1, delta`, 1):                 `question.count: 1, but only find = "top" uses count; leave it out`,
		strings.Replace(noise("noise = { sd = 1 }\nat_least = 0"), `"best", delta`, `"feasible", count = 1, delta`, 1): `question.count: 1, but only find = "top" uses count; leave it out`,
		deep(deepestField): "unknown field", deep(deepestField + 1): "the name has more than 16 parts",
	} {
		if _, err := Parse("p.toml", []byte(text), nil); (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v; want %q", text, err, want)
		}
	}
	p := read(t, noise("noise = { counts = 12 }\namounts = \"rates\""), "")
	for what, x := range map[string]struct {
		change func(q *Problem)
		want   string
	}{
		"budget":  {func(q *Problem) { q.Method.Budget = -1 }, "laboratory.measurements: -1; expected a whole number"},
		"guesses": {func(q *Problem) { q.Objectives[0].Guesses = []float64{.1, .2, 3} }, "3 values; expected one for each of the 2 candidates"},
		"guess":   {func(q *Problem) { q.Objectives[0].Guesses = []float64{.1, 3} }, `candidate "B": 3; expected a rate from 0 to 1`},
	} {
		q := p.Clone()
		x.change(q)
		if err := q.Validate(); err == nil || !strings.Contains(err.Error(), x.want) {
			t.Errorf("%s: %v; want %q", what, err, x.want)
		}
	}
	c := compile(t, read(t, noise("noise = { sd = 1 }"), ""))
	for _, sign := range []float64{-1, 1} { // beyond LargestRatio, rounding errors could exceed the noise
		if c.Check(0, sign*explore.LargestRatio, 0) != nil || c.Check(0, 1.01*sign*explore.LargestRatio, 0) == nil {
			t.Errorf("%v: %v; beyond it %v", sign*explore.LargestRatio, c.Check(0, sign*explore.LargestRatio, 0), c.Check(0, 1.01*sign*explore.LargestRatio, 0))
		}
	}
	one := strings.Replace(asked("feasible", "[[objective]]\nname = \"a\"\nnoise = { sd = 1 }\nat_least = 0\n"), `names = ["A", "B"]`, `file = "c.csv", features = ["x"]`, 1)
	if _, err := Parse("p.toml", []byte(one), files(map[string]string{"c.csv": "c,x\nA,3\n"})); err != nil {
		t.Errorf("one candidate is like itself: %v", err)
	}
}

// The constant, numeric columns and values of categories may together form at most a thousand features.
func TestMostFeaturesOfAllKinds(t *testing.T) {
	for values, want := range map[int]string{998: "", 999: "the values make more than 1000 features"} {
		table := "c,x,kind\n"
		for i := range values {
			table += fmt.Sprintf("c%d,%d,k%[1]d\n", i, i%7)
		}
		text := strings.Replace(asked("best", "[[objective]]\nname = \"a\"\nnoise = { sd = 1 }\n"), `names = ["A", "B"]`,
			`file = "c.csv", features = ["x"], categories = ["kind"]`, 1)
		if _, err := Parse("p.toml", []byte(text), files(map[string]string{"c.csv": table})); (err == nil) != (want == "") || err != nil &&
			!strings.Contains(err.Error(), want) {
			t.Errorf("%d values and a number: %v; want %q", values, err, want)
		}
	}
}

// If several places of a file or a table could have caused an error, the message names the actual cause. For example,
// the message names the line within an array, the second of three equal names, or the objective without a norm.
func TestPlacesOfFaults(t *testing.T) {
	text := asked("best", "[[objective]]\nname = \"a\"\nnoise = { sd = 1 }\n")
	for _, x := range []struct{ text, table, want string }{
		{strings.Replace(text, `names = ["A", "B"]`, "names = [\n\"A\",\n\"B\",\n\"A\"\n]", 1), "", `p.toml:5: candidates.names[3]: "A" is the name of candidates 1 and 3`},
		{strings.Replace(text, `names = ["A", "B"]`, `file = "c.csv"`, 1), "c\nA\nB\nA\nA\n", "c.csv:4: column \"c\": \"A\" is also the candidate in line 2; names must differ. If rows are measurements, 'purexp problem new TABLE --measured' writes each candidate once\n" +
			"c.csv:5: column \"c\": \"A\" is also the candidate in line 4; names must differ"},
		{text[:len(text)-len("noise = { sd = 1 }\n")] + "noise = { pilot = { df = 9, delta = 0.01 } }\n[pilot]\nfile = \"c.csv\"\n", "c,a\nA,1\nA,2\nB,4\nB,6\n",
			"objective[1].noise.pilot.sd: 0; expected a positive scale"},
	} {
		_, err := Parse("p.toml", []byte(x.text), files(map[string]string{"c.csv": x.table}))
		if err == nil || !strings.Contains(err.Error(), x.want) {
			t.Errorf("%s: %v; want %q", x.text, err, x.want)
		}
	}
	norms := asked("pareto", "[[objective]]\nname = \"a\"\nnoise = { sd = 1 }\nnorm = 9\n[[objective]]\nname = \"b\"\nnoise = { sd = 1 }\n") + "[method]\nname = \"PFIwR\"\n"
	for text, want := range map[string]string{norms: "objective[2].norm: the guarantee of PFIwR requires that", strings.Replace(norms, "norm = 9\n", "", 1): "objective[1].norm: the guarantee of PFIwR"} {
		if _, err := read(t, text, "").Compile(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v; want %q", text, err, want)
		}
	}
}
