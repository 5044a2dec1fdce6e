package study

import (
	"slices"

	"github.com/purexp/purexp/pkg/mc"
)

// A Choice is a method with constants.
type Choice struct{ Method, Constants string }

// As is the choice of a method with constants.
func As(method, constants string) Choice { return Choice{method, constants} }

// String names both.
func (c Choice) String() string { return Labelled(c.Method, c.Constants) }

// On returns the rows of the choice on the instance with the given name, one of Names.
func (c Choice) On(r *Results, instance string) []mc.Row {
	return r.On(instance, c.Method, c.Constants)
}

// Limited returns methods with Largest, Reps and MaxPulls as limits say, where their cost forbids
// more.
func Limited(ms []Method, limits map[Choice]Method) []Method {
	ms = slices.Clone(ms)
	for i := range ms {
		m := &ms[i]
		l := limits[Choice{m.Name, m.Constants}]
		m.Largest, m.Reps, m.MaxPulls = l.Largest, l.Reps, l.MaxPulls
	}
	return ms
}

// Without returns methods but for some; those without constants are left out with all of them.
func Without(ms []Method, cs ...Choice) []Method {
	return slices.DeleteFunc(slices.Clone(ms), func(m Method) bool {
		return slices.Contains(cs, As(m.Name, m.Constants)) || slices.Contains(cs, As(m.Name, ""))
	})
}
