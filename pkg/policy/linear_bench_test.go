package policy_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/floats"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policy"
	"github.com/purexp/purexp/pkg/policytest"
)

// benchmarkCase is the benchmark example of Soare et al.: d = 20, angle 0.01.
func benchmarkCase(d int, angle float64) policytest.Case {
	last, theta := make([]float64, d), make([]float64, d)
	last[0], last[1], theta[0] = math.Cos(angle), math.Sin(angle), 2
	return linearCase("benchmark", 1, theta, basis(d, last), nil)
}

// sphereCase is the sphere of the RAGE paper: theta is one of the two closest.
func sphereCase(n, d int) policytest.Case {
	rnd := rand.New(rand.NewPCG(1, 1))
	x := make([][]float64, n)
	for i := range x {
		x[i] = make([]float64, d)
		for j := range x[i] {
			x[i][j] = rnd.NormFloat64()
		}
		floats.Scale(1/floats.Norm(x[i], 2), x[i])
	}
	best, theta := -1., x[0]
	for i := range x {
		for j := range i {
			if c := floats.Dot(x[i], x[j]); c > best {
				best, theta = c, x[i]
			}
		}
	}
	return linearCase("sphere", 1, theta, x, nil)
}

// manyCase is the example of many arms in the plane.
func manyCase(n int) policytest.Case {
	rnd := rand.New(rand.NewPCG(2, 2))
	x := [][]float64{{1, 0}, {math.Cos(3 * math.Pi / 4), math.Sin(3 * math.Pi / 4)}}
	for len(x) < n {
		a := math.Pi/4 + .3*rnd.NormFloat64()
		x = append(x, []float64{math.Cos(a), math.Sin(a)})
	}
	return linearCase("many arms", 1, []float64{1, 0}, x, nil)
}

// A replicate of RAGE, whatever its sample complexity.
func BenchmarkRAGE(b *testing.B) {
	for _, c := range []struct {
		name string
		c    policytest.Case
	}{{"benchmark,d=20", benchmarkCase(20, .01)}, {"sphere,K=1000,d=9", sphereCase(1000, 9)},
		{"many,n=10000", manyCase(10000)}} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			rnd := rand.New(rand.NewPCG(1, 2))
			p, pulls := &policy.RAGE{Delta: .05}, 0
			for b.Loop() {
				r, err := explore.Run(p, c.c.Problem, noisy{c.c, 1, rnd}, nil)
				if err != nil {
					b.Fatal(err)
				}
				pulls += r.Pulls
			}
			b.ReportMetric(float64(pulls)/float64(b.N), "pulls/op")
		})
	}
}
