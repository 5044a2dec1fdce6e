// Package monitor watches, while measurements come in, what a certificate assumes: the declared
// noise, linear means, no plate effects and no drift, counts of independent trials, the
// range. Each assumption has an e-process, a number that is 1 at the start and becomes large only
// with a small probability if all that is declared is true: at most 1/c for c, whatever was measured
// and whenever somebody looks. docs/monitors.md has the theorem with its proof and what was measured.
//
//	m, err := monitor.New(monitor.Assumptions{Arms: 2, Objectives: []monitor.Objective{{Sigma: 2}}})
//	m.Observe(0, 1, []float64{79}) // arm 0 on plate 1, and so on
//	fmt.Println(m.Sentence(&explore.Declaration{Problem: problem}))
//
// A campaign tells each result by [Monitor.Observe], with its plate, asks [Monitor.Expect] before it
// takes one, and reads [Monitor.Report].
//
// A monitor finds contradictions. That it finds none does not mean that what is declared is true.
package monitor

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// E-values from which a report warns, and from which the certificate is withdrawn. What is compared
// with them is the average of all e-processes: if all that is declared is true, a certificate is
// ever withdrawn with probability at most 1/Withdraw.
const (
	Warn     = 20
	Withdraw = 100
)

// Assumptions are what a certificate assumes of measurements.
type Assumptions struct {
	// X holds the features of the arms, K x h, that means are linear in. Nil: means are anything.
	X *mat.Dense
	// Arms is the number of arms K. It is read only if X is nil.
	Arms int
	// Objectives are the numbers that a measurement has.
	Objectives []Objective
	// Reference says that something is measured on each plate for the sake of the monitors, see
	// [Monitor.ObserveReference].
	Reference bool
}

