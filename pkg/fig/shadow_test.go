package fig

import (
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/recorder"

	"github.com/purexp/purexp/pkg/bandit"
	"github.com/purexp/purexp/pkg/fig/canvas"
	"github.com/purexp/purexp/pkg/polyhedron"
)

// Shadows of the usual regions, by hand. The coordinates of the cone's shadow on
// the plane of the first and last are ordered through the one between; the
// half-space and the slab leave every value of two coordinates possible.
func TestShadow(t *testing.T) {
	cube := must(polyhedron.Box([]float64{0, 0, 0}, []float64{1, 1, 1}, nil))
	slab := must(
		polyhedron.New(mat.NewDense(2, 3, []float64{1, 1, 1, -1, -1, -1}), []float64{1, 1}, nil))
	// x <= z <= y and x <= w <= y say the same of x and y.
	ways := must(
		polyhedron.New(
			mat.NewDense(4, 4, []float64{1, 0, -1, 0, 0, -1, 1, 0, .3, 0, 0, -.3, 0, -.7, 0, .7}),
			make([]float64, 4), nil),
	)
	for _, c := range []struct {
		name   string
		region *polyhedron.Polyhedron
		x, y   int
		want   string
	}{
		{"simplex", polyhedron.Simplex(3), 0, 1, "x ≥ 0 [0]; y ≥ 0 [1]; x + y ≤ 1 [2 3]"},
		{"simplex", polyhedron.Simplex(3), 2, 0, "y ≥ 0 [0]; x ≥ 0 [2]; x + y ≤ 1 [1 3]"},
		{"simplex of five", polyhedron.Simplex(5), 0, 1,
			"x ≥ 0 [0]; y ≥ 0 [1]; x + y ≤ 1 [2 3 4 5]"},
		{"cone", polyhedron.Ordered(3), 0, 1, "x ≤ y [0]"},
		{"cone", polyhedron.Ordered(3), 0, 2, "x ≤ y [0 1]"},
		{"cone of six", polyhedron.Ordered(6), 4, 1, "y ≤ x [1 2 3]"},
		{"cube", cube, 0, 2, "x ≥ 0 [0]; x ≤ 1 [1]; y ≥ 0 [4]; y ≤ 1 [5]"},
		{"half-space", must(polyhedron.HalfSpace([]float64{1, 1, 1}, 1, "")), 0, 1, ""},
		{"slab", slab, 0, 1, ""},
		{"two ways", ways, 0, 1, "x ≤ y [2 3]"},
		{"whole", polyhedron.Whole(4), 1, 3, ""},
	} {
		edges, ok := shadow(c.region, c.x, c.y)
		var got []string
		for _, e := range edges {
			got = append(got, e.String())
		}
		if s := strings.Join(got, "; "); s != c.want || !ok {
			t.Errorf("%s on %d, %d: %s; want %s", c.name, c.x, c.y, s, c.want)
		}
	}
}

// A sum that other inequalities imply is left out, whatever its scale. Here y is
// at most x + 1 through z, and both less than that alone.
func TestShadowDropsWhatFollows(t *testing.T) {
	for _, scale := range []float64{1e-9, 1, 1e9} {
		a := mat.NewDense(4, 3,
			[]float64{0, scale, 0, -scale, 0, 0, 0, scale, -scale, -scale, 0, scale})
		region := must(
			polyhedron.New(a, []float64{scale, 0, 0, scale}, nil),
		) // y <= 1, x >= 0, y <= z, z <= x + 1
		if edges, _ := shadow(region, 0, 1); len(edges) != 2 {
			t.Errorf("scale %v: %v; want y ≤ 1 and x ≥ 0 alone", scale, edges)
		}
	}
}

// completes reports whether some z puts (u, v, z) in a region in R^3: the
// constraints bound z from both sides, which is all there is to it. The slack is
// how much room there is, negative if none.
func completes(r *polyhedron.Polyhedron, u, v float64) (slack float64) {
	lo, hi, rest := math.Inf(-1), math.Inf(1), math.Inf(1)
	for k := range r.Rows() {
		c := r.Constraint(k)
		s := c.B - c.A[0]*u - c.A[1]*v
		switch {
		case c.A[2] > 0:
			hi = min(hi, s/c.A[2])
		case c.A[2] < 0:
			lo = max(lo, s/c.A[2])
		default:
			rest = min(rest, s)
		}
	}
	return min(hi-lo, rest)
}

