package mc

import (
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/bandit"
	"github.com/purexp/purexp/pkg/explore"
)

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
