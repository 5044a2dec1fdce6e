package polyhedron

import (
	"fmt"
	"math"
	"strconv"
)

// Whole returns R^d, in which every arm is feasible. It panics if d < 1.
func Whole(d int) *Polyhedron {
	if d < 1 {
		panic(panicDim)
	}
	return must(newPolyhedron(d, nil))
}

// HalfSpace returns { x : a'x <= b } in dimension len(a) >= 1. An empty name stands for the
// inequality itself. It returns the errors of New.
func HalfSpace(a []float64, b float64, name string) (*Polyhedron, error) {
	if len(a) == 0 {
		panic(panicDim)
	}
	return newPolyhedron(len(a), []Constraint{{A: append([]float64(nil), a...), B: b, Name: name}})
}

// AtLeast returns { x : x_c >= lower_c for all c }, the set of a problem whose objectives must
// reach given levels. An entry -Inf means that the objective is free. If objectives is not nil it
// names them, and constraints are called "efficacy >= 0.4". There is one constraint for each entry
// that is not -Inf, in order. It returns an error that wraps ErrNotFinite if an entry is NaN or
// +Inf.
func AtLeast(lower []float64, objectives []string) (*Polyhedron, error) {
	return bounds(lower, nil, objectives)
}

// Box returns { x : lo_c <= x_c <= hi_c for all c }. Entries -Inf of lo and +Inf of hi mean that
// the coordinate has no such bound. If objectives is not nil it names the coordinates. The
// constraints come in the order lo_0, hi_0, lo_1, hi_1, ..., absent ones left out.
//
// It returns an error that wraps ErrNotFinite if an entry is NaN, or infinite with the wrong sign,
// ErrEmpty if lo_c > hi_c for some c, and ErrNoInterior if lo_c = hi_c.
func Box(lo, hi []float64, objectives []string) (*Polyhedron, error) {
	if len(lo) != len(hi) {
		panic(panicShape)
	}
	return bounds(lo, hi, objectives)
}

// bounds builds a box; a nil hi means no upper bounds.
func bounds(lo, hi []float64, objectives []string) (*Polyhedron, error) {
	d := len(lo)
	if d == 0 {
		panic(panicDim)
	}
	if objectives != nil && len(objectives) != d {
		panic(panicShape)
	}
	var user []Constraint
	add := func(c int, sign, bound float64, relation string) error {
		if math.IsInf(sign*bound, 1) {
			return nil
		}
		name := "x[" + strconv.Itoa(c) + "]"
		if objectives != nil && objectives[c] != "" {
			name = objectives[c]
		}
		name += relation + number(bound)
		if math.IsNaN(bound) || math.IsInf(bound, 0) {
			return fmt.Errorf("%w: bound %d asks for %q; use %g for no bound", ErrNotFinite, c,
				name, math.Inf(int(sign)))
		}
		a := make([]float64, d)
		a[c] = sign
		user = append(user, Constraint{A: a, B: sign * bound, Name: name})
		return nil
	}
	for c := range lo {
		if err := add(c, -1, lo[c], " >= "); err != nil {
			return nil, err
		}
		if hi == nil {
			continue
		}
		if err := add(c, 1, hi[c], " <= "); err != nil {
			return nil, err
		}
	}
	return newPolyhedron(d, user)
}

// Simplex returns { x in R^d : x >= 0, sum_c x_c <= 1 }. The first d constraints are the signs, the
// last one the sum. (The probability simplex, where the sum is one, has no interior.) It panics if
// d < 1.
func Simplex(d int) *Polyhedron {
	if d < 1 {
		panic(panicDim)
	}
	user := make([]Constraint, d+1)
	sum := make([]float64, d)
	for c := range d {
		sum[c] = 1
		a := make([]float64, d)
		a[c] = -1
		user[c] = Constraint{A: a}
	}
	user[d] = Constraint{A: sum, B: 1}
	return must(newPolyhedron(d, user))
}

// Ordered returns the monotone cone { x in R^d : x_0 <= x_1 <= ... <= x_{d-1} }, with the d-1
// constraints x_c - x_{c+1} <= 0. It panics if d < 1.
func Ordered(d int) *Polyhedron {
	if d < 1 {
		panic(panicDim)
	}
	user := make([]Constraint, d-1)
	for c := range user {
		a := make([]float64, d)
		a[c], a[c+1] = 1, -1
		user[c] = Constraint{A: a, Name: fmt.Sprintf("x[%d] <= x[%d]", c, c+1)}
	}
	return must(newPolyhedron(d, user))
}

// must is for sets that are known to have interior points.
func must(p *Polyhedron, err error) *Polyhedron {
	if err != nil {
		panic(err)
	}
	return p
}
