package policy_test

import (
	"flag"
	"fmt"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policy"
	"github.com/purexp/purexp/pkg/radius"
)

var accept = flag.Bool("accept", false, "write testdata/labels.txt")

// Labels tell rows and saved campaigns apart, so that they stay as they are: each policy with
// each of its settings, and with several at once.
func TestLabels(t *testing.T) {
	var b strings.Builder
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
			fmt.Fprintf(&b, "%s %v: %s\n", typ.Name(), set,
				explore.Name(p.Interface().(explore.Policy)))
		}
		write(nil)
		several := make([]map[string]any, 5)
		for i := range several {
			several[i] = map[string]any{}
		}
		for _, f := range reflect.VisibleFields(typ) {
			values := settings(f)
			for _, v := range values {
				write(map[string]any{f.Name: v})
			}
			for i, set := range several {
				if len(values) > 0 {
					set[f.Name] = values[i%len(values)]
				}
			}
		}
		for _, set := range several {
			write(set)
		}
	}
	const file = "testdata/labels.txt"
	if *accept {
		if err := os.WriteFile(file, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	got := strings.Split(b.String(), "\n")
	for i, line := range strings.Split(string(want), "\n") {
		if i >= len(got) || got[i] != line {
			t.Fatalf("line %d of %s: %q; the label was %q (-accept takes the new ones)", i+1, file,
				got[min(i, len(got)-1)], line)
		}
	}
	if n := strings.Count(string(want), "\n"); len(got) != n+1 {
		t.Errorf("%d labels; %s has %d", len(got)-1, file, n)
	}
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

// Rows of different settings have different labels: every setting shows but Tol, which is about
// computations and changes no guarantee, and the few below.
func TestLabelsShowSettings(t *testing.T) {
	quiet := []string{"XYOracle.Means", "LinGIFA.Epsilon", "MLinGapE.Epsilon"}
	for _, create := range policy.Catalogue() {
		typ, usual := reflect.TypeOf(create()).Elem(), explore.Name(create())
		for _, f := range reflect.VisibleFields(typ) {
			name := typ.Name() + "." + f.Name
			shows := !f.IsExported() || len(f.Index) > 1 || f.Name == "Tol" ||
				slices.Contains(quiet, name)
			for _, v := range settings(f) {
				p := reflect.New(typ)
				p.Elem().FieldByIndex(f.Index).Set(reflect.ValueOf(v))
				shows = shows || explore.Name(p.Interface().(explore.Policy)) != usual
			}
			if !shows {
				t.Errorf("%s does not show in labels", name)
			}
		}
	}
}
