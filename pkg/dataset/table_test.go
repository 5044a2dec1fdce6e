package dataset_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats/scalar"

	"github.com/purexp/purexp/pkg/bandit"
	"github.com/purexp/purexp/pkg/dataset"
	"github.com/purexp/purexp/pkg/dataset/frame"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policy"
	"github.com/purexp/purexp/pkg/question"
	"github.com/purexp/purexp/pkg/radius"
)

// designs is a table of a user: B is slower than A and dearer; D is the fastest, and dear.
const designs = "design,speed,cost,size\nA,4,50,1\nB,3,80,2\nC,2,20,3\nD,6,140,4\n"

// fast is what is asked about designs: directions, units and noise as in the table.
func fast() dataset.Table {
	return dataset.Table{
		Name: "designs", Arm: "design", Maximise: []string{"speed"}, Minimise: []string{"cost"},
		SD: map[string]float64{"speed": 0.5, "cost": 20},
	}
}

func ask(t testing.TB, table dataset.Table, csv string) *dataset.Asked {
	a, err := table.Ask(parsed(csv))
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// Policies see objectives of unit noise in which larger is better: speed/0.5 and -cost/20.
func TestTableStandardises(t *testing.T) {
	a := ask(t, fast(), designs)
	want := [][]float64{{8, -2.5}, {6, -4}, {4, -1}, {12, -7}}
	for i, row := range want {
		if got := a.Truth().RawRowView(i); !slices.Equal(got, row) {
			t.Errorf("arm %d: %v; want %v", i, got, row)
		}
		if got := a.TableMeans().RawRowView(i); got[0] != row[0]*.5 || got[1] != -row[1]*20 {
			t.Errorf("arm %d in the units of the table: %v", i, got)
		}
	}
	p := a.Problem
	law := a.Law.(bandit.Scaled)
	if p.Sigma != 1 || p.NormSigma != 1 || law.Sigma() != 1 || law.NormSigma() != 1 {
		t.Errorf("scales %v and %v, of the law %v and %v",
			p.Sigma, p.NormSigma, law.Sigma(), law.NormSigma())
	}
	if !slices.Equal(p.ArmNames, []string{"A", "B", "C", "D"}) ||
		!slices.Equal(p.ObjectiveNames, []string{"speed", "cost"}) {
		t.Errorf("names %v, %v", p.ArmNames, p.ObjectiveNames)
	}
	if a.Minimised(0) || !a.Minimised(1) {
		t.Error("directions")
	}
	if _, ok := p.Question.(question.Pareto); !ok {
		t.Errorf("question %T; want the Pareto set", p.Question)
	}
	// B costs more than A for less speed.
	if r := a.Right(); !slices.Equal(r.Items, []int{0, 2, 3}) || r.Reasons[1].By != 0 {
		t.Errorf("the answer is %+v", r)
	}
}

// Units and directions do not matter: what is minimised in cents is what is maximised as
// a saving in euros, pull by pull.
func TestTableUnits(t *testing.T) {
	run := func(table dataset.Table, csv string) *dataset.Outcome {
		a := ask(t, table, csv)
		o, err := a.Run(&policy.APE{Radius: radius.Paper{}}, dataset.Settings{Seed: 3})
		if err != nil || o.Status != explore.Stopped {
			t.Fatalf("%v, %+v", err, o)
		}
		return o
	}
	cost := run(dataset.Table{Arm: "design", Maximise: []string{"speed"},
		Minimise: []string{"cents"},
		SD:       map[string]float64{"speed": 1, "cents": 100}},
		"design,speed,cents\nA,4,400\nB,3,700\nC,2,100\n")
	saving := run(dataset.Table{Arm: "design", Maximise: []string{"speed", "saving"},
		SD: map[string]float64{"speed": 1, "saving": 1}},
		"design,speed,saving\nA,4,-4\nB,3,-7\nC,2,-1\n")
	if !slices.Equal(cost.ArmPulls, saving.ArmPulls) ||
		!slices.Equal(cost.Answer.Items, saving.Answer.Items) {
		t.Errorf("%+v and %+v", cost.Result, saving.Result)
	}
	for i := range 3 {
		c, s := cost.Measured.At(i, 1), saving.Measured.At(i, 1)
		if !scalar.EqualWithinAbs(c, -100*s, 1e-9) {
			t.Errorf("arm %d: measured %v cents, a saving of %v", i, c, s)
		}
	}
}

// Bounds are in the units and directions of the table.
func TestTableBounds(t *testing.T) {
	asked := fast()
	asked.AtLeast = map[string]float64{"speed": 2.5}
	asked.AtMost = map[string]float64{"cost": 100, "speed": 7}
	a := ask(t, asked, designs)
	region := a.Problem.Question.(question.FeasiblePareto).Region
	// C is too slow, D too dear.
	for i, in := range []bool{true, true, false, false} {
		if region.Contains(a.Truth().RawRowView(i)) != in {
			t.Errorf("%s is inside: %v; want %v", a.Problem.Arm(i), !in, in)
		}
	}
	var names []string
	for k := range region.Rows() {
		names = append(names, region.Constraint(k).Name)
	}
	if want := []string{"speed >= 2.5", "speed <= 7", "cost <= 100"}; !slices.Equal(names, want) {
		t.Errorf("constraints %q; want %q", names, want)
	}
	// D exceeds the limit on cost by 40, that is by 2 standard deviations.
	if _, eta, k := region.Margin(a.Truth().RawRowView(3)); eta != 2 || k != 2 {
		t.Errorf("D is outside constraint %d by %v; want 2 by 2", k, eta)
	}
	o, err := a.Run(&policy.ECAPE{Radius: radius.Paper{}}, dataset.Settings{Seed: 1})
	if err != nil || !a.Problem.Question.Correct(a.Truth(), o.Answer) {
		t.Fatalf("%v, %+v", err, o)
	}
	if why := o.Why(3); !strings.HasPrefix(why, "outside cost <= 100 by ") {
		t.Errorf("why not D: %q", why)
	}
	// In the units of the table: 40 up to the noise.
	var by, radius float64
	if _, err := fmt.Sscanf(o.Why(3), "outside cost <= 100 by %g ± %g", &by, &radius); err != nil ||
		math.Abs(by-40) > radius || radius > 40 {
		t.Errorf("D is outside by %v ± %v (%v); want 40", by, radius, err)
	}
	shown, err := a.Shown()
	if err != nil {
		t.Fatal(err)
	}
	box := shown.Problem.Question.(question.FeasiblePareto).Region
	for i, in := range []bool{true, true, false, false} {
		if box.Contains(shown.Truth().RawRowView(i)) != in {
			t.Errorf("%s is shown inside: %v; want %v", a.Problem.Arm(i), !in, in)
		}
	}
	if shown.Truth().At(3, 1) != 140 || shown.Problem.Objective(1) != "cost (less is better)" ||
		box.Constraint(2).Name != "cost <= 100" {
		t.Errorf("shown: %v, %q, %q", shown.Truth().At(3, 1), shown.Problem.Objective(1),
			box.Constraint(2).Name)
	}
}

// Rates that are minimised become those of the opposite event, and are reported as they were.
func TestTableRates(t *testing.T) {
	a := ask(t, dataset.Table{
		Arm: "dose", Maximise: []string{"works"}, Minimise: []string{"harms"}, Rates: true,
		AtMost: map[string]float64{"harms": 0.5},
	}, "dose,works,harms\nlow,0.25,0.125\nhigh,0.75,0.75\n")
	if got := a.Truth().RawRowView(1); got[0] != .75 || got[1] != .25 {
		t.Errorf("high: %v", got)
	}
	if a.Problem.Sigma != .5 || a.Problem.NormSigma != .5 {
		t.Errorf("scales %v, %v", a.Problem.Sigma, a.Problem.NormSigma)
	}
	region := a.Problem.Question.(question.FeasiblePareto).Region
	if in, eta, _ := region.Margin(a.Truth().RawRowView(0)); !in || eta != .375 {
		t.Errorf("low is inside: %v, by %v", in, eta)
	}
	o, err := a.Run(&policy.ECAPE{Radius: radius.Paper{}}, dataset.Settings{Seed: 1})
	if err != nil || o.Verdict(1) != "infeasible" {
		t.Fatalf("%v, %+v", err, o)
	}
	if m := o.Measured.At(1, 1); math.Abs(m-.75) > .15 {
		t.Errorf("high harms %v; want about 0.75", m)
	}
}

// With features, methods for linear models run on the table: GEGE for a Pareto set, RAGE
// for the best arm.
func TestTableFeatures(t *testing.T) {
	csv := "design,mass,kind,speed,cost\n"
	for i := range 12 {
		kind := []string{"steel", "wood"}[i%2]
		mass := float64(i / 2)
		csv += fmt.Sprintf("d%d,%v,%s,%v,%v\n", i, mass, kind,
			10-mass+3*float64(i%2), mass*mass/2+mass+2*float64(i%2))
	}
	asked := dataset.Table{
		Arm: "design", Maximise: []string{"speed"}, Minimise: []string{"cost"},
		Features: []string{"mass"}, Categories: []string{"kind"},
		SD: map[string]float64{"speed": 1, "cost": 1},
	}
	a := ask(t, asked, csv)
	if a.Problem.H() != 4 { // 1, mass, kind = steel, kind = wood
		t.Errorf("%d features", a.Problem.H())
	}
	if !strings.Contains(strings.Join(a.Notes, "; "), "in cost") {
		t.Errorf("cost is not linear, but the notes say %q", a.Notes)
	}
	o, err := a.Run(&policy.GEGEFixedConfidence{Delta: .1}, dataset.Settings{Seed: 1})
	if err != nil || o.Status != explore.Stopped ||
		!a.Problem.Question.Correct(a.Truth(), o.Answer) {
		t.Fatalf("GEGE: %v, %+v", err, o)
	}
	asked.Minimise, asked.SD = nil, map[string]float64{"speed": 1}
	best := ask(t, asked, csv)
	r, err := best.Run(&policy.RAGE{Delta: .1}, dataset.Settings{Seed: 1})
	if err != nil || !slices.Equal(r.Answer.Items, []int{1}) {
		t.Fatalf("RAGE: %v, %+v; want d1, the lightest of wood", err, r)
	}
	if r.Verdict(1) != "optimal" && r.Verdict(1) != "in the answer" {
		t.Errorf("verdict %q", r.Verdict(1))
	}
}

// A run that a limit ends says so, and the table and the frame have what was measured.
func TestOutcomeFrame(t *testing.T) {
	a := ask(t, fast(), designs)
	o, err := a.Run(&policy.APE{Radius: radius.Paper{}}, dataset.Settings{Seed: 1, MaxPulls: 9})
	if err != nil || o.Status != explore.PullLimit || o.Pulls > 9 {
		t.Fatalf("%v, %+v", err, o)
	}
	if text := o.Table().Text(); !strings.Contains(text, "pull limit") {
		t.Errorf("the table does not say why the run ended:\n%s", text)
	}
	df, err := o.Frame()
	if err != nil {
		t.Fatal(err)
	}
	if got := df.Names(); !slices.Equal(got,
		[]string{"arm", "verdict", "pulls", "speed", "cost", "why"}) {
		t.Errorf("columns %q", got)
	}
	for i, v := range df.Col("cost").Float() {
		if v != o.Measured.At(i, 1) || math.Abs(v-a.TableMeans().At(i, 1)) > 5*20 {
			t.Errorf("%s: cost %v in the frame, measured %v", a.Problem.Arm(i), v,
				o.Measured.At(i, 1))
		}
	}
	// A second run from the same seed is the same, from another it is not.
	same, _ := a.Run(&policy.APE{Radius: radius.Paper{}}, dataset.Settings{Seed: 1, MaxPulls: 9})
	other, _ := a.Run(&policy.APE{Radius: radius.Paper{}}, dataset.Settings{Seed: 2, MaxPulls: 9})
	if same.Measured.At(0, 0) != o.Measured.At(0, 0) ||
		other.Measured.At(0, 0) == o.Measured.At(0, 0) {
		t.Error("the seed does not decide about the measurements")
	}
}

func TestTableErrors(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*dataset.Table)
		want   []string
	}{
		"no objectives": {func(a *dataset.Table) { *a = dataset.Table{} },
			[]string{"Maximise", "Minimise", `"speed"`}},
		"no such objective": {func(a *dataset.Table) { a.Maximise = []string{"sped"} },
			[]string{`no column "sped"`, `"speed"`}},
		"no such arm": {func(a *dataset.Table) { a.Arm = "name" }, []string{`no column "name"`}},
		"an objective twice": {func(a *dataset.Table) {
			a.Minimise = []string{"speed"}
			delete(a.SD,
				"cost")
		},
			[]string{`"speed" twice`}},
		"an objective minimised too": {func(a *dataset.Table) { a.Minimise = []string{"speed"} },
			[]string{`"speed" twice`}},
		"a feature that is an objective": {
			func(a *dataset.Table) { a.Features = []string{"size", "cost"} },
			[]string{"Table.Features", `"cost"`}},
		"no deviation": {func(a *dataset.Table) { delete(a.SD, "cost") },
			[]string{"Table.SD", `"cost"`, "unit"}},
		"a deviation of no objective": {func(a *dataset.Table) { a.SD["size"] = 1 },
			[]string{"Table.SD", `"size"`}},
		"a deviation of 0": {func(a *dataset.Table) { a.SD["cost"] = 0 },
			[]string{`Table.SD["cost"] is 0`}},
		"a deviation that is no number": {func(a *dataset.Table) { a.SD["cost"] = math.NaN() },
			[]string{`Table.SD["cost"] is NaN`}},
		"a bound of no objective": {
			func(a *dataset.Table) { a.AtMost = map[string]float64{"size": 1} },
			[]string{"Table.AtMost", `"size"`}},
		"a bound that is no number": {
			func(a *dataset.Table) { a.AtLeast = map[string]float64{"speed": math.Inf(1)} },
			[]string{`Table.AtLeast["speed"] is +Inf`}},
		"bounds that contradict": {func(a *dataset.Table) {
			a.AtLeast, a.AtMost = map[string]float64{"cost": 9}, map[string]float64{"cost": 5}
		}, []string{"Table.AtLeast and AtMost", `"cost >= 9"`, `"cost <= 5"`}},
		"rates with deviations": {func(a *dataset.Table) { a.Rates = true },
			[]string{"Table.SD", "Rates"}},
		"rates with features": {func(a *dataset.Table) {
			a.Rates, a.Features = true,
				[]string{"size"}
		},
			[]string{"Rates", "Features"}},
		"rates that are none": {func(a *dataset.Table) { a.Rates, a.SD = true, nil },
			[]string{"row 1", `"speed"`, "[0, 1]"}},
		"no such feature": {func(a *dataset.Table) { a.Features = []string{"mass"} },
			[]string{`no column "mass"`}},
	} {
		asked := fast()
		c.change(&asked)
		_, err := asked.Ask(parsed(designs))
		if err == nil {
			t.Errorf("%s: no error", name)
			continue
		}
		if !strings.HasPrefix(err.Error(), "dataset: ") {
			t.Errorf("%s: %q has no prefix", name, err)
		}
		for _, w := range c.want {
			if !strings.Contains(err.Error(), w) {
				t.Errorf("%s: %q does not say %q", name, err, w)
			}
		}
	}
	if _, err := fast().Ask(parsed("no\n\"csv")); err == nil ||
		!strings.HasPrefix(err.Error(), "dataset: ") {
		t.Errorf("a broken frame: %v", err)
	}
	if _, err := fast().Ask(parsed("design,speed,cost\nA,1,1\nA,2,2\n")); err == nil ||
		!strings.Contains(err.Error(), `"A" names both`) {
		t.Errorf("two arms of a name: %v", err)
	}
}

