package ecape

import (
	_ "embed" // for the table published.csv
	"fmt"
	"slices"
	"strings"

	"github.com/purexp/purexp/pkg/bandit"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/fig"
	"github.com/purexp/purexp/pkg/mc"
	"github.com/purexp/purexp/pkg/question"
	"github.com/purexp/purexp/pkg/study"
	"github.com/purexp/purexp/pkg/study/hardness"
	"github.com/purexp/purexp/pkg/study/runtimes"
	"github.com/purexp/purexp/pkg/tidy"
)

// Paper contains the experiments of section 5 and appendix G.
var Paper = study.Paper{
	Name:  "ecape",
	Title: "Constrained Pareto sets",
	Reference: "Kone, Kaufmann and Richert, \"Constrained Pareto Set Identification with Bandit Feedback\", section " +
		"5 and appendix G",
	Experiments: experiments,
}

var experiments = []study.Experiment{ClinicalTrials, Polyhedra, Runtime, Explainability, HardForRacing, Doses}

// delta is the error probability in section 5 and appendix G.1.
const delta = .1

// guaranteed is the number of replicates with guaranteed constants, which need up to 60 times as
// many pulls as other constants. All other methods have the paper's number of replicates.
const guaranteed = 50

// The following constants are numbers of replicates on each instance of Fig. 6: the paper's number,
// and a larger number. The larger number is needed to judge an error rate of 1 % or a small
// difference in pulls.
const (
	theirs  = 250
	certain = 1000
)

// ClinicalTrials is the experiment of section 5: a dose-finding trial and a vaccine trial.
var ClinicalTrials = on([]string{Published, Described, CovBoost}, study.Experiment{
	Basis: study.PaperData,
	Name:  "ecape/clinical-trials", Title: "Two clinical trials", Source: "section 5, Fig. 4",
	Delta: delta, Reps: 500,
	Methods: slices.Concat(with(Printed, 0, trials...), with(Calibrated, guaranteed, trials...),
		with(Theory, guaranteed, trials...)),
	Claims:  clinicalClaims(),
	Tables:  study.Tables(study.ArmTables(Printed), hardness.Known),
	Figures: figures,
})

// Polyhedra is appendix G.1, with three feasible regions in R^3: an ordered cone, a simplex and a
// cube.
var Polyhedra = on(regions, study.Experiment{
	Basis: study.StandIn,
	Name:  "ecape/polyhedra", Title: "Polyhedra in three dimensions", Source: "Table 4 and Fig. 5",
	Delta: delta, Reps: 500, Means: true, // the numbers are those of Table 4
	Methods: slices.Concat(with(Printed, 0, trials...), with(Calibrated, guaranteed, trials...)),
	Claims:  polyhedraClaims(),
	Tables:  study.Tables(study.OneTable(Table4), hardness.Known),
	Figures: figures,
})

var regions = []string{SimplexRegion, CubeRegion, OrderedRegion}

// Runtime is the part of appendix G.1 about computing time. Runtime's rows contain the numbers of
// pulls of runs, but not the durations. The durations are measured by the function Runtimes.
var Runtime = func() study.Experiment {
	e := table5.Experiment
	e.Claims, e.Tables = runtimeClaims(), study.Tables(table5.Tables, hardness.Known)
	return e
}()

// The following variables list instances and methods in the order of Table 5 of the paper; Table 4
// has another order.
var (
	timed    = []string{Published, CubeRegion, SimplexRegion, OrderedRegion}
	compared = []string{ECAPE, TwoStage, Uniform}
)

