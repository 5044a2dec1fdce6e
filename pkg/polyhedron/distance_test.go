package polyhedron

import (
	"fmt"
	"math"
	"math/rand/v2"
	"sync"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// cubes returns the cube [0,1]^3 as a box, and once more behind redundant rows that make it a
// polyhedron like any other, with the rows of the box first.
func cubes(t testing.TB) []*Polyhedron {
	box, err := Box([]float64{0, 0, 0}, []float64{1, 1, 1}, nil)
	if err != nil {
		t.Fatal(err)
	}
	var a, b []float64
	for k := range box.Rows() {
		c := box.Constraint(k)
		a, b = append(a, c.A...), append(b, c.B)
	}
	a, b = append(a, 1, 1, 1, 2, 2, 2, 1, 0, 1), append(b, 3, 6, 2)
	return []*Polyhedron{box, mustNew(t, 3, a, b)}
}

func TestCube(t *testing.T) {
	for _, p := range cubes(t) {
		for _, c := range []struct {
			x      []float64
			inside bool
			eta    float64
			row    int
			z      []float64
		}{
			// nearest face x[2] >= 0
			{[]float64{0.5, 0.4, 0.3}, true, 0.3, 4, []float64{0.5, 0.4, 0.3}},
			{[]float64{0.5, 0.9, 0.3}, true, 1 - 0.9, 3, []float64{0.5, 0.9, 0.3}},
			// beyond a face
			{[]float64{2, 0.5, 0.5}, false, 1, 1, []float64{1, 0.5, 0.5}},
			// beyond an edge
			{[]float64{4, -4, 0.5}, false, 5, 2, []float64{1, 0, 0.5}},
			// beyond a corner: 1, 2, 2
			{[]float64{2, 3, -2}, false, 3, 3, []float64{1, 1, 0}},
			// far
			{[]float64{1e9, 0.5, 0.5}, false, 1e9 - 1, 1, []float64{1, 0.5, 0.5}},
			// on a face
			{[]float64{1, 0.25, 0.5}, true, 0, 1, []float64{1, 0.25, 0.5}},
			// in a corner
			{[]float64{1, 1, 1}, true, 0, 1, []float64{1, 1, 1}},
			// one bit out
			{[]float64{0.5, 0, math.Nextafter(1, 2)}, false, 0x1p-52, 5, []float64{0.5, 0, 1}},
		} {
			inside, eta, row := p.Margin(c.x)
			if inside != c.inside || !(math.Abs(eta-c.eta) <= 1e-15*(1+c.eta)) || row != c.row {
				t.Errorf("%v: margin of %v is %v %g %d; want %v %g %d", p, c.x, inside, eta, row,
					c.inside, c.eta, c.row)
			}
			if p.Contains(c.x) != c.inside {
				t.Errorf("%v: Contains(%v) is %v", p, c.x, !c.inside)
			}
			if z := p.Project(nil, c.x); !near(z, c.z, 1e-14*(1+c.eta)) {
				t.Errorf("%v: projection of %v is %v; want %v", p, c.x, z, c.z)
			}
			depth, distance := p.Depth(c.x), p.Distance(c.x)
			if c.inside && (depth != eta || distance != 0) || !c.inside &&
				(depth != 0 || distance != eta) {
				t.Errorf("%v: depth %g and distance %g of %v; margin %g", p, depth, distance, c.x,
					eta)
			}
		}
	}
}

// TestDepthIsTheDistanceToTheComplement checks both halves of that: no point outside is nearer, and
// the boundary is met at this distance.
func TestDepthIsTheDistanceToTheComplement(t *testing.T) {
	rnd := rand.New(rand.NewPCG(5, 6))
	for range 200 {
		d := 1 + rnd.IntN(4)
		a, b := randomRows(rnd, 1+rnd.IntN(7), d)
		p := mustNew(t, d, a, b)
		x := p.Project(nil, normals(rnd, d, 3))
		c, _ := p.Chebyshev()
		for j := range x {
			x[j] = 0.9*x[j] + 0.1*c[j]
		}
		inside, depth, k := p.Margin(x)
		if !inside || !(depth > 0) {
			t.Fatalf("%v has margin %v %g", x, inside, depth)
		}
		for range 50 {
			y := normals(rnd, d, 1)
			floats.AddScaled(y, math.Exp(rnd.NormFloat64())*depth, normals(rnd, d, 1))
			if !p.Contains(y) && distanceBetween(x, y) < depth {
				t.Fatalf("%v: %v is nearer to %v than %g", p, y, x, depth)
			}
		}
		normal := p.Constraint(k).A
		norm := math.Sqrt(dot(normal, normal))
		out, in := append([]float64(nil), x...), append([]float64(nil), x...)
		floats.AddScaled(out, (1+1e-9)*depth/norm, normal)
		floats.AddScaled(in, (1-1e-9)*depth/norm, normal)
		if p.Contains(out) || !p.Contains(in) {
			t.Fatalf("%v: the boundary is not at distance %g of %v towards row %d", p, depth, x, k)
		}
	}
}

func TestLipschitz(t *testing.T) {
	rnd := rand.New(rand.NewPCG(7, 8))
	var ws Workspace
	crossed := 0
	for range 300 {
		d := 1 + rnd.IntN(4)
		a, b := randomRows(rnd, 1+rnd.IntN(8), d)
		p := mustNew(t, d, a, b)
		for range 50 {
			x, y := normals(rnd, d, 3), normals(rnd, d, 3)
			ix, ex, _ := p.MarginWith(&ws, x)
			iy, ey, _ := p.MarginWith(&ws, y)
			if !ix {
				ex = -ex
			}
			if !iy {
				ey = -ey
			}
			// The signed distance is 1-Lipschitz, and so are both of its parts.
			if gap := distanceBetween(x, y); !(math.Abs(ex-ey) <= gap*(1+1e-12)+1e-13) {
				t.Fatalf("%v: margins %g of %v and %g of %v at distance %g", p, ex, x, ey, y, gap)
			}
			if ix != iy {
				crossed++
			}
		}
	}
	if crossed < 1000 {
		t.Errorf("only %d pairs on different sides", crossed)
	}
}

func TestViolationBoundsDistance(t *testing.T) {
	rnd := rand.New(rand.NewPCG(9, 10))
	for range 500 {
		d := 1 + rnd.IntN(4)
		a, b := randomRows(rnd, 1+rnd.IntN(8), d)
		p := mustNew(t, d, a, b)
		x := normals(rnd, d, 4)
		k, bound, amount := p.Violation(x)
		inside, eta, row := p.Margin(x)
		if inside != (k < 0) {
			t.Fatalf("violated row %d of a point inside: %v", k, inside)
		}
		if inside {
			continue
		}
		c := p.Constraint(k)
		norm := math.Sqrt(dot(c.A, c.A))
		if k != row || bound > eta || !(math.Abs(amount-norm*bound) <= 1e-12*norm*(1+bound)) {
			t.Fatalf("row %d violated by %g = %g / %g, margin %g at row %d", k, bound, amount, norm,
				eta, row)
		}
	}
}

func TestNotFinitePoints(t *testing.T) {
	inf := math.Inf(1)
	half, err := HalfSpace([]float64{1, 2, 3}, 1, "")
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range append(cubes(t), half, Simplex(3), Ordered(3)) {
		for _, x := range [][]float64{{math.NaN(), 0, 0}, {0.1, 0.2, math.NaN()},
			{math.NaN(), inf, -inf}} {
			inside, eta, _ := p.Margin(x)
			if inside || !math.IsNaN(eta) || p.Contains(x) {
				t.Errorf("%v: margin of %v is %v, %g", p, x, inside, eta)
			}
			for _, v := range p.Project(nil, x) {
				if !math.IsNaN(v) {
					t.Errorf("%v: projection of %v has %g", p, x, v)
				}
			}
			for _, v := range p.ProjectWeighted(nil, x, []float64{1, 2, 3}) {
				if !math.IsNaN(v) {
					t.Errorf("%v: weighted projection of %v has %g", p, x, v)
				}
			}
		}
		p.Margin([]float64{inf, 0, 0}) // ends
		p.Project(nil, []float64{1e300, -1e300, 1e308})
	}
}

func TestNoAllocations(t *testing.T) {
	rnd := rand.New(rand.NewPCG(11, 12))
	a, b := randomRows(rnd, 8, 4)
	p := mustNew(t, 4, a, b)
	small := Simplex(2)
	var ws Workspace
	inside, _ := p.Chebyshev()
	far, w, dst := []float64{30, -40, 20, 50}, []float64{1, 2, 3, 4}, make([]float64, 4)
	two, dst2 := []float64{2, 1}, make([]float64, 2)
	p.ProjectWeightedWith(&ws, dst, far, w) // the workspace grows here, and nowhere else
	for name, f := range map[string]func(){
		"margin":           func() { p.MarginWith(&ws, far) },
		"inside":           func() { p.Margin(inside) },
		"depth":            func() { p.Depth(far) },
		"contains":         func() { p.Contains(far) },
		"violation":        func() { p.Violation(far) },
		"distance":         func() { p.DistanceWith(&ws, far) },
		"project":          func() { p.ProjectWith(&ws, dst, far) },
		"project weighted": func() { p.ProjectWeightedWith(&ws, dst, far, w) },
		"other set":        func() { small.ProjectWith(&ws, dst2, two); p.DistanceWith(&ws, far) },
	} {
		if n := testing.AllocsPerRun(100, f); n != 0 {
			t.Errorf("%s allocates %g times", name, n)
		}
	}
}

// TestShared is for the race detector.
func TestShared(t *testing.T) {
	p := Simplex(3)
	x := []float64{0.9, 0.8, -0.3}
	want := p.Distance(x)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			var ws Workspace
			for range 100 {
				if got := p.DistanceWith(&ws, x); got != want {
					t.Errorf("distance %g, want %g", got, want)
				}
			}
		})
	}
	wg.Wait()
}

