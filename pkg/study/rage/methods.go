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

// The following constants are names of the methods.
const (
	RAGE        = "RAGE"
	Oracle      = "XY-oracle"
	XYAdaptive  = "XY-adaptive"
	LinGapE     = "LinGapE"
	ALBA        = "ALBA"
	XYStatic    = "XY-static"
	GAllocation = "G-allocation"
	// The methods from LinGapEGreedy on are not in the paper.
	LinGapEGreedy = "LinGapE greedy"
	LinGame       = "LinGame"
	LazyTTS       = "Lazy TTS"
	FWS           = "FWS"
	PEACE         = "PEACE"
	ODLinBAI      = "OD-LinBAI"
	GSE           = "GSE"
)

// The following names state which constants, such as widths and designs, a method uses. Theory
// means constants that a theorem supports, and certified designs. Printed means the constants in
// the paper or its appendix F. Code means the constants in the released code, if they differ from
// the printed constants. Methods with a fixed budget have no constants.
const (
	Theory  = "theory"
	Printed = "paper"
	Code    = "code"
	// Rounded means the printed oracle, but with a design that is rounded instead of sampled.
	Rounded = "paper, rounded"
)

// linear contains the methods that the paper compares, and G-allocation. If a method has two
// choices of constants, sweeps and claims use the first choice, which the paper used. Tables show
// both choices.
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

// rounded is the printed oracle with a design that is rounded instead of sampled. If arms are
// sampled, the test has to wait until arms with tiny weights have been pulled.
var rounded = study.NewMethod(Oracle, Rounded, &policy.XYOracle{Test: policy.XYOracleUnion,
	Design: design.FrankWolfePaper}, knowsMeans)

// adaptive contains the variants of XY-adaptive with different lengths of phases: the rule in the
// released code, and the printed rule.
var adaptive = []study.Method{
	study.NewMethod(XYAdaptive, Code, &policy.XYAdaptive{Phases: policy.XYAdaptiveReleased}),
	study.NewMethod(XYAdaptive, Printed, &policy.XYAdaptive{Phases: policy.XYAdaptivePaper}),
}

// newer contains methods published after the paper, and a variant of LinGapE.
var newer = []study.Method{
	study.NewMethod(LinGapEGreedy, Theory, &policy.LinGapE{Select: policy.LinGapEGreedy}),
	study.NewMethod(LinGame, Theory, &policy.LinGame{}),
	study.NewMethod(LazyTTS, Theory, &policy.LazyTrackAndStop{}),
	study.NewMethod(FWS, Theory, &policy.FWS{}),
}

// budgeted contains the methods with a fixed budget.
var budgeted = []study.Method{
	study.NewMethod(PEACE, "", &policy.PEACE{}),
	study.NewMethod(ODLinBAI, "", &policy.ODLinBAI{}),
	study.NewMethod(GSE, "", &policy.GSE{}),
}

// Released is RAGE as in the released code, for use as an additional method of an experiment. The
// released code uses log(2|Z|^2/delta_t) instead of the printed log(|Z|^2/delta_t), which is
// equivalent to halving delta.
var Released = study.NewMethod(RAGE, Code, policy.RAGEPrinted(0),
	func(p *policy.RAGE, t study.Task) { p.Delta = t.Delta / 2 })

// UnitFree is RAGE with the default settings of the library, for use as an additional method of an
// experiment. The first accuracy is derived from the noise; in the paper, and in the experiments of
// this package, the first accuracy is 1/2 in units of rewards.
var UnitFree = study.NewMethod(RAGE, "default", &policy.RAGE{})

// EachArm is LinGapE with the bound of "theory" and one initial pull of each arm, as printed.
// EachArm is for use as an additional method of an experiment. By default, LinGapE starts with
// pulls of arms that span the model.
var EachArm = study.NewMethod(LinGapE, "each arm", &policy.LinGapE{EachArm: true})

// theory returns RAGE with the constants of the analysis in this project.
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

// means returns the true means of the items, which the oracle needs.
func means(t study.Task) []float64 { return mat.Col(nil, 0, t.Instance.Truth()) }

// norm returns the norm of the true parameter, which the paper gives to some methods.
func norm(t study.Task) float64 {
	theta := mat.Col(nil, 0, t.Instance.Theta)
	return math.Sqrt(floats.Dot(theta, theta))
}

// theoremsInFigures returns copies of methods, so that figures omit those with printed constants.
func theoremsInFigures(ms []study.Method) []study.Method {
	ms = slices.Clone(ms)
	for i := range ms {
		ms[i].TableOnly = ms[i].Constants == Printed
	}
	return ms
}