// Explainability is the experiment of appendix G.2: the cost of explaining why arms are rejected.
// Explainability compares e-cAPE with Game-cPSI, which finds the feasible Pareto set but does not
// guarantee its reasons.
var Explainability = on([]string{CheapReasons, HardReasons}, study.Experiment{
	Basis: study.StandIn,
	Name:  "ecape/explainability", Title: "The cost of explanations", Source: "Fig. 6",
	Delta: .01, Reps: certain,
	Methods: slices.Concat(with(Printed, 0, ECAPE), with(Printed, theirs, Game),
		with(Heuristic, 0, Game), with(Calibrated, theirs, ECAPE), with(Theory, theirs, Game)),
	Measures: []mc.Measure{mc.Number(SetWrong, setWrong)},
	Claims:   explainabilityClaims(),
	Notes: []string{
		"An answer is wrong if the set or a reason is wrong. In the paper, the rate of wrong answers (delta_1) is 39 " +
			"% for Game-cPSI and 1 % for e-cAPE, and the rate of wrong sets (delta_2) is 0 for both methods.",
		"Game-cPSI does not guarantee reasons. It classifies an arm as infeasible if its estimate is infeasible, " +
			"and all other arms outside its set as dominated.",
	},
	Tables:  hardness.Known,
	Figures: figures,
})

// HardForRacing is the experiment of appendix G.3, on instances as described in appendix F.
var HardForRacing = on([]string{Racing5, Racing10}, study.Experiment{
	Basis: study.StandIn,
	Name:  "ecape/hard-for-racing", Title: "Instances hard for racing", Source: "Fig. 7 and 8",
	Delta: .01, Reps: 250,
	Methods: slices.Concat(with(Printed, 0, trials...), with(Calibrated, guaranteed, trials...)),
	Claims:  racingClaims(),
	Tables:  hardness.Known,
	Figures: figures,
})

// Concept is an experiment on the instance of Fig. 1. As arms 2 and 3 approach the boundary, the
// two-stage method needs more and more pulls to decide their feasibility; e-cAPE does not.
var Concept = study.Experiment{
	Name: "ecape/concept", Title: "Dominated arms near the boundary", Source: "Fig. 1",
	Axis: "inverse distance to the boundary, 1/ε", Sizes: []int{5, 10, 20, 40},
	Delta: delta, Reps: 50,
	Instance: func(size, _ int) (*bandit.Instance, error) {
		return NearBoundary(1 / float64(size))
	},
	Methods: with(Printed, 0, trials...),
}

// doses lists combinations of rates for the experiment [Doses]. The efficacy of 75 mg is the
// published rate, the rate that the paper describes, or a smaller rate. The thresholds of efficacy
// and safety are 0.4.
var doses = func() (ds []dose) {
	for _, efficacy75 := range []float64{.469, .455, .42} {
		for _, safety300 := range []float64{.35, .36, .37, .38, .39} {
			for _, safety75 := range []float64{.388, .391, .394, .397} {
				ds = append(ds, dose{efficacy75, safety75, safety300})
			}
		}
	}
	return ds
}()

// doseTable returns a table with a row of median pulls for each combination of rates on which all
// methods ran.
func doseTable(r *study.Results) *tidy.Table {
	t := &tidy.Table{
		Title:   "Which rates of the dose-finding trial give the paper's order of methods?",
		Columns: tidy.Columns("efficacy, 75 mg", "safety, 75 mg", "safety, 300 mg"),
		Notes: []string{fmt.Sprintf("Medians with the constants of the paper's experiments. The paper states no "+
			"numbers of pulls for this trial. In its Table 5, a run of the two-stage method takes %.0f times as "+
			"long as a run of e-cAPE, and a run of uniform sampling takes %.1f times as long. The published rates "+
			"are (0.469, 0.388) and 0.390.",
			times(Published, TwoStage, ECAPE), times(Published, Uniform, ECAPE))},
	}
	for _, m := range trials {
		t.Columns = append(t.Columns, tidy.Column{Name: m, Unit: "pulls"})
	}
	t.Columns = append(t.Columns, tidy.Columns(TwoStage+" / "+ECAPE, "fewest")...)
	for size, d := range doses {
		row, pulls := []any{d.efficacy75, d.safety75, d.safety300}, []float64(nil)
		for _, m := range trials {
			if rows := r.Cell(size, m, Printed); len(rows) > 0 {
				pulls = append(pulls, study.MedianPulls(rows).Center)
				row = append(row, pulls[len(pulls)-1])
			}
		}
		if len(pulls) == len(trials) {
			t.Rows = append(t.Rows, append(row, fmt.Sprintf("%.2f", pulls[1]/pulls[0]),
				trials[slices.Index(pulls, slices.Min(pulls))]))
		}
	}
	return t
}

