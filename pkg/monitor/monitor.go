// Package monitor tests the assumptions of a certificate while measurements arrive. The assumptions
// are the declared noise, linear means, no plate effects, no drift, counts of independent trials,
// and the range. For each assumption, the monitor computes an e-process, a number that starts at 1.
// If all assumptions hold, the probability that the e-process ever reaches c is at most 1/c, for
// any sampling. docs/monitors.md contains the theorem with its proof, and simulations.
//
//	m, err := monitor.New(monitor.Assumptions{Arms: 2, Objectives: []monitor.Objective{{Sigma: 2}}})
//	m.Observe(0, 1, []float64{79}) // arm 0 on plate 1, and so on
//	fmt.Println(m.Sentence(&explore.Declaration{Problem: problem}))
//
// A campaign passes each result and its plate to [Monitor.Observe], calls [Monitor.Expect] before
// it accepts a result, and reads [Monitor.Report].
//
// A monitor can find contradictions, but cannot confirm the assumptions: they may be false even if
// a monitor finds nothing.
package monitor

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// The following constants are thresholds on evidence: a report contains a warning if the evidence
// is at least Warn, and the certificate is withdrawn if it is at least Withdraw. The thresholds
// apply to the average of all e-processes: if all assumptions hold, a certificate is withdrawn with
// probability at most 1/Withdraw.
const (
	Warn     = 20
	Withdraw = 100
)

// Assumptions are the assumptions of a certificate about measurements.
type Assumptions struct {
	// X contains the features of the arms, K x h; if X is nil, means are arbitrary.
	X *mat.Dense
	// Arms is the number of arms K, used only if X is nil.
	Arms int
	// Objectives are the assumptions about the components of a measurement.
	Objectives []Objective
	// If Reference is true, a reference is measured on each plate; see [Monitor.ObserveReference].
	Reference bool
}

// Objective contains the assumptions about one component of a measurement, in the unit of the
// component.
type Objective struct {
	// Sigma is the sub-Gaussian scale of the noise. If Sigma is zero, the objective is not tested.
	// If Sigma was estimated by a pilot, it applies to results after the pilot.
	Sigma float64
	// If Later is true, Sigma is not known yet, and tests of the objective begin with
	// [Monitor.Start].
	Later bool
	// Low and High are the smallest and the largest possible value; if both are zero, there are no
	// limits.
	Low, High float64
	// Trials is the number of independent trials in a count of successes; zero means that the
	// objective is not a count.
	Trials int
}

// K returns the number of arms.
func (a *Assumptions) K() int {
	if a.X != nil {
		k, _ := a.X.Dims()
		return k
	}
	return a.Arms
}

// Monitor receives the results of a session in the order of arrival, through [Monitor.Observe] and
// [Monitor.ObserveReference]. The state of a Monitor depends only on the sequence of results, so
// replaying the results restores the state. A Monitor is not safe for concurrent use.
type Monitor struct {
	is        Assumptions
	k         int
	line      *line // nil if means are arbitrary
	results   int
	wells     int // number of results of the reference
	due       int // number of results at which the next look is due
	watches   []*watch
	processes int
	peak      Report // report at the time of the largest average so far
	refuted   bool   // whether a value was outside its range
}

// watch holds the e-processes of one objective.
type watch struct {
	objective int
	is        Objective
	sums      sums
	processes []process
	reference *reference // nil if no reference is measured
}

// Start begins the tests of an objective that was declared as Later, with the scale sigma from a
// pilot; earlier results are not tested.
func (m *Monitor) Start(objective int, sigma float64) {
	for _, w := range m.watches {
		if o := &m.is.Objectives[objective]; w.objective == objective && o.Later && o.Sigma == 0 && sigma > 0 {
			o.Sigma, w.is.Sigma = sigma, sigma
		}
	}
}

