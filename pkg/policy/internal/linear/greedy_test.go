package linear

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/question"
)

// The arm that is pulled next leaves the smallest largest variance of a difference: no other one of
// many that are nearly as good leaves less, when each is tried and the information is inverted.
func TestGreedyBruteForce(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 4))
	const n, h, pulls = 40, 3, 25
	x := mat.NewDense(n, h, nil)
	for i := range n {
		angle := .1 * rnd.NormFloat64()
		x.SetRow(i, []float64{math.Cos(angle), math.Sin(angle), rnd.NormFloat64()})
	}
	l := new(Model)
	if err := l.Init(&explore.Problem{X: x, Sigma: 1, Question: question.Best{}}); err != nil {
		t.Fatal(err)
	}
	active := []int{1, 5, 8, 13, 21, 34}
	g, err := newGreedy(l, active)
	if err != nil {
		t.Fatal(err)
	}
	// after returns the largest variance once arm k is pulled too.
	after := func(k int) float64 {
		a := mat.NewDense(h, h, nil)
		for i, c := range g.counts {
			if i == k {
				c++
			}
			v := mat.NewVecDense(h, l.Arm(i))
			a.RankOne(a, float64(c), v, v)
		}
		var w mat.Dense
		if err := w.Inverse(a); err != nil {
			t.Fatal(err)
		}
		worst, y := 0., mat.NewVecDense(h, nil)
		for _, i := range active {
			for _, j := range active {
				y.SubVec(mat.NewVecDense(h, l.Item(i)), mat.NewVecDense(h, l.Item(j)))
				worst = max(worst, mat.Inner(y, &w, y))
			}
		}
		return worst
	}
	near := 0 // arms within 2 % of the best one
	for range pulls {
		g.measure()
		k := g.best()
		got := after(k)
		for other := range n {
			v := after(other)
			if v < got*(1-1e-9) {
				t.Fatalf("arm %d leaves %v; arm %d leaves %v", k, got, other, v)
			}
			if other != k && v < 1.02*got {
				near++
			}
		}
		g.pull(k)
	}
	if near < pulls {
		t.Errorf("only %d times another arm was nearly as good: the test shows little", near)
	}
}
