package design

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/lsq"
)

// sphere returns n points, uniform on the unit sphere in m dimensions.
func sphere(rnd *rand.Rand, n, m int) *mat.Dense {
	x := mat.NewDense(n, m, nil)
	for i := range n {
		row := x.RawRowView(i)
		for j := range row {
			row[j] = rnd.NormFloat64()
		}
		floats.Scale(1/floats.Norm(row, 2), row)
	}
	return x
}

// freeWilson returns an intercept and one indicator per substituent, for all combinations of
// substituents at sites.
func freeWilson(sites ...int) *mat.Dense {
	n, h := 1, 1
	for _, s := range sites {
		n, h = n*s, h+s
	}
	x := mat.NewDense(n, h, nil)
	for i := range n {
		x.Set(i, 0, 1)
		for at, rest, col := 0, i, 1; at < len(sites); at++ {
			x.Set(i, col+rest%sites[at], 1)
			rest /= sites[at]
			col += sites[at]
		}
	}
	return x
}

// differences returns all differences of rows of z.
func differences(z *mat.Dense) *mat.Dense {
	n, h := z.Dims()
	y := mat.NewDense(n*(n-1)/2, h, nil)
	at := 0
	for i := range n {
		for j := range i {
			floats.SubTo(y.RawRowView(at), z.RawRowView(i), z.RawRowView(j))
			at++
		}
	}
	return y
}

// plainValue computes the largest y'M(w)^-1 y from the definition.
func plainValue(x, y *mat.Dense, w []float64) float64 {
	var inv mat.Dense
	if err := inv.Inverse(information(x, w)); err != nil {
		return math.Inf(1)
	}
	worst := 0.
	n, _ := y.Dims()
	for j := range n {
		worst = max(worst, mat.Inner(y.RowView(j), &inv, y.RowView(j)))
	}
	return worst
}

func information(x *mat.Dense, w []float64) *mat.Dense {
	k, h := x.Dims()
	a := mat.NewDense(h, h, nil)
	for i := range k {
		a.RankOne(a, w[i], x.RowView(i), x.RowView(i))
	}
	return a
}

// plainBound computes the lower bound for a design w and a mixture q of the directions y. The formula is in the
// comment of saddle.
func plainBound(x, y *mat.Dense, w, q []float64) float64 {
	var inv mat.Dense
	if err := inv.Inverse(information(x, w)); err != nil {
		return 0
	}
	k, h := x.Dims()
	mean := 0.
	g := make([]float64, k)
	u := mat.NewVecDense(h, nil)
	for j := range q {
		u.MulVec(&inv, y.RowView(j))
		mean += q[j] * mat.Dot(y.RowView(j), u)
		for i := range k {
			d := mat.Dot(x.RowView(i), u)
			g[i] += q[j] * d * d
		}
	}
	return mean * mean / floats.Max(g)
}

// slowly brackets the optimum by an independent method: both players take multiplicative steps, and the best bounds of
// all iterations are returned.
func slowly(x, y *mat.Dense, iterations int) (lower, upper float64) {
	k, _ := x.Dims()
	n, _ := y.Dims()
	w, q := make([]float64, k), make([]float64, n)
	for i := range w {
		w[i] = 1 / float64(k)
	}
	for j := range q {
		q[j] = 1 / float64(n)
	}
	upper = math.Inf(1)
	var inv, u, xu mat.Dense
	v, g := make([]float64, n), make([]float64, k)
	for range iterations {
		if err := inv.Inverse(information(x, w)); err != nil {
			panic(err)
		}
		u.Mul(y, &inv)
		xu.Mul(&u, x.T()) // n x k
		for j := range v {
			v[j] = mat.Dot(u.RowView(j), y.RowView(j))
		}
		worst := floats.Max(v)
		upper = min(upper, worst)
		for j := range q {
			q[j] *= math.Pow(v[j]/worst, 2)
		}
		floats.Scale(1/floats.Sum(q), q)
		clear(g)
		for j, share := range q {
			for i, d := range xu.RawRowView(j) {
				g[i] += share * d * d
			}
		}
		mean := floats.Dot(q, v)
		lower = max(lower, mean*mean/floats.Max(g))
		for i := range w {
			w[i] *= math.Sqrt(g[i])
		}
		floats.Scale(1/floats.Sum(w), w)
	}
	return lower, upper
}

