package nb

import (
	"cmp"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"

	"github.com/purexp/purexp/pkg/bandit"
	"github.com/purexp/purexp/pkg/campaign/problem"
	"github.com/purexp/purexp/pkg/dataset"
	"github.com/purexp/purexp/pkg/dataset/frame"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policy"
	"github.com/purexp/purexp/pkg/polyhedron"
	"github.com/purexp/purexp/pkg/question"
	"github.com/purexp/purexp/pkg/radius"
	"github.com/purexp/purexp/pkg/seed"
	"github.com/purexp/purexp/pkg/tidy"
)

// Frame is a data frame.
type Frame = dataframe.DataFrame

// Load reads a CSV file, whose path is relative to the current folder or to the project's root
// folder. If columns are given, the file must contain all of them.
func Load(path string, columns ...string) Frame {
	root, _ := Root() // empty without a checkout
	_, err := os.Stat(path)
	if _, none := os.Stat(filepath.Join(root, path)); err != nil && none == nil {
		path = filepath.Join(root, path)
	}
	return Must(frame.ReadCSV(path, columns...))
}

// Table parses a table from text, with the column names in the first line and one row in each
// further line. Names such as 001 and 1E5 remain texts, as in Load.
func Table(text string) Frame { return Must(frame.ParseCSV(strings.NewReader(text), "table")) }

// Dataset returns the main table of a data set that the project provides; see dataset.All.
func Dataset(name string) Frame {
	info := Must(dataset.Named(name))
	return Must(info.Frame())
}

// ShowFrame shows the named columns of df or, if none are named, all columns. Numeric columns whose
// numbers have at most 10 characters are shown as written; other numbers are rounded to three
// digits.
func ShowFrame(title string, df Frame, columns ...string) {
	Show(Must(FrameTable(title, df, columns...)))
}

// FrameTable converts the named columns of df or, if none are named, all columns to a table.
func FrameTable(title string, df Frame, columns ...string) (*tidy.Table, error) {
	if df.Err != nil {
		return nil, fmt.Errorf("nb: %w", df.Err)
	}
	if len(columns) == 0 {
		columns = df.Names()
	}
	t := &tidy.Table{Title: title}
	for _, c := range columns {
		if !slices.Contains(df.Names(), c) {
			return nil, fmt.Errorf("nb: no column %q; the columns are %q", c, df.Names())
		}
		t.Columns = append(t.Columns, tidy.Column{Name: c, Format: written(df.Col(c))})
	}
	for i := range df.Nrow() {
		row := make([]any, len(columns))
		for j, c := range columns {
			row[j] = df.Col(c).Elem(i).Val()
		}
		t.Rows = append(t.Rows, row)
	}
	return t, nil
}

// longestWritten is the largest number of characters for which a number is assumed to be written by
// a person.
const longestWritten = 10

// written returns a format that shows all digits of the numbers in a column. If a number has so
// many digits that it must have been computed, written returns nil, and the numbers are rounded.
func written(column series.Series) func(any) string {
	exact := func(v any) string {
		if x, number := v.(float64); number {
			return strconv.FormatFloat(x, 'f', -1, 64)
		}
		return ""
	}
	if column.Type() != series.Float || slices.ContainsFunc(column.Float(), func(x float64) bool {
		return len(exact(x)) > longestWritten
	}) {
		return nil
	}
	return exact
}

// Bernoulli builds an instance of Bernoulli arms from df, one arm for each row. The column "arm"
// contains the names of the arms, and each column in objectives contains the success rates of one
// objective.
func Bernoulli(df Frame, arm string, objectives ...string) *bandit.Instance {
	inst := Must(dataset.Bernoulli(problem.Listed(objectives), df, dataset.Columns{Arm: arm, Objectives: objectives}))
	inst.Notes = append(inst.Notes, taken(df, append([]string{arm}, objectives...)))
	return inst
}

// Pareto returns a copy of inst that asks for the Pareto set of the arms.
func Pareto(inst *bandit.Instance) *bandit.Instance {
	return Must(dataset.Ask(inst, question.Pareto{}))
}

