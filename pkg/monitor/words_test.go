package monitor_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/lsq"
	"github.com/purexp/purexp/pkg/monitor"
)

// percent declares a problem in words.
func percent() *explore.Declaration {
	return &explore.Declaration{
		Problem: &explore.Problem{Arms: 2, ArmNames: []string{"PPh3", "XPhos"},
			ObjectiveNames: []string{"yield"}},
		Amount: func(_ int, x float64) string { return fmt.Sprintf("%.2g %%", x) }}
}

// A warning, then a withdrawal; the number is rounded down, so that the probability is a bound.
func TestSentence(t *testing.T) {
	m, err := monitor.New(monitor.Assumptions{Arms: 2, Objectives: []monitor.Objective{{Sigma: 2}}})
	if err != nil {
		t.Fatal(err)
	}
	var sentences []string
	for i := range 400 {
		m.Observe(i%2, 0, []float64{70 + 3*float64(i/2%2*2-1)})
		s := m.Sentence(percent())
		if i == 0 || i == 1 || m.Report().Level() > monitor.Level(len(sentences)-2) {
			sentences = append(sentences, s)
		}
	}
	want := []string{"No contradiction found in 1 result.", "No contradiction found in 2 results.",
		"The certificate stands so far. Replicates of some candidates will tell.",
		"The certificate is withdrawn. Declare a larger sd or a pilot, and begin again."}
	for i, s := range want {
		if i >= len(sentences) || !strings.HasSuffix(sentences[i], s) {
			t.Fatalf("%q; want %q", sentences, want)
		}
	}
	e := m.Report()
	if e.E() < 1e6 || !strings.Contains(m.Sentence(percent()), "(e > 1000000). If all that is "+
		"declared were true, evidence as strong as this would come up with probability at most 1 in "+
		"1000000. The") {
		t.Errorf("E = %v: %s", e.E(), m.Sentence(percent()))
	}
	r := monitor.Report{LogE: math.Log(20) - 1e-9}
	if r.Level() != monitor.Silent {
		t.Error(r.Level())
	}
}

func TestExpectationInWords(t *testing.T) {
	d := percent()
	e := monitor.Expectation{Mean: 78.2, Radius: 9.2, Results: 3}
	for x, want := range map[float64]string{
		70:  "yield of PPh3: 78.2 +- 9.2 is expected, from 3 results.",
		7.8: "yield of PPh3: 78.2 +- 9.2 is expected, from 3 results; 7.8 is odd. Is it a slip?",
	} {
		if got := e.Sentence(d, 0, 0, x); got != want {
			t.Errorf("%q; want %q", got, want)
		}
	}
	e.Mean = math.NaN()
	if got := e.Sentence(d, 0, 1, 3); got != "Nothing is known yet of yield of XPhos." {
		t.Error(got)
	}
}

func TestWatched(t *testing.T) {
	x := mat.NewDense(3, 1, []float64{1, 2, 3})
	o := monitor.Objective{Sigma: 2, High: 10, Trials: 10}
	for want, a := range map[string]monitor.Assumptions{
		"[]": {Arms: 3, Objectives: make([]monitor.Objective, 2)},
		"[scatter of replicates single results that are far off effects of plates drift]": {Arms: 3,
			Objectives: []monitor.Objective{{Sigma: 1}, {}}},
		"[scatter of replicates single results that are far off linear means effects of plates drift " +
			"scatter of counts]": {X: x, Objectives: []monitor.Objective{o}},
		"[the link]": {X: x, Link: lsq.Logit, Objectives: []monitor.Objective{{Sigma: .5,
			High: 1, Trials: 1}}},
	} {
		m, err := monitor.New(a)
		if err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprint(m.Watched()); got != want {
			t.Errorf("%s; want %s", got, want)
		}
	}
	for trials, watched := range map[int]bool{0: false, 1: false, 2: true, 1000: true, 1001: false} { // as counts
		m, err := monitor.New(monitor.Assumptions{Arms: 2, Objectives: []monitor.Objective{{Sigma: 1, Trials: trials}}})
		if err != nil || strings.Contains(fmt.Sprint(m.Watched()), "scatter of counts") != watched {
			t.Errorf("%d trials: %v, %v", trials, m.Watched(), err)
		}
	}
}
