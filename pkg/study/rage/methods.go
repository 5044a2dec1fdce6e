package rage

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/design"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/fig"
	"github.com/purexp/purexp/pkg/policy"
	"github.com/purexp/purexp/pkg/study"
)

// Names of the methods.
const (
	RAGE        = "RAGE"
	Oracle      = "XY-oracle"
	XYAdaptive  = "XY-adaptive"
	LinGapE     = "LinGapE"
	ALBA        = "ALBA"
	XYStatic    = "XY-static"
	GAllocation = "G-allocation"
	// Not in the paper:
	LinGapEGreedy = "LinGapE greedy"
	LinGame       = "LinGame"
	LazyTTS       = "Lazy TTS"
	FWS           = "FWS"
	PEACE         = "PEACE"
	ODLinBAI      = "OD-LinBAI"
	GSE           = "GSE"
)

// palette gives methods the same looks in all figures of the paper. Names that are eight apart have
// the same marker: forms of a method.
var palette = fig.Palette{
	labelled(RAGE, Printed), labelled(Oracle, Printed), XYAdaptive, labelled(LinGapE, Printed),
	ALBA, labelled(XYStatic, Printed), GAllocation, labelled(XYAdaptive, Code),

	labelled(RAGE, Theory), labelled(Oracle, Theory), labelled(XYAdaptive, Theory),
	labelled(LinGapE, Theory), LinGame, labelled(XYStatic, Theory), LazyTTS,
	labelled(XYAdaptive, Printed),

	RAGE, Oracle, LinGapEGreedy, LinGapE, FWS, XYStatic, PEACE, ODLinBAI, GSE,
}

var labelled = study.Labelled

// Names of the constants: those that a theorem supports, with certified designs; what the paper
// prints or its appendix F describes; and what the released code does where this is different.
// Methods with a fixed budget have none.
const (
	Theory  = "theory"
	Printed = "paper"
	Code    = "code"
)

// linear are the methods that the paper compares, and G-allocation. Where there are two choices of
// constants, figures show both, and claims are judged by the first, which is what the paper ran.
var linear = []study.Method{
	{Name: RAGE, Constants: Printed, New: func(t study.Task) explore.Policy {
		return policy.RAGEPrinted(t.Delta)
	}},
	{Name: RAGE, Constants: Theory, New: func(t study.Task) explore.Policy { return theory(t) }},
	{Name: Oracle, Constants: Printed, New: func(t study.Task) explore.Policy {
		return policy.XYOraclePrinted(t.Delta, means(t))
	}},
	{Name: Oracle, Constants: Theory, New: func(t study.Task) explore.Policy {
		return &policy.XYOracle{Delta: t.Delta, Means: means(t)}
	}},
	{Name: XYAdaptive, Constants: Theory, New: func(t study.Task) explore.Policy {
		return &policy.XYAdaptive{Delta: t.Delta}
	}},
	{Name: LinGapE, Constants: Printed, New: func(t study.Task) explore.Policy {
		return &policy.LinGapE{Delta: t.Delta, Norm: norm(t), Reg: 1, EachArm: true}
	}},
	{Name: LinGapE, Constants: Theory, New: func(t study.Task) explore.Policy {
		return &policy.LinGapE{Delta: t.Delta}
	}},
	{Name: ALBA, Constants: Printed, New: func(t study.Task) explore.Policy {
		return &policy.ALBA{Delta: t.Delta, Norm: norm(t), PublicWidths: true}
	}},
	{Name: ALBA, Constants: Theory, TableOnly: true, New: func(t study.Task) explore.Policy {
		return &policy.ALBA{Delta: t.Delta, Norm: norm(t)}
	}},
	{Name: XYStatic, Constants: Printed, New: func(t study.Task) explore.Policy {
		return policy.XYStaticPrinted(t.Delta)
	}},
	{Name: XYStatic, Constants: Theory, New: func(t study.Task) explore.Policy {
		return &policy.XYStatic{Delta: t.Delta}
	}},
	{Name: GAllocation, Constants: Theory, New: func(t study.Task) explore.Policy {
		return &policy.GAllocation{Delta: t.Delta}
	}},
}

