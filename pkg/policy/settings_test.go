package policy_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/internal/golden"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policy"
	"github.com/purexp/purexp/pkg/question"
	"github.com/purexp/purexp/pkg/radius"
)

// For each setting, testdata/pins lists the accepted and rejected values while the other settings have their defaults.
// It also marks the errors that do not name the setting or its value. NaN is always rejected. PATHS=write rewrites
// testdata/pins.
func TestSettingsAreChecked(t *testing.T) {
	lines := map[string][]string{}
	for _, create := range policy.Catalogue() {
		typ := reflect.TypeOf(create()).Elem()
		lines[typ.Name()] = nil
		s := siteFor(create)
		if s == nil {
			t.Errorf("%s answers no known question", typ.Name())
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
					t.Errorf("%s.%s accepts NaN", typ.Name(), f.Name)
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
				lines[typ.Name()] = append(lines[typ.Name()], fmt.Sprintf("%s: takes %s; refuses %s", f.Name,
					strings.Join(takes, " "), strings.Join(refuses, " ")))
			}
		}
	}
	golden.Pins(t, "pins", "setting", false, lines)
}

// siteFor returns a site that a policy supports with its default settings.
func siteFor(create func() explore.Describer) *site {
	for _, s := range sites() {
		if s.K() > 1 && s.usual(create).Init(&s.Problem, rand.NewPCG(1, 2)) == nil {
			return &s
		}
	}
	return nil
}