// process is an e-process.
type process interface {
	// observe updates the process with result r; s contains the sums of all earlier results.
	observe(s *sums, r *result)
	// look returns log E and, if E is large, the most likely cause; a call of look does not affect
	// later calls.
	look(s *sums) Finding
}

// result is a measurement, or the mean of several measurements, in units of the noise of one
// measurement.
type result struct {
	number int // number of the result from 1, counted over all objectives together
	arm    int
	plate  int     // number of the plate from 1, or 0 without a plate
	n      float64 // number of measurements in the mean
	y      float64
}

// New returns a monitor of the assumptions in a.
func New(a Assumptions) (*Monitor, error) {
	m := &Monitor{is: a, k: a.K(), due: 1, peak: Report{LogE: math.Inf(-1)}}
	if m.k < 1 {
		return nil, fmt.Errorf("monitor: %d arms; expected at least 1", m.k)
	}
	if a.X != nil {
		m.line = newLine(a.X)
	}
	for c, o := range a.Objectives {
		switch {
		case o.Sigma == 0 && !o.Later:
			continue
		case !(o.Sigma > 0 || o.Later && o.Sigma == 0) || math.IsInf(o.Sigma, 0) || o.Trials < 0 || !(o.Low <= o.High):
			return nil, fmt.Errorf("monitor: objective %d: %+v; expected a positive finite Sigma, Trials >= 0 and "+
				"Low <= High", c, o)
		}
		w := &watch{objective: c, is: o, sums: sums{arm: make([]armSums, m.k)}}
		w.processes = []process{newNoise(m.k), newArmNoise(m.k), &outlier{}}
		if m.line != nil {
			w.processes = append(w.processes, &misfit{line: m.line}, &scatter{line: m.line})
		}
		w.processes = append(w.processes, newEffects(m.k, m.line, false), newEffects(m.k, m.line, true))
		if a.Reference {
			w.reference = newReference()
		}
		if o.Trials > 1 && o.Trials <= mostTrials {
			w.processes = append(w.processes, newCounts(m.k, o))
		}
		m.processes += len(w.all())
		m.watches = append(m.watches, w)
	}
	return m, nil
}

// The following constants are panic messages for errors of the calling code.
const (
	panicArm    = "monitor: arm out of range"
	panicLength = "monitor: expected one number per objective"

	panicReference = "monitor: Assumptions.Reference is false"
)

// Observe records one measurement of an arm: a finite number for each objective, or NaN if the
// number is missing. Plates are identified by numbers, which may be negative; 0 means no plate.
func (m *Monitor) Observe(arm, plate int, x []float64) {
	switch {
	case uint(arm) >= uint(m.k):
		panic(panicArm)
	case len(x) != len(m.is.Objectives):
		panic(panicLength)
	}
	m.results++
	for _, w := range m.watches {
		y := x[w.objective]
		if math.IsNaN(y) || w.is.Sigma == 0 {
			continue
		}
		if o := &w.is; (o.Low != 0 || o.High != 0) && !(y >= o.Low && y <= o.High) {
			m.refute(Finding{Kind: Range, Objective: w.objective, Arm: arm, Plate: plate, Result: m.results,
				LogE: math.Inf(1), Size: y})
			continue
		}
		r := &result{m.results, arm, plate, 1, y / w.is.Sigma}
		for _, p := range w.processes {
			p.observe(&w.sums, r)
		}
		w.sums.add(r)
	}
	m.lookIfDue()
}

// lookIfDue evaluates the processes if enough results have arrived since the last look.
func (m *Monitor) lookIfDue() {
	if n := m.results + m.wells; n >= m.due {
		m.Look()
		m.due = n + 1 + n/looks
	}
}

// looks is the number of results up to which the processes are evaluated after each result. After
// the first looks results, the intervals between evaluations grow with the number of results, so
// that replaying all results takes linear time.
const looks = 64

func (m *Monitor) refute(f Finding) {
	if !m.refuted {
		m.refuted = true
		m.peak = Report{LogE: math.Inf(1), Findings: []Finding{f}}
	}
}

