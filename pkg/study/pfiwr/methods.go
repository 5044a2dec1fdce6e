package pfiwr

import (
	"fmt"
	"math/rand/v2"

	"github.com/purexp/purexp/pkg/bandit"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policy"
	"github.com/purexp/purexp/pkg/study"
)

// The following constants are names of the methods. PFIMulti is the racing algorithm of Auer et al.
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

// The following constants are names of the estimators.
const (
	Printed     = "PFIwR (8)-(10)"
	RidgeLambda = "ridge, p lambda_t"
	RidgeOne    = "ridge, 1"
	Fresh       = "doubly robust, drawn anew"
)

// The following names state which constants, such as widths, a method uses. Theory means constants
// that a theorem supports or, for PFIwR, that the paper claims to be supported by a theorem.
const (
	Theory         = "theory"
	SelfNormalised = "self-normalised"
	Calibrated     = "calibrated" // constants fitted to Table 1 at epsilon = 0.0001
)

// MultiScale is the factor on the width of Auer et al. with which PFIMulti reproduces the paper's
// number of pulls at epsilon = 0.0001.
const MultiScale = 1.21

// growth is the factor by which rounds grow, for all widths except the calibrated width. Runs with
// proven widths take up to 10^8 pulls, so the number of pulls in a round is 1 % of the pulls so
// far.
const growth = .01

// pfiwr returns PFIwR with the given width; norm returns a bound on the norm of the parameters.
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

// calibrated returns PFIwR as in Table 1, with a bound of 1 on the norm of the parameters. A run
// that has lost an optimal arm may need 10^8 pulls, so runs that reach 5 000 000 pulls are stopped and
// count as wrong.
func calibrated() study.Method {
	return shorter(5_000_000, pfiwr(Calibrated, 1))
}

// robust returns calibrated PFIwR with the doubly robust estimator, whose pseudo-actions for (8)
// and (9) are independent. The estimator reads the contexts of all arms, which is slow, so runs are
// stopped after 50 000 pulls.
func robust() study.Method {
	return shorter(50_000, study.NewMethod(Robust, Calibrated, &policy.PFIwR{Width: policy.PFIwRPaper, Fresh: true}))
}

// multi returns PFIMulti with a width that is multiplied by scale.
func multi(constants string, scale float64) study.Method {
	return study.NewMethod(PFIMulti, constants, &policy.AuerRacing{Radius: policy.AuerRadius{Scale: scale}})
}

// The following names state constants that are not in the paper. Narrowed means PFIMulti with a
// width narrowed as much as that of PFIwR. Long means calibrated PFIwR with a random phase of 100
// pulls per arm; the random phase of Algorithm 1 is about 30 times as long as that of Long.
const (
	Narrowed = "0.4 times"
	Long     = "calibrated, 100 random pulls an arm"
)

// tableOnly returns a copy of a method that figures omit.
func tableOnly(m study.Method) study.Method {
	m.TableOnly = true
	return m
}

func longPhase() study.Method {
	return tableOnly(shorter(5_000_000, study.NewMethod(PFIwR, Long, &policy.PFIwR{Width: policy.PFIwRPaper, Norm: 1},
		func(p *policy.PFIwR, t study.Task) { p.Random = 100 * t.Instance.Problem.K() })))
}

// Priced returns the name of the constants of Sparing for a price of regret.
func Priced(price float64) string { return fmt.Sprintf("price %v", price) }

func sparing(price float64) study.Method {
	set := price
	if price == 0 {
		set = -1
	}
	return study.NewMethod(Sparing, Priced(price), &policy.Sparing{Price: set})
}

func limited(reps int, m study.Method) study.Method {
	m.Reps = reps
	return m
}

// PNames returns the name of PFIwR with a given p in Sensitivity.
func PNames(p float64) string { return fmt.Sprintf("p = %v", p) }

// withP returns PFIwR with the calibrated width and the given p. Runs are stopped after 500 000
// pulls and count as wrong. If features change, each round has one pull and takes a few
// microseconds.
func withP(p float64, reps int) study.Method {
	m := study.NewMethod(PNames(p), "", &policy.PFIwR{P: p, Width: policy.PFIwRPaper})
	return limited(reps, shorter(500_000, m))
}

// estimators returns the estimators of Fig. 1 and the baselines. Printed and Fresh read the
// contexts of all arms, which is slow, so both run on fewer instances.
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
