package study

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strconv"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/bandit"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/mc"
	"github.com/purexp/purexp/pkg/seed"
)

// Stream returns the random numbers for drawing an instance. The path names the stream, for example
// by paper, name, size and draw. The random numbers of Stream do not depend on the seed of a study,
// so an instance is the same in every run.
func Stream(path ...any) *rand.Rand { return rand.New(seed.New(1).Child(path...).Source()) }

// Basis returns the features of n arms in d dimensions: first the unit vectors, then zeros.
func Basis(n, d int) *mat.Dense {
	x := mat.NewDense(n, d, nil)
	for i := range d {
		x.Set(i, i, 1)
	}
	return x
}

// Numbered returns n names with a prefix, such as "x1", "x2".
func Numbered(prefix string, n int) []string {
	names := make([]string, n)
	for i := range names {
		names[i] = prefix + strconv.Itoa(i+1)
	}
	return names
}

// OnSphere returns n points drawn uniformly from the unit sphere of R^d.
func OnSphere(rnd *rand.Rand, n, d int) *mat.Dense {
	x := mat.NewDense(n, d, nil)
	for i := range n {
		row := x.RawRowView(i)
		for norm := 0.; norm == 0; norm = floats.Norm(row, 2) { // a point of norm zero has probability 0
			for j := range row {
				row[j] = rnd.NormFloat64()
			}
		}
		floats.Scale(1/floats.Norm(row, 2), row)
	}
	return x
}

// Same returns a function for Experiment.Instance that returns the same instance for all sizes.
func Same(load func() (*bandit.Instance, error)) func(size, draw int) (*bandit.Instance, error) {
	return func(int, int) (*bandit.Instance, error) { return load() }
}

// Places returns the sizes 0, ..., n-1 of an experiment with n Names.
func Places(n int) []int {
	at := make([]int, n)
	for i := range at {
		at[i] = i
	}
	return at
}

// Instances returns the instance of each size; if instances are random, it returns the first draw
// of each size.
func (e Experiment) Instances() ([]*bandit.Instance, error) {
	var all []*bandit.Instance
	for _, size := range e.Sizes {
		inst, err := e.At(size, 0)
		if err != nil {
			return nil, err
		}
		all = append(all, inst)
	}
	return all, nil
}

// NewMethod returns a method whose policies have the settings of p, and the Delta or Budget of the
// task. The functions byTask set other fields that depend on the task. NewMethod panics if p is not
// a pointer to a struct with a field Delta or Budget.
//
//	study.NewMethod("XY-static", "theory", &policy.XYStatic{})
func NewMethod[P explore.Policy](
	name, constants string, p P, byTask ...func(p P, t Task),
) Method {
	settings := reflect.ValueOf(p).Elem()
	field, value := "Delta", func(t Task) any { return t.Delta }
	if f, ok := settings.Type().FieldByName("Budget"); ok && f.Type == reflect.TypeFor[int]() {
		field, value = "Budget", func(t Task) any { return t.Budget }
	}
	if !settings.FieldByName(field).IsValid() {
		panic(fmt.Sprintf("study: NewMethod: %T has neither a field Delta nor an int field Budget; set Method.New "+
			"directly", p))
	}
	return Method{Name: name, Constants: constants, New: func(t Task) explore.Policy {
		own := reflect.New(settings.Type())
		own.Elem().Set(settings)
		own.Elem().FieldByName(field).Set(reflect.ValueOf(value(t)))
		p := own.Interface().(P)
		for _, set := range byTask {
			set(p, t)
		}
		return p
	}}
}

// With sets the number of replicates of methods, and returns the methods; see Method.Reps.
func With(reps int, ms ...Method) []Method {
	for i := range ms {
		ms[i].Reps = reps
	}
	return ms
}

// Choice is a method with particular constants.
type Choice struct{ Method, Constants string }

// As returns the choice of a method with constants.
func As(method, constants string) Choice { return Choice{method, constants} }

// String returns the name of the method followed by the constants.
func (c Choice) String() string { return Labelled(c.Method, c.Constants) }

// On returns the rows of the choice on the named instance, which must be one of Names.
func (c Choice) On(r *Results, instance string) []mc.Row {
	return r.On(instance, c.Method, c.Constants)
}

// Limited returns copies of methods whose fields Largest, Reps and MaxPulls are those of the same
// choice in limits. For choices that are not in limits, these fields are zero.
func Limited(ms []Method, limits map[Choice]Method) []Method {
	ms = slices.Clone(ms)
	for i := range ms {
		m := &ms[i]
		l := limits[Choice{m.Name, m.Constants}]
		m.Largest, m.Reps, m.MaxPulls = l.Largest, l.Reps, l.MaxPulls
	}
	return ms
}

// Without returns methods without the choices in cs. A choice that names no
// constants removes the method with all of its constants.
func Without(ms []Method, cs ...Choice) []Method {
	return slices.DeleteFunc(slices.Clone(ms), func(m Method) bool {
		return slices.Contains(cs, As(m.Name, m.Constants)) || slices.Contains(cs, As(m.Name, ""))
	})
}
