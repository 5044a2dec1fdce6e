// Package polyhedron describes the sets of feasible means,
//
//	P = { x in R^d : A x <= b },
//
// and measures how far a point is from leaving or entering a set.
//
//	p, err := polyhedron.AtLeast([]float64{0.4, 0.5}, []string{"efficacy", "safety"})
//	inside, eta, k := p.Margin([]float64{0.6, 0.8}) // true, 0.2: the distance to the boundary
//	fmt.Println(p.Constraint(k))                    // efficacy >= 0.4, the nearest constraint
//
// The most common set is a list of lower bounds, built by AtLeast, because larger values are better
// in every objective of this module. Box, HalfSpace, Simplex, Ordered and Whole build other common
// sets, and New accepts any matrix A and vector b.
//
// # Distances
//
// All distances are Euclidean and in the units of x, whatever the scale of the rows of A. For a
// point x of P, algorithms need Depth, the distance from x to the complement of P. For a point x
// outside P, algorithms need Distance, the distance from x to P. Margin returns Depth or Distance,
// whichever is not zero:
//
//	eta = dist(x, complement of P)  if x is in P
//	eta = dist(x, P)                otherwise
//
// Depth is the smallest slack over the rows, where each slack is divided by the norm of its row.
// The complement of P is a union of half-spaces, one for each row; a redundant row adds nothing to
// the union. Distance is the distance between x and its projection onto P. For a box, the
// projection is a clip; for a half-space, it has a closed form. For all other sets, the projection
// is a small quadratic program, solved by a finite active-set method.
//
// A point belongs to P if a_k'x <= b_k holds for every row as given by the user, evaluated in
// floating point without tolerance. Projections are exact up to rounding errors. A projected point
// may violate a row by about 1e-14 times the size of x and b, so Contains may return false for a
// projected point.
//
// # Valid sets
//
// If a set is empty or has no interior, no algorithm can decide feasibility: on the boundary, Depth
// and Distance are zero, so no number of samples suffices. New and the other constructors return an
// error for empty sets and sets without interior; the error names the constraints in conflict (see
// ConflictError).
//
// # Concurrency
//
// A Polyhedron is immutable and may be shared by goroutines. Methods whose names end in With take a
// Workspace; each goroutine needs a separate Workspace. After the Workspace has grown to the size
// of the largest set, these methods do not allocate memory.
package polyhedron

import (
	"cmp"
	"fmt"
	"math"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/internal/activeset"
)

// A Polyhedron is a closed set { x in R^d : A x <= b } with interior points. New and the other
// constructors build a Polyhedron, which is immutable.
type Polyhedron struct {
	d     int
	user  []Constraint // all constraints as given
	shape shape

	// The following rows are those used in computations, without zero and repeated rows.
	row  []int            // row[i] is the index in user of row i
	a, b []float64        // the user's rows, multiplied by powers of two without rounding; a has stride d
	inv  []float64        // 1 / norm of the row of a
	unit activeset.System // the rows of a and b, scaled to norm one

	lo, hi []float64 // bounds of each coordinate; nil unless the set is a box

	centre []float64
	radius float64
}

// A shape is a kind of set whose projection has a closed form.
type shape int8

const (
	general shape = iota
	whole
	halfSpace
	box
)

// New returns { x : a x <= b }. The matrix a is m x d with m, d >= 1 (use Whole if there are no
// constraints), and b has length m. If names is not nil, it contains a name for each row, for use
// in explanations. An empty name means that the inequality itself is the name.
//
// The rows of a may have any scale. Rows of zeros with b_k >= 0, and copies of earlier rows, remain
// available through the method Constraint, but are never reported. New copies its arguments.
//
// New returns an error that wraps ErrNotFinite if an entry is NaN or infinite. If no x satisfies
// all rows, New returns a *ConflictError that wraps ErrEmpty. If the largest ball in the set has a
// radius of at most 1e-12 times the largest |b_k| / ||a_k||, the *ConflictError wraps
// ErrNoInterior. Such a small radius can be due to rounding.
func New(a *mat.Dense, b []float64, names []string) (*Polyhedron, error) {
	if a == nil || a.IsEmpty() {
		panic(panicNoRows)
	}
	m, d := a.Dims()
	if len(b) != m || (names != nil && len(names) != m) {
		panic(panicShape)
	}
	user := make([]Constraint, m)
	for k := range user {
		user[k] = Constraint{A: mat.Row(nil, k, a), B: b[k]}
		if names != nil {
			user[k].Name = names[k]
		}
	}
	return newPolyhedron(d, user)
}

