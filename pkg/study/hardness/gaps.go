package hardness

import (
	"fmt"
	"math"

	"github.com/purexp/purexp/pkg/bandit"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/pareto"
	"github.com/purexp/purexp/pkg/question"
	"github.com/purexp/purexp/pkg/question/complexity"
	"github.com/purexp/purexp/pkg/study"
	"github.com/purexp/purexp/pkg/tidy"
)

// FeatureFree is the lower bound T* kl(delta, 1 - delta) on the expected number of pulls for the
// Pareto set, for methods that do not use the features.
var FeatureFree = Time("lower bound without features", paretoSet, paretoTol)

// paretoTol is the relative width of the brackets of characteristic times of Pareto sets.
const paretoTol = 1e-2

func paretoSet(*bandit.Instance) explore.Question { return question.Pareto{} }

// Gaps returns a table of the complexities of linear instances with a Pareto question. For each
// experiment e in es, the table contains the sizes that of(e) returns. If an instance is not
// available, for example because its table is not found, the result omits the instance, and a note
// says so; see dataset.Folder.
func Gaps(of func(study.Experiment) []int, es ...study.Experiment) (*tidy.Table, error) {
	t := &tidy.Table{
		Title: "Complexity of the instances",
		Columns: tidy.Columns("instance", "arms", "rank", "optimal", "smallest gap", "H1", "H2",
			"H1lin", "H2lin", "T* [pulls]"),
		Notes: []string{"Complexities are in units of 1/reward^2. The number of pulls is of order sigma^2 times a " +
			"complexity, up to logarithms: H1 or H2 without the linear model, and H1lin or H2lin for GEGE.",
			"T*: a method that does not use the features and is right with probability 1 - delta needs at least T* " +
				"log(1/(2.4 delta)) pulls on average. T* is certified to 1 %."},
	}
	for _, e := range es {
		for _, size := range of(e) {
			inst, err := e.At(size, 0)
			if err != nil {
				t.Notes = append(t.Notes, fmt.Sprintf("Without %s: %v.", e.Title, err))
				continue
			}
			c, err := complexity.NewLinear(inst.Problem, inst.Truth())
			if err != nil {
				return nil, err
			}
			star, err := CharacteristicTime(inst, question.Pareto{}, paretoTol)
			if err != nil {
				return nil, err
			}
			t.Rows = append(t.Rows, []any{inst.Name, c.Items, c.Rank, len(pareto.Set(inst.Truth())),
				c.Sorted[0], c.H1, c.H2, c.H1Lin, c.H2Lin, star.Upper})
		}
	}
	return t, nil
}

// GrowthOfH1 returns the exponent with which the complexity H1 grows between two sizes of an
// experiment.
func GrowthOfH1(e study.Experiment, small, large int) (float64, error) {
	h1 := func(size int) (float64, error) {
		inst, err := e.At(size, 0)
		if err != nil {
			return 0, err
		}
		return complexity.NewGaps(inst.Problem.Question.(question.Pareto), inst.Truth(), 1).H1, nil
	}
	a, err := h1(small)
	if err != nil {
		return 0, err
	}
	b, err := h1(large)
	return math.Log(b/a) / math.Log(float64(large)/float64(small)), err
}
