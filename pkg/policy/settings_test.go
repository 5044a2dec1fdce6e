package policy_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/purexp/purexp/internal/golden"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policy"
)

// A setting that is out of range is refused by an error that names it, whatever else is the default.
// testdata/settings.txt has what each setting takes and what it does not; a number that is none is
// taken by nobody. PATHS=write writes it.
func TestSettingsAreChecked(t *testing.T) {
	var lines []string
	for _, create := range policy.Catalogue() {
		typ := reflect.TypeOf(create()).Elem()
		s := siteFor(create)
		if s == nil {
			t.Errorf("%s can be asked nothing", typ.Name())
			continue
		}
		for _, f := range reflect.VisibleFields(typ) {
			if !f.IsExported() || len(f.Index) > 1 {
				continue
			}
			var takes, refuses []string
			for _, x := range []float64{math.Inf(-1), -2, -1, -1e-3, 1e-3, .5, 1, 2, 3, 4, 5, 99, 1e9,
				math.Inf(1), math.NaN()} {
				p := s.usual(create)
				field := reflect.ValueOf(p).Elem().FieldByIndex(f.Index)
				if !set(field, x) {
					continue
				}
				err := p.Init(&s.Problem, rand.NewPCG(1, 2))
				switch {
				case err == nil && math.IsNaN(x):
					t.Errorf("%s.%s is NaN, and taken", typ.Name(), f.Name)
				case err == nil:
					takes = append(takes, fmt.Sprint(x))
				case strings.Contains(err.Error(), f.Name) && !strings.Contains(err.Error(), fmt.Sprintf("%s is %v", f.Name, x)) &&
					!strings.Contains(err.Error(), fmt.Sprintf("%s is %v", f.Name, field)):
					refuses = append(refuses, fmt.Sprintf("%v (value unsaid)", x))
				case strings.Contains(err.Error(), f.Name):
					refuses = append(refuses, fmt.Sprint(x))
				default:
					refuses = append(refuses, fmt.Sprintf("%v (unnamed)", x))
				}
			}
			if takes != nil || refuses != nil {
				lines = append(lines, fmt.Sprintf("%s.%s: takes %s; refuses %s", typ.Name(), f.Name,
					strings.Join(takes, " "), strings.Join(refuses, " ")))
			}
		}
	}
	golden.Lines(t, "testdata/settings.txt", lines)
}

// siteFor returns a site about which a policy with its usual settings can be asked.
func siteFor(create func() explore.Carded) *site {
	for _, s := range sites() {
		if s.K() > 1 && s.usual(create).Init(&s.Problem, rand.NewPCG(1, 2)) == nil {
			return &s
		}
	}
	return nil
}

// usual returns a policy with its default settings, and those that have no default.
func (s *site) usual(create func() explore.Carded) explore.Policy {
	p := budgeted(create(), 250)
	switch p := p.(type) {
	case *policy.XYOracle:
		p.Means = s.means
	case *policy.LinGIFA:
		p.M = 2
	case *policy.MLinGapE:
		p.M = 2
	}
	return p
}

// set sets a field to x if it can hold it.
func set(f reflect.Value, x float64) bool {
	switch f.Kind() {
	case reflect.Float64:
		f.SetFloat(x)
		return true
	case reflect.Int:
		f.SetInt(int64(math.Max(math.Min(x, 99), -99)))
		return x == math.Trunc(x) && math.Abs(x) < 100
	}
	return false
}
