package rage

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/bandit"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policy"
	"github.com/purexp/purexp/pkg/seed"
	"github.com/purexp/purexp/pkg/study"
)

// Round t of the released code has 8 (2^(t-1))^2 rho (1 + eps) log(2 K^2 t^2/delta) pulls, where K = 100 arms and eps
// = 0.1.
func TestReleased(t *testing.T) {
	inst, err := ManyArms.At(100, 0)
	if err != nil {
		t.Fatal(err)
	}
	task := ManyArms.Task(inst, 100)
	stages, err := Released.New(task).(*policy.RAGE).Schedule(inst.Problem, means(task))
	if err != nil || len(stages) < 2 {
		t.Fatalf("%d rounds, %v", len(stages), err)
	}
	for _, s := range stages {
		phase := float64(s.T)
		want := math.Ceil(8 * math.Pow(4, phase-1) * s.Rho * 1.1 * math.Log(2*100*100*phase*phase/Delta))
		if float64(s.Pulls) != want {
			t.Errorf("round %d has %d pulls; want %v", s.T, s.Pulls, want)
		}
	}
}

// If rewards are measured in units 20 times smaller, a first accuracy of 1/2 makes the first round 20^2 times as long.
// The first round is then the only round. If the first accuracy is derived from the noise, the number of pulls does
// not depend on the units.
func TestUnits(t *testing.T) {
	inst, err := Newer.At(5, 0)
	if err != nil {
		t.Fatal(err)
	}
	p := *inst.Problem
	p.Sigma *= 20
	theta := mat.DenseCopyOf(inst.Theta)
	theta.Scale(20, theta)
	large, err := bandit.NewLinear("other units", &p, theta)
	if err != nil {
		t.Fatal(err)
	}
	run := func(in *bandit.Instance, m study.Method) int {
		p := m.New(Newer.Task(in, 5))
		r, err := explore.Run(p, in.Problem, in.Sampler(seed.New(1)), nil)
		if err != nil {
			t.Fatal(err)
		}
		return r.Pulls
	}
	half, ok := Newer.Method(RAGE, Theory)
	if !ok {
		t.Fatal("no RAGE")
	}
	if a, b := run(inst, half), run(large, half); b != 256_556 || a > 20_000 {
		t.Errorf("with a first accuracy of 1/2: %d pulls, and %d in other units; want 256 556", a, b)
	}
	if a, b := run(inst, UnitFree), run(large, UnitFree); a != b {
		t.Errorf("without units: %d pulls, and %d in other units", a, b)
	}
}

// With many arms, it is expensive for LinGapE to start with one pull of each arm.
func TestEachArm(t *testing.T) {
	const n = 1000
	inst, err := ManyArms.At(n, 0)
	if err != nil {
		t.Fatal(err)
	}
	span, ok := ManyArms.Method(LinGapE, Theory)
	if !ok {
		t.Fatal("no LinGapE")
	}
	pulls := func(m study.Method) int {
		p := m.New(ManyArms.Task(inst, n))
		r, err := explore.Run(p, inst.Problem, inst.Sampler(seed.New(1)), nil)
		if err != nil {
			t.Fatal(err)
		}
		return r.Pulls
	}
	if a, b := pulls(EachArm), pulls(span); a < n || b >= n {
		t.Errorf("%d pulls after each arm, %d after arms that span the plane; want n = %d between", a, b, n)
	}
}
