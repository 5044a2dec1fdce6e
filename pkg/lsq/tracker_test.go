package lsq_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/lsq"
)

// random returns an n x m matrix of normal numbers, with column j multiplied by scale^j.
func random(rnd *rand.Rand, n, m int, scale float64) *mat.Dense {
	x := mat.NewDense(n, m, nil)
	for i := range n {
		for j := range m {
			x.Set(i, j, rnd.NormFloat64()*math.Pow(scale, float64(j)))
		}
	}
	return x
}

// direct is a fit that is computed from the definition.
type direct struct {
	x, z   *mat.Dense
	w      mat.Dense // inverse of V
	logDet float64
	theta  mat.VecDense
}

func newDirect(x, z *mat.Dense, reg float64, n, sum []float64) *direct {
	_, m := x.Dims()
	v, b := mat.NewSymDense(m, nil), mat.NewVecDense(m, nil)
	for j := range m {
		v.SetSym(j, j, reg)
	}
	for k, c := range n {
		v.SymRankOne(v, c, x.RowView(k))
		b.AddScaledVec(b, sum[k], x.RowView(k))
	}
	d := &direct{x: x, z: z}
	var chol mat.Cholesky
	if !chol.Factorize(v) {
		panic("not positive definite")
	}
	eye := mat.NewDense(m, m, nil)
	for j := range m {
		eye.Set(j, j, 1)
	}
	// Ignore errors: they only report a large condition number, which is harmless if it is due to units of features.
	_ = chol.SolveTo(&d.w, eye)
	_ = chol.SolveVecTo(&d.theta, b)
	d.logDet = chol.LogDet()
	return d
}

func (d *direct) inner(a, b mat.Vector) float64 { return mat.Inner(a, &d.w, b) }

// compare checks all quantities of a Tracker, within a relative error of tol.
func (d *direct) compare(t *testing.T, f *lsq.Tracker, tol float64) {
	t.Helper()
	near := func(what string, got, want, size float64) {
		t.Helper()
		if !(math.Abs(got-want) <= tol*size) {
			t.Fatalf("%s is %v; want %v", what, got, want)
		}
	}
	k, m := d.x.Dims()
	n, _ := d.z.Dims()
	near("log det", f.LogDet(), d.logDet, math.Abs(d.logDet)+float64(m))
	most := 0.
	for i := range n {
		most = max(most, math.Abs(mat.Dot(d.z.RowView(i), &d.theta)))
	}
	for i := range n {
		near(fmt.Sprintf("mean %d", i), f.Means()[i], mat.Dot(d.z.RowView(i), &d.theta), most)
	}
	for i := range k {
		want := d.inner(d.x.RowView(i), d.x.RowView(i))
		near(fmt.Sprintf("leverage %d", i), f.Leverages()[i], want, want)
	}
	for b := range n {
		got := append([]float64(nil), f.Against(b)...)
		for i := range n {
			var y mat.VecDense
			y.SubVec(d.z.RowView(i), d.z.RowView(b))
			want := d.inner(&y, &y)
			near(fmt.Sprintf("variance of %d - %d", i, b), got[i], want, want)
			near("square", f.Squared(y.RawVector().Data), want, want)
		}
	}
	y := d.z.RawRowView(0)
	cov, gains := make([]float64, k), make([]float64, k)
	f.Covariances(cov, y)
	f.Gains(gains, y)
	own := d.inner(d.z.RowView(0), d.z.RowView(0))
	for i := range k {
		lev, want := d.inner(d.x.RowView(i), d.x.RowView(i)), d.inner(d.x.RowView(i), d.z.RowView(0))
		near(fmt.Sprintf("covariance %d", i), cov[i], want, math.Sqrt(lev*own))
		near(fmt.Sprintf("gain %d", i), gains[i], want*want/(1+lev), own)
	}
}