// In R^3: a point of the plane is in the shadow if and only if the interval of
// the third coordinate is not empty.
func TestShadowAgainstInterval(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	inside, outside, mixed := 0, 0, 0
	for range 200 {
		m := 2 + rng.IntN(8)
		region := random(rng, m, 3, .3)
		edges, ok := shadow(region, 0, 1)
		if !ok {
			t.Fatalf("%v: too large", region)
		}
		for range 200 {
			u, v := 3*rng.NormFloat64(), 3*rng.NormFloat64()
			slack, got := completes(region, u, v), true
			for _, e := range edges {
				got = got && e.Side(canvas.Point{X: u, Y: v}) >= 0
			}
			if got != (slack >= 0) && math.Abs(slack) > 1e-9 {
				t.Fatalf("(%v, %v) in the shadow of %v: %v, slack %v, edges %v", u, v, region, got,
					slack, edges)
			}
			if got {
				inside++
			} else {
				outside++
			}
		}
		for _, e := range edges {
			if len(e.from) > 1 {
				mixed++
			}
		}
	}
	if inside < 1000 || outside < 1000 || mixed < 200 {
		t.Errorf("the cases are one-sided: %d points inside, %d outside, %d sums", inside, outside,
			mixed)
	}
}

// In any dimension: a point of the plane is in the shadow if and only if the
// constraints leave values of the other coordinates, a region in R^(d-2) that
// polyhedron.New, which solves a linear program, refuses if it is empty.
func TestShadowAgainstFibre(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	inside, outside := 0, 0
	for range 60 {
		d := 4 + rng.IntN(2)
		m := d + rng.IntN(4)
		region := random(rng, m, d, .3)
		edges, ok := shadow(region, 0, 1)
		if !ok {
			t.Fatalf("%v: too large", region)
		}
		for range 20 {
			u, v := 3*rng.NormFloat64(), 3*rng.NormFloat64()
			a, b := mat.NewDense(m, d-2, nil), make([]float64, m)
			for k := range m {
				c := region.Constraint(k)
				a.SetRow(k, c.A[2:])
				b[k] = c.B - c.A[0]*u - c.A[1]*v
			}
			_, err := polyhedron.New(a, b, nil)
			got, near := true, false
			for _, e := range edges {
				s := e.Side(canvas.Point{X: u, Y: v})
				got, near = got && s >= 0, near || math.Abs(s) < 1e-6
			}
			if got != (err == nil) && !near {
				t.Fatalf("(%v, %v) in the shadow of %v: %v; the fibre: %v", u, v, region, got, err)
			}
			if got {
				inside++
			} else {
				outside++
			}
		}
	}
	if inside < 100 || outside < 100 {
		t.Errorf("the cases are one-sided: %d points inside, %d outside", inside, outside)
	}
}

// No edge of a shadow follows from the others: without it there is a point that
// the shadow does not have. The point is beyond the middle of the edge.
func TestShadowEdgesAreNeeded(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for range 200 {
		region := random(rng, 3+rng.IntN(6), 3+rng.IntN(2), .2)
		edges, _ := shadow(region, 0, 1)
		for i, e := range edges {
			var others []canvas.HalfPlane
			for j, o := range edges {
				if j != i {
					others = append(others, o.HalfPlane)
				}
			}
			if lo, hi := e.Within(others); len(e.from) > 1 && !(lo < hi) {
				t.Fatalf("%v of %v follows from the others", e, edges)
			}
		}
	}
}

// random returns a region in R^d with m constraints that the origin keeps by .5
// to 1.5, of whose coefficients a share is 0.
func random(rng *rand.Rand, m, d int, zeros float64) *polyhedron.Polyhedron {
	a, b := mat.NewDense(m, d, nil), make([]float64, m)
	for k := range m {
		for c := range d {
			if rng.Float64() >= zeros {
				a.Set(k, c, rng.NormFloat64())
			}
		}
		b[k] = .5 + rng.Float64()
	}
	return must(polyhedron.New(a, b, nil))
}

