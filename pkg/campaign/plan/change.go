package plan

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/purexp/purexp/pkg/campaign/problem"
)

// Change is a variant of a problem in which one number has another value.
type Change struct {
	// Objective is the name of the changed objective or constraint. Objective is empty if Field is
	// delta, count, plate, fill, at_once, measurements, failures, late or late_by.
	Objective string
	// Field is delta, count, plate, fill, at_once, measurements, failures, late, late_by, tolerance, slack,
	// at_least, at_most or sd.
	Field string
	// Value is the new value; for the field fill, 1 means true and 0 means false.
	Value float64
}

// String formats the change for ParseChange, such as "yield.tolerance = 2".
func (c Change) String() string {
	if c.Field == "fill" {
		return fmt.Sprintf("fill = %v", c.Value != 0)
	}
	if c.Objective == "" {
		return fmt.Sprintf("%s = %v", c.Field, c.Value)
	}
	return fmt.Sprintf("%s.%s = %v", c.Objective, c.Field, c.Value)
}

var (
	overall = []string{"delta", "count", "plate", "fill", "at_once", "measurements", "failures", "late",
		"late_by"}
	by = []string{"tolerance", "slack", "at_least", "at_most", "sd"}
)

// ParseChange parses a change such as "delta=0.1", "plate = 96" or "yield.tolerance=2". In the text
// of a change, the name of the objective ends at the last dot before the equals sign.
func ParseChange(text string) (Change, error) {
	left, right, ok := strings.Cut(text, "=")
	bad := func(what string) (Change, error) {
		return Change{}, optionError(fmt.Sprintf("%q: %s; expected, for example, delta=0.1, plate=96 or "+
			"yield.tolerance=2", text, what))
	}
	if !ok {
		return bad("no equals sign")
	}
	left, right = strings.TrimSpace(left), strings.TrimSpace(right)
	if left == "fill" {
		switch right {
		case "true":
			return Change{Field: left, Value: 1}, nil
		case "false":
			return Change{Field: left}, nil
		}
		return bad("the value of fill is neither true nor false")
	}
	value, err := strconv.ParseFloat(right, 64)
	if err != nil || math.IsNaN(value) || math.IsInf(value, 0) {
		return bad("the text after the equals sign is not a number")
	}
	c := Change{Field: left, Value: value}
	if at := strings.LastIndexByte(left, '.'); at >= 0 {
		c.Objective = problem.Normal(left[:at])
		c.Field = strings.TrimSpace(left[at+1:])
		if !slices.Contains(by, c.Field) || c.Objective == "" {
			return bad(fmt.Sprintf("unknown field of an objective (the fields are %s)", strings.Join(by, ", ")))
		}
	} else if !slices.Contains(overall, c.Field) {
		return bad(fmt.Sprintf("unknown field (the fields are %s, or OBJECTIVE.FIELD)", strings.Join(overall, ", ")))
	}
	return c, nil
}

// Apply returns a copy of p with the change.
func (c Change) Apply(p *problem.Problem) (*problem.Problem, error) {
	q := p.Clone()
	var err error
	lab := &q.Laboratory
	numbers := map[string]*float64{"failures": &lab.Failures, "late": &lab.Late}
	counts := map[string]*int{"count": &q.Question.Count, "plate": &lab.Plate, "at_once": &lab.AtOnce,
		"measurements": &lab.Measurements, "late_by": &lab.LateBy}
	switch {
	case c.Objective != "":
		err = c.objective(q)
	case c.Field == "delta":
		// If delta changes, the fraction of delta that pilots use does not change.
		share := c.Value / q.Question.Delta
		q.Question.Delta = c.Value
		for i := range q.Objectives {
			if n := q.Objectives[i].Noise.Pilot; n != nil {
				own := *n
				own.Delta *= share
				q.Objectives[i].Noise.Pilot = &own
			}
		}
	case c.Field == "fill":
		lab.Fill = c.Value != 0
	case numbers[c.Field] != nil:
		*numbers[c.Field] = c.Value
	case counts[c.Field] == nil:
		err = optionError(fmt.Sprintf("%s: unknown change", c))
	case c.Value != math.Trunc(c.Value) || math.Abs(c.Value) > 1e9:
		err = optionError(fmt.Sprintf("%s: expected a whole number", c))
	default:
		if *counts[c.Field] = int(c.Value); c.Field == "measurements" {
			q.Method.Budget = 0
			q.Begin(p)
		}
	}
	if err != nil {
		return nil, err
	}
	if err = q.Validate(); err == nil {
		err = q.Ready()
	}
	if err != nil {
		return nil, fmt.Errorf("plan: %s: %w", c, err)
	}
	return q, nil
}

