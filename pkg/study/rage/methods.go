package rage

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/design"
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

// Names of the constants: those that a theorem supports, with certified designs; what the paper
// prints or its appendix F describes; and what the released code does where this is different.
// Methods with a fixed budget have none.
const (
	Theory  = "theory"
	Printed = "paper"
	Code    = "code"
	// Rounded is the printed oracle, whose design is rounded instead of drawn.
	Rounded = "paper, rounded"
)

// linear are the methods that the paper compares, and G-allocation. Where there are two choices of
// constants, figures show both, and claims are judged by the first, which is what the paper ran.
var linear = []study.Method{
	study.NewMethod(RAGE, Printed, policy.RAGEPrinted(0)),
	study.NewMethod(RAGE, Theory, theory(0)),
	study.NewMethod(Oracle, Printed, policy.XYOraclePrinted(0, nil), knowsMeans),
	study.NewMethod(Oracle, Theory, &policy.XYOracle{}, knowsMeans),
	study.NewMethod(XYAdaptive, Theory, &policy.XYAdaptive{}),
	study.NewMethod(LinGapE, Printed, &policy.LinGapE{Reg: 1, EachArm: true},
		func(p *policy.LinGapE, t study.Task) { p.Norm = norm(t) }),
	study.NewMethod(LinGapE, Theory, &policy.LinGapE{}),
	study.NewMethod(ALBA, Printed, &policy.ALBA{PublicWidths: true}, knowsNorm),
	inTables(study.NewMethod(ALBA, Theory, &policy.ALBA{}, knowsNorm)),
	study.NewMethod(XYStatic, Printed, policy.XYStaticPrinted(0)),
	study.NewMethod(XYStatic, Theory, &policy.XYStatic{}),
	study.NewMethod(GAllocation, Theory, &policy.GAllocation{}),
}

// rounded is the printed oracle without an artefact: where arms are drawn from a design, the test
// waits for rewards of those with tiny weights.
var rounded = study.NewMethod(Oracle, Rounded, &policy.XYOracle{Test: policy.XYOracleUnion,
	Design: design.FrankWolfePaper}, knowsMeans)

// adaptive are the forms of XY-adaptive that differ in the length of phases: the rule of the
// released code, and the rule as printed.
var adaptive = []study.Method{
	study.NewMethod(XYAdaptive, Code, &policy.XYAdaptive{Phases: policy.XYAdaptiveReleased}),
	study.NewMethod(XYAdaptive, Printed, &policy.XYAdaptive{Phases: policy.XYAdaptivePaper}),
}

// newer are methods that came after the paper's, and a variant of LinGapE.
var newer = []study.Method{
	study.NewMethod(LinGapEGreedy, Theory, &policy.LinGapE{Select: policy.LinGapEGreedy}),
	study.NewMethod(LinGame, Theory, &policy.LinGame{}),
	study.NewMethod(LazyTTS, Theory, &policy.LazyTrackAndStop{}),
	study.NewMethod(FWS, Theory, &policy.FWS{}),
}

// budgeted are methods with a fixed budget.
var budgeted = []study.Method{
	study.NewMethod(PEACE, "", &policy.PEACE{}),
	study.NewMethod(ODLinBAI, "", &policy.ODLinBAI{}),
	study.NewMethod(GSE, "", &policy.GSE{}),
}

// Released is RAGE as the released code has it, to be added to the methods of an experiment: as
// printed, with log(2|Z|^2/delta_t) where the paper has log(|Z|^2/delta_t), which is what half the
// delta does.
var Released = study.NewMethod(RAGE, Code, policy.RAGEPrinted(0),
	func(p *policy.RAGE, t study.Task) { p.Delta = t.Delta / 2 })

// UnitFree is RAGE as the library has it, to be added to the methods of an experiment: its first
// accuracy follows from the noise, where that of the paper, and of the experiments here, is 1/2 in
// units of rewards.
var UnitFree = study.NewMethod(RAGE, "default", &policy.RAGE{})

// EachArm is LinGapE with the bound of "theory" and a pull of each arm to begin with, as printed,
// where the default starts from arms that span the model. To be added to the methods of an
// experiment.
var EachArm = study.NewMethod(LinGapE, "each arm", &policy.LinGapE{EachArm: true})

// theory returns RAGE as it is analysed here.
func theory(delta float64) *policy.RAGE {
	return &policy.RAGE{
		Delta: delta, First: policy.RAGEFirstPaper, Levels: policy.RAGELevelsTheory,
		Union: policy.PhaseUnionActive, Design: design.Certified,
	}
}

func inTables(m study.Method) study.Method {
	m.TableOnly = true
	return m
}

func knowsMeans(p *policy.XYOracle, t study.Task) { p.Means = means(t) }

func knowsNorm(p *policy.ALBA, t study.Task) { p.Norm = norm(t) }

// means returns the true means of the items, which the oracle is told.
func means(t study.Task) []float64 { return mat.Col(nil, 0, t.Instance.Truth()) }

// norm returns the norm of the parameter, which the paper gives to some methods.
func norm(t study.Task) float64 {
	theta := mat.Col(nil, 0, t.Instance.Theta)
	return math.Sqrt(floats.Dot(theta, theta))
}

// theoremsInFigures returns the methods with the constants that are printed left out of figures.
func theoremsInFigures(ms []study.Method) []study.Method {
	ms = slices.Clone(ms)
	for i := range ms {
		ms[i].TableOnly = ms[i].Constants == Printed
	}
	return ms
}
