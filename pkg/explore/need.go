package explore

import (
	"fmt"
	"math"
	"strings"

	"github.com/purexp/purexp/pkg/lsq"
)

// A Need is an assumption behind a certificate: if the assumption is false, answers may be wrong
// more often than stated. Measurements alone cannot prove that a Need is satisfied. Package monitor
// tests some of the needs, which it recognises by their Go types.
type Need interface {
	// String returns the general name of the need, for example "linear means".
	fmt.Stringer
	// Support returns how a problem supports the need.
	Support(d *Declaration) Support
	// In returns the need as a clause about a particular problem, in the terms of the problem's
	// owner, for example "means are linear in ligand and temperature".
	In(d *Declaration) string
}

// A Support describes how a problem or a policy supports a need.
type Support int

const (
	// Missing means that nothing supports the need.
	Missing Support = iota
	// Implied means that the need holds whenever the problem is valid.
	Implied
	// Declared means that the problem or its owner declares the need.
	Declared
	// Supplied means that a setting of the policy declares the need.
	Supplied
)

// String returns the name of the support.
func (s Support) String() string {
	return [...]string{"missing", "implied", "declared", "a setting"}[s]
}

// supplied returns the support of a need that a setting of the policy may declare.
func supplied(given bool) Support {
	if given {
		return Supplied
	}
	return Missing
}

// A Declaration is a problem with further statements of its owner about the noise and the means. A
// Declaration also has the owner's names and units. The zero value of each field except Problem
// declares nothing.
type Declaration struct {
	*Problem
	// If Gaussian is true, the owner declares that the noise is Gaussian. If Independent is true,
	// the owner declares that the noise of different objectives in one measurement is independent.
	// If Bounded is true, the owner declares that the rewards of an objective lie in a range of
	// length two Sigmas.
	Gaussian, Independent, Bounded bool
	// Noise describes the noise of each objective as a predicate, for example "has a noise
	// standard deviation of at most 2 %".
	Noise []string
	// Linear names the variables in which the means are linear.
	Linear []string
	// Amount formats a difference of rewards in an objective, in the owner's units.
	Amount func(objective int, difference float64) string
	// Plate returns the name of a plate of results; if Plate is nil, names are "plate 3" and so on.
	Plate func(plate int) string
}

func (d *Declaration) noise(c int) string {
	if d.Noise != nil {
		return d.Noise[c]
	}
	return "has sub-Gaussian noise of scale at most " + d.amount(c, d.SigmaOf(c))
}

func (d *Declaration) amount(c int, difference float64) string {
	if d.Amount != nil {
		return d.Amount(c, difference)
	}
	return fmt.Sprintf("%.4g", difference)
}

// SubGaussian is the assumption that the noise of rewards is sub-Gaussian with scale Problem.Sigma.
type SubGaussian struct{}

func (SubGaussian) String() string               { return "noise scale" }
func (SubGaussian) Support(*Declaration) Support { return Declared }

// In names the measured objectives and describes their noise.
func (SubGaussian) In(d *Declaration) string {
	var clauses []string
	for c := range d.D() {
		if d.Known == nil || math.IsNaN(d.Known.At(0, c)) {
			clauses = append(clauses, "a measurement of "+d.Objective(c)+" "+d.noise(c))
		}
	}
	return and(clauses)
}

// Gaussian is the assumption that noise is Gaussian. If OrIndependent is true, a problem with one
// objective, or with independent noise of the objectives, also satisfies the need.
type Gaussian struct{ OrIndependent bool }

func (n Gaussian) String() string {
	if n.OrIndependent {
		return "Gaussian noise, or independent objectives"
	}
	return "Gaussian noise"
}

// Support implements Need.
func (n Gaussian) Support(d *Declaration) Support {
	switch {
	case n.OrIndependent && d.D() == 1:
		return Implied
	case d.Gaussian || n.OrIndependent && d.Independent:
		return Declared
	}
	return Missing
}

// In returns the clause that noise is Gaussian. If OrIndependent is true and Gaussian noise is not
// declared, In returns the clause of IndependentObjectives.
func (n Gaussian) In(d *Declaration) string {
	if n.OrIndependent && !d.Gaussian {
		return IndependentObjectives{}.In(d)
	}
	return "noise is Gaussian"
}

// EqualNoise is the assumption that the noise of an objective has the same scale for all arms. A
// few measurements of each arm then suffice to bound this scale.
type EqualNoise struct{}

func (EqualNoise) String() string               { return "equal noise for all arms" }
func (EqualNoise) Support(*Declaration) Support { return Declared }
func (EqualNoise) In(*Declaration) string {
	return "the noise has the same scale for all candidates"
}

// IndependentObjectives is the assumption that projections of rewards are sub-Gaussian with scale
// Problem.NormSigma, as for independent objectives. IndependentObjectives is implied if NormSigma
// is large enough for any correlation.
type IndependentObjectives struct{}

func (IndependentObjectives) String() string { return "noise scale of sums of objectives" }

