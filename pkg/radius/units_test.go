package radius_test

import (
	"math"
	"testing"

	"github.com/purexp/purexp/pkg/radius"
)

// Half-widths of means and pairs are proportional to Sigma and do not depend on NormSigma. Half-widths of norms are
// proportional to NormSigma and do not depend on Sigma. The exception is a Fitted, whose half-widths of norms are
// proportional to Sigma.
func TestUnits(t *testing.T) {
	p := radius.Params{Arms: 7, Objectives: 2, Sigma: .5, NormSigma: .75, Delta: .05}
	seen := func(n int, mean, spread, unit float64) radius.Seen {
		return radius.Seen{N: n, Mean: mean * unit, Spread: spread * unit * unit}
	}
	for _, r := range []radius.Radius{radius.Bernoulli{}, radius.Bernoulli{Trials: 8}, radius.Bernoulli{Centered: true},
		radius.Code{}, radius.Each{radius.Bernoulli{}, radius.EmpiricalBernstein{}}, radius.EmpiricalBernstein{},
		radius.KaufmannKoolen{}, radius.Mixture{}, radius.Mixture{Rewards: 9}, radius.Paper{},
		radius.Paper{Gaussian: true}, radius.Theory{}, radius.Theory{Alpha: 4, Gaussian: true}} {
		for _, u := range [][2]float64{{8, 8}, {.125, .125}, {1, 32}, {32, 1}} {
			q := p
			q.Sigma, q.NormSigma = u[0]*p.Sigma, u[1]*p.NormSigma
			a, b := r.Bind(p), r.Bind(q)
			same := func(what string, got, want, unit float64) {
				t.Helper()
				if !(math.Abs(got-unit*want) <= 1e-9*unit*want) {
					t.Errorf("%v, units %v: %s is %v; want %v times %v", r, u, what, got, unit, want)
				}
			}
			for _, n := range []int{1, 3, 40, 5000} {
				same("the half-width", b.Mean(n), a.Mean(n), u[0])
				same("that of a pair", b.Pair(b.Term(n), b.Term(2*n)), a.Pair(a.Term(n), a.Term(2*n)), u[0])
				unit := u[1]
				if f, ok := b.(radius.Fitted); ok {
					unit = u[0] // a Fitted computes the norm from the half-widths of the objectives
					for c := range 2 {
						x, y := f.Around(c, seen(n, .4, .2, u[0])), a.(radius.Fitted).Around(c, seen(n, .4, .2, 1))
						same("what is around", x, y, u[0])
						x = f.Apart(c, seen(n, .4, .2, u[0]), seen(2*n, .6, .1, u[0]))
						y = a.(radius.Fitted).Apart(c, seen(n, .4, .2, 1), seen(2*n, .6, .1, 1))
						same("what is apart", x, y, u[0])
						if f.Within(c, .1*u[0], .9*u[0]) != a.(radius.Fitted).Within(c, .1, .9) ||
							f.Within(c, -9*u[0], 9*u[0]) {
							t.Errorf("%v, units %v: another range", r, u)
						}
					}
				}
				same("that of the norm", b.Norm(n), a.Norm(n), unit)
			}
		}
	}
}
