package monitor

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/optimize"
)

// observed returns a history of results of random arms, with four results on each plate.
func observed(k, n int, rnd *rand.Rand) (list []result) {
	for t := range n {
		list = append(list, result{number: t + 1, arm: rnd.IntN(k), plate: t/4 + 1, n: 1,
			y: 3 + 2*rnd.NormFloat64() + .3*float64(t)})
	}
	return list
}

// mixture returns log E as the theorem defines it, for
// residuals r and effects b with variances lambda:
//
//	log of the integral of N(v; 0, Lambda) × exp(sum of (b'v × r - (b'v)^2/2)) dv.
func mixture(r []float64, b [][]float64, lambda []float64) float64 {
	m := len(lambda)
	a, br := mat.NewSymDense(m, nil), mat.NewVecDense(m, nil)
	logDet := 0.
	for j, l := range lambda {
		a.SetSym(j, j, 1/l)
		logDet += math.Log(l)
	}
	for t := range r {
		x := mat.NewVecDense(m, b[t])
		a.SymRankOne(a, 1, x)
		br.AddScaledVec(br, r[t], x)
	}
	var chol mat.Cholesky
	if !chol.Factorize(a) {
		panic("singular")
	}
	var v mat.VecDense
	_ = chol.SolveVecTo(&v, br)
	return mat.Dot(br, &v)/2 - (chol.LogDet()+logDet)/2
}

// The mixture equals the integral, computed on a grid.
func TestMixtureIsTheIntegral(t *testing.T) {
	r := []float64{1.5, -.3, 2, .7}
	b := [][]float64{{1, 0}, {1, .5}, {0, 1}, {1, -1}}
	lambda := []float64{.8, 2}
	sum, h := 0., .02
	for v := -12.; v < 12; v += h {
		for w := -12.; w < 12; w += h {
			log := -v*v/2/lambda[0] - w*w/2/lambda[1] - math.Log(2*math.Pi*math.Sqrt(lambda[0]*lambda[1]))
			for i := range r {
				x := b[i][0]*v + b[i][1]*w
				log += x*r[i] - x*x/2
			}
			sum += math.Exp(log) * h * h
		}
	}
	if want, got := math.Log(sum), mixture(r, b, lambda); math.Abs(got-want) > 1e-8 {
		t.Errorf("log E = %v; the integral is %v", got, want)
	}
}

// leastMixture returns the minimum of the mixture over all means, as found by a generic solver.
func leastMixture(t *testing.T, list []result, x func(arm int) []float64, parameters int,
	b [][]float64, lambda []float64) float64 {
	t.Helper()
	value := func(theta []float64) float64 {
		r := make([]float64, len(list))
		for i, y := range list {
			r[i] = y.y
			for j, v := range x(y.arm) {
				r[i] -= v * theta[j]
			}
		}
		return mixture(r, b, lambda)
	}
	p := optimize.Problem{Func: value, Grad: func(grad, theta []float64) {
		const h = 1e-4 // differences are exact, because value is quadratic
		for j := range theta {
			at := theta[j]
			theta[j] = at + h
			up := value(theta)
			theta[j] = at - h
			grad[j] = (up - value(theta)) / (2 * h)
			theta[j] = at
		}
	}}
	got, err := optimize.Minimize(p, make([]float64, parameters), &optimize.Settings{GradientThreshold: 1e-7}, &optimize.BFGS{})
	if got == nil {
		t.Fatal(err)
	}
	return got.F
}

// unit returns n numbers: v at index i, and 0 elsewhere.
func unit(n, i int, v float64) []float64 {
	x := make([]float64, n)
	x[i] = v
	return x
}

// look reports results to a process, and returns log E.
func look(p process, k int, list []result) float64 {
	s := &sums{arm: make([]armSums, k)}
	for i := range list {
		p.observe(s, &list[i])
		s.add(&list[i])
	}
	return p.look(s).LogE
}

func near(t *testing.T, what string, got, want float64) {
	t.Helper()
	if !(math.Abs(got-want) <= 1e-6*(1+math.Abs(want))) {
		t.Errorf("%s: log E = %v; want %v", what, got, want)
	}
}