// Doses searches for rates of 75 mg and 300 mg that could explain the paper's results on the
// dose-finding trial. With the rates that the paper used, the ratios of pulls and of durations
// should agree with those that the paper reports.
var Doses = study.Experiment{
	Basis: study.StandIn,
	Name:  "ecape/doses", Title: "The dose-finding trial with other rates", Delta: delta, Reps: 10,
	Beside: "the paper shows the rates of the trial only in a figure, and the order of the methods depends on the " +
		"rates of two doses",
	Sizes: study.Places(len(doses)), Names: doseNames(),
	Instance: func(size, _ int) (*bandit.Instance, error) { return doses[size].instance() },
	Methods:  with(Printed, 0, trials...),
	Claims: []study.Claim{
		study.Asks("A", "against Table 5", "with 75 mg at (0.42, 0.397), e-cAPE needs at most half as many samples "+
			"as the two-stage method",
			than(study.LargelyFewer, dose{.42, .397, .39}.String(), ECAPE, TwoStage)),
	},
	Tables:  study.OneTable(doseTable),
	Figures: func(*study.Results) ([]study.Figure, error) { return nil, nil },
}

func doseNames() (names []string) {
	for _, d := range doses {
		names = append(names, d.String())
	}
	return names
}

// on returns a copy of experiment e with the named instances and their lower bounds.
func on(names []string, e study.Experiment) study.Experiment {
	e.Names, e.Sizes = names, study.Places(len(names))
	e.Bounds = hardness.Constrained
	e.Instance = func(size, _ int) (*bandit.Instance, error) { return instance(names[size]) }
	return e
}

// SetWrong is the name of a measure that is 1 if the set is wrong, and 0 if the set is right,
// whether or not the reasons are right. The field Correct of a row does not distinguish a wrong set
// from wrong reasons.
const SetWrong = "set wrong"

func setWrong(inst *bandit.Instance, r *explore.Result) float64 {
	q := inst.Problem.Question.(question.FeasiblePareto)
	q.SetOnly = true
	if q.Correct(inst.Truth(), r.Answer) {
		return 0
	}
	return 1
}

// published contains the numbers in Tables 4 and 5 of the paper.
var published = study.ReadRecords(publishedTable)

//go:embed published.csv
var publishedTable string

// table5 compares durations with those in Table 5 of the paper.
var table5 = &runtimes.Comparison{
	Table: "Table 5", Runs: timedRuns,
	Experiment: on(timed, study.Experiment{
		Name: "ecape/runtime", Title: "Runtime", Source: "Table 5", Delta: delta, Reps: timedRuns,
		Methods: with(Printed, 0, compared...), Figures: figures,
	}),
	Stated: func(instance, method string) (s runtimes.Stated) {
		p := published.Of("Table 5", instance, method)
		s.Milliseconds, s.SD = p[0], p[1]
		if p := published.Of("Table 4", instance, method); p != nil {
			s.Pulls = p[0]
		}
		return s
	},
	Notes: []string{
		"The paper timed Python and Cython programs on a computer with an ARM processor, so ratios compare machines " +
			"as well as programs.",
		"The means of the paper's polyhedra are not published, so the numbers of pulls differ. The paper's time per " +
			"pull is the time in Table 5 divided by the number of pulls in Table 4. The paper states no numbers of " +
			"pulls on the trial.",
	},
}

// timedRuns is the number of runs over which Table 5 of the paper averages.
const timedRuns = 10

// times returns the ratio of the durations of two methods in Table 5 of the paper.
func times(instance, method, other string) float64 {
	return table5.Stated(instance, method).Milliseconds /
		table5.Stated(instance, other).Milliseconds
}

