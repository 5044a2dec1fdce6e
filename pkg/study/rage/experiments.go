package rage

import (
	"slices"
	"strings"

	"github.com/purexp/purexp/pkg/bandit"
	"github.com/purexp/purexp/pkg/study"
	"github.com/purexp/purexp/pkg/study/hardness"
	"github.com/purexp/purexp/pkg/tidy"
)

// Paper contains the experiments of section 5, and two experiments that are not in the paper.
var Paper = study.Paper{
	Name:  "rage",
	Title: "Transductive linear bandits",
	Reference: "Fiez, Jain, Jamieson and Ratliff, \"Sequential Experimental Design for Transductive Linear " +
		"Bandits\", section 5",
	Experiments: []study.Experiment{
		Benchmark, ManyArms, ManyArmsModerate, ManyArmsVariance, Sphere, Transductive, Multivariate,
		ClickThrough,
		Newer, FixedBudget,
	},
}

// Reps is the number of replicates in the paper (appendix F). If instances are random, each
// replicate has its own instance.
const Reps = 20

// The following constants are numbers of random pages, that is, of instances, in Fig. 2a of the
// paper. The number of pulls varies strongly between pages. The paper's 20 replicates are too few
// to compare RAGE with the oracle, or to estimate how the pulls of other methods grow.
const (
	many = 500
	some = 60
)

// Delta is the error probability of all runs (paper, section 5).
const Delta = 0.05

// Benchmark is the experiment of Fig. 1a: one arm is close to the best arm, and the dimension
// grows.
var Benchmark = confident(study.Experiment{
	Basis: study.PaperData,
	Name:  "rage/benchmark", Title: "Benchmark example", Source: "Fig. 1a",
	Axis: "dimension d", Sizes: []int{5, 10, 15, 20, 25, 30, 35},
	Instance: func(d, _ int) (*bandit.Instance, error) { return BenchmarkInstance(d, .01) },
	Methods: study.Limited(slices.Concat(adaptive, linear),
		map[study.Choice]study.Method{study.As(LinGapE, Theory): {Largest: 20}}),
	Claims: []study.Claim{
		study.Says("A1", "Fig. 1a", "RAGE performs competitively with the oracle",
			study.Compared(study.Competitive, RAGE, Oracle)),
		study.Says("A2", "Fig. 1a", "XY-adaptive performs nearly equivalently to RAGE",
			study.Compared(study.About, XYAdaptive, RAGE)),
		study.Says("A3", "Fig. 1a", "LinGapE performs well when the dimension is small, and suffers as it "+
			"grows", suffers(LinGapE)),
		study.Says("A4", "Fig. 1a", "ALBA performs the worst of the recently proposed algorithms",
			study.Compared(study.More, ALBA, RAGE, LinGapE, XYAdaptive)),
		study.Says("A5", "Fig. 1a", "adaptive sampling clearly gains over the static allocation",
			study.Compared(study.SignificantlyFewer, RAGE, XYStatic)),
		study.Says("A6", "3.1", "unlike RAGE, the static allocation pays a factor of the dimension",
			study.GrowingAbove(study.MuchFaster, RAGE, XYStatic)),
		study.Says("A7", "Fig. 1a", "RAGE performs competitively with existing algorithms",
			study.Compared(study.Competitive, RAGE, XYAdaptive, LinGapE, ALBA)),
	},
})

// ManyArms is the experiment of Fig. 1b with the angles in the released code, for 10 to 30 000
// arms.
var ManyArms = confident(study.Experiment{
	Basis: study.Reading,
	Name:  "rage/many-arms", Title: "Many arms", Source: "Fig. 1b",
	Axis: "arms n", Sizes: []int{10, 100, 1000, 10000, 30000}, Draws: Reps,
	Instance: ManyArmsInstance, Claims: onManyArms("B", "", scripted),
	Methods: study.Limited(linear, map[study.Choice]study.Method{
		study.As(XYAdaptive, Theory): {Largest: 10000}, study.As(XYStatic, Theory): {Largest: 10000},
		study.As(XYStatic, Printed): {Largest: 10000},
	}),
})

// ManyArmsModerate is the experiment of Fig. 1b, where 0.09 in N(0, .09) is read as a standard
// deviation.
var ManyArmsModerate = confident(study.Experiment{
	Basis: study.Reading,
	Name:  "rage/many-arms-moderate", Title: "Many arms, standard deviation 0.09",
	Source: "Fig. 1b" + another,
	Axis:   "arms n", Sizes: []int{10, 100, 1000, 10000}, Draws: Reps,
	Instance: func(n, draw int) (*bandit.Instance, error) {
		return ManyArmsNormalInstance(n, .09, draw)
	},
	Methods: linear,
	Claims:  onManyArms("C", ", with standard deviation 0.09", 0),
})

