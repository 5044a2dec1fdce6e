package pareto

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// setOracle is the definition.
func setOracle(mu *mat.Dense, subset []int) []int {
	var set []int
	for _, i := range subset {
		if !slices.ContainsFunc(subset,
			func(j int) bool { return Dominates(mu.RawRowView(j), mu.RawRowView(i)) }) {
			set = append(set, i)
		}
	}
	slices.Sort(set)
	return set
}

// algorithms are all ways to find the set, each for d from lo to hi.
var algorithms = []struct {
	name   string
	lo, hi int
	mark   func(x points, alive []bool)
}{
	{"chosen", 1, 9, points.mark},
	{"line", 1, 1, points.markLine},
	{"plane", 2, 2, points.markPlane},
	{"space", 3, 3, points.markSpace},
	{"list", 1, 9, func(x points, alive []bool) { x.markMany(alive, math.MaxInt32) }},
	{"list, then divided", 4, 9, func(x points, alive []bool) { x.markMany(alive, 1) }},
	{"divided", 4, 9, points.markDivided},
}

func marked(x points, mark func(points, []bool)) []int {
	alive := make([]bool, x.n)
	mark(x, alive)
	var set []int
	for i, ok := range alive {
		if ok {
			set = append(set, i)
		}
	}
	return set
}

// Every algorithm, also where it would not be chosen, against the definition.
func TestSet(t *testing.T) {
	rnd := newRand(2)
	for _, law := range clouds {
		for d := 1; d <= 6; d++ {
			for _, n := range []int{1, 2, 3, 5, 17, maxPairwise, maxPairwise + 1, 130, 600} {
				reps := 30
				if n > maxPairwise {
					reps = 3
				}
				for range reps {
					mu := cloud(rnd, law.draw, n, d)
					want := setOracle(mu, upTo(n))
					if got := Set(mu); !slices.Equal(got, want) {
						t.Fatalf("%s: d = %d, n = %d: %v; want %v\n%v", law.name, d, n, got, want,
							mat.Formatted(mu))
					}
					for _, a := range algorithms {
						if d < a.lo || d > a.hi {
							continue
						}
						if got := marked(view(mu), a.mark); !slices.Equal(got, want) {
							t.Fatalf("%s: %s: d = %d, n = %d: %v; want %v\n%v", a.name, law.name, d,
								n, got, want, mat.Formatted(mu))
						}
					}
				}
			}
		}
	}
}

// thin has to keep all optimal rows, and to be worth its name where it can be.
func TestThin(t *testing.T) {
	rnd := newRand(4)
	for _, law := range clouds {
		for d := 2; d <= 5; d++ {
			mu := cloud(rnd, law.draw, 20000, d)
			rows := view(mu).thin()
			if law.name == "uniform" && (rows == nil || len(rows) > 10000) {
				t.Errorf("uniform: d = %d: %d rows left", d, len(rows))
			}
			if law.name == "sphere" && rows != nil {
				t.Errorf("sphere: d = %d: %d rows left", d, len(rows))
			}
			if rows == nil {
				continue
			}
			for _, i := range Set(mu) {
				if _, ok := slices.BinarySearch(rows, i); !ok {
					t.Fatalf("%s: d = %d: row %d was removed", law.name, d, i)
				}
			}
		}
	}
	// A sample that misleads: it sees every fourth row, and only those can be removed.
	mu := cloud(rnd, sphere, 4*sampleSize*8, 2)
	for i := 0; i < 4*sampleSize*8; i += 4 {
		row := mu.RawRowView(i)
		row[0], row[1] = rnd.Float64()/2, rnd.Float64()/2
	}
	if rows := view(mu).thin(); rows != nil {
		t.Errorf("%d rows left by a sample that misleads", len(rows))
	}
	if got := len(Set(mu)); got != 3*sampleSize*8 {
		t.Errorf("%d points; want %d", got, 3*sampleSize*8)
	}
}

func TestSetOf(t *testing.T) {
	rnd := newRand(5)
	for _, law := range clouds {
		for _, n := range []int{7, 40, 300} {
			for d := 1; d <= 5; d++ {
				mu := cloud(rnd, law.draw, n, d)
				subset := rnd.Perm(n)[:1+rnd.IntN(n)]
				before := slices.Clone(subset)
				want := setOracle(mu, subset)
				if got := SetOf(mu, subset); !slices.Equal(got, want) {
					t.Fatalf("%s: SetOf: %v; want %v", law.name, got, want)
				}
				got := AppendSetOf([]int{-7}, mu.RawMatrix().Data, d, subset)
				if got[0] != -7 || !slices.Equal(got[1:], want) {
					t.Fatalf("%s: AppendSetOf: %v; want -7 and %v", law.name, got, want)
				}
				got = AppendSet([]int{-7}, mu.RawMatrix().Data, d)
				if got[0] != -7 || !slices.Equal(got[1:], Set(mu)) {
					t.Fatalf("%s: AppendSet: %v; want -7 and %v", law.name, got, Set(mu))
				}
				if !slices.Equal(subset, before) {
					t.Fatal("subset was changed")
				}
			}
		}
	}
}

func FuzzSet(f *testing.F) {
	f.Add([]byte{1, 2, 3, 4, 5, 6, 7, 8}, uint8(2))
	f.Add([]byte{7, 0, 7, 0, 0, 7, 0, 7, 7, 7, 7, 7}, uint8(4))
	f.Fuzz(func(t *testing.T, b []byte, dim uint8) {
		d := 1 + int(dim)%6
		n := len(b) / d
		if n == 0 || n > 300 {
			return
		}
		mu := mat.NewDense(n, d, nil)
		for i := range n {
			for c := range d {
				mu.Set(i, c, float64(int8(b[i*d+c])>>4))
			}
		}
		want := setOracle(mu, upTo(n))
		for _, a := range algorithms {
			if d < a.lo || d > a.hi {
				continue
			}
			if got := marked(view(mu), a.mark); !slices.Equal(got, want) {
				t.Fatalf("%s: %v; want %v", a.name, got, want)
			}
		}
		gap, margin := gapsOracle(mu, upTo(n))
		got, gotMargin := make([]float64, n), make([]float64, n)
		GapsOfTo(got, gotMargin, mu.RawMatrix().Data, d, upTo(n))
		if !slices.Equal(got, gap) || !slices.Equal(gotMargin, margin) {
			t.Fatalf("gaps %v, margins %v; want %v, %v", got, gotMargin, gap, margin)
		}
	})
}