// An Objective is what is assumed of one number of a measurement, in its unit.
type Objective struct {
	// Sigma is the sub-Gaussian scale of the noise. Zero: the numbers are not watched. One that a
	// pilot bounds goes with the results after the pilot.
	Sigma float64
	// Later says that Sigma is not known yet: numbers are watched from [Monitor.Start] on.
	Later bool
	// Low and High are the least and the largest possible number. Both zero: there is no limit.
	Low, High float64
	// Trials is the number of independent trials of which a number is that of the successes. Zero:
	// it does not count successes.
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

// A Monitor is told the results of a session in the order in which they arrive. It is an
// [explore.Recorder]. It is a function of what it was told: telling it again restores it. It is not
// safe for concurrent use.
type Monitor struct {
	is        Assumptions
	k         int
	line      *line // nil if means are anything
	results   int
	wells     int // results of the reference
	due       int // the number of results at which to look next
	watches   []*watch
	processes int
	peak      Report // of the look with the largest average
	refuted   bool   // by a number outside of its range
}

// A watch has the e-processes of one objective.
type watch struct {
	objective int
	is        Objective
	sums      sums
	processes []process
	reference *reference // nil if there is none
}

// Start begins to watch the numbers of an objective that was to be watched Later, with a scale that a pilot has found
// since. Results before have no part in its e-processes, which are 1 until then.
func (m *Monitor) Start(objective int, sigma float64) {
	for _, w := range m.watches {
		if o := &m.is.Objectives[objective]; w.objective == objective && o.Later && o.Sigma == 0 && sigma > 0 {
			o.Sigma, w.is.Sigma = sigma, sigma
		}
	}
}

// A process is an e-process.
type process interface {
	// observe takes a result in. The sums are those of all results before it.
	observe(s *sums, r *result)
	// look returns log E, and what is most likely if E is large. It changes nothing that later
	// looks return.
	look(s *sums) Finding
}

// A result is one measurement, or the mean of several, in units of the noise of one measurement.
type result struct {
	number int // from 1, over all objectives alike
	arm    int
	plate  int     // from 1; 0: none
	n      float64 // measurements that it is the mean of
	y      float64
}

// New returns a monitor of what a assumes.
func New(a Assumptions) (*Monitor, error) {
	m := &Monitor{is: a, k: a.K(), due: 1, peak: Report{LogE: math.Inf(-1)}}
	if m.k < 1 {
		return nil, fmt.Errorf("monitor: %d arms; want at least 1", m.k)
	}
	if a.X != nil {
		m.line = newLine(a.X)
	}
	for c, o := range a.Objectives {
		switch {
		case o.Sigma == 0 && !o.Later:
			continue
		case !(o.Sigma > 0 || o.Later && o.Sigma == 0) || math.IsInf(o.Sigma, 0) || o.Trials < 0 || !(o.Low <= o.High):
			return nil, fmt.Errorf("monitor: objective %d: %+v; want a positive finite Sigma, "+
				"Trials of at least 0 and Low up to High", c, o)
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

// What this package panics with when the calling code is wrong.
const (
	panicArm    = "monitor: arm out of range"
	panicLength = "monitor: want one number an objective"

	panicReference = "monitor: Assumptions say that there is no reference"
)

// Observe takes one measurement of an arm in: one finite number an objective, NaN where there is
// none. Plates are told apart by their numbers, which may be negative; 0 means that there is none.
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

// lookIfDue looks if there are enough results since the last look.
func (m *Monitor) lookIfDue() {
	if n := m.results + m.wells; n >= m.due {
		m.Look()
		m.due = n + 1 + n/looks
	}
}

// looks is the number of results up to which each is followed by a look; then their distance grows
// as the number of results, so that to begin anew with all results takes time in proportion to them.
const looks = 64

func (m *Monitor) refute(f Finding) {
	if !m.refuted {
		m.refuted = true
		m.peak = Report{LogE: math.Inf(1), Findings: []Finding{f}}
	}
}

// Look evaluates all processes now. Observe does so as a rule; whoever has to know at once, as at
// the end of a campaign, calls it before Report.
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

// likeliest sorts findings, the most likely first. Noise that is larger than declared moves means off
// a line as well: where Scatter is evidence enough, which says that it may be either, Misfit comes
// after it.
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

// Report returns what was found up to the last look.
func (m *Monitor) Report() Report {
	r := m.peak
	r.Findings = slices.Clone(r.Findings)
	r.Results, r.Processes = m.results, m.processes
	return r
}

// logMean returns the logarithm of the mean of exp(x).
func logMean(x []float64) float64 {
	return floats.LogSumExp(x) - math.Log(float64(len(x)))
}

// A reference is something that is measured on each plate, so that effects of plates and drifts show.
// Its results go to two processes of its own. With those of the arms, whose means are anything, they
// would tell less: where an arm is on one plate only, the null has a mean for it that contradicts any
// effect of that plate.
type reference struct {
	sums      sums // of one arm
	processes []process
}

func newReference() *reference {
	return &reference{sums: sums{arm: make([]armSums, 1)},
		processes: []process{newEffects(1, nil, false), newEffects(1, nil, true)}}
}

// observe takes a result in.
func (f *reference) observe(r *result) {
	for _, p := range f.processes {
		p.observe(&f.sums, r)
	}
	f.sums.add(r)
}

// all returns the processes, those of the reference last.
func (w *watch) all() []process {
	if w.reference == nil {
		return w.processes
	}
	return slices.Concat(w.processes, w.reference.processes)
}

// ObserveReference takes a measurement of the reference in, which is on a plate for the sake of the
// monitors: a candidate or a control, of any mean, with the noise that is declared. It tells of effects
// of plates and of drift, and of nothing else. Numbers are as those of Observe; their limits are not
// looked at. Assumptions.Reference must have said that there is one.
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

// armSums has the sufficient statistics of the results of an arm.
type armSums struct {
	k      int     // results
	n      float64 // measurements
	mean   float64
	ss     float64 // sum of squares about the mean, weighted by n
	origin float64 // the first result: sums of differences from it keep their digits
}

// add takes a result in, and returns by how much the sum of squares grew (Welford, 1962).
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

// sums has those of all arms.
type sums struct {
	arm      []armSums
	k        int     // results
	n        float64 // measurements
	ss       float64 // sum of squares about the means of the arms
	measured []int   // arms with results, in order of the first
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

// OddAt is the distance of a result from what is expected, in its standard deviations, from which it
// is odd: whoever typed it in is asked whether it is a slip. Gaussian results are that far once in
// 16 000.
const OddAt = 4

// An Expectation says what the next result of an arm should be, by what is known.
type Expectation struct {
	// Mean is expected. A result is odd if it differs from it by more than Radius. Both are NaN if
	// nothing is known.
	Mean, Radius float64
	// Results is the number of results of the arm, or of all arms, that tell.
	Results int
}

// Odd reports whether a result is not what is expected.
func (e Expectation) Odd(x float64) bool { return math.Abs(x-e.Mean) > e.Radius }

// likeOthers is the number of arms with results from which on an arm without is expected to be like
// them.
const likeOthers = 5

// Expect returns what the next result of an arm should be, by objective: by its earlier results; if it
// has none, by a linear fit of all results where means are linear, or else by how the means of other
// arms scatter. It is advice, before the result is
// observed, and no certificate: whoever measures the arm that looks best again will see less.
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
