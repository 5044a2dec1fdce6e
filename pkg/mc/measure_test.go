package mc_test

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/purexp/purexp/pkg/bandit"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/mc"
	"github.com/purexp/purexp/pkg/question"
	"gonum.org/v1/gonum/mat"
)

// regret sums the losses of pulls of arms other than the best, and records the sum after given
// numbers of pulls.
type regret struct {
	in    *bandit.Instance
	at    []int
	lost  float64
	marks []float64
}

func (r *regret) Record(e explore.Event) error {
	mu := r.in.Truth()
	best := slices.Max(mu.RawMatrix().Data)
	for _, b := range e.Obs {
		r.lost += float64(b.N) * (best - mu.At(b.Arm, 0))
	}
	for len(r.marks) < len(r.at) && e.Pulls >= r.at[len(r.marks)] {
		r.marks = append(r.marks, r.lost)
	}
	return nil
}

func (r *regret) Values(dst []float64, _ *explore.Result) []float64 {
	dst = append(dst, r.marks...)
	for range len(r.at) - len(r.marks) {
		dst = append(dst, math.NaN()) // the run ended earlier
	}
	return dst
}

// measured returns a study of one cell with the measures ms.
func measured(ms ...mc.Measure) *mc.Grid {
	return &mc.Grid{Study: "measured", Seed: 1, Reps: 3, Cells: []mc.Cell{{
		Instance: instance("easy", 0, 1, 2), Experiment: "demo", Size: 3, Draw: 4, Budget: 30,
		Measures: ms,
		Method:   mc.Method{Name: "narrow", New: func() explore.Policy { return &race{Batch: 3, Width: .5} }},
	}}}
}

// A recording meter receives every round. Numbers that a run does not have are omitted.
func TestMeasures(t *testing.T) {
	checkpoints := mc.Measure{
		Names: []string{"regret at 10", "regret at 1000000"},
		New:   func(in *bandit.Instance) mc.Meter { return &regret{in: in, at: []int{10, 1_000_000}} },
	}
	arms := mc.Number("arms", func(in *bandit.Instance, r *explore.Result) float64 {
		return float64(len(r.ArmPulls) * len(r.Answer.Items))
	})
	path, _ := stream(t, measured(arms, checkpoints))
	rows, h, err := mc.Read(path)
	if err != nil || len(rows) != 3 {
		t.Fatal(len(rows), err)
	}
	for _, r := range rows {
		if r.Experiment != "demo" || r.Size != 3 || r.Draw != 4 || r.Budget != 30 || len(r.Measures) != 2 {
			t.Fatalf("row %+v", r)
		}
		if v, ok := r.Measure("arms"); !ok || v != 3 {
			t.Errorf("arms: %v, %v; want 3", v, ok)
		}
		// A round has three pulls of each arm and one pull of a random arm. The loss is 3 * (2 + 1) = 9 for the three
		// pulls of each arm, and at most 2 for the pull of the random arm.
		if v, ok := r.Measure("regret at 10"); !ok || v < 9 || v > 11 {
			t.Errorf("regret at 10: %v, %v; want 9 to 11", v, ok)
		}
		if v, ok := r.Measure("regret at 1000000"); ok {
			t.Errorf("regret at a time that the run did not reach: %v", v)
		}
	}
	if got := h.Cells[0].Measures; !slices.Equal(got, []string{"arms", "regret at 10", "regret at 1000000"}) {
		t.Errorf("the header has measures %q", got)
	}
	if err := measured(arms).Stream(context.Background(), path); err == nil ||
		!strings.Contains(err.Error(), "measures of narrow with budget 30 on easy of demo") ||
		!strings.Contains(err.Error(), `are ["arms" "regret at 10" "regret at 1000000"]; expected ["arms"]`) {
		t.Errorf("a file with other measures was continued: %v", err)
	}
}

// Regret agrees with the recorder for any policy, and NaN is omitted.
func TestRegretMeasure(t *testing.T) {
	rows, err := measured(mc.Regret(3, 10, 1_000_000)).Run(context.Background())
	if err != nil || len(rows) == 0 {
		t.Fatal(len(rows), err)
	}
	for _, r := range rows {
		total, ok := r.Measure("regret")
		last, _ := r.Measure("regret@1000000")
		first, _ := r.Measure("regret@3") // arm 0 three times, at a loss of 2 each
		tenth, _ := r.Measure("instant@10")
		ten, _ := r.Measure("regret@10")
		if _, late := r.Measure("instant@1000000"); !ok || late || last != total || first != 6 || ten != 9+tenth {
			t.Errorf("%+v", r.Measures)
		}
	}
}

// The numbers in the header, the numbers of replicates and the progress agree with the rows, for any shard.
func TestCounts(t *testing.T) {
	x, z := mat.NewDense(3, 2, []float64{1, 0, 0, 1, 1, 1}), mat.NewDense(5, 2, []float64{1, 2, 3, 4, 5, 6, 7, 8, 9, 1})
	in, err := bandit.NewLinear("linear", &explore.Problem{X: x, Z: z, Objectives: 4, Sigma: 1, NormSigma: 1,
		Question: question.Pareto{}}, mat.NewDense(2, 4, nil))
	if err != nil {
		t.Fatal(err)
	}
	g := toy()
	g.Instances = append(g.Instances, in)
	h, err := g.Header()
	if err != nil {
		t.Fatal(err)
	}
	size := map[string][3]int{"easy": {3, 3, 1}, "<hard>": {2, 2, 1}, "linear": {3, 5, 4}, "tie": {2, 2, 1}}
	for _, i := range h.Instances {
		if want := size[i.Name]; [3]int{i.Arms, i.Items, i.Objectives} != want {
			t.Errorf("%+v; want %v", i, want)
		}
	}
	if len(h.Instances) != 4 || len(h.Cells) != 3*2+1 {
		t.Errorf("%d instances, %d cells; want 4 and 7", len(h.Instances), len(h.Cells))
	}
	reps, err := g.Replicates()
	if err != nil || len(reps) != 7 {
		t.Errorf("%v, %v; want 7 cells", reps, err)
	}
	for k, n := range reps {
		if want := map[bool]int{true: 3, false: 5}[k.Instance == "tie"]; n != want {
			t.Errorf("%v has %d replicates; want %d", k, n, want)
		}
	}
	sum := map[mc.Key]int{}
	for _, shard := range []string{"1/3", "2/3", "3/3"} {
		g := toy()
		if g.Shard, err = mc.ParseShard(shard); err != nil {
			t.Fatal(err)
		}
		calls, last := 0, 0
		g.Progress = func(done, total int, _ time.Duration) {
			if done != calls {
				t.Errorf("shard %s: %d rows are done after %d calls", shard, done, calls)
			}
			calls, last = calls+1, total
		}
		rows := run(t, g)
		if calls != len(rows)+1 || last != len(rows) {
			t.Errorf("shard %s: %d calls of %d in total; there are %d rows", shard, calls, last, len(rows))
		}
		for _, r := range rows {
			sum[r.Key()]++
			pulls := 0
			for _, n := range r.ArmPulls {
				pulls += n
			}
			if pulls != r.Pulls || len(r.ArmPulls) != size[r.Instance][0] || len(r.Classes) != size[r.Instance][1] {
				t.Errorf("%+v: %d pulls", r, pulls)
			}
		}
	}
	for k, n := range sum {
		if n != reps[k] || len(sum) != 5 {
			t.Errorf("%v: %d rows in all shards; want %d", k, n, reps[k])
		}
	}
}
