package gege

import (
	"errors"
	"fmt"
	"strings"

	"github.com/purexp/purexp/pkg/bandit"
	"github.com/purexp/purexp/pkg/dataset"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/mc"
	"github.com/purexp/purexp/pkg/policy"
	"github.com/purexp/purexp/pkg/radius"
	"github.com/purexp/purexp/pkg/study"
)

// Reps is the number of replicates of the paper.
const Reps = 500

// Names of the methods.
const (
	GEGE      = "GEGE"
	EGESH     = "EGE-SH"
	EGESR     = "EGE-SR"
	Uniform   = "Uniform"
	UniformLS = "Uniform LS"
	APE       = "APE"
	Auer      = "Auer"
	PAL       = "PAL"
	PSIPS     = "PSIPS" // not in the paper: of some of its authors, later
)

// Names of the constants. Methods with a fixed budget have none, nor has PSIPS.
const (
	Theory = "theory"
	Code   = "code"  // GEGE: those of the released code
	Paper  = "paper" // APE, PAL: those of experiments
)

// An Experiment is a figure of the paper: methods compared as the number of arms
// or the budget grows.
type Experiment struct {
	Name  string
	Title string
	Paper string // "Fig. 1"
	Axis  string // what grows
	Sizes []int
	// Delta is the error probability, 0 for fixed budgets.
	Delta   float64
	Methods []string
	// Limits hold the largest size that a method is run at, and Few the number
	// of replicates for each 500 of others, where its cost forbids more.
	Limits, Few map[string]int

	instance func(size int) (*bandit.Instance, error)
	budget   func(size int) int
	// negated says which objectives the data state the other way round.
	negated []bool
	// misspecified says that means are not linear in the features.
	misspecified bool
}

// Names of the experiments.
const (
	SyntheticBudget     = "synthetic-budget"
	SyntheticConfidence = "synthetic-confidence"
	NoCBudget           = "noc-budget"
	NoCRawBudget        = "noc-raw-budget"
	NoCConfidence       = "noc-confidence"
	EnergyBudget        = "energy-budget"
	EnergyMaxBudget     = "energy-maximised-budget"
	EnergyConfidence    = "energy-confidence"
	EnergyMaxConfidence = "energy-maximised-confidence"
	SNWBudget           = "snw-budget"
	SNWRawBudget        = "snw-raw-budget"
	SNWRawConfidence    = "snw-raw-confidence"
)

