package linfact

import (
	"github.com/purexp/purexp/pkg/policy"
	"github.com/purexp/purexp/pkg/study"
)

// Names of the methods.
const (
	LinFACTG  = "LinFACT-G"
	LinFACTXY = "LinFACT-XY"
	GStatic   = "G-static" // not in the paper
	// Section 5.
	MIS           = "LinFACT-MIS"
	MISOrthogonal = "LinFACT-MIS orthogonal"
	MISPrinted    = "LinFACT-MIS, radius (35)"
	MISUnchanged  = "LinFACT-MIS, Theorem 5.1"
	Features      = "LinFACT-G, one feature an arm"
	// Section 6.
	GLM = "LinFACT-GLM"
)

// Names of the constants: those that a proof supports, the defaults of the policies; and what the
// paper prints, the rules of Algorithm 3, and in (21) the d of the problem in place of the rank of
// the active arms.
const (
	Theory  = "theory"
	Printed = "paper"
)

// fact returns LinFACT with a design and constants.
func fact(name string, design policy.LinFACTDesign, constants string) study.Method {
	p := &policy.LinFACT{Design: design, Union: policy.PhaseUnionAll}
	if constants != Theory {
		p.Decisions = policy.LinFACTPrinted
	}
	if constants == Printed && design == policy.LinFACTG {
		p.Budget = policy.LinFACTAmbient
	}
	return study.NewMethod(name, constants, p)
}

// own are the methods of the paper, with all constants.
var own = []study.Method{
	fact(LinFACTG, policy.LinFACTG, Theory), fact(LinFACTG, policy.LinFACTG, Printed),
	fact(LinFACTXY, policy.LinFACTXY, Theory), fact(LinFACTXY, policy.LinFACTXY, Printed),
}
