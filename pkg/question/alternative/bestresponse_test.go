package alternative_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/pareto"
	"github.com/purexp/purexp/pkg/question/alternative"
)

func TestBestResponse(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 1))
	falls, enters := 0, 0
	for trial := range 300 {
		d := 1 + trial%4
		k := 2 + rnd.IntN(7)
		mu := randomMeans(rnd, k, d)
		if d == 4 && len(pareto.Set(mu)) > 5 {
			continue // the oracle tries 4^p maps
		}
		var cov mat.Symmetric
		if trial%3 == 1 {
			if len(pareto.Set(mu)) > 4 {
				continue
			}
			cov = randomCovariance(rnd, d)
		}
		r, err := alternative.New(k, d, cov)
		if err != nil {
			t.Fatal(err)
		}
		r.SetMeans(flat(mu))
		if !slices.Equal(r.Front(), pareto.Set(mu)) {
			t.Errorf("front %v; want %v", r.Front(), pareto.Set(mu))
		}
		w, grad := randomWeights(rnd, k), make([]float64, k)
		got, want := r.Cost(grad, w), cost(mu, cov, w)
		if !(math.Abs(got-want) <= 1e-7*want) {
			t.Errorf("trial %d, d = %d: cost %v; want %v", trial, d, got, want)
		}
		if v := floats.Dot(w, grad); !(math.Abs(v-got) <= 1e-12*got) {
			t.Errorf("trial %d: w.grad = %v, cost %v", trial, v, got)
		}
		for range 10 {
			v := randomWeights(rnd, k)
			if f := r.Cost(nil, v); f > floats.Dot(v, grad)*(1+1e-9) {
				t.Errorf("trial %d: F = %v exceeds the cut, %v", trial, f, floats.Dot(v, grad))
			}
		}
		r.Cost(nil, w)
		a := r.Alternative()
		if a.By >= 0 {
			falls++
		} else {
			enters++
		}
		if v := price(mu, a.Means, cov, w); !(math.Abs(v-got) <= 1e-9*got) {
			t.Errorf("trial %d: the alternative costs %v; F = %v", trial, v, got)
		}
		changes(t, fmt.Sprint("trial ", trial), mu, a)
	}
	if falls < 50 || enters < 50 {
		t.Errorf("%d falls, %d entries: the test is one-sided", falls, enters)
	}
}

// With one objective, the cost of the best response is the smallest w_1 w_i/(w_1 + w_i) gap_i^2/2, where arm 1 is the
// best arm and i is any other arm (Garivier and Kaufmann, COLT 2016).
func TestBestResponseBestArm(t *testing.T) {
	r, err := alternative.New(3, 1, nil)
	if err != nil {
		t.Fatal(err)
	}
	r.SetMeans([]float64{0, 1, .5})
	w := []float64{.2, .3, .5}
	// For arms 0 and 2, the formula gives the cost min(0.2*0.3/0.5/2, 0.3*0.5/0.8*0.25/2) = min(0.06, 0.0234375).
	if got := r.Cost(nil, w); !(math.Abs(got-.0234375) <= 1e-15) {
		t.Errorf("cost %v; want .0234375", got)
	}
	if got := r.Alternative(); got.Arm != 2 || got.By >= 0 || got.Constraint >= 0 {
		t.Errorf("%+v", got)
	}
}

func ExampleBestResponse() {
	r, err := alternative.New(3, 2, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	r.SetMeans([]float64{1, 0, 0, 1, .2, .3}) // two optimal arms and one outside
	grad := make([]float64, 3)
	f := r.Cost(grad, []float64{.25, .25, .5})
	a := r.Alternative()
	fmt.Printf("F = %.4f, gradient %.4f; by arm %d\n", f, grad, a.Arm)
	fmt.Printf("%.2f\n", mat.Formatted(a.Means))
	// Output:
	// F = 0.0033, gradient [0.0000 0.0089 0.0022]; by arm 2
	// ⎡1.00  0.00⎤
	// ⎢0.13  1.00⎥
	// ⎣0.13  0.30⎦
}
