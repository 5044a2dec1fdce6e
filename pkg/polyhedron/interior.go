package polyhedron

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/floats"

	"github.com/purexp/purexp/pkg/internal/activeset"
)

// thin is a bound on a relative radius: if the radius of the largest ball in a set is at most thin
// times the largest |b_k| / ||a_k||, the set counts as having no interior.
const thin = 1e-12

// inscribe finds a Chebyshev centre of P, which is the centre of a largest ball in P. If P has no
// interior, inscribe returns an error that names the conflicting constraints. If P contains
// arbitrarily large balls, as half-spaces and cones with interior do, the radius is +Inf. For such
// a P, the distance of the centre from the boundary is at least one. For a finite radius, the error
// of the radius is at most about 1e-12 times the largest |b_k| / ||a_k||.
//
// To find a Chebyshev centre, solve the linear program of Boyd and Vandenberghe, Convex
// Optimization (2004), section 8.5.1,
//
//	maximise r  subject to  a_k'x + r <= b_k,  ||a_k|| = 1,
//
// whose optimal r is negative if P is empty. inscribe solves the program by proximal steps, which
// are projections of (x, r + c) onto the constraints. Finitely many steps reach the optimum. The
// last step yields a basis and multipliers that prove optimality. Projections are used because the
// package already implements them. A solver for linear programs would first need a feasible point
// and a conversion to standard form.
func (p *Polyhedron) inscribe() error {
	m, d := p.unit.M, p.d
	p.centre = make([]float64, d)
	p.radius = math.Inf(1)
	if m == 0 || p.inscribeAny() {
		return nil
	}
	size := 0.0 // the largest |b_k|
	for _, b := range p.unit.B {
		size = max(size, math.Abs(b))
	}
	size = cmp.Or(size, 1)
	lp := p.ballProgram(size)
	var ws Workspace
	z := ws.maximise(&lp)
	for j := range p.centre {
		p.centre[j] = z[j] * size
	}
	_, p.radius = p.least(p.centre)
	if p.radius > thin*size {
		return nil
	}
	return p.conflict(&ws.qp, &lp, size)
}

// If P contains arbitrarily large balls, inscribeAny moves the centre to a point whose distance
// from the boundary is at least one. P contains arbitrarily large balls if and only if some
// direction v leads away from all faces, that is, a_k'v <= -1 for all k.
func (p *Polyhedron) inscribeAny() bool {
	m, d := p.unit.M, p.d
	away := activeset.System{M: m, D: d, A: p.unit.A, B: make([]float64, m)}
	deepest := 0.0 // the smallest right-hand side b_k, or 0 if no b_k is negative
	for k, b := range p.unit.B {
		away.B[k] = -1
		deepest = min(deepest, b)
	}
	var w activeset.Projector
	if w.Project(&away, make([]float64, d), -1) != activeset.Solved {
		return false
	}
	// At the centre, the slack of row k is at least b_k + 2 - deepest, which is at least 2. With
	// rounding errors, the slack is still at least 1.
	floats.AddScaled(p.centre, 2-deepest, w.X)
	return true
}

// ballProgram returns the constraints of the linear program on (x, r), with rows of norm one. All
// b_k are divided by size, so that one tolerance is suitable for every unit.
func (p *Polyhedron) ballProgram(size float64) activeset.System {
	m, d := p.unit.M, p.d
	lp := activeset.System{M: m, D: d + 1, A: make([]float64, m*(d+1)), B: make([]float64, m)}
	for k := range m {
		row := lp.Row(k)
		copy(row, p.unit.Row(k))
		row[d] = 1
		for j := range row {
			row[j] /= math.Sqrt2
		}
		lp.B[k] = p.unit.B[k] / size / math.Sqrt2
	}
	return lp
}

// maximise returns the point of lp whose last coordinate is largest. The multipliers that prove its
// optimality remain in ws.qp.
func (ws *Workspace) maximise(lp *activeset.System) []float64 {
	last := lp.D - 1
	z, from := make([]float64, lp.D), make([]float64, lp.D)
	step := func(c float64) (moved float64) {
		copy(from, z)
		from[last] += c
		ws.project(lp, from, -1)
		for j, v := range ws.qp.X {
			moved = max(moved, math.Abs(v-z[j]))
		}
		copy(z, ws.qp.X)
		return moved
	}
	// Long steps reach the end of long and thin sets; steps of length one improve the accuracy.
	for c := 1.0; c < 1e9; c *= 4 {
		if step(c) <= 1e-13*(c+math.Sqrt(dot(z, z))) {
			break
		}
	}
	for range 10 {
		if step(1) <= 1e-15*(1+math.Sqrt(dot(z, z))) {
			break
		}
	}
	return z
}

