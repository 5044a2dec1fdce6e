package pfiwr

import (
	"math"

	"github.com/purexp/purexp/pkg/bandit"
	"github.com/purexp/purexp/pkg/mc"
	"github.com/purexp/purexp/pkg/policy"
	"github.com/purexp/purexp/pkg/question"
	"github.com/purexp/purexp/pkg/study"
	"github.com/purexp/purexp/pkg/tidy"
)

// Paper contains the experiments of section 5, and additional experiments that are not in the
// paper.
var Paper = study.Paper{
	Name:        "pfiwr",
	Title:       "Pareto fronts with low regret",
	Reference:   "Kim, Iyengar and Zeevi, \"Pareto Front Identification with Regret Minimization\", section 5",
	Experiments: experiments,
}

var experiments = []study.Experiment{
	Estimator, OneArm, Sensitivity, SWLLVM, Readings, RandomPhase, Widths, Frontier,
	LinearFrontier,
}

// The instances of Estimator combine three choices: the correlation of contexts, whether contexts
// change, and their units. The middle four instances keep the features as drawn, without scaling.
// In the first four and the last four instances, features are scaled to length at most 1, as the
// paper assumes. In the first four instances, theta is divided by the factor that scales the
// features, so that means do not change. In the last four instances, theta is 1/sqrt(d), as the
// paper states.
var estimatorNames = []string{
	"rho=0", "rho=0.9", "rho=0, contexts change", "rho=0.9, contexts change",
	"rho=0, as drawn", "rho=0.9, as drawn", "rho=0, contexts change, as drawn",
	"rho=0.9, contexts change, as drawn",
	"rho=0, theta kept", "rho=0.9, theta kept", "rho=0, contexts change, theta kept",
	"rho=0.9, contexts change, theta kept",
}

// The following constants are the indices of the first instance with contexts as drawn, and of the
// first instance in which theta stays 1/sqrt(d).
const (
	asDrawn   = 4
	thetaKept = 8
)

// The following variables are the rounds at which errors are recorded, in Fig. 1 and in OneArm.
var (
	estimatorRounds = []int{50, 100, 200, 300, 500, 750, 1000, 1500, 2000}
	oneArmRounds    = []int{100, 200, 400, 1000, 2000, 4000, 10000, 20000, 40000}
)

func last(at []int) int { return at[len(at)-1] }

func contexts(size, draw int) (*bandit.Instance, error) {
	rho, radius := 0., 0.
	if size%2 == 1 {
		rho = .9
	}
	if size/2%2 == 1 {
		radius = spread
	}
	law, err := Linear(rho, radius, 1, draw)
	if err != nil {
		return nil, err
	}
	if size >= thetaKept {
		// Linear multiplied theta by the scale, and NewContextual will multiply it again.
		// Therefore, theta is divided by the scale twice.
		x, theta := law.Features(), law.Theta()
		x.Scale(law.Scale(), x)
		theta.Scale(1/(law.Scale()*law.Scale()), theta)
		if law, err = bandit.NewContextual(x, theta, radius, 1); err != nil {
			return nil, err
		}
	}
	return law.Instance("", question.Pareto{}), nil
}

// Estimator is the experiment of Fig. 1: the errors of estimators of theta from the same pulls,
// which cycle through all arms.
var Estimator = study.Experiment{
	Basis: study.Reading,
	Name:  "pfiwr/estimator", Title: "Errors of estimators", Source: "Fig. 1",
	Axis: "contexts", Sizes: study.Places(len(estimatorNames)),
	Names: estimatorNames,
	Draws: 500, Reps: 1, Budget: func(int) int { return last(estimatorRounds) },
	Instance: contexts, Methods: estimators(false, 50),
	Measures: []mc.Measure{estimationErrors(estimatorRounds)},
	Claims:   onEstimator(), Tables: ratios, Figures: errorsOver("estimator-", false),
	Notes: []string{"Wrong: the arm with the best estimate after 2000 rounds is not the best arm. Arms are pulled " +
		"in turn."},
}

// OneArm is a version of Estimator in which all pulls are of a single arm.
var OneArm = study.Experiment{
	Basis: study.AnyInstance,
	Name:  "pfiwr/one-arm", Title: "Errors if only one arm is pulled",
	Beside: "the paper's theorem states that all estimates converge for any pulls, but no experiment tests it",
	Axis:   "contexts", Sizes: []int{0, 2}, Names: estimatorNames,
	Draws: 50, Reps: 1, Budget: func(int) int { return last(oneArmRounds) },
	Instance: contexts, Methods: estimators(true, 10),
	Measures: []mc.Measure{estimationErrors(oneArmRounds)},
	Claims:   onOneArm(), Tables: study.Tables(), Figures: errorsOver("one-arm-", true),
}