// A region with many faces that mix objectives is given up in time; with few it
// is not, though pairs of pairs of pairs are many.
func TestShadowTooLarge(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	if edges, ok := shadow(random(rng, 15, 5, 0), 0, 1); !ok || len(edges) < 3 {
		t.Errorf("%d edges, %v", len(edges), ok)
	}
	region := random(rng, 300, 6, 0)
	if edges, ok := shadow(region, 0, 1); ok || edges != nil {
		t.Errorf("%d edges", len(edges))
	}
	means := mat.NewDense(2, 6, nil)
	f := must(ResponsePlane(toy(means, region), nil))
	if all := strings.Join(f.Notes, " "); !strings.Contains(all, "too many faces") {
		t.Errorf("notes: %s", all)
	}
}

func TestHalfPlaneName(t *testing.T) {
	for _, c := range []struct {
		h    canvas.HalfPlane
		want string
	}{
		{canvas.HalfPlane{A: 1, B: 1, C: 1}, "u + v ≤ 1"},
		{canvas.HalfPlane{A: 2, B: 4, C: 6}, "u + 2 v ≤ 3"},
		{canvas.HalfPlane{A: -1, B: -3, C: -1.5}, "u + 3 v ≥ 1.5"},
		{canvas.HalfPlane{A: 1, B: -1, C: 0}, "u ≤ v"},
		{canvas.HalfPlane{A: -3, B: 1, C: 0}, "v ≤ 3 u"},
		{canvas.HalfPlane{A: 1, B: -1, C: .25}, "u ≤ v + 0.25"},
		{canvas.HalfPlane{A: 1, B: -1, C: -.25}, "u ≤ v - 0.25"},
		{canvas.HalfPlane{A: 0, B: 2, C: 1}, "v ≤ 0.5"},
		{canvas.HalfPlane{A: -2, B: 0, C: 1}, "u ≥ -0.5"},
		{canvas.HalfPlane{A: -1, B: -1, C: 0}, "u + v ≥ 0"},
		{canvas.HalfPlane{A: 1, B: 0, C: 5e-10}, "u ≤ 5e-10"},
	} {
		if got := inequality(c.h, "u", "v"); got != c.want {
			t.Errorf("%v: %s; want %s", c.h, got, c.want)
		}
	}
}

// Coordinates without names are called as the objectives are, where edges that several constraints make are named by these: in more than two
// dimensions. What is no coordinate stays.
func TestConstraintNames(t *testing.T) {
	names := []string{"x[0] + x[2] <= 1", "x[3] and max[1] and x[1]", "sum >= 2"}
	for d, want := range map[int]string{2: "x[0] + x[2] ≤ 1; x[3] and max[1] and x[1]; sum ≥ 2", 3: "low + high ≤ 1; x[3] and max[1] and middle; sum ≥ 2"} {
		a := mat.NewDense(3, d, nil)
		for k := range 3 {
			a.Set(k, 0, float64(k+1))
			a.Set(k, 1, 1)
		}
		inst := toy(mat.NewDense(2, d, nil), must(polyhedron.New(a, []float64{9, 9, 9}, names)))
		inst.Problem.ObjectiveNames = []string{"low", "middle", "high"}[:d]
		pl := must(newPlane(inst, nil))
		var got []string
		for k := range names {
			got = append(got, pl.constraint(k))
		}
		if strings.Join(got, "; ") != want {
			t.Errorf("%d objectives: %q; want %s", d, got, want)
		}
	}
}

// shares is an instance in R^3 whose region mixes objectives. Inside every
// shadow of the simplex, but infeasible, are d and e; a third of the arms is in
// order.
func shares(region *polyhedron.Polyhedron) *bandit.Instance {
	inst := toy(mat.NewDense(9, 3, []float64{
		.15,
		.25,
		.45,
		.3,
		.3,
		.3,
		.55,
		.2,
		.1,
		.4,
		.35,
		.4,
		.2,
		.45,
		.5,
		.7,
		.4,
		.15,
		-.1,
		.3,
		.5,
		.1,
		.15,
		.2,
		.25,
		.6,
		.05,
	}), region)
	inst.Name, inst.Problem.ArmNames = "shares", []string{
		"a",
		"b",
		"c",
		"d",
		"e",
		"f",
		"g",
		"h",
		"i",
	}
	inst.Problem.ObjectiveNames = []string{"low", "middle", "high"}
	return inst
}

