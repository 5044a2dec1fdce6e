package mc

import (
	"fmt"
	"math"

	"github.com/purexp/purexp/pkg/bandit"
	"github.com/purexp/purexp/pkg/explore"
)

// Measure defines additional numbers for each run, such as an F1 score, or the regret after given
// numbers of pulls.
type Measure struct {
	// Names are the names of the numbers, in the order of Meter.Values.
	Names []string
	// New returns a Meter for one run on the instance in. Several workers may call New
	// concurrently.
	New func(in *bandit.Instance) Meter
}

// Meter computes the numbers of one run. A Meter that is also an explore.Recorder receives every
// round.
type Meter interface {
	// Values appends to dst the numbers of a run with result res, one for each name. A value of NaN
	// means that the run does not have this number; the row then omits the number.
	Values(dst []float64, res *explore.Result) []float64
}

// Number returns a measure with one number: of(in, res), for the instance in and the result res
// of a run.
func Number(name string, of func(in *bandit.Instance, res *explore.Result) float64) Measure {
	return Measure{Names: []string{name}, New: func(in *bandit.Instance) Meter {
		return number{in, of}
	}}
}

type number struct {
	in *bandit.Instance
	of func(in *bandit.Instance, res *explore.Result) float64
}

func (n number) Values(dst []float64, res *explore.Result) []float64 {
	return append(dst, n.of(n.in, res))
}

// Value is a named number of a run.
type Value struct {
	Name  string  `json:"name"`
	Value float64 `json:"value"`
}

// Measure returns the number with the given name, and reports whether the row has this number.
func (r *Row) Measure(name string) (v float64, ok bool) {
	for _, m := range r.Measures {
		if m.Name == name {
			return m.Value, true
		}
	}
	return 0, false
}

// meters holds the meters of one run, and passes rounds to those that are recorders.
type meters struct {
	all       []Meter
	recorders []explore.Recorder
}

func newMeters(measures []Measure, in *bandit.Instance) *meters {
	m := &meters{}
	for _, x := range measures {
		meter := x.New(in)
		m.all = append(m.all, meter)
		if r, ok := meter.(explore.Recorder); ok {
			m.recorders = append(m.recorders, r)
		}
	}
	return m
}

// Record implements explore.Recorder.
func (m *meters) Record(e explore.Event) error {
	for _, r := range m.recorders {
		if err := r.Record(e); err != nil {
			return err
		}
	}
	return nil
}

// recorder returns m as a recorder, or nil if no meter records rounds.
func (m *meters) recorder() explore.Recorder {
	if len(m.recorders) == 0 {
		return nil
	}
	return m
}

// values returns the numbers from all meters. values panics if the number of values is wrong or a
// value is infinite.
func (m *meters) values(measures []Measure, res *explore.Result) []Value {
	var vs []Value
	for i, x := range measures {
		numbers := m.all[i].Values(nil, res)
		if len(numbers) != len(x.Names) {
			panic(fmt.Errorf("mc: measures %q returned %d numbers; expected one for each "+
				"measure", x.Names, len(numbers)))
		}
		for j, v := range numbers {
			switch {
			case math.IsInf(v, 0):
				panic(fmt.Errorf(
					"mc: measure %q is %v; expected a finite number, or NaN for a missing value",
					x.Names[j], v))
			case !math.IsNaN(v):
				vs = append(vs, Value{x.Names[j], v})
			}
		}
	}
	return vs
}