// newPolyhedron returns the polyhedron with the constraints in user, and takes ownership of user.
func newPolyhedron(d int, user []Constraint) (*Polyhedron, error) {
	for k := range user {
		c := &user[k]
		c.Name = cmp.Or(c.Name, inequality(c.A, c.B))
		for j, v := range c.A {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return nil, fmt.Errorf("%w: A has %g in row %d, column %d (%q); "+
					"correct it, or drop the row", ErrNotFinite, v, k, j, c.Name)
			}
		}
		if math.IsNaN(c.B) || math.IsInf(c.B, 0) {
			return nil, fmt.Errorf("%w: b has %g in row %d (%q); "+
				"drop the row if it is not a constraint", ErrNotFinite, c.B, k, c.Name)
		}
	}
	p := &Polyhedron{d: d, user: user}
	if err := p.normalise(); err != nil {
		return nil, err
	}
	p.classify()
	if err := p.inscribe(); err != nil {
		return nil, err
	}
	return p, nil
}

// normalise computes the rows that are used in computations.
func (p *Polyhedron) normalise() error {
	d := p.d
	row := make([]float64, d)
	for k, c := range p.user {
		var size float64
		for _, v := range c.A {
			size = max(size, math.Abs(v))
		}
		if size == 0 {
			if c.B < 0 {
				return &ConflictError{Err: ErrEmpty, Rows: []int{k}, Names: []string{c.Name}, Relax: math.Inf(1)}
			}
			continue
		}
		// Each row is multiplied by a power of two that brings its largest coefficient into [1/2,
		// 1); the multiplication is exact. Therefore, the norm does not overflow, and the
		// membership test gives the same result as for the user's rows.
		_, e := math.Frexp(size)
		var ss float64
		for j, v := range c.A {
			row[j] = math.Ldexp(v, -e)
			ss += row[j] * row[j]
		}
		b, norm := math.Ldexp(c.B, -e), math.Sqrt(ss)
		if math.IsInf(b/norm, 0) {
			return fmt.Errorf("%w: b divided by the norm of its row overflows in row %d (%q); "+
				"rescale or drop the row", ErrNotFinite, k, c.Name)
		}
		if p.has(row, b) {
			continue
		}
		p.row = append(p.row, k)
		p.a = append(p.a, row...)
		p.b = append(p.b, b)
		p.inv = append(p.inv, 1/norm)
		for _, v := range row {
			p.unit.A = append(p.unit.A, v/norm)
		}
		p.unit.B = append(p.unit.B, b/norm)
	}
	p.unit.M, p.unit.D = len(p.row), d
	return nil
}

func (p *Polyhedron) has(row []float64, b float64) bool {
next:
	for i, v := range p.b {
		if v != b {
			continue
		}
		for j, v := range p.a[i*p.d : (i+1)*p.d] {
			if v != row[j] {
				continue next
			}
		}
		return true
	}
	return false
}

// classify recognises the sets whose projection needs no quadratic program.
func (p *Polyhedron) classify() {
	lo, hi := make([]float64, p.d), make([]float64, p.d)
	for j := range lo {
		lo[j], hi[j] = math.Inf(-1), math.Inf(1)
	}
	axes := true
	for i, b := range p.b {
		n := 0
		for j, v := range p.a[i*p.d : (i+1)*p.d] {
			switch {
			case v > 0:
				hi[j] = min(hi[j], b/v)
				n++
			case v < 0:
				lo[j] = max(lo[j], b/v)
				n++
			}
		}
		axes = axes && n == 1
	}
	switch {
	case len(p.b) == 0:
		p.shape = whole
	case axes:
		p.shape, p.lo, p.hi = box, lo, hi
	case len(p.b) == 1:
		p.shape = halfSpace
	default:
		p.shape = general
	}
}

// Dim returns d, the number of coordinates of a point.
func (p *Polyhedron) Dim() int { return p.d }

// Rows returns the number of constraints as given by the user, including zero and repeated rows.
func (p *Polyhedron) Rows() int { return len(p.user) }

// Constraint returns a copy of the k-th constraint as given by the user, for 0 <= k < Rows().
func (p *Polyhedron) Constraint(k int) Constraint {
	if k < 0 || k >= len(p.user) {
		panic(panicIndex)
	}
	c := p.user[k]
	c.A = append([]float64(nil), c.A...)
	return c
}

// String lists the constraints by name, for example "{x in R^2 : x[0] >= 0, x[1] <= 3}".
func (p *Polyhedron) String() string {
	if len(p.user) == 0 {
		return fmt.Sprintf("R^%d", p.d)
	}
	names := make([]string, len(p.user))
	for k, c := range p.user {
		names[k] = c.Name
	}
	return fmt.Sprintf("{x in R^%d : %s}", p.d, strings.Join(names, ", "))
}

