package linfact

import (
	"testing"

	"github.com/purexp/purexp/pkg/study"
)

// Setting 7 has tied arms, so methods for the top m arms need a tolerance, unless they know the true m.
func TestBaselines(t *testing.T) {
	e := Synthetic
	for _, m := range e.Methods {
		for _, setting := range []int{3, 7} {
			in, err := e.At(setting, 0)
			if err != nil {
				t.Fatal(err)
			}
			p := m.New(e.Task(in, setting))
			if err := p.Init(in.Problem, nil); err != nil {
				t.Errorf("%s (%s) in setting %d: %v", m.Name, m.Constants, setting, err)
			}
		}
	}
	in, err := e.At(7, 0)
	if err != nil {
		t.Fatal(err)
	}
	task := e.Task(in, 7)
	if m, tolerance := expected(task); m != 4 || tolerance != .5 {
		t.Errorf("expected: %d arms up to %v; want 4 up to 0.5", m, tolerance)
	}
	if m, tolerance := trueCount(task); m != len(right(task)) || tolerance != 0 {
		t.Errorf("trueCount: %d arms up to %v", m, tolerance)
	}
	if expectedLevel(task) != .5 || trueLevel(task) != .5 {
		t.Errorf("levels %v and %v; want 1/2", expectedLevel(task), trueLevel(task))
	}
}

// Arms below the threshold are at least 1/4 away from the threshold, and good arms at least 1/4 - 2 L_m. For L_m above
// 1/8, e_1 and e_2 are no longer good.
func TestMisspecifiedInstance(t *testing.T) {
	for _, c := range []struct {
		deviation float64
		good      int
	}{{0, 3}, {.12, 3}, {.13, 1}} {
		in, err := MisspecifiedInstance(c.deviation)
		if err != nil {
			t.Fatal(err)
		}
		task := study.Task{Instance: in}
		if got := right(task); len(got) != c.good {
			t.Errorf("L_m = %v: %v are within epsilon; want %d", c.deviation, got, c.good)
		}
		if m := margin(c.deviation); m > 0 {
			least := 1.
			for _, v := range in.Truth().RawMatrix().Data {
				least = min(least, max(v-(.75+c.deviation), .75+c.deviation-v))
			}
			if d := least - m; d < -1e-12 || d > 1e-12 {
				t.Errorf("L_m = %v: an arm is %v from the threshold; want %v", c.deviation, least, m)
			}
		}
	}
}
