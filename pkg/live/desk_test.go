package live_test

import (
	"context"
	"encoding/csv"
	"encoding/json"
	"math"
	"reflect"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/campaign/plan"
	"github.com/purexp/purexp/pkg/campaign/problem"
	"github.com/purexp/purexp/pkg/design"
	"github.com/purexp/purexp/pkg/live"
)

const (
	fields = `{"title": "Two of three", "question": {"find": "pareto", "delta": 0.05},
		"candidates": {"file": "c.csv"}, "objective": [
		{"name": "yield", "unit": "%", "noise": {"sd": 2}, "at_least": 40, "guess": "yield"},
		{"name": "impurity", "goal": "minimise", "noise": {"sd": 0.5}, "guess": "impurity",
		 "at_most": null, "tolerance": 0.25}],
		"constraint": [{"terms": {"yield": 1, "impurity": -2}, "at_least": 10}],
		"laboratory": {"plate": 4}}`
	table = "catalyst,yield,impurity\nA,50,2\nB,55,3\nC,45,3\nD,30,1\n"
)

// planned returns the request of a page for a plan.
func planned() live.PlanRequest {
	return live.PlanRequest{Problem: live.ProblemFile{Fields: json.RawMessage(fields),
		Files: map[string]string{"c.csv": table}}, Runs: 40, Seed: 1, Figure: true,
		Changes: []string{"plate=16", "impurity.tolerance=0.5"}}
}

// The plan of a page equals the plan of package plan for the file that the page saves.
func TestPlanIsTheLibrarys(t *testing.T) {
	r := planned()
	got := ask[live.PlanAnswer](t, "plan", r)
	text := ask[live.ProblemText](t, "problem-text", r.Problem).Text
	p, err := problem.Parse("p.toml", []byte(text), func(string) ([]byte, error) { return []byte(table), nil })
	if err != nil {
		t.Fatalf("%v:\n%s", err, text)
	}
	o := &plan.Options{Runs: 40, Seed: 1}
	for _, c := range r.Changes {
		change, err := plan.ParseChange(c)
		if err != nil {
			t.Fatal(err)
		}
		o.Changes = append(o.Changes, change)
	}
	want, err := plan.Simulate(context.Background(), p, o)
	if err != nil {
		t.Fatal(err)
	}
	for i := range want.Rows {
		want.Rows[i].Sample = nil // the JSON encoding omits samples
	}
	if !reflect.DeepEqual(got.Plan, want) {
		t.Errorf("got %+v\nwant %+v", got.Plan, want)
	}
	last := len(want.Rows) - 1
	saved := 1 - want.Rows[last].Measurements.Median.Value/want.Rows[0].Measurements.Median.Value
	if math.Abs(float64(got.Saves[last])-saved) > 1e-12 || got.Saves[0] != 0 {
		t.Errorf("saves %v; want %v at the end", got.Saves, saved)
	}
	if len(got.Table.Rows) != len(want.Rows) || len(got.Effort.Rows) != 4 ||
		len(got.Figures) != 2 || !strings.Contains(got.Figures[0].SVG, "<svg") {
		t.Errorf("tables of %d and %d rows, %d figures", len(got.Table.Rows), len(got.Effort.Rows), len(got.Figures))
	}
}

// A problem that is saved and opened again is unchanged, including fields without an input in the form.
func TestProblemRoundTrip(t *testing.T) {
	text := ask[live.ProblemText](t, "problem-text", planned().Problem).Text
	got := ask[live.ProblemFields](t, "problem-fields", live.ProblemFile{Text: text})
	var want map[string]any
	if err := json.Unmarshal([]byte(fields), &want); err != nil {
		t.Fatal(err)
	}
	delete(want["objective"].([]any)[1].(map[string]any), "at_most") // a null field is not saved
	if !reflect.DeepEqual(got.Fields, want) || len(got.Tables) != 1 || got.Tables[0] != "c.csv" {
		t.Errorf("%+v\nwant %+v\nof\n%s", got, want, text)
	}
}

