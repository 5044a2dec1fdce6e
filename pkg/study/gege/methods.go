package gege

import (
	"slices"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policy"
	"github.com/purexp/purexp/pkg/radius"
	"github.com/purexp/purexp/pkg/study"
)

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
	Theory  = "theory"
	Code    = "code"  // those of the released codes
	Printed = "paper" // GEGE: Algorithm 3 as printed; APE, PAL: those of their own papers
)

// fixedBudget are the methods with a fixed budget; EGE-SR has so many replicates where its cost
// forbids more.
func fixedBudget(sr int) []study.Method {
	return []study.Method{
		{Name: GEGE, New: func(t study.Task) explore.Policy {
			return &policy.GEGEFixedBudget{Budget: t.Budget}
		}},
		{Name: EGESH, New: func(t study.Task) explore.Policy {
			return &policy.EGESH{Budget: t.Budget}
		}},
		{Name: EGESR, Reps: sr, New: func(t study.Task) explore.Policy {
			return &policy.EGESR{Budget: t.Budget}
		}},
		{Name: Uniform, New: func(t study.Task) explore.Policy {
			return &policy.UniformBudget{Budget: t.Budget}
		}},
		{Name: UniformLS, New: func(t study.Task) explore.Policy {
			return &policy.UniformBudget{Budget: t.Budget, Linear: true}
		}},
	}
}

// gege is the paper's method with a fixed confidence, with both its constants.
func gege() []study.Method {
	return []study.Method{
		{Name: GEGE, Constants: Theory, New: func(t study.Task) explore.Policy {
			return &policy.GEGEFixedConfidence{Delta: t.Delta, Constants: policy.GEGETheory}
		}},
		{Name: GEGE, Constants: Printed, New: func(t study.Task) explore.Policy {
			return &policy.GEGEFixedConfidence{Delta: t.Delta, Constants: policy.GEGEPaper}
		}},
		{Name: GEGE, Constants: Code, New: func(t study.Task) explore.Policy {
			return &policy.GEGEFixedConfidence{Delta: t.Delta, Constants: policy.GEGECode}
		}},
	}
}

// radii of APE.
var radii = map[string]radius.Radius{
	Theory: radius.KaufmannKoolen{}, Printed: radius.Paper{}, Code: radius.Code{},
}

// ape is APE, which does not know the features, with so many replicates.
func ape(reps int) []study.Method {
	var ms []study.Method
	for _, c := range []string{Theory, Printed, Code} {
		ms = append(ms, study.Method{Name: APE, Constants: c, Reps: reps,
			New: func(t study.Task) explore.Policy {
				return &policy.APE{Delta: t.Delta, Radius: radii[c]}
			}})
	}
	return ms
}

// pal is PAL with so many replicates.
func pal(reps int) []study.Method {
	method := func(constants string, w policy.PALWidth) study.Method {
		return study.Method{Name: PAL, Constants: constants, Reps: reps,
			New: func(t study.Task) explore.Policy {
				return &policy.PAL{Delta: t.Delta, Form: policy.PALRacing, Width: w}
			}}
	}
	return []study.Method{method(Theory, policy.PALTheory), method(Printed, policy.PALTuned),
		method(Code, policy.PALCode)}
}

// auer is the racing algorithm of Auer et al. with so many replicates.
func auer(reps int) []study.Method {
	method := func(constants string, r radius.Radius) study.Method {
		return study.Method{Name: Auer, Constants: constants, Reps: reps,
			New: func(t study.Task) explore.Policy {
				return &policy.AuerRacing{Delta: t.Delta, Radius: r}
			}}
	}
	return []study.Method{method(Theory, nil), method(Code, radius.Code{})}
}

// psips is PSIPS with so many replicates.
func psips(reps int) []study.Method {
	return []study.Method{{Name: PSIPS, Reps: reps, New: func(t study.Task) explore.Policy {
		return &policy.PSIPS{Delta: t.Delta}
	}}}
}

// largest limits methods to problems of at most a size.
func largest(size int, ms []study.Method) []study.Method {
	for i := range ms {
		ms[i].Largest = size
	}
	return ms
}

func concat(ms ...[]study.Method) []study.Method { return slices.Concat(ms...) }
