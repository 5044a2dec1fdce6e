// Package digest hashes what decides about results: settings, features, means.
package digest

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"io"
	"reflect"
	"strconv"

	"gonum.org/v1/gonum/mat"
)

// Sum returns the first 16 hexadecimal digits of the hash h.
func Sum(h hash.Hash) string { return hex.EncodeToString(h.Sum(nil)[:8]) }

// Settings hashes the settings of a policy or a question: its exported fields, and
// those of the structs that they hold, floats to 10 digits. Functions are left out:
// they cannot be compared.
func Settings(v any) string {
	h := sha256.New()
	write(h, reflect.ValueOf(v), 0)
	return Sum(h)
}

// deepest is how deep settings are hashed: those that hold themselves have no end.
const deepest = 32

// write writes v, without what is not exported.
func write(w io.Writer, v reflect.Value, depth int) {
	if depth > deepest {
		fmt.Fprint(w, "... ")
		return
	}
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
				write(w, v.Field(i), depth+1)
			}
		}
		fmt.Fprint(w, "}")
	case reflect.Slice, reflect.Array:
		fmt.Fprintf(w, "%d[", v.Len())
		for i := range v.Len() {
			write(w, v.Index(i), depth+1)
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

// Matrix adds m to h. Ten digits, because compilers for some processors fuse
// multiplications and additions, which changes the last bits of a mean that was
// computed.
func Matrix(h hash.Hash, m *mat.Dense) {
	if m == nil {
		h.Write([]byte("nil"))
		return
	}
	r, c := m.Dims()
	buf := fmt.Appendf(nil, "%dx%d", r, c)
	for i := range r {
		for j := range c {
			v := m.At(i, j)
			if v == 0 {
				v = 0 // -0 and 0 are the same mean
			}
			buf = strconv.AppendFloat(append(buf, ' '), v, 'g', 10, 64)
		}
	}
	h.Write(buf)
}
