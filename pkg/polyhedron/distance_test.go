package polyhedron

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/floats"
)

// cubes returns the cube [0,1]^3 twice: as a box, and as a general polyhedron. The latter has redundant rows after
// the rows of the box.
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
			// The nearest face is x[2] >= 0.
			{[]float64{0.5, 0.4, 0.3}, true, 0.3, 4, []float64{0.5, 0.4, 0.3}},
			{[]float64{0.5, 0.9, 0.3}, true, 1 - 0.9, 3, []float64{0.5, 0.9, 0.3}},
			// beyond a face
			{[]float64{2, 0.5, 0.5}, false, 1, 1, []float64{1, 0.5, 0.5}},
			// beyond an edge
			{[]float64{4, -4, 0.5}, false, 5, 2, []float64{1, 0, 0.5}},
			// beyond a corner, by 1, 2 and 2
			{[]float64{2, 3, -2}, false, 3, 3, []float64{1, 1, 0}},
			// far
			{[]float64{1e9, 0.5, 0.5}, false, 1e9 - 1, 1, []float64{1, 0.5, 0.5}},
			// on a face
			{[]float64{1, 0.25, 0.5}, true, 0, 1, []float64{1, 0.25, 0.5}},
			// in a corner
			{[]float64{1, 1, 1}, true, 0, 1, []float64{1, 1, 1}},
			// outside by one unit in the last place
			{[]float64{0.5, 0, math.Nextafter(1, 2)}, false, 0x1p-52, 5, []float64{0.5, 0, 1}},
		} {
			inside, eta, row := p.Margin(c.x)
			if inside != c.inside || !(math.Abs(eta-c.eta) <= 1e-15*(1+c.eta)) || row != c.row {
				t.Errorf("%v: margin of %v is %v %g %d; want %v %g %d", p, c.x, inside, eta, row, c.inside, c.eta, c.row)
			}
			if p.Contains(c.x) != c.inside {
				t.Errorf("%v: Contains(%v) is %v", p, c.x, !c.inside)
			}
			if z := p.Project(nil, c.x); !near(z, c.z, 1e-14*(1+c.eta)) {
				t.Errorf("%v: projection of %v is %v; want %v", p, c.x, z, c.z)
			}
			if distance := p.Distance(c.x); c.inside && distance != 0 || !c.inside && distance != eta {
				t.Errorf("%v: distance %g of %v; margin %g", p, distance, c.x, eta)
			}
		}
	}
}

// TestDepthIsTheDistanceToTheComplement checks both properties of a distance: no point outside is nearer, and the
// boundary is reached at this distance.
func TestDepthIsTheDistanceToTheComplement(t *testing.T) {
	rnd := rand.New(rand.NewPCG(5, 6))
	for range 200 {
		d := 1 + rnd.IntN(4)
		a, b := randomRows(rnd, 1+rnd.IntN(7), d)
		p := mustNew(t, d, a, b)
		x := p.Project(nil, normals(rnd, d, 3))
		c := p.centre
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

// Margin returns the index of a constraint in the user's list, even if a repeated row precedes the constraint.
func TestMarginBehindACopy(t *testing.T) {
	p := mustNew(t, 2, []float64{1, 0, 1, 0, 0, 1}, []float64{1, 1, 1})
	for _, y := range []float64{.5, 3} {
		if inside, eta, k := p.Margin([]float64{0, y}); inside != (y < 1) || eta != math.Abs(1-y) || k != 2 {
			t.Errorf("(0, %v): %v, %v, row %d; want row 2", y, inside, eta, k)
		}
	}
}
