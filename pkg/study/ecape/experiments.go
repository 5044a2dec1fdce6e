package ecape

import (
	"slices"

	"github.com/purexp/purexp/pkg/bandit"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/mc"
	"github.com/purexp/purexp/pkg/question"
	"github.com/purexp/purexp/pkg/study"
)

// Paper is the reproduction: section 5 and appendix G.
var Paper = study.Paper{
	Name:  "ecape",
	Title: "Constrained Pareto sets",
	Reference: "Kone, Kaufmann and Richert, \"Constrained Pareto Set Identification with Bandit " +
		"Feedback\", section 5 and appendix G",
	Experiments: experiments,
}

var experiments = []study.Experiment{ClinicalTrials, Polyhedra, Runtime, Explainability,
	HardForRacing, Doses}

// delta is the error probability of section 5 and appendix G.1.
const delta = .1

// guaranteed is the number of replicates with constants that come with a guarantee, whose runs take
// up to 60 times more pulls. The others have the paper's number.
const guaranteed = 50

// ClinicalTrials is section 5: a dose-finding trial and a vaccine trial.
var ClinicalTrials = on([]string{Published, Described, CovBoost}, study.Experiment{
	Name: "ecape/clinical-trials", Title: "Two clinical trials", Source: "section 5, Fig. 4",
	Delta: delta, Reps: 500,
	Methods: slices.Concat(with(Printed, 0, trials...), with(Calibrated, guaranteed, trials...),
		with(Theory, guaranteed, trials...)),
	Claims:  clinicalClaims(),
	Tables:  tables(armTables),
	Figures: figures(course),
})

// Polyhedra is appendix G.1: three regions of R^3, an ordered cone, a simplex and a cube.
var Polyhedra = on(regions, study.Experiment{
	Name: "ecape/polyhedra", Title: "Polyhedra in three dimensions", Source: "Table 4 and Fig. 5",
	Delta: delta, Reps: 500,
	Methods: slices.Concat(with(Printed, 0, trials...), with(Calibrated, guaranteed, trials...)),
	Claims:  polyhedraClaims(),
	Tables:  tables(one(Table4)),
	Figures: figures(),
})

var regions = []string{SimplexRegion, CubeRegion, OrderedRegion}

// Runtime is appendix G.1 on computing time. Its rows say how many pulls the runs take; how long
// they take is not a matter of rows, see Runtimes.
var Runtime = on(timed, study.Experiment{
	Name: "ecape/runtime", Title: "Runtime", Source: "Table 5",
	Delta: delta, Reps: timedRuns,
	Methods: with(Printed, 0, compared...),
	Claims:  runtimeClaims(),
	Tables:  tables(runtimeTable),
	Figures: figures(),
})

// What Table 5 compares, in its order, which is not that of Table 4.
var (
	timed    = []string{Published, CubeRegion, SimplexRegion, OrderedRegion}
	compared = []string{ECAPE, TwoStage, Uniform}
)

// Explainability is appendix G.2: what does it cost to say why an arm is rejected? Game-cPSI, which
// finds the feasible Pareto set and is asked for reasons all the same, against e-cAPE.
var Explainability = on([]string{CheapReasons, HardReasons}, study.Experiment{
	Name: "ecape/explainability", Title: "The cost of explanations", Source: "Fig. 6",
	Delta: .01, Reps: 250,
	Methods: slices.Concat(with(Printed, 0, ECAPE, Game), with(Heuristic, 0, Game),
		with(Calibrated, 0, ECAPE), with(Theory, 0, Game)),
	Measures: []mc.Measure{mc.Number(SetWrong, setWrong)},
	Claims:   explainabilityClaims(),
	Notes: []string{
		"Answers are wrong if the set or a reason is: the paper's delta_1, 39 % for Game-cPSI " +
			"and 1 % for e-cAPE on its instance. Its delta_2, wrong sets, is 0 for both.",
		"Game-cPSI is asked for reasons it does not promise: it says infeasible of an arm whose " +
			"estimate is, and dominated of others outside its set.",
	},
	Tables:  tables(),
	Figures: figures(),
})

// HardForRacing is appendix G.3, on instances as in appendix F.
var HardForRacing = on([]string{Racing5, Racing10}, study.Experiment{
	Name: "ecape/hard-for-racing", Title: "Instances hard for racing", Source: "Fig. 7 and 8",
	Delta: .01, Reps: 250,
	Methods: slices.Concat(with(Printed, 0, trials...), with(Calibrated, guaranteed, trials...)),
	Claims:  racingClaims(),
	Tables:  tables(),
	Figures: figures(),
})

// on returns e on the instances with the given names.
func on(names []string, e study.Experiment) study.Experiment {
	e.Names, e.Sizes, e.Bounds, e.Palette = names, study.Places(len(names)), bounds, trials
	e.Instance = func(size, _ int) (*bandit.Instance, error) { return instance(names[size]) }
	return e
}

// SetWrong is the measure that is 1 if the set is wrong, and 0 if at most reasons are: e-cPSI
// answers both questions, which a row's Correct does not tell apart.
const SetWrong = "set wrong"

func setWrong(inst *bandit.Instance, r *explore.Result) float64 {
	q := inst.Problem.Question.(question.FeasiblePareto)
	q.SetOnly = true
	if q.Correct(inst.Truth(), r.Answer) {
		return 0
	}
	return 1
}
