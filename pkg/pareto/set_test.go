package pareto

import (
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

// Against the definition.
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
				}
			}
		}
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
		if got := Set(mu); !slices.Equal(got, want) {
			t.Fatalf("%v; want %v", got, want)
		}
		gap, margin := gapsOracle(mu, upTo(n))
		got, gotMargin := make([]float64, n), make([]float64, n)
		AppendSetGapsOf(nil, got, gotMargin, mu.RawMatrix().Data, d, upTo(n))
		if !slices.Equal(got, gap) || !slices.Equal(gotMargin, margin) {
			t.Fatalf("gaps %v, margins %v; want %v, %v", got, gotMargin, gap, margin)
		}
	})
}