// Look evaluates all processes with the results so far. Observe and ObserveReference call Look
// whenever an evaluation is due. If a report must be up to date, as at the end of a campaign, call
// Look before Report.
func (m *Monitor) Look() {
	if m.refuted || m.processes == 0 {
		return
	}
	var all []Finding
	var logs []float64
	for _, w := range m.watches {
		for i, p := range w.all() {
			s := &w.sums
			if i >= len(w.processes) {
				s = &w.reference.sums
			}
			f := p.look(s)
			f.Reference = s != &w.sums
			f.Objective = w.objective
			f.Size *= w.is.Sigma
			logs = append(logs, f.LogE)
			if f.LogE > 0 {
				all = append(all, f)
			}
		}
	}
	if e := logMean(logs); e > m.peak.LogE {
		m.peak = Report{LogE: e, Findings: likeliest(all)}
	}
}

// likeliest sorts findings by likelihood, the most likely first. Noise that is larger than declared
// also causes the finding Misfit, because it moves means away from a linear model. Therefore, if
// there is enough evidence for the finding Scatter, which covers both causes, likeliest puts
// Scatter before Misfit.
func likeliest(all []Finding) []Finding {
	slices.SortStableFunc(all, func(a, b Finding) int { return cmp.Compare(b.LogE, a.LogE) })
	if len(all) > 0 && all[0].Kind == Misfit {
		i := slices.IndexFunc(all, func(f Finding) bool {
			return f.Kind == Scatter && f.Objective == all[0].Objective && f.LogE >= math.Log(Warn)
		})
		if i > 0 {
			f := all[i]
			all = slices.Insert(slices.Delete(all, i, i+1), 0, f)
		}
	}
	return all
}

// Report returns the findings of the evaluation in which the average evidence was largest.
func (m *Monitor) Report() Report {
	r := m.peak
	r.Findings = slices.Clone(r.Findings)
	r.Results, r.Processes = m.results, m.processes
	return r
}

// logMean returns the logarithm of the mean of exp(x), computed without overflow.
func logMean(x []float64) float64 {
	return floats.LogSumExp(x) - math.Log(float64(len(x)))
}

// reference holds the results of the reference, which is measured on each plate to detect plate
// effects and drift. The reference has its own processes for plate effects and for drift. Processes
// for the results of the reference and of the arms together would give less evidence. If an arm is
// measured on only one plate, its mean can absorb any effect of the plate.
type reference struct {
	sums      sums // sums of the reference as a single arm
	processes []process
}

func newReference() *reference {
	return &reference{sums: sums{arm: make([]armSums, 1)},
		processes: []process{newEffects(1, nil, false), newEffects(1, nil, true)}}
}

func (f *reference) observe(r *result) {
	for _, p := range f.processes {
		p.observe(&f.sums, r)
	}
	f.sums.add(r)
}

// all returns the processes of the objective; the processes of the reference come last.
func (w *watch) all() []process {
	if w.reference == nil {
		return w.processes
	}
	return slices.Concat(w.processes, w.reference.processes)
}

// ObserveReference records a measurement of the reference on a plate. The reference is a candidate
// or a control; its mean is arbitrary, and its noise is as declared. ObserveReference affects only
// the processes for plate effects and drift. The values x have the same format as in Observe, but
// are not checked against the declared limits. ObserveReference panics if Assumptions.Reference is
// false.
func (m *Monitor) ObserveReference(plate int, x []float64) {
	switch {
	case !m.is.Reference:
		panic(panicReference)
	case len(x) != len(m.is.Objectives):
		panic(panicLength)
	}
	m.wells++
	for _, w := range m.watches {
		if y := x[w.objective]; w.reference != nil && w.is.Sigma > 0 && !math.IsNaN(y) {
			w.reference.observe(&result{plate: plate, n: 1, y: y / w.is.Sigma})
		}
	}
	m.lookIfDue()
}

