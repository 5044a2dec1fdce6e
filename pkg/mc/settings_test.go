package mc

import (
	"fmt"
	"math"
	"reflect"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/bandit"
	"github.com/purexp/purexp/pkg/explore"
)

// asked is a question whose type name does not identify it.
type asked struct {
	still
	what string
}

func (a asked) String() string { return a.what }

// Rows depend on all fields of a problem except the names of its objectives. If a field is changed or left empty,
// the problem is a different instance, and one file must not contain rows of both instances. Numbers that agree to
// ten digits count as equal.
func TestInstancesDifferInEveryField(t *testing.T) {
	dense := func(r, c int, x ...float64) *mat.Dense { return mat.NewDense(r, c, x) }
	law, err := bandit.NewGaussian(dense(2, 2, 1, 2, 3, 4), mat.NewSymDense(2, []float64{1, 0, 0, 1}))
	if err != nil {
		t.Fatal(err)
	}
	nan := math.NaN()
	fields := map[string][]any{ // other values, each different from those of all other fields
		"X": {dense(2, 2, 1, 0, 0, 1), dense(2, 2, 1, 0, 0, 2), dense(2, 1, 1, 2)}, "Changing": {true},
		"Z": {dense(2, 2, 1, 0, 0, 1), dense(2, 2, 1, 0, 0, 2), dense(3, 2, 1, 0, 0, 1, 1, 1)}, "Objectives": {3},
		"Sigma": {2., 2.00000001}, "NormSigma": {3., 3.00000001}, "Sigmas": {[]float64{1, .5}, []float64{.5, 1}, []float64{1, 1}},
		"Known": {dense(2, 2, nan, 2, nan, 4), dense(2, 2, 1, nan, 3, nan), dense(2, 2, nan, 2, nan, nan)},
		"Costs": {[]float64{1, 2}, []float64{2, 1}, []float64{1, 1}}, "Link": {explore.Logit, explore.Log},
		"Question": {asked{what: "this"}, asked{what: "that"}, &still{}}, "ArmNames": {[]string{"a", "b"}, []string{"b", "a"}},
		"ItemNames": {[]string{"a", "b"}, []string{"b", "a"}}, "Arms": nil, // the header contains the number of arms
	}
	of := func(set func(p *explore.Problem)) InstanceInfo {
		p := &explore.Problem{Arms: 2, Objectives: 2, Sigma: 1, Question: still{}}
		set(p)
		return info(&bandit.Instance{Name: "one", Problem: p, Law: law})
	}
	seen := map[string]InstanceInfo{}
	seen["nothing else"] = of(func(*explore.Problem) {})
	for i := range reflect.TypeFor[explore.Problem]().NumField() {
		name := reflect.TypeFor[explore.Problem]().Field(i).Name
		values, ok := fields[name]
		if !ok && name != "ObjectiveNames" {
			t.Errorf("Problem.%s: add values for this field", name)
		}
		for n, v := range values {
			is := of(func(p *explore.Problem) { reflect.ValueOf(p).Elem().Field(i).Set(reflect.ValueOf(v)) })
			for other, was := range seen {
				if is.differ(&was) == "" || was.differ(&is) == "" {
					t.Errorf("%s %v is not distinguished from %s", name, v, other)
				}
			}
			seen[fmt.Sprintf("%s, %d", name, n)] = is
		}
	}
	moved, err := bandit.NewGaussian(dense(2, 2, 1, 2, 3, 5), mat.NewSymDense(2, []float64{1, 0, 0, 1}))
	changing := &explore.Problem{Arms: 2, Objectives: 2, Sigma: 1, Question: still{}, Changing: true}
	a, b := info(&bandit.Instance{Name: "one", Problem: changing, Law: law}), info(&bandit.Instance{Name: "one", Problem: changing, Law: moved})
	if err != nil || a.differ(&b) == "" {
		t.Errorf("other means with changing features are not distinguished: %v", err)
	}
	near := func(f float64) InstanceInfo {
		return of(func(p *explore.Problem) {
			p.Sigma, p.Sigmas, p.Costs, p.X = f, []float64{f, .5}, []float64{f, 2}, dense(2, 1, f, 2)
			p.Known = dense(2, 2, nan, f, nan, 4)
		})
	}
	if a, b := near(1), near(1+1e-12); a.differ(&b) != "" {
		t.Errorf("after rounding: %s", a.differ(&b))
	}
}
