package polyhedron

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// What this package panics with when the calling code is wrong.
const (
	panicShape  = "polyhedron: wrong size of a slice or a matrix"
	panicDim    = "polyhedron: dimension less than one"
	panicNoRows = "polyhedron: no constraints; use Whole(d) for the whole space"
	panicIndex  = "polyhedron: constraint index out of range"
)

// Errors that the data can cause. Test for them with errors.Is.
var (
	// ErrNotFinite says that a coefficient or a bound is NaN or infinite.
	ErrNotFinite = errors.New("polyhedron: not a finite number")
	// ErrEmpty says that no point satisfies all constraints.
	ErrEmpty = errors.New("polyhedron: no point satisfies all constraints")
	// ErrNoInterior says that the constraints leave no ball of positive radius.
	ErrNoInterior = errors.New("polyhedron: empty interior")
)

// A ConflictError says which constraints leave no room, and by how much they must give way.
// It wraps ErrEmpty or ErrNoInterior.
type ConflictError struct {
	// Err is ErrEmpty or ErrNoInterior.
	Err error
	// Rows holds the constraints in conflict in increasing order, at most d+1 of them. Without any
	// one of them, the others among them are no longer in conflict. Different conflicts may exist.
	Rows []int
	// Names holds the names of these constraints.
	Names []string
	// Relax is the least h such that moving the faces of these constraints outwards by the distance
	// h, that is, adding h ||a_k|| to b_k, gives them a point in common. It is 0 if they have one
	// already; any larger h leaves them an interior.
	Relax float64
}

// Error names the constraints and says what to do.
func (e *ConflictError) Error() string {
	var s strings.Builder
	s.WriteString(e.Err.Error())
	s.WriteString(": ")
	if len(e.Names) == 0 { // only if rounding hides which ones
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
		s.WriteString(" can never hold; drop it or correct its bound")
	case errors.Is(e.Err, ErrEmpty):
		fmt.Fprintf(&s, " contradict one another; drop one of them, "+
			"or relax b so that each face moves outwards by more than %s", h)
	default:
		s.WriteString(" leave a set without thickness, in which no arm can ever be certified " +
			"feasible; drop one of them, or relax b: if every face moves outwards by h, " +
			"a ball of radius h fits")
	}
	return s.String()
}

// Unwrap returns ErrEmpty or ErrNoInterior.
func (e *ConflictError) Unwrap() error { return e.Err }