// sensitivityTimes are the numbers of pulls at which regret is recorded.
var sensitivityTimes = geometric(100, 5e5, 3)

// sensitivityNames are the names of the instances of Sensitivity. The paper does not state whether
// contexts change.
var sensitivityNames = []string{"rho=0.5", "rho=0.5, contexts change"}

// Sensitivity is the experiment of Fig. 2: the effect of the paper's parameter p, with two
// objectives and rho = 0.5.
var Sensitivity = study.Experiment{
	Basis: study.Reading,
	Name:  "pfiwr/sensitivity", Title: "Sensitivity to p", Source: "Fig. 2",
	Axis: "contexts", Sizes: []int{0, 1}, Names: sensitivityNames,
	Draws: 100, Reps: 1, Delta: delta,
	Instance: func(size, draw int) (*bandit.Instance, error) {
		if size == 0 {
			return twoObjectives(draw)
		}
		law, err := Linear(.5, spread, 2, draw)
		if err != nil {
			return nil, err
		}
		return law.Instance("", question.Pareto{Epsilon: .1}), nil
	},
	Methods:  []study.Method{withP(.1, 10), withP(.5, 0), withP(.9, 0), limited(50, robust())},
	Measures: []mc.Measure{mc.Regret(sensitivityTimes...)},
	Bounds:   bounds, Claims: onSensitivity(), Figures: sensitivityFigures,
	Notes: []string{"epsilon = 0.1, random instances. The width is that of Table 1, 0.0305 times (12). The doubly " +
		"robust estimator has p = 0.5. Runs are stopped, and count as wrong, after 500 000 pulls (doubly robust: 50 " +
		"000).",
		"Bounds depend on mean features, so they also hold for changing features of the same draw."},
}

// twoObjectives returns a random instance of section 5.2 with fixed features.
func twoObjectives(draw int) (*bandit.Instance, error) {
	law, err := Linear(.5, 0, 2, draw)
	if err != nil {
		return nil, err
	}
	return fixed("", law, .1)
}

// llvmTimes are the numbers of pulls at which regret is recorded.
var llvmTimes = linear(400, 16000)

// SWLLVM is the experiment of Table 1 and Fig. 3 with PFIwR and PFIMulti on SW-LLVM, with widths
// calibrated on the first column of the table, and with proven widths.
var SWLLVM = study.Experiment{
	Basis: study.Reading,
	Name:  "pfiwr/sw-llvm", Title: "SW-LLVM", Source: "Table 1, Fig. 3",
	Axis: "relaxation epsilon", Sizes: []int{0, 1, 2}, Names: llvmNames, Reps: 100, Delta: delta,
	Instance: llvm,
	Methods: []study.Method{
		calibrated(), multi(Calibrated, MultiScale), pfiwr(SelfNormalised, llvmNorm), pfiwr(Theory, llvmNorm),
		multi(Theory, 1), tableOnly(multi(Narrowed, .4)), longPhase(),
	},
	Measures: []mc.Measure{mc.Regret(llvmTimes...), exact, added, aboveBeta},
	Bounds:   bounds, Claims: onLLVM(), Tables: func(r *study.Results) ([]*tidy.Table, error) {
		all, err := r.Experiment.Instances()
		return []*tidy.Table{Theorems(delta, all...)}, err
	}, Figures: llvmFigures,
}

// Readings is an experiment with SW-LLVM under other readings of the paper's description, and with
// the doubly robust estimator, which may be the estimator that the proof assumes.
var Readings = study.Experiment{
	Basis: study.Reading,
	Name:  "pfiwr/readings", Title: "SW-LLVM: other readings",
	Beside: "the paper states neither the contexts nor how rewards are drawn, and its estimator equals ridge " +
		"regression unless pseudo-actions are redrawn",
	Axis: "reading", Sizes: []int{0, 1, 2, 3}, Names: readingNames, Reps: 50, Delta: delta,
	Instance: reading,
	Methods: []study.Method{
		shorter(50_000, calibrated()), robust(), multi(Calibrated, MultiScale),
	},
	Measures: []mc.Measure{mc.Regret(), exact, added},
	Claims:   onOther(), Figures: readingFigures,
	Notes: []string{"Runs of PFIwR are stopped after 50 000 pulls. PFIMulti does not use contexts."},
}

