package gege

import (
	_ "embed" // for the tables noc.csv and table2.csv
	"fmt"
	"math"
	"slices"

	"github.com/purexp/purexp/pkg/bandit"
	"github.com/purexp/purexp/pkg/dataset"
	"github.com/purexp/purexp/pkg/fig"
	"github.com/purexp/purexp/pkg/mc"
	"github.com/purexp/purexp/pkg/policy"
	"github.com/purexp/purexp/pkg/question"
	"github.com/purexp/purexp/pkg/study"
	"github.com/purexp/purexp/pkg/study/hardness"
	"github.com/purexp/purexp/pkg/study/runtimes"
	"github.com/purexp/purexp/pkg/tidy"
)

// Paper contains the experiments of section 5 and appendix I.2, and additional experiments that are
// not in the paper.
var Paper = study.Paper{
	Name:  "gege",
	Title: "Pareto sets in linear models",
	Reference: "Kone, Kaufmann and Richert, \"Bandit Pareto Set Identification in a Multi-Output Linear Model\", " +
		"section 5 and appendix I.2",
	Experiments: experiments,
	Tables:      paperTables,
}

var experiments = []study.Experiment{
	SyntheticBudget, SyntheticConfidence,
	NoCBudget, NoCRawBudget, NoCConfidence, NoCRelaxed,
	EnergyBudget, EnergyMaxBudget, EnergyConfidence, EnergyMaxConfidence,
	SNWBudget, SNWRawBudget, SNWRawConfidence,
}

// Reps is the paper's number of replicates.
const Reps = 500

// The following variables are the numbers of arms of the synthetic instances, and the budgets on
// instances from tables.
var (
	arms          = []int{10, 20, 50, 100, 200, 500}
	nocBudgets    = []int{100, 200, 500, 1000, 2000, 4000, 8000}
	energyBudgets = []int{500, 1000, 2000, 5000, 10000}
	snwBudgets    = []int{500, 1000, 2000, 4000, 8000, 16000, 32000, 64000}
)

// The following constants are texts that explain why some experiments are not in the paper.
const (
	asMeasured = "the paper's instance is the linear fit of this table; here, the means are the measured values, " +
		"which no linear model fits"
	sorting = "the paper has no experiment on this table, which was used in earlier work on Pareto sets"
)

// SyntheticBudget is the experiment of Fig. 1: error probabilities with the same budget for all
// numbers of arms.
var SyntheticBudget = study.Experiment{
	Basis: study.Reading,
	Name:  "gege/synthetic-budget", Title: "Synthetic instances, fixed budget", Source: "Fig. 1",
	Axis: "arms K", Sizes: arms, Reps: Reps,
	Budget:   func(int) int { return SyntheticH2 },
	Instance: withArms, Methods: fixedBudget(0),
	Claims: onSynthetic(),
}

// SyntheticConfidence is the experiment of Fig. 2: numbers of pulls as the number of arms grows.
var SyntheticConfidence = confident(.01, arms, study.Experiment{
	Basis: study.Reading,
	Name:  "gege/synthetic-confidence", Title: "Synthetic instances, fixed confidence",
	Source:   "Fig. 2",
	Instance: withArms,
	Methods:  slices.Concat(gege(), largest(100, ape(20)), largest(20, psips(10))),
	Claims:   append(asArmsGrow(), guaranteed("synthetic-confidence")),
})

// NoCBudget is the experiment of Fig. 3: error probabilities on the linearised network on chip.
var NoCBudget = withBudgets(nocBudgets, study.Experiment{
	Basis: study.PaperData,
	Name:  "gege/noc-budget", Title: "NoC, linearised, fixed budget", Source: "Fig. 3",
	Instance: study.Same(dataset.NoC{}.Instance), Methods: fixedBudget(0),
	Claims: []study.Claim{
		study.Says("C1", "Fig. 3, 5.2", "GEGE's error probability is lower than that of EGE-SH by up to 0.5", reduced),
		study.Says("C2", "5.2", "EGE-SH needs a budget of about 2000 on NoC, GEGE hardly any",
			study.OnInstance(runnable)).Knowable(),
	},
})

