package design

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// Weights and counts follow the order of the points. If features are multiplied by u, variances are divided by
// u^2, unless the directions are multiplied by u, too.
func TestUnitsAndOrder(t *testing.T) {
	rnd := rand.New(rand.NewPCG(4, 2))
	random := func(n int) *mat.Dense {
		x := mat.NewDense(n, 3, nil)
		for i := range n {
			for j := range 3 {
				x.Set(i, j, rnd.NormFloat64())
			}
		}
		return x
	}
	x, z := random(9), random(5)
	star := func(x, z *mat.Dense, scale float64) (Criterion, error) {
		c, err := NewStar(x, z)
		if err == nil {
			c.Set(1, []int{0, 1, 2, 4}, []float64{scale, scale, 2 * scale, scale / 2})
		}
		return c, err
	}
	for name, of := range map[string]func(x, z *mat.Dense, other float64) (Criterion, error){
		"G":     func(x, _ *mat.Dense, _ float64) (Criterion, error) { return NewG(x) },
		"C":     func(x, z *mat.Dense, _ float64) (Criterion, error) { return NewC(x, z.RawRowView(0)) },
		"XY":    func(x, z *mat.Dense, _ float64) (Criterion, error) { return NewXY(x, z) },
		"pairs": func(x, z *mat.Dense, _ float64) (Criterion, error) { return NewPairs(x, z) },
		"star":  func(x, z *mat.Dense, other float64) (Criterion, error) { return star(x, z, other) },
	} {
		// run returns weights, the value, its bound, the value at equal weights, and counts. The points are
		// multiplied by unit and permuted by as; the rows of z are multiplied by other.
		run := func(unit, other, scale float64, as []int) (w, values []float64, counts []int) {
			xs, zs := mat.DenseCopyOf(x), mat.DenseCopyOf(z)
			for i, at := range as {
				xs.SetRow(at, x.RawRowView(i))
			}
			xs.Scale(unit, xs)
			zs.Scale(other, zs)
			c, err := of(xs, zs, scale)
			if err != nil {
				t.Fatal(err)
			}
			d, err := c.Solve(&Options{Tol: 1e-6})
			if err != nil {
				t.Fatal(name, err)
			}
			a, err := Round(c, d.Weights, 60, LargestRemainder)
			if err != nil {
				t.Fatal(err)
			}
			for _, at := range as {
				w, counts = append(w, d.Weights[at]), append(counts, a.Counts[at])
			}
			return w, []float64{d.Value, d.Lower, c.Value(slices.Repeat([]float64{1. / 9}, 9)), a.Ratio * d.Value}, counts
		}
		own, turned := []int{0, 1, 2, 3, 4, 5, 6, 7, 8}, []int{3, 8, 1, 0, 7, 5, 2, 4, 6}
		w, values, counts := run(1, 1, 1, own)
		for _, c := range []struct {
			unit, other, scale float64
			as                 []int
		}{{1, 1, 1, turned}, {8, 8, 1, own}, {8, 1, 1, own}, {1, .25, 1, turned}, {1, 1, 4, own}} {
			factor := c.other * c.other / (c.unit * c.unit)
			if name == "star" {
				factor *= c.scale * c.scale
			} else if name == "G" {
				factor = 1
			}
			gotW, got, n := run(c.unit, c.other, c.scale, c.as)
			for i, v := range got {
				if !(math.Abs(v-factor*values[i]) <= 2e-5*factor*values[i]) {
					t.Errorf("%s, %+v: value %d is %v; want %v times %v", name, c, i, v, factor, values[i])
				}
			}
			for i, v := range gotW {
				if !(math.Abs(v-w[i]) <= 2e-3) {
					t.Errorf("%s, %+v: weights %.4f; want %.4f", name, c, gotW, w)
					break
				}
			}
			for i := range n {
				if n[i]-counts[i] > 1 || counts[i]-n[i] > 1 {
					t.Errorf("%s, %+v: counts %v; want %v", name, c, n, counts)
					break
				}
			}
		}
	}
}