// What the notes say of the arms: b is inside every shadow of the simplex but
// its sum is 1.2.
func TestShadowNotes(t *testing.T) {
	means := mat.NewDense(3, 3, []float64{.2, .3, .3, .4, .4, .4, .9, .8, .1})
	inst := toy(means, polyhedron.Simplex(3))
	inst.Problem.ArmNames = []string{"a", "b", "c"}
	for _, c := range []struct {
		f    *Figure
		want []string
		not  string
	}{
		{must(ResponsePlanes(inst, nil)),
			[]string{"inside every shadow may still be infeasible: here b.", "Dotted"},
			"not shown"},
		{must(ResponsePlane(inst, nil)),
			[]string{"inside the shadow may still be infeasible: here b."}, "not shown"},
		// three planes show all
		{must(ResponsePlanes(toy(means, polyhedron.Ordered(3)), nil)), []string{"Dotted"},
			"infeasible"},
		// one plane, and a constraint
		{must(ResponsePlane(toy(means, polyhedron.Ordered(3)), nil)),
			[]string{"not shown: objective 1 ≤ objective 2"}, "Dotted"},
		{must(ResponsePlanes(toy(means, must(polyhedron.HalfSpace([]float64{1, 1, 1}, 1, "sum"))),
			nil)), []string{"no plane shows: sum."}, "Shaded"},
		{must(ResponsePlane(toy(means, must(polyhedron.HalfSpace([]float64{1, 1, 1}, 1, "sum"))),
			nil)), []string{"not shown: sum."}, "Shaded"},
		{must(ResponsePlanes(toy(mat.NewDense(2, 3, []float64{.1, .1, .2, .2, .2, .1}),
			polyhedron.Simplex(3)), nil)), []string{"here none is"}, "without shade"},
		{must(ResponsePlanes(toy(mat.NewDense(2, 3, []float64{7, 8, 9, 7, 8, 10}),
			polyhedron.Simplex(3)), nil)), []string{"nothing of the panel"}, "as all"},
		{must(ResponsePlanes(toy(mat.NewDense(2, 3, []float64{.1, .11, .12, .11, .1, .12}),
			polyhedron.Simplex(3)), nil)), nil, "nothing of the panel"},
	} {
		all := strings.Join(c.f.Notes, " ")
		for _, s := range c.want {
			if !strings.Contains(all, s) {
				t.Errorf("notes: %s; want %q", all, s)
			}
		}
		if strings.Contains(all, c.not) {
			t.Errorf("notes: %s; do not want %q", all, c.not)
		}
		if err := c.f.SVG(io.Discard); err != nil {
			t.Error(err)
		}
	}
}

// Items have numbers in the notes where the panels have: in several planes of long names, and not in one.
func TestShadowNumbers(t *testing.T) {
	inst := shares(polyhedron.Simplex(3))
	for i, name := range inst.Problem.ArmNames {
		inst.Problem.ArmNames[i] = strings.Repeat(name, 4)
	}
	if all := strings.Join(must(ResponsePlanes(inst, nil)).Notes, " "); !strings.Contains(all, "here dddd (3), eeee (4).") {
		t.Error(all)
	}
	if all := strings.Join(must(ResponsePlane(inst, nil)).Notes, " "); !strings.Contains(all, "dddd, eeee") || strings.Contains(all, "(3)") {
		t.Error(all)
	}
}

// A shadow that is the whole panel has no shade, and the notes say so.
func TestShadowFills(t *testing.T) {
	a := mat.NewDense(2, 3, []float64{1, 1, 1, 0, 0, -1})
	for b, fills := range map[float64]bool{5: true, 1.5: false} {
		region := must(polyhedron.New(a, []float64{b, 0}, nil)) // x + y <= b - z, z >= 0
		f := must(ResponsePlane(toy(mat.NewDense(2, 3, []float64{0, 1, 1, 1, 0, 1}), region), nil))
		if all := fmt.Sprint(f.Notes); strings.Contains(all, "all of the panel") != fills {
			t.Errorf("x + y <= %v: notes: %s", b, all)
		}
		var r recorder.Canvas
		f.Panels[0][0].Draw(draw.NewCanvas(&r, 300, 300))
		shaded := slices.ContainsFunc(r.Actions, func(a recorder.Action) bool {
			c, ok := a.(*recorder.SetColor)
			return ok && c.Color == feasible
		})
		if shaded == fills {
			t.Errorf("x + y <= %v: shaded is %v", b, shaded)
		}
	}
}
