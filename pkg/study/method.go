package study

import (
	"fmt"
	"reflect"

	"github.com/purexp/purexp/pkg/explore"
)

// NewMethod returns a method that is a policy with the settings of p; its Delta, or its Budget, is
// that of the task. The functions of byTask set what else depends on the task. It panics if p is
// no pointer to a struct with a Delta or a Budget.
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
		panic(fmt.Sprintf("study: %T has neither Delta nor Budget", p))
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

// With returns methods with so many replicates each: see Method.Reps.
func With(reps int, ms ...Method) []Method {
	for i := range ms {
		ms[i].Reps = reps
	}
	return ms
}
