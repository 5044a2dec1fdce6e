package lsq

import (
	"math"
	"testing"
)

// Mean is the derivative of the cumulant, so the likelihood is largest where Mean equals the average reward.
func TestCumulant(t *testing.T) {
	for _, l := range []Link{Identity, Logit, Log} {
		for _, eta := range []float64{-12, -3, -.5, 0, .2, 2, 9} {
			const h = 1e-5
			got := (l.cumulant(eta+h) - l.cumulant(eta-h)) / (2 * h)
			if want := l.Mean(eta); !(math.Abs(got-want) <= 1e-8*(1+math.Abs(want))) {
				t.Errorf("%v: the cumulant grows by %v at %v; want the mean %v", l, got, eta, want)
			}
		}
	}
	// The cumulant log(1+exp(eta)) does not overflow for large predictors.
	if got := Logit.cumulant(800); got != 800 || Logit.cumulant(-800) != 0 {
		t.Errorf("far out: %v", got)
	}
	if got := Logit.cumulant(0); !(math.Abs(got-math.Ln2) <= 1e-15) {
		t.Errorf("even odds: %v; want log 2", got)
	}
}