// NoCRawBudget is a version of NoCBudget whose means are the measured values.
var NoCRawBudget = withBudgets(nocBudgets, study.Experiment{
	Basis: study.StandIn,
	Name:  "gege/noc-raw-budget", Title: "NoC as measured, fixed budget", Beside: asMeasured,
	Instance: study.Same(dataset.NoC{Raw: true}.Instance), Methods: fixedBudget(0),
})

// NoCConfidence is the experiment of Fig. 4: numbers of pulls on the linearised network on chip.
var NoCConfidence = confident(.01, []int{259}, study.Experiment{
	Basis: study.PaperData,
	Name:  "gege/noc-confidence", Title: "NoC, linearised, fixed confidence", Source: "Fig. 4",
	Instance: study.Same(dataset.NoC{}.Instance),
	Methods:  slices.Concat(gege(), ape(20), pal(100), psips(10)),
	Claims:   append(fewerOnNoC(), guaranteed("noc-confidence")),
})

// relaxations are the values of epsilon in NoCRelaxed.
var relaxations = []float64{0, .05, .1, .2, .4}

// NoCRelaxed is a version of NoCConfidence whose question tolerates errors up to epsilon.
var NoCRelaxed = study.Experiment{
	Basis: study.PaperData,
	Name:  "gege/noc-relaxed", Title: "NoC, linearised, fixed confidence, relaxed by epsilon",
	Beside: "the paper describes the relaxation (section 3.3, appendix E.5), but has no experiment with it",
	Axis:   "relaxation epsilon", Sizes: []int{0, 1, 2, 3, 4},
	Names: []string{"noc epsilon=0", "noc epsilon=0.05", "noc epsilon=0.1", "noc epsilon=0.2",
		"noc epsilon=0.4"},
	Reps: 100, Delta: .01,
	Instance: func(size, _ int) (*bandit.Instance, error) {
		inst, err := dataset.NoC{}.Instance()
		if err == nil {
			inst.Problem.Question = question.Pareto{Epsilon: relaxations[size]}
		}
		return inst, err
	},
	Methods: append(gege(), ape(20)...),
}

// EnergyBudget is the experiment of Fig. 6: error probabilities on the linearised heating and
// cooling loads of buildings.
var EnergyBudget = withBudgets(energyBudgets, study.Experiment{
	Basis: study.StandIn,
	Name:  "gege/energy-budget", Title: "Energy efficiency, linear, fixed budget", Source: "Fig. 6",
	Instance: study.Same(dataset.Energy{Linear: true}.Instance), Methods: fixedBudget(0),
	Claims: append(onEnergy("E", "energy-budget"),
		study.Says("I1", "I.2", "minimising both loads results in a Pareto set of three arms",
			study.OnInstance(threeArms)).Knowable().
			On(study.PaperData)),
})

// EnergyMaxBudget is a version of EnergyBudget whose means are the measured loads, where larger
// loads are better. The paper does not state whether its Fig. 6 shows EnergyBudget or
// EnergyMaxBudget.
var EnergyMaxBudget = withBudgets(energyBudgets, study.Experiment{
	Basis:    study.StandIn,
	Name:     "gege/energy-maximised-budget",
	Title:    "Energy, loads as measured and maximised, fixed budget",
	Source:   "Fig. 6, another reading",
	Instance: study.Same(dataset.Energy{Maximise: true}.Instance), Methods: fixedBudget(0),
	Claims: study.AsAdditions(onEnergy("F", "energy-maximised-budget")...),
})

// EnergyConfidence is the experiment of Fig. 7: numbers of pulls on the linearised loads of
// buildings.
var EnergyConfidence = confident(.1, []int{768}, study.Experiment{
	Basis: study.StandIn,
	Name:  "gege/energy-confidence", Title: "Energy efficiency, linear, fixed confidence",
	Source:   "Fig. 7",
	Instance: study.Same(dataset.Energy{Linear: true}.Instance),
	Methods:  append(gege(), auer(20)...),
	Claims:   append(fewerThanRacing("G", "energy-confidence"), guaranteed("energy-confidence")),
})