// usual returns a policy with its default settings; settings without a default get suitable values.
func (s *site) usual(create func() explore.Describer) explore.Policy {
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

// set sets a field and reports whether the field can hold x.
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

// Labels identify policies in result tables and saved campaigns, and therefore must not change. The test labels each
// policy with each of its settings alone, and with all settings at once.
func TestLabels(t *testing.T) {
	lines := map[string][]string{}
	for _, create := range policy.Catalogue() {
		typ := reflect.TypeOf(create()).Elem()
		write := func(set map[string]any) {
			p := reflect.New(typ)
			for name, v := range set {
				p.Elem().FieldByName(name).Set(reflect.ValueOf(v))
			}
			lines[typ.Name()] = append(lines[typ.Name()], fmt.Sprintf("%v: %s", set, explore.Name(p.Interface().(explore.Policy))))
		}
		write(nil)
		all := map[string]any{}
		for _, f := range reflect.VisibleFields(typ) {
			if values := settings(f); len(values) > 0 {
				all[f.Name] = values[len(values)/2]
				write(map[string]any{f.Name: all[f.Name]})
			}
		}
		write(all)
	}
	golden.Pins(t, "pins", "label", false, lines)
}

// settings returns values of an exported field of a policy, including defaults of some policies.
func settings(f reflect.StructField) (values []any) {
	if !f.IsExported() || f.Anonymous || len(f.Index) > 1 {
		return nil
	}
	switch f.Type {
	case reflect.TypeFor[radius.Radius]():
		return []any{radius.Theory{}, radius.Paper{}, radius.KaufmannKoolen{}, policy.AuerRadius{}, policy.AuerRadius{Scale: 2}}
	case reflect.TypeFor[policy.Threshold]():
		return []any{policy.SelfNormalized{}, policy.Heuristic{}, policy.MixtureMartingales{},
			policy.MixtureMartingales{Printed: true}, policy.SelfNormalized{U: 2}}
	}
	v := reflect.New(f.Type).Elem()
	switch f.Type.Kind() {
	case reflect.Bool:
		v.SetBool(true)
		return []any{v.Interface()}
	case reflect.Int:
		for _, n := range []int64{1, 2, 7} {
			if n < 3 || f.Type == reflect.TypeFor[int]() {
				v.SetInt(n)
				values = append(values, v.Interface())
			}
		}
	case reflect.Float64:
		for _, x := range []float64{.1, .5, 1.35, 12345.678} {
			v.SetFloat(x)
			values = append(values, v.Interface())
		}
	case reflect.Array:
		v.Index(1).SetFloat(1)
		return []any{v.Interface()}
	}
	return values
}

// Limits are accepted, and the adjacent numbers are rejected with an error that names the limit. The limits are
// those of Delta, of Budget for schedules that are computed in float64, of Growth and of Lazy.
func TestLimitsAreTaken(t *testing.T) {
	begin := func(p explore.Policy, q explore.Question, d int) error {
		_, err := explore.NewSession(p, &explore.Problem{Arms: 3, Objectives: d, Sigma: 1, Question: q}, nil)
		return err
	}
	best, front, most := question.Best{}, question.Pareto{}, int(min(int64(1<<53), math.MaxInt-1))
	for _, x := range []struct {
		name    string
		at      error
		beyond  error
		outside string
	}{
		{"Delta", begin(&policy.APE{Delta: 1e-100}, front, 2), begin(&policy.APE{Delta: 9.99e-101}, front, 2), "at least 1e-100"},
		{"Delta near 1", begin(&policy.APE{Delta: 1 - 1e-9}, front, 2), begin(&policy.APE{Delta: 1}, front, 2), "between 0 and 1"},
		{"EGESR", begin(&policy.EGESR{Budget: most}, front, 2), begin(&policy.EGESR{Budget: most + 1}, front, 2), "at most 2^53"},
		{"Growth", begin(&policy.XYStatic{Growth: 16}, best, 1), begin(&policy.XYStatic{Growth: 16.001}, best, 1), "at most 16"},
		{"Growth near 1", begin(&policy.XYStatic{Growth: 1.001}, best, 1), begin(&policy.XYStatic{Growth: 1}, best, 1), "above 1"},
		{"Lazy", begin(&policy.LazyTrackAndStop{Lazy: 16}, best, 1), begin(&policy.LazyTrackAndStop{Lazy: 16.001}, best, 1), "at most 16"},
	} {
		if x.at != nil || x.beyond == nil || !strings.Contains(x.beyond.Error(), x.outside) {
			t.Errorf("%s: at the limit %v, beyond %v; want it accepted, and %q", x.name, x.at, x.beyond, x.outside)
		}
	}
}

// Policies whose tables grow with the square of the number of arms return an error instead of allocating 75 GiB.
func TestTooManyArms(t *testing.T) {
	const k = 100_000
	features := mat.NewDense(k, 2, nil)
	for i := range k {
		features.SetRow(i, []float64{1, float64(i)})
	}
	wide := mat.NewDense(2, k, nil)
	wide.Set(0, 0, 1)
	wide.Set(1, 1, 1)
	good, best := question.AllEpsilonBest{Epsilon: .1}, question.Best{}
	front := question.Pareto{}
	for _, c := range []struct {
		policy explore.Policy
		x      *mat.Dense
		q      explore.Question
		says   string
	}{
		{&policy.RAGE{}, nil, best, "parameters of arms without features, 100000 x 100000"},
		{&policy.LinGame{}, nil, best, "parameters of arms without features, 100000 x 100000"},
		{&policy.LinFACT{}, nil, good, "parameters of arms without features, 100000 x 100000"},
		{&policy.Sparing{}, nil, front, "pairs of arms, 100000 x 100000"},
		{&policy.PFIwR{}, nil, front, "features of the model, 100000 x 100000"},
		{&policy.PFIwR{}, wide, front, "features of the model, 100000 x 100000"},
		{&policy.LinGIFA{M: 2}, features, good, "covariances of the arms, 100000 x 100000"},
		{&policy.KGCB{Budget: k}, features, good, "covariances of the arms, 100000 x 100000"},
		{&policy.KGCB{Budget: k}, wide, good, "information about the features, 100000 x 100000"},
	} {
		p := &explore.Problem{X: c.x, Sigma: 1, Question: c.q}
		if c.x == nil {
			p.Arms = k
		}
		_, err := explore.NewSession(c.policy, p, nil)
		if err == nil || !strings.Contains(err.Error(), c.says) || !strings.Contains(err.Error(), "takes 74.5 GiB") {
			t.Errorf("%T: error %v; want it to say %q", c.policy, err, c.says)
		}
	}
}
