package arms

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/pareto"
	"github.com/purexp/purexp/pkg/policy/internal/armstest"
	"github.com/purexp/purexp/pkg/radius"
)

// Incremental estimates (means, excesses, widths and front) equal estimates computed from scratch, after batches of
// any arms in any order. The test covers the front of all arms, and the front of a changing subset.
func TestEstimates(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	for trial := range 8 {
		const k = 6
		d, among := []int{1, 2, 3, 5}[trial/2], trial%2 > 0
		p := &explore.Problem{Arms: k, Objectives: d, Sigma: 1.5}
		var e Estimates
		bonus := Bind(radius.KaufmannKoolen{}, p, .1)
		e.Init(p, bonus)
		e.Tell(armstest.Batches(rnd, rnd.Perm(k), d))
		sum := mat.NewDense(k, d, nil)
		n := make([]int, k)
		for i := range k {
			n[i] = e.N[i]
			sum.SetRow(i, e.sum[i*d:(i+1)*d])
		}
		var f Front
		f.Init(k)
		fresh, in := slices.Repeat([]bool{true}, k), slices.Repeat([]bool{true}, k)
		for range 200 {
			obs := armstest.Batches(rnd, rnd.Perm(k)[:1+rnd.IntN(k)], d)
			e.Tell(obs)
			for _, b := range obs {
				n[b.Arm] += b.N
				for c, v := range b.Sum {
					sum.Set(b.Arm, c, sum.At(b.Arm, c)+v)
				}
			}
			mean := mat.NewDense(k, d, nil)
			total := 0
			for i := range k {
				total += n[i]
				for c := range d {
					mean.Set(i, c, sum.At(i, c)/float64(n[i]))
				}
			}
			if total != e.Pulls {
				t.Fatalf("%d pulls; want %d", e.Pulls, total)
			}
			for i := range k {
				for j := range k {
					x, w := e.Gap(i, j)
					if i == j {
						if !math.IsInf(x, 1) {
							t.Fatal("an arm has a finite gap to itself")
						}
						continue
					}
					if x != pareto.Excess(mean.RawRowView(i), mean.RawRowView(j)) ||
						w != bonus.Pair(bonus.Term(n[i]), bonus.Term(n[j])) {
						t.Fatalf("pair %d, %d: excess %v, width %v", i, j, x, w)
					}
				}
			}
			Mark(fresh, obs, true)
			if among {
				// Arms leave and enter the subset; entering arms are fresh.
				for range 2 {
					i := rnd.IntN(k)
					in[i], fresh[i] = !in[i], true
				}
			}
			var set []int
			for i, is := range in {
				if is {
					set = append(set, i)
				}
			}
			f.Update(&e, set, fresh, in)
			if want := pareto.SetOf(mean, set); !slices.Equal(f.Members, want) {
				t.Fatalf("front %v of %v; want %v", f.Members, set, want)
			}
			clear(fresh)
		}
	}
}

// Arms with equal estimates do not eliminate each other.
func TestFrontKeepsCopies(t *testing.T) {
	p := &explore.Problem{Arms: 3, Objectives: 2, Sigma: 1}
	var e Estimates
	e.Init(p, Bind(radius.Paper{}, p, .1))
	var obs []explore.Batch
	for i := range 3 {
		obs = append(obs, explore.Batch{Pull: explore.Pull{Arm: i, N: 1}, Sum: []float64{1, float64(i / 2)}})
	}
	obs[2].Sum[0] = 0
	e.Tell(obs)
	var f Front
	f.Init(3)
	f.Update(&e, []int{0, 1, 2}, []bool{true, true, true}, nil)
	if !slices.Equal(f.Members, []int{0, 1, 2}) {
		t.Errorf("front %v; want both copies of (1, 0), and (0, 1)", f.Members)
	}
}

// Rival and Dominator give the same results among the arms of Rivals as among all arms, for any numbers of rewards.
// Rivals returns few arms, so reasons for many arms do not require comparisons of all pairs.
func TestRivals(t *testing.T) {
	rnd := rand.New(rand.NewPCG(9, 9))
	for _, size := range [][2]int{{40, 1}, {40, 2}, {40, 3}, {2000, 1}, {2000, 2}} {
		k, d := size[0], size[1]
		p := &explore.Problem{Arms: k, Objectives: d, Sigma: 1}
		var e Estimates
		e.Init(p, Bind(radius.KaufmannKoolen{}, p, .1))
		e.Factor = 1
		all := make([]int, k)
		for i := range all {
			all[i] = i
			b := explore.Batch{Pull: explore.Pull{Arm: i, N: 1 + rnd.IntN(3)}}
			for range d {
				b.Sum = append(b.Sum, float64(b.N)*rnd.NormFloat64())
			}
			e.Tell([]explore.Batch{b})
		}
		rivals, compared := e.Rivals(all), 0
		for i := range all {
			among := rivals(i)
			compared += len(among)
			arm, m := e.Dominator(i, all)
			if a, v := e.Dominator(i, among); a != arm || v != m || e.Rival(i, among) != e.Rival(i, all) {
				t.Fatalf("%d arms, %d objectives: the dominator of %d is %d among %d, %d among all; its rival %d and %d", k, d, i, a,
					len(among), arm, e.Rival(i, among), e.Rival(i, all))
			}
		}
		if k == 2000 && compared > 100*k {
			t.Errorf("%d arms, %d objectives: %d pairs are compared; want at most %d", k, d, compared, 100*k)
		}
	}
}
