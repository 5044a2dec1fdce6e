package linfact

import (
	"testing"

	"github.com/purexp/purexp/pkg/study"
	"github.com/purexp/purexp/pkg/study/studytest"
)

// Claims are judged by the cells that they speak of: those beside are made to say the opposite.
func TestVerdictsByTheirOwnCells(t *testing.T) {
	wrong := func(of func(m study.Method, size int) bool) studytest.Make {
		return func(m study.Method, size int) studytest.Made {
			share := 0.
			if of(m, size) {
				share = .9
			}
			return law{wrong: share, reps: 500}.make()(m, size)
		}
	}
	least := Limit.Sizes[len(Limit.Sizes)-1]
	for _, c := range []struct {
		e    study.Experiment
		id   string
		made studytest.Make
	}{
		{Synthetic, "A1", wrong(func(m study.Method, _ int) bool {
			return m.Name != LinFACTG && m.Name != LinFACTXY
		})},
		{Synthetic, "A3", law{spread: .1, pulls: func(m study.Method, size int) float64 {
			switch {
			case m.Name != LinFACTXY:
				return 1000
			case static(size):
				return 2000
			}
			return 500
		}}.make()},
		{Limit, "C2", exact(law{spread: .1, pulls: func(m study.Method, size int) float64 {
			if m.Name == Game && size != least || m.Name == LinFACTXY && size == least {
				return 10_000
			}
			return 1500
		}}.make())},
		{Misspecified, "D1", wrong(func(_ study.Method, size int) bool {
			m := deviation(size)
			return m == 0 || m >= margin(m)/4
		})},
	} {
		if v := studytest.Verdict(t, c.e, c.id, c.made); v.Outcome != study.Agrees {
			t.Errorf("%s: %v, %s: %s; want that it agrees", c.id, v.Outcome, v.Measured, v.Why)
		}
	}
}