func ExamplePolyhedron_Margin() {
	p, err := AtLeast([]float64{0.4, 0.5}, []string{"efficacy", "non-toxicity"})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, x := range [][]float64{{0.6, 0.8}, {0.1, 0.1}} {
		inside, eta, k := p.Margin(x)
		fmt.Printf("%v inside: %v, margin %.2f, %v\n", x, inside, eta, p.Constraint(k))
	}
	// Output:
	// [0.6 0.8] inside: true, margin 0.20, efficacy >= 0.4
	// [0.1 0.1] inside: false, margin 0.50, non-toxicity >= 0.5
}

func ExamplePolyhedron_Violation() {
	p, err := New(mat.NewDense(2, 2, []float64{30, 40, -1, 0}), []float64{100, 0},
		[]string{"cost <= 100", "dose >= 0"})
	if err != nil {
		fmt.Println(err)
		return
	}
	k, distance, amount := p.Violation([]float64{2, 2})
	fmt.Printf("%v is exceeded by %g, which is at distance %.1f\n", p.Constraint(k), amount,
		distance)
	// Output:
	// cost <= 100 is exceeded by 40, which is at distance 0.8
}

func ExamplePolyhedron_MarginWith() {
	p := Simplex(2)
	var ws Workspace // one for each goroutine
	for _, x := range [][]float64{{0.25, 0.25}, {2, 0}} {
		inside, eta, _ := p.MarginWith(&ws, x)
		fmt.Printf("%v %.2f\n", inside, eta)
	}
	// Output:
	// true 0.25
	// false 1.00
}

