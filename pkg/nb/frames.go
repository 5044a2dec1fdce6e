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

// Load reads a CSV file, whose path is relative to the current folder or the project's root. If
// columns are given, the file must have them.
func Load(path string, columns ...string) Frame {
	root, _ := Root() // empty without a checkout
	_, err := os.Stat(path)
	if _, none := os.Stat(filepath.Join(root, path)); err != nil && none == nil {
		path = filepath.Join(root, path)
	}
	return Must(frame.ReadCSV(path, columns...))
}

// Table parses a table from text: column names in the first line, then one row on each line. Names
// such as 001 and 1E5 remain texts, as in Load.
func Table(text string) Frame { return Must(frame.ParseCSV(strings.NewReader(text), "table")) }

// Dataset returns the main table of a data set of the project; see dataset.All.
func Dataset(name string) Frame {
	info := Must(dataset.Named(name))
	return Must(info.Frame())
}

// ShowFrame shows the named columns of df, or all columns. Columns of numbers with at most 10
// characters are shown as they are; other numbers are rounded to three digits.
func ShowFrame(title string, df Frame, columns ...string) {
	Show(Must(FrameTable(title, df, columns...)))
}

// FrameTable converts the named columns of df, or all columns, to a table.
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

// longestWritten is the largest number of characters of a number that a person wrote.
const longestWritten = 10

// written returns a format that shows all digits of the numbers of a column, or nil for rounded
// numbers, if the column has a number with so many digits that it was computed.
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

// Bernoulli builds an instance of Bernoulli arms, one arm for each row of df. The column arm has
// the names of the arms, and each column in objectives has the success rates of one objective.
func Bernoulli(df Frame, arm string, objectives ...string) *bandit.Instance {
	inst := Must(dataset.Bernoulli(problem.Listed(objectives), df, dataset.Columns{Arm: arm, Objectives: objectives}))
	inst.Notes = append(inst.Notes, taken(df, append([]string{arm}, objectives...)))
	return inst
}

// Pareto returns inst with the question of the Pareto set of the arms.
func Pareto(inst *bandit.Instance) *bandit.Instance {
	return Must(dataset.Ask(inst, question.Pareto{}))
}

// Free is the lower bound of an unconstrained objective, for AtLeast.
var Free = math.Inf(-1)

// AtLeast returns inst with the question of the Pareto set of the arms whose objectives are at
// least lower, with reasons for rejecting other arms.
func AtLeast(inst *bandit.Instance, lower ...float64) *bandit.Instance {
	if len(lower) != inst.Problem.D() {
		Fail(fmt.Errorf("nb: %d bounds for %d objectives; use nb.Free for an objective without a bound",
			len(lower), inst.Problem.D()))
	}
	region := Must(polyhedron.AtLeast(lower, inst.Problem.ObjectiveNames))
	return Must(dataset.Ask(inst, question.FeasiblePareto{Region: region}))
}

// Weighted returns inst with the question of the arm with the largest weighted sum of objectives.
// If inst has constraints, only arms that satisfy them count. The policies BettingFeasible and
// TFLUCB answer this question.
func Weighted(inst *bandit.Instance, weights ...float64) *bandit.Instance {
	region := cmp.Or(question.Region(inst.Problem.Question), polyhedron.Whole(inst.Problem.D()))
	return Must(dataset.Ask(inst, question.BestFeasible{Region: region, Weights: weights}))
}

// Seed is the root seed of a run: the same seed gives the same measurements.
type Seed uint64

// Recommended returns the policy that policy.For recommends for the question of inst in the given
// circumstances, and shows its name and the reason. If the rewards of inst are Gaussian, or
// successes and failures, Recommended adds this knowledge to c.
func Recommended(inst *bandit.Instance, c policy.Circumstances) explore.Policy {
	Fail(asked("Recommended", inst))
	c = circumstances(inst, c)
	r := Must(policy.For(inst.Problem, c))
	Markdown("**%s** (`policy.%s`): %s. Guarantee: %s.", r.Name,
		explore.TypeName(r.Make()), r.Why, r.Guarantee())
	return r.Make()
}

// circumstances returns c with the declarations that the reward distribution of inst implies.
func circumstances(inst *bandit.Instance, c policy.Circumstances) policy.Circumstances {
	switch inst.Law.(type) {
	case *bandit.Gaussian:
		c.Gaussian = true
	case *bandit.Bernoulli:
		// For the best item, elimination by betting gets the bounds of rewards in another way.
		if _, best := inst.Problem.Question.(question.Best); (c.AnySampling || !best) && c.Radius == nil {
			c.Radius = radius.Bernoulli{}
		}
	}
	return c
}

// Run simulates one run of p on inst. A nil p means the policy that Recommended returns without
// circumstances.
func Run(inst *bandit.Instance, p explore.Policy, seed Seed) *explore.Result {
	Fail(asked("Run", inst))
	return simulate(inst, p, seed, &explore.Settings{})
}

// RunFor is like Run, with a limit on the number of pulls.
func RunFor(inst *bandit.Instance, p explore.Policy, seed Seed, pulls int) *explore.Result {
	Fail(asked("RunFor", inst))
	return simulate(inst, p, seed, &explore.Settings{MaxPulls: pulls})
}

// simulate runs p on inst with the noise of a seed, and keeps the measurements.
func simulate(inst *bandit.Instance, p explore.Policy, root Seed, set *explore.Settings) *explore.Result {
	if p == nil {
		p = Recommended(inst, policy.Circumstances{})
	}
	return Must(simulated(inst, p, root, set))
}

// simulated is like simulate, but returns errors.
func simulated(inst *bandit.Instance, p explore.Policy, root Seed, set *explore.Settings) (*explore.Result, error) {
	s := seed.New(uint64(root))
	set.Src, set.Sums = s.Child("policy").Source(), true
	return explore.Run(p, inst.Problem, inst.Sampler(s.Child("noise")), set)
}
