package mc

import (
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/bandit"
	"github.com/purexp/purexp/pkg/explore"
)

// knob is a policy whose name does not say its settings.
type knob struct {
	explore.Policy
	Level  float64
	Means  *mat.Dense
	Inner  struct{ N int }
	Levels []float64
	Rule   func()
	secret int
}

// A grid whose policies differ in any setting has another digest, so that kept rows are not taken for
// those of other settings.
func TestSettingsDigest(t *testing.T) {
	base := func() *knob {
		return &knob{Level: .5, Means: mat.NewDense(1, 2, []float64{1, 2}), Levels: []float64{1}}
	}
	same := base()
	same.secret = 7
	if settingsDigest(base()) != settingsDigest(same) {
		t.Error("what is not exported changes the digest")
	}
	for name, change := range map[string]func(*knob){
		"a number":  func(k *knob) { k.Level = .6 },
		"a matrix":  func(k *knob) { k.Means = mat.NewDense(1, 2, []float64{1, 3}) },
		"no matrix": func(k *knob) { k.Means = nil },
		"a struct":  func(k *knob) { k.Inner.N = 1 },
		"a slice":   func(k *knob) { k.Levels = []float64{1, 2} },
	} {
		other := base()
		change(other)
		if settingsDigest(base()) == settingsDigest(other) {
			t.Errorf("%s: the digest is the same", name)
		}
	}
}

// Laws with the same means and scales are told apart.
func TestLawDigest(t *testing.T) {
	means := mat.NewDense(2, 1, []float64{.5, .5})
	gauss, err := bandit.NewGaussian(means, mat.NewDiagDense(1, []float64{.25}))
	if err != nil {
		t.Fatal(err)
	}
	coin, err := bandit.NewBernoulli(means)
	if err != nil {
		t.Fatal(err)
	}
	p := &explore.Problem{Arms: 2, Sigma: .5}
	a, b := &bandit.Instance{Problem: p, Law: gauss}, &bandit.Instance{Problem: p, Law: coin}
	if again := lawDigest(a); lawDigest(a) == lawDigest(b) || again == "" || lawDigest(a) != again {
		t.Errorf("digests %q and %q", lawDigest(a), lawDigest(b))
	}
}
