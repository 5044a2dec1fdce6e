package arena_test

import (
	"fmt"
	"os"
	"testing"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policy"
	"github.com/purexp/purexp/pkg/radius"
	"github.com/purexp/purexp/pkg/seed"
	"github.com/purexp/purexp/pkg/study/arena"
)

// What radii by mixtures save: the tables of docs/betting.md are those that this test logs with
// PUREXP_RADII=20, the number of runs.
func TestRadii(t *testing.T) {
	runs, cheap := 2, map[string]bool{"five arms": true, "staircase": true, "box K=10": true}
	full := os.Getenv("PUREXP_RADII")
	if full != "" {
		if _, err := fmt.Sscan(full, &runs); err != nil {
			t.Fatal(err)
		}
	}
	with := map[arena.Question]func(r radius.Radius, delta float64) explore.Policy{
		arena.AllGood: func(r radius.Radius, delta float64) explore.Policy {
			return &policy.ST2{Delta: delta, Radius: r}
		},
		arena.ParetoSet: func(r radius.Radius, delta float64) explore.Policy {
			return &policy.APE{Delta: delta, Radius: r}
		},
		arena.FeasibleFront: func(r radius.Radius, delta float64) explore.Policy {
			return &policy.ECAPE{Delta: delta, Radius: r}
		},
	}
	for _, i := range arena.Instances() {
		new, ok := with[i.Question]
		if !ok || full == "" && !cheap[i.Name] {
			continue
		}
		inst, err := i.Load()
		if err != nil {
			t.Fatal(err)
		}
		radii := []radius.Radius{radius.KaufmannKoolen{}, radius.Mixture{}}
		if i.Name == "secukinumab" {
			radii = append(radii, radius.EmpiricalBernstein{}, radius.Bernoulli{})
		}
		for _, delta := range []float64{.05, 1e-10} {
			var pulls []float64
			for _, r := range radii {
				sum := 0
				for rep := range runs {
					res, err := explore.Run(new(r, delta), inst.Problem,
						inst.Sampler(seed.New(uint64(rep+1))), nil)
					if err != nil {
						t.Fatal(err)
					}
					if !inst.Problem.Question.Correct(inst.Truth(), res.Answer) {
						t.Logf("%s, %v, %v: a wrong answer", i.Name, delta, r)
					}
					sum += res.Pulls
				}
				pulls = append(pulls, float64(sum)/float64(runs))
			}
			t.Logf("%s (%s), delta %v, %v: %.0f pulls", i.Name, i.Set, delta, radii,
				pulls)
			if delta == .05 && pulls[1] > .85*pulls[0] {
				t.Errorf("%s: %v pulls with %v, %v with %v; want less than 85 %%", i.Name, pulls[1],
					radii[1], pulls[0], radii[0])
			}
		}
	}
}
