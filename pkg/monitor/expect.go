package monitor

import (
	"math"

	"gonum.org/v1/gonum/floats"
)

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
				*e = Expectation{l.mean(arm) * sd,
					OddAt * sd * math.Sqrt(1+l.metric.Squared(x)), int(w.sums.n)}
			}
		case len(w.sums.measured) >= likeOthers:
			others := armSums{}
			for _, i := range w.sums.measured {
				others.add(1, w.sums.arm[i].mean)
			}
			spread := 1 + others.ss/(others.n-1)
			*e = Expectation{others.mean * sd, OddAt * sd * math.Sqrt(spread*(1+1/others.n)),
				int(w.sums.n)}
		}
	}
	return list
}
