package design

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// normalPoints returns k standard normal points of m features.
func normalPoints(seed uint64, k, m int) *mat.Dense {
	rnd := rand.New(rand.NewPCG(seed, 1))
	x := mat.NewDense(k, m, nil)
	for i := range k {
		for j := range m {
			x.Set(i, j, rnd.NormFloat64())
		}
	}
	return x
}

// powers returns the points (1, t, ..., t^degree) for k values of t from -1 to 1.
func powers(k, degree int) *mat.Dense {
	x := mat.NewDense(k, degree+1, nil)
	for i := range k {
		t := 2*float64(i)/float64(k-1) - 1
		for j := range degree + 1 {
			x.Set(i, j, math.Pow(t, float64(j)))
		}
	}
	return x
}

// plainVariances computes x_i'M(w)^-1 x_i from the definition.
func plainVariances(t testing.TB, x *mat.Dense, w []float64) []float64 {
	t.Helper()
	k, m := x.Dims()
	info := mat.NewSymDense(m, nil)
	for i := range k {
		info.SymRankOne(info, w[i], x.RowView(i))
	}
	var chol mat.Cholesky
	if !chol.Factorize(info) {
		t.Fatal("the design is singular")
	}
	d, y := make([]float64, k), mat.NewVecDense(m, nil)
	for i := range k {
		if err := chol.SolveVecTo(y, x.RowView(i)); err != nil {
			t.Fatal(err)
		}
		d[i] = mat.Dot(y, x.RowView(i))
	}
	return d
}

// checkG checks that the weights of d are a probability vector, that the certified gap is at most tol, and that the
// value agrees with the definition.
func checkG(t *testing.T, x *mat.Dense, d *Design, tol float64) {
	t.Helper()
	k, m := x.Dims()
	if len(d.Weights) != k || floats.Min(d.Weights) < 0 || !(math.Abs(floats.Sum(d.Weights)-1) <= 1e-12) {
		t.Errorf("weights %v are no design of %d points", d.Weights, k)
	}
	if d.Lower != float64(m) || !(d.Gap() <= tol) {
		t.Errorf("bracket [%v, %v], want [%d, %d (1 + %g)]", d.Lower, d.Value, m, m, tol)
	}
	if most := floats.Max(plainVariances(t, x, d.Weights)); !(math.Abs(most-d.Value) <= 1e-7*d.Value) {
		t.Errorf("Value is %v, the largest variance %v", d.Value, most)
	}
	if n := len(d.Support()); n > m*(m+1)/2 {
		t.Errorf("%d supporting points, want at most %d", n, m*(m+1)/2)
	}
}

// The weights are 1/(degree+1) at -1, 1 and the roots of the derivative of the Legendre polynomial (Guest, 1958).
func TestGPolynomials(t *testing.T) {
	for _, c := range []struct {
		k, degree int
		on        []int
	}{
		{21, 1, []int{0, 20}},
		{21, 2, []int{0, 10, 20}}, // -1, 0, 1
		{2001, 2, []int{0, 1000, 2000}},
		{11, 2, []int{0, 5, 10}},
	} {
		x := powers(c.k, c.degree)
		d, err := G(x, &Options{Tol: 1e-9})
		if err != nil {
			t.Fatal(err)
		}
		checkG(t, x, d, 1e-9)
		if !slices.Equal(d.Support(), c.on) {
			t.Errorf("degree %d: support %v, want %v", c.degree, d.Support(), c.on)
		}
		for _, i := range c.on {
			if w := d.Weights[i]; !(math.Abs(w-1/float64(len(c.on))) <= 1e-7) {
				t.Errorf("degree %d: weight %v at %d, want 1/%d", c.degree, w, i, len(c.on))
			}
		}
	}
	// For degree 3, the support is -1, -1/sqrt 5, 1/sqrt 5, 1, with weights 1/4.
	x := powers(20001, 3)
	d, err := G(x, &Options{Tol: 1e-6})
	if err != nil {
		t.Fatal(err)
	}
	checkG(t, x, d, 1e-6)
	for _, at := range []float64{-1, -1 / math.Sqrt(5), 1 / math.Sqrt(5), 1} {
		near := 0.
		for i, w := range d.Weights {
			if math.Abs(x.At(i, 1)-at) < 0.01 {
				near += w
			}
		}
		if !(math.Abs(near-0.25) <= 1e-3) {
			t.Errorf("degree 3: weight %v near %v, want 1/4", near, at)
		}
	}
}