// Runtimes measures the duration of a run on this machine, with the constants of the paper's
// experiments. The table also shows the durations in the paper. Runtimes returns means and standard
// deviations over the given number of runs; Table 5 uses 10 runs. Runtimes panics if runs is not
// positive.
func Runtimes(runs int) (*tidy.Table, error) { return table5.Beside(runs) }

// Table4 returns means and standard deviations of the numbers of pulls in Polyhedra, together with
// the numbers in Table 4 of the paper.
func Table4(r *study.Results) *tidy.Table {
	return &tidy.Table{
		Title: "Sample complexity on polyhedra (Table 4)",
		Columns: tidy.Columns("instance", "method", "mean, paper [pulls]", "sd, paper [pulls]",
			"mean, constants of the paper [pulls]", "sd [pulls]",
			"mean, guaranteed constants [pulls]", "sd [pulls]"),
		Rows: r.PullsBeside(func(instance, method string) []float64 {
			return published.Of("Table 4", instance, method)
		}, trials, []string{Printed, Calibrated}),
		Notes: []string{
			"The means of the paper's instances are not published, so the order of the methods is comparable, but " +
				"the numbers of pulls are not.",
			"The guaranteed constants are the radii of Kaufmann and Koolen.",
		},
	}
}

// figures returns the figures of a report: mean responses, the numbers of pulls with the paper's
// constants, and the numbers of pulls with guaranteed constants. In Explainability, each method has
// its own constants, so a single figure shows all numbers of pulls.
func figures(r *study.Results) (fs []study.Figure, err error) {
	e := r.Experiment
	add := func(name string, constants []string, draw func() (*fig.Figure, error)) {
		some := slices.ContainsFunc(r.Runs(), func(row mc.Row) bool {
			return constants == nil || slices.Contains(constants, row.Constants)
		})
		if !some || err != nil {
			return
		}
		var f *fig.Figure
		f, err = draw()
		fs = append(fs, study.Figure{Name: e.ShortName() + "-" + name, Drawing: f})
	}
	pulls := func(name string, constants ...string) {
		add(name, constants, func() (*fig.Figure, error) { return r.Distribution(constants...) })
	}
	for _, name := range e.Names {
		add("responses-"+strings.NewReplacer(" ", "-", "=", "").Replace(name), nil,
			func() (*fig.Figure, error) { return Responses(name) })
	}
	if _, mixed := e.Method(Game, Printed); mixed {
		pulls("sample-complexity")
		return fs, err
	}
	pulls("sample-complexity", Printed)
	pulls("sample-complexity-guaranteed", Calibrated, Theory)
	if e.Name == "ecape/clinical-trials" {
		add("trajectory", nil, func() (*fig.Figure, error) {
			return e.Trajectory(Published, ECAPE, 0)
		})
	}
	return fs, err
}

// planes contains the axis labels for figures of mean responses, by instance.
var planes = map[string][]string{
	Published: {"ACR20 response rate, week 16", "rate without adverse event, week 20"},
	Described: {"ACR20 response rate, week 16", "rate without adverse event, week 20"},
	CovBoost:  {"ELU/mL", "titre", "SFC per million PBMC"},
}

// Responses draws the mean responses of an instance with the feasible region, as in Figures 2 and 3
// of the paper. For two objectives, Responses draws one plane. For three objectives, Responses
// draws several planes, in which the same number marks the same arm.
func Responses(name string) (*fig.Figure, error) {
	inst, err := instance(name)
	if err != nil {
		return nil, err
	}
	return ResponsesOf(inst)
}

// ResponsesOf draws the same figure as Responses, for any instance.
func ResponsesOf(inst *bandit.Instance) (*fig.Figure, error) {
	units := planes[inst.Name]
	return fig.Responses(inst, &fig.PlaneOptions{Title: "Mean responses: " + inst.Name,
		Units: units, Front: units == nil})
}
