package polyhedron_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/internal/golden"
	"github.com/purexp/purexp/pkg/polyhedron"
)

// Random regions, with rows that are copies, opposites or of very different lengths, and points
// inside, outside and far away: the same projections, margins and depths as ever, in one memory; and
// the same words on regions that are empty.
func TestProjectionsStay(t *testing.T) {
	rnd := rand.New(rand.NewPCG(28, 4))
	ws := new(polyhedron.Workspace)
	var lines []string
	for n := range 60 {
		d, m := 1+n%4, 1+rnd.IntN(7)
		a, b := mat.NewDense(m, d, nil), make([]float64, m)
		for k := range m {
			for j := range d {
				a.Set(k, j, float64(rnd.IntN(7)-3)*[]float64{1, 1, 1e-3, 50}[k%4])
			}
			b[k] = rnd.NormFloat64() + .8
			if n%3 == 1 && k > 0 && k%2 == 1 {
				for j := range d {
					a.Set(k, j, -a.At(k-1, j))
				}
				b[k] = .5 - b[k-1]
			}
		}
		p, err := polyhedron.New(a, b, nil)
		if err != nil {
			lines = append(lines, fmt.Sprintf("%d: %v", n, err))
			continue
		}
		centre, radius := p.Chebyshev()
		lines = append(lines, fmt.Sprintf("%d: %s; ball of %s at %s", n, p, golden.Numbers(radius),
			golden.Numbers(centre...)))
		for i := range 6 {
			x, w := make([]float64, d), make([]float64, d)
			for j := range x {
				x[j], w[j] = rnd.NormFloat64()*[]float64{.5, 3, 100}[i%3], []float64{1, 20, .1}[rnd.IntN(3)]
			}
			inside, eta, constraint := p.MarginWith(ws, x)
			lines = append(lines, fmt.Sprintf("%d, point %d: %v %v %s; to %s; weighted to %s", n, i,
				inside, constraint, golden.Numbers(eta, p.Depth(x), p.DistanceWith(ws, x)),
				golden.Numbers(p.ProjectWith(ws, nil, x)...),
				golden.Numbers(p.ProjectWeightedWith(ws, nil, x, w)...)))
		}
	}
	golden.Digests(t, "pinned.txt", lines, golden.Kind)
}
