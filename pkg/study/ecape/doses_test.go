package ecape

import (
	"testing"

	"github.com/purexp/purexp/pkg/question"
)

// Each instance is the trial with the rates in its name. With the published rates, the result is
// the instance of section 5.
func TestDoseInstances(t *testing.T) {
	published, err := instance(Published)
	if err != nil {
		t.Fatal(err)
	}
	at := dose{.469, .388, .39}
	inst, err := Doses.Named(at.String())
	if err != nil {
		t.Fatal(err)
	}
	for i := range inst.Problem.K() {
		for c, v := range inst.Truth().RawRowView(i) {
			if want := published.Truth().At(i, c); v < want-.0005 || v > want+.0005 {
				t.Errorf("%v: rate %d of %s is %v; want %v", at, c, inst.Problem.Arm(i), v, want)
			}
		}
	}
	for i := range Doses.Sizes {
		d := doses[i]
		inst, err := Doses.At(i, 0)
		if err != nil {
			t.Fatal(err)
		}
		mu := inst.Truth()
		truth := inst.Problem.Question.(question.FeasiblePareto).Truth(mu)
		if mu.At(arm75, 0) != d.efficacy75 || mu.At(arm75, 1) != d.safety75 || mu.At(arm300, 1) != d.safety300 {
			t.Errorf("%v: 75 mg at %v, 300 mg at %v", d, mu.RawRowView(arm75), mu.RawRowView(arm300))
		}
		// 150 mg has an efficacy of 0.465. Only with a smaller efficacy is 75 mg dominated, as the paper states.
		if truth.SubOpt[arm75] != (d.efficacy75 < .465) {
			t.Errorf("%v: 75 mg dominated: %v", d, truth.SubOpt[arm75])
		}
	}
}