// Experiments returns the experiments of section 5 and appendix I.2, and what
// is not in the paper but beside it: measurements as they are, the other
// orientation of the energy data, the table of sorting networks.
func Experiments() []Experiment {
	fixed := []string{GEGE, EGESH, EGESR, Uniform, UniformLS}
	const beside = "not in the paper"
	ks, ts := []int{10, 20, 50, 100, 200, 500}, []int{100, 200, 500, 1000, 2000, 4000, 8000}
	both := []bool{true, true}
	snw, few := []int{500, 1000, 2000, 4000, 8000, 16000, 32000, 64000}, map[string]int{EGESR: 100}
	identity := func(t int) int { return t }
	synthetic := func(k int) (*bandit.Instance, error) {
		inst, _, err := Synthetic(k, 8, 2, 0)
		return inst, err
	}
	same := func(f func() (*bandit.Instance, error)) func(int) (*bandit.Instance, error) {
		return func(int) (*bandit.Instance, error) { return f() }
	}
	return []Experiment{
		{Name: SyntheticBudget, Title: "Synthetic instances, fixed budget", Paper: "Fig. 1", Axis: "arms K", Sizes: ks, Methods: fixed,
			instance: synthetic, budget: func(int) int { return SyntheticH2 }},
		{Name: SyntheticConfidence, Title: "Synthetic instances, fixed confidence", Paper: "Fig. 2", Axis: "arms K", Sizes: ks, Delta: .01, Methods: []string{GEGE, APE, PSIPS},
			Limits: map[string]int{APE: 100, PSIPS: 20}, Few: map[string]int{APE: 20, PSIPS: 10}, instance: synthetic},
		{Name: NoCBudget, Title: "NoC, linearised, fixed budget", Paper: "Fig. 3", Axis: "budget T", Sizes: ts, Methods: fixed,
			negated: both, instance: same(dataset.NoC{}.Instance), budget: identity},
		{Name: NoCRawBudget, Title: "NoC as measured, fixed budget", Paper: beside, Axis: "budget T", Sizes: ts, Methods: fixed,
			misspecified: true, negated: []bool{true, false}, instance: same(dataset.NoC{Raw: true}.Instance), budget: identity},
		{Name: NoCConfidence, Title: "NoC, linearised, fixed confidence", Paper: "Fig. 4", Axis: "arms K", Sizes: []int{259}, Delta: .01, Methods: []string{GEGE, APE, PAL, PSIPS},
			Few: map[string]int{APE: 20, PAL: 100, PSIPS: 10}, negated: both, instance: same(dataset.NoC{}.Instance)},
		{Name: EnergyBudget, Title: "Energy efficiency, linear, fixed budget", Paper: "Fig. 6", Axis: "budget T", Sizes: []int{500, 1000, 2000, 5000, 10000}, Methods: fixed,
			negated: both, instance: same(dataset.Energy{Linear: true}.Instance), budget: identity},
		{Name: EnergyMaxBudget, Title: "Energy, loads as measured and maximised, fixed budget", Paper: "Fig. 6", Axis: "budget T", Sizes: []int{500, 1000, 2000, 5000, 10000}, Methods: fixed,
			misspecified: true, instance: same(dataset.Energy{Maximise: true}.Instance), budget: identity},
		{Name: EnergyConfidence, Title: "Energy efficiency, linear, fixed confidence", Paper: "Fig. 7", Axis: "arms K", Sizes: []int{768}, Delta: .1, Methods: []string{GEGE, Auer},
			Few: map[string]int{Auer: 20}, negated: both, instance: same(dataset.Energy{Linear: true}.Instance)},
		{Name: EnergyMaxConfidence, Title: "Energy, loads as measured and maximised, fixed confidence", Paper: "Fig. 7", Axis: "arms K", Sizes: []int{768}, Delta: .1, Methods: []string{GEGE, Auer},
			Few: map[string]int{Auer: 20}, misspecified: true, instance: same(dataset.Energy{Maximise: true}.Instance)},
		{Name: SNWBudget, Title: "SNW, linearised, fixed budget", Paper: beside, Axis: "budget T", Sizes: snw, Methods: fixed,
			Few: few, negated: []bool{true, false}, instance: same(func() (*bandit.Instance, error) {
				inst, _, err := SNW()
				return inst, err
			}), budget: identity},
		{Name: SNWRawBudget, Title: "SNW as measured, fixed budget", Paper: beside, Axis: "budget T", Sizes: snw, Methods: fixed,
			Few: few, misspecified: true, negated: []bool{true, false}, instance: same(dataset.SNW{Sigma: SNWSigma}.Instance), budget: identity},
		{Name: SNWRawConfidence, Title: "SNW as measured, fixed confidence", Paper: beside, Axis: "arms K", Sizes: []int{206}, Delta: .01, Methods: []string{GEGE, APE, PAL, PSIPS},
			Few: map[string]int{APE: 20, PAL: 100, PSIPS: 10}, misspecified: true, negated: []bool{true, false}, instance: same(dataset.SNW{Sigma: SNWSigma}.Instance)},
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
	return Experiment{}, fmt.Errorf("gege: no experiment %q; there are %s", name, strings.Join(names, ", "))
}

// Instance returns the instance of a size, named after the experiment.
func (e Experiment) Instance(size int) (*bandit.Instance, error) {
	inst, err := e.instance(size)
	if err != nil {
		return nil, err
	}
	inst.Name = e.label(size)
	return inst, nil
}

// label is the name of the instance of a size.
func (e Experiment) label(size int) string {
	return fmt.Sprintf("%s %s=%d", e.Name, e.Axis[strings.LastIndexByte(e.Axis, ' ')+1:], size)
}

// Study returns the experiment as a study of its own.
func (e Experiment) Study() study.Study {
	s := Study
	s.Name, s.Title = "gege-"+e.Name, e.Title
	s.Grid = func(o study.Options) (*mc.Grid, error) { return grid(o, e) }
	s.Claims = func() []study.Claim { return claims(e.Name) }
	return s
}

// policy returns a method of the experiment; nil if it is not run at the size.
func (e Experiment) policy(method, constants string, size int) func() explore.Policy {
	if most, ok := e.Limits[method]; ok && size > most {
		return nil
	}
	if e.Delta == 0 {
		t := e.budget(size)
		return map[string]func() explore.Policy{
			GEGE:      func() explore.Policy { return &policy.GEGEFixedBudget{Budget: t} },
			EGESH:     func() explore.Policy { return &policy.EGESH{Budget: t} },
			EGESR:     func() explore.Policy { return &policy.EGESR{Budget: t} },
			Uniform:   func() explore.Policy { return &policy.UniformBudget{Budget: t} },
			UniformLS: func() explore.Policy { return &policy.UniformBudget{Budget: t, Linear: true} },
		}[method]
	}
	switch method {
	case GEGE:
		c := policy.GEGETheory
		if constants == Code {
			c = policy.GEGECode
		}
		return func() explore.Policy { return &policy.GEGEFixedConfidence{Delta: e.Delta, Constants: c} }
	case APE:
		return func() explore.Policy { return &policy.APE{Delta: e.Delta, Radius: radii[constants]} }
	case PAL:
		w := policy.PALTheory
		if constants == Paper {
			w = policy.PALTuned
		}
		return func() explore.Policy { return &policy.PAL{Delta: e.Delta, Form: policy.PALRacing, Width: w} }
	case Auer:
		return func() explore.Policy { return &policy.AuerRacing{Delta: e.Delta} }
	case PSIPS:
		return func() explore.Policy { return &policy.PSIPS{Delta: e.Delta} }
	}
	panic("gege: no method " + method)
}

// radii of APE.
var radii = map[string]radius.Radius{Theory: radius.KaufmannKoolen{}, Paper: radius.Paper{}}

// constants returns the choices that a method of the experiment is run with.
func (e Experiment) constants(method string) []string {
	switch {
	case e.Delta == 0 || method == PSIPS:
		return []string{""}
	case method == GEGE:
		return []string{Theory, Code}
	case method == APE || method == PAL:
		return []string{Theory, Paper}
	}
	return []string{Theory}
}

// Grid returns the runs of all experiments.
func Grid(o study.Options) (*mc.Grid, error) { return grid(o, Experiments()...) }

// grid returns the runs of some experiments. Methods whose budget is too small
// are left out.
func grid(o study.Options, es ...Experiment) (*mc.Grid, error) {
	g := &mc.Grid{Study: "gege", Seed: o.Root(), Reps: o.Scaled(Reps, Reps), Workers: o.Workers, Shard: o.Shard}
	for _, e := range es {
		for _, size := range e.Sizes {
			inst, err := e.Instance(size)
			if err != nil {
				return nil, err
			}
			for _, m := range e.Methods {
				for _, c := range e.constants(m) {
					make := e.policy(m, c, size)
					if make == nil {
						continue
					}
					if err := make().Init(inst.Problem, nil); err != nil {
						if e.Delta == 0 && errors.Is(err, explore.ErrBudget) {
							continue
						}
						return nil, fmt.Errorf("gege: %s on %s: %w", m, inst.Name, err)
					}
					reps := g.Reps
					if few, ok := e.Few[m]; ok {
						reps = o.Scaled(few, Reps)
					}
					g.Cells = append(g.Cells, mc.Cell{Instance: inst, Method: mc.Method{Name: m, Constants: c, Delta: e.Delta, Reps: reps, New: make}})
				}
			}
		}
	}
	return g, nil
}