func TestTable(t *testing.T) {
	got := ask[live.TableAnswer](t, "table", live.TableRequest{Name: "t.csv",
		Text: "run;cat;yield;note\n1;A;4;\n2;B;;x\n3;A;5;\n", Column: "cat"})
	want := &live.TableAnswer{Columns: []string{"run", "cat", "yield", "note"},
		Numeric: []bool{true, false, true, false}, Rows: 3, Names: []string{"A", "B"}, Suggested: "cat"}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%+v; want %+v", got, want)
	}
}

// For a table in another country's spreadsheet format, the page gives the same draft as the command.
func TestDraft(t *testing.T) {
	table := "nr;solvent;rate;cost\n1;water;0,5;1\n2;acetone;0,7;3\n3;DMF;0,9;12\n"
	sd, least := .25, .40000001
	q := live.DraftRequest{Name: "mine.csv", Table: table, Objectives: []live.DraftObjective{
		{Column: "rate", Goal: "max", SD: &sd, Unit: "mol/h", Threshold: &least},
		{Column: "cost", Goal: "min", Known: true}}}
	got := ask[live.DraftAnswer](t, "draft", q)
	d := problem.Draft{Table: "mine.csv", Column: "solvent"}
	for _, text := range []string{"rate,max,guess=rate,sd=0.25,unit=mol/h,at_least=0.40000001", "cost,min,known"} {
		o, err := problem.ParseDraftObjective(text)
		if err != nil {
			t.Fatal(err)
		}
		d.Objectives = append(d.Objectives, o)
	}
	if got.Text != d.TOML() {
		t.Errorf("%s\nwant\n%s", got.Text, d.TOML())
	}
	// The names of candidates are in the chosen column. A unit in the name of a column is the unit of the objective.
	q.Column = "nr"
	heading := live.DraftRequest{Name: "t.csv", Table: "n,y [mm]\na,1\nb,2\n"}
	heading.Objectives = []live.DraftObjective{{Column: "y [mm]", Goal: "min", SD: &sd}}
	if text := ask[live.DraftAnswer](t, "draft", heading).Text; !strings.Contains(text, `name = "y"`) || !strings.Contains(text, `unit = "mm"`) {
		t.Errorf("the unit of a heading is missing in\n%s", text)
	}
	if named := ask[live.DraftAnswer](t, "draft", q); named.Text != strings.Replace(d.TOML(), `"solvent"`, `"nr"`, 1) {
		t.Errorf("named by nr:\n%s", named.Text)
	}
	// The resulting problem can be planned.
	fields, err := json.Marshal(got.Fields)
	if err != nil {
		t.Fatal(err)
	}
	p := ask[live.PlanAnswer](t, "plan", live.PlanRequest{Runs: 20, Changes: []string{},
		Problem: live.ProblemFile{Fields: fields, Files: map[string]string{"mine.csv": table}}})
	if c := p.Plan.Candidates; !reflect.DeepEqual(c, []string{"water", "acetone", "DMF"}) || p.Plan.Means[1][0] != .7 {
		t.Errorf("candidates %q with means %v", c, p.Plan.Means)
	}
	if !strings.Contains(got.Question, "rate (higher is better)") || !strings.Contains(got.Question, "cost (lower is better)") {
		t.Errorf("asks %s", got.Question)
	}
}

// Errors of a draft name the field, or the cell.
func TestDraftRefused(t *testing.T) {
	sd, minus := 1., -1.
	one := func(o live.DraftObjective) live.DraftRequest {
		return live.DraftRequest{Name: "m.csv", Table: "a;rate;b\nx;1;2\ny;2;\n", Objectives: []live.DraftObjective{o}}
	}
	delta := one(live.DraftObjective{Column: "rate", Goal: "max", SD: &sd})
	delta.Delta = 2
	for _, x := range []struct {
		q    live.DraftRequest
		want string
	}{
		{live.DraftRequest{Name: "m.csv", Table: "a;b\n"}, "objective: no column is chosen"},
		{one(live.DraftObjective{Column: "rate", Goal: "max"}), "objective[1].noise.sd: "},
		{one(live.DraftObjective{Column: "rate", Goal: "max", SD: &minus}), "draft: objective[1].noise.sd: -1"},
		{one(live.DraftObjective{Column: "b", Goal: "max", SD: &sd}), "m.csv:3: column \"b\""},
		{delta, "draft: question.delta: 2"},
	} {
		text, err := json.Marshal(x.q)
		if err != nil {
			t.Fatal(err)
		}
		var got struct{ Error string }
		if err := json.Unmarshal(live.Do("draft", text, nil), &got); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(got.Error, x.want) {
			t.Errorf("%q; want %q", got.Error, x.want)
		}
	}
}

