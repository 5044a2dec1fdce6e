package monitor

import (
	"math"
	"testing"
)

// Where means are off a line, scatter that is evidence enough comes first if it is of the same objective: it says that
// it may be either.
func TestLikeliest(t *testing.T) {
	f := func(kind Kind, objective int, e float64) Finding {
		return Finding{Kind: kind, Objective: objective, LogE: math.Log(e)}
	}
	for _, x := range []struct {
		all  []Finding
		kind Kind
		of   int
	}{
		{[]Finding{f(Scatter, 0, Warn), f(Misfit, 0, 900)}, Scatter, 0},
		{[]Finding{f(Scatter, 1, 2*Warn), f(Misfit, 0, 900)}, Misfit, 0},
		{[]Finding{f(Scatter, 1, 2*Warn), f(Scatter, 0, Warn), f(Misfit, 0, 900)}, Scatter, 0},
		{[]Finding{f(Scatter, 0, .9*Warn), f(Misfit, 0, 900)}, Misfit, 0},
		{[]Finding{f(Scatter, 0, 1000), f(Plates, 0, 2000), f(Misfit, 0, 900)}, Plates, 0},
	} {
		n := len(x.all)
		if got := likeliest(x.all); got[0].Kind != x.kind || got[0].Objective != x.of || len(got) != n {
			t.Errorf("%+v; want %v of objective %d first", got, x.kind, x.of)
		}
	}
}