// proportions returns a random probability vector, usually with some entries near 0.
func proportions(rnd *rand.Rand, k int) []float64 {
	w := make([]float64, k)
	for i := range w {
		w[i] = math.Pow(rnd.ExpFloat64(), 3)
	}
	floats.Scale(1/floats.Sum(w), w)
	return w
}

func checkDesign(t *testing.T, what string, d *Design, tol float64) {
	t.Helper()
	if sum := floats.Sum(d.Weights); !(math.Abs(sum-1) <= 1e-12) || floats.Min(d.Weights) < 0 {
		t.Fatalf("%s: weights sum to %v, the least is %v", what, sum, floats.Min(d.Weights))
	}
	if !(d.Lower <= d.Value) || !(d.Gap() <= tol*(1+1e-9)) {
		t.Fatalf("%s: value %v, lower bound %v: gap %v, want at most %v", what, d.Value, d.Lower, d.Gap(), tol)
	}
}

// The bracket overlaps the bracket of an independent slow method. Random designs and designs close to the best have no
// value below the lower bound.
func TestBracket(t *testing.T) {
	rnd := rand.New(rand.NewPCG(4, 4))
	for _, size := range []struct{ k, m, n int }{{3, 2, 3}, {12, 3, 9}, {30, 5, 14}, {25, 8, 12}, {60, 4, 30}} {
		x, z := sphere(rnd, size.k, size.m), sphere(rnd, size.n, size.m)
		y := differences(z)
		lower, upper := slowly(x, y, 400)
		for _, tol := range []float64{1e-2, 1e-4, 1e-7} {
			what := fmt.Sprintf("%+v, tolerance %g", size, tol)
			d, err := Pairs(x, z, &Options{Tol: tol})
			if err != nil {
				t.Fatal(err)
			}
			checkDesign(t, what, d, tol)
			if d.Lower > upper*(1+1e-12) || d.Value < lower*(1-1e-12) {
				t.Errorf("%s: [%v, %v] misses [%v, %v]", what, d.Lower, d.Value, lower, upper)
			}
			if v := plainValue(x, y, d.Weights); !(math.Abs(v-d.Value) <= 1e-8*v) && !math.IsInf(v, 1) {
				t.Errorf("%s: value %v, from the definition %v", what, d.Value, v)
			}
			w := make([]float64, size.k)
			for trial := range 60 {
				copy(w, proportions(rnd, size.k))
				if trial%2 == 0 {
					floats.Scale(1e-4, w)
					floats.AddScaled(w, 1-1e-4, d.Weights)
				}
				if v := plainValue(x, y, w); v < d.Lower*(1-1e-9) {
					t.Errorf("%s: a design has the value %v below the lower bound %v", what, v, d.Lower)
				}
			}
		}
	}
}

// The directions in Critical prove a valid bound. The bound is below Lower by at most five times
// the sum of the tolerance and the omitted shares.
func TestCritical(t *testing.T) {
	for _, tol := range []float64{1e-2, 1e-3, 1e-6} {
		for run := range 20 {
			rnd := rand.New(rand.NewPCG(5, uint64(run)))
			k, m := 6+4*run, 2+run%6
			x := sphere(rnd, k, m)
			d, err := Pairs(x, nil, &Options{Tol: tol})
			if err != nil {
				t.Fatal(err)
			}
			y := mat.NewDense(len(d.Critical), m, nil)
			q := make([]float64, len(d.Critical))
			for c, dir := range d.Critical {
				floats.SubTo(y.RawRowView(c), x.RawRowView(dir.I), x.RawRowView(dir.J))
				q[c] = dir.Weight
				if dir.I >= dir.J {
					t.Errorf("pair %d, %d is not ascending", dir.I, dir.J)
				}
			}
			if !(math.Abs(floats.Sum(q)-1) <= 1e-12) {
				t.Errorf("weights sum to %v", floats.Sum(q))
			}
			bound := plainBound(x, y, d.Weights, q)
			if bound < d.Lower*(1-5*tol-2e-3) || bound > d.Value*(1+1e-9) {
				t.Errorf("tolerance %v, K = %d: the critical directions prove %v, Lower is %v", tol, k, bound, d.Lower)
			}
		}
	}
}

// Every bound of plainBound is below the optimum, for any mixture and any weights.
func TestBoundIsValid(t *testing.T) {
	rnd := rand.New(rand.NewPCG(6, 4))
	for range 20 {
		x, y := sphere(rnd, 8, 3), sphere(rnd, 5, 3)
		d, err := XY(x, y, &Options{Tol: 1e-7})
		if err != nil {
			t.Fatal(err)
		}
		for range 20 {
			if b := plainBound(x, y, proportions(rnd, 8), proportions(rnd, 5)); b > d.Value*(1+1e-9) {
				t.Fatalf("a mixture proves %v, but a design has %v", b, d.Value)
			}
		}
	}
}