const grid = "run,x,y\nr1,-1,-1\nr2,-1,1\nr3,1,-1\nr4,1,1\nr5,0,0\n"

// The designs of a page equal those of package design.
func TestDesignIsTheLibrarys(t *testing.T) {
	x := mat.NewDense(5, 3, []float64{1, -1, -1, 1, -1, 1, 1, 1, -1, 1, 1, 1, 1, 0, 0})
	z := mat.NewDense(2, 3, []float64{1, 0, 0, 1, 1, 0})
	for _, c := range []struct {
		name, items string
		solve       func() (design.Criterion, error)
	}{
		{"g", "", func() (design.Criterion, error) { return design.NewG(x) }},
		{"xy", "", func() (design.Criterion, error) { return design.NewPairs(x, nil) }},
		{"transductive", "item,y,x\na,0,0\nb,0,1\n",
			func() (design.Criterion, error) { return design.NewPairs(x, z) }},
	} {
		got := ask[live.DesignAnswer](t, "design", live.DesignRequest{Table: grid, Items: c.items,
			Constant: true, Criterion: c.name, Measurements: 7, Seed: 3})
		crit, err := c.solve()
		if err != nil {
			t.Fatal(err)
		}
		d, err := crit.Solve(nil)
		if err != nil {
			t.Fatal(err)
		}
		alloc, err := design.Round(crit, d.Weights, 7, design.Best)
		if err != nil {
			t.Fatal(err)
		}
		if float64(got.Value) != d.Value || float64(got.Lower) != d.Lower || got.Rank != 3 {
			t.Errorf("%s: %+v; want %v and %v", c.name, got, d.Value, d.Lower)
		}
		// The efficiency compares the rounded plan with Lower, a lower bound for all designs.
		e := d.Lower / d.Value / alloc.Ratio
		if math.Abs(float64(got.Rounded.Efficiency)-e) > 1e-9 {
			t.Errorf("%s: efficiency %v; want %v", c.name, got.Rounded.Efficiency, e)
		}
		sheet, err := csv.NewReader(strings.NewReader(got.Rounded.Worksheet)).ReadAll()
		if err != nil || len(sheet) != 8 {
			t.Fatalf("%s: %v, %v", c.name, sheet, err)
		}
		count := map[string]int{}
		for _, row := range sheet[1:] {
			count[row[1]]++
		}
		for _, p := range got.Points {
			if count[p.Name] != p.Count {
				t.Errorf("%s: %s is %d times on the worksheet; want %d", c.name, p.Name, count[p.Name], p.Count)
			}
		}
	}
}

// A design does not depend on the position of the column of names, and every point in the answer has a weight or a
// measurement.
func TestDesignOfAnyNameColumn(t *testing.T) {
	for _, criterion := range []string{"g", "xy"} {
		for _, n := range []int{0, 3, 4, 6, 11} {
			q := live.DesignRequest{Table: grid, Constant: true, Criterion: criterion, Measurements: n, Seed: 5}
			want := ask[live.DesignAnswer](t, "design", q)
			var weight float64
			count := 0
			for _, p := range want.Points {
				if weight, count = weight+p.Weight, count+p.Count; p.Weight == 0 && p.Count == 0 {
					t.Errorf("%s of %d: %s has no part in the design", criterion, n, p.Name)
				}
			}
			if !(math.Abs(weight-1) <= 1e-9) || count != n {
				t.Errorf("%s of %d: weights of %v and %d measurements", criterion, n, weight, count)
			}
			for _, columns := range [][3]int{{1, 0, 2}, {1, 2, 0}} { // the order of the cells name, x and y in each row
				q.Table, q.Column = "", "run"
				for _, line := range strings.Fields(grid) {
					cells := strings.Split(line, ",")
					q.Table += cells[columns[0]] + "," + cells[columns[1]] + "," + cells[columns[2]] + "\n"
				}
				if got := ask[live.DesignAnswer](t, "design", q); !reflect.DeepEqual(got, want) {
					t.Errorf("%s of %d, names elsewhere: %+v; want %+v", criterion, n, got, want)
				}
			}
		}
	}
}