// A Tracker agrees with its definition after thousands of pulls, with features of equal or different sizes, and with
// items that are the arms or other points.
func TestTracker(t *testing.T) {
	for _, test := range []struct {
		name       string
		k, n, m    int
		scale, reg float64
		tol        float64
	}{
		{"arms", 12, 0, 5, 1, 1, 1e-11},
		{"items", 12, 7, 5, 1, 1, 1e-11},
		{"no regularisation", 9, 4, 3, 1, 0, 1e-11},
		{"little regularisation", 12, 7, 5, 1, 1e-8, 1e-8},
		{"one feature", 3, 2, 1, 1, .5, 1e-11},
		// With features of sizes from 1 to 1e8, V has a condition number of 1e16, but its scaled form is well
		// conditioned, which is sufficient.
		{"badly scaled", 12, 7, 5, 100, 0, 1e-10},
		{"badly scaled, tiny", 12, 0, 5, .01, 0, 1e-10},
	} {
		t.Run(test.name, func(t *testing.T) {
			rnd := rand.New(rand.NewPCG(1, uint64(test.k)))
			x := random(rnd, test.k, test.m, test.scale)
			z, items := x, (*mat.Dense)(nil)
			if test.n > 0 {
				z = random(rnd, test.n, test.m, test.scale)
				items = z
			}
			f := lsq.NewTracker(x, items, test.reg)
			n, sum := make([]float64, test.k), make([]float64, test.k)
			add := func(k int, c, r float64) {
				f.Add(k, c, r)
				n[k] += c
				sum[k] += r
			}
			for k := range test.k {
				add(k, 1, rnd.NormFloat64())
			}
			if !f.Solve() {
				t.Fatal("no unique estimate")
			}
			f.Against(0)
			for step := range 3000 {
				// Some arms are pulled much more often than other arms. Some rewards come in batches of fractional
				// size.
				k, c := rnd.IntN(1+rnd.IntN(test.k)), 1.
				if step%17 == 0 {
					c = 50 * rnd.Float64()
				}
				add(k, c, c+math.Sqrt(c)*rnd.NormFloat64())
				if step < 20 || step%499 == 0 {
					newDirect(x, z, test.reg, n, sum).compare(t, f, test.tol)
				}
			}
			newDirect(x, z, test.reg, n, sum).compare(t, f, test.tol)
			if !floats.Equal(f.Weights(), n) {
				t.Errorf("weights %v; want %v", f.Weights(), n)
			}

			// Solve changes results only by rounding errors; Reset removes all rewards.
			f.Solve()
			newDirect(x, z, test.reg, n, sum).compare(t, f, test.tol)
			f.Reset()
			clear(n)
			clear(sum)
			for k := range test.k {
				add(k, 2, 1)
			}
			f.Solve()
			newDirect(x, z, test.reg, n, sum).compare(t, f, test.tol)
		})
	}
}

// For two items at a small angle, the variance of their difference is a tiny part of the variance of either item.
// The variance of the difference must still be right long after a factorisation.
func TestTrackerNeighbours(t *testing.T) {
	for _, angle := range []float64{1e-2, 1e-4, 1e-6} {
		x := mat.NewDense(3, 2, []float64{1, 0, 0, 1, math.Cos(angle), math.Sin(angle)})
		f := lsq.NewTracker(x, nil, 0)
		for k := range 3 {
			f.Add(k, 1, 0)
		}
		f.Solve()
		f.Against(0)
		n := []float64{1, 1, 1}
		for step := range 5000 {
			k := step % 3
			f.Add(k, 1, 0)
			n[k]++
			if step%97 != 0 {
				continue
			}
			// For x = (c, s), the matrix is V = diag(n_1, n_2) + n_3 x x', and the difference is y = (c - 1, s), where
			// c - 1 is computed without cancellation.
			c, s := math.Cos(angle), math.Sin(angle)
			h := math.Sin(angle / 2)
			a, b, d := n[0]+n[2]*c*c, n[2]*c*s, n[1]+n[2]*s*s
			y0, y1 := -2*h*h, s
			want := (d*y0*y0 - 2*b*y0*y1 + a*y1*y1) / (a*d - b*b)
			if got := f.Against(0)[2]; !(math.Abs(got-want) <= 1e-7*want) {
				t.Fatalf("angle %v, step %d: %v; want %v", angle, step, got, want)
			}
		}
	}
}

func ExampleTracker() {
	// There are two ingredients and a mixture. Add one reward of each ingredient, and then three
	// rewards of the mixture.
	x := mat.NewDense(3, 2, []float64{1, 0, 0, 1, .5, .5})
	f := lsq.NewTracker(x, nil, 0)
	f.Add(0, 1, 2)
	f.Add(1, 1, 1)
	if !f.Solve() {
		fmt.Println("pull arms that span the model")
		return
	}
	for range 3 {
		f.Add(2, 1, 1.8)
	}
	fmt.Printf("means %.2f\n", f.Means())
	fmt.Printf("best %d\n", f.Best())
	fmt.Printf("variances of the differences from it %.2f\n", f.Against(f.Best()))

	// Which arm best distinguishes the first two arms?
	gains := make([]float64, 3)
	f.Gains(gains, []float64{1, -1})
	fmt.Printf("gains %.2f\n", gains)
	// Output:
	// means [2.18 1.18 1.68]
	// best 0
	// variances of the differences from it [0.00 2.00 0.50]
	// gains [0.59 0.59 0.00]
}
