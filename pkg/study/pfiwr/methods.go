package pfiwr

import (
	"fmt"
	"math/rand/v2"

	"github.com/purexp/purexp/pkg/bandit"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policy"
	"github.com/purexp/purexp/pkg/study"
)

// Names of the methods. PFIMulti is the racing algorithm of Auer et al.
const (
	PFIwR    = "PFIwR"
	Robust   = "PFIwR, doubly robust"
	PFIMulti = "PFIMulti"
	Sparing  = "Sparing"
	APE      = "APE"
	PAL      = "PAL"
	GEGE     = "GEGE"
	Uniform  = "uniform"
)

// Names of the estimators.
const (
	Printed     = "PFIwR (8)-(10)"
	RidgeLambda = "ridge, p lambda_t"
	RidgeOne    = "ridge, 1"
	Fresh       = "doubly robust, drawn anew"
)

// Names of the constants. Theory is what a proof supports, or, of PFIwR, what the paper says one
// does.
const (
	Theory         = "theory"
	SelfNormalised = "self-normalised"
	Calibrated     = "calibrated" // such that Table 1 comes out at epsilon = 0.0001
)

// MultiScale times the width of Auer et al. is what the PFIMulti of the paper must have used at
// epsilon = 0.0001.
const MultiScale = 1.21

// growth is how much longer rounds get where the width is no calibrated one, which takes up to 10^8
// pulls: one in a hundred of those so far.
const growth = .01

// pfiwr is PFIwR with a width; norm bounds the parameters.
func pfiwr(constants string, norm float64) study.Method {
	longer := growth
	if constants == Calibrated {
		longer = 0
	}
	width := map[string]policy.PFIwRWidth{
		Theory: policy.PFIwRTheory, SelfNormalised: policy.PFIwRSelfNormalized,
		Calibrated: policy.PFIwRPaper,
	}[constants]
	return study.NewMethod(PFIwR, constants, &policy.PFIwR{Width: width, Norm: norm, Growth: longer})
}

// calibrated is PFIwR as in Table 1, for which the bound on the parameters was taken to be 1. A run
// is given up, and wrong, after 5 000 000 pulls: some that have lost an optimal arm go on for 10^8.
func calibrated() study.Method {
	return shorter(5_000_000, pfiwr(Calibrated, 1))
}

// robust is calibrated with the doubly robust estimator, whose pseudo-actions are drawn anew. It
// reads the contexts of all arms, which takes time: runs are given up after 50 000 pulls.
func robust() study.Method {
	return shorter(50_000, study.NewMethod(Robust, Calibrated, &policy.PFIwR{Width: policy.PFIwRPaper, Fresh: true}))
}

// multi is PFIMulti with its width times a scale.
func multi(constants string, scale float64) study.Method {
	return study.NewMethod(PFIMulti, constants, &policy.AuerRacing{Radius: policy.AuerRadius{Scale: scale}})
}

// Constants of methods that the paper does not have: PFIMulti with a width that is narrower, as that
// of PFIwR is, and calibrated PFIwR with a random phase of 100 pulls an arm, a thirtieth of what
// Algorithm 1 prints.
const (
	Narrowed = "0.4 times"
	Long     = "calibrated, 100 random pulls an arm"
)

// tableOnly keeps a method out of figures.
func tableOnly(m study.Method) study.Method {
	m.TableOnly = true
	return m
}

func longPhase() study.Method {
	return tableOnly(shorter(5_000_000, study.NewMethod(PFIwR, Long, &policy.PFIwR{Width: policy.PFIwRPaper, Norm: 1},
		func(p *policy.PFIwR, t study.Task) { p.Random = 100 * t.Instance.Problem.K() })))
}

// Priced names Sparing's constants at a price.
func Priced(price float64) string { return fmt.Sprintf("price %v", price) }

// sparing is Sparing at a price of regret.
func sparing(price float64) study.Method {
	set := price
	if price == 0 {
		set = -1
	}
	return study.NewMethod(Sparing, Priced(price), &policy.Sparing{Price: set})
}

// limited is a method with so many replicates.
func limited(reps int, m study.Method) study.Method {
	m.Reps = reps
	return m
}

// PNames is the name of PFIwR's p in the sensitivity to it.
func PNames(p float64) string { return fmt.Sprintf("p = %v", p) }

// withP is PFIwR with the calibrated width at some p. A run is given up, and wrong, after 500 000
// pulls: where features change a round is one pull, and takes some microseconds.
func withP(p float64, reps int) study.Method {
	m := study.NewMethod(PNames(p), "", &policy.PFIwR{P: p, Width: policy.PFIwRPaper})
	return limited(reps, shorter(500_000, m))
}

// estimators are those of Fig. 1 and what they are compared with; printed and fresh read all
// contexts, which takes time, and so have fewer instances.
func estimators(oneArm bool, fewer int) []study.Method {
	method := func(
		name string, reps int, unit bool, of func(m, d int, src rand.Source) estimator,
	) study.Method {
		return study.Method{Name: name, Reps: reps, New: func(t study.Task) explore.Policy {
			scale := 1.
			if t.Size >= asDrawn && t.Size < thetaKept {
				scale = t.Instance.Law.(*bandit.Contextual).Scale()
			}
			return &estimation{name: name, watched: watched{
				oneArm: oneArm, scale: scale, rounds: t.Budget, unit: unit, make: of,
			}}
		}}
	}
	return []study.Method{
		method(Printed, fewer, false, newPrinted),
		method(RidgeLambda, 0, false, newRidge(half)),
		method(RidgeOne, 0, true, newRidge(1)),
		method(Fresh, fewer, false, newFresh),
	}
}