// EnergyMaxConfidence is a version of EnergyConfidence whose means are the measured loads, where
// larger loads are better.
var EnergyMaxConfidence = confident(.1, []int{768}, study.Experiment{
	Basis:    study.StandIn,
	Name:     "gege/energy-maximised-confidence",
	Title:    "Energy, loads as measured and maximised, fixed confidence",
	Source:   "Fig. 7, another reading",
	Instance: study.Same(dataset.Energy{Maximise: true}.Instance),
	Methods:  append(gege(), auer(20)...),
	Claims: append(study.AsAdditions(fewerThanRacing("H", "energy-maximised-confidence")...),
		guaranteed("energy-maximised-confidence").Unjudged("the means are not linear in the features, although the "+
			"theorem assumes linearity")),
})

// SNWBudget is an experiment on the linearised sorting networks.
var SNWBudget = withBudgets(snwBudgets, study.Experiment{
	Basis: study.StandIn,
	Name:  "gege/snw-budget", Title: "SNW, linearised, fixed budget", Beside: sorting,
	Instance: study.Same(func() (*bandit.Instance, error) {
		inst, _, err := SNW()
		return inst, err
	}),
	Methods: fixedBudget(100),
})

// SNWRawBudget is a version of SNWBudget whose means are the measured values.
var SNWRawBudget = withBudgets(snwBudgets, study.Experiment{
	Basis: study.StandIn,
	Name:  "gege/snw-raw-budget", Title: "SNW as measured, fixed budget", Beside: sorting,
	Instance: study.Same(dataset.SNW{Sigma: SNWSigma}.Instance), Methods: fixedBudget(100),
})

// SNWRawConfidence is an experiment about the numbers of pulls on the sorting networks, whose means
// are the measured values.
var SNWRawConfidence = confident(.01, []int{206}, study.Experiment{
	Basis: study.StandIn,
	Name:  "gege/snw-raw-confidence", Title: "SNW as measured, fixed confidence", Beside: sorting,
	Instance: study.Same(dataset.SNW{Sigma: SNWSigma}.Instance),
	Methods:  slices.Concat(gege(), ape(20), pal(100), psips(10)),
})

// misspecified names the experiments whose means are not linear in the features.
var misspecified = map[string]bool{
	"gege/noc-raw-budget": true, "gege/energy-maximised-budget": true,
	"gege/energy-maximised-confidence": true,
	"gege/snw-raw-budget":              true, "gege/snw-raw-confidence": true,
}

// withBudgets sets the fields that experiments with fixed budgets have in common.
func withBudgets(sizes []int, e study.Experiment) study.Experiment {
	e.Axis, e.Sizes, e.Budget = "budget T", sizes, func(t int) int { return t }
	e.Reps = Reps
	return e
}

// confident sets the fields that experiments with fixed confidence have in common; sizes are
// numbers of arms. If there is a single size, the figure of the experiment is a distribution.
func confident(delta float64, sizes []int, e study.Experiment) study.Experiment {
	e.Axis, e.Sizes, e.Delta = "arms K", sizes, delta
	e.Bounds = []study.Bound{hardness.FeatureFree}
	e.Reps = Reps
	if len(sizes) == 1 {
		e.Figures = study.OnePlot
	}
	return e
}

func withArms(k, _ int) (*bandit.Instance, error) {
	inst, _, err := Synthetic(k, 8, 2, 0)
	return inst, err
}

// Bounds returns the complexities of the instances in the given experiments or, if none are given,
// in all experiments with a budget. If the table for an instance is not found (see dataset.Folder),
// the instance is omitted, and a note says so.
func Bounds(only ...study.Experiment) (*tidy.Table, error) {
	if len(only) == 0 {
		only = experiments
	}
	one := func(e study.Experiment) []int {
		switch {
		case e.Delta > 0:
			return nil
		case e.Name == SyntheticBudget.Name:
			return e.Sizes
		}
		return e.Sizes[:1]
	}
	return hardness.Gaps(one, only...)
}

// paperTables returns the tables that concern the paper as a whole.
func paperTables([]mc.Row) ([]*tidy.Table, error) {
	t, err := Bounds()
	return []*tidy.Table{t}, err
}

// reportedNoC contains the error rates that the authors report for the experiment of Fig. 3.
var reportedNoC = study.ReadRecords(nocTable)

//go:embed noc.csv
var nocTable string

