package hardness_test

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/internal/golden"
	"github.com/purexp/purexp/pkg/bandit"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/mc"
	"github.com/purexp/purexp/pkg/policy"
	"github.com/purexp/purexp/pkg/polyhedron"
	"github.com/purexp/purexp/pkg/question"
	"github.com/purexp/purexp/pkg/question/complexity"
	"github.com/purexp/purexp/pkg/study"
	"github.com/purexp/purexp/pkg/study/gege"
	"github.com/purexp/purexp/pkg/study/hardness"
	"github.com/purexp/purexp/pkg/study/rage"
)

// boxed are arms in the plane with a lower limit of .2 on each objective, and independent noise; coins if sigma is 0.
func boxed(sigma float64, means ...float64) (*bandit.Instance, error) {
	region, err := polyhedron.AtLeast([]float64{.2, .2}, []string{"a", "b"})
	if err != nil {
		return nil, err
	}
	mu := mat.NewDense(len(means)/2, 2, means)
	p := &explore.Problem{Arms: len(means) / 2, Objectives: 2, Sigma: sigma, ObjectiveNames: []string{"a", "b"},
		Question: question.FeasiblePareto{Region: region}}
	if sigma == 0 {
		p.Sigma = .5
		law, err := bandit.NewBernoulli(mu)
		return &bandit.Instance{Law: law, Problem: p, Notes: []string{"Rates."}}, err
	}
	law, err := bandit.NewGaussian(mu, study.Isotropic(2, sigma))
	return &bandit.Instance{Law: law, Problem: p}, err
}

// constrained is an experiment on instances with constraints: one arm of each status, six optimal and five infeasible ones, coins.
func constrained() study.Experiment {
	return study.Experiment{Name: "toy/known", Title: "Known", Names: []string{"each", "many", "coins"}, Sizes: []int{0, 1, 2}, Delta: .05,
		Instance: func(place, _ int) (*bandit.Instance, error) {
			switch place {
			case 0:
				return boxed(.3, .9, .6, .7, .5, .1, .8, .15, .3)
			case 1:
				return boxed(1, .3, .8, .4, .7, .5, .6, .6, .5, .7, .4, .8, .3,
					.1, .81, .05, .82, .15, .83, .12, .84, .08, .85)
			}
			return boxed(0, .9, .6, .95, .3, .8, .55)
		}}
}

// What is known of instances with constraints, arm by arm and in all.
func TestKnownStays(t *testing.T) {
	e := constrained()
	ts, err := hardness.Known(e.Results(nil))
	if err != nil || len(ts) != 2+3 {
		t.Fatalf("%d tables, %v; want complexities, times and the means of three instances", len(ts), err)
	}
	var out strings.Builder
	for _, inst := range []string{"each", "many"} {
		in, err := e.Named(inst)
		if err != nil {
			t.Fatal(err)
		}
		ts = append(ts, hardness.Costs(in))
	}
	e.Sizes = e.Sizes[:2]
	plain, err := hardness.Times(e)
	if err != nil || len(plain.Notes) != 1 {
		t.Errorf("%v, %v: want no note on coins where there are none", plain, err)
	}
	for _, table := range ts {
		fmt.Fprintf(&out, "%s\n%s%s\n\n", table.Title, golden.Steady(table.CSV()), strings.Join(table.Notes, "\n"))
	}
	golden.Check(t, "known.txt", out.String())
	e.Instance = func(int, int) (*bandit.Instance, error) { return nil, fmt.Errorf("no table") }
	if _, err := hardness.Known(e.Results(nil)); err == nil || !strings.Contains(err.Error(), "toy/known: no table") {
		t.Errorf("an instance that cannot be had: %v", err)
	}
}