func ExamplePolyhedron_Contains() {
	p := Ordered(3)
	fmt.Println(p.Contains([]float64{1, 2, 2}), p.Contains([]float64{1, 3, 2}))
	// Output:
	// true false
}

func ExamplePolyhedron_Depth() {
	p := Simplex(2)
	fmt.Println(p.Depth([]float64{0.5, 0.125}), p.Depth([]float64{2, 2}))
	// Output:
	// 0.125 0
}

func ExamplePolyhedron_Distance() {
	p := Simplex(2)
	fmt.Println(p.Distance([]float64{0.5, 0.125}), p.Distance([]float64{4, 4}) > 4.9)
	fmt.Printf("%.3f\n", p.Distance([]float64{-3, -4}))
	// Output:
	// 0 true
	// 5.000
}

func BenchmarkMargin(b *testing.B) {
	box, err := Box([]float64{0, 0, 0}, []float64{1, 1, 1}, nil)
	if err != nil {
		b.Fatal(err)
	}
	half, err := HalfSpace([]float64{1, 2, 3}, 1, "")
	if err != nil {
		b.Fatal(err)
	}
	rnd := rand.New(rand.NewPCG(1, 1))
	a, rhs := randomRows(rnd, 6, 3)
	p := mustNew(b, 3, a, rhs)
	inside, _ := p.Chebyshev()
	a10, rhs10 := randomRows(rnd, 30, 10)
	p10 := mustNew(b, 10, a10, rhs10)
	for _, c := range []struct {
		name string
		p    *Polyhedron
		x    []float64
	}{
		{"box/inside/m=6/d=3", box, []float64{0.5, 0.4, 0.3}},
		{"box/corner/m=6/d=3", box, []float64{2, -1, 3}},
		{"halfspace/outside/d=3", half, []float64{1, 1, 1}},
		{"general/inside/m=6/d=3", p, inside},
		{"general/face/m=4/d=3", Simplex(3), []float64{0.4, 0.4, 0.4}},
		{"general/edge/m=4/d=3", Simplex(3), []float64{2, 1.5, -1}},
		{"general/corner/m=4/d=3", Simplex(3), []float64{3, 0.1, -1}},
		{"general/random/m=6/d=3", p, []float64{5, -4, 3}},
		{"general/random/m=30/d=10", p10, normals(rnd, 10, 5)},
		{"ordered/reversed/d=4", Ordered(4), []float64{4, 3, 2, 1}},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			var ws Workspace
			for b.Loop() {
				c.p.MarginWith(&ws, c.x)
			}
		})
	}
}
