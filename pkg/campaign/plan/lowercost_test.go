package plan

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/purexp/purexp/pkg/campaign/problem"
	"github.com/purexp/purexp/pkg/explore"
)

// lawOf returns the law of a problem whose true means are its guesses.
func lawOf(t *testing.T, p *problem.Problem) (*problem.Compiled, *law) {
	t.Helper()
	b, err := believe(p)
	if err != nil {
		t.Fatal(err)
	}
	c := compiled(t, p)
	l := newLaw(c, b)
	b.draw(l.user, nil)
	l.set()
	return c, l
}

// With equal costs, the lower bound on the cost is the bound on the number of measurements times the cost. With
// unequal costs, the bound is at most the cost of the optimal proportions, and at least the cost of equally many
// measurements of the cheapest candidate. The bound on measurements does not depend on costs.
func TestLowerOfCosts(t *testing.T) {
	bound := func(a, b, c float64) Bound {
		p := parsed(t, `find = "best"`, `cost = "price"`, "noise = { sd = 2.0 }\nguess = \"guess\"",
			fmt.Sprintf("candidate,guess,price\nA,1,%v\nB,2,%v\nC,5,%v\n", a, b, c))
		x, l := lawOf(t, p)
		return lower(x, l)
	}
	free := bound(1, 1, 1)
	if !(free.Measurements > 1) || len(free.Shares) != 3 {
		t.Fatalf("%+v", free)
	}
	const near = 1e-3 // tolerance of numerical optimisation
	for _, costs := range [][3]float64{{1, 1, 1}, {7, 7, 7}, {1, 2, 4}, {9, 1, 1}} {
		b := bound(costs[0], costs[1], costs[2])
		least, most := math.Inf(1), 0.
		for i, c := range costs {
			least, most = min(least, c*free.Measurements), most+c*free.Shares[i]*free.Measurements
		}
		if math.Abs(b.Measurements/free.Measurements-1) > near || !(b.Cost >= least*(1-near) && b.Cost <= most*(1+near)) {
			t.Errorf("costs %v: %v measurements, a cost of %v; want %v, and from %v to %v", costs, b.Measurements,
				b.Cost, free.Measurements, least, most)
		}
	}
}

// The sum of squares of one reward is its square. For rewards at the ends of a range, the sum of squares
// follows from the ends. The sum for n other rewards is on average n × (variance + mean²).
func TestSquares(t *testing.T) {
	for _, objective := range []string{"noise = { sd = 2.0 }", "noise = { range = [0, 10] }",
		"noise = { range = [0, 10] }\nguess_sd = 1.5", "noise = { counts = 12 }"} {
		p := parsed(t, `find = "best"`, "", objective+"\nguess = \"guess\"", "candidate,guess\nA,3\nB,5\n")
		c, l := lawOf(t, p)
		scale, rnd := c.Scales[0], rand.New(rand.NewPCG(3, 1))
		variance := l.noise[0].variance(p.Objectives[0].Rate(3)) / (scale.Size(1) * scale.Size(1))
		mean := l.mean.At(0, 0)
		for _, n := range []int{1, 2, 9} {
			const draws = 20_000
			total, second := 0., 0.
			b := explore.Batch{Pull: explore.Pull{Arm: 0, N: n}, Sum: make([]float64, 1)}
			for range draws {
				l.Sum(b.Sum, 0, n, rnd)
				l.squares(&b)
				if x := b.Squares[0]; len(b.Squares) != 1 || x < b.Sum[0]*b.Sum[0]/float64(n)*(1-1e-12) ||
					n == 1 && math.Abs(x-b.Sum[0]*b.Sum[0]) > 1e-12*(1+x) {
					t.Fatalf("%s: %d rewards with the sum %v have the squares %v", objective, n, b.Sum[0], b.Squares)
				}
				total += b.Squares[0] / draws
				second += b.Squares[0] * b.Squares[0] / draws
			}
			want := float64(n) * (variance + mean*mean)
			if z := (total - want) / math.Sqrt((second-total*total)/draws+1e-18); math.Abs(z) > 4 &&
				math.Abs(total/want-1) > 1e-9 {
				t.Errorf("%s: squares of %d rewards are %v on average; want %v", objective, n, total, want)
			}
		}
	}
	// If 4 rewards at the ends of a range sum to 3 × hi + lo, three of the rewards are hi.
	p := parsed(t, `find = "best"`, "", "noise = { range = [0, 10] }\nguess = \"guess\"", "candidate,guess\nA,3\nB,5\n")
	c, l := lawOf(t, p)
	lo, hi := c.Scales[0].In(0), c.Scales[0].In(10)
	b := explore.Batch{Pull: explore.Pull{Arm: 1, N: 4}, Sum: []float64{3*hi + lo}}
	if l.squares(&b); math.Abs(b.Squares[0]-3*hi*hi-lo*lo) > 1e-12 {
		t.Errorf("three at %v and one at %v have the squares %v", hi, lo, b.Squares)
	}
}
