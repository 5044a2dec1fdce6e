package policy_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policy"
	"github.com/purexp/purexp/pkg/polyhedron"
	"github.com/purexp/purexp/pkg/question"
	"github.com/purexp/purexp/pkg/radius"
)

// begins returns the error of Init for a problem. The policy gets the settings that it requires.
func begins(new func() explore.Describer, p explore.Problem) error {
	x := new()
	v := reflect.ValueOf(x).Elem()
	for name, value := range map[string]any{"M": 1, "Means": []float64{3, 2, 1}, "Budget": 10_000,
		"MinSlope": .1, "Linear": p.X != nil} {
		if f, own := v.FieldByName(name), reflect.ValueOf(value); f.IsValid() && own.Type().AssignableTo(f.Type()) {
			f.Set(own)
		}
	}
	if err := p.Validate(); err != nil {
		return err
	}
	return x.Init(&p, rand.NewPCG(1, 2))
}

// Cards agree with Init. Policies accept exactly the questions on the card. Policies accept items,
// links and changing features if and only if the card says so.
func TestCards(t *testing.T) {
	x := rows([][]float64{{1, 0}, {0, 1}, {.6, .6}})
	examples := map[reflect.Type]explore.Problem{}
	for _, p := range []explore.Problem{
		{Objectives: 2, Question: question.Pareto{}},
		{Objectives: 2, Question: question.FeasiblePareto{Region: polyhedron.Whole(2)}},
		{Objectives: 2, Question: question.Feasible{Region: atLeast(0, 0)}},
		{Objectives: 2, Question: question.BestFeasible{Region: atLeast(0, 0), Weights: []float64{1, 0}}},
		{Question: question.Best{}},
		{Question: question.AllEpsilonBest{Epsilon: .1}},
	} {
		p.X, p.Sigma = x, 1
		examples[reflect.TypeOf(p.Question)] = p
	}
	for _, new := range policy.Catalogue() {
		card, name := new().Card(), explore.TypeName(new())
		for typ, p := range examples {
			if err := begins(new, p); (err == nil) != card.Suits(p.Question) {
				t.Errorf("%s, %v: on the card %v, and Init says %v", name, typ, card.Suits(p.Question), err)
			}
		}
		p := examples[reflect.TypeOf(card.Answers[0])]
		items, changing, links := p, p, p
		items.Z, changing.Changing, links.Link = rows([][]float64{{1, 1}, {2, 0}, {0, 1}}), true, explore.Logit
		if err := begins(new, items); (err == nil) != card.Uses.Has(explore.UsesItems) {
			t.Errorf("%s: uses %v, and with items Init says %v", name, card.Uses, err)
		}
		if err := begins(new, links); (err == nil) != card.Uses.Has(explore.UsesLinks) {
			t.Errorf("%s: uses %v, and with a link Init says %v", name, card.Uses, err)
		}
		if _, is := new().(explore.Contextual); is != card.Uses.Has(explore.UsesChanging) {
			t.Errorf("%s: uses %v, and reads contexts %v", name, card.Uses, is)
		}
		if card.Kind == explore.FixedBudget && card.Certifies != explore.CertifiesNothing {
			t.Errorf("%s certifies %v with a fixed budget", name, card.Certifies)
		}
	}
}

// Certificates and assumptions depend on settings. Settings without a theorem certify nothing.
func TestCardsDependOnSettings(t *testing.T) {
	two := &explore.Declaration{Problem: &explore.Problem{Arms: 3, Objectives: 2, Sigma: 1}}
	for _, x := range []struct {
		p         explore.Describer
		certifies explore.Certificate
		lacks     string
	}{
		{&policy.ECAPE{}, explore.CertifiesAmounts, "[]"},
		{&policy.ECAPE{Radius: radius.Paper{}}, explore.CertifiesNothing, "[]"},
		{&policy.ECAPE{Radius: radius.KaufmannKoolen{}}, explore.CertifiesAmounts,
			"[Gaussian noise, or independent objectives]"},
		{&policy.ECAPE{Radius: radius.Bernoulli{}}, explore.CertifiesAmounts, "[range of rewards]"},
		{&policy.TwoStage{}, explore.CertifiesAmounts, "[]"},
		{&policy.TwoStage{WholeDelta: true}, explore.CertifiesNothing, "[]"},
		{&policy.APE{Radius: radius.KaufmannKoolen{}}, explore.CertifiesSet, "[]"}, // APE uses no norms
		{&policy.AuerRacing{}, explore.CertifiesSet, "[]"},
		{&policy.AuerRacing{Radius: policy.AuerRadius{Scale: .5}}, explore.CertifiesNothing, "[]"},
		{&policy.LinGame{}, explore.CertifiesSet, "[]"},
		{&policy.LinGame{Threshold: policy.Heuristic{}}, explore.CertifiesNothing, "[]"},
		{&policy.GameCPSI{Threshold: policy.MixtureMartingales{Printed: true}}, explore.CertifiesNothing, "[]"},
		{&policy.GameCPSI{Threshold: policy.MixtureMartingales{}}, explore.CertifiesSet, "[]"},
		{&policy.LinGame{Threshold: policy.MixtureMartingales{}}, explore.CertifiesNothing, "[]"},
		{&policy.PFIwR{}, explore.CertifiesSet, "[norm of the parameters]"},
		{&policy.PFIwR{Norm: 2}, explore.CertifiesSet, "[]"},
		{&policy.PFIwR{Norm: 2, Scale: .5}, explore.CertifiesNothing, "[]"},
		{&policy.PFIwR{Norm: 2, Width: policy.PFIwRPaper}, explore.CertifiesNothing, "[]"},
		{&policy.ALBA{}, explore.CertifiesSet, "[norm of the parameters]"},
		{&policy.LinGapE{}, explore.CertifiesSet, "[]"},
		{&policy.LinGapE{Norm: 2}, explore.CertifiesSet, "[]"},
		{&policy.LinGapE{Width: policy.LinGapETrace}, explore.CertifiesSet, "[norm of the parameters]"},
		{policy.RAGEPrinted(.1), explore.CertifiesNothing, "[]"},
		{&policy.Piloted{New: func(delta float64) explore.Policy {
			return &policy.PFIwR{Delta: delta, Norm: 2}
		}}, explore.CertifiesSet, "[Gaussian noise norm of the parameters]"},
	} {
		card := x.p.Card()
		if lacks := fmt.Sprint(card.Lacks(two)); card.Certifies != x.certifies || lacks != x.lacks {
			t.Errorf("%v: certifies %d and lacks %s; want %d and %s", explore.Name(x.p),
				card.Certifies, lacks, x.certifies, x.lacks)
		}
	}
}

