package policy

import (
	"cmp"
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"github.com/purexp/purexp/pkg/radius"
)

// Fields of policies are described by tags:
//
//	in:"(0,1]"           the numbers that it takes besides 0, which is the default
//	want:"a fraction"    what the error asks for whose number is not in there
//	label:"rounding %v"  how labels show it, not if it is 0 or usual; one text for each value has a | between any two
//	label:"!level %v"    so that labels always show it
//	usual:"0.1"          what 0 means

// checked returns the error probability and the radius of the policy p, or an error that names a setting that is wrong.
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
			return 0, nil, fmt.Errorf("policy: %s.%s is %v; want %s", v.Type().Name(), f.Name, x, f.Tag.Get("want"))
		}
	}
	return confidence(delta, r)
}

// within reports whether x is in an interval such as "[0,inf)".
func within(interval string, x float64) bool {
	n := len(interval) - 1
	lo, hi, _ := strings.Cut(interval[1:n], ",")
	a, _ := strconv.ParseFloat(lo, 64)
	b, _ := strconv.ParseFloat(hi, 64)
	return (x > a || x == a && interval[0] == '[') && (x < b || x == b && interval[n] == ']')
}

// named returns the label of the policy p: its name with the error probability or the budget and with constants that
// labels always show, and the settings that are not usual.
func named(name string, p any, constants ...any) string {
	v := reflect.ValueOf(p).Elem()
	if budget := v.FieldByName("Budget"); budget.IsValid() {
		name += fmt.Sprintf(" (budget %d", budget.Int())
	} else { // not every digit of a difference
		name += fmt.Sprintf(" (delta %.10g", cmp.Or(v.FieldByName("Delta").Float(), DefaultDelta))
	}
	for _, c := range constants {
		name += fmt.Sprintf(", %v", c)
	}
	name += ")"
	for i := range v.NumField() {
		f := v.Type().Field(i)
		text, always := strings.CutPrefix(f.Tag.Get("label"), "!")
		if text == "" || !always && v.Field(i).IsZero() {
			continue
		}
		x := v.Field(i).Interface()
		if texts := strings.Split(text, "|"); len(texts) > 1 {
			text = texts[min(max(int(v.Field(i).Int()), 0), len(texts)-1)]
		} else if strings.Contains(text, "%") {
			text = fmt.Sprintf(text, x)
		}
		if !always && fmt.Sprint(x) == f.Tag.Get("usual") || text == "" {
			continue
		}
		name += ", " + text
	}
	return name
}
