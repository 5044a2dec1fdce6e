package design

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// bruteDiameter looks at all pairs.
func bruteDiameter(p []float64, n, m int) (squared float64) {
	for i := range n {
		for j := range i {
			squared = max(squared, squaredDistance(p[i*m:][:m], p[j*m:][:m]))
		}
	}
	return squared
}

// clouds are point sets that are easy and hard to prune.
func clouds(rnd *rand.Rand, n, m int) map[string][]float64 {
	c := map[string][]float64{}
	gauss := make([]float64, n*m)
	for i := range gauss {
		gauss[i] = rnd.NormFloat64()
	}
	c["gauss"] = gauss
	c["sphere"] = sphere(rnd, n, m).RawMatrix().Data
	far := make([]float64, n*m) // far from the origin
	for i := range far {
		far[i] = 1e3 + gauss[i]
	}
	c["shifted"] = far
	same := make([]float64, n*m)
	for i := range same {
		same[i] = 2.5
	}
	c["one point"] = same
	lattice := make([]float64, n*m) // many ties and duplicates
	for i := range lattice {
		lattice[i] = float64(rnd.IntN(2))
	}
	c["lattice"] = lattice
	line := make([]float64, n*m)
	for i := range n {
		for j := range m {
			line[i*m+j] = gauss[i*m]
		}
	}
	c["line"] = line
	return c
}

func TestDiameter(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 1))
	var f far // reused, so that sizes that change are tested
	for _, n := range []int{1, 2, 3, 63, 64, 65, 130, 301} {
		for _, m := range []int{1, 2, 5, 17} {
			for name, p := range clouds(rnd, n, m) {
				want := bruteDiameter(p, n, m)
				f.load(p, n, m)
				got, i, j := f.farthest()
				what := fmt.Sprintf("%s, n = %d, m = %d", name, n, m)
				if !(math.Abs(got-want) <= 1e-12*want) {
					t.Fatalf("%s: squared diameter %v, want %v", what, got, want)
				}
				if i > j || i == j && want > 0 {
					t.Fatalf("%s: pair %d, %d", what, i, j)
				}
				if d := squaredDistance(p[i*m:][:m], p[j*m:][:m]); !(math.Abs(d-want) <= 1e-9*want) {
					t.Fatalf("%s: pair %d, %d is %v apart, want %v", what, i, j, d, want)
				}
			}
		}
	}
}

func TestPartners(t *testing.T) {
	const share = 0.8
	rnd := rand.New(rand.NewPCG(2, 1))
	var f far
	for _, n := range []int{1, 2, 40, 200} {
		for name, p := range clouds(rnd, n, 3) {
			f.load(p, n, 3)
			most := f.partners(share)
			if want := bruteDiameter(p, n, 3); !(math.Abs(most-want) <= 1e-12*want) {
				t.Fatalf("%s, n = %d: squared diameter %v, want %v", name, n, most, want)
			}
			for a, b := range f.partner {
				i := f.order[a]
				want := 0.
				for j := range n {
					want = max(want, squaredDistance(p[i*3:][:3], p[j*3:][:3]))
				}
				switch {
				case b < 0 && want > share*most*(1+1e-9) && most > 0:
					t.Fatalf("%s, n = %d: point %d has no partner, but one %v away", name, n, i,
						want)
				case b >= 0:
					if d := squaredDistance(p[i*3:][:3], p[f.order[b]*3:][:3]); d < want*(1-1e-9) {
						t.Fatalf("%s, n = %d: partner of %d is %v away, the farthest %v", name, n,
							i, d, want)
					}
				}
			}
		}
	}
}
