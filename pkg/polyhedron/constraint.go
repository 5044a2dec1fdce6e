package polyhedron

import (
	"math"
	"strconv"
	"strings"
)

// A Constraint is one inequality A'x <= B in the units in which the user wrote it.
type Constraint struct {
	A    []float64 // d coefficients
	B    float64   // right-hand side
	Name string    // for explanations, such as "efficacy >= 0.40"; never empty
}

// String returns the name.
func (c Constraint) String() string { return c.Name }

// inequality writes a'x <= b as a person would: "x[0] + 2 x[2] <= 1". If no coefficient is positive
// the signs are turned, because "x[0] >= 0.4" reads better than "-x[0] <= -0.4".
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
	s.WriteString(number(sign*b + 0)) // the sum turns -0 into 0
	return s.String()
}

// number prints v with at most six significant digits.
func number(v float64) string { return strconv.FormatFloat(v, 'g', 6, 64) }
