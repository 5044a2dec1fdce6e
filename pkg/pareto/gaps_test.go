package pareto

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// gapsOracle computes the definition in the comment of Gaps, over all pairs.
func gapsOracle(mu *mat.Dense, subset []int) (gap, margin []float64) {
	gap, margin = make([]float64, len(subset)), make([]float64, len(subset))
	for a, i := range subset {
		margin[a] = math.Inf(-1)
		for _, j := range subset {
			if j != i {
				margin[a] = max(margin[a], Deficit(mu.RawRowView(i), mu.RawRowView(j)))
			}
		}
	}
	for a, i := range subset {
		if margin[a] > 0 {
			gap[a] = margin[a]
			continue
		}
		gap[a] = math.Inf(1)
		for b, j := range subset {
			if j != i {
				p, q := mu.RawRowView(i), mu.RawRowView(j)
				gap[a] = min(gap[a], Excess(p, q), max(Excess(q, p), 0)+max(margin[b], 0))
			}
		}
	}
	return gap, margin
}

// bracket returns the minimum in the definition of Auer et al. Its terms are min(M(i,j), M(j,i)) for optimal arms j,
// and max(M(j,i), 0) + D_j for dominated arms j.
func bracket(mu *mat.Dense, i int, front []int, margin []float64) float64 {
	least := math.Inf(1)
	p := mu.RawRowView(i)
	for j, dj := range margin {
		q := mu.RawRowView(j)
		switch {
		case j == i:
		case slices.Contains(front, j):
			least = min(least, Excess(p, q), Excess(q, p))
		default:
			least = min(least, max(Excess(q, p), 0)+dj)
		}
	}
	return least
}

func TestGaps(t *testing.T) {
	rnd := newRand(10)
	for _, law := range clouds {
		for d := 1; d <= 5; d++ {
			for range 200 {
				n := 1 + rnd.IntN(30)
				if rnd.IntN(20) == 0 {
					n = 150
				}
				mu := cloud(rnd, law.draw, n, d)
				data := mu.RawMatrix().Data
				subset := rnd.Perm(n)[:1+rnd.IntN(n)]

				want, wantMargin := gapsOracle(mu, subset)
				if got := GapsOf(mu, subset); !slices.Equal(got, want) {
					t.Fatalf("%s: gaps of %v: %v; want %v\n%v", law.name, subset, got, want, mat.Formatted(mu))
				}
				got, margin := make([]float64, len(subset)), make([]float64, len(subset))
				AppendSetGapsOf(nil, got, margin, data, d, subset)
				if !slices.Equal(got, want) || !slices.Equal(margin, wantMargin) {
					t.Fatalf("%s: gaps %v, margins %v; want %v, %v\n%v", law.name, got, margin,
						want, wantMargin, mat.Formatted(mu))
				}
				clear(got)
				set := AppendSetGapsOf([]int{-1}, got, nil, data, d, subset)
				if front := setOracle(mu, subset); !slices.Equal(got, want) || set[0] != -1 || !slices.Equal(set[1:], front) {
					t.Fatalf("%s: gaps %v, set %v of %v; want %v, %v\n%v", law.name, got, set[1:],
						subset, want, front, mat.Formatted(mu))
				}

				want, wantMargin = gapsOracle(mu, upTo(n))
				if got := Gaps(mu); !slices.Equal(got, want) {
					t.Fatalf("%s: gaps %v; want %v\n%v", law.name, got, want, mat.Formatted(mu))
				}
				got, margin = make([]float64, n), make([]float64, n)
				AppendSetGapsOf(nil, got, margin, data, d, upTo(n))
				if !slices.Equal(got, want) || !slices.Equal(margin, wantMargin) {
					t.Fatalf("%s: gaps %v, margins %v; want %v, %v\n%v", law.name, got, margin,
						want, wantMargin, mat.Formatted(mu))
				}
			}
		}
	}
}

// The three definitions of the gaps in the literature agree. Kone et al. distinguish whether D_i > 0, and take a
// minimum over all j. Auer et al. distinguish whether arm i is optimal, and take another minimum. The third definition
// is the larger of D_i and the minimum of Auer et al.
func TestGapsForms(t *testing.T) {
	rnd := newRand(11)
	for _, law := range clouds {
		for range 300 {
			n, d := 1+rnd.IntN(12), 1+rnd.IntN(4)
			mu := cloud(rnd, law.draw, n, d)
			front := setOracle(mu, upTo(n))
			gap, margin := gapsOracle(mu, upTo(n))
			for i := range n {
				least := bracket(mu, i, front, margin)
				auer := margin[i]
				if slices.Contains(front, i) {
					auer = least
				}
				if single := max(margin[i], least); auer != gap[i] || single != gap[i] {
					t.Fatalf("%s: gap of %d: %v, %v, %v\n%v", law.name, i, gap[i], auer, single, mat.Formatted(mu))
				}
			}
		}
	}
}

