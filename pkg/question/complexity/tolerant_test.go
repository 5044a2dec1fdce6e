package complexity

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/polyhedron"
	"github.com/purexp/purexp/pkg/question"
)

func ones(d int) []float64 {
	v := make([]float64, d)
	for i := range v {
		v[i] = 1
	}
	return v
}

// Two arms, one objective, means 0 and g, a tolerance t < g: arm 1 alone is right, and it is wrong
// as soon as arm 0 is ahead by t. With weights of 1/2 each that costs (g+t)^2/8, and T is
// 8/(g+t)^2. Within the tolerance both are right, and nothing need be measured.
func TestTolerantByHand(t *testing.T) {
	for _, x := range []struct{ gap, tol, want float64 }{
		{1, 0, 8}, {1, .5, 8 / 2.25}, {2, 1, 8. / 9}, {1, 1.5, 0},
	} {
		q := question.FeasiblePareto{Region: polyhedron.Whole(1), Tolerance: []float64{x.tol}}
		b, err := NewTolerant(q, mat.NewDense(2, 1, []float64{0, x.gap}), ones(1), nil, 1e-6)
		if err != nil || !(math.Abs(b.Lower-x.want) <= 1e-4*x.want) {
			t.Errorf("gap %v, tolerance %v: %+v, %v; want T = %v", x.gap, x.tol, b, err, x.want)
		}
	}
	// One arm at 1, a bound x <= 2 with slack 1: it is wrong to accept it beyond 3, and nothing is
	// rejected. T = 2/(3-1)^2. At 2.5 it may be in the answer or not.
	region, err := polyhedron.New(mat.NewDense(1, 1, []float64{1}), []float64{2}, nil)
	if err != nil {
		t.Fatal(err)
	}
	q := question.FeasiblePareto{Region: region, Slack: []float64{1}}
	for mean, want := range map[float64]float64{1: .5, 2.5: 0, 4: .5} {
		b, err := NewTolerant(q, mat.NewDense(1, 1, []float64{mean}), ones(1), nil, 1e-6)
		if err != nil || !(math.Abs(b.Lower-want) <= 1e-4) {
			t.Errorf("mean %v: %+v, %v; want T = %v", mean, b, err, want)
		}
	}
	tie := mat.NewDense(2, 1, []float64{1, 1})
	if b, err := NewTolerant(question.FeasiblePareto{Region: polyhedron.Whole(1)}, tie, ones(1),
		nil, 0); !errors.Is(err, ErrParetoTie) && b.Lower != 0 {
		t.Errorf("a tie: %+v, %v", b, err)
	}
}

// randomTolerant is a problem of k arms with two objectives, some bounds and some tolerances.
func randomTolerant(t *testing.T, rnd *rand.Rand, k int) (question.FeasiblePareto, *mat.Dense,
	*mat.Dense) {
	region := polyhedron.Whole(2)
	slack := []float64(nil)
	if rnd.IntN(3) > 0 {
		a := mat.NewDense(1, 2, []float64{rnd.NormFloat64(), rnd.NormFloat64()})
		var err error
		if region, err = polyhedron.New(a, []float64{1}, nil); err != nil {
			t.Fatal(err)
		}
		slack = []float64{rnd.Float64() * float64(rnd.IntN(2)) / 2}
	}
	q := question.FeasiblePareto{Region: region, SetOnly: true, Slack: slack,
		Tolerance: []float64{rnd.Float64() / 2, rnd.Float64() / 2}}
	mu := mat.NewDense(k, 2, nil)
	var known *mat.Dense
	if rnd.IntN(3) == 0 {
		known = mat.NewDense(k, 2, nil)
	}
	for i := range k {
		mu.SetRow(i, []float64{rnd.NormFloat64(), rnd.NormFloat64()})
		if known != nil {
			known.SetRow(i, []float64{math.NaN(), mu.At(i, 1)})
		}
	}
	return q, mu, known
}

