package explore_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/internal/golden"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/question"
)

// declared is a problem with two objectives and three arms with two features.
func declared() *explore.Declaration {
	return &explore.Declaration{
		Problem: &explore.Problem{X: mat.NewDense(3, 2, []float64{1, 0, 1, 1, 1, 2}),
			Objectives: 2, Sigma: 2, ObjectiveNames: []string{"yield", "purity"},
			Question: question.Pareto{}},
		Linear: []string{"ligand", "solvent", "temperature"},
		Amount: func(_ int, d float64) string { return fmt.Sprintf("%v %%", d) },
	}
}

// TestNeeds checks the support and the text of each need, for problems that satisfy the need and for problems that do
// not.
func TestNeeds(t *testing.T) {
	d := declared()
	plain := &explore.Declaration{Problem: &explore.Problem{Arms: 3, Sigma: 1}}
	gaussian := &explore.Declaration{Problem: d.Problem, Gaussian: true, Bounded: true}
	narrow := *d.Problem
	narrow.NormSigma = 2
	independent := &explore.Declaration{Problem: &narrow, Independent: true}
	square := &explore.Declaration{Problem: &explore.Problem{
		X: mat.NewDense(2, 2, []float64{1, 1, 0, 1}), Sigma: 1}}
	items := &explore.Declaration{Problem: &explore.Problem{ // the items are not arms, so their means are not measured directly
		X: square.X, Z: mat.NewDense(2, 2, []float64{1, 2, 2, 1}), Sigma: 1}}
	short := &explore.Declaration{Problem: &explore.Problem{
		X: mat.NewDense(2, 2, []float64{1, 1, 2, 2}), Sigma: 1}}
	logit := &explore.Declaration{Problem: &explore.Problem{X: d.X, Sigma: 1, Link: explore.Logit}}
	for _, x := range []struct {
		n    explore.Need
		d    *explore.Declaration
		want explore.Support
		in   string
	}{
		{explore.SubGaussian{}, d, explore.Declared, "a measurement of yield has sub-Gaussian noise of scale at most 2 % and a measurement of purity has sub-Gaussian noise of scale at most 2 %"},
		{explore.SubGaussian{}, plain, explore.Declared, "objective 0 has sub-Gaussian noise of scale at most 1"},
		{explore.Linear{}, d, explore.Declared, "linear in ligand, solvent and temperature"},
		{explore.Linear{}, plain, explore.Implied, "the features"},
		{explore.Linear{}, square, explore.Implied, "the features"}, // with as many features as arms, any means are linear
		{explore.Linear{}, items, explore.Declared, "the features"},
		{explore.Linear{}, short, explore.Declared, "the features"},
		{explore.Linear{}, logit, explore.Declared, "(logit link)"},
		{explore.Gaussian{}, d, explore.Missing, "Gaussian"},
		{explore.Gaussian{}, gaussian, explore.Declared, "Gaussian"},
		{explore.Gaussian{}, independent, explore.Missing, "Gaussian"},
		{explore.Gaussian{OrIndependent: true}, d, explore.Missing, "independent"},
		{explore.Gaussian{OrIndependent: true}, gaussian, explore.Declared, "Gaussian"},
		{explore.Gaussian{OrIndependent: true}, independent, explore.Declared, "independent"},
		{explore.Gaussian{OrIndependent: true}, plain, explore.Implied, ""},
		{explore.IndependentObjectives{}, d, explore.Implied, ""}, // SigmaU allows for any correlation
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
		{explore.Known{What: explore.KnownCount}, d, explore.Missing, "the size of the answer is known"},
		{explore.Known{What: explore.KnownMeans, Given: true}, d, explore.Supplied, "the true means are known"},
	} {
		if got := x.n.Support(x.d); got != x.want {
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

// A policy that needs a norm certifies nothing while the norm is unknown.
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

// rules is a question with constraints.
type rules struct{ anything }

func (rules) Explain(p *explore.Problem, i int, r explore.Reason) (verdict, why string) {
	return explore.Words{
		Ahead: " in some objective", Behind: " in every objective",
		Dominated: "dominated by %s, which is better by %s%s",
	}.Explain(p, i, r)
}

func (rules) ConstraintName(k int) string { return []string{"efficacy >= 0.4", "safety >= 0.4"}[k] }

// ownWords is a question with its own texts for comparisons of items.
type ownWords struct{ anything }

func (ownWords) Explain(p *explore.Problem, i int, r explore.Reason) (verdict, why string) {
	return explore.Words{
		Spare: ", at least",
		Margin: func(x, radius float64, ahead bool) string {
			return fmt.Sprintf("%g of %g, ahead %v", x, radius, ahead)
		},
		Slack: func(k int, x, radius float64) string { return fmt.Sprintf("%g of %g to bound %d", x, radius, k) },
	}.Explain(p, i, r)
}

// The numbers and other figures in the texts shown to users agree with testdata. The texts are the reasons of every
// class, the support of each need in each kind of problem, and the end of a run. Reasons have positive, negative and
// zero margins and slacks, are certified or estimated, and occur with and without intervals, in the words of three
// questions.
func TestWordsStay(t *testing.T) {
	var text strings.Builder
	for _, q := range []explore.Question{anything{}, rules{}, ownWords{}} {
		p := problem()
		p.Question = q
		fmt.Fprintf(&text, "# %T\n", q)
		for c := explore.Undecided; c <= explore.Infeasible; c++ {
			for _, margin := range []float64{-.1234, 0, 1.234} {
				for _, r := range []explore.Reason{
					{By: 1, Margin: margin, MarginRadius: .0567, Constraint: -1}, {By: -1, Constraint: 1, Slack: margin, SlackRadius: .0567},
					{By: 2, Margin: margin, Constraint: -1, Estimated: true}, {By: -1, Constraint: 0, Slack: margin},
					{By: 2, Margin: margin, MarginRadius: 12.3, Constraint: 0, Slack: .5, SlackRadius: .1, Estimated: true},
					{By: 2, Margin: margin, Constraint: 1, Slack: math.Inf(1), SlackRadius: 1}} {
					if r.Class = c; c == explore.Infeasible && r.Constraint >= 0 && r.Slack >= 0 {
						continue // with a slack of at least 0, the item is feasible
					}
					fmt.Fprintln(&text, r.Explain(p, 0))
				}
			}
		}
	}
	x := mat.NewDense(3, 2, []float64{1, 0, 1, 1, 1, 2})
	wide := mat.NewDense(2, 3, []float64{1, 0, 1, 1, 1, 2})
	known := mat.NewDense(3, 2, []float64{math.NaN(), 1, math.NaN(), 2, math.NaN(), 3})
	amount := func(objective int, d float64) string { return fmt.Sprint(d, []string{" %", " g"}[objective]) }
	two := explore.Problem{X: x, Objectives: 2, Sigma: 2, Sigmas: []float64{.5, 2}, ObjectiveNames: []string{"yield", "weight"}}
	priced, narrow := two, two
	priced.Known, narrow.NormSigma = known, 2
	for _, c := range []struct {
		what string
		d    explore.Declaration
	}{
		{"two objectives", explore.Declaration{Problem: &two, Amount: amount, Linear: []string{"ligand"}}},
		{"one is known", explore.Declaration{Problem: &priced, Amount: amount, Gaussian: true, Linear: []string{"ligand", "solvent", "heat"}}},
		{"independent", explore.Declaration{Problem: &narrow, Independent: true, Bounded: true}},
		{"independent and Gaussian", explore.Declaration{Problem: &narrow, Independent: true, Gaussian: true, Noise: []string{"is low", "is high"}}},
		{"without features", explore.Declaration{Problem: &explore.Problem{Arms: 3, Sigma: 1.23456}}},
		{"more features than arms", explore.Declaration{Problem: &explore.Problem{X: wide, Sigma: 1}}},
		{"successes", explore.Declaration{Problem: &explore.Problem{X: x, Sigma: .5, Link: explore.Logit}}},
	} {
		fmt.Fprintf(&text, "# %s\n", c.what)
		card := explore.Card{}
		for _, n := range []explore.Need{explore.SubGaussian{}, explore.Linear{}, explore.Gaussian{}, explore.Gaussian{OrIndependent: true},
			explore.IndependentObjectives{}, explore.Bounded{}, explore.Norm{}, explore.Norm{Bound: 3}, explore.Norm{InSigmas: true},
			explore.Norm{Bound: 1.5, InSigmas: true}, explore.Deviation{}, explore.Deviation{Bound: .25}, explore.MinSlope{},
			explore.MinSlope{Least: .123456}, explore.Known{What: explore.KnownMeans}, explore.Known{What: explore.KnownLevel, Given: true},
			explore.Known{What: explore.KnownCount, Given: true}} {
			fmt.Fprintf(&text, "%s, %v: %s\n", n, n.Support(&c.d), n.In(&c.d))
			card.Needs = append(card.Needs, n)
		}
		fmt.Fprintf(&text, "lacks %v\nrests on %q\n", card.Lacks(&c.d), card.Rests(&c.d))
	}
	text.WriteString("# statuses\n")
	for s := explore.Running; s <= explore.Failure; s++ {
		fmt.Fprintln(&text, s, s.Early(), s.Err())
	}
	fmt.Fprintln(&text, explore.Failure+1, explore.Status(-1))
	golden.Parts(t, "words.txt", text.String(), `^# .*`)
}

// A session rejects results that were not requested. The rejection does not change the session.
func ExampleSession() {
	s, err := explore.NewSession(newScript(), problem(), nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	pulls, _ := s.Ask()
	fmt.Println("asked:", pulls)
	fmt.Println(s.Tell([]explore.Batch{batch(0, 2, 1, 2), batch(1, 1, 3, 4)}))
	fmt.Println(s.Tell([]explore.Batch{batch(0, 2, 1, 2), batch(2, 1, 3, 4)}))
	fmt.Println(s.Result().Pulls, "pulls")
	// Output:
	// asked: [{0 2} {2 1}]
	// explore: round 1, batch 1: 1 rewards of 25 mg; expected 1 of 75 mg: the measurements do not match the request
	// <nil>
	// 3 pulls
}

func ExampleRun() {
	r, err := explore.Run(newScript(), problem(), zeros{}, &explore.Settings{MaxPulls: 5})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(r.Status, "after", r.Pulls, "pulls")
	fmt.Println(r.Status.Err())
	// Output:
	// pull limit after 3 pulls
	// explore: the limit on pulls was reached before the policy stopped; the reasons in the answer name the undecided items
}