// RandomPhase is an experiment about how the error rate of PFIwR with the calibrated width depends
// on the length of the random phase.
var RandomPhase = study.Experiment{
	Basis: study.Reading,
	Name:  "pfiwr/random-phase", Title: "SW-LLVM: length of the random phase",
	Beside: "the paper's random phase is longer than the paper's runs; how long must a random phase be with the " +
		"calibrated width?",
	Axis: "random rounds R", Sizes: []int{16, 32, 64, 160, 320, 640}, Shared: llvmNames[1],
	Reps: 100, Delta: delta,
	Instance: func(_, draw int) (*bandit.Instance, error) { return llvm(1, draw) },
	Methods: []study.Method{shorter(200_000, study.NewMethod(PFIwR, Calibrated, &policy.PFIwR{Width: policy.PFIwRPaper},
		func(p *policy.PFIwR, t study.Task) { p.Random = t.Size }))},
	Measures: []mc.Measure{mc.Regret(), exact},
	Claims:   onRandomPhase(),
}

// Widths is an experiment about the error rates of PFIwR with several widths, on instances with
// large and small gaps.
var Widths = study.Experiment{
	Basis: study.StandIn,
	Name:  "pfiwr/widths", Title: "Error rates of PFIwR's widths",
	Beside: "the paper reports no error rates",
	Axis:   "instance", Sizes: []int{0, 1, 2, 3}, Names: widthNames, Reps: 100, Delta: delta,
	Instance: withWidth,
	Methods: []study.Method{
		pfiwr(SelfNormalised, widthNorm), pfiwr(Theory, widthNorm),
		shorter(200_000, pfiwr(Calibrated, widthNorm)),
	},
	Measures: []mc.Measure{mc.Regret()},
	Claims:   onWidths(),
	Notes:    []string{"Runs with the calibrated width are stopped after 200 000 pulls."},
}

// prices are the prices of regret with which Sparing runs.
var prices = []float64{0, 1, 10, 100, 1000}

// Frontier is an experiment that compares methods both by pulls and by regret.
var Frontier = study.Experiment{
	Basis: study.Reading,
	Name:  "pfiwr/frontier", Title: "Pulls to stop and regret on SW-LLVM",
	Beside: "the paper compares PFIwR only with PFIMulti, with unproven widths",
	Axis:   "relaxation epsilon", Sizes: []int{1, 2}, Names: llvmNames, Reps: 100, Delta: delta,
	Instance: llvm, Methods: frontierMethods(func(study.Task) float64 { return llvmNorm }),
	Measures: []mc.Measure{mc.Regret(), exact},
	Claims:   onFrontier("I"), Figures: frontierFigures,
}

// LinearFrontier is a version of Frontier on the instances of section 5.2.
var LinearFrontier = study.Experiment{
	Basis: study.Reading,
	Name:  "pfiwr/frontier-linear", Title: "Pulls to stop and regret on linear instances",
	Beside: "the paper compares no other method on linear instances",
	Axis:   "contexts", Sizes: []int{0}, Names: sensitivityNames, Draws: 100, Reps: 1, Delta: delta,
	Instance: func(_, draw int) (*bandit.Instance, error) { return twoObjectives(draw) },
	Methods:  frontierMethods(parameterNorm),
	Measures: []mc.Measure{mc.Regret(), exact},
	Claims:   onFrontier("K"), Figures: frontierFigures,
	Notes: []string{"epsilon = 0.1, random instances. GEGE, PAL, PFIwR and Sparing are linear methods; APE, " +
		"PFIMulti and uniform sampling do not use features."},
}

// frontierMethods returns all methods with a guarantee, and PFIwR with the calibrated width. The
// function norm returns a bound on the norm of the parameters.
func frontierMethods(norm func(study.Task) float64) []study.Method {
	var ms []study.Method
	for _, p := range prices {
		ms = append(ms, sparing(p))
	}
	own := study.NewMethod(PFIwR, SelfNormalised, &policy.PFIwR{Growth: growth},
		func(p *policy.PFIwR, t study.Task) { p.Norm = norm(t) })
	return append(ms, study.NewMethod(APE, Theory, &policy.APE{}), multi(Theory, 1),
		study.NewMethod(PAL, Theory, &policy.PAL{}), study.NewMethod(GEGE, Theory, &policy.GEGEFixedConfidence{}),
		study.NewMethod(Uniform, Theory, &policy.Uniform{}), own, calibrated())
}

// shorter returns a copy of m whose runs are limited to the given number of pulls.
func shorter(pulls int, m study.Method) study.Method {
	m.MaxPulls = pulls
	return m
}

// linear returns those multiples of step (step, 2 step, 3 step, ...) that are at most the argument
// to.
func linear(step, to int) (at []int) {
	for t := step; t <= to; t += step {
		at = append(at, t)
	}
	return at
}

// geometric returns a geometric sequence between the first two arguments; the argument decade is
// the number of elements per factor of ten.
func geometric(from, to float64, decade int) (at []int) {
	for i := 0; ; i++ {
		t := math.Round(from * math.Pow(10, float64(i)/float64(decade)))
		if t > to {
			return at
		}
		at = append(at, int(t))
	}
}