// ReportedNoC returns the error rates that the authors report for NoC with a fixed budget.
func ReportedNoC() *tidy.Table {
	return reportedNoC.Table(tidy.Table{
		Title:   "NoC, linearised, fixed budget: the authors' results",
		Columns: tidy.Columns("budget T [pulls]"),
		Notes: []string{"The values are read off the figure in test.ipynb of the authors' repository linear_psi (150 " +
			"runs), to within about half a percentage point. The paper's Fig. 3 shows the same experiment."},
	}, "%", func(row int) any { return reportedBudget(row) })
}

// reportedBudget returns budget number i of the ten evenly spaced budgets in ReportedNoC.
func reportedBudget(i int) int { return int(math.Round(2331 + float64(i)*(4000-2331)/9)) }

// table2 contains K, h and d, and the durations of a run in milliseconds with fixed confidence and
// with a fixed budget.
//
//go:embed table2.csv
var table2 string

// Runtimes measures the duration of a run of GEGE on this machine, for delta = 0.1 and T = 500. The
// table also shows the durations in Table 2 of the paper. Durations are means over the given number
// of runs. The instances are those of Synthetic; the paper does not state which instances it used.
func Runtimes(runs int) (*tidy.Table, error) {
	t := &tidy.Table{
		Title: "Runtime of GEGE (Table 2)",
		Columns: tidy.Columns("K, h, d", "delta = 0.1, paper [ms]", "here [ms]", "times faster",
			"T = 500, paper [ms]", "here [ms]", "times faster"),
		Notes: []string{fmt.Sprintf("Means over %d runs, one at a time. The paper's times are from a personal "+
			"computer with an ARM processor, so ratios compare machines as well as programs.", runs)},
	}
	for _, r := range study.ReadRecords(table2) {
		k, h, d := int(r.Numbers[0]), int(r.Numbers[1]), int(r.Numbers[2])
		inst, _, err := Synthetic(k, h, d, 0)
		if err != nil {
			return nil, err
		}
		confidence, err := runtimes.Here(r.Numbers[3], inst, &policy.GEGEFixedConfidence{Delta: .1}, runs)
		if err != nil {
			return nil, err
		}
		budget, err := runtimes.Here(r.Numbers[4], inst, &policy.GEGEFixedBudget{Budget: 500}, runs)
		if err != nil {
			return nil, err
		}
		t.Rows = append(t.Rows, slices.Concat([]any{fmt.Sprintf("%d, %d, %d", k, h, d)}, confidence, budget))
	}
	return t, nil
}

// BesideNoC draws the results of NoCBudget below the error rates that the authors report (see
// ReportedNoC), on the same axes.
func BesideNoC(r *study.Results) (*fig.Figure, error) {
	e := r.Experiment
	authors := fig.SweepPanel{Title: "the authors' figure, 150 runs", XLabel: e.Axis, LogX: true}
	for _, m := range reportedNoC {
		s := fig.SweepSeries{Name: m.Words[0]}
		for i, percent := range m.Numbers {
			if i%3 > 0 {
				continue // draw fewer markers, so that markers do not overlap
			}
			s.Points = append(s.Points, fig.SweepPoint{X: float64(reportedBudget(i)), Center: percent,
				Lo: percent, Hi: percent})
		}
		authors.Series = append(authors.Series, s)
	}
	here := fig.SweepPanel{Title: "here", XLabel: e.Axis, LogX: true}
	for _, m := range e.Methods {
		s := fig.SweepSeries{Name: m.Name}
		for _, size := range e.Sizes {
			if rows := r.Cell(size, m.Name, m.Constants); len(rows) > 0 {
				s.Points = append(s.Points, study.ErrorPoint(size, rows))
			}
		}
		if s.Points != nil {
			here.Series = append(here.Series, s)
		}
	}
	return fig.Sweep([]fig.SweepPanel{authors, here}, &fig.SweepOptions{
		Title: e.Title, YLabel: "wrong answers (%)", LinearY: true, Y: [2]float64{0, 100},
		Palette: study.Looks, Interval: "Bars: 95 % intervals (Clopper and Pearson). The authors' values are read " +
			"off a figure and have no intervals.",
	})
}