// The right answer to each question, with reasons where they are asked for: by hand.
func TestRight(t *testing.T) {
	in, err := boxed(.3, .9, .6, .7, .5, .1, .8, .15, .3)
	if err != nil {
		t.Fatal(err)
	}
	one := mat.NewDense(5, 1, []float64{.5, .9, .2, .85, .9})
	law, err := bandit.NewGaussian(one, study.Isotropic(1, 1))
	if err != nil {
		t.Fatal(err)
	}
	single := func(q explore.Question) *bandit.Instance {
		return &bandit.Instance{Law: law, Problem: &explore.Problem{Arms: 5, Sigma: 1, Question: q}}
	}
	front := &bandit.Instance{Law: in.Law, Problem: &explore.Problem{Arms: 4, Objectives: 2, Sigma: 1, Question: question.Pareto{}}}
	reasons := func(classes ...explore.Class) (rs []explore.Reason) {
		for _, c := range classes {
			rs = append(rs, explore.Reason{Class: c})
		}
		return rs
	}
	for _, c := range []struct {
		in   *bandit.Instance
		want explore.Answer
	}{
		{single(question.Best{}), explore.Answer{Items: []int{1}}},
		{single(question.AllEpsilonBest{Epsilon: .06}), explore.Answer{Items: []int{1, 3, 4}}},
		{single(question.AllEpsilonBest{Epsilon: .04}), explore.Answer{Items: []int{1, 4}}},
		{front, explore.Answer{Items: []int{0, 2}}},
		{in, explore.Answer{Items: []int{0}, Reasons: reasons(explore.Optimal, explore.Dominated, explore.Infeasible, explore.Dominated)}},
	} {
		got := question.Right(c.in.Problem.Question, c.in.Truth())
		if !reflect.DeepEqual(got, c.want) || c.in.Law != law && !c.in.Problem.Question.Correct(c.in.Truth(), got) {
			t.Errorf("%v: %+v; want %+v", c.in.Problem.Question, got, c.want)
		}
	}
	defer func() {
		if recover() == nil {
			t.Error("no panic for a question without bounds")
		}
	}()
	question.Right(nil, single(nil).Truth())
}

// The plan of a bound has all pulls in proportion to the weights; an oracle that is asked once is asked once, and what has no finite
// bound has none.
func TestBounds(t *testing.T) {
	asked := 0
	oracle := hardness.Once(func(*bandit.Instance) (func(float64) float64, []float64, error) {
		asked++
		return func(delta float64) float64 { return 10 / delta }, []float64{.25, .75}, nil
	})
	in, err := boxed(.3, .9, .6, .7, .5)
	if err != nil {
		t.Fatal(err)
	}
	for _, delta := range []float64{.1, .05} {
		plan, err := hardness.Bound("b", oracle).Plan(study.Task{Instance: in, Delta: delta})
		n := int(10 / delta)
		if want := []explore.Pull{{Arm: 0, N: n / 4}, {Arm: 1, N: 3 * n / 4}}; err != nil || len(plan.Rounds) != 1 ||
			!slices.Equal(plan.Rounds[0], want) || !slices.Equal(plan.Answer.Items, []int{0}) {
			t.Errorf("%+v, %v; want %v", plan, err, want)
		}
	}
	if asked != 1 {
		t.Errorf("the oracle was asked %d times", asked)
	}
	broken := hardness.Once(func(*bandit.Instance) (func(float64) float64, []float64, error) { return nil, nil, study.ErrNoBound })
	for range 2 {
		if _, err := hardness.Bound("b", broken).Plan(study.Task{Instance: in}); err != study.ErrNoBound {
			t.Errorf("an oracle that knows nothing: %v", err)
		}
	}
	tied, err := boxed(.3, .9, .6, .9, .5)
	if err != nil {
		t.Fatal(err)
	}
	star, err := hardness.CharacteristicTime(tied, question.Pareto{}, .01)
	if err != nil || !math.IsInf(star.Lower, 1) || !math.IsInf(star.Upper, 1) {
		t.Errorf("arms that tie in one objective: T* is %+v, %v", star, err)
	}
	// The second arm is not dominated any more if it is .1 better in one objective: 8 sigma^2/.1^2 with sigma .3, as of two arms.
	set := *in.Problem
	set.Question = question.Pareto{}
	if star, err = hardness.CharacteristicTime(&bandit.Instance{Law: in.Law, Problem: &set}, set.Question, .001); err != nil ||
		!(star.Lower <= 72.001 && star.Upper >= 71.999) || star.Upper > 1.002*star.Lower {
		t.Errorf("T* is %+v, %v; want 72", star, err)
	}
	for i, b := range hardness.Constrained {
		plan, err := b.Plan(study.Task{Instance: in, Delta: .05})
		if want := []string{hardness.SetBound, hardness.ExplainedBound}[i]; err != nil || b.Name != want || len(plan.Rounds) != 1 {
			t.Errorf("%s: %+v, %v; want %s", b.Name, plan, err, want)
		}
	}
}