// Solve reaches both tolerances for few and many points. Points have very different lengths, lie on polynomial
// curves, or have entries 0 or 1; some items are nearly equal.
func TestPairsDegenerate(t *testing.T) {
	for seed := range uint64(120) {
		rnd := rand.New(rand.NewPCG(seed, 77))
		k, m, n := 2+rnd.IntN(60), 1+rnd.IntN(12), 2+rnd.IntN(50)
		x, z := sphere(rnd, k, m), sphere(rnd, n, m)
		for i := range k {
			row := x.RawRowView(i)
			for j := range row {
				switch seed % 6 {
				case 1:
					row[j] *= math.Exp(3 * float64(i) / float64(k))
				case 2:
					row[j], z = float64(rnd.IntN(2)), nil
				case 3:
					row[j], z = row[j]*math.Pow(10, float64(j%5-2)), nil
				case 4:
					row[j], z = math.Pow(float64(i)/float64(k), float64(j)), nil
				}
			}
		}
		if seed%6 == 5 {
			for i := range n {
				for j := range m {
					z.Set(i, j, z.At(i%3, j)+1e-3*rnd.NormFloat64())
				}
			}
		}
		c, err := NewPairs(x, z)
		if err != nil {
			if !errors.Is(err, ErrSpan) {
				t.Fatal(err)
			}
			continue
		}
		for _, tol := range []float64{1e-2, 1e-6} {
			d, err := c.Solve(&Options{Tol: tol})
			what := fmt.Sprintf("problem %d, tolerance %g", seed, tol)
			if err != nil {
				t.Fatalf("%s: %v", what, err)
			}
			if d.Value == 0 { // all items are equal
				continue
			}
			checkDesign(t, what, d, tol)
			if s := len(d.Support()); s > c.Rank()*(c.Rank()+1)/2 {
				t.Errorf("%s: %d supporting points for rank %d", what, s, c.Rank())
			}
		}
	}
}

// thin multiplies the information matrix by a factor of at least 1, and leaves at most m(m+1)/2 points (Caratheodory's
// bound).
func TestThin(t *testing.T) {
	rnd := rand.New(rand.NewPCG(9, 4))
	lattice := freeWilson(3, 3, 2, 2)
	span := lsq.NewSpan(lattice)
	for name, x := range map[string]*mat.Dense{
		"sphere": sphere(rnd, 200, 4), "line": sphere(rnd, 9, 1),
		"lattice": span.Coordinates(lattice),
		"stretched": func() *mat.Dense {
			x := sphere(rnd, 80, 3)
			for i := range 80 {
				floats.Scale(math.Exp(4*rnd.NormFloat64()), x.RawRowView(i))
			}
			return x
		}(),
	} {
		k, m := x.Dims()
		for _, w := range [][]float64{proportions(rnd, k), uniform(k)} {
			thin := slices.Clone(w)
			if !newSaddle(x.RawMatrix().Data, k, m, nil).thin(thin) {
				t.Fatalf("%s: not thinned", name)
			}
			if n := len((&Design{Weights: thin}).Support()); n > m*(m+1)/2 {
				t.Errorf("%s: %d points are left of %d dimensions", name, n, m)
			}
			if sum := floats.Sum(thin); !(math.Abs(sum-1) <= 1e-12) || floats.Min(thin) < 0 {
				t.Errorf("%s: weights sum to %v, the least is %v", name, sum, floats.Min(thin))
			}
			// M(thin) = c M(w) with c >= 1: all variances decrease by the same factor.
			a, b := information(x, w), information(x, thin)
			c := mat.Trace(b) / mat.Trace(a)
			if c < 1-1e-12 {
				t.Errorf("%s: information fell to %v of what it was", name, c)
			}
			a.Scale(c, a)
			if a.Sub(a, b); mat.Norm(a, 2) > 1e-9*mat.Norm(b, 2) {
				t.Errorf("%s: the information matrix changed by %v", name, mat.Norm(a, 2)/mat.Norm(b, 2))
			}
		}
	}
}

func uniform(k int) []float64 {
	w := make([]float64, k)
	for i := range w {
		w[i] = 1 / float64(k)
	}
	return w
}
