package study

import (
	"fmt"
	"slices"
)

// Only returns the experiment with the methods of some names alone, with all their constants. It
// panics if a method is not there.
//
//	e := gege.NoCBudget.Only(gege.GEGE, gege.EGESH)
func (e Experiment) Only(methods ...string) Experiment {
	have := e.MethodNames()
	for _, name := range methods {
		if !slices.Contains(have, name) {
			panic(fmt.Sprintf("study: %s has no method %q; it has %q", e.Name, name, have))
		}
	}
	e.Methods = slices.DeleteFunc(slices.Clone(e.Methods),
		func(m Method) bool { return !slices.Contains(methods, m.Name) })
	return e
}