// schedules are rows of the bounds and of a method of an experiment with random instances: those of draw 1 allow ten times as much.
func schedules() *study.Results {
	e := rage.ManyArms
	e.Name, e.Title, e.Axis, e.Sizes, e.Draws, e.Delta, e.Fewer = "toy/many", "Many", "arms n", []int{10, 20, 30}, 3, .05, nil
	row := func(size, draw int, method, constants string, pulls, rounds int) mc.Row {
		return mc.Row{Experiment: e.Name, Size: size, Draw: draw, Method: method, Constants: constants, Delta: .05, Pulls: pulls, Rounds: rounds,
			Status: explore.Stopped.String(), Correct: true}
	}
	var rows []mc.Row
	for draw, n := range []int{100_000, 1_000_000, 300_000} {
		for _, size := range []int{10, 20} {
			rows = append(rows, row(size, draw, hardness.LowerBound, "bound", n*size/100, 1),
				row(size, draw, hardness.ScheduleBound, "bound", n*size/10, draw+size/10))
			for i, share := range []float64{.5, .9, 1, 1.0199, 1.0201} {
				r := row(size, draw, "RAGE", "theory", int(share*float64(n*size/10)+.5), 3)
				r.Rep = i
				if size == 10 || share < 1.02 {
					rows = append(rows, r)
				}
			}
		}
	}
	rows = append(rows, row(30, 0, hardness.LowerBound, "bound", 7, 1), row(30, 0, "RAGE", "theory", 700, 3))
	return e.Results(rows)
}

// Bounds stand by their medians over instances, and a run is held to the schedule of its own instance, with 2 % for two designs.
func TestSchedules(t *testing.T) {
	r := schedules()
	table := hardness.Schedules(r)
	l := 2 * math.Log(1/(2.4*.05))
	want := [][]any{{10, math.Round(30e3 / l), 30e3, 15e3, 2., 300e3}, {20, math.Round(60e3 / l), 60e3, 30e3, 3., 600e3}}
	if !reflect.DeepEqual(table.Rows, want) || !strings.Contains(strings.Join(table.Notes, " "), "delta = 0.05") ||
		table.Notes[len(table.Notes)-1] != "Medians over 3 instances." || table.Title != "Bounds: Many" || table.Columns[0].Name != "arms n" {
		t.Errorf("%v; want the rows %v\n%q", table.Rows, want, table.Notes)
	}
	v := hardness.WithinSchedule("RAGE", "theory")(r)
	if v.Outcome != study.NotComparable || !strings.HasPrefix(v.Measured, "3 of 27 runs beyond it, 11.11 %") ||
		!strings.Contains(v.Measured, "many n=10; the largest takes 102 % of it") || !strings.HasPrefix(v.Why, "designs within 1 % are allowed for: ") {
		t.Errorf("%+v", v)
	}
	if v := hardness.WithinSchedule("nobody", "")(r); v.Outcome != study.NotComparable || v.Why != "no runs of nobody" {
		t.Errorf("a method that was not run: %+v", v)
	}
	one := r.Experiment
	one.Draws, one.Sizes = 0, []int{10}
	if table := hardness.Schedules(one.Results(r.Rows)); strings.Contains(strings.Join(table.Notes, " "), "Medians") {
		t.Errorf("one instance: %q", table.Notes)
	}
}

