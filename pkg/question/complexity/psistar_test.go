package complexity_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/polyhedron"
	"github.com/purexp/purexp/pkg/question"
	"github.com/purexp/purexp/pkg/question/complexity"
)

// rows returns the matrix with rows m.
func rows(m ...[]float64) *mat.Dense {
	d := mat.NewDense(len(m), len(m[0]), nil)
	for i, r := range m {
		d.SetRow(i, r)
	}
	return d
}

// atLeast returns {x : x[c] >= lower[c]}.
func atLeast(lower ...float64) *polyhedron.Polyhedron {
	r, err := polyhedron.AtLeast(lower, nil)
	if err != nil {
		panic(err)
	}
	return r
}

// randomMeans returns means with a front of several arms.
func randomMeans(rnd *rand.Rand, k, d int) *mat.Dense {
	mu := mat.NewDense(k, d, nil)
	for i := range k {
		row, level := mu.RawRowView(i), .5+rnd.Float64()
		for c := range row {
			row[c] = math.Abs(rnd.NormFloat64())
		}
		size := mat.Norm(mu.RowView(i), 2)
		for c := range row {
			row[c] *= level / size
		}
	}
	return mu
}

// randomQuestion returns a random question and random means; most is the largest number of arms.
func randomQuestion(rnd *rand.Rand, most int) (question.FeasiblePareto, *mat.Dense) {
	k, d := 1+rnd.IntN(most), 1+rnd.IntN(3)
	mu, lower := mat.NewDense(k, d, nil), make([]float64, d)
	for c := range d {
		lower[c] = -1 + .5*rnd.NormFloat64()
		for i := range k {
			mu.Set(i, c, rnd.NormFloat64())
		}
	}
	return question.FeasiblePareto{Region: atLeast(lower...)}, mu
}

// bent returns the benchmark example of Soare et al. in the plane. The arms are e1, e2 and x' at an
// angle from e1, with theta = 2 e1.
func bent(angle float64) (*explore.Problem, []float64) {
	x := mat.NewDense(3, 2, []float64{1, 0, 0, 1, math.Cos(angle), math.Sin(angle)})
	return &explore.Problem{X: x, Sigma: 1, Question: question.Best{}}, []float64{2, 0, 2 * math.Cos(angle)}
}

// psi* follows from Elfving's theorem. Among all combinations of the arms that equal e1 - x', (1 - cos a) e1 - sin a
// e2 has the smallest 1-norm, so psi* is (1 - cos a + sin a)^2/(2(1 - cos a))^2. For the same design, e2 is easier to
// distinguish from e1 than x' is. With weights w of e1 and e2 in proportion to (1 - cos a, sin a), the value for e2,
// (1/w1 + 1/w2)/4, is only 5.51 at a = 0.1.
func TestPsiStarGolden(t *testing.T) {
	for _, a := range []float64{.1, .01} {
		p, means := bent(a)
		b, err := complexity.NewPsiStar(p, means, nil)
		if err != nil {
			t.Fatal(err)
		}
		want := math.Pow((1-math.Cos(a)+math.Sin(a))/(2*(1-math.Cos(a))), 2)
		if a == .1 && !(math.Abs(want-110.0750) <= 1e-4) {
			t.Fatalf("the formula gives %v", want)
		}
		if b.Lower > want*(1+1e-9) || b.Value < want*(1-1e-9) || b.Gap() > 1.01e-4 {
			t.Errorf("angle %v: psi* in [%v, %v]; want %v", a, b.Lower, b.Value, want)
		}
	}
}

// For two arms without features, T* is 8/gap^2 by symmetry. T* is 2 psi*, so psi* is 4/gap^2. The lower
// bound on the number of pulls is 2 psi* sigma^2 log(1/(2.4 delta)).
func TestPsiStarUnstructured(t *testing.T) {
	p := &explore.Problem{Arms: 2, Sigma: 3, Question: question.Best{}}
	b, err := complexity.NewPsiStar(p, []float64{.2, .7}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if want := 4 / .25; !(math.Abs(b.Value-want) <= 1e-3) {
		t.Errorf("psi* = %v; want %v", b.Value, want)
	}
	want := 9 * 8 / .25 * math.Log(1/.12)
	if got := b.LowerBound(.05); !(math.Abs(got/want-1) <= 1e-3) {
		t.Errorf("lower bound %v; want %v", got, want)
	}
	// The bound is 0 for error probabilities of 1/2.4 or more.
	for delta, says := range map[float64]bool{.01: true, .41: true, .42: false, .5: false, .9: false} {
		if v := b.LowerBound(delta); (v > 0) != says || v < 0 {
			t.Errorf("delta %v: bound %v", delta, v)
		}
	}
}

// Compute the complexity of the benchmark example at its usual angle.
func ExampleNewPsiStar() {
	a := .1
	p := &explore.Problem{
		X:     mat.NewDense(3, 2, []float64{1, 0, 0, 1, math.Cos(a), math.Sin(a)}),
		Sigma: 1, Question: question.Best{},
	}
	b, err := complexity.NewPsiStar(p, []float64{2, 0, 2 * math.Cos(a)}, nil)
	if err != nil {
		panic(err)
	}
	fmt.Printf("psi* = %.2f, at least %.0f pulls at delta = 0.05\n", b.Value, b.LowerBound(.05))
	fmt.Printf("measure e1 %.2f, e2 %.2f, x' %.2f of the time\n", b.Weights[0], b.Weights[1], b.Weights[2])
	// Output:
	// psi* = 110.08, at least 467 pulls at delta = 0.05
	// measure e1 0.05, e2 0.95, x' 0.00 of the time
}
