package nb

import (
	"cmp"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/go-gota/gota/dataframe"

	"github.com/purexp/purexp/pkg/bandit"
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

// Frame is a table of a notebook.
type Frame = dataframe.DataFrame

// Load reads a table from a CSV file, relative to the project's root if it is
// not found from here. Columns, if given, must be there.
func Load(path string, columns ...string) Frame {
	if root, ok := Root(); ok {
		if _, err := os.Stat(path); err != nil {
			path = filepath.Join(root, path)
		}
	}
	return Must(frame.ReadCSV(path, columns...))
}

// Table reads a table from a text: names of columns in its first line, then a line a row. As in files that Load reads,
// names like 001 and 1E5 stay as they are.
func Table(text string) Frame { return Must(frame.ParseCSV(strings.NewReader(text), "table")) }

// Dataset returns the main table of a data set of the project, see
// dataset.All.
func Dataset(name string) Frame {
	info := Must(dataset.Named(name))
	return Must(info.Frame())
}

// ShowFrame shows columns of df, all if none are named.
func ShowFrame(title string, df Frame, columns ...string) {
	Show(Must(FrameTable(title, df, columns...)))
}

// FrameTable turns columns of df, all if none are named, into a table.
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
			return nil, fmt.Errorf("nb: no column %q; there are %q", c, df.Names())
		}
		t.Columns = append(t.Columns, tidy.Column{Name: c})
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

// Bernoulli builds an instance of Bernoulli arms, one a row of df: the column
// arm has their names, the others are the rates of the objectives, which name the instance.
func Bernoulli(df Frame, arm string, objectives ...string) *bandit.Instance {
	inst := Must(dataset.Bernoulli(nameOf(objectives), df, dataset.Columns{Arm: arm, Objectives: objectives}))
	inst.Notes = append(inst.Notes, taken(df, append([]string{arm}, objectives...)))
	return inst
}

// nameOf is what an instance is called that a table makes: by what is measured.
func nameOf(objectives []string) string {
	n := len(objectives)
	if n < 2 {
		return strings.Join(objectives, "")
	}
	return strings.Join(objectives[:n-1], ", ") + " and " + objectives[n-1]
}

// Pareto asks for the Pareto set of the arms of inst.
func Pareto(inst *bandit.Instance) *bandit.Instance {
	return Must(dataset.Ask(inst, question.Pareto{}))
}

// Free is the lower bound of an objective that has none.
var Free = math.Inf(-1)

// AtLeast asks for the Pareto set of the arms of inst whose objectives are at
// least lower, and why the others are rejected.
func AtLeast(inst *bandit.Instance, lower ...float64) *bandit.Instance {
	if len(lower) != inst.Problem.D() {
		Fail(fmt.Errorf("nb: %d bounds for %d objectives; use nb.Free where there is none",
			len(lower), inst.Problem.D()))
	}
	region := Must(polyhedron.AtLeast(lower, inst.Problem.ObjectiveNames))
	return Must(dataset.Ask(inst, question.FeasiblePareto{Region: region}))
}

// Weighted asks for the one arm of inst with the largest sum of its objectives
// times weights, among the arms that meet the constraints that inst is asked
// about, if any: policy.BettingFeasible and policy.TFLUCB answer it.
func Weighted(inst *bandit.Instance, weights ...float64) *bandit.Instance {
	region := cmp.Or(question.Region(inst.Problem.Question), polyhedron.Whole(inst.Problem.D()))
	return Must(dataset.Ask(inst, question.BestFeasible{Region: region, Weights: weights}))
}

// Seed is the root of the random streams of a run: the same seed gives the same
// measurements.
type Seed uint64

// Recommended returns the policy that is recommended for the question of inst in the given
// circumstances, and shows which it is and why: see policy.For. What the law of inst says of the
// noise counts as stated: that it is Gaussian, or that rewards are successes and failures.
func Recommended(inst *bandit.Instance, c policy.Circumstances) explore.Policy {
	Fail(asked("Recommended", inst))
	c = circumstances(inst, c)
	r := Must(policy.For(inst.Problem, c))
	Markdown("**%s** (`policy.%s`): %s. Guarantee: %s.", r.Name,
		explore.TypeName(r.Make()), r.Why, r.Guarantee())
	return r.Make()
}

// circumstances are c with what the law of inst says of the noise.
func circumstances(inst *bandit.Instance, c policy.Circumstances) policy.Circumstances {
	switch inst.Law.(type) {
	case *bandit.Gaussian:
		c.Gaussian = true
	case *bandit.Bernoulli:
		// Elimination by betting, for the best one, is told of bounds otherwise.
		if _, best := inst.Problem.Question.(question.Best); (c.AnySampling || !best) && c.Radius == nil {
			c.Radius = radius.Bernoulli{}
		}
	}
	return c
}

// Run simulates one run of p on inst. A nil p is the policy that Recommended returns where nothing
// is said about the circumstances.
func Run(inst *bandit.Instance, p explore.Policy, seed Seed) *explore.Result {
	Fail(asked("Run", inst))
	return simulate(inst, p, seed, &explore.Settings{})
}

// RunFor is Run with a limit on the number of pulls.
func RunFor(inst *bandit.Instance, p explore.Policy, seed Seed, pulls int) *explore.Result {
	Fail(asked("RunFor", inst))
	return simulate(inst, p, seed, &explore.Settings{MaxPulls: pulls})
}

// simulate runs p on inst with the noise of a seed, and keeps what is measured.
func simulate(inst *bandit.Instance, p explore.Policy, root Seed,
	set *explore.Settings) *explore.Result {
	if p == nil {
		p = Recommended(inst, policy.Circumstances{})
	}
	return Must(simulated(inst, p, root, set))
}

// simulated is simulate with its error.
func simulated(inst *bandit.Instance, p explore.Policy, root Seed, set *explore.Settings) (*explore.Result, error) {
	s := seed.New(uint64(root))
	set.Src, set.Sums = s.Child("policy").Source(), true
	return explore.Run(p, inst.Problem, inst.Sampler(s.Child("noise")), set)
}
