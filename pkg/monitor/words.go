package monitor

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/purexp/purexp/pkg/explore"
)

// Sentence describes the findings in the words and units of d, and states what to do. The function
// d.Amount formats differences in the units of the observed values.
func (m *Monitor) Sentence(d *explore.Declaration) string {
	r := m.Report()
	level := r.Level()
	if level == Silent {
		return fmt.Sprintf("No contradiction found in %s.", results(r.Results))
	}
	f := &r.Findings[0]
	text := m.Say(f, d)
	if f.Kind == Range {
		text += ". "
	} else {
		is, bound := evidence(r.E())
		text += fmt.Sprintf(" (e-value %s). If all declarations were true, evidence this strong would occur with "+
			"probability at most 1 in %s. ", is, bound)
	}
	if level == Warning {
		return text + "The certificate holds so far. " + f.advice()
	}
	return text + "The certificate is withdrawn. " + f.remedy()
}

// Watched lists the tested assumptions in words; it is nil if no assumption is tested.
func (m *Monitor) Watched() (list []string) {
	for _, w := range m.watches {
		if w.is.Sigma == 0 { // skip the objective, because the scale is not known yet
			continue
		}
		for _, p := range w.all() {
			var what string
			switch p := p.(type) {
			case *noise:
				what = "scatter of replicates"
			case *outlier:
				what = "outliers"
			case *misfit:
				what = "linear means"
			case *effects:
				if what = "effects of plates"; p.drift {
					what = "drift"
				}
			case *counts:
				what = "scatter of counts"
			}
			if what != "" && !slices.Contains(list, what) {
				list = append(list, what)
			}
		}
	}
	return list
}

// Say describes a finding as a sentence without the final period.
func (m *Monitor) Say(f *Finding, d *explore.Declaration) string {
	name := d.Objective(f.Objective)
	amount := func(x float64) string {
		if d.Amount != nil {
			return d.Amount(f.Objective, x)
		}
		return fmt.Sprintf("%.4g", x)
	}
	o := &m.is.Objectives[f.Objective]
	declared := "the declared sd of " + amount(o.Sigma)
	if o.Later {
		declared = fmt.Sprintf("the upper bound of %s on the sd from the pilot", amount(o.Sigma))
	}
	size := amount(f.Size)
	if f.Reference {
		name += " of the reference"
	}
	switch f.Kind {
	case Noise:
		return fmt.Sprintf("The replicates of %s contradict %s: their sd is about %s", name, declared, size)
	case ArmNoise:
		return fmt.Sprintf("The replicates of %s contradict %s: the sd of replicates of %s is about %s",
			name, declared, d.Arm(f.Arm), size)
	case Outlier:
		return fmt.Sprintf("Result %d of %s (%s) differs from earlier results by %s, more than %s "+
			"allows", f.Result, name, d.Arm(f.Arm), size, declared)
	case Misfit:
		return fmt.Sprintf("The results of %s contradict linear means: the mean of %s deviates from a linear model "+
			"by about %s", name, d.Arm(f.Arm), size)
	case Scatter:
		return fmt.Sprintf("The results of %s scatter around a linear model with an sd of about %s, which "+
			"contradicts %s or linear means", name, size, declared)
	case Plates:
		plate := fmt.Sprintf("plate %d", f.Plate)
		if d.Plate != nil {
			plate = d.Plate(f.Plate)
		}
		kind, _, _ := strings.Cut(plate, " ")
		return fmt.Sprintf("The results of %s depend on the %s: results of %s deviate by about %s",
			name, kind, plate, size)
	case Drift:
		return fmt.Sprintf("The results of %s drift over time, by about %s per 100 results", name, size)
	case Counts:
		return fmt.Sprintf("The counts of %s scatter more than counts of independent trials, in "+
			"particular the counts of %s", name, d.Arm(f.Arm))
	}
	return fmt.Sprintf("Result %d of %s (%s) is %.6g, outside [%g, %g]", f.Result, name,
		d.Arm(f.Arm), f.Size, o.Low, o.High)
}

// remedy describes what to do if the certificate is withdrawn because of finding f.
func (f *Finding) remedy() string {
	if f.Reference {
		return "Subtract the plate's reference from each result, and include the noise of the reference in the sd. " +
			"Or declare an sd that includes plate effects and drift. Then start again."
	}
	switch f.Kind {
	case Noise, Scatter:
		return "Declare a larger sd or a pilot, and start again."
	case ArmNoise:
		return "Check the results of this candidate, or declare a larger sd, and start again."
	case Outlier, Range:
		return "Check whether the result is a typing error; if so, correct the result."
	case Misfit:
		return "Start again without features, or with other features."
	case Plates, Drift:
		return "Measure controls on each plate, or declare an sd that includes plate effects and drift, and start " +
			"again."
	}
	return "Declare a range instead of counts, and start again."
}

