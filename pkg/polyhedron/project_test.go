package polyhedron

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/internal/activeset"
)

func TestProjectOrdered(t *testing.T) {
	rnd := rand.New(rand.NewPCG(21, 22))
	var ws Workspace
	for d := 1; d <= 20; d++ {
		p := Ordered(d)
		for range 50 {
			x := normals(rnd, d, 10)
			if z, want := p.ProjectWith(&ws, nil, x), poolAdjacentViolators(x); !near(z, want, 1e-12*10) {
				t.Fatalf("projection of %v is %v; want %v", x, z, want)
			}
		}
	}
}

func TestProjectSimplex(t *testing.T) {
	rnd := rand.New(rand.NewPCG(23, 24))
	var ws Workspace
	for d := 1; d <= 20; d++ {
		p := Simplex(d)
		for i := range 50 {
			x := normals(rnd, d, []float64{0.1, 1, 100}[i%3])
			if z, want := p.ProjectWith(&ws, nil, x), projectSimplex(x); !near(z, want, 1e-11) {
				t.Fatalf("projection of %v is %v; want %v", x, z, want)
			}
		}
	}
}

func TestProjectBrute(t *testing.T) {
	rnd := rand.New(rand.NewPCG(25, 26))
	var ws Workspace
	outside := 0
	for i := range 1200 {
		d := 1 + i%4
		a, b := randomRows(rnd, 1+rnd.IntN(7), d)
		p := mustNew(t, d, a, b)
		x := normals(rnd, d, 5)
		z := p.ProjectWith(&ws, nil, x)
		want, dist := projectBrute(p, x)
		size := 1 + math.Sqrt(dot(x, x)) + dist
		if !near(z, want, 1e-8*size) || !(math.Abs(p.DistanceWith(&ws, x)-dist) <= 1e-8*size) {
			t.Fatalf("%v: projection of %v is %v at %g; want %v at %g", p, x, z, p.Distance(x), want, dist)
		}
		checkKKT(t, p, x, z)
		if dist > 0 {
			outside++
		}
	}
	if outside < 500 {
		t.Errorf("only %d points outside", outside)
	}
}

// TestProjectKKT covers sizes that are too large for brute force. The test checks the Karush-Kuhn-Tucker conditions,
// which are sufficient for a projection.
func TestProjectKKT(t *testing.T) {
	rnd := rand.New(rand.NewPCG(27, 28))
	var w activeset.Projector
	for range 300 {
		d := 2 + rnd.IntN(11)
		a, b := randomRows(rnd, 1+rnd.IntN(3*d), d)
		p := mustNew(t, d, a, b)
		x := normals(rnd, d, 10)
		// From either starting row, the active-set method must find the projection without falling back to Hildreth's
		// method.
		for _, first := range []int{-1, 0} {
			if first == 0 && dot(p.unit.Row(0), x) <= p.unit.B[0] {
				continue
			}
			if got := w.Project(&p.unit, x, first); got != activeset.Solved {
				t.Fatalf("%v: outcome %d", p, got)
			}
			checkKKT(t, p, x, w.X)
			if !(math.Abs(w.Dist-distanceBetween(w.X, x)) <= 1e-12*(1+w.Dist)) {
				t.Fatalf("distance %g, from the point %g", w.Dist, distanceBetween(w.X, x))
			}
		}
	}
}

