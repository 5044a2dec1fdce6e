package policy_test

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/purexp/purexp/internal/golden"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policy"
	"github.com/purexp/purexp/pkg/radius"
)

// Labels tell rows and saved campaigns apart, so that they stay as they are: each policy with
// each of its settings, and with all at once.
func TestLabels(t *testing.T) {
	var lines []string
	var types []reflect.Type
	for _, create := range policy.Catalogue() {
		types = append(types, reflect.TypeOf(create()).Elem())
	}
	slices.SortFunc(types, func(a, b reflect.Type) int { return strings.Compare(a.Name(), b.Name()) })
	for _, typ := range types {
		write := func(set map[string]any) {
			p := reflect.New(typ)
			for name, v := range set {
				p.Elem().FieldByName(name).Set(reflect.ValueOf(v))
			}
			lines = append(lines, fmt.Sprintf("%s %v: %s", typ.Name(), set, explore.Name(p.Interface().(explore.Policy))))
		}
		write(nil)
		all := map[string]any{}
		for _, f := range reflect.VisibleFields(typ) {
			if values := settings(f); len(values) > 0 {
				all[f.Name] = values[len(values)/2]
				write(map[string]any{f.Name: all[f.Name]})
			}
		}
		write(all)
	}
	golden.Lines(t, "testdata/labels.txt", lines)
}

// settings returns values of an exported field of a policy, defaults of some policies among them.
func settings(f reflect.StructField) (values []any) {
	if !f.IsExported() || f.Anonymous || len(f.Index) > 1 {
		return nil
	}
	switch f.Type {
	case reflect.TypeFor[radius.Radius]():
		return []any{radius.Theory{}, radius.Paper{}, radius.KaufmannKoolen{}, policy.AuerRadius{},
			policy.AuerRadius{Scale: 2}}
	case reflect.TypeFor[policy.Threshold]():
		return []any{policy.SelfNormalized{}, policy.Heuristic{}, policy.MixtureMartingales{},
			policy.MixtureMartingales{Printed: true}, policy.SelfNormalized{U: 2}}
	}
	v := reflect.New(f.Type).Elem()
	switch f.Type.Kind() {
	case reflect.Bool:
		v.SetBool(true)
		return []any{v.Interface()}
	case reflect.Int:
		for _, n := range []int64{1, 2, 7} {
			if n < 3 || f.Type == reflect.TypeFor[int]() {
				v.SetInt(n)
				values = append(values, v.Interface())
			}
		}
	case reflect.Float64:
		for _, x := range []float64{.1, .5, 1.35, 12345.678} {
			v.SetFloat(x)
			values = append(values, v.Interface())
		}
	case reflect.Array:
		v.Index(1).SetFloat(1)
		return []any{v.Interface()}
	}
	return values
}