// List the policies that find the best item, but need knowledge that the declaration does not contain.
func ExampleCatalogue_trusted() {
	d := &explore.Declaration{Problem: &explore.Problem{X: mat.NewDense(2, 1, []float64{1, 2}),
		Sigma: 1, Question: question.Best{}}}
	for _, new := range policy.Catalogue() {
		card := new().Card()
		if card.Suits(d.Question) && card.Certifies >= explore.CertifiesSet {
			if missing := card.Lacks(d); len(missing) > 0 {
				fmt.Println(card.Name, "would have to know:", missing)
			}
		}
	}
	// Output:
	// XY-oracle would have to know: [true means]
	// ALBA would have to know: [norm of the parameters]
}

// For returns an error if no method applies. The error for a small budget states the smallest sufficient budget.
func TestForErrors(t *testing.T) {
	tiny := &explore.Problem{X: mat.NewDense(3, 2, []float64{1, 0, 0, 1, 1, 1}), Sigma: 1, Question: question.Best{}}
	_, err := policy.For(tiny, policy.Circumstances{Budget: 1})
	if !errors.Is(err, explore.ErrBudget) || !strings.Contains(err.Error(), "at least") {
		t.Errorf("%v; want ErrBudget with the least budget", err)
	}
	front := &explore.Problem{Arms: 3, Objectives: 2, Sigma: 1, Question: question.FeasiblePareto{
		Region: polyhedron.Whole(2)}}
	if _, err := policy.For(front, policy.Circumstances{Budget: 100}); !errors.Is(err, explore.ErrQuestion) {
		t.Errorf("%v; want ErrQuestion", err)
	}
	changing := &explore.Problem{X: tiny.X, Changing: true, Objectives: 2, Sigma: 2, Question: question.Pareto{}}
	if _, err := policy.For(changing, policy.Circumstances{}); !errors.Is(err,
		explore.ErrQuestion) || !strings.Contains(err.Error(), "undeclared assumption: norm of the parameters") {
		t.Errorf("features that change, and no norm: %v; want ErrQuestion, and Norm", err)
	}
	r, err := policy.For(changing, policy.Circumstances{Norm: 3})
	if err != nil || r.Make().(*policy.PFIwR).Norm != 1.5 { // 3 reward units are 1.5 Sigma
		t.Errorf("features that change, with a norm: %+v, %v", r, err)
	}
	for k, want := range map[int]string{1000: "Betting Pareto", 1001: "APE"} { // bets on all pairs need K^2 memory
		r, err := policy.For(&explore.Problem{Arms: k, Objectives: 2, Sigma: 1, Question: question.Pareto{}},
			policy.Circumstances{Delta: .05})
		if err != nil || r.Name != want {
			t.Errorf("%d arms: %v, %v; want %s", k, r.Name, err, want)
		}
	}
	other := *front
	other.Question = strange{}
	if _, err := policy.For(&other, policy.Circumstances{}); !errors.Is(err, explore.ErrQuestion) {
		t.Errorf("%v; want ErrQuestion", err)
	}
	if _, err := policy.For(tiny, policy.Circumstances{Delta: 3}); err == nil {
		t.Error("delta 3 is accepted")
	}
	if _, err := policy.For(&explore.Problem{}, policy.Circumstances{}); err == nil {
		t.Error("an empty problem is accepted")
	}
}

// Recommend a method for a taste test with sets of four glasses.
func ExampleFor() {
	r, err := policy.For(whiskeys().Problem, policy.Circumstances{Delta: 0.05, Plate: 4})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(explore.Name(r.Make()))
	fmt.Println(r.Guarantee())
	// Output:
	// elimination by betting (delta 0.05), plates of 4
	// error at most delta
}

// A program can set fields that only some policies have.
func ExampleSet() {
	p := &policy.UGapE{}
	fmt.Println(policy.Set(p, "Delta", 0.01), policy.Set(p, "Budget", 100), p)
	// Output:
	// true false UGapE (delta 0.01, Kaufmann-Koolen)
}
