package study_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/bandit"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/mc"
	"github.com/purexp/purexp/pkg/question"
	"github.com/purexp/purexp/pkg/study"
)

// ladder returns an instance with k arms and decreasing means. Successive means differ by 1, and the first mean is
// draw.
func ladder(k, draw int) (*bandit.Instance, error) {
	mu := mat.NewDense(k, 1, nil)
	for i := range k {
		mu.Set(i, 0, float64(draw-i))
	}
	law, err := bandit.NewGaussian(mu, mat.NewSymDense(1, []float64{1}))
	return &bandit.Instance{Law: law, Problem: &explore.Problem{Arms: k, Sigma: 1, Question: question.Best{}}}, err
}

// even pulls every arm equally often (n times, or as often as a budget allows), and returns the arm with the largest
// sample mean.
type even struct {
	task study.Task
	n    int

	sum  []float64
	done bool
}

func (p *even) Init(prob *explore.Problem, _ rand.Source) error {
	if p.task.Budget > 0 {
		if p.n = p.task.Budget / prob.K(); p.n == 0 {
			return fmt.Errorf("even: %d pulls: %w", p.task.Budget, explore.ErrBudget)
		}
	}
	p.sum, p.done = make([]float64, prob.K()), false
	return nil
}

func (p *even) Ask(dst []explore.Pull) ([]explore.Pull, error) {
	for i := range p.sum {
		if !p.done {
			dst = append(dst, explore.Pull{Arm: i, N: p.n})
		}
	}
	return dst, nil
}

func (p *even) Tell(obs []explore.Batch) error {
	p.done = true
	for _, b := range obs {
		p.sum[b.Arm] = b.Sum[0]
	}
	return nil
}

func (p *even) Answer() explore.Answer {
	best := 0
	for i, s := range p.sum {
		if s > p.sum[best] {
			best = i
		}
	}
	return explore.Answer{Items: []int{best}}
}

// evenly returns a method whose policy is even.
func evenly(name, constants string, n int) study.Method {
	return study.Method{Name: name, Constants: constants, New: func(t study.Task) explore.Policy {
		return &even{task: t, n: n}
	}}
}

// confident returns an experiment with fixed confidence.
func confident() study.Experiment {
	return study.Experiment{
		Name: "toy/ladder", Title: "Ladder", Source: "Fig. 1", Axis: "arms K", Sizes: []int{2, 4},
		Reps: 6, Delta: .1,
		Instance: ladder,
		Methods:  []study.Method{evenly("even", "many", 9), evenly("even", "few", 4), evenly("rare", "", 3)},
		Measures: []mc.Measure{mc.Number("arms",
			func(in *bandit.Instance, _ *explore.Result) float64 { return float64(in.Problem.K()) })},
		Bounds: []study.Bound{
			{Name: "floor", Plan: func(t study.Task) (study.Plan, error) {
				k := t.Instance.Problem.K()
				w := slices.Repeat([]float64{1 / float64(k)}, k)
				return study.Plan{Rounds: [][]explore.Pull{study.Allocate(float64(k), w)},
					Answer: explore.Answer{Items: []int{0}}}, nil
			}},
			{Name: "none", Plan: func(study.Task) (study.Plan, error) {
				return study.Plan{}, study.ErrNoBound
			}},
		},
		Claims: []study.Claim{
			{ID: "A", Source: "Fig. 1", Statement: "rows of all sizes", Check: func(r *study.Results) study.Verdict {
				v := study.Verdict{Outcome: study.Agrees, Measured: fmt.Sprint(len(r.Rows)), Why: "counted"}
				for _, size := range r.Experiment.Sizes {
					if len(r.Cell(size, "even", "few")) == 0 {
						return study.Missing("even")
					}
				}
				return v
			}},
			{ID: "B", Source: "text", Statement: "is known", Known: true, Check: func(*study.Results) study.Verdict {
				return study.Verdict{Outcome: study.Differs, Measured: "2", Why: "by the instance"}
			}},
		},
	}
}

