package gege

import (
	"github.com/purexp/purexp/pkg/design"
	"github.com/purexp/purexp/pkg/policy"
	"github.com/purexp/purexp/pkg/radius"
	"github.com/purexp/purexp/pkg/study"
)

// The following constants are the names of the methods.
const (
	GEGE      = "GEGE"
	EGESH     = "EGE-SH"
	EGESR     = "EGE-SR"
	Uniform   = "Uniform"
	UniformLS = "Uniform LS"
	APE       = "APE"
	Auer      = "Auer"
	PAL       = "PAL"
	PSIPS     = "PSIPS" // PSIPS is not in the paper; it is later work of some authors of the paper
)

// The following names state which constants, such as thresholds and radii, a method uses. Methods
// with a fixed budget, and PSIPS, have no constants.
const (
	Theory  = "theory"
	Code    = "code"  // constants in the released code
	Printed = "paper" // for GEGE, Algorithm 3 as printed; for APE and PAL, the constants in their own papers
)

// fixedBudget returns the methods with a fixed budget. EGE-SR is expensive and has sr replicates;
// if sr is 0, EGE-SR has as many replicates as the experiment.
func fixedBudget(sr int) []study.Method {
	ms := []study.Method{
		study.NewMethod(GEGE, "", &policy.GEGEFixedBudget{}),
		study.NewMethod(EGESH, "", &policy.EGESH{Fresh: true}), // EGE-SH as the paper analyses it; see Cumulative
		study.NewMethod(EGESR, "", &policy.EGESR{}),
		study.NewMethod(Uniform, "", &policy.UniformBudget{}),
		study.NewMethod(UniformLS, "", &policy.UniformBudget{Linear: true}),
	}
	ms[2].Reps = sr
	return ms
}

// gege returns GEGE with fixed confidence, once for each set of constants.
func gege() []study.Method {
	method := func(name string, c policy.GEGEConstants) study.Method {
		return study.NewMethod(GEGE, name, &policy.GEGEFixedConfidence{Constants: c})
	}
	return []study.Method{method(Theory, policy.GEGETheory), method(Printed, policy.GEGEPaper),
		method(Code, policy.GEGECode)}
}

// radii maps the names of constants to confidence radii of APE.
var radii = map[string]radius.Radius{
	Theory: radius.KaufmannKoolen{}, Printed: radius.Paper{}, Code: radius.Code{},
}

// ape returns APE, which does not use features, with reps replicates.
func ape(reps int) (ms []study.Method) {
	for _, c := range []string{Theory, Printed, Code} {
		ms = append(ms, study.NewMethod(APE, c, &policy.APE{Radius: radii[c]}))
	}
	return study.With(reps, ms...)
}

func pal(reps int) []study.Method {
	method := func(constants string, w policy.PALWidth) study.Method {
		return study.NewMethod(PAL, constants, &policy.PAL{Form: policy.PALRacing, Width: w})
	}
	return study.With(reps, method(Theory, policy.PALTheory), method(Printed, policy.PALTuned),
		method(Code, policy.PALCode))
}

// auer returns the racing algorithm of Auer et al. with reps replicates.
func auer(reps int) []study.Method {
	return study.With(reps, study.NewMethod(Auer, Theory, &policy.AuerRacing{}),
		study.NewMethod(Auer, Code, &policy.AuerRacing{Radius: radius.Code{}}))
}

func psips(reps int) []study.Method {
	return study.With(reps, study.NewMethod(PSIPS, "", &policy.PSIPS{}))
}

// largest limits methods to problems of at most the given size, and returns the methods.
func largest(size int, ms []study.Method) []study.Method {
	for i := range ms {
		ms[i].Largest = size
	}
	return ms
}

// Mirror is GEGE with a fixed budget whose designs are computed by the paper's Algorithm 4,
// entropic mirror descent. Mirror can be added to the methods of an experiment with a budget.
var Mirror = study.NewMethod("GEGE, mirror descent", "", &policy.GEGEFixedBudget{Design: design.MirrorDescent})

// Cumulative is EGE-SH with means over the rewards of all stages, as in the authors' code; the
// analysis of EGE-SH uses only the rewards of the current stage. Cumulative can be added to the
// methods of an experiment with a budget.
var Cumulative = study.NewMethod("EGE-SH, cumulative", "", &policy.EGESH{})