// Errors of pages with forms name the field, or the cell.
func TestDeskRefused(t *testing.T) {
	change := func(old, with string) string {
		if !strings.Contains(fields, old) {
			t.Fatalf("there is no %s", old)
		}
		text, err := json.Marshal(map[string]string{"c.csv": table})
		if err != nil {
			t.Fatal(err)
		}
		return `{"runs": 20, "problem": {"fields": ` + strings.Replace(fields, old, with, 1) +
			`, "files": ` + string(text) + `}}`
	}
	ask := func(q any) string {
		text, err := json.Marshal(q)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	comma := planned()
	comma.Problem.Files = map[string]string{"c.csv": strings.Replace(table, "55", "\"5,5\"", 1)}
	gone := planned()
	gone.Problem.Files = nil
	for _, c := range []struct{ call, request, want string }{
		{"plan", change(`"delta": 0.05`, `"delta": 2`), "plan: question.delta: 2"},
		{"plan", change(`"plate": 4`, `"plate": 1.5`), "laboratory.plate"},
		{"plan", change(`"at_least": 40`, `"at_lest": 40`), "did you mean at_least?"},
		{"plan", change(`{"sd": 0.5}`, `[null]`), "a list contains null"},
		{"plan", ask(comma), `c.csv:3: column "yield": "5,5"`},
		{"plan", ask(gone), `the table "c.csv" is missing; open this table too`},
		{"plan", `{"problem": {"fields": {}}, "runs": -1}`, "runs: -1"},
		{"problem-fields", `{"text": "a = \nb"}`, "line 1"},
		{"table", `{"name": "t.csv", "text": "a,b\n"}`, "no rows below its header"},
		{"design", ask(live.DesignRequest{Table: "a,x\np,1\nq,two\n", Criterion: "g"}),
			`the table:3: column "x"`},
		{"design", ask(live.DesignRequest{Table: "a,x\np,1\np,2\n", Criterion: "g"}),
			"is also the name in line 2"},
		{"design", ask(live.DesignRequest{Table: grid, Criterion: "d"}), `criterion: "d"; expected g`},
		{"design", ask(live.DesignRequest{Table: "a,x\np,1\nq,-2e100\n", Criterion: "g"}), `the table:3: column "x": -2e+100; expected a number`},
		{"design", ask(live.DesignRequest{Table: grid, Criterion: "g", Measurements: -1}),
			"measurements: -1"},
		{"design", ask(live.DesignRequest{Table: grid, Criterion: "g", Items: "a,x,y\nb,1,1\n"}),
			`items: given, but the criterion "g" uses no items`},
		{"design", ask(live.DesignRequest{Table: "a,x,y\np,1,0\nq,2,0\n",
			Items: "a,x,y\ng,0,0\nh,0,1\n", Criterion: "transductive"}),
			"the difference between g and h cannot be estimated"},
		{"design", ask(live.DesignRequest{Table: grid, Criterion: "g", Constant: true,
			Measurements: 2}), "measurements: "},
	} {
		var got struct{ Error string }
		if err := json.Unmarshal(live.Do(c.call, []byte(c.request), nil), &got); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(got.Error, c.want) {
			t.Errorf("%s %s: %q; want %q", c.call, c.request, got.Error, c.want)
		}
	}
}