func simulate(t *testing.T, e study.Experiment, o study.Options) []mc.Row {
	t.Helper()
	g, err := e.Grid(o)
	if err != nil {
		t.Fatal(err)
	}
	rows, err := g.Run(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

// The grid contains each method at the sizes that the method allows, and each bound once.
func TestGrid(t *testing.T) {
	e := confident()
	e.Methods[1].Largest = 2
	e.Methods[2].Reps = 3
	for _, c := range []struct{ reps, even, rare int }{{0, 6, 3}, {2, 2, 1}, {12, 12, 6}} {
		rows := simulate(t, e, study.Options{Reps: c.reps})
		count := map[string]int{}
		for _, r := range rows {
			if r.Experiment != "toy/ladder" || r.Delta != .1 ||
				r.Instance != fmt.Sprintf("ladder K=%d", r.Size) || len(r.ArmPulls) != r.Size {
				t.Fatalf("row %+v", r)
			}
			if v, ok := r.Measure("arms"); ok == study.IsBound(r) || ok && v != float64(r.Size) {
				t.Errorf("measures %v of %s", r.Measures, r.Method)
			}
			count[fmt.Sprint(r.Size, r.Method, r.Constants)]++
		}
		for cell, want := range map[string]int{
			"2evenmany": c.even, "4evenmany": c.even, "2evenfew": c.even, "4evenfew": 0,
			"2rare": c.rare, "4rare": c.rare,
			"2floorbound": 1, "4floorbound": 1, "4nonebound": 1,
		} {
			if count[cell] != want {
				t.Errorf("%d replicates: %s: %d rows; want %d", c.reps, cell, count[cell], want)
			}
		}
	}
}

// Each draw is a separate instance. Results list all draws under one name, with the bounds of each draw.
func TestDraws(t *testing.T) {
	e := confident()
	e.Sizes, e.Draws, e.Reps = []int{3}, 5, 2
	e.Methods[2].Reps = 2 // one run on each of the first two draws
	rows := simulate(t, e, study.Options{})
	names := map[string]bool{}
	for _, r := range rows {
		names[r.Instance] = true
		if r.Instance != fmt.Sprintf("ladder K=3 #%d", r.Draw) {
			t.Errorf("draw %d is called %q", r.Draw, r.Instance)
		}
	}
	own := e.Results(rows)
	reps := map[int]bool{}
	for _, r := range own.Cell(3, "even", "few") {
		reps[r.Rep] = true
		if r.Instance != "ladder K=3" || r.Rep/2 != r.Draw {
			t.Errorf("row %+v", r)
		}
	}
	if n := len(own.Cell(3, "rare", "")); len(names) != 5 || len(reps) != 10 || n != 4 || len(own.Bound(3, "floor")) != 5 {
		t.Errorf("%d instances, %d replicates, %d of a rare method, %d bounds", len(names),
			len(reps), n, len(own.Bound(3, "floor")))
	}
	e.Methods[2].Reps, e.Methods[2].Each = 0, 1 // once on each draw
	if n := len(e.Results(simulate(t, e, study.Options{})).Cell(3, "rare", "")); n != 5 {
		t.Errorf("%d rows of a method with one run a draw; want 5", n)
	}
	few := e
	few.Sizes, few.Fewer = []int{3, 4}, map[int]int{4: 2}
	if r := few.Results(simulate(t, few, study.Options{})); len(r.Bound(3, "floor")) != 5 ||
		len(r.Bound(4, "floor")) != 2 || len(r.Cell(4, "even", "few")) != 4 {
		t.Errorf("%d and %d instances, %d runs; want 5, and 2 with 4 runs where there are fewer",
			len(r.Bound(3, "floor")), len(r.Bound(4, "floor")), len(r.Cell(4, "even", "few")))
	}
	// If there are fewer replicates than draws, each replicate runs on its own draw. If there are more replicates than
	// by default, there are additional draws.
	for _, c := range []struct{ reps, draws, each int }{{4, 4, 1}, {6, 5, 2}, {20, 10, 2}} {
		count := map[string]int{}
		for _, r := range simulate(t, e, study.Options{Reps: c.reps}) {
			if r.Method == "even" && r.Constants == "many" {
				count[r.Instance]++
			}
		}
		if len(count) != c.draws || count["ladder K=3 #0"] != c.each {
			t.Errorf("%d replicates: %v; want %d draws with %d runs", c.reps, count, c.draws, c.each)
		}
	}
	if half := e.Results(simulate(t, e, study.Options{Reps: 4})); len(half.Cell(3, "even", "many")) != 4 {
		t.Errorf("%d rows; want 4", len(half.Cell(3, "even", "many")))
	}
}

// A budget that is too small excludes a method, and rows contain the budget.
func TestBudget(t *testing.T) {
	e := study.Experiment{
		Name: "toy/budget", Title: "Budget", Beside: "a trial", Axis: "budget T",
		Sizes: []int{2, 60}, Reps: 4,
		Budget: func(t int) int {
			return t
		}, Instance: func(_, draw int) (*bandit.Instance, error) { return ladder(3, draw) },
		Methods: []study.Method{evenly("even", "", 0)},
	}
	own := e.Results(simulate(t, e, study.Options{}))
	if n := len(own.Cell(2, "even", "")); n != 0 {
		t.Errorf("%d rows with 2 pulls of 3 arms", n)
	}
	for _, r := range own.Cell(60, "even", "") {
		if r.Budget != 60 || r.Pulls != 60 || r.Delta != 0 {
			t.Errorf("row %+v", r)
		}
	}
	table := own.Table()
	if len(table.Rows) != 1 || !strings.Contains(table.Text(), "not in the paper") {
		t.Errorf("the table is\n%s", table.Text())
	}
	if c := table.Columns; len(c) != 2 || c[0].Name != "budget T" || c[0].Unit != "pulls" {
		t.Errorf("columns %+v; want the budget, once, and the method", c)
	}
	twice := e
	twice.Budget = func(size int) int { return 2 * size }
	if c := twice.Results(nil).Table().Columns; len(c) != 3 || c[1].Name != "budget" {
		t.Errorf("columns %+v; want the size, the budget and the method", c)
	}
	if f, err := own.Figures(); err != nil || len(f) != 1 {
		t.Errorf("figures %v, %v", f, err)
	}
	e.Shared = "three arms"
	for _, r := range simulate(t, e, study.Options{}) {
		if r.Instance != "three arms" || r.Size != 60 || r.Budget != 60 {
			t.Errorf("row %+v", r)
		}
	}
	e.Methods[0].New = func(study.Task) explore.Policy { return &broken{} }
	if _, err := e.Grid(study.Options{}); !errors.Is(err, errBroken) ||
		!strings.Contains(err.Error(), "toy/budget: even on three arms") {
		t.Errorf("a policy that cannot start: %v", err)
	}
}

var errBroken = errors.New("broken")

type broken struct{ even }

func (*broken) Init(*explore.Problem, rand.Source) error { return errBroken }

// Rounding keeps the total number of pulls: 10 pulls in three equal shares are 3, 4 and 3.
func TestAllocate(t *testing.T) {
	got := study.Allocate(10, []float64{1. / 3, 1. / 3, 0, 1. / 3})
	if want := []explore.Pull{{Arm: 0, N: 3}, {Arm: 1, N: 4}, {Arm: 3, N: 3}}; !slices.Equal(got, want) {
		t.Errorf("%v; want %v", got, want)
	}
}

// named returns an experiment on two named instances.
func named() study.Experiment {
	e := confident()
	e.Names, e.Sizes = []string{"short ladder", "long ladder"}, []int{0, 1}
	e.Instance = func(size, draw int) (*bandit.Instance, error) { return ladder(2+2*size, draw) }
	return e
}