// armSums contains the count, sum and sum of squares of the results of an arm.
type armSums struct {
	k      int     // number of results of the arm
	n      float64 // number of measurements in the results of the arm
	mean   float64
	ss     float64 // sum of squares about the mean, weighted by n
	origin float64 // the first result; sums of differences from the first result keep their precision
}

// add adds a result, and returns by how much the sum of squares about the mean grows (Welford,
// 1962).
func (a *armSums) add(n, y float64) float64 {
	if a.k == 0 {
		a.origin = y
	}
	a.k++
	a.n += n
	d := y - a.mean
	a.mean += d * n / a.n
	grown := n * d * (y - a.mean)
	a.ss += grown
	return grown
}

// sums contains the statistics of all arms.
type sums struct {
	arm      []armSums
	k        int     // number of results of all arms
	n        float64 // number of measurements in all results
	ss       float64 // sum of squares about the means of the arms
	measured []int   // arms with results, in the order of their first results
}

func (s *sums) add(r *result) {
	a := &s.arm[r.arm]
	if a.k == 0 {
		s.measured = append(s.measured, r.arm)
	}
	s.k++
	s.n += r.n
	s.ss += a.add(r.n, r.y)
}

// OddAt is the distance from the prediction, in standard deviations, beyond which a result counts
// as odd, that is, as an outlier. The person who enters an odd result is asked whether it is a
// typing error. A Gaussian result is at least 4 standard deviations from its mean with probability
// 1/16,000.
const OddAt = 4

// Expectation predicts the next result of an arm.
type Expectation struct {
	// A result is odd if it differs from Mean by more than Radius; without a prediction, Mean and
	// Radius are NaN.
	Mean, Radius float64
	// Results is the number of results on which the prediction is based; they may be results of the
	// arm or of all arms.
	Results int
}

// Odd reports whether the result x is odd, that is, farther from Mean than Radius.
func (e Expectation) Odd(x float64) bool { return math.Abs(x-e.Mean) > e.Radius }

// likeOthers is the smallest number of measured arms whose means can predict the result of an
// unmeasured arm.
const likeOthers = 5

// Expect predicts the next result of an arm in each objective from the arm's earlier results. If
// the arm has no earlier results, Expect uses a linear fit to all results or, without features, the
// scatter of the other arms' means. The prediction is advice, not a guarantee: on average, new
// results of the arm with the best mean so far are worse than this mean.
func (m *Monitor) Expect(arm int) []Expectation {
	if uint(arm) >= uint(m.k) {
		panic(panicArm)
	}
	nothing := Expectation{Mean: math.NaN(), Radius: math.NaN()}
	list := make([]Expectation, len(m.is.Objectives))
	for c := range list {
		list[c] = nothing
	}
	l := m.line
	for _, w := range m.watches {
		e, sd := &list[w.objective], w.is.Sigma
		a := &w.sums.arm[arm]
		switch {
		case a.k > 0:
			*e = Expectation{a.mean * sd, OddAt * sd * math.Sqrt(1+1/a.n), int(a.n)}
		case l != nil:
			l.fit(&w.sums, func(a *armSums) float64 { return a.n })
			if x := l.x[arm]; l.metric.Outside(x) < 1e-6 && floats.Norm(x, 2) > 0 {
				*e = Expectation{l.mean(arm) * sd, OddAt * sd * math.Sqrt(1+l.metric.Squared(x)), int(w.sums.n)}
			}
		case len(w.sums.measured) >= likeOthers:
			others := armSums{}
			for _, i := range w.sums.measured {
				others.add(1, w.sums.arm[i].mean)
			}
			spread := 1 + others.ss/(others.n-1)
			*e = Expectation{others.mean * sd, OddAt * sd * math.Sqrt(spread*(1+1/others.n)), int(w.sums.n)}
		}
	}
	return list
}
