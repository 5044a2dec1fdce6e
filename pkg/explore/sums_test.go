package explore_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/radius"
)

// ones is a laboratory in which every reward is 1 in the first objective and 2 in the second.
type ones struct{}

func (ones) Sample(dst []explore.Batch, pulls []explore.Pull) ([]explore.Batch, error) {
	for _, p := range pulls {
		dst = append(dst, explore.Batch{Pull: p, Sum: []float64{float64(p.N), 2 * float64(p.N)}})
	}
	return dst, nil
}

// Print the pulls, the mean and the interval of each arm of a run.
func ExampleSums_Estimates() {
	prob := problem()
	r, err := explore.Run(newScript(), prob, ones{}, &explore.Settings{Sums: true})
	if err != nil {
		fmt.Println(err)
		return
	}
	e, err := r.Sums.Estimates(prob, radius.Mixture{}, 0.05)
	fmt.Printf("with probability %.2f, %v:\n", e.Level, err)
	for i, n := range e.Pulls {
		fmt.Printf("%s of %s, %d pulls: %.1f in [%.1f, %.1f]\n", prob.Objective(0), prob.Arm(i), n,
			e.Means.At(i, 0), e.Low.At(i, 0), e.High.At(i, 0))
	}
	// Output:
	// with probability 0.95, <nil>:
	// efficacy of placebo, 2 pulls: 1.0 in [-6.1, 8.1]
	// efficacy of 25 mg, 5 pulls: 1.0 in [-2.1, 4.1]
	// efficacy of 75 mg, 1 pulls: 1.0 in [-12.7, 14.7]
}

// There are three arms; the last arm has no measurement.
func ExampleSums() {
	var s explore.Sums
	s.Record(explore.Event{Pulls: 3, Obs: []explore.Batch{
		{Pull: explore.Pull{Arm: 1, N: 2}, Sum: []float64{6, 10}}, {Pull: explore.Pull{Arm: 0, N: 1}, Sum: []float64{1, 2}}}})
	s.Record(explore.Event{Pulls: 4, Obs: []explore.Batch{{Pull: explore.Pull{Arm: 1, N: 1}, Sum: []float64{3, 2}}}})
	m := s.Means(&explore.Problem{Arms: 3, Objectives: 2})
	fmt.Println(m.RawRowView(0), m.RawRowView(1), m.RawRowView(2))
	// Output: [1 2] [3 4] [NaN NaN]
}

// wide is a radius with half-width 2 sqrt(t/n) sigma, after t pulls in total and n pulls of the arm.
type wide struct{}

func (wide) String() string                    { return "wide" }
func (wide) Bind(p radius.Params) radius.Bonus { return wideBonus{p.Sigma} }
func (w wideBonus) Factors(n int) (_, _ float64) {
	return 2 * math.Sqrt(float64(n)) * w.sigma, math.NaN()
}
func (wideBonus) Mean(n int) float64            { return 1 / math.Sqrt(float64(n)) }
func (wideBonus) Norm(int) float64              { return math.NaN() }
func (wideBonus) Term(int) (t radius.Term)      { return t }
func (wideBonus) Pair(_, _ radius.Term) float64 { return math.NaN() }

type wideBonus struct{ sigma float64 }

// For nine pulls and noise of scale 1 and 0.5 in two objectives, the half-widths are 2 and 1. An arm without pulls
// has an infinite half-width.
func TestEstimates(t *testing.T) {
	p := &explore.Problem{Arms: 2, Objectives: 2, Sigma: 1, Sigmas: []float64{1, .5}}
	s := explore.Sums{N: []int{9}, Total: [][]float64{{18, 27}}, Pulls: 9}
	e, err := s.Estimates(p, wide{}, .1)
	if err != nil {
		t.Fatal(err)
	}
	if fmt.Sprint(e.Pulls, e.Means.RawRowView(0), e.Low.RawRowView(0), e.High.RawRowView(0), e.Level) != "[9 0] [2 3] [0 2] [4 4] 0.9" {
		t.Errorf("%+v", e)
	}
	if !math.IsNaN(e.Means.At(1, 0)) || !math.IsInf(e.Low.At(1, 1), -1) || !math.IsInf(e.High.At(1, 0), 1) {
		t.Errorf("an arm without measurements: %v in [%v, %v]", e.Means.At(1, 0), e.Low.At(1, 1), e.High.At(1, 0))
	}
	s = explore.Sums{N: []int{0, 9}, Total: [][]float64{{0, 0}, {18, 27}}, Pulls: 9} // all pulls are of the last arm
	if e, err := s.Estimates(p, wide{}, .1); err != nil || fmt.Sprint(e.Pulls, e.Means.RawRowView(1), e.Low.RawRowView(1)) != "[0 9] [2 3] [0 2]" {
		t.Errorf("%+v, %v", e, err)
	}
	for want, f := range map[string]func() error{
		"have 3 arms":   func() error { _, err := (&explore.Sums{N: make([]int, 3)}).Estimates(p, wide{}, .1); return err },
		"radius is nil": func() error { _, err := s.Estimates(p, nil, .1); return err },
		"delta is 1":    func() error { _, err := s.Estimates(p, wide{}, 1); return err },
	} {
		if err := f(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v; want %q", err, want)
		}
	}
}
