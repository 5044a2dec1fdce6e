package problem

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// By the union bound, no interval of any candidate that ever was in fails but with probability delta,
// whoever comes and goes: summed over the unions that follow one another, the parts of all candidates
// until then are at most 1. No part grows, and without a share for newcomers all of delta is used.
func TestSharesOfAllThatEverWere(t *testing.T) {
	rnd := rand.New(rand.NewPCG(28, 6))
	for run := range 300 {
		k := 1 + rnd.IntN(20)
		c := Candidates{}
		for i := range k {
			c.Names = append(c.Names, fmt.Sprint(i))
		}
		if c.share() != 1 {
			t.Fatalf("%d candidates that none joins have %v of delta", k, c.share())
		}
		c.Shares = expected(k)
		ever, last, spent, here := k, 1., 0., 0.
		come := rnd.Float64() // how often one comes in place of one going
		for step := range 200 {
			part := c.share() / float64(len(c.Names))
			switch {
			case part > last*(1+1e-12):
				t.Fatalf("run %d, step %d: the part of a candidate grew from %v to %v", run, step, last, part)
			case part < last*(1-1e-12): // another union
				spent, last = spent+here, part
			}
			here = float64(ever) * part
			if spent+here > 1+1e-12 {
				t.Fatalf("run %d, step %d: %d candidates, %d ever, fail with %v delta", run, step, len(c.Names), ever,
					spent+here)
			}
			if rnd.Float64() < come || len(c.Names) == 1 {
				c.came()
				c.Names = append(c.Names, fmt.Sprint(ever))
				ever++
			} else {
				c.went()
				i := rnd.IntN(len(c.Names))
				c.Names = slices.Delete(c.Names, i, i+1)
			}
		}
		if here < .01 && ever < 100 {
			t.Errorf("run %d: %d candidates that ever were use %v of delta", run, ever, here)
		}
	}
}
