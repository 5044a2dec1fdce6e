package policy

import (
	"cmp"
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policy/internal/arms"
	"github.com/purexp/purexp/pkg/policy/internal/constrained"
	"github.com/purexp/purexp/pkg/policy/internal/patience"
	"github.com/purexp/purexp/pkg/radius"
)

// Struct tags specify the ranges of the exported fields of policies:
//
//	in:"(0,1]"           accepted values; 0 is always accepted and selects the default
//	want:"a fraction"    the text after "expected" in the error for a rejected value
//	label:"rounding %v"  text in labels, omitted for 0 and usual values; a | separates one text for each value
//	label:"!level %v"    text that labels always show, before the other texts
//	usual:"0.1"          the value that labels omit: usually the default, which 0 selects

// checked returns the error probability and the radius of the policy p. If a setting is out of
// range, checked returns an error that names the first such setting.
func checked(p any, delta float64, r radius.Radius) (float64, radius.Radius, error) {
	v := reflect.ValueOf(p).Elem()
	for i := range v.NumField() {
		f, x := v.Type().Field(i), 0.
		in := f.Tag.Get("in")
		switch {
		case in == "":
			continue
		case v.Field(i).CanFloat():
			x = v.Field(i).Float()
		default:
			x = float64(v.Field(i).Int())
		}
		if x != 0 && !within(in, x) {
			return 0, nil, fmt.Errorf("policy: %s.%s is %v; expected %s", v.Type().Name(), f.Name, x, f.Tag.Get("want"))
		}
	}
	return confidence(delta, r)
}

// Set stores value in the exported field of the policy p, a pointer to a struct, and reports whether
// p has such a field for values of that type.
func Set(p any, field string, value any) bool {
	f, own := reflect.ValueOf(p).Elem().FieldByName(field), reflect.ValueOf(value)
	fits := f.CanSet() && own.IsValid() && own.Type().AssignableTo(f.Type())
	if fits {
		f.Set(own)
	}
	return fits
}

// within reports whether x is in an interval given as text, such as "[0,inf)".
func within(interval string, x float64) bool {
	n := len(interval) - 1
	lo, hi, _ := strings.Cut(interval[1:n], ",")
	a, _ := strconv.ParseFloat(lo, 64)
	b, _ := strconv.ParseFloat(hi, 64)
	return (x > a || x == a && interval[0] == '[') && (x < b || x == b && interval[n] == ']')
}

// named returns the label of the policy p, for tables, files and saved campaigns. A label consists
// of the name, the error probability or budget and the constants in parentheses, and the settings
// that differ from their defaults.
//
//	GEGE (delta 0.1, theory), scale 2, design mirror descent
func named(name string, p any, constants ...any) string {
	v := reflect.ValueOf(p).Elem()
	if delta := v.FieldByName("Delta"); delta.IsValid() {
		// Print ten digits, because a computed delta can have rounding errors in its last digits.
		name += fmt.Sprintf(" (delta %.10g", cmp.Or(delta.Float(), DefaultDelta))
	} else {
		name += fmt.Sprintf(" (budget %d", v.FieldByName("Budget").Int())
	}
	for _, c := range constants {
		name += fmt.Sprintf(", %v", c)
	}
	name += ")"
	for i := range 2 * v.NumField() { // the texts that labels always show come first
		first, i := i < v.NumField(), i%v.NumField()
		f := v.Type().Field(i)
		text, always := strings.CutPrefix(f.Tag.Get("label"), "!")
		if text == "" || always != first || !always && v.Field(i).IsZero() {
			continue
		}
		x := v.Field(i).Interface()
		if texts := strings.Split(text, "|"); len(texts) > 1 {
			text = texts[min(max(int(v.Field(i).Int()), 0), len(texts)-1)]
		} else if strings.Contains(text, "%") {
			text = fmt.Sprintf(text, x)
		}
		if usual, ok := f.Tag.Lookup("usual"); ok && fmt.Sprint(x) == usual || text == "" {
			continue
		}
		name += ", " + text
	}
	return name
}

// DefaultDelta is the error probability of a policy whose Delta is zero.
const DefaultDelta = 0.1

// ErrUndecidable reports that items are too close for a policy to distinguish them. A policy with
// phases returns ErrUndecidable instead of starting a phase that would be too long. A sequential
// policy returns ErrUndecidable after 1e12 rewards. Rounds grow, so 1e12 rewards take only about a
// million rounds. To avoid ErrUndecidable, ask a question with a tolerance, such as Epsilon.
var ErrUndecidable = patience.ErrUndecidable

// leastDelta is the smallest error probability that policies accept. With this error probability,
// the share of Delta for a single round, arm or pair does not underflow.
const leastDelta = 1e-100

// largestBudget is the largest budget that policies accept if they compute their schedule in
// float64. All integers up to largestBudget are exact in float64.
const largestBudget = min(1<<53, math.MaxInt)

// confidence returns Delta and Radius with defaults for zero values, or an error for an invalid
// value.
func confidence(delta float64, r radius.Radius) (float64, radius.Radius, error) {
	delta = cmp.Or(delta, DefaultDelta)
	if delta > 0 && delta < leastDelta {
		return 0, nil, fmt.Errorf("policy: Delta is %v; expected an error probability of at least %v",
			delta, leastDelta)
	}
	if !(delta > 0 && delta < 1) {
		return 0, nil, fmt.Errorf("policy: Delta is %v; expected an error probability between 0 and 1", delta)
	}
	r = orTheory(r)
	if v, ok := r.(interface{ Validate() error }); ok {
		if err := v.Validate(); err != nil {
			return 0, nil, err
		}
	}
	return delta, r, nil
}

// orTheory returns r or, if r is nil, radius.Theory.
func orTheory(r radius.Radius) radius.Radius { return cmp.Or[radius.Radius](r, radius.Theory{}) }

// orKaufmannKoolen returns r or, if r is nil, radius.KaufmannKoolen, which resembles the radii in
// the papers of the calling policies.
func orKaufmannKoolen(r radius.Radius) radius.Radius {
	return cmp.Or[radius.Radius](r, radius.KaufmannKoolen{})
}

// inf is +Inf, which is also the minimum of an empty set of numbers.
var inf = math.Inf(1)

// startConstrained initialises the state c for policies that use the stopping rule of
// constrained.State.
func startConstrained(c *constrained.State, prob *explore.Problem, delta float64, r radius.Radius) error {
	delta, r, err := confidence(delta, r)
	if err != nil {
		return err
	}
	region, err := constrained.Region(prob)
	if err != nil {
		return err
	}
	c.Init(prob, region, arms.Bind(r, prob, delta))
	return nil
}

// budgetError returns an error for a budget that is too small; it wraps explore.ErrBudget.
func budgetError(name string, budget, least int) error {
	return tooSmall{fmt.Sprintf("policy: %s.Budget is %d; this problem needs at least %d pulls", name, budget, least)}
}

// tooSmall is an explore.ErrBudget that states the smallest budget that the policy accepts.
type tooSmall struct{ text string }

func (t tooSmall) Error() string { return t.text }
func (tooSmall) Unwrap() error   { return explore.ErrBudget }

// measurable returns an error unless the items of prob are its arms.
func measurable(prob *explore.Problem, name string) error {
	if prob.Z != nil {
		return fmt.Errorf("policy: %s: the items (Z) are not the arms; leave Z nil: %w", name, explore.ErrQuestion)
	}
	return nil
}