// ManyArmsVariance is the experiment of Fig. 1b, where 0.09 in N(0, .09) is read as a variance, as
// written. In ManyArmsVariance, two arms can be so close that LinGapE would need a hundred million
// pulls.
var ManyArmsVariance = confident(study.Experiment{
	Basis: study.Reading,
	Name:  "rage/many-arms-variance", Title: "Many arms, variance 0.09",
	Source: "Fig. 1b" + another,
	Axis:   "arms n", Sizes: []int{10, 100, 1000, 10000}, Draws: Reps,
	Instance: func(n, draw int) (*bandit.Instance, error) {
		return ManyArmsNormalInstance(n, .3, draw)
	},
	Methods: study.Limited(linear, map[study.Choice]study.Method{
		study.As(LinGapE, Theory):   {Largest: 100, MaxPulls: 2_000_000},
		study.As(LinGapE, Printed):  {Largest: 100, MaxPulls: 2_000_000},
		study.As(XYStatic, Printed): {Largest: 1000},
	}),
	Claims: onManyArms("V", ", with variance 0.09", 0),
})

// Sphere is the experiment of Fig. 1c: arms drawn uniformly on a sphere, with the numbers of arms
// in the released code.
var Sphere = confident(study.Experiment{
	Basis: study.PaperLaw,
	Name:  "rage/sphere", Title: "Uniform distribution on a sphere", Source: "Fig. 1c",
	Axis: "arms n", Sizes: []int{250, 500, 1000, 1500, 2000}, Draws: Reps,
	Instance: func(n, draw int) (*bandit.Instance, error) { return SphereInstance(n, 9, draw) },
	Methods: study.Limited(linear, map[study.Choice]study.Method{
		study.As(RAGE, Printed): {Largest: 1000}, study.As(XYStatic, Printed): {Largest: 1000},
		study.As(LinGapE, Theory): {Largest: 1000}, study.As(Oracle, Theory): {Largest: 1000},
	}),
	Claims: []study.Claim{study.Says("D1", "Fig. 1c", "RAGE significantly outperforms ALBA",
		study.Compared(study.SignificantlyFewer, RAGE, ALBA))},
})

// Transductive is the experiment of Fig. 1d: items that are not the arms. ALBA is omitted, because
// it does not support items that are not arms. The released script runs d = 40 to 160. Runs of this
// project end at d = 80, beyond which a run takes at least ten seconds. Claims are judged at d = 40
// to 80.
var Transductive = confident(study.Experiment{
	Basis: study.PaperData,
	Name:  "rage/transductive", Title: "Transductive example", Source: "Fig. 1d",
	Axis: "dimension d", Sizes: []int{10, 20, 40, 60, 80},
	Instance: func(d, _ int) (*bandit.Instance, error) { return TransductiveInstance(d, .1) },
	Methods: study.Limited(append([]study.Method{rounded},
		study.Without(linear, study.As(ALBA, ""), study.As(LinGapE, Printed))...),
		map[study.Choice]study.Method{study.As(LinGapE, Theory): {Largest: 20}}),
	Claims: []study.Claim{
		study.Says("E1", "Fig. 1d", "RAGE significantly outperforms the static allocation",
			study.From(40, study.Compared(study.SignificantlyFewer, RAGE, XYStatic))),
		study.Says("E2", "Fig. 1d", "RAGE nearly matches the oracle (with a rounded design; the printed oracle "+
			"draws arms at random, and waits for arms with tiny weights)",
			study.From(40, study.Compared(study.Nearly, RAGE, Oracle))),
	},
})

// Multivariate is the experiment of Fig. 2a: web pages with two possible contents for each slot.
var Multivariate = confident(study.Experiment{
	Basis: study.PaperLaw,
	Name:  "rage/multivariate", Title: "Multivariate testing", Source: "Fig. 2a",
	Axis: "slots D", Sizes: []int{3, 4, 5, 6, 7, 8}, Draws: many, Instance: MultivariateInstance,
	Fewer: map[int]int{7: 100, 8: some},
	Methods: onSome(study.Limited(linear, map[study.Choice]study.Method{
		study.As(LinGapE, Theory): {Largest: 6}, study.As(LinGapE, Printed): {Largest: 6},
		study.As(RAGE, Printed): {Largest: 7}, study.As(XYStatic, Printed): {Largest: 7},
	}), RAGE, Oracle),
	Claims: []study.Claim{
		study.Says("F1", "Fig. 2a", "RAGE performs close to the oracle",
			study.Compared(study.Competitive, RAGE, Oracle)),
		study.Says("F2", "Fig. 2a", "the sample complexity of the other algorithms grows with the number of arms and "+
			"the dimension", growing(LinGapE, ALBA, XYStatic)),
		study.Asks("F3", "cf. Fig. 2a", "the sample complexity of the other algorithms grows faster than that of RAGE",
			study.GrowingAbove(study.Faster, RAGE, LinGapE, ALBA, XYStatic)),
	},
})

