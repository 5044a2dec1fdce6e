package rage

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/purexp/purexp/pkg/bandit"
	"github.com/purexp/purexp/pkg/mc"
	"github.com/purexp/purexp/pkg/study"
)

// Reps is the number of replicates of the paper (appendix F).
const Reps = 20

// Delta is the error probability of all runs (paper, section 5).
const Delta = 0.05

// An Experiment is a figure of the paper: methods compared as a problem grows.
type Experiment struct {
	Name  string // as in file names
	Title string
	Paper string // "Fig. 1a"
	Axis  string // what grows
	Sizes []int
	// Drawn says that each replicate is played on an instance of its own, drawn
	// anew; otherwise all are played on the same.
	Drawn bool
	// Methods in the order of tables. Limits hold the largest size that a
	// method is run at where its cost forbids more, PaperLimits the same for
	// the paper's constants.
	Methods             []string
	Limits, PaperLimits map[string]int
	// Few hold on how many draws a method is run whose cost forbids more, and
	// MaxPulls after how many pulls each of its runs is given up.
	Few, MaxPulls map[string]int

	// instance returns an instance with its parameter.
	instance func(size, draw int) (*bandit.Instance, []float64, error)
}

// Names of the experiments.
const (
	BenchmarkName    = "benchmark"
	ManyArmsName     = "many-arms"
	ModerateName     = "many-arms-moderate"
	SphereName       = "sphere"
	TransductiveName = "transductive"
	MultivariateName = "multivariate"
	ClickThroughName = "click-through-synthetic"
	NewerName        = "newer"
	FixedBudgetName  = "fixed-budget"
)

// linear are the methods that the paper compares, and G-allocation.
var linear = []string{RAGE, Oracle, XYAdaptive, LinGapE, ALBA, XYStatic, GAllocation}

// Experiments returns the experiments of section 5, in the order of the paper,
// followed by one that is not in it.
func Experiments() []Experiment {
	return []Experiment{
		{
			Name: BenchmarkName, Title: "Benchmark example", Paper: "Fig. 1a", Axis: "dimension d", Sizes: []int{5, 10, 15, 20, 25, 30, 35},
			Methods: linear, PaperLimits: map[string]int{LinGapE: 10},
			instance: func(d, _ int) (*bandit.Instance, []float64, error) { return Benchmark(d, .01) },
		},
		{
			Name: ManyArmsName, Title: "Many arms, variance .09", Paper: "Fig. 1b", Axis: "arms n", Sizes: []int{10, 100, 1000, 10000}, Drawn: true,
			Methods: linear, Limits: map[string]int{LinGapE: 100}, PaperLimits: map[string]int{RAGE: 1000}, MaxPulls: map[string]int{LinGapE: 2_000_000},
			instance: func(n, draw int) (*bandit.Instance, []float64, error) { return ManyArms(n, .3, draw) },
		},
		{
			Name: ModerateName, Title: "Many arms, standard deviation .09", Paper: "Fig. 1b", Axis: "arms n", Sizes: []int{10, 100, 1000, 10000}, Drawn: true,
			Methods: linear, PaperLimits: map[string]int{RAGE: 1000, LinGapE: 1000},
			instance: func(n, draw int) (*bandit.Instance, []float64, error) { return ManyArms(n, .09, draw) },
		},
		{
			Name: SphereName, Title: "Uniform distribution on a sphere", Paper: "Fig. 1c", Axis: "arms n", Sizes: []int{100, 200, 500, 1000}, Drawn: true,
			Methods: linear, PaperLimits: map[string]int{RAGE: 500},
			instance: func(n, draw int) (*bandit.Instance, []float64, error) { return Sphere(n, 9, draw) },
		},
		{
			Name: TransductiveName, Title: "Transductive example", Paper: "Fig. 1d", Axis: "dimension d", Sizes: []int{10, 20, 40, 60, 80},
			Methods: []string{RAGE, Oracle, XYAdaptive, LinGapE, XYStatic, GAllocation}, Limits: map[string]int{LinGapE: 20}, PaperLimits: map[string]int{RAGE: 40, LinGapE: 0},
			instance: func(d, _ int) (*bandit.Instance, []float64, error) { return Transductive(d, .1) },
		},
		{
			Name: MultivariateName, Title: "Multivariate testing", Paper: "Fig. 2a", Axis: "slots D", Sizes: []int{4, 5, 6, 7, 8}, Drawn: true,
			Methods: linear, Limits: map[string]int{LinGapE: 6}, PaperLimits: map[string]int{RAGE: 6, LinGapE: 5},
			instance: Multivariate,
		},
		{
			Name: ClickThroughName, Title: "Click-through, synthetic log", Paper: "Fig. 2b", Axis: "arms n", Sizes: []int{40}, Drawn: true,
			Methods: linear, PaperLimits: map[string]int{LinGapE: 0}, Few: map[string]int{LinGapE: 2},
			instance: func(_, draw int) (*bandit.Instance, []float64, error) { return ClickThrough("", draw) },
		},
		{
			Name: NewerName, Title: "Newer methods on the benchmark example", Paper: "not in the paper", Axis: "dimension d", Sizes: []int{5, 10, 20},
			Methods:  append(slices.Clone(linear), LinGapEGreedy, LinGame, LazyTTS, FWS),
			instance: func(d, _ int) (*bandit.Instance, []float64, error) { return Benchmark(d, .1) },
		},
	}
}

