package policy

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/polyhedron"
	"github.com/purexp/purexp/pkg/question"
)

// Lambda_j against its optimality condition: x = proj_P(muhat_j + theta u) for u =
// w/||w||, where N_j theta is the force N_b (s - u'x)_+ with which the leader, at s
// along u, is lowered. The difference of the two increases in theta: bisection.
func TestConstrainedTopTwoCost(t *testing.T) {
	rnd := rand.New(rand.NewPCG(11, 12))
	oblique, outside, differ := 0, 0, 0
	for trial := range 300 {
		k, d, m := 6, 1+trial%4, trial%7
		region := polyhedron.Whole(d)
		if m > 0 {
			a, b := mat.NewDense(m, d, nil), make([]float64, m)
			for i := range m {
				for c := range d {
					a.Set(i, c, rnd.NormFloat64())
				}
				b[i] = .2 + rnd.Float64() // the origin is feasible
			}
			var err error
			if region, err = polyhedron.New(a, b, nil); err != nil {
				t.Fatal(err)
			}
		}
		w := make([]float64, d)
		w[rnd.IntN(d)] = -1.5
		if trial%3 > 0 {
			for c := range w {
				w[c] = rnd.NormFloat64()
			}
			oblique++
		}
		prob := &explore.Problem{Arms: k, Objectives: d, Sigma: 1, NormSigma: 1,
			Question: question.BestFeasible{Region: region, Weights: w}}
		p := new(ConstrainedTopTwo)
		if err := p.Init(prob, nil); err != nil {
			t.Fatal(err)
		}
		var obs []explore.Batch
		for i := range k {
			b := explore.Batch{Pull: explore.Pull{Arm: i, N: 1 + rnd.IntN(100)}}
			for range d {
				b.Sum = append(b.Sum, float64(b.N)*rnd.NormFloat64())
			}
			obs = append(obs, b)
		}
		if err := p.Tell(obs); err != nil {
			t.Fatal(err)
		}
		s := &p.weighted
		if p.leader < 0 {
			continue
		}
		level := s.Value[p.leader] / s.Norm
		nb := float64(s.N[p.leader])
		for j := range k {
			if j == p.leader {
				continue
			}
			p.bound(j)
			low := p.cost[j]
			p.computeCost(j)
			nj := float64(s.N[j])
			at := func(theta float64) (x []float64, short float64) {
				x = make([]float64, d)
				floats.AddScaledTo(x, s.Row(j), theta/s.Norm, s.Weight)
				region.Project(x, x)
				return x, max(0, level-floats.Dot(x, s.Weight)/s.Norm)
			}
			lo, hi := 0., 1.
			for {
				if _, short := at(hi); nj*hi >= nb*short {
					break
				}
				hi *= 2
			}
			for range 100 {
				mid := (lo + hi) / 2
				if _, short := at(mid); nj*mid < nb*short {
					lo = mid
				} else {
					hi = mid
				}
			}
			x, short := at(hi)
			want := nb / 2 * short * short
			for c, v := range x {
				want += nj / 2 * (v - s.Mean[j*d+c]) * (v - s.Mean[j*d+c])
			}
			if got := p.cost[j]; math.Abs(got-want) > 1e-8*(1+want) || low > got*(1+1e-12) {
				t.Fatalf("trial %d, arm %d: cost %v, bound %v; want %v", trial, j, got, low, want)
			}
			if !s.Inside[j] && want > 1.01*low {
				outside++
			}
		}
		// The challenger, from bounds alone, is that of all costs.
		arm, cheapest := 0, 0
		index := func(j int) float64 { return p.cost[j] + math.Log(float64(s.N[j])) }
		for j := range k {
			if index(j) < index(arm) {
				arm = j
			}
			if p.cost[j] < p.cost[cheapest] {
				cheapest = j
			}
		}
		for j := range k {
			p.bound(j)
		}
		if got := p.challenger(); got != arm {
			t.Fatalf("trial %d: challenger %d; want %d", trial, got, arm)
		}
		if arm != cheapest {
			differ++
		}
	}
	if oblique < 100 || outside < 100 || differ < 10 {
		t.Errorf("%d oblique weights, %d costs beyond their bound, %d challengers that do not "+
			"cost least: the test cannot see much", oblique, outside, differ)
	}
}