// TestProjectHard covers rows at small angles, many faces through one point, and needle-shaped sets.
func TestProjectHard(t *testing.T) {
	rnd := rand.New(rand.NewPCG(31, 32))
	var w activeset.Projector

	// The set is a wedge |y| <= s x. The point is in the polar cone of the wedge, so its projection is the apex 0.
	for _, s := range []float64{1, 1e-3, 1e-6, 1e-9} {
		p := mustNew(t, 2, []float64{-s, 1, -s, -1}, []float64{0, 0})
		x := []float64{-1, 0.5 * s}
		if got := w.Project(&p.unit, x, -1); got != activeset.Solved || !near(w.X, []float64{0, 0}, 1e-12) ||
			!(math.Abs(w.Dist-math.Hypot(1, s/2)) <= 1e-12) {
			t.Errorf("slope %g: outcome %d, %v at %g", s, got, w.X, w.Dist)
		}
	}

	// The set is a polygonal cone with many faces through its apex. From below, the projection is the apex.
	const m = 40
	var a, b []float64
	for k := range m {
		sin, cos := math.Sincos(2 * math.Pi * float64(k) / m)
		a, b = append(a, cos, sin, -1), append(b, 0)
	}
	p := mustNew(t, 3, a, b)
	for range 200 {
		x := normals(rnd, 3, 0.3)
		x[2] = -1
		if got := w.Project(&p.unit, x, -1); got != activeset.Solved || !near(w.X, []float64{0, 0, 0}, 1e-13) {
			t.Fatalf("outcome %d, %v", got, w.X)
		}
		x = normals(rnd, 3, 2)
		if got := w.Project(&p.unit, x, -1); got != activeset.Solved {
			t.Fatalf("outcome %d", got)
		}
		checkKKT(t, p, x, w.X)
	}

	// Small integers lead to many faces through a point, ties between violations, and multipliers of zero.
	sets := 0
	for range 3000 {
		d := 2 + rnd.IntN(3)
		m := 1 + rnd.IntN(4*d)
		a, b := make([]float64, m*d), make([]float64, m)
		for i := range a {
			a[i] = float64(rnd.IntN(3) - 1)
		}
		for k := range b {
			b[k] = float64(rnd.IntN(3))
		}
		p, err := New(mat.NewDense(m, d, a), b, nil)
		if err != nil {
			continue
		}
		sets++
		for range 5 {
			x := make([]float64, d)
			for j := range x {
				x[j] = float64(rnd.IntN(9) - 4)
			}
			if got := w.Project(&p.unit, x, -1); got != activeset.Solved {
				t.Fatalf("%v: outcome %d", p, got)
			}
			checkKKT(t, p, x, w.X)
			if z := p.Project(nil, x); !near(z, w.X, 1e-12) { // Project has special methods for boxes and half-spaces
				t.Fatalf("%v: projection of %v is %v; want %v", p, x, z, w.X)
			}
		}
	}
	if sets < 1000 {
		t.Errorf("only %d sets", sets)
	}

	// The same row occurs many times, perturbed by relative errors of 1e-16 to 1e-8.
	for range 200 {
		d := 2 + rnd.IntN(3)
		a, b := randomRows(rnd, 4, d)
		noise := math.Pow(10, -16+8*rnd.Float64())
		for k := range 12 {
			from := a[k%4*d : (k%4+1)*d]
			for _, v := range from {
				a = append(a, v*(1+noise*rnd.NormFloat64()))
			}
			b = append(b, b[k%4])
		}
		p := mustNew(t, d, a, b)
		x := normals(rnd, d, 5)
		got := w.Project(&p.unit, x, -1)
		if got != activeset.Solved {
			t.Fatalf("noise %g: outcome %d", noise, got)
		}
		coarse := mustNew(t, d, a[:4*d], b[:4])
		if want := coarse.Project(nil, x); !near(w.X, want, 1e3*noise*(1+math.Sqrt(dot(x, x)))+1e-10) {
			t.Fatalf("noise %g: %v, without copies %v", noise, w.X, want)
		}
	}
}

func FuzzProject(f *testing.F) {
	f.Add(1.0, 0.0, -1.0, 0.0, 1.0, 1.0, 1.0, 0.0, 2.0, 3.0, 4.0)
	f.Add(1.0, 1.0, -1.0, -1.0, 0.0, 1.0, 1.0, -1.0, 0.0, 0.0, 0.0)
	f.Add(1e-8, 1.0, 1e-8, -1.0, -1.0, 0.0, 0.0, 0.0, 1e4, -1e4, 5.0)
	f.Add(1e300, 1.0, math.NaN(), 0.0, math.Inf(1), 1e-310, 0.0, 0.0, 1.0, 1.0, 1.0)
	f.Add(0.0, 0.0, 1.0, 2.0, 3.0, 4.0, -1.0, 2.0, 3.0, 1.0, 1.0)
	f.Fuzz(func(t *testing.T, a0, a1, a2, a3, a4, a5, b0, b1, b2, x0, x1 float64) {
		p, err := New(mat.NewDense(3, 2, []float64{a0, a1, a2, a3, a4, a5}), []float64{b0, b1, b2}, nil)
		if err != nil {
			if !errors.Is(err, ErrEmpty) && !errors.Is(err, ErrNoInterior) && !errors.Is(err, ErrNotFinite) {
				t.Fatalf("unknown error %v", err)
			}
			return
		}
		x := []float64{x0, x1}
		size := math.Abs(x0) + math.Abs(x1)
		for _, v := range p.unit.B {
			size += math.Abs(v)
		}
		z := p.Project(nil, x)
		if !(size < 1e100) {
			return // squares may overflow, so the test only checks that Project returns
		}
		eta := p.Distance(x)
		size += eta // the nearest point of a narrow wedge can be far away
		if _, slack := p.least(z); slack < -1e-12*size {
			t.Fatalf("%v: projection %v of %v violates a row by %g", p, z, x, -slack)
		}
		if !(math.Abs(eta-distanceBetween(x, z)) <= 1e-12*size) {
			t.Fatalf("%v: distance %g, to the projection %g", p, eta, distanceBetween(x, z))
		}
		if p.Contains(x) && eta != 0 {
			t.Fatalf("%v: %v inside at distance %g", p, x, eta)
		}
		// No point of P may be nearer than z, so (x - z)'(c - z) <= 0 must hold for the interior point c.
		c := p.centre
		far := distanceBetween(c, z)
		if got := (x[0]-z[0])*(c[0]-z[0]) + (x[1]-z[1])*(c[1]-z[1]); got > 1e-11*size*(far+size) {
			t.Fatalf("%v: %v is not the projection of %v: the product with the direction to %v is %g", p, z, x, c, got)
		}
	})
}

func ExamplePolyhedron_Project() {
	p := Simplex(3)
	fmt.Printf("%.2f\n", p.Project(nil, []float64{1, 1, -1}))
	// Output:
	// [0.50 0.50 0.00]
}
