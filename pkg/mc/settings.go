package mc

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"reflect"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/bandit"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/seed"
)

// settingsDigest hashes the settings of a policy: its exported fields, and those of the structs that
// they hold, floats to 10 digits. The name of a policy does not say all of them. Functions are left
// out: they cannot be compared.
func settingsDigest(p explore.Policy) string {
	h := sha256.New()
	writeSettings(h, reflect.ValueOf(p))
	return hex.EncodeToString(h.Sum(nil)[:8])
}

// writeSettings writes v, without what is not exported.
func writeSettings(w io.Writer, v reflect.Value) {
	for v.Kind() == reflect.Pointer || v.Kind() == reflect.Interface {
		if v.IsNil() {
			fmt.Fprint(w, "nil ")
			return
		}
		if m, ok := v.Interface().(mat.Matrix); ok {
			r, c := m.Dims()
			fmt.Fprintf(w, "%dx%d ", r, c)
			for i := range r {
				for j := range c {
					fmt.Fprintf(w, "%.10g ", m.At(i, j))
				}
			}
			return
		}
		v = v.Elem()
	}
	switch v.Kind() {
	case reflect.Struct:
		fmt.Fprintf(w, "%v{", v.Type())
		for i := range v.NumField() {
			if f := v.Type().Field(i); f.IsExported() {
				fmt.Fprintf(w, "%s:", f.Name)
				writeSettings(w, v.Field(i))
			}
		}
		fmt.Fprint(w, "}")
	case reflect.Slice, reflect.Array:
		fmt.Fprintf(w, "%d[", v.Len())
		for i := range v.Len() {
			writeSettings(w, v.Index(i))
		}
		fmt.Fprint(w, "]")
	case reflect.Float32, reflect.Float64:
		fmt.Fprintf(w, "%.10g ", v.Float())
	case reflect.Func, reflect.Chan, reflect.UnsafePointer:
		fmt.Fprintf(w, "%v ", v.Kind())
	default: // numbers, strings, bools; maps are printed in the order of their keys
		fmt.Fprintf(w, "%v ", v)
	}
}

// lawDigest hashes the distribution of the rewards by one reward of each arm from a fixed stream, to
// 10 digits: laws with the same means and scales differ in these. It is empty for instances whose
// features change, which draw them first.
func lawDigest(inst *bandit.Instance) string {
	if inst.Problem.Changing {
		return ""
	}
	pulls := make([]explore.Pull, inst.Problem.K())
	for i := range pulls {
		pulls[i] = explore.Pull{Arm: i, N: 1}
	}
	obs, err := inst.Sampler(seed.New(0).Child("law")).Sample(nil, pulls)
	if err != nil {
		return ""
	}
	h := sha256.New()
	for _, b := range obs {
		for _, x := range b.Sum {
			fmt.Fprintf(h, "%.10g ", x)
		}
	}
	return hex.EncodeToString(h.Sum(nil)[:8])
}
