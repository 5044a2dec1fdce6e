package mc_test

import (
	"reflect"
	"slices"
	"testing"

	"github.com/purexp/purexp/pkg/mc"
)

// other returns a value that has the same type as v but differs from v.
func other(v reflect.Value) reflect.Value {
	switch v.Kind() {
	case reflect.String:
		return reflect.ValueOf(v.String() + "x").Convert(v.Type())
	case reflect.Slice:
		if v.Len() > 0 {
			c := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
			reflect.Copy(c, v)
			c.Index(v.Len() - 1).Set(other(v.Index(v.Len() - 1)))
			return c
		}
		return reflect.Append(v, other(reflect.Zero(v.Type().Elem())))
	case reflect.Float64:
		return reflect.ValueOf(v.Float() + .25)
	}
	return reflect.ValueOf(v.Int() + 3).Convert(v.Type())
}

// A difference in any field of a cell or an instance makes headers differ, whichever header is compared with the
// other. Files with different headers are neither read together nor resumed.
func TestHeadersDifferInEveryField(t *testing.T) {
	g := toy()
	g.Cells[0].Measures = []mc.Measure{{Names: []string{"a", "b"}}}
	h, err := g.Header()
	if err != nil {
		t.Fatal(err)
	}
	if what := h.Differ(&h); what != "" {
		t.Errorf("a header differs from itself: %s", what)
	}
	check := func(name string, change func(h *mc.Header)) {
		c := h
		c.Cells, c.Instances = slices.Clone(h.Cells), slices.Clone(h.Instances)
		change(&c)
		if h.Differ(&c) == "" || c.Differ(&h) == "" {
			t.Errorf("another %s: %q there, %q here", name, h.Differ(&c), c.Differ(&h))
		}
		if key := h.Cells[len(h.Cells)-1].Key(); len(c.Cells) > 0 && c.Cells[len(c.Cells)-1].Key() == key && h.Shared(&c)[key] {
			t.Errorf("another %s: rows of %v are shared", name, key)
		}
	}
	last := len(h.Cells) - 1
	for i := range reflect.TypeFor[mc.CellInfo]().NumField() {
		check(reflect.TypeFor[mc.CellInfo]().Field(i).Name, func(h *mc.Header) {
			f := reflect.ValueOf(&h.Cells[last]).Elem().Field(i)
			f.Set(other(f))
		})
	}
	at := slices.IndexFunc(h.Instances, func(x mc.InstanceInfo) bool { return x.Name == h.Cells[last].Instance })
	for i := range reflect.TypeFor[mc.InstanceInfo]().NumField() {
		for _, empty := range []bool{false, true} {
			check(reflect.TypeFor[mc.InstanceInfo]().Field(i).Name, func(h *mc.Header) {
				f := reflect.ValueOf(&h.Instances[at]).Elem().Field(i)
				if next := other(f); !empty || f.IsZero() {
					f.Set(next)
				} else {
					f.SetZero()
				}
			})
		}
	}
	for name, change := range map[string]func(h *mc.Header){"study": func(h *mc.Header) { h.Study += "x" },
		"seed": func(h *mc.Header) { h.Seed++ }, "version": func(h *mc.Header) { h.Version++ }, "format": func(h *mc.Header) { h.Format += "x" }} {
		check(name, change)
	}
	c := h
	if c.Digest += "0"; h.Differ(&c) == "" {
		t.Error("cells in another order")
	}
}