// The log E of each process agrees with the formula of the theorem. The test computes the minimum in the formula with
// a generic solver.
func TestAgainstTheTheorem(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 4))
	const k, n = 5, 14
	features := mat.NewDense(k, 3, nil) // of rank 2
	for i := range k {
		v := float64(i) - 1.5
		features.SetRow(i, []float64{1, v, 2*v - 3})
	}
	model := newLine(features)
	list := observed(k, n, rnd)
	arms := func(arm int) []float64 { return unit(k, arm, 1) }
	linear := func(arm int) []float64 { return model.x[arm] }
	rows := func(b func(i int, r result) []float64) (all [][]float64) {
		for i, r := range list {
			all = append(all, b(i, r))
		}
		return all
	}
	same := func(n int, v float64) []float64 {
		x := make([]float64, n)
		for i := range x {
			x[i] = v
		}
		return x
	}
	least := func(x func(int) []float64, m int, b [][]float64, lambda []float64) float64 {
		return leastMixture(t, list, x, m, b, lambda)
	}

	// Under the alternative of Noise, each result has its own effect. The first 0, 1 or 4 results of each arm are
	// omitted.
	var logs []float64
	for _, skip := range []int{0, 1, 4} {
		var kept []result
		seen := make([]int, k)
		for _, r := range list {
			if seen[r.arm]++; seen[r.arm] > skip {
				kept = append(kept, r)
			}
		}
		for _, s := range shares {
			var b [][]float64
			for i := range kept {
				b = append(b, unit(len(kept), i, 1))
			}
			logs = append(logs, leastMixture(t, kept, arms, k, b, same(len(kept), s/(1-s))))
		}
	}
	near(t, "noise", look(newNoise(k), k, list), logMean(logs))

	logs = nil
	for _, s := range shares {
		b := rows(func(i int, _ result) []float64 { return unit(n, i, 1) })
		logs = append(logs, least(linear, 2, b, same(n, s/(1-s))))
	}
	near(t, "scatter", look(&scatter{line: model}, k, list), logMean(logs))

	logs = nil
	for _, rho := range []float64{.05, .2, .8, 3.2} {
		b := rows(func(_ int, r result) []float64 { return unit(k, r.arm, 1) })
		logs = append(logs, least(linear, 2, b, same(k, rho)))
	}
	near(t, "misfit", look(&misfit{line: model}, k, list), logMean(logs))

	for _, null := range []struct {
		name string
		line *line
		x    func(int) []float64
		m    int
	}{{"arms", nil, arms, k}, {"features", model, linear, 2}} {
		const p = (n + 3) / 4
		onPlates := func(what string) {
			t.Helper()
			var logs []float64
			for _, u := range nulls {
				for _, v := range plates {
					b := rows(func(_ int, r result) []float64 {
						return append(append([]float64{}, null.x(r.arm)...), unit(p, r.plate-1, 1)...)
					})
					logs = append(logs, least(null.x, null.m, b, append(same(null.m, u), same(p, v)...)))
				}
			}
			near(t, what+", "+null.name, look(newEffects(k, null.line, false), k, list), logMean(logs))
		}
		onPlates("plates")

		// Results of a plate may arrive after those of later plates.
		inOrder, rnd := list, rand.New(rand.NewPCG(5, 6))
		list = slices.Clone(list)
		for i, j := range rnd.Perm(n) {
			list[i].plate = inOrder[j].plate
		}
		onPlates("late plates")
		list = inOrder
		logs = nil
		for _, u := range nulls {
			for _, v := range drifts {
				b := rows(func(i int, r result) []float64 {
					return append(append([]float64{}, null.x(r.arm)...), float64(i)/100)
				})
				logs = append(logs, least(null.x, null.m, b, append(same(null.m, u), v)))
			}
		}
		near(t, "drift, "+null.name, look(newEffects(k, null.line, true), k, list), logMean(logs))
	}
}

// The square of the noise that Scatter reports is the residual sum of squares, divided by the number of results
// minus the number of parameters.
func TestSizeOfScatter(t *testing.T) {
	model := newLine(mat.NewDense(3, 2, []float64{1, -1, 1, 0, 1, 1}))
	s := &sums{arm: make([]armSums, 3)}
	for i, y := range []float64{1, -2, 1} { // a parabola, which no line fits; the sum of squares is 6
		s.add(&result{arm: i, n: 1, y: y})
	}
	if got := (&scatter{line: model}).look(s).Size; !(math.Abs(got-math.Sqrt(6)) < 1e-9) {
		t.Errorf("noise of %v; want %v", got, math.Sqrt(6))
	}
}
