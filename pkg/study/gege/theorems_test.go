package gege

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/bandit"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/pareto"
	"github.com/purexp/purexp/pkg/policy"
	"github.com/purexp/purexp/pkg/question"
)

// quarters has three arms of three features, two objectives, sigma 2 and the gaps 1/4, 1/4, 1/2.
func quarters(t *testing.T) *bounded {
	t.Helper()
	theta := mat.NewDense(3, 2, []float64{1, 0, 0, .25, -.5, -.5})
	x := mat.NewDense(3, 3, []float64{1, 0, 0, 0, 1, 0, 0, 0, 1})
	inst, err := bandit.NewLinear("quarters", &explore.Problem{
		X: x, Objectives: 2, Sigma: 2, NormSigma: 2, Question: question.Pareto{}}, theta)
	if err != nil {
		t.Fatal(err)
	}
	b, err := newBounded(inst)
	if err != nil {
		t.Fatal(err)
	}
	if g := b.gaps; g[0] != .25 || g[1] != .25 || g[2] != .5 {
		t.Fatalf("gaps %v", g)
	}
	return b
}

// Worked by hand: H1lin = 16 + 16 + 4, H2lin = max(16, 32, 12), two rounds, C = 2 2 (3 + 3 + 2).
func TestTheoremNumbers(t *testing.T) {
	b := quarters(t)
	near := func(name string, got, want float64) {
		t.Helper()
		if math.Abs(got-want) > 1e-9*want {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
	near("Theorem 1", b.theorem1(1e6), 32*math.Exp(-1e6/(1200*4*32*2)))
	near("T for 1 %", b.enough(.01), 1200*4*32*2*math.Log(3200))
	near("Theorem 1 with as much", b.theorem1(b.enough(.01)), .01)
	near("Theorem 2", b.theorem2(640), .25*math.Exp(-10))
	near("Theorem 4", b.theorem4(.1), 4*36*math.Log(10))
	// log2(2/(1/4)) = 3 and log2(2/(1/2)) = 2.
	near("Theorem 3", b.theorem3(.1), 3+32*1.75*256/3*4*(16*math.Log(60*3)+4*math.Log(60*2)))
	// Round 1: three arms with eps = 1/4; round 2: two with 1/8; then none.
	share := func(r float64) float64 { return 6 * .1 / (math.Pi * math.Pi * r * r) }
	want := math.Ceil(32*1.75*4*3*16*math.Log(12/share(1))) +
		math.Ceil(32*1.375*4*2*64*math.Log(8/share(2)))
	if n, rounds := b.lemma3(.1); n != want || rounds != 2 {
		t.Errorf("Lemma 3: %v pulls in %d rounds, want %v in 2", n, rounds, want)
	}
}

// What is proved for most runs holds in nearly all of them.
func TestTheoremsHold(t *testing.T) {
	b := quarters(t)
	lemma, rounds := b.lemma3(.1)
	m, err := try(b.inst, &policy.GEGEFixedConfidence{Delta: .1}, 100)
	if err != nil {
		t.Fatal(err)
	}
	over := m.Wrong
	for _, n := range m.Pulls {
		if n > lemma {
			over++
		}
	}
	// P(Binomial(100, 0.1) > 22) < 1e-4.
	if over > 22 || m.Rounds > rounds+1 || lemma > b.theorem3(.1)*4 {
		t.Errorf("%d of 100 runs wrong or above %v pulls, up to %d rounds", over, lemma, m.Rounds)
	}
	budget := 60000
	if m, err = try(b.inst, &policy.GEGEFixedBudget{Budget: budget}, 100); err != nil {
		t.Fatal(err)
	}
	if most := b.theorem1(float64(budget)); float64(m.Wrong) > 100*most+22 {
		t.Errorf("%d of 100 runs wrong, at most %v", m.Wrong, most)
	}
}

// The tables have a row an end of each experiment.
func TestTheoremTables(t *testing.T) {
	e := SyntheticBudget
	e.Sizes = []int{10, 20}
	a, err := BudgetTheorems(3, e, EnergyBudget)
	if err != nil || len(a.Rows) != 4 {
		t.Errorf("%v, %v", a, err)
	}
	c := SyntheticConfidence
	c.Sizes = []int{10}
	if a, err = ConfidenceTheorems(3, c); err != nil || len(a.Rows) != 1 {
		t.Errorf("%v, %v", a, err)
	}
}

// All that appendix G says of Fig. 5, with k in the place of j for the arm l.
func TestConcept(t *testing.T) {
	inst, err := Concept()
	if err != nil {
		t.Fatal(err)
	}
	const i, j, k, l = 0, 1, 2, 3
	gaps := pareto.Explain(inst.Truth())
	mu := inst.Truth()
	m := pareto.Excess(mu.RawRowView(j), mu.RawRowView(k))
	if gaps[j].Size != m || gaps[k].Size != m || gaps[j].Kind != pareto.GapLeave ||
		gaps[k].Kind != pareto.GapBeat || gaps[j].C != 1 || gaps[k].C != 1 {
		t.Errorf("optimal arms: %v, M(j,k) = %v", gaps, m)
	}
	if g := gaps[i]; g.Kind != pareto.GapEnter || g.J != j {
		t.Errorf("i: %v", g)
	}
	if g := gaps[l]; g.Kind != pareto.GapEnter || g.J != k || g.C != 0 ||
		pareto.Dominates(mu.RawRowView(j), mu.RawRowView(l)) {
		t.Errorf("l: %v", g)
	}
}

// Two arms that are left share a third of the pulls; the table says what that is worth.
func TestLastStage(t *testing.T) {
	a, err := LastStage(EnergyBudget, 10000)
	if err != nil {
		t.Fatal(err)
	}
	if len(a.Rows) != 4 {
		t.Fatalf("%d rows", len(a.Rows))
	}
	last := a.Rows[2]
	if last[1] != 2 || last[2] != 3333 || math.Abs(last[3].(float64)-.5*math.Sqrt(4./3333)) > 1e-6 {
		t.Errorf("last stage %v; want two arms, 3333 pulls, 0.5 sqrt(4/3333)", last)
	}
	if u := a.Rows[3]; u[1] != 768 || math.Abs(u[3].(float64)-.0044) > 5e-5 {
		t.Errorf("uniform: %v; want 768 arms and 0.0044", u)
	}
}