// The optimal design of each of these sets of points is known.
func TestGKnown(t *testing.T) {
	identity := mat.NewDense(5, 5, nil)
	for i := range 5 {
		identity.Set(i, i, 1)
	}
	basis := normalPoints(1, 6, 6) // for any basis, the optimal design is uniform with value m
	simplex := mat.NewDense(4, 3, []float64{1, 1, 1, 1, -1, -1, -1, 1, -1, -1, -1, 1})
	ball := mat.NewDense(400, 2, nil) // any design whose information matrix is half the identity is optimal
	for i := range 400 {
		a := 2 * math.Pi * float64(i) / 400
		ball.SetRow(i, []float64{math.Cos(a), math.Sin(a)})
	}
	duplicates := mat.NewDense(6, 2, []float64{0, 1, 1, 0, 0, 1, 1, 0, 1, 0, 0, 0})
	line := mat.NewDense(4, 1, []float64{1, -3, 2, 3})
	one := mat.NewDense(1, 1, []float64{-2})
	for name, x := range map[string]*mat.Dense{"identity": identity, "basis": basis,
		"simplex": simplex, "ball": ball, "duplicates": duplicates, "line": line, "one": one} {
		d, err := G(x, &Options{Tol: 1e-9})
		if err != nil {
			t.Fatal(name, err)
		}
		t.Run(name, func(t *testing.T) { checkG(t, x, d, 1e-9) })
		if k, m := x.Dims(); k == m || name == "simplex" {
			for _, w := range d.Weights {
				if !(math.Abs(w-1/float64(k)) <= 1e-7) {
					t.Errorf("%s: weight %v, want 1/%d", name, w, k)
				}
			}
		}
	}
}

func TestGRandom(t *testing.T) {
	for seed := range uint64(12) {
		m := 1 + int(seed)%7
		k := m + int(seed*seed*7)%400
		x := normalPoints(seed, k, m)
		for _, tol := range []float64{0.1, 1e-3, 1e-9} {
			d, err := G(x, &Options{Tol: tol})
			if err != nil {
				t.Fatal(err)
			}
			checkG(t, x, d, tol)
		}
	}
}

// multiplicative is the algorithm of Silvey, Titterington and Torsney (1978).
func multiplicative(t testing.TB, x *mat.Dense, steps int) []float64 {
	k, m := x.Dims()
	w := make([]float64, k)
	floats.AddConst(1/float64(k), w)
	for range steps {
		for i, d := range plainVariances(t, x, w) {
			w[i] *= d / float64(m)
		}
	}
	return w
}

// The determinant of the information matrix agrees with the determinant from a slow reference algorithm. The
// determinants are compared because optimal weights need not be unique.
func TestGDeterminant(t *testing.T) {
	logDet := func(x *mat.Dense, w []float64) float64 {
		k, m := x.Dims()
		info := mat.NewSymDense(m, nil)
		for i := range k {
			info.SymRankOne(info, w[i], x.RowView(i))
		}
		v, _ := mat.LogDet(info)
		return v
	}
	for seed := range uint64(4) {
		x := normalPoints(seed, 60, 2+int(seed))
		d, err := G(x, &Options{Tol: 1e-9})
		if err != nil {
			t.Fatal(err)
		}
		w := multiplicative(t, x, 3000)
		_, m := x.Dims()
		// gap bounds the difference between the log determinants of the optimum and of the reference.
		gap := float64(m) * math.Log(floats.Max(plainVariances(t, x, w))/float64(m))
		if diff := logDet(x, d.Weights) - logDet(x, w); diff < -1e-8 || diff > gap+1e-8 {
			t.Errorf("seed %d: log det is %g above the reference, want between 0 and %g", seed, diff, gap)
		}
	}
}