// Names that a reader cannot tell apart are errors that say where.
func TestArmNames(t *testing.T) {
	for csv, want := range map[string]string{
		"design,speed,cost\nA,1,1\nB,3,1\nA,2,2\n":     `column "design": "A" names both row 1 and row 3`,
		"design,speed,cost\nA,1,1\n\"A \",2,2\n":       `"A" names both row 1 and row 2`,
		"design,speed,cost\nA,1,1\n,2,2\n":             `row 2, column "design": the arm has no name`,
		"design,speed,cost\nA,1,1\n\"  \",2,2\n":       `row 2, column "design": the arm has no name`,
		"design,speed,cost\nA,1,1\nB,2,not known\n":    `row 2, column "cost": "not known" is not`,
		"design,speed,cost\nA,1,1\nB,\"1,5\",2\n":      `row 2, column "speed": "1,5" is not`,
		"design,speed,cost\nA: 1,1,1\n\"A \"\"β\",1,2": "",
	} {
		_, err := fast().Ask(parsed(csv))
		if err == nil && want != "" || err != nil &&
			(want == "" || !strings.Contains(err.Error(), want)) {
			t.Errorf("%q: error %v, want %q", csv, err, want)
		}
	}
}

// Objectives may have the names of an answer's own columns.
func TestOutcomeHeadings(t *testing.T) {
	asked := ask(t, dataset.Table{
		Arm: "why", Maximise: []string{"pulls"}, Minimise: []string{"verdict"},
		SD: map[string]float64{"pulls": .1, "verdict": .1},
	}, "why,pulls,verdict\nA,1,3\nB,2,1\n")
	r, err := asked.Run(&policy.APE{Delta: .1}, dataset.Settings{Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	df, err := r.Frame()
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"arm", "verdict", "pulls", "pulls (measured)", "verdict (measured)", "why"}
	if !slices.Equal(df.Names(), want) {
		t.Errorf("columns %q, want %q", df.Names(), want)
	}
}

// Which designs are worth building, of those that cost at most 100?
func ExampleTable_Ask() {
	df, err := frame.ParseCSV(strings.NewReader(designs), "designs.csv")
	if err != nil {
		panic(err)
	}
	asked, err := dataset.Table{
		Arm: "design", Maximise: []string{"speed"}, Minimise: []string{"cost"},
		AtMost: map[string]float64{"cost": 100},
		SD:     map[string]float64{"speed": 0.5, "cost": 20},
	}.Ask(df)
	if err != nil {
		panic(err)
	}
	r, err := asked.Run(&policy.ECAPE{Radius: radius.Paper{}}, dataset.Settings{Seed: 1})
	if err != nil {
		panic(err)
	}
	for i, arm := range asked.Problem.ArmNames {
		fmt.Printf("%s is %s: %s\n", arm, r.Verdict(i), r.Why(i))
	}
	// Output:
	// A is optimal: feasible with 55.6 ± 13.0 to spare (cost <= 100); ahead of B by 0.724 ± 0.483 in speed or 28.9 ± 19.3 in cost
	// B is dominated: dominated by A, which is better by at least 0.494 ± 0.483 in speed and 19.8 ± 19.3 in cost
	// C is optimal: feasible with 98.5 ± 30.9 to spare (cost <= 100); ahead of A by 1.074 ± 0.838 in speed or 43.0 ± 33.5 in cost
	// D is infeasible: outside cost <= 100 by 46.1 ± 37.8
}

// Least squares by hand: activity on (phenyl, pyridyl, mass) has within-group
// slopes 1 and 1.25, pooled 1.125; residuals are +-.125.
func ExampleTable_features() {
	df, err := frame.ParseCSV(strings.NewReader(compounds), "compounds.csv")
	if err != nil {
		panic(err)
	}
	asked, err := dataset.Table{
		Arm: "compound", Maximise: []string{"activity"}, SD: map[string]float64{"activity": 0.5},
		Features: []string{"mass"}, Categories: []string{"ring"},
	}.Ask(df)
	if err != nil {
		panic(err)
	}
	for i, arm := range asked.Problem.ArmNames {
		fmt.Printf("%s %.3f\n", arm, asked.TableMeans().At(i, 0))
	}
	fmt.Println(asked.Notes[0])
	// Output:
	// a 1.875
	// b 3.125
	// c 4.125
	// d 5.375
	// means are those of the linear model; the table differs from it by up to 0.125 in activity
}

func ExampleOutcome_Frame() {
	df, err := frame.ParseCSV(strings.NewReader(designs), "designs.csv")
	if err != nil {
		panic(err)
	}
	asked, err := fast().Ask(df)
	if err != nil {
		panic(err)
	}
	r, err := asked.Run(&policy.APE{Radius: radius.Paper{}}, dataset.Settings{Seed: 1})
	if err != nil {
		panic(err)
	}
	answer, err := r.Frame()
	if err != nil {
		panic(err)
	}
	fmt.Println(answer.Names())
	fmt.Println(answer.Col("verdict").Records())
	// Output:
	// [arm verdict pulls speed cost why]
	// [optimal dominated optimal optimal]
}