// Free is a lower bound for AtLeast that leaves an objective unconstrained.
var Free = math.Inf(-1)

// AtLeast returns a copy of inst that asks for the Pareto set of those arms whose objectives are at
// least lower, with reasons for rejecting other arms.
func AtLeast(inst *bandit.Instance, lower ...float64) *bandit.Instance {
	if len(lower) != inst.Problem.D() {
		Fail(fmt.Errorf("nb: AtLeast: %d bounds; expected %d, one per objective; use nb.Free for an objective "+
			"without a bound", len(lower), inst.Problem.D()))
	}
	region := Must(polyhedron.AtLeast(lower, inst.Problem.ObjectiveNames))
	return Must(dataset.Ask(inst, question.FeasiblePareto{Region: region}))
}

// Weighted returns a copy of inst that asks for the arm with the largest weighted sum of
// objectives. If inst has constraints, only arms that satisfy the constraints can be the answer.
// The policies BettingFeasible and TFLUCB answer the question of Weighted.
func Weighted(inst *bandit.Instance, weights ...float64) *bandit.Instance {
	region := cmp.Or(question.Region(inst.Problem.Question), polyhedron.Whole(inst.Problem.D()))
	return Must(dataset.Ask(inst, question.BestFeasible{Region: region, Weights: weights}))
}

// Seed is the root seed of a run: the same seed gives the same measurements.
type Seed uint64

// Recommended returns the policy that policy.For recommends for the question of inst under the
// given circumstances; it also shows the policy's name and the reason. If the rewards of inst are
// Gaussian or Bernoulli, Recommended adds the distribution of rewards to c.
func Recommended(inst *bandit.Instance, c policy.Circumstances) explore.Policy {
	Fail(asked("Recommended", inst))
	c = circumstances(inst, c)
	r := Must(policy.For(inst.Problem, c))
	Markdown("**%s** (`policy.%s`): %s. Guarantee: %s.", r.Name,
		explore.TypeName(r.Make()), r.Why, r.Guarantee())
	return r.Make()
}

// circumstances returns a copy of c with the declarations implied by the reward distribution of
// inst.
func circumstances(inst *bandit.Instance, c policy.Circumstances) policy.Circumstances {
	switch inst.Law.(type) {
	case *bandit.Gaussian:
		c.Gaussian = true
	case *bandit.Bernoulli:
		// If the question asks for the best item, c.Radius is not set, and BettingElimination uses
		// only the scale of the noise.
		if _, best := inst.Problem.Question.(question.Best); (c.AnySampling || !best) && c.Radius == nil {
			c.Radius = radius.Bernoulli{}
		}
	}
	return c
}

// Run simulates one run of p on inst. If p is nil, Run uses the policy that Recommended returns
// without circumstances.
func Run(inst *bandit.Instance, p explore.Policy, seed Seed) *explore.Result {
	Fail(asked("Run", inst))
	return simulate(inst, p, seed, &explore.Settings{})
}

// RunFor works like Run, with a limit on the number of pulls.
func RunFor(inst *bandit.Instance, p explore.Policy, seed Seed, pulls int) *explore.Result {
	Fail(asked("RunFor", inst))
	return simulate(inst, p, seed, &explore.Settings{MaxPulls: pulls})
}

// simulate runs p on inst with the noise of the given seed, and stores the measurements in the
// result.
func simulate(inst *bandit.Instance, p explore.Policy, root Seed, set *explore.Settings) *explore.Result {
	if p == nil {
		p = Recommended(inst, policy.Circumstances{})
	}
	return Must(simulated(inst, p, root, set))
}

// simulated works like simulate, but returns errors instead of ending the cell.
func simulated(inst *bandit.Instance, p explore.Policy, root Seed, set *explore.Settings) (*explore.Result, error) {
	s := seed.New(uint64(root))
	set.Src, set.Sums = s.Child("policy").Source(), true
	return explore.Run(p, inst.Problem, inst.Sampler(s.Child("noise")), set)
}
