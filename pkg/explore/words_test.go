package explore_test

import (
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/explore"
)

// asked and untitled are two kinds of questions.
type (
	asked    float64
	untitled struct{}
)

func (asked) Correct(*mat.Dense, explore.Answer) bool    { return true }
func (asked) Title() string                              { return "what is asked" }
func (untitled) Correct(*mat.Dense, explore.Answer) bool { return true }

// named is a policy by value or by pointer.
type named struct{}

func (named) Init(*explore.Problem, rand.Source) error       { return nil }
func (named) Ask(dst []explore.Pull) ([]explore.Pull, error) { return dst, nil }
func (named) Tell([]explore.Batch) error                     { return nil }
func (named) Answer() explore.Answer                         { return explore.Answer{} }

// A card says which kinds of questions it answers, whatever their settings, and in which words.
func TestCardWords(t *testing.T) {
	c := explore.Card{Answers: []explore.Question{asked(1), untitled{}}, Certifies: explore.CertifiesReasons,
		Needs: []explore.Need{explore.SubGaussian{}, explore.Linear{}}, Bound: "H log(1/delta)"}
	one := explore.Card{Answers: []explore.Question{untitled{}}, Kind: explore.FixedBudget,
		Certifies: explore.CertifiesReasons}
	if !c.Suits(asked(2)) || !c.Suits(untitled{}) || one.Suits(asked(1)) || !one.Suits(untitled{}) ||
		(&explore.Card{}).Suits(asked(0)) {
		t.Error("a card suits another kind of question than those that it answers")
	}
	for what, x := range map[string][2]string{
		"questions":               {c.Questions(), "what is asked; explore_test.untitled"},
		"needs":                   {c.Assumes(), "noise scale, " + explore.Linear{}.String()},
		"the guarantee":           {c.Guarantee(), "error at most delta, reasons included; H log(1/delta)"},
		"a budget":                {one.Guarantee(), ""},
		"fixed confidence":        {explore.FixedConfidence.String(), "fixed confidence"},
		"fixed budget":            {explore.FixedBudget.String(), "fixed budget"},
		"nothing":                 {explore.CertifiesNothing.String(), "delta is not guaranteed"},
		"a set":                   {explore.CertifiesSet.String(), "error at most delta"},
		"any sampling":            {explore.AnySampling.String(), "any sampling"},
		"own rounds":              {explore.OwnRounds.String(), "own rounds"},
		"a type":                  {explore.TypeName(named{}), "named"},
		"a pointer":               {explore.TypeName(&named{}), "named"},
		"nothing used":            {explore.Uses(0).String(), ""},
		"features and costs":      {(explore.UsesFeatures | explore.UsesCosts).String(), "features, costs"},
		"sums, which go unsaid":   {explore.UsesSums.String(), ""},
		"slacks and known values": {(explore.UsesKnownValues | explore.UsesSlacks).String(), "slacks, known values"},
	} {
		if x[0] != x[1] {
			t.Errorf("%s: %q; want %q", what, x[0], x[1])
		}
	}
	all := explore.UsesSums<<1 - 1
	for u := explore.UsesFeatures; u <= explore.UsesSums; u <<= 1 {
		if !all.Has(u) || u.Has(all) || (all &^ u).Has(u) || (all &^ u).Has(u|explore.UsesItems) {
			t.Errorf("what is used, %b, has or lacks %b", all, u)
		}
	}
}

// Verdicts come back from the text that they are written as; others are none.
func TestClassText(t *testing.T) {
	seen := map[string]bool{}
	for c := explore.Undecided; c <= explore.Infeasible; c++ {
		text, err := c.MarshalText()
		var back explore.Class
		if err != nil || back.UnmarshalText(text) != nil || back != c || seen[string(text)] {
			t.Errorf("%d is written as %q and read as %v, %v", int(c), text, back, err)
		}
		seen[string(text)] = true
	}
	var c explore.Class
	if err := c.UnmarshalText([]byte("good")); err == nil || c != explore.Undecided {
		t.Errorf("an unknown verdict is %v, %v", c, err)
	}
	if got := explore.Class(9).String(); got != "class 9" {
		t.Error(got)
	}
	if got := (explore.Infeasible + 1).String(); got != "class 4" {
		t.Error(got)
	}
}
