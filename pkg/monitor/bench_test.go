package monitor_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/monitor"
)

// told returns a monitor of k arms with h features, 0 for none, that was told some results, and
// what tells it another one.
func told(b testing.TB, k, h, results int) (*monitor.Monitor, func()) {
	rnd := rand.New(rand.NewPCG(1, 2))
	a := monitor.Assumptions{Arms: k, Objectives: []monitor.Objective{{Sigma: 1}}}
	if h > 0 {
		a.X = mat.NewDense(k, h, nil)
		a.X.Apply(func(_, j int, _ float64) float64 { return rnd.NormFloat64() }, a.X)
	}
	m, err := monitor.New(a)
	if err != nil {
		b.Fatal(err)
	}
	n, y := 0, []float64{0}
	next := func() {
		y[0] = rnd.NormFloat64()
		m.Observe(rnd.IntN(k), n/8+1, y)
		n++
	}
	for range results {
		next()
	}
	return m, next
}

var sizes = []struct{ k, h, results int }{{16, 0, 500}, {64, 7, 500}, {1000, 50, 2000}}

func BenchmarkLook(b *testing.B) {
	for _, s := range sizes {
		b.Run(fmt.Sprintf("K=%d,h=%d", s.k, s.h), func(b *testing.B) {
			m, _ := told(b, s.k, s.h, s.results)
			b.ReportAllocs()
			for b.Loop() {
				m.Look()
			}
		})
	}
}