// Support implements Need.
func (IndependentObjectives) Support(d *Declaration) Support {
	if d.SigmaU() >= math.Sqrt(float64(d.D()))*d.Sigma*(1-1e-12) {
		return Implied
	}
	return Declared
}

// In implements Need.
func (IndependentObjectives) In(*Declaration) string {
	return "the noise of different objectives in one measurement is independent"
}

// Bounded is the assumption that the rewards of an objective lie in a range of length two Sigmas.
type Bounded struct{}

func (Bounded) String() string { return "range of rewards" }

// Support implements Need.
func (Bounded) Support(d *Declaration) Support {
	if d.Bounded {
		return Declared
	}
	return Missing
}

// In implements Need.
func (Bounded) In(*Declaration) string { return "no measurement is outside its range" }

// Linear is the assumption that means are linear in the features. Linear is implied for arms
// without features, and for items that are arms with linearly independent features.
type Linear struct{}

func (Linear) String() string { return "linear means" }

// Support implements Need.
func (Linear) Support(d *Declaration) Support {
	if d.X == nil || d.Z == nil && d.K() <= d.H() && lsq.NewSpan(d.X).Rank() == d.K() {
		return Implied
	}
	return Declared
}

// In returns the names of the features in which means are linear.
func (Linear) In(d *Declaration) string {
	of := "the features"
	if d.Linear != nil {
		of = and(d.Linear)
	}
	if d.Link != Identity {
		return fmt.Sprintf("means follow a generalised linear model (%v link) in %s", d.Link, of)
	}
	return "means are linear in " + of
}

// Norm is the assumption that the coefficients of each objective (without features: the means) have
// a Euclidean norm of at most Bound, in reward units. If Bound is zero, no bound is declared.
type Norm struct {
	Bound float64
	// If InSigmas is true, Bound is in units of Problem.Sigma.
	InSigmas bool
}

func (Norm) String() string { return "norm of the parameters" }

// Support implements Need.
func (n Norm) Support(*Declaration) Support { return supplied(n.Bound > 0) }

// In returns a clause with the bound on the norm.
func (n Norm) In(d *Declaration) string {
	of := "list of all means"
	switch {
	case d.Linear != nil:
		of = "coefficients of " + and(d.Linear)
	case d.X != nil:
		of = "coefficients of the features"
	}
	bound := n.Bound
	switch {
	case n.Bound == 0 && n.InSigmas:
		return "the norm of the " + of + " has a known bound, in units of the noise"
	case n.Bound == 0:
		return "the norm of the " + of + " has a known bound"
	case n.InSigmas:
		bound *= d.Sigma
	}
	var bounds []string
	for c := range d.D() {
		bounds = append(bounds, d.amount(c, bound)+" for "+d.Objective(c))
	}
	return "the norm of the " + of + " is at most " + and(bounds)
}

// Deviation is the assumption that means differ from a linear model by at most Bound; if Bound is
// zero, no bound is declared.
type Deviation struct{ Bound float64 }

func (Deviation) String() string { return "deviation from linear means" }

// Support implements Need.
func (n Deviation) Support(*Declaration) Support { return supplied(n.Bound > 0) }

// In returns a clause with the bound on the deviation.
func (n Deviation) In(d *Declaration) string {
	return Linear{}.In(d) + ", but for " + d.amount(0, n.Bound)
}

// MinSlope is the assumption that the mean reward changes by at least Least when the linear
// predictor changes by 1. If Least is zero, no bound is declared.
type MinSlope struct{ Least float64 }

func (MinSlope) String() string { return "minimum slope of the inverse link" }

// Support implements Need. For the identity link, the slope is 1, so MinSlope is implied.
func (n MinSlope) Support(d *Declaration) Support {
	if d.Link == Identity {
		return Implied
	}
	return supplied(n.Least > 0)
}

// In returns a clause with the least slope.
func (n MinSlope) In(*Declaration) string {
	return fmt.Sprintf("the mean grows by at least %.4g when the predictor grows by 1", n.Least)
}

// Known is the assumption that the policy knows What: true means, a level, or the size of the
// answer, which are unknown in practice. If Given is true, a setting of the policy supplies the
// knowledge What.
type Known struct {
	What  Knowledge
	Given bool
}

// Knowledge is a fact that a policy must know before the first measurement.
type Knowledge int

// The following constants are the kinds of knowledge.
const (
	KnownMeans Knowledge = iota // true means of all arms
	KnownLevel                  // a level between the items of the answer and all other items
	KnownCount                  // number of items in the answer
)

func (k Knowledge) String() string {
	return [...]string{"true means", "level of the answer", "size of the answer"}[k]
}

func (n Known) String() string { return n.What.String() }

// Support implements Need.
func (n Known) Support(*Declaration) Support { return supplied(n.Given) }

// In implements Need.
func (n Known) In(*Declaration) string {
	if n.What == KnownMeans {
		return "the " + n.What.String() + " are known"
	}
	return "the " + n.What.String() + " is known"
}

func and(list []string) string {
	if len(list) < 2 {
		return strings.Join(list, "")
	}
	return strings.Join(list[:len(list)-1], ", ") + " and " + list[len(list)-1]
}