// The bound of a schedule is the sum of its rounds, which the table has one by one.
func TestRounds(t *testing.T) {
	of := func(delta float64) *policy.RAGE { return &policy.RAGE{Delta: delta} }
	e := rage.Benchmark
	table, err := hardness.Rounds(e, 5, 0, of)
	if err != nil {
		t.Fatal(err)
	}
	inst, err := e.At(5, 0)
	if err != nil {
		t.Fatal(err)
	}
	plan, err := hardness.Schedule(of).Plan(e.Task(inst, 5))
	if err != nil || len(plan.Rounds) != len(table.Rows) || len(table.Rows) < 3 || !slices.Equal(plan.Answer.Items, []int{0}) ||
		table.Title != "RAGE's schedule: benchmark d=5" {
		t.Fatalf("%+v, %v; want the rounds\n%s", plan, err, table.Text())
	}
	items := inst.Problem.M()
	for i, row := range table.Rows {
		if row[0] != i+1 || row[1].(int) > items || plan.Rounds[i][0] != (explore.Pull{Arm: 0, N: row[3].(int)}) {
			t.Errorf("round %d is %v; the plan has %v", i+1, row, plan.Rounds[i])
		}
		items = row[1].(int)
	}
	other, err := hardness.Schedule(of).Plan(study.Task{Instance: inst, Delta: e.Delta / 10})
	if err != nil || reflect.DeepEqual(other.Rounds, plan.Rounds) {
		t.Errorf("%v, %v: the schedule does not go by delta", other.Rounds, err)
	}
	if _, err := hardness.Rounds(study.Experiment{Name: "none", Instance: func(int, int) (*bandit.Instance, error) {
		return nil, fmt.Errorf("no table")
	}}, 5, 0, of); err == nil {
		t.Error("no error for an instance that cannot be had")
	}
}

// Complexities of linear Pareto sets by hand: two arms of two features, gaps of 1 in each of two objectives. What cannot be had is
// left out, and named.
func TestGapsByHand(t *testing.T) {
	e := study.Experiment{Name: "toy/gaps", Title: "Gaps", Axis: "arms K", Sizes: []int{3, 4},
		Instance: func(k, _ int) (*bandit.Instance, error) {
			if k > 4 {
				return nil, fmt.Errorf("no table of %d", k)
			}
			theta := mat.NewDense(k, 2, nil)
			for i := range k {
				theta.SetRow(i, []float64{float64(i), float64(-2 * i)})
			}
			return bandit.NewLinear("", &explore.Problem{X: study.Basis(k, k), Objectives: 2, Sigma: 1, NormSigma: 1, Question: question.Pareto{}}, theta)
		}}
	places := hardness.At(func(e study.Experiment) []int { return append(e.Sizes, 5) }, e)
	if len(places) != 3 || places[2].Size != 5 || places[0].Experiment.Name != "toy/gaps" {
		t.Fatalf("places %v", places)
	}
	table, err := hardness.Gaps(places...)
	if err != nil || len(table.Rows) != 2 {
		t.Fatalf("%+v, %v", table, err)
	}
	for i, row := range table.Rows {
		k := 3 + i
		// All are optimal; each is 1 from being dominated by its neighbours: H1 = K, H2 = K.
		if row[0] != fmt.Sprintf("gaps K=%d", k) || row[1] != k || row[2] != k || row[3] != k || row[4] != 1. ||
			row[5] != float64(k) || row[6] != float64(k) {
			t.Errorf("%v; want %d arms, rank and optimal ones, gaps of 1", row, k)
		}
		if lower, ok := row[9].(float64); !ok || !(lower > float64(k)) {
			t.Errorf("T* is %v", row[9])
		}
	}
	if last := table.Notes[len(table.Notes)-1]; last != "Without Gaps: toy/gaps: no table of 5." || len(table.Notes) != 3 {
		t.Errorf("notes %q", table.Notes)
	}
	// Where complexities differ each stands in its own column.
	inst, err := gege.SyntheticBudget.At(20, 0)
	if err != nil {
		t.Fatal(err)
	}
	c, err := complexity.NewLinear(inst.Problem, inst.Truth())
	if err != nil {
		t.Fatal(err)
	}
	if table, err = hardness.Gaps(hardness.Place{Experiment: gege.SyntheticBudget, Size: 20}); err != nil || c.H1 == c.H2 || c.H1Lin == c.H2Lin ||
		!slices.Equal(table.Rows[0][4:9], []any{c.Sorted[0], c.H1, c.H2, c.H1Lin, c.H2Lin}) {
		t.Errorf("%v, %v; want %+v", table.Rows, err, c)
	}
	if g, err := hardness.GrowthOfH1(e, 3, 4); err != nil || !(math.Abs(g-1) <= 1e-9) {
		t.Errorf("H1 = K grows with the exponent %v, %v", g, err)
	}
	for _, sizes := range [][2]int{{5, 4}, {4, 5}} {
		if _, err := hardness.GrowthOfH1(e, sizes[0], sizes[1]); err == nil || !strings.Contains(err.Error(), "no table of 5") {
			t.Errorf("sizes %v: %v", sizes, err)
		}
	}
}
