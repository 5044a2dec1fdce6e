package explore_test

import (
	"fmt"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/question"
)

// declared is a problem of two objectives and three arms with two features.
func declared() *explore.Declaration {
	return &explore.Declaration{
		Problem: &explore.Problem{X: mat.NewDense(3, 2, []float64{1, 0, 1, 1, 1, 2}),
			Objectives: 2, Sigma: 2, ObjectiveNames: []string{"yield", "purity"},
			Question: question.Pareto{}},
		Linear: []string{"ligand", "solvent", "temperature"},
		Amount: func(_ int, d float64) string { return fmt.Sprintf("%v %%", d) },
	}
}

// Who answers for a need, and its words, for problems that are and are not what it is about.
func TestNeeds(t *testing.T) {
	d := declared()
	plain := &explore.Declaration{Problem: &explore.Problem{Arms: 3, Sigma: 1}}
	gaussian := &explore.Declaration{Problem: d.Problem, Gaussian: true, Bounded: true}
	narrow := *d.Problem
	narrow.NormSigma = 2
	independent := &explore.Declaration{Problem: &narrow, Independent: true}
	square := &explore.Declaration{Problem: &explore.Problem{
		X: mat.NewDense(2, 2, []float64{1, 1, 0, 1}), Sigma: 1}}
	items := &explore.Declaration{Problem: &explore.Problem{ // whose means are not measured
		X: square.X, Z: mat.NewDense(2, 2, []float64{1, 2, 2, 1}), Sigma: 1}}
	short := &explore.Declaration{Problem: &explore.Problem{
		X: mat.NewDense(2, 2, []float64{1, 1, 2, 2}), Sigma: 1}}
	logit := &explore.Declaration{Problem: &explore.Problem{X: d.X, Sigma: 1, Link: explore.Logit}}
	for _, x := range []struct {
		n    explore.Need
		d    *explore.Declaration
		want explore.Standing
		in   string
	}{
		{explore.SubGaussian{}, d, explore.Declared, "a measurement of yield scatters by at most " +
			"2 % and a measurement of purity scatters by at most 2 %"},
		{explore.SubGaussian{}, plain, explore.Declared, "objective 0 scatters by at most 1"},
		{explore.Linear{}, d, explore.Declared, "linear in ligand, solvent and temperature"},
		{explore.Linear{}, plain, explore.Implied, "the features"},
		{explore.Linear{}, square, explore.Implied, "the features"}, // any means are linear
		{explore.Linear{}, items, explore.Declared, "the features"},
		{explore.Linear{}, short, explore.Declared, "the features"},
		{explore.Linear{}, logit, explore.Declared, "function (logit)"},
		{explore.Gaussian{}, d, explore.Missing, "Gaussian"},
		{explore.Gaussian{}, gaussian, explore.Declared, "Gaussian"},
		{explore.Gaussian{}, independent, explore.Missing, "Gaussian"},
		{explore.Gaussian{OrIndependent: true}, d, explore.Missing, "independent"},
		{explore.Gaussian{OrIndependent: true}, gaussian, explore.Declared, "Gaussian"},
		{explore.Gaussian{OrIndependent: true}, independent, explore.Declared, "independent"},
		{explore.Gaussian{OrIndependent: true}, plain, explore.Implied, ""},
		{explore.IndependentObjectives{}, d, explore.Implied, ""}, // allows for any correlation
		{explore.IndependentObjectives{}, independent, explore.Declared, "independent"},
		{explore.Bounded{}, d, explore.Missing, "range"},
		{explore.Bounded{}, gaussian, explore.Declared, "range"},
		{explore.Norm{}, d, explore.Missing, "coefficients of ligand, solvent and temperature has"},
		{explore.Norm{Bound: 3}, d, explore.Supplied, "at most 3 % for yield and 3 % for purity"},
		{explore.Norm{Bound: 3, InSigmas: true}, d, explore.Supplied, "6 % for yield"},
		{explore.Norm{Bound: 3}, plain, explore.Supplied, "list of all means is at most 3"},
		{explore.Norm{InSigmas: true}, plain, explore.Missing, "in units of the noise"},
		{explore.Deviation{}, d, explore.Missing, ""},
		{explore.Deviation{Bound: .5}, d, explore.Supplied, "temperature, but for 0.5 %"},
		{explore.MinSlope{}, d, explore.Implied, ""}, // the slope is 1
		{explore.MinSlope{}, logit, explore.Missing, ""},
		{explore.MinSlope{Least: .1}, logit, explore.Supplied, "at least 0.1"},
		{explore.Known{What: explore.KnownCount}, d, explore.Missing, "the size of the answer"},
		{explore.Known{What: explore.KnownMeans, Given: true}, d, explore.Supplied, "true means"},
	} {
		if got := x.n.Standing(x.d); got != x.want {
			t.Errorf("%#v: %v; want %v", x.n, got, x.want)
		}
		if got := x.n.In(x.d); !strings.Contains(got, x.in) {
			t.Errorf("%#v: %q; want %q", x.n, got, x.in)
		}
	}
	if got := (explore.Norm{}).In(plain); got != "the norm of the list of all means has a known bound" {
		t.Errorf("a norm that nobody declared: %q", got)
	}
}

// A policy that needs a norm certifies nothing as long as nobody states one.
func ExampleCard_Lacks() {
	d := &explore.Declaration{Problem: &explore.Problem{Arms: 3, Sigma: 1}}
	for _, norm := range []float64{0, 5} {
		card := explore.Card{Needs: []explore.Need{explore.Norm{Bound: norm}}}
		fmt.Println(card.Lacks(d))
	}
	// Output:
	// [norm of the parameters]
	// []
}