// conflict returns the error that names the constraints which leave no room for a ball, given the
// multipliers at the optimum of inscribe.
//
// The multipliers l >= 0 of the active rows satisfy sum l_k a_k = 0 and sum l_k = 1; hence, r <=
// sum l_k b_k for every ball. Because the rows (a_k, 1) are independent, the dependence among the
// a_k is unique, so no proper subset of these rows is in conflict.
func (p *Polyhedron) conflict(q *activeset.Projector, lp *activeset.System, size float64) error {
	e := &ConflictError{Err: ErrNoInterior}
	var bound, total float64
	for j, k := range q.Active {
		bound += q.U[j] * lp.B[k] * math.Sqrt2
		total += q.U[j]
	}
	for j, k := range q.Active {
		if q.U[j] > 1e-9*total {
			e.Rows = append(e.Rows, p.row[k])
		}
	}
	slices.Sort(e.Rows)
	for _, k := range e.Rows {
		e.Names = append(e.Names, p.user[k].Name)
	}
	if bound /= total; bound < -thin {
		e.Err = ErrEmpty
		e.Relax = -bound * size
	}
	return e
}

// The following constants are panic messages for incorrect calls.
const (
	panicShape  = "polyhedron: a slice or a matrix has the wrong size"
	panicDim    = "polyhedron: dimension less than one"
	panicNoRows = "polyhedron: no constraints; use Whole(d) for the whole space"
	panicIndex  = "polyhedron: constraint index out of range"
)

// The following errors are due to the data; test for them with errors.Is.
var (
	// ErrNotFinite means that a coefficient or a bound is NaN or infinite.
	ErrNotFinite = errors.New("polyhedron: not a finite number")
	// ErrEmpty means that no point satisfies all constraints.
	ErrEmpty = errors.New("polyhedron: no point satisfies all constraints")
	// ErrNoInterior means that no ball with a positive radius satisfies all constraints.
	ErrNoInterior = errors.New("polyhedron: empty interior")
)

// A ConflictError names constraints that are in conflict, and the distance by which they must be
// relaxed. A ConflictError wraps ErrEmpty or ErrNoInterior.
type ConflictError struct {
	// Err is ErrEmpty or ErrNoInterior.
	Err error
	// Rows contains the indices of the constraints in conflict, in increasing order; there are at
	// most d+1. If any one of these constraints is removed, the remaining constraints are not in
	// conflict. The polyhedron may have further conflicts between constraints.
	Rows []int
	// Names contains the names of the constraints in Rows.
	Names []string
	// Relax is the smallest h such that the constraints in Rows have a common point when their
	// faces are moved outwards by h. Moving a face by h adds h ||a_k|| to b_k. If the constraints
	// already have a common point, Relax is 0. If the faces are moved by more than Relax, the
	// constraints have an interior.
	Relax float64
}

// Error names the constraints and states how to fix the conflict.
func (e *ConflictError) Error() string {
	var s strings.Builder
	s.WriteString(e.Err.Error())
	s.WriteString(": ")
	if len(e.Names) == 0 { // Rows is empty only if rounding hides the rows in conflict
		s.WriteString("the constraints")
	}
	for i, name := range e.Names {
		switch {
		case i == 0:
		case i == len(e.Names)-1:
			s.WriteString(" and ")
		default:
			s.WriteString(", ")
		}
		s.WriteString(strconv.Quote(name))
	}
	h := number(e.Relax)
	switch {
	case errors.Is(e.Err, ErrEmpty) && len(e.Names) == 1:
		s.WriteString(" cannot be satisfied; drop the constraint, or correct its bound")
	case errors.Is(e.Err, ErrEmpty):
		fmt.Fprintf(&s, " contradict one another; drop one of them, "+
			"or relax b so that each face moves outwards by more than %s", h)
	default:
		s.WriteString(" leave a set with an empty interior, so no arm can be certified feasible; " +
			"drop one of them, or relax b: if each face moves outwards by h, a ball of radius h fits")
	}
	return s.String()
}

// Unwrap returns ErrEmpty or ErrNoInterior.
func (e *ConflictError) Unwrap() error { return e.Err }
