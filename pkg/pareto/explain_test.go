package pareto

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// The sizes are those of Gaps, also with ties, and each is the term that its kind names.
func TestExplain(t *testing.T) {
	rnd := rand.New(rand.NewPCG(11, 5))
	for round := range 300 {
		n, d := 1+rnd.IntN(9), 1+rnd.IntN(4)
		mu := mat.NewDense(n, d, nil)
		for i := range n {
			for c := range d {
				mu.Set(i, c, float64(rnd.IntN(12)))
				if round%2 == 0 {
					mu.Set(i, c, rnd.NormFloat64())
				}
			}
		}
		want := Gaps(mu)
		margin := make([]float64, n)
		AppendSetGapsOf(nil, make([]float64, n), margin, mu.RawMatrix().Data, d, upTo(n))
		for i, g := range Explain(mu) {
			if !(math.Abs(g.Size-want[i]) <= 1e-12) && g.Size != want[i] {
				t.Fatalf("row %d of %v: gap %v, want %v", i, mat.Formatted(mu), g, want[i])
			}
			// A gap is that of an item to enter if and only if the item is not optimal.
			if (g.Kind == GapEnter) != (margin[i] > 0) {
				t.Fatalf("row %d of %v: %v, but D is %v", i, mat.Formatted(mu), g, margin[i])
			}
			if g.Kind == GapAlone {
				if g.J >= 0 || n > 1 {
					t.Fatalf("row %d of %d: %v", i, n, g)
				}
				continue
			}
			a, b := mu.RawRowView(i), mu.RawRowView(g.J)
			term, at := 0., 0.
			switch g.Kind {
			case GapEnter:
				term, at = Deficit(a, b), b[g.C]-a[g.C]
			case GapLeave:
				term, at = Excess(a, b), a[g.C]-b[g.C]
			case GapBeat, GapRelease:
				if (margin[g.J] > 0) != (g.Kind == GapRelease) {
					t.Fatalf("row %d of %v: %v, but D of row %d is %v", i, mat.Formatted(mu), g,
						g.J,
						margin[g.J])
				}
				term = max(Excess(b, a), 0) + max(margin[g.J], 0)
				at = max(b[g.C]-a[g.C], 0) + max(margin[g.J], 0)
			}
			if !(math.Abs(term-g.Size) <= 1e-12) || !(math.Abs(at-g.Size) <= 1e-12) {
				t.Fatalf("row %d of %v: %v, but the term is %v, and %v in objective %d", i,
					mat.Formatted(mu), g, term, at, g.C)
			}
		}
	}
}
