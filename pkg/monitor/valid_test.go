package monitor

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/combin"
)

// The noise has three values, and the same moments as a Gaussian up to the fifth (Gauss-Hermite quadrature). The noise
// is sub-Gaussian of scale 1, and evidence depends on the tails of the noise.
var (
	points  = []float64{-math.Sqrt(3), 0, math.Sqrt(3)}
	chances = []float64{1. / 6, 2. / 3, 1. / 6}
)

// A sampling rule chooses the next arm from the sums of the earlier results.
type sampling func(t int, s *sums) int

// samplings measure the arms in turn, or repeat the arm with the largest, most extreme or most scattered results.
var samplings = map[string]sampling{
	"in turn":        func(t int, s *sums) int { return t % len(s.arm) },
	"largest":        again(func(a *armSums) float64 { return a.mean }),
	"extreme":        again(func(a *armSums) float64 { return math.Abs(a.mean) }),
	"most scattered": again(func(a *armSums) float64 { return a.ss + math.Abs(a.mean)/100 }),
}

// again measures every arm but the last once, and then the arm with the largest value.
func again(value func(a *armSums) float64) sampling {
	return func(t int, s *sums) int {
		if t < len(s.arm)-1 {
			return t
		}
		best := 0
		for i := range len(s.arm) - 1 {
			if value(&s.arm[i]) > value(&s.arm[best]) {
				best = i
			}
		}
		return best
	}
}

// expectation enumerates all sequences of noise values with the given number of steps. It returns the expectation of E
// at the first time at which E is at least stop, or at the end.
func expectation(p func() process, k, steps int, next sampling, stop float64) (sum float64) {
	values := make([]int, steps)
	for i := range values {
		values[i] = len(points)
	}
	walk := combin.NewCartesianGenerator(values)
	for at := make([]int, steps); walk.Next(); {
		walk.Product(at)
		s, p := &sums{arm: make([]armSums, k)}, p()
		e, chance := 1., 1.
		for _, i := range at {
			chance *= chances[i]
		}
		for t, i := range at {
			r := &result{number: t + 1, arm: next(t, s), plate: t/3 + 1, n: 1, y: points[i]}
			p.observe(s, r)
			s.add(r)
			if e = math.Exp(p.look(s).LogE); e >= stop {
				break // later results do not matter
			}
		}
		sum += chance * e
	}
	return sum
}

// For any sampling and any stopping time, the expectation of E is at most 1. The test sums over all sequences of noise
// values.
func TestExpectation(t *testing.T) {
	const k = 4
	line := newLine(mat.NewDense(k, 2, []float64{1, -2, 1, -1, 1, 0, 1, 2}))
	for name, c := range map[string]struct {
		p     func() process
		steps int
	}{
		"noise":           {func() process { return newNoise(k) }, 6},
		"noise of an arm": {func() process { return newArmNoise(k) }, 6},
		"outlier":         {func() process { return &outlier{} }, 6},
		"misfit":          {func() process { return &misfit{line: line} }, 6},
		"scatter":         {func() process { return &scatter{line: line} }, 6},
		"plates":          {func() process { return newEffects(k, nil, false) }, 6},
		"drift":           {func() process { return newEffects(k, nil, true) }, 6},
		"linear plates":   {func() process { return newEffects(k, line, false) }, 6},
		"linear drift":    {func() process { return newEffects(k, line, true) }, 6},
	} {
		for how, next := range samplings {
			for _, stop := range []float64{1.2, math.Inf(1)} {
				if e := expectation(c.p, k, c.steps, next, stop); !(e <= 1+1e-9) {
					t.Errorf("%s, sampled %s, stopped at %v: expectation %v", name, how, stop, e)
				}
			}
		}
	}
}

// The expectation is also at most 1 for the processes of a reference, which is one arm.
func TestExpectationOfReference(t *testing.T) {
	for i := range newReference().processes {
		for _, stop := range []float64{1.2, math.Inf(1)} {
			p := func() process { return newReference().processes[i] }
			if e := expectation(p, 1, 8, samplings["in turn"], stop); !(e <= 1+1e-9) {
				t.Errorf("process %d, stopped at %v: expectation %v", i, stop, e)
			}
		}
	}
}

// Two variants are not e-processes. The process contrasts fails if the arm with the most extreme mean is measured
// again, because its mean then regresses to the true mean. The largest of the e-processes of the arms fails if it is
// not corrected for the choice of the arm.
func TestInvalidVariants(t *testing.T) {
	for name, c := range map[string]struct {
		p        func() process
		k, steps int
		how      string
	}{
		"contrasts":     {func() process { return &contrasts{} }, 8, 8, "extreme"},
		"without price": {func() process { return &priceless{} }, 6, 12, "in turn"},
	} {
		e := expectation(c.p, c.k, c.steps, samplings[c.how], math.Inf(1))
		t.Log(name, e)
		if e < 1.1 {
			t.Errorf("%s: expectation %v; want one well above 1", name, e)
		}
	}
}

// share is one of the values in shares.
const share = .5

// contrasts is the e-process of Noise for the differences between each result and the earlier mean of its arm, as if
// these differences were independent noise.
type contrasts struct{ log float64 }

func (p *contrasts) observe(s *sums, r *result) {
	if a := &s.arm[r.arm]; a.k > 0 {
		p.log += math.Log1p(-share)/2 + share/2*square(r.y-a.mean)*a.n/(a.n+1)
	}
}

func (p *contrasts) look(*sums) Finding { return Finding{LogE: p.log} }

// priceless is the largest of the e-processes of the arms.
type priceless struct{}

func (p *priceless) observe(*sums, *result) {}

func (p *priceless) look(s *sums) Finding {
	f := Finding{LogE: math.Inf(-1)}
	for i := range s.arm {
		a := &s.arm[i]
		f.LogE = max(f.LogE, float64(a.k)/2*math.Log1p(-share)+share/2*a.ss)
	}
	return f
}
