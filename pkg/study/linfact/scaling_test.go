package linfact

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/purexp/purexp/pkg/study"
)

// grown makes up times that grow with powers of d and K.
func grown(inD, inK, spread float64, methods ...string) (ts []roundTime) {
	add := func(method string, k, d int) {
		t := roundTime{method: method, k: k, d: d}
		for i := range 20 {
			z := distuv.UnitNormal.Quantile((float64((7*i+k+d)%20) + .5) / 20)
			t.us = append(t.us, math.Pow(float64(d), inD)*math.Pow(float64(k),
				inK)*math.Exp(spread*z))
		}
		ts = append(ts, t)
	}
	for _, m := range methods {
		for _, d := range dimensionsTimed {
			add(m, armsTimed, d)
		}
		for _, k := range numbersTimed {
			if k != armsTimed {
				add(m, k, 8)
			}
		}
	}
	return ts
}

func TestVerdictsOnTimes(t *testing.T) {
	fact := []string{LinFACTG, LinFACTXY}
	top := []string{LinGIFA, MLinGapE}
	for name, c := range map[string]struct {
		v    study.Verdict
		want study.Outcome
	}{
		"d² K":            {squareRounds(grown(2, 1, .01, fact...)), study.Agrees},
		"less":            {squareRounds(grown(1, .5, .01, fact...)), study.Agrees},
		"d³ K":            {squareRounds(grown(3, 1, .01, fact...)), study.Differs},
		"d² K²":           {squareRounds(grown(2, 2, .01, fact...)), study.Differs},
		"about d²":        {squareRounds(grown(2.1, 1, .5, fact...)), study.NotComparable},
		"G alone":         {squareRounds(grown(2, 1, .01, LinFACTG)), study.NotComparable},
		"top m, d³":       {cubicRounds(grown(3, 1, .01, top...)), study.Agrees},
		"top m, not in d": {cubicRounds(grown(0, 2, .01, top...)), study.Agrees},
		"top m, d⁴":       {cubicRounds(grown(4, 1, .01, top...)), study.Differs},
		"top m, about d³": {cubicRounds(grown(3.1, 1, .8, top...)), study.NotComparable},
		"top m, nothing":  {cubicRounds(nil), study.NotComparable},
	} {
		if c.v.Outcome != c.want || c.v.Why == "" {
			t.Errorf("%s: %+v; want %v", name, c.v, c.want)
		}
	}
}

// Each method is timed at each size that it is allowed.
func TestScaling(t *testing.T) {
	times, err := Scaling(1)
	if err != nil {
		t.Fatal(err)
	}
	if table := times.Table(); len(table.Rows) != len(scaled) {
		t.Errorf("%v", table)
	}
	f, err := times.Figure()
	if err != nil || len(f.Panels) != 2 {
		t.Errorf("%v, %v", f, err)
	}
	defer func() {
		if recover() == nil {
			t.Error("no runs are timed")
		}
	}()
	_, _ = Scaling(0)
}
