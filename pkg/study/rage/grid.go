package rage

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/bandit"
	"github.com/purexp/purexp/pkg/design"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/mc"
	"github.com/purexp/purexp/pkg/policy"
	"github.com/purexp/purexp/pkg/study"
)

// Names of the methods.
const (
	RAGE          = "RAGE"
	Oracle        = "XY-oracle"
	XYAdaptive    = "XY-adaptive"
	LinGapE       = "LinGapE"
	LinGapEGreedy = "LinGapE greedy"
	ALBA          = "ALBA"
	XYStatic      = "XY-static"
	GAllocation   = "G-allocation"
	LinGame       = "LinGame"
	LazyTTS       = "Lazy TTS"
	FWS           = "FWS"
)

// Names of the constants: those that a theorem supports, with certified designs;
// and what the paper prints or its appendix F describes.
const (
	Theory = "theory"
	Paper  = "paper"
)

// New returns a method for an instance with parameter theta. The oracle is told
// the means, and the norm of theta is given to the methods that the paper gives
// it to; with constants Theory, LinGapE does without.
func New(method, constants string, inst *bandit.Instance, theta []float64) explore.Policy {
	norm := math.Sqrt(floats.Dot(theta, theta))
	way, levels, union := design.Certified, policy.RAGELevelsTheory, policy.PhaseUnionActive
	if constants == Paper {
		way, levels, union = design.FrankWolfePaper, policy.RAGELevelsPaper, policy.PhaseUnionAll
	}
	switch method {
	case RAGE:
		return &policy.RAGE{Delta: Delta, Levels: levels, Union: union, Design: way}
	case Oracle:
		return &policy.XYOracle{Delta: Delta, Means: mat.Col(nil, 0, inst.Truth())}
	case XYAdaptive:
		return &policy.XYAdaptive{Delta: Delta}
	case LinGapE:
		if constants == Paper {
			return &policy.LinGapE{Delta: Delta, Norm: norm, Reg: 1}
		}
		return &policy.LinGapE{Delta: Delta}
	case LinGapEGreedy:
		return &policy.LinGapE{Delta: Delta, Select: policy.LinGapEGreedy}
	case ALBA:
		return &policy.ALBA{Delta: Delta, Norm: norm, PublicWidths: constants == Paper}
	case XYStatic:
		return &policy.XYStatic{Delta: Delta}
	case GAllocation:
		return &policy.GAllocation{Delta: Delta}
	case LinGame:
		return &policy.LinGame{Delta: Delta}
	case LazyTTS:
		return &policy.LazyTrackAndStop{Delta: Delta}
	case FWS:
		return &policy.FWS{Delta: Delta}
	}
	panic("rage: no method " + method)
}

// printed are the methods whose constants in the paper differ from the default.
var printed = []string{RAGE, LinGapE, ALBA}

// judged returns the constants with which a method appears in figures and
// claims: those of a theorem, but for ALBA those of the public code, which need
// fewer pulls.
func judged(method string) string {
	if method == ALBA {
		return Paper
	}
	return Theory
}

// Grid returns the runs of all experiments.
func Grid(o study.Options) (*mc.Grid, error) {
	g, err := grid(o, Experiments()...)
	if err != nil {
		return nil, err
	}
	return g, addBudgets(g, o)
}

// newGrid returns a grid without runs.
func newGrid(o study.Options) *mc.Grid {
	return &mc.Grid{Study: "rage", Seed: o.Root(), Reps: o.Scaled(Reps, Reps), Workers: o.Workers, Shard: o.Shard}
}

// grid returns the runs of some experiments.
func grid(o study.Options, es ...Experiment) (*mc.Grid, error) {
	g := newGrid(o)
	reps := g.Reps
	for _, e := range es {
		draws, each := 1, reps
		if e.Drawn {
			draws, each = reps, 1
		}
		for _, size := range e.Sizes {
			for draw := range draws {
				inst, theta, err := e.Instance(size, draw)
				if err != nil {
					return nil, err
				}
				addBounds(g, inst, theta)
				for _, m := range e.Methods {
					for _, c := range constants(m) {
						if few, ok := e.Few[m]; ok && draw >= few || !e.plays(m, c, size) {
							continue
						}
						g.Cells = append(g.Cells, mc.Cell{
							Instance: inst,
							Method: mc.Method{
								Name: m, Constants: c, Delta: Delta, Reps: each, MaxPulls: e.MaxPulls[m],
								New: func() explore.Policy { return New(m, c, inst, theta) },
							},
						})
					}
				}
			}
		}
	}
	return g, nil
}

// constants returns the choices of constants that a method is run with.
func constants(method string) []string {
	for _, m := range printed {
		if m == method {
			return []string{Theory, Paper}
		}
	}
	return []string{Theory}
}
