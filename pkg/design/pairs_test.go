package design

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// For the canonical basis the variance of a difference is 1/w_i + 1/w_j, at best
// 2m, at the uniform design only.
func TestPairsCanonicalBasis(t *testing.T) {
	for _, m := range []int{3, 7, 20} {
		x := mat.NewDense(m, m, nil)
		for i := range m {
			x.Set(i, i, 1)
		}
		d, err := Pairs(x, nil,
			&Options{Tol: 1e-8, Start: proportions(rand.New(rand.NewPCG(1, 9)), m)})
		if err != nil {
			t.Fatal(err)
		}
		if want := 2 * float64(m); !(math.Abs(d.Value-want) <= 2e-8*want) {
			t.Errorf("m = %d: value %v, want %v", m, d.Value, want)
		}
		// The largest variance grows by m^2 times a shift of weights.
		if w := 1 / float64(m); !(math.Abs(floats.Max(d.Weights)-w) <= 1e-3*w) ||
			!(math.Abs(floats.Min(d.Weights)-w) <= 1e-3*w) {
			t.Errorf("m = %d: weights %v, want %v", m, d.Weights, w)
		}
	}
}

// Differences at all sites add 2 n_s each at the uniform design: variances of
// independent factors add, and 40 = 2 (4+5+4+3+4). By symmetry and convexity the
// uniform design is optimal.
func TestPairsFreeWilson(t *testing.T) {
	x := freeWilson(4, 5, 4, 3, 4)
	criterion, err := NewPairs(x, nil)
	if err != nil {
		t.Fatal(err)
	}
	if criterion.K() != 960 || criterion.Rank() != 16 {
		t.Errorf("K = %d, rank %d, want 960, 16", criterion.K(), criterion.Rank())
	}
	if v := criterion.Value(uniform(960)); !(math.Abs(v-40) <= 1e-9) {
		t.Errorf("value %v at the uniform design, want 40", v)
	}
	d, err := criterion.Solve(nil)
	if err != nil {
		t.Fatal(err)
	}
	checkDesign(t, "Free-Wilson", d, DefaultTol)
	if d.Lower > 40*(1+1e-9) || d.Value < 40*(1-1e-9) {
		t.Errorf("bracket [%v, %v] misses 40", d.Lower, d.Value)
	}
	if n := len(d.Support()); n > 16*17/2 {
		t.Errorf("%d supporting points, want at most %d", n, 16*17/2)
	}
}

func TestPairsEqualsXY(t *testing.T) {
	rnd := rand.New(rand.NewPCG(2, 9))
	for _, m := range []int{2, 4, 6} {
		x, z := sphere(rnd, 15, m), sphere(rnd, 12, m)
		pairs, err := NewPairs(x, z)
		if err != nil {
			t.Fatal(err)
		}
		xy, err := NewXY(x, differences(z))
		if err != nil {
			t.Fatal(err)
		}
		for range 5 {
			w := proportions(rnd, 15)
			if a, b := pairs.Value(w), xy.Value(w); !(math.Abs(a-b) <= 1e-9*a) {
				t.Errorf("m = %d: value %v of pairs, %v of differences", m, a, b)
			}
		}
		few := make([]float64, 15) // singular
		few[0], few[1] = 0.5, 0.5
		if a, b := pairs.Value(few), xy.Value(few); a != b && !(math.Abs(a-b) <= 1e-9*a) {
			t.Errorf("m = %d: value %v of pairs, %v of differences for two points", m, a, b)
		}
		a, err := pairs.Solve(&Options{Tol: 1e-7})
		if err != nil {
			t.Fatal(err)
		}
		b, err := xy.Solve(&Options{Tol: 1e-7})
		if err != nil {
			t.Fatal(err)
		}
		if a.Lower > b.Value || b.Lower > a.Value {
			t.Errorf("m = %d: brackets [%v, %v] and [%v, %v]", m, a.Lower, a.Value, b.Lower,
				b.Value)
		}
	}
}

// Items eliminated one after the other: each problem as if it were new.
func TestPairsKeep(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 9))
	x, z := sphere(rnd, 60, 5), sphere(rnd, 40, 5)
	z.SetRow(17, z.RawRowView(3)) // a duplicate
	criterion, err := NewPairs(x, z)
	if err != nil {
		t.Fatal(err)
	}
	items := rnd.Perm(40)
	for _, n := range []int{40, 25, 12, 5, 3, 2, 1} {
		keep := append([]int(nil), items[:n]...)
		for i := range keep { // insertion sort
			for j := i; j > 0 && keep[j] < keep[j-1]; j-- {
				keep[j], keep[j-1] = keep[j-1], keep[j]
			}
		}
		criterion.Keep(keep)
		if got := criterion.Items(); len(got) != n || got[0] != keep[0] {
			t.Fatalf("items %v, want %v", got, keep)
		}
		rows := mat.NewDense(n, 5, nil)
		for a, i := range keep {
			rows.SetRow(a, z.RawRowView(i))
		}
		warm, err := criterion.Solve(&Options{Tol: 1e-5})
		if err != nil {
			t.Fatalf("%d items: %v", n, err)
		}
		fresh, err := Pairs(x, rows, &Options{Tol: 1e-5})
		if err != nil {
			t.Fatal(err)
		}
		if warm.Lower > fresh.Value*(1+1e-12) || fresh.Lower > warm.Value*(1+1e-12) {
			t.Errorf("%d items: bracket [%v, %v], of a new problem [%v, %v]", n, warm.Lower,
				warm.Value, fresh.Lower, fresh.Value)
		}
		if n == 1 && (warm.Value != 0 || !(math.Abs(floats.Sum(warm.Weights)-1) <= 1e-15)) {
			t.Errorf("one item: %+v", warm)
		}
		for _, dir := range warm.Critical {
			for _, i := range []int{dir.I, dir.J} {
				if !contains(keep, i) {
					t.Errorf("%d items: critical item %d was not kept", n, i)
				}
			}
		}
	}
	criterion.Keep([]int{3, 17, 20}) // items that had been left out, and duplicates
	d, err := criterion.Solve(nil)
	if err != nil {
		t.Fatal(err)
	}
	checkDesign(t, "two different items", d, DefaultTol)
	for _, bad := range [][]int{nil, {2, 1}, {1, 1}, {-1}, {40}} {
		panics(t, panicItems, func() { criterion.Keep(bad) })
	}
}