// After any number of multiplicative steps, no support point of the optimal design has a variance below the bound of
// deletable.
func TestDeletable(t *testing.T) {
	deleted := 0
	for seed := range uint64(20) {
		m := 2 + int(seed)%5
		x := normalPoints(100+seed, 120, m)
		d, err := G(x, &Options{Tol: 1e-9})
		if err != nil {
			t.Fatal(err)
		}
		for _, steps := range []int{0, 3, 10, 30, 100} {
			v := plainVariances(t, x, multiplicative(t, x, steps))
			least := deletable(floats.Max(v), m)
			for i, u := range v {
				if u < least {
					deleted++
					if d.Weights[i] > 1e-6 {
						t.Errorf("seed %d: after %d steps a point of weight %v is deleted", seed, steps, d.Weights[i])
					}
				}
			}
		}
	}
	// The bound must be useful: it must delete at least 3,000 of 12,000 points.
	if deleted < 3000 {
		t.Errorf("only %d points deleted", deleted)
	}
	if least := deletable(3, 3); !(math.Abs(least-3) <= 1e-8) {
		t.Errorf("at the optimum variances below %v are deleted, want 3", least)
	}
	// For two dimensions and a largest variance of 3, the bound of deletable is 2 * (3/2 - sqrt(3)/2).
	if least := deletable(3, 2); !(math.Abs(least-(3-math.Sqrt(3))) <= 1e-8) {
		t.Errorf("deletable(3, 2) is %v, want %v", least, 3-math.Sqrt(3))
	}
}

// G solves ill-conditioned sets of points, and a set in which all 256 points have the largest variance.
func TestGHard(t *testing.T) {
	collinear, units, offset := normalPoints(3, 500, 5), normalPoints(4, 500, 5), normalPoints(5, 500, 5)
	for i := range 500 {
		collinear.Set(i, 4, collinear.At(i, 0)+1e-7*collinear.At(i, 4))
		for j := range 5 {
			units.Set(i, j, units.At(i, j)*math.Pow(10, float64(6*j-12)))
			offset.Set(i, j, offset.At(i, j)+1e6)
		}
	}
	binary := mat.NewDense(256, 9, nil)
	for i := range 256 {
		binary.Set(i, 8, 1)
		for j := range 8 {
			binary.Set(i, j, float64(i>>j&1))
		}
	}
	for name, x := range map[string]*mat.Dense{"collinear": collinear, "units": units, "offset": offset, "binary": binary} {
		c, err := NewG(x)
		if err != nil {
			t.Fatal(name, err)
		}
		d, err := c.Solve(&Options{Tol: 1e-9, MaxIterations: 50_000})
		if err != nil {
			t.Error(name, err)
		}
		if _, m := x.Dims(); c.Rank() != m || d.Gap() > 1e-9 ||
			c.Value(d.Weights) > d.Value*(1+1e-12) || len(d.Support()) > m*(m+1)/2 {
			t.Errorf("%s: rank %d, value %v, %d supporting points", name, c.Rank(), d.Value, len(d.Support()))
		}
	}
}

// A step is optimal along its line. Towards point b, log det has the derivative d_b - m, where d_b is the variance at
// b and m is the dimension. After the step, the derivative is 0, unless the weight of b becomes 0.
func TestGStep(t *testing.T) {
	c, err := NewG(normalPoints(8, 40, 5))
	if err != nil {
		t.Fatal(err)
	}
	c.start()
	all := make([]int, 40)
	for i := range all {
		all[i] = i
	}
	c.enter(all)
	for range 50 {
		before := slices.Clone(c.w)
		for len(before) < len(c.active) {
			before = append(before, 0)
		}
		if c.steps(1e-6, 1) == 0 {
			t.Fatal("no step taken")
		}
		moved, most := -1, 0.
		for b, w := range c.w {
			// The moved point is the point whose weight changes as much as the weights of all other
			// points together.
			if d := math.Abs(w - before[b]); d > most {
				moved, most = b, d
			}
		}
		if d := c.v[moved]; c.w[moved] > 0 && !(math.Abs(d-5) <= 1e-9) {
			t.Errorf("variance %v at the point of the step, want 5", d)
		}
	}
}
