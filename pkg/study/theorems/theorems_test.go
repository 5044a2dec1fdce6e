package theorems_test

import (
	"fmt"
	"log"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/bandit"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policy"
	"github.com/purexp/purexp/pkg/question"
	"github.com/purexp/purexp/pkg/question/complexity"
	"github.com/purexp/purexp/pkg/seed"
	"github.com/purexp/purexp/pkg/study"
	"github.com/purexp/purexp/pkg/study/ecape"
	"github.com/purexp/purexp/pkg/study/linfact"
	"github.com/purexp/purexp/pkg/study/rage"
	"github.com/purexp/purexp/pkg/study/theorems"
)

// The theorems about e-cAPE hold: the measured pulls are between the lower and the upper bound.
func TestECAPE(t *testing.T) {
	e := ecape.Concept
	e.Sizes = e.Sizes[:2]
	table, err := theorems.ECAPE(2, e)
	if err != nil || len(table.Rows) != 2 {
		t.Fatalf("%+v, %v", table, err)
	}
	for _, row := range table.Rows {
		below, oracle, needed, above := row[4].(float64), row[5].(float64), row[6].(float64), row[7].(float64)
		if !(below > 0 && below < needed && oracle < needed && needed < above) {
			t.Errorf("%v: %v and %v pulls below, %v needed, %v above", row[0], below, oracle, needed, above)
		}
	}
	defer func() {
		if recover() == nil {
			t.Error("no panic without runs")
		}
	}()
	theorems.ECAPE(0)
}

// quarters returns an instance with three arms, three features, two objectives, sigma 2 and gaps 1/4, 1/4, 1/2.
func quarters(t *testing.T) *bandit.Instance {
	t.Helper()
	theta := mat.NewDense(3, 2, []float64{1, 0, 0, .25, -.5, -.5})
	inst, err := bandit.NewLinear("quarters", &explore.Problem{
		X: study.Basis(3, 3), Objectives: 2, Sigma: 2, NormSigma: 2, Question: question.Pareto{},
	}, theta)
	if err != nil {
		t.Fatal(err)
	}
	return inst
}

// Properties proved for GEGE with high probability hold in nearly all runs.
func TestGEGEHolds(t *testing.T) {
	inst := quarters(t)
	c, err := complexity.NewLinear(inst.Problem, inst.Truth())
	if err != nil {
		t.Fatal(err)
	}
	try := func(p explore.Policy) study.Tries {
		m, err := study.Try(inst, p, 100, func(run int) seed.Seed {
			return seed.New(1).Child("theorems", inst.Name, run)
		})
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	lemma, rounds := c.Schedule(.1)
	m := try(&policy.GEGEFixedConfidence{Delta: .1})
	over := m.Wrong
	for _, n := range m.Pulls {
		if n > lemma {
			over++
		}
	}
	// P(Binomial(100, 0.1) > 22) is 1.1e-4.
	if over > 22 || m.Rounds > rounds+1 || lemma > c.MostPulls(.1)*4 {
		t.Errorf("%d of 100 runs wrong or above %v pulls, up to %d rounds", over, lemma, m.Rounds)
	}
	const budget = 60000
	m = try(&policy.GEGEFixedBudget{Budget: budget})
	if most := c.ErrorBound(budget); float64(m.Wrong) > 100*most+22 {
		t.Errorf("%d of 100 runs wrong, at most %v", m.Wrong, most)
	}
}

// The thetas of Proposition 1 lie in d/2 planes, each with two arms to distinguish. In the plane of the arms e_1 and
// z, distinguishing these arms costs (2/gap)^2, where gap = 1 - cos(angle). This follows from Elfving's theorem,
// because (e_1 - z)/gap is the midpoint of e_1 and -z, stretched by 2/gap. A static allocation must distinguish the
// arms in all planes, which costs d/2 times as much.
func TestRAGEProposition1(t *testing.T) {
	const angle = .1
	table, err := theorems.RAGEProposition1(rage.PropositionInstance, angle, 2, 4, 8)
	if err != nil {
		t.Fatal(err)
	}
	plane := 4 / math.Pow(1-math.Cos(angle), 2)
	for i, d := range []int{2, 4, 8} {
		row := table.Rows[i]
		psi, static := row[2].(float64), row[3].(float64)
		if want := plane * float64(d) / 2; math.Abs(static/want-1) > .01 {
			t.Errorf("d = %d: static %v; want %v", d, static, want)
		}
		// Arms in the other planes have gap 1, so an oracle needs only a few pulls to distinguish them from the best
		// arm.
		if psi < plane*.99 || psi > plane*1.1+4*float64(d) {
			t.Errorf("d = %d: psi* %v; want a little more than %v", d, psi, plane)
		}
	}
	if _, err := theorems.RAGEProposition1(rage.PropositionInstance, angle, 3); err == nil {
		t.Error("no error for d = 3")
	}
}

// The bounds hold in every row. The last row has two items and thus a single difference, for which rho equals 1/gauge²
// (see the notes of RAGELemma1).
func TestRAGELemma1(t *testing.T) {
	inst, err := rage.BenchmarkInstance(5, .1)
	if err != nil {
		t.Fatal(err)
	}
	table, err := theorems.RAGELemma1(inst)
	if err != nil {
		t.Fatal(err)
	}
	if len(table.Rows) != 2 {
		t.Fatalf("%d rows; want all items, and the best two", len(table.Rows))
	}
	for _, row := range table.Rows {
		lower, rho, upper := row[2].(float64), row[3].(float64), row[5].(float64)
		if !(lower <= rho*1.001 && rho <= upper*1.001) {
			t.Errorf("%v: rho is not within its bounds", row)
		}
	}
	last := table.Rows[1]
	if rho, own := last[3].(float64), last[4].(float64); math.Abs(rho/own-1) > .002 || last[1] != 2 {
		t.Errorf("%v: want two items, and rho = 1/gauge²", last)
	}
}

// The pulls of LinFACT are between the lower bound and the bound of Theorem 4.1.
func TestLinFACT(t *testing.T) {
	table, err := theorems.LinFACT(20, linfact.Synthetic, 1, 2, 3, 7, 8, 9)
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range table.Rows {
		allowed, took := row[3].(int), row[4].(int)
		least, median, most := row[5].(float64), row[6].(float64), row[7].(float64)
		if took > allowed || median < least || median > most || row[8].(float64) > 0 {
			t.Errorf("%v", row)
		}
	}
	if _, err := theorems.LinFACT(1, linfact.Synthetic, 10); err == nil {
		t.Error("there is no setting 10")
	}
}

// Compare the measured pulls with the lower and the upper bound on an instance whose dominated arms are 0.1 from the
// boundary.
func ExampleECAPE() {
	e := ecape.Concept
	e.Sizes = []int{10}
	table, err := theorems.ECAPE(2, e)
	if err != nil {
		log.Fatal(err)
	}
	row := table.Rows[0]
	fmt.Println(row[4].(float64) < row[6].(float64), row[6].(float64) < row[7].(float64))
	// Output:
	// true true
}