// advice describes what to do after a warning about finding f.
func (f *Finding) advice() string {
	if f.Reference {
		return "Measure the reference on more plates to find the cause."
	}
	switch f.Kind {
	case Noise, Scatter, ArmNoise, Counts:
		return "Measure replicates of some candidates to find the cause."
	case Outlier, Range:
		return "Check whether the result is a typing error."
	case Misfit:
		return "Measure the best candidates again to find the cause."
	}
	return "Measure the same candidate on several plates to find the cause."
}

// Sentence describes how far the odd result x of an arm is from the prediction.
func (e Expectation) Sentence(d *explore.Declaration, objective, arm int, x float64) string {
	name := d.Objective(objective)
	if math.IsNaN(e.Mean) {
		return fmt.Sprintf("There is no prediction of %s for %s yet.", name, d.Arm(arm))
	}
	text := fmt.Sprintf("%s of %s: expected %.4g +- %.2g, based on %s", name, d.Arm(arm), e.Mean,
		e.Radius, results(e.Results))
	if e.Odd(x) {
		return fmt.Sprintf("%s; %.6g is unexpected. Is it a typing error?", text, x)
	}
	return text + "."
}

func results(n int) string {
	if n == 1 {
		return "1 result"
	}
	return strconv.Itoa(n) + " results"
}

// evidence formats the e-value e with two digits, rounded down. The result bound is the number c in
// the statement "the probability is at most 1 in c".
func evidence(e float64) (is, bound string) {
	if e >= 1e6 {
		return "> 1000000", "1000000"
	}
	unit := math.Pow(10, math.Floor(math.Log10(e))-1)
	bound = strconv.Itoa(int(math.Floor(e/unit) * unit))
	return "= " + bound, bound
}

// Kind is the kind of a finding: it states in which way a declaration is probably false.
type Kind int

// The following constants are the kinds of findings.
const (
	// Noise means that replicates scatter more than declared.
	Noise Kind = iota
	// ArmNoise means that replicates of one arm scatter more than declared, or that some results of
	// the arm are gross errors.
	ArmNoise
	// Outlier means that one result is far from the earlier results of its arm.
	Outlier
	// Misfit means that means are not linear in the features.
	Misfit
	// Scatter means that results scatter about a linear model more than declared, because the noise
	// is larger or the means are not linear.
	Scatter
	// Plates means that results depend on their plates.
	Plates
	// Drift means that results change over time.
	Drift
	// Counts means that counts scatter more than binomial counts.
	Counts
	// Range means that a value is outside the declared range.
	Range
)

var kinds = [...]string{"noise", "noise of an arm", "outlier", "lack of fit", "scatter about the fit",
	"plate effects", "drift", "overdispersed counts", "range"}

// String returns the name of the kind.
func (k Kind) String() string { return kinds[k] }

// Finding is evidence of one Kind against the declarations. Large evidence rejects the declarations
// as a whole; the fields Kind, Arm, Plate and Result name only the most likely cause.
type Finding struct {
	Kind      Kind
	Objective int
	Arm       int // index of the arm; -1 if no arm is named
	Plate     int // number of the plate; 0 if no plate is named
	Result    int // number of the result in order of arrival, from 1; 0 if no result is named
	// If Reference is true, the finding is about the reference; its Kind is then Plates or Drift.
	Reference bool
	// LogE is the logarithm of the e-process for findings of this Kind. It is only one of several
	// e-processes; Report.Processes is their number.
	LogE float64
	// Size is an estimate of the violation in the unit of the objective, or 0 if there is no
	// estimate. Size estimates a standard deviation (Noise, ArmNoise, Scatter), a distance from the
	// prediction (Outlier, Misfit, Plates), or a change per 100 results (Drift). For a finding of
	// kind Range, Size is the value outside the range.
	Size float64
}

// none returns a Finding of kind k that does not name an arm, plate or result.
func none(k Kind) Finding { return Finding{Kind: k, Arm: -1} }

// Level states how strong the evidence in a Report is.
type Level int

// The following constants are the values of Level.
const (
	Silent     Level = iota // no contradiction was found
	Warning                 // some evidence was found: look for the cause
	Withdrawal              // strong evidence: the certificate is withdrawn
)

var levels = [...]string{"no contradiction found", "warning", "withdrawn"}

// String returns the level in words.
func (l Level) String() string { return levels[l] }

// Report contains the findings of a monitor.
type Report struct {
	// Results is the number of results so far, and Processes is the number of e-processes.
	Results, Processes int
	// LogE is the logarithm of the largest value so far of the average of all e-processes. If all
	// declarations are true, the probability that LogE ever reaches log c is at most 1/c.
	LogE float64
	// Findings lists the kinds whose evidence was above 1 when the average was largest, starting
	// with the most likely kind.
	Findings []Finding
}

// E returns the largest value so far of the average of all e-processes.
func (r Report) E() float64 { return math.Exp(r.LogE) }

// Level returns the level of the evidence, which can only rise during a campaign.
func (r Report) Level() Level {
	switch {
	case r.LogE >= math.Log(Withdraw):
		return Withdrawal
	case r.LogE >= math.Log(Warn):
		return Warning
	}
	return Silent
}