// No answer that is right for the means is right for those that were found, but for a step beyond
// them: checked over all sets of items. So the bound holds by its proof.
func TestTolerantSpoils(t *testing.T) {
	rnd := rand.New(rand.NewPCG(7, 1))
	checked := 0
	for n := range 400 {
		const k = 4
		q, mu, known := randomTolerant(t, rnd, k)
		s, err := newSpoilers(q, mu, ones(2), known)
		if err != nil {
			t.Fatal(err)
		}
		w := make([]float64, k)
		for i := range w {
			w[i] = .05 + rnd.Float64()
		}
		// Means are on edges, where answers may still be right; a little beyond they are not.
		const beyond = 1e-7
		for c := range s.tol {
			s.tol[c] += beyond
		}
		for l := range s.b {
			s.b[l] -= beyond
			s.slack[l] += 2 * beyond
		}
		for i := range s.home {
			if s.home[i], err = s.homeOf(i); err != nil {
				t.Fatal(err)
			}
		}
		if math.IsInf(s.cheapest(w, make([]float64, k)), 1) {
			continue
		}
		checked++
		other := mat.NewDense(k, 2, s.best)
		for i := range k {
			if known != nil && other.At(i, 1) != mu.At(i, 1) {
				t.Fatalf("case %d: what is known of item %d moved from %v to %v", n, i, mu.At(i, 1),
					other.At(i, 1))
			}
		}
		for set := range 1 << k {
			a := explore.Answer{}
			for i := range k {
				if set>>i&1 > 0 {
					a.Items = append(a.Items, i)
				}
			}
			if q.Correct(mu, a) && q.Correct(other, a) {
				t.Errorf("case %d: %v is right for\n%v\nand for\n%v\n%#v", n, a.Items,
					mat.Formatted(mu), mat.Formatted(other), q)
			}
		}
	}
	if checked < 200 {
		t.Errorf("only %d cases have other means", checked)
	}
}

// With tolerances of 0 the bound is that of the exact question, for which T* is known: never above
// it, and hardly below.
func TestTolerantExact(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 1))
	worst := 1.
	for n := range 60 {
		q, mu, _ := randomTolerant(t, rnd, 3+n%3)
		q.Tolerance, q.Slack = nil, nil
		star, err := NewTStar(q, mu, nil, 1e-3)
		if err != nil {
			t.Fatal(err)
		}
		b, err := NewTolerant(q, mu, ones(2), nil, 1e-3)
		if err != nil {
			t.Fatal(err)
		}
		if b.Lower > star.Upper*(1+1e-6) {
			t.Errorf("case %d: T = %v is above T* = %v", n, b.Lower, star.Upper)
		}
		if star.Lower > 0 {
			worst = min(worst, b.Lower/star.Lower)
		}
	}
	t.Logf("least T/T*: %.4f", worst)
	if worst < .99 {
		t.Errorf("T/T* is as small as %v", worst)
	}
}

// A larger tolerance never asks for more.
func TestTolerantMonotone(t *testing.T) {
	rnd := rand.New(rand.NewPCG(5, 1))
	for n := range 40 {
		q, mu, known := randomTolerant(t, rnd, 4)
		last := math.Inf(1)
		for _, f := range []float64{.25, .5, 1, 2} {
			tol := []float64{f * q.Tolerance[0], f * q.Tolerance[1]}
			b, err := NewTolerant(question.FeasiblePareto{Region: q.Region, Slack: q.Slack,
				Tolerance: tol}, mu, ones(2), known, 1e-3)
			if errors.Is(err, ErrParetoTie) {
				continue
			}
			if err != nil {
				t.Fatal(err)
			}
			if b.Lower > last*1.1 {
				t.Errorf("case %d: %v with tolerances %v, %v with smaller ones", n, b.Lower, tol,
					last)
			}
			last = min(last, b.Lower)
		}
	}
}
