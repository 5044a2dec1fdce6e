package designs

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/purexp/purexp/pkg/design"
	"github.com/purexp/purexp/pkg/pareto"
	"github.com/purexp/purexp/pkg/question/complexity"
	"github.com/purexp/purexp/pkg/study"
	"github.com/purexp/purexp/pkg/tidy"
)

// LastStage compares how precisely methods estimate the difference between the two arms that are
// hardest to distinguish. The instance is that of an experiment with a fixed budget. The table
// shows the standard error of the least-squares estimate, in each stage of GEGE, and for uniform
// sampling with the same total number of pulls. LastStage assumes that GEGE keeps the arms with the
// smallest true gaps.
//
// In each stage, GEGE uses only new rewards of the arms that remain. If the remaining arms have
// almost the same features, only their own pulls give information about their difference. Uniform
// sampling also gains information from all other arms with the distinguishing feature.
func LastStage(e study.Experiment, size int) (*tidy.Table, error) {
	inst, err := e.At(size, 0)
	if err != nil {
		return nil, err
	}
	b, err := complexity.NewLinear(inst.Problem, inst.Truth())
	if err != nil {
		return nil, fmt.Errorf("designs: %s: %w", inst.Name, err)
	}
	truth := inst.Truth()
	gaps, order := pareto.Gaps(truth), make([]int, b.Items)
	floats.ArgsortStable(slices.Clone(gaps), order)
	i := order[0]
	gap, rival, objective, nearest := gaps[i], 0, 0, math.Inf(1)
	for j := range b.Items { // find the arm and the objective that determine the gap of arm i
		for c, v := range truth.RawRowView(j) {
			if off := math.Abs(math.Abs(v-truth.At(i, c)) - gap); j != i && off < nearest {
				rival, objective, nearest = j, c, off
			}
		}
	}
	x := inst.Problem.X
	y := slices.Clone(x.RawRowView(i))
	floats.Sub(y, x.RawRowView(rival))
	c, err := design.NewC(x, y)
	if err != nil {
		return nil, err
	}
	t := &tidy.Table{
		Title: fmt.Sprintf("%s: distinguishing %s from %s with T = %s", e.Title, inst.Problem.Item(i),
			inst.Problem.Item(rival), tidy.Int(e.Budget(size))),
		Columns: tidy.Columns("measured", "arms", "pulls", "standard error",
			"gap / standard error", "probability of a wrong sign [%]"),
		Notes: []string{fmt.Sprintf(
			"The gap of the two arms is %.3g in %s. Standard error: of the least-squares estimate of the gap. "+
				"Probability of a wrong sign: for Gaussian noise with this standard error.",
			gap, inst.Problem.Objective(objective))},
	}
	add := func(name string, arms int, counts []float64) {
		se := b.Sigma * math.Sqrt(c.Value(counts))
		t.Rows = append(t.Rows, []any{name, arms, int(math.Round(floats.Sum(counts))),
			se, gap / se, 100 * distuv.UnitNormal.CDF(-gap/se)})
	}
	budget := float64(e.Budget(size))
	for r := range b.Rounds() {
		n := b.Items
		if r > 0 {
			n = min(n, (b.Rank+1<<r-1)>>r)
		}
		d, err := design.G(rowsOf(x, order[:n]), nil)
		if err != nil {
			return nil, err
		}
		counts := make([]float64, b.Items)
		for p, i := range order[:n] {
			counts[i] = d.Weights[p] * math.Floor(budget/float64(b.Rounds()))
		}
		add(fmt.Sprintf("GEGE, stage %d", r+1), n, counts)
	}
	all := make([]float64, b.Items)
	floats.AddConst(budget/float64(b.Items), all)
	add("uniform, least squares", b.Items, all)
	return t, nil
}

func rowsOf(x *mat.Dense, rows []int) *mat.Dense {
	_, h := x.Dims()
	y := mat.NewDense(len(rows), h, nil)
	for r, i := range rows {
		y.SetRow(r, x.RawRowView(i))
	}
	return y
}