// adaptive are the forms of XY-adaptive that differ in the length of phases: the rule of the
// released code, which the paper ran, and the rule as printed.
var adaptive = []study.Method{
	{Name: XYAdaptive, Constants: Code, New: func(t study.Task) explore.Policy {
		return &policy.XYAdaptive{Delta: t.Delta, Phases: policy.XYAdaptiveReleased}
	}},
	{Name: XYAdaptive, Constants: Printed, New: func(t study.Task) explore.Policy {
		return &policy.XYAdaptive{Delta: t.Delta, Phases: policy.XYAdaptivePaper}
	}},
}

// newer are methods that came after the paper's, and a variant of LinGapE.
var newer = []study.Method{
	{Name: LinGapEGreedy, Constants: Theory, New: func(t study.Task) explore.Policy {
		return &policy.LinGapE{Delta: t.Delta, Select: policy.LinGapEGreedy}
	}},
	{Name: LinGame, Constants: Theory, New: func(t study.Task) explore.Policy {
		return &policy.LinGame{Delta: t.Delta}
	}},
	{Name: LazyTTS, Constants: Theory, New: func(t study.Task) explore.Policy {
		return &policy.LazyTrackAndStop{Delta: t.Delta}
	}},
	{Name: FWS, Constants: Theory, New: func(t study.Task) explore.Policy {
		return &policy.FWS{Delta: t.Delta}
	}},
}

// budgeted are methods with a fixed budget.
var budgeted = []study.Method{
	{Name: PEACE, New: func(t study.Task) explore.Policy {
		return &policy.PEACE{Budget: t.Budget}
	}},
	{Name: ODLinBAI, New: func(t study.Task) explore.Policy {
		return &policy.ODLinBAI{Budget: t.Budget}
	}},
	{Name: GSE, New: func(t study.Task) explore.Policy { return &policy.GSE{Budget: t.Budget} }},
}

// theory returns RAGE as it is analysed here.
func theory(t study.Task) *policy.RAGE {
	return &policy.RAGE{
		Delta: t.Delta, First: policy.RAGEFirstPaper, Levels: policy.RAGELevelsTheory,
		Union: policy.PhaseUnionActive, Design: design.Certified,
	}
}

// means returns the true means of the items, which the oracle is told.
func means(t study.Task) []float64 { return mat.Col(nil, 0, t.Instance.Truth()) }

// norm returns the norm of the parameter, which the paper gives to some methods.
func norm(t study.Task) float64 {
	theta := mat.Col(nil, 0, t.Instance.Theta)
	return math.Sqrt(floats.Dot(theta, theta))
}

// A choice is a method with constants.
type choice struct{ method, constants string }

// limited returns methods with Largest, Reps and MaxPulls as limits say, where their cost forbids
// more.
func limited(ms []study.Method, limits map[choice]study.Method) []study.Method {
	ms = slices.Clone(ms)
	for i := range ms {
		m := &ms[i]
		l := limits[choice{m.Name, m.Constants}]
		m.Largest, m.Reps, m.MaxPulls = l.Largest, l.Reps, l.MaxPulls
	}
	return ms
}

// without returns the methods but for one.
func without(ms []study.Method, c choice) []study.Method {
	return slices.DeleteFunc(slices.Clone(ms), func(m study.Method) bool {
		return m.Name == c.method && (m.Constants == c.constants || c.constants == "")
	})
}

// own are methods in figures with the constants of theorems only, where they have those.
func own(ms []study.Method) []study.Method {
	ms = slices.Clone(ms)
	for i := range ms {
		ms[i].TableOnly = ms[i].Constants == Printed
	}
	return ms
}