func contains(s []int, v int) bool {
	for _, u := range s {
		if u == v {
			return true
		}
	}
	return false
}

// The best design for e_1 - x' needs no third dimension.
func TestPairsSingularDesign(t *testing.T) {
	c, s := math.Cos(0.1), math.Sin(0.1)
	x := mat.NewDense(3, 2, []float64{1, 0, 0, 1, c, s})
	z := mat.NewDense(2, 2, []float64{1, 0, c, s})
	d, err := Pairs(x, z, nil)
	if err != nil {
		t.Fatal(err)
	}
	checkDesign(t, "two items", d, DefaultTol)
	if want := math.Pow(1-c+s, 2); d.Value < want*(1-1e-9) || d.Lower > want*(1+1e-9) {
		t.Errorf("bracket [%v, %v] misses %v", d.Lower, d.Value, want)
	}
	// Three items on a line of a space with one more dimension.
	x = mat.NewDense(4, 3, []float64{1, 0, 0, 0, 1, 0, c, s, 0, 0, 0, 1})
	z = mat.NewDense(3, 3, []float64{1, 0, 0, c, s, 0, (1 + c) / 2, s / 2, 0})
	for _, tol := range []float64{1e-2, 1e-6} {
		d, err = Pairs(x, z, &Options{Tol: tol})
		if err != nil {
			t.Fatal(err)
		}
		checkDesign(t, "three items", d, tol)
		if want := math.Pow(1-c+s, 2); d.Value < want*(1-1e-9) || d.Lower > want*(1+1e-9) {
			t.Errorf("bracket [%v, %v] misses %v", d.Lower, d.Value, want)
		}
	}
}

// Points of three features, items that differ in the first two only.
func TestPairsErrors(t *testing.T) {
	x := mat.NewDense(3, 3, []float64{1, 0, 0, 0, 1, 0, 1, 1, 0})
	shifted := mat.NewDense(3, 3, []float64{1, 0, 7, 0, 1, 7, 1, 1, 7})
	if _, err := NewPairs(x, shifted); err != nil {
		t.Errorf("a common part outside the span: %v", err)
	}
	shifted.Set(2, 2, 8)
	_, err := NewPairs(x, shifted)
	var span *SpanError
	if !errors.As(err, &span) || span.I != 0 || span.J != 2 || !errors.Is(err, ErrSpan) {
		t.Errorf("error %v, want a SpanError of items 0 and 2", err)
	}
	if _, err = NewPairs(x, mat.NewDense(1, 3, []float64{1, math.NaN(), 0})); err == nil {
		t.Error("no error for NaN")
	}
	panics(t, panicFeatures, func() { _, _ = NewPairs(x, mat.NewDense(1, 2, nil)) })
	kept, err := NewPairs(x, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, items := range [][]int{nil, {}, {0, 0}, {1, 0}, {0, 1, 1}, {-1}, {3}, {0, 3}} {
		panics(t, panicItems, func() { kept.Keep(items) })
		if len(kept.Items()) != 3 {
			t.Errorf("%v left items %v", items, kept.Items())
		}
	}
	mine := []int{0, 2}
	kept.Keep(mine)
	if mine[1] = 1; kept.Items()[1] != 2 {
		t.Error("the items kept change with the caller's")
	}
	// No differences to estimate.
	for _, z := range []*mat.Dense{mat.NewDense(1, 3, []float64{1, 2, 3}),
		mat.NewDense(2, 3, []float64{1, 2, 3, 1, 2, 3})} {
		d, err := Pairs(x, z, nil)
		if err != nil || d.Value != 0 || !(math.Abs(floats.Sum(d.Weights)-1) <= 1e-15) {
			t.Errorf("one item: %+v, %v", d, err)
		}
	}
	if d, err := Pairs(mat.NewDense(2, 2, nil), nil, nil); err != nil || d.Value != 0 {
		t.Errorf("only zeros: %+v, %v", d, err)
	}
}

// The instances of the papers, at the tolerances that are promised.
func TestPairsInstances(t *testing.T) {
	for _, c := range []struct {
		name string
		x    *mat.Dense
		tol  float64
	}{
		{"Soare, 5 dimensions", soare(5, 0.1), 1e-6},
		{"Soare, 20 dimensions", soare(20, 0.01), 1e-6},
		{"many arms", manyArms(rand.New(rand.NewPCG(4, 9)), 2000), 1e-5},
	} {
		d, err := Pairs(c.x, nil, &Options{Tol: c.tol})
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		checkDesign(t, c.name, d, c.tol)
	}
}
