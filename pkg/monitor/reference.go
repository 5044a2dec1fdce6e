package monitor

import (
	"math"
	"slices"
)

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
		if y := x[w.objective]; w.reference != nil && !math.IsNaN(y) {
			w.reference.observe(&result{plate: plate, n: 1, y: y / w.is.Sigma})
		}
	}
	m.lookIfDue()
}
