package fig

import (
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/bandit"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/question"
)

// fourArms has a gap of each kind.
func fourArms(d int, mu ...float64) *bandit.Instance {
	law := must(bandit.NewGaussian(mat.NewDense(len(mu)/d, d, mu), unitCovariance(d)))
	return &bandit.Instance{Name: "four arms", Law: law, Problem: &explore.Problem{
		Arms: len(mu) / d, Objectives: d, ArmNames: []string{"i", "j", "k", "l"}[:len(mu)/d],
		Sigma: 1, NormSigma: 1, Question: question.Pareto{}}}
}

func unitCovariance(d int) mat.Symmetric {
	s := mat.NewSymDense(d, nil)
	for c := range d {
		s.SetSym(c, c, 1)
	}
	return s
}

// The words of the figure are the formulas of the paper.
func TestGaps(t *testing.T) {
	f := must(Gaps(fourArms(2, .10, .30, .45, .80, .85, .62, .60, .15)))
	for _, want := range []string{"Δ(i) = m(i, j) = 0.35", "Δ(j) = M(j, k) = 0.18",
		"Δ(k) = M(j, k) = 0.18", "Δ(l) = m(l, k) = 0.25"} {
		if !strings.Contains(f.Description, want) {
			t.Errorf("%q is not in %q", want, f.Description)
		}
	}
	// j is nearly dominated, so that i, which dominates it alone, has its gap from it.
	f = must(Gaps(fourArms(2, 1, 0, .9, -.05)))
	for _, want := range []string{"Δ(i) = M(j, i)₊ + Δ(j) = 0.05", "Δ(j) = m(j, i) = 0.05"} {
		if !strings.Contains(f.Description, want) {
			t.Errorf("%q is not in %q", want, f.Description)
		}
	}
	if f := must(Gaps(fourArms(2, 1, 0))); !strings.Contains(f.Description, "infinite") {
		t.Errorf("one arm: %q", f.Description)
	}
	if _, err := Gaps(fourArms(3, 1, 2, 3, 3, 2, 1)); err == nil {
		t.Error("three objectives: no error")
	}
}