// A published misprint has D_i instead of D_j inside the minimum. The misprint gives wrong gaps if a dominated arm is
// the closest arm.
func TestGapsMisprint(t *testing.T) {
	// Row 0 dominates row 1 by 1/4 and has distance 1 from row 2. In the gap of row 0, the term for row 1 is
	// max(M(1,0), 0) + D_1 = 0 + 1/4. The misprint has max(D_0, 0) = 0 instead of D_1, so its term is 0.
	mu := mat.NewDense(3, 2, []float64{1, 0, .75, -.25, 0, 1})
	_, margin := gapsOracle(mu, upTo(3))
	misprint := math.Inf(1)
	for j := 1; j < 3; j++ {
		p, q := mu.RawRowView(0), mu.RawRowView(j)
		misprint = min(misprint, Excess(p, q), max(Excess(q, p), 0)+max(margin[0], 0))
	}
	if got := Gaps(mu)[0]; got != .25 || misprint != 0 {
		t.Errorf("gap %v, misprinted gap %v; want 0.25 and 0", got, misprint)
	}
}

// If all means move by less than half the gap of arm i in every objective, arm i keeps its status. If all other
// means decrease by slightly more than the gap of a dominated arm, the dominated arm becomes optimal.
func TestGapsProtect(t *testing.T) {
	rnd := newRand(12)
	for range 2000 {
		n, d := 2+rnd.IntN(8), 1+rnd.IntN(3)
		mu := cloud(rnd, uniform, n, d)
		front := Set(mu)
		for i, gap := range Gaps(mu) {
			optimal := slices.Contains(front, i)
			moved := mat.DenseCopyOf(mu)
			moved.Apply(func(j, _ int, v float64) float64 {
				if rnd.IntN(2) == 0 { // mostly the worst directions
					return v + gap*.499999*(2*rnd.Float64()-1)
				}
				if (j == i) == optimal {
					return v - gap*.499999
				}
				return v + gap*.499999
			}, moved)
			if slices.Contains(Set(moved), i) != optimal {
				t.Fatalf("arm %d, gap %v\n%v\n%v", i, gap, mat.Formatted(mu), mat.Formatted(moved))
			}
			if optimal {
				continue
			}
			moved.Apply(func(j, _ int, v float64) float64 {
				if j != i {
					return v - gap*1.000001
				}
				return v
			}, mu)
			if !slices.Contains(Set(moved), i) {
				t.Fatalf("arm %d stays dominated beyond its gap %v\n%v", i, gap, mat.Formatted(mu))
			}
		}
	}
}

func TestGapsByHand(t *testing.T) {
	inf := math.Inf(1)
	for _, c := range []struct {
		name        string
		d           int
		data        []float64
		gap, margin []float64
	}{
		{"single", 2, []float64{3, 4}, []float64{inf}, []float64{-inf}},
		{"best arm", 1, []float64{1, .5, .25}, []float64{.5, .5, .75}, []float64{-.5, .5, .75}},
		{"copies of the best", 1, []float64{1, 1, 0}, []float64{0, 0, 1}, []float64{0, 0, 1}},
		// Row 2 is worse than row 0 by min(1/2, 1/4). Row 3 is worse than row 0 by min(2, 1), and worse than row 2 by
		// min(3/2, 3/4). In the gaps of rows 0 and 1, the term for this pair of rows is min(M(0,1), M(1,0)) = 1. Row 2
		// is nowhere better than row 0, so the gap of row 0 is 0 + 1/4. Row 2 is better than row 1 by 1/2 in one
		// objective, so the gap of row 1 is 1/2 + 1/4. Row 2 would have to improve by 1/2 to dominate row 0.
		{"four arms", 2, []float64{1, 0, 0, 1, .5, -.25, -1, -1}, []float64{.25, .75, .25, 1},
			[]float64{-.5, -1, .25, 1}},
		// Row 0 dominates row 1, but not strictly, so both rows have gap 0.
		{"weakly dominated", 2, []float64{1, 1, 1, 0}, []float64{0, 0}, []float64{-1, 0}},
		// Copies of a dominated row have the same gap as a single such row.
		{"dominated copies", 2, []float64{0, 0, 2, 1, 0, 0}, []float64{1, 1, 1}, []float64{1, -2, 1}},
	} {
		gap, margin := make([]float64, len(c.gap)), make([]float64, len(c.gap))
		AppendSetGapsOf(nil, gap, margin, c.data, c.d, upTo(len(gap)))
		if !slices.Equal(gap, c.gap) || !slices.Equal(margin, c.margin) {
			t.Errorf("%s: gaps %v, margins %v; want %v, %v", c.name, gap, margin, c.gap, c.margin)
		}
	}
	if got := Gaps(new(mat.Dense)); len(got) != 0 {
		t.Errorf("gaps of nothing: %v", got)
	}
	if got := GapsOf(mat.NewDense(2, 2, nil), nil); len(got) != 0 {
		t.Errorf("gaps of no rows: %v", got)
	}
}
