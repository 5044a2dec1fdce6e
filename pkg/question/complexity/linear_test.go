package complexity_test

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/question"
	"github.com/purexp/purexp/pkg/question/complexity"
)

// quarters has three arms of three features, two objectives, sigma 2 and the gaps 1/4, 1/4, 1/2.
func quarters() (*complexity.Linear, error) {
	x := mat.NewDense(3, 3, []float64{1, 0, 0, 0, 1, 0, 0, 0, 1})
	return complexity.NewLinear(&explore.Problem{
		X: x, Objectives: 2, Sigma: 2, NormSigma: 2, Question: question.Pareto{},
	}, mat.NewDense(3, 2, []float64{1, 0, 0, .25, -.5, -.5}))
}

// Worked by hand: H1lin = 16 + 16 + 4, H2lin = max(16, 32, 12), two rounds, C = 2 2 (3 + 3 + 2).
func TestLinear(t *testing.T) {
	b, err := quarters()
	if err != nil {
		t.Fatal(err)
	}
	if g := b.Sorted; g[0] != .25 || g[1] != .25 || g[2] != .5 || b.Rounds() != 2 {
		t.Fatalf("gaps %v, %d rounds", g, b.Rounds())
	}
	near := func(name string, got, want float64) {
		t.Helper()
		if !(math.Abs(got-want) <= 1e-9*want) {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
	near("Theorem 1", b.ErrorBound(1e6), 32*math.Exp(-1e6/(1200*4*32*2)))
	near("T for 1 %", b.EnoughBudget(.01), 1200*4*32*2*math.Log(3200))
	quiet := *b // the theorem holds from 45 a feature and round
	quiet.Sigma = .01
	near("T for 1 % with little noise", quiet.EnoughBudget(.01), 45*3*2)
	near("Theorem 1 with as much", b.ErrorBound(b.EnoughBudget(.01)), .01)
	near("Theorem 2", b.LeastError(640), .25*math.Exp(-10))
	near("Theorem 4", b.Order(.1), 4*36*math.Log(10))
	// log2(2/(1/4)) = 3 and log2(2/(1/2)) = 2.
	near("Theorem 3", b.MostPulls(.1), 3+32*1.75*256/3*4*(16*math.Log(60*3)+4*math.Log(60*2)))
	// Round 1: three arms with eps = 1/4; round 2: two with 1/8; then none.
	share := func(r float64) float64 { return 6 * .1 / (math.Pi * math.Pi * r * r) }
	want := math.Ceil(32*1.75*4*3*16*math.Log(12/share(1))) +
		math.Ceil(32*1.375*4*2*64*math.Log(8/share(2)))
	if n, rounds := b.Schedule(.1); n != want || rounds != 2 {
		t.Errorf("Lemma 3: %v pulls in %d rounds, want %v in 2", n, rounds, want)
	}
	// Gaps of 4 and more, in a model of rank 1: Theorem 3 takes them for 1 in its logarithms, and Lemma 3 lets items stay for a round.
	far, err := complexity.NewLinear(&explore.Problem{X: mat.NewDense(3, 1, []float64{1, 2, 4}), Sigma: 1, Question: question.Pareto{}},
		mat.NewDense(3, 1, []float64{4, 8, 16}))
	if err != nil {
		t.Fatal(err)
	}
	if far.Rank != 1 || far.Rounds() != 1 || far.Sorted[0] != 8 || far.Sorted[1] != 8 || far.Sorted[2] != 12 {
		t.Errorf("%+v, %d rounds; want rank 1, the gaps 8, 8, 12 and one round", far, far.Rounds())
	}
	near("Theorem 3 with large gaps", far.MostPulls(.1), 1)
	if n, rounds := far.Schedule(.1); rounds != 1 || n != math.Ceil(32*1.75*16*math.Log(6/share(1))) {
		t.Errorf("Lemma 3 with large gaps: %v pulls in %d rounds", n, rounds)
	}
	apart, err := complexity.NewLinear(&explore.Problem{X: mat.NewDense(3, 3, []float64{1, 0, 0, 0, 1, 0, 0, 0, 1}),
		Sigma: 1, Question: question.Pareto{}},
		mat.NewDense(3, 1, []float64{4, 8, 16}))
	if err != nil {
		t.Fatal(err)
	}
	near("Theorem 3 with large gaps and features", apart.MostPulls(.1), 1+32*1.75*256/3*math.Log(30)*(1./64+1./144))
	if _, err := complexity.NewLinear(&explore.Problem{Question: question.Best{}}, nil); err == nil {
		t.Error("the best item is taken for a Pareto set")
	}
}

// With how many pulls Theorem 1 promises an error of at most one per cent.
func ExampleNewLinear() {
	l, err := quarters()
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.0f pulls, in %d rounds\n", l.EnoughBudget(.01), l.Rounds())
	// Output:
	// 2479382 pulls, in 2 rounds
}
