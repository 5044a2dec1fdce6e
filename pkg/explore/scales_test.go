package explore_test

import (
	"strings"
	"testing"

	"github.com/purexp/purexp/pkg/explore"
)

// Without a scale of its own the norm of the noise has that of d equal objectives.
func TestSigmaU(t *testing.T) {
	for _, c := range []struct {
		p    explore.Problem
		want float64
	}{
		{explore.Problem{Sigma: 2}, 2},
		{explore.Problem{Sigma: 2, Objectives: 4}, 4},
		{explore.Problem{Sigma: 2, Objectives: 4, NormSigma: 3}, 3},
	} {
		if got := c.p.SigmaU(); got != c.want {
			t.Errorf("%d objectives, NormSigma %v: %v, not %v", c.p.D(), c.p.NormSigma, got, c.want)
		}
	}
}

// A measurement is a finite number.
func TestReadMeasurementsInfinite(t *testing.T) {
	p := &explore.Problem{Arms: 1, Sigma: 1, Objectives: 1, ObjectiveNames: []string{"yield"}}
	for _, cell := range []string{"Inf", "-Inf", "NaN"} {
		_, err := explore.ReadMeasurements(strings.NewReader("arm,yield\narm 0,"+cell+"\n"), p)
		if err == nil || !strings.Contains(err.Error(), "row 2, column \"yield\"") {
			t.Errorf("%s: error %v", cell, err)
		}
	}
}