// Named returns the experiment with the given name.
func Named(name string) (Experiment, error) {
	var names []string
	for _, e := range Experiments() {
		if e.Name == name {
			return e, nil
		}
		names = append(names, e.Name)
	}
	return Experiment{}, fmt.Errorf("rage: no experiment %q; there are %s", name, strings.Join(names, ", "))
}

// Instance returns the instance of an experiment that replicate draw of a size
// is played on, with its parameter theta.
func (e Experiment) Instance(size, draw int) (*bandit.Instance, []float64, error) {
	inst, theta, err := e.instance(size, draw)
	if err != nil {
		return nil, nil, err
	}
	inst.Name = e.label(size)
	if e.Drawn {
		inst.Name += drawn + strconv.Itoa(draw)
	}
	return inst, theta, nil
}

// drawn precedes the number of the draw in the name of an instance.
const drawn = " #"

// label is the name of the instances of a size, without the draw.
func (e Experiment) label(size int) string { return fmt.Sprintf("%s %s=%d", e.Name, e.letter(), size) }

// plays reports whether a method is run with these constants at a size.
func (e Experiment) plays(method, constants string, size int) bool {
	limits := []map[string]int{e.Limits}
	if constants == Paper {
		limits = append(limits, e.PaperLimits)
	}
	for _, l := range limits {
		if most, ok := l[method]; ok && size > most {
			return false
		}
	}
	return true
}

// letter is the symbol of the axis.
func (e Experiment) letter() string { return e.Axis[strings.LastIndexByte(e.Axis, ' ')+1:] }

// Study returns the experiment as a study of its own.
func (e Experiment) Study() study.Study {
	s := Study
	s.Name = "rage-" + e.Name
	s.Title = e.Title
	s.Grid = func(o study.Options) (*mc.Grid, error) { return grid(o, e) }
	s.Claims = func() []study.Claim { return claims(e.Name) }
	return s
}

// pooled returns the rows of the experiment with the draws of an instance under
// one name, their number as that of the replicate.
func (e Experiment) pooled(rows []mc.Row) []mc.Row {
	var own []mc.Row
	for _, r := range rows {
		if !strings.HasPrefix(r.Instance, e.Name+" ") {
			continue
		}
		if i := strings.Index(r.Instance, drawn); i >= 0 {
			draw, err := strconv.Atoi(r.Instance[i+len(drawn):])
			if err != nil {
				continue
			}
			r.Instance, r.Rep = r.Instance[:i], draw
		}
		own = append(own, r)
	}
	slices.SortStableFunc(own, func(a, b mc.Row) int { return a.Rep - b.Rep })
	return own
}
