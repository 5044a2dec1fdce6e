package monitor

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/purexp/purexp/internal/golden"
	"github.com/purexp/purexp/pkg/explore"
)

// What is said of findings of each kind, of either of two objectives with units of their own, as a warning and as a withdrawal, of
// the arms and of a reference, is in testdata, in whole.
func TestSentencesStay(t *testing.T) {
	d := &explore.Declaration{Problem: &explore.Problem{Arms: 3, Objectives: 2, ArmNames: []string{"A", "B", "C"},
		ObjectiveNames: []string{"yield", "waste"}},
		Amount: func(objective int, x float64) string { return fmt.Sprintf("%.3g %s", x, []string{"%", "g"}[objective]) }}
	plain := &explore.Declaration{Problem: d.Problem}
	m := &Monitor{is: Assumptions{Link: explore.Logit, Objectives: []Objective{{Sigma: 2, High: 10}, {Sigma: .25, Low: -1.5, High: 1}}}, results: 12}
	var text strings.Builder
	for k := Noise; k <= Range; k++ {
		for _, f := range []Finding{{Objective: 0, Arm: 2}, {Objective: 1, Arm: 1}, {Objective: 1, Arm: -1, Reference: true}} {
			if f.Reference && k != Plates && k != Drift {
				continue
			}
			f.Kind, f.Plate, f.Result, f.Size = k, 4, 7, 3.14159
			for _, e := range []float64{25.99, 123.9, 2e6} {
				m.peak = Report{LogE: math.Log(e), Findings: []Finding{f}}
				fmt.Fprintln(&text, m.Sentence(d))
			}
			fmt.Fprintln(&text, m.Say(&f, plain))
		}
	}
	for n := range 3 {
		m.results, m.peak = n, Report{LogE: math.Log(19.9)}
		fmt.Fprintln(&text, m.Sentence(d))
	}
	golden.Check(t, "sentences.txt", text.String())
}

// A slip is the result, on the plate, that it is: results are counted over all objectives and arms, also where a number is missing.
func TestSlipIsNamed(t *testing.T) {
	for _, at := range []int{20, 33, 47} {
		m, err := New(Assumptions{Arms: 2, Objectives: []Objective{{Sigma: 1}, {Sigma: 1}}})
		if err != nil {
			t.Fatal(err)
		}
		for i := 1; i <= 50; i++ {
			x := []float64{math.NaN(), float64(i%4) / 4}
			if i%3 > 0 {
				x[0] = 1
			}
			if i == at {
				x[1] += 30
			}
			m.Observe(i%2, i/10+1, x)
		}
		named := false
		for _, f := range m.Report().Findings {
			if f.Kind == Outlier {
				named = true
				if f.Result != at || f.Plate != at/10+1 || f.Arm != at%2 || f.Objective != 1 || !(math.Abs(f.Size-30) <= 1) {
					t.Errorf("a slip in result %d: %+v", at, f)
				}
			}
		}
		if !named {
			t.Errorf("a slip in result %d: %+v", at, m.Report())
		}
	}
}

// For the noise of an arm a batch with its squares is as its results one by one.
func TestNoiseOfAnArmInBatches(t *testing.T) {
	told := func(batch bool) Finding {
		m, err := New(Assumptions{Arms: 3, Objectives: []Objective{{Sigma: 2}}})
		if err != nil {
			t.Fatal(err)
		}
		if batch {
			err = m.Record(explore.Event{Obs: []explore.Batch{{Pull: explore.Pull{Arm: 1, N: 20}, Sum: []float64{200}, Squares: []float64{4000}}}})
		} else {
			for i := range 20 {
				m.Observe(1, 0, []float64{float64(i % 2 * 20)}) // of mean 10 and squares 400 each other time
			}
		}
		for _, f := range m.Report().Findings {
			if f.Kind == ArmNoise {
				return f
			}
		}
		t.Errorf("%v, %+v", err, m.Report())
		return Finding{}
	}
	one, all := told(false), told(true)
	if all.Arm != 1 || !(math.Abs(all.LogE-one.LogE) <= 1e-9) || !(math.Abs(all.Size-one.Size) <= 1e-9) || !(math.Abs(one.Size-math.Sqrt(2000./19)) <= 1e-9) {
		t.Errorf("one by one %+v, at once %+v", one, all)
	}
}

// Wells of a reference are looked at by themselves, and are no results; without one, or of another length, they are a mistake.
func TestWellsOfReference(t *testing.T) {
	a := Assumptions{Arms: 2, Objectives: []Objective{{Sigma: 1}}}
	without, err := New(a)
	if err != nil {
		t.Fatal(err)
	}
	a.Reference = true
	m, err := New(a)
	if err != nil {
		t.Fatal(err)
	}
	for plate := range 12 {
		for range 3 {
			m.ObserveReference(plate+1, []float64{float64(plate % 2 * 9)})
		}
	}
	r := m.Report()
	if r.Results != 0 || r.Level() != Withdrawal || r.Findings[0].Kind != Plates || !r.Findings[0].Reference {
		t.Errorf("%+v", r)
	}
	for what, c := range map[string]struct {
		want string
		f    func()
	}{
		"no reference": {panicReference, func() { without.ObserveReference(1, []float64{1}) }},
		"two numbers":  {panicLength, func() { m.ObserveReference(1, []float64{1, 2}) }},
		"no number":    {panicLength, func() { m.ObserveReference(1, nil) }},
	} {
		func() {
			defer func() {
				if got := recover(); got != c.want {
					t.Errorf("%s: panics with %v; want %q", what, got, c.want)
				}
			}()
			c.f()
		}()
	}
}