// A Constraint is one inequality A'x <= B in the units of the user.
type Constraint struct {
	A    []float64 // d coefficients
	B    float64   // right-hand side
	Name string    // name in explanations, such as "efficacy >= 0.40"; never empty
}

// String returns the name of the constraint.
func (c Constraint) String() string { return c.Name }

// inequality formats a'x <= b as readable text, for example "x[0] + 2 x[2] <= 1". If no coefficient
// is positive, both sides are negated, because "x[0] >= 0.4" is easier to read than "-x[0] <=
// -0.4".
func inequality(a []float64, b float64) string {
	sign, relation := 1.0, " <= "
	lower := false
	for _, v := range a {
		if v > 0 {
			lower = false
			break
		}
		lower = lower || v < 0
	}
	if lower {
		sign, relation = -1, " >= "
	}
	var s strings.Builder
	for j, v := range a {
		v *= sign
		if v == 0 {
			continue
		}
		switch {
		case s.Len() == 0 && v < 0:
			s.WriteString("-")
		case s.Len() > 0 && v < 0:
			s.WriteString(" - ")
		case s.Len() > 0:
			s.WriteString(" + ")
		}
		if v = math.Abs(v); v != 1 {
			s.WriteString(number(v))
			s.WriteString(" ")
		}
		s.WriteString("x[")
		s.WriteString(strconv.Itoa(j))
		s.WriteString("]")
	}
	if s.Len() == 0 {
		s.WriteString("0")
	}
	s.WriteString(relation)
	s.WriteString(number(sign*b + 0)) // adding 0 turns -0 into 0
	return s.String()
}

func number(v float64) string { return strconv.FormatFloat(v, 'g', 6, 64) }

// Whole returns R^d, for problems in which every arm is feasible. Whole panics if d < 1.
func Whole(d int) *Polyhedron {
	if d < 1 {
		panic(panicDim)
	}
	return must(newPolyhedron(d, nil))
}

// HalfSpace returns { x : a'x <= b } in dimension len(a) >= 1. If name is empty, the inequality
// itself is the name. HalfSpace returns the same errors as New.
func HalfSpace(a []float64, b float64, name string) (*Polyhedron, error) {
	if len(a) == 0 {
		panic(panicDim)
	}
	return newPolyhedron(len(a), []Constraint{{A: append([]float64(nil), a...), B: b, Name: name}})
}

// AtLeast returns { x : x_c >= lower_c for all c }, for objectives that must each reach a given
// level. If an entry is -Inf, the objective has no bound. If objectives is not nil, it contains the
// names of the objectives, which appear in the names of the constraints, such as "efficacy >= 0.4".
// There is one constraint for each entry that is not -Inf, in order. AtLeast returns an error that
// wraps ErrNotFinite if an entry is NaN or +Inf.
func AtLeast(lower []float64, objectives []string) (*Polyhedron, error) {
	return bounds(lower, nil, objectives)
}

// Box returns { x : lo_c <= x_c <= hi_c for all c }. If an entry of lo is -Inf, the coordinate has
// no lower bound. If an entry of hi is +Inf, the coordinate has no upper bound. If objectives is
// not nil, it contains the names of the coordinates. The constraints are in the order lo_0, hi_0,
// lo_1, hi_1, ..., where missing bounds are skipped.
//
// Box returns an error that wraps ErrNotFinite if an entry is NaN, or infinite with the wrong sign.
// The error wraps ErrEmpty if lo_c > hi_c for some c, and ErrNoInterior if lo_c = hi_c.
func Box(lo, hi []float64, objectives []string) (*Polyhedron, error) {
	if len(lo) != len(hi) {
		panic(panicShape)
	}
	return bounds(lo, hi, objectives)
}

// bounds builds a box; a nil hi means that there are no upper bounds.
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
			return fmt.Errorf("%w: bound %d is %q; use %g for no bound", ErrNotFinite, c, name, math.Inf(int(sign)))
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

// Simplex returns { x in R^d : x >= 0, sum_c x_c <= 1 }. The first d constraints are x_c >= 0, and
// the last constraint is the bound on the sum. The probability simplex, in which the sum is one,
// has no interior. Simplex panics if d < 1.
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
// constraints x_c - x_{c+1} <= 0. Ordered panics if d < 1.
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

// must returns p, and panics if err is not nil. Use must only for sets that are known to have
// interior points.
func must(p *Polyhedron, err error) *Polyhedron {
	if err != nil {
		panic(err)
	}
	return p
}
