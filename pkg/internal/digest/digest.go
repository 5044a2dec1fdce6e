// Package digest computes hashes of the inputs that determine results: settings, features and
// means.
//
//	h := sha256.New()
//	digest.Matrix(h, features)
//	sum := digest.Sum(h)
package digest

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"reflect"
	"strconv"

	"gonum.org/v1/gonum/mat"
)

// Sum returns the first 16 hexadecimal digits of the hash in h.
func Sum(h hash.Hash) string { return hex.EncodeToString(h.Sum(nil)[:8]) }

// Settings hashes the settings of a policy or a question: the exported fields, including those of
// nested structs, with floats to 10 digits. Settings ignores the values of functions, because
// functions cannot be compared.
func Settings(v any) string {
	t := &text{hash: sha256.New()}
	t.add(reflect.ValueOf(v), 0)
	t.flush()
	return Sum(t.hash)
}

// Floats adds the numbers x to the hash h, with 10 digits.
func Floats(h hash.Hash, x []float64) {
	t := &text{hash: h}
	t.floats(x)
	t.flush()
}

// A text is a string that is hashed piece by piece.
type text struct {
	hash hash.Hash
	buf  []byte // bytes that are not hashed yet
}

func (t *text) flush() {
	t.hash.Write(t.buf)
	t.buf = t.buf[:0]
}

func (t *text) printf(format string, a ...any) {
	t.buf = fmt.Appendf(t.buf, format, a...)
	if len(t.buf) > 1<<12 {
		t.flush()
	}
}

// float writes a number in the format "%.10g ".
func (t *text) float(v float64) {
	t.buf = append(strconv.AppendFloat(t.buf, v, 'g', 10, 64), ' ')
	if len(t.buf) > 1<<12 {
		t.flush()
	}
}

func (t *text) floats(x []float64) {
	for _, v := range x {
		t.float(v)
	}
}

// deepest is the largest depth to which settings are hashed; it protects against cyclic settings.
const deepest = 32

// add adds the value v to the hash, with exported fields only.
func (t *text) add(v reflect.Value, depth int) {
	if depth > deepest {
		t.printf("... ")
		return
	}
	for v.Kind() == reflect.Pointer || v.Kind() == reflect.Interface {
		if v.IsNil() {
			t.printf("nil ")
			return
		}
		if m, ok := v.Interface().(mat.Matrix); ok {
			r, c := m.Dims()
			t.printf("%dx%d ", r, c)
			for i := range r {
				for j := range c {
					t.float(m.At(i, j))
				}
			}
			return
		}
		v = v.Elem()
	}
	switch v.Kind() {
	case reflect.Struct:
		t.printf("%v{", v.Type())
		for i := range v.NumField() {
			if f := v.Type().Field(i); f.IsExported() {
				t.printf("%s:", f.Name)
				t.add(v.Field(i), depth+1)
			}
		}
		t.printf("}")
	case reflect.Slice, reflect.Array:
		t.printf("%d[", v.Len())
		if x, ok := v.Interface().([]float64); ok {
			t.floats(x)
			t.printf("]")
			return
		}
		for i := range v.Len() {
			t.add(v.Index(i), depth+1)
		}
		t.printf("]")
	case reflect.Float32, reflect.Float64:
		t.float(v.Float())
	case reflect.Func, reflect.Chan, reflect.UnsafePointer:
		t.printf("%v ", v.Kind())
	default: // numbers, strings and bools; maps are printed in key order
		t.printf("%v ", v)
	}
}

// Matrix adds the matrix m to the hash h, with 10 digits. More than 10 digits would be unreliable:
// compilers for some processors fuse multiplications and additions, which changes the last bits of
// computed means.
func Matrix(h hash.Hash, m *mat.Dense) {
	if m == nil {
		h.Write([]byte("nil"))
		return
	}
	r, c := m.Dims()
	buf := fmt.Appendf(nil, "%dx%d", r, c)
	for i := range r {
		if len(buf) > 1<<12 {
			h.Write(buf)
			buf = buf[:0]
		}
		for j := range c {
			v := m.At(i, j)
			if v == 0 {
				v = 0 // as means, -0 and 0 are the same
			}
			buf = strconv.AppendFloat(append(buf, ' '), v, 'g', 10, 64)
		}
	}
	h.Write(buf)
}
