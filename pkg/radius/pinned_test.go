package radius_test

import (
	"fmt"
	"testing"

	"github.com/purexp/purexp/internal/golden"
	"github.com/purexp/purexp/pkg/radius"
)

// Half-widths of every radius, for few and many rewards, more than 2^20 among them, for one arm and
// many, at rates near 0 and 1, and for spreads of 0: as ever.
func TestHalfWidthsStay(t *testing.T) {
	var lines []string
	for _, r := range []radius.Radius{radius.Theory{}, radius.Theory{Alpha: 2.2, K1: 4, Gaussian: true},
		radius.Paper{}, radius.Paper{Gaussian: true}, radius.Code{}, radius.KaufmannKoolen{},
		radius.Mixture{}, radius.Mixture{Rewards: 50}, radius.EmpiricalBernstein{}, radius.Bernoulli{},
		radius.Bernoulli{Trials: 8}, radius.Bernoulli{Centered: true},
		radius.Each{radius.EmpiricalBernstein{}, radius.Bernoulli{}, radius.EmpiricalBernstein{}}} {
		for _, p := range []radius.Params{
			{Arms: 1, Objectives: 1, Sigma: .5, NormSigma: .5, Delta: .1},
			{Arms: 7, Objectives: 3, Sigma: 2, NormSigma: 3, Delta: 1e-6},
		} {
			b := r.Bind(p)
			say := func(what string, x ...float64) {
				lines = append(lines, fmt.Sprintf("%+v of %d arms, %s: %s", r, p.Arms, what, golden.Numbers(x...)))
			}
			bits := 40 // more than some machines have
			for _, n := range []int{1, 2, 30, 1 << 20, 1<<20 + 1, 1 << bits} {
				pair, norm := b.Factors(n)
				say(fmt.Sprint(n, " rewards"), pair, norm, b.Mean(n), b.Norm(n), b.Pair(b.Term(n), b.Term(1)),
					b.Pair(b.Term(3), b.Term(n)))
			}
			f, ok := b.(radius.Fitted)
			if !ok {
				continue
			}
			for _, s := range []radius.Seen{{1, .3, 0}, {2, 1, 0}, {40, 0, 0}, {40, .02, .1}, {40, .5, .9},
				{1 << 20, .999, .01}, {1<<20 + 1, .4, .2}} {
				for c := range p.Objectives {
					say(fmt.Sprint(c, " around ", s), f.Around(c, s), f.Apart(c, s, radius.Seen{N: 9, Mean: .6, Spread: .2}),
						f.Apart(c, radius.Seen{N: 1 << 21, Mean: -.1, Spread: .5}, s))
				}
			}
			lines = append(lines, fmt.Sprintf("%+v of %d arms, range: %v %v %v %v %v %s", r, p.Arms, f.Squares(),
				f.Within(0, 0, 2*p.Sigma), f.Within(0, -p.Sigma, p.Sigma), f.Within(0, -.1, p.Sigma),
				f.Within(0, 0, 2.1*p.Sigma), f.Range(0, 3)))
		}
	}
	golden.Digests(t, "pinned.txt", lines, golden.Kind)
}
