package explore_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/internal/golden"
	"github.com/purexp/purexp/pkg/explore"
)

// asked and untitled are two kinds of questions.

// rules is a question with constraints.
type rules struct{ anything }

func (rules) Explain(p *explore.Problem, i int, r explore.Reason) (verdict, why string) {
	return explore.Words{
		Ahead: " in some objective", Behind: " in every objective",
		Dominated: "dominated by %s, which is better by %s%s",
	}.Explain(p, i, r)
}

func (rules) ConstraintName(k int) string { return []string{"efficacy >= 0.4", "safety >= 0.4"}[k] }

// ownWords is a question whose items are compared in words of its own.
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

// What people read is in testdata, in whole: reasons of every class with margins and slacks on either side and at zero,
// certified or estimated, with intervals and without, in the words of three questions; who answers for each need in each
// kind of problem, and how it is said; and what became of a run.
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
						continue // it is not
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
			fmt.Fprintf(&text, "%s, %v: %s\n", n, n.Standing(&c.d), n.In(&c.d))
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
