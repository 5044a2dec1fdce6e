package hardness_test

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/bandit"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policy"
	"github.com/purexp/purexp/pkg/polyhedron"
	"github.com/purexp/purexp/pkg/question"
	"github.com/purexp/purexp/pkg/question/complexity"
	"github.com/purexp/purexp/pkg/study"
	"github.com/purexp/purexp/pkg/study/gege"
	"github.com/purexp/purexp/pkg/study/hardness"
	"github.com/purexp/purexp/pkg/study/rage"
)

// boxed returns arms in the plane with a lower limit of 0.2 on each objective. Noise is independent; rewards are
// Bernoulli if sigma is 0.
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
	law, err := bandit.NewGaussian(mu, bandit.Isotropic(2, sigma))
	return &bandit.Instance{Law: law, Problem: p}, err
}

// The plan of a bound has pulls in proportion to the weights. Once calls its oracle once. An infinite bound
// has no plan.
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
			t.Errorf("an oracle without a bound: %v", err)
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
	// The Pareto set changes if the second arm gains 0.1 in one objective. The characteristic time for a gap of 0.1
	// is 8 sigma^2/0.1^2 = 72 with sigma = 0.3, as for the best of two arms.
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

// The bound of a schedule is the sum of the pulls of its rounds, which the table lists.
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
		t.Error("no error for an instance that cannot be created")
	}
}

// For K arms with K features and the means (i, -2 i), all gaps are 1, so the complexities are computed by hand.
// Unavailable instances are omitted and named.
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
	table, err := hardness.Gaps(func(e study.Experiment) []int { return append(e.Sizes, 5) }, e)
	if err != nil || len(table.Rows) != 2 {
		t.Fatalf("%+v, %v", table, err)
	}
	for i, row := range table.Rows {
		k := 3 + i
		// All arms are optimal; each is at distance 1 from being dominated by a neighbour: H1 = K, H2 = K.
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
	// If complexities differ, each is in its own column.
	inst, err := gege.SyntheticBudget.At(20, 0)
	if err != nil {
		t.Fatal(err)
	}
	c, err := complexity.NewLinear(inst.Problem, inst.Truth())
	if err != nil {
		t.Fatal(err)
	}
	if table, err = hardness.Gaps(func(study.Experiment) []int { return []int{20} }, gege.SyntheticBudget); err != nil || c.H1 == c.H2 || c.H1Lin == c.H2Lin ||
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