// objective applies the change to an objective or a constraint of q.
func (c Change) objective(q *problem.Problem) error {
	value := c.Value
	var numbers map[string]*float64
	var bounds map[string]**float64
	if i := q.Objective(c.Objective); i >= 0 {
		o := &q.Objectives[i]
		numbers = map[string]*float64{"tolerance": &o.Tolerance, "slack": &o.Slack}
		bounds = map[string]**float64{"at_least": &o.AtLeast, "at_most": &o.AtMost}
		if c.Field == "sd" && o.Noise.SD == nil {
			return optionError(fmt.Sprintf("%s: the problem gives no sd for %s; change another field", c, o.Name))
		}
		bounds["sd"] = &o.Noise.SD
	} else if i := slices.IndexFunc(q.Constraints,
		func(s problem.Constraint) bool { return s.Name == c.Objective }); i >= 0 {
		s := &q.Constraints[i]
		numbers = map[string]*float64{"slack": &s.Slack}
		bounds = map[string]**float64{"at_least": &s.AtLeast, "at_most": &s.AtMost}
	} else {
		return optionError(fmt.Sprintf("%s: unknown objective or constraint %q", c, c.Objective))
	}
	switch {
	case numbers[c.Field] != nil:
		*numbers[c.Field] = value
	case bounds[c.Field] != nil:
		*bounds[c.Field] = &value
	default:
		return optionError(fmt.Sprintf("%s: unknown field of a constraint; expected slack, at_least or at_most", c))
	}
	return nil
}

// Changes returns the default changes of p. The default changes are twice the error probability or
// budget, another plate size, and, where they apply, unfilled plates, no failures, no late results,
// larger tolerances and a looser first bound.
func Changes(p *problem.Problem) []Change {
	list := []Change{{"", "delta", round(min(2*p.Question.Delta, .4))}}
	if p.FixedBudget() {
		list[0] = Change{"", "measurements", float64(2 * p.Budget())}
	}
	if n := p.Laboratory.Wells(); n == 1 {
		list = append(list, Change{"", "plate", 8})
	} else {
		list = append(list, Change{"", "plate", float64(4 * n)})
	}
	if p.Laboratory.Fill {
		list = append(list, Change{"", "fill", 0})
	}
	if p.Laboratory.Failures > 0 {
		list = append(list, Change{"", "failures", 0})
	}
	if p.Laboratory.Late > 0 {
		list = append(list, Change{"", "late", 0})
	}
	most := len(list) + 2
	for i := range p.Objectives {
		o := &p.Objectives[i]
		if o.Known || o.Goal == problem.Bounded {
			continue
		}
		if tolerances, _ := p.Tolerant(); !tolerances {
			break
		}
		t := cmp.Or(round(2*o.Tolerance), round(o.Sigma()/2/o.Result(1)))
		list = append(list, Change{o.Name, "tolerance", t})
		if len(list) == most {
			break
		}
	}
	for i := range p.Objectives {
		o := &p.Objectives[i]
		if o.Known {
			continue
		}
		sd := o.Sigma() / o.Result(1)
		if o.AtLeast != nil {
			return append(list, Change{o.Name, "at_least", looser(*o.AtLeast, -sd, o.Guesses)})
		}
		if o.AtMost != nil {
			return append(list, Change{o.Name, "at_most", looser(*o.AtMost, sd, o.Guesses)})
		}
	}
	return list
}

// looser moves a bound by about half a standard deviation. The new bound differs from all guesses,
// because a simulated campaign cannot classify a candidate on the bound.
func looser(bound, sd float64, guesses []float64) (x float64) {
	for twentieths := 10.; twentieths < 20; twentieths++ {
		x = round(bound + sd*twentieths/20)
		if !slices.ContainsFunc(guesses, func(g float64) bool { return math.Abs(g-x) < math.Abs(sd)/5 }) {
			break
		}
	}
	return x
}

func round(x float64) float64 {
	r, _ := strconv.ParseFloat(strconv.FormatFloat(x, 'g', 3, 64), 64) // FormatFloat writes only valid numbers
	return r
}
