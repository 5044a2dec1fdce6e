package monitor

import "math"

// A Kind is a way in which the world may differ from what is declared.
type Kind int

// Kinds.
const (
	// Noise: replicates of an arm scatter more than declared.
	Noise Kind = iota
	// ArmNoise: those of one arm do, or some of its results are gross errors.
	ArmNoise
	// Outlier: one result is far from those of its arm before.
	Outlier
	// Misfit: the means of arms are not linear in the features.
	Misfit
	// Scatter: results scatter more about linear means than declared. Either the noise is larger,
	// or means are not linear.
	Scatter
	// Plates: plates have effects of their own.
	Plates
	// Drift: results change with time.
	Drift
	// Counts: counts scatter more than those of independent trials.
	Counts
	// Range: a number is outside of its range.
	Range
)

var kinds = [...]string{"noise", "noise of an arm", "outlier", "lack of fit", "scatter about the fit",
	"plate effects", "drift", "overdispersed counts", "range"}

// String returns the name.
func (k Kind) String() string { return kinds[k] }

// A Finding is evidence of one kind. That evidence is large refutes that all that is declared holds;
// the kind, the arm, the plate and the result are what is most likely.
type Finding struct {
	Kind      Kind
	Objective int
	Arm       int // -1 if it is about no arm
	Plate     int // 0 if it is about none
	Result    int // from 1, in order of arrival; 0 if it is about none
	// Reference says that Plates or Drift are about results of the reference.
	Reference bool
	// LogE is the logarithm of the e-process of this kind alone, one of Report.Processes.
	LogE float64
	// Size is an estimate in the unit of the objective: of the standard deviation (Noise, ArmNoise,
	// Scatter), of the distance from what was expected (Outlier, Misfit, Plates), of the change by
	// 100 results (Drift); of Range, the number. Zero if there is none.
	Size float64
}

// none is the Finding of a kind that names nothing.
func none(k Kind) Finding { return Finding{Kind: k, Arm: -1} }

// A Level says what follows from a Report.
type Level int

// Levels.
const (
	Silent     Level = iota // no contradiction was found
	Warning                 // there is some evidence: find out what it is
	Withdrawal              // the certificate is withdrawn
)

var levels = [...]string{"no contradiction found", "warning", "withdrawn"}

// String returns the level in words.
func (l Level) String() string { return levels[l] }

// A Report says what a monitor has found.
type Report struct {
	// Results is the number of results so far, Processes that of the e-processes.
	Results, Processes int
	// LogE is the logarithm of the largest average of all e-processes so far: if all that is
	// declared is true, it ever reaches log c with probability at most 1/c.
	LogE float64
	// Findings are the kinds for which evidence was above 1 then, the most likely first.
	Findings []Finding
}

// E returns the largest average.
func (r Report) E() float64 { return math.Exp(r.LogE) }

// Level says what follows. A level never sinks.
func (r Report) Level() Level {
	switch {
	case r.LogE >= math.Log(Withdraw):
		return Withdrawal
	case r.LogE >= math.Log(Warn):
		return Warning
	}
	return Silent
}
