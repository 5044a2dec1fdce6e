package design

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
)

func normal(seed uint64, k, m int) *mat.Dense {
	rnd := rand.New(rand.NewPCG(seed, 1))
	x := mat.NewDense(k, m, nil)
	for i := range k {
		for j := range m {
			x.Set(i, j, rnd.NormFloat64())
		}
	}
	return x
}

func BenchmarkG(b *testing.B) {
	for _, s := range []struct{ k, m int }{{96, 4}, {768, 8}, {960, 16}, {10_000, 10}} {
		x := normal(7, s.k, s.m)
		for _, o := range []*Options{{Tol: 1e-3}, {Tol: 1e-6}, {Method: FrankWolfePaper}} {
			name := fmt.Sprintf("K=%d/m=%d/%v", s.k, s.m, o.Method)
			if o.Tol > 0 {
				name += fmt.Sprintf("/tol=%g", o.Tol)
			}
			b.Run(name, func(b *testing.B) {
				b.ReportAllocs()
				var d *Design
				for range b.N {
					d, _ = G(x, o)
				}
				b.ReportMetric(d.Value/float64(s.m), "value/rank")
				b.ReportMetric(float64(d.Iterations), "steps")
			})
		}
	}
}

func BenchmarkGMillion(b *testing.B) {
	x := normal(7, 1_000_000, 20)
	b.ReportAllocs()
	b.ResetTimer()
	var d *Design
	for range b.N {
		d, _ = G(x, &Options{Tol: 1e-3, Watch: func(r Bracket) bool { b.Log(r.Iteration, r.Value, math.Round(b.Elapsed().Seconds()*100)/100); return true }})
	}
	b.ReportMetric(d.Value/20, "value/rank")
	b.ReportMetric(float64(len(d.Support())), "support")
}