// ClickThrough is the experiment of Fig. 2b on a synthetic log, because the log of the paper may
// not be distributed.
var ClickThrough = confident(study.Experiment{
	Basis: study.StandIn,
	Name:  "rage/click-through-synthetic", Title: "Click-through, synthetic log", Source: "Fig. 2b",
	Axis: "arms n", Sizes: []int{40}, Draws: 80, Figures: study.OnePlot,
	Instance: func(_, draw int) (*bandit.Instance, error) { return ClickThroughInstance("", draw) },
	Methods: study.Limited(study.Without(linear, study.As(LinGapE, Printed)),
		map[study.Choice]study.Method{study.As(LinGapE, Theory): {Reps: 2}}),
	Claims: []study.Claim{
		study.Says("G1", "Fig. 2b", "RAGE has good performance on the click log: no method except the oracle needs "+
			"significantly fewer samples (LinGapE is excluded, because only two runs are affordable)",
			study.Compared(study.Nearly, RAGE, XYAdaptive, ALBA, XYStatic, GAllocation)),
	},
})

// Newer compares later methods on the benchmark example with a larger gap.
var Newer = confident(study.Experiment{
	Basis: study.StandIn,
	Name:  "rage/newer", Title: "Newer methods on the benchmark example",
	Beside: "methods published after the paper",
	Axis:   "dimension d", Sizes: []int{5, 10, 20},
	Reps:     30, // 30 replicates are enough to judge Theorem 2
	Methods:  theoremsInFigures(slices.Concat(linear, newer)),
	InColour: []string{RAGE, LinGapE, LinGapEGreedy, LinGame, LazyTTS, FWS},
	Instance: func(d, _ int) (*bandit.Instance, error) { return BenchmarkInstance(d, .1) },
})

// FixedBudget is an experiment with a fixed budget on the benchmark example with d = 10 and an
// angle of 0.3. The gap of x' is 0.0893, so H2lin = 2/gap^2 = 251.
var FixedBudget = study.Experiment{
	Name: "rage/fixed-budget", Title: "Fixed budgets on the benchmark example",
	Beside: "the paper considers only fixed confidence",
	Axis:   "budget T", Sizes: []int{100, 200, 400, 800, 1600, 3200}, Reps: 400,
	Budget: func(t int) int { return t }, Shared: "fixed-budget d=10",
	Instance: func(int, int) (*bandit.Instance, error) { return BenchmarkInstance(10, .3) },
	Methods:  budgeted, Notes: []string{"d = 10, angle 0.3: H2lin = 251."},
}

// onSome restricts methods to some of the random instances, and returns the methods. Methods with
// printed constants keep all instances if their names are in more.
func onSome(ms []study.Method, more ...string) []study.Method {
	for i := range ms {
		if ms[i].Constants != Printed || !slices.Contains(more, ms[i].Name) {
			ms[i].Reps = some
		}
	}
	return ms
}

// another ends the source of an experiment that is based on a second reading of the paper.
const another = ", another reading"

// confident sets the fields that experiments with fixed confidence have in common: the bounds, and
// the paper's claims about all these experiments.
func confident(e study.Experiment) study.Experiment {
	e.Delta = Delta
	if e.Reps == 0 {
		e.Reps = max(1, Reps/max(1, e.Draws))
	}
	e.Bounds, e.Tables = bounds, study.OneTable(Bounds)
	e.Means = true // mean pulls, as in appendix F
	e.Claims = append(e.Claims,
		study.Says("H "+e.ShortName(), "5", "the empirical failure probability is zero: "+e.Title,
			study.ErringByMethod(study.Negligible)),
		study.Guarantees("I "+e.ShortName(), "Theorem 2", "the pulls of RAGE are within its schedule with "+
			"probability 1 - delta: "+e.Title, hardness.WithinSchedule(RAGE, Theory)).
			On(study.AnyInstance))
	if e.Beside != "" || strings.HasSuffix(e.Source, another) {
		e.Claims = study.AsAdditions(e.Claims...)
	}
	return e
}

// bounds contains two bounds: the lower bound for all methods, with the pulls of the optimal
// allocation, and the schedule of RAGE, with its pulls and rounds.
var bounds = []study.Bound{hardness.Best, hardness.Schedule(theory)}

// Bounds returns a table with psi*, the lower bounds, and the pulls of RAGE's schedule for each
// size. If instances are random, the table shows medians.
func Bounds(r *study.Results) *tidy.Table { return hardness.Schedules(r) }

// Schedule returns RAGE's schedule for one instance, with a row for each round.
func Schedule(e study.Experiment, size, draw int) (*tidy.Table, error) {
	return hardness.Rounds(e, size, draw, theory)
}
