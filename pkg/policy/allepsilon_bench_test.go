package policy_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/purexp/purexp/pkg/dataset"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policy"
	"github.com/purexp/purexp/pkg/policytest"
	"github.com/purexp/purexp/pkg/seed"
)

// tableCase is a typical instance of a setting of Table 1 of the LinFACT paper, with 4 arms within
// epsilon and, in settings 1 to 6, 2 arms just below the threshold.
func tableCase(setting int) policytest.Case {
	d := []int{8, 8, 8, 12, 12, 12, 8, 12, 16}[setting-1]
	eps := []float64{.1, .2, .3, .1, .2, .3, .5, .5, .5}[setting-1]
	theta, x := make([]float64, d), basis(d)
	for i := range 4 {
		if theta[i] = 1; setting <= 6 {
			theta[i] += float64(4-i) * eps / 4
		}
	}
	for i := range 2 {
		if setting <= 6 {
			row := make([]float64, d)
			row[0] = (1 - eps/float64(i+1)) / theta[0]
			row[d-1] = math.Sqrt(1 - row[0]*row[0])
			x = append(x, row)
		}
	}
	return allCase(fmt.Sprintf("setting %d", setting), 1, eps, theta, x)
}

// A run of LinFACT, whatever its sample complexity.
func BenchmarkLinFACT(b *testing.B) {
	for setting := 1; setting <= 9; setting++ {
		c := tableCase(setting)
		for _, p := range []explore.Policy{
			&policy.LinFACT{Delta: .05, Design: policy.LinFACTG}, &policy.LinFACT{Delta: .05},
			&policy.GStatic{Delta: .05},
		} {
			b.Run(seqName(p)+"/"+c.Name, func(b *testing.B) {
				b.ReportAllocs()
				rnd := rand.New(rand.NewPCG(1, 2))
				pulls := 0
				for b.Loop() {
					r, err := explore.Run(p, c.Problem, noisy{c, 1, rnd}, nil)
					if err != nil {
						b.Fatal(err)
					}
					pulls += r.Pulls
				}
				b.ReportMetric(float64(pulls)/float64(b.N), "pulls/op")
			})
		}
	}
}

// A run at the paper's least delta on the 960 compounds of its section 7.2, with contributions that
// are drawn.
func BenchmarkFreeWilson(b *testing.B) {
	inst, err := dataset.FreeWilson{}.Instance()
	if err != nil {
		b.Fatal(err)
	}
	for _, p := range []explore.Policy{
		&policy.LinFACT{Delta: .1, Design: policy.LinFACTG}, &policy.LinFACT{Delta: .1},
		&policy.GStatic{Delta: .1},
	} {
		b.Run(seqName(p), func(b *testing.B) {
			b.ReportAllocs()
			s := inst.Sampler(seed.New(1))
			for b.Loop() {
				if _, err := explore.Run(p, inst.Problem, s, nil); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
