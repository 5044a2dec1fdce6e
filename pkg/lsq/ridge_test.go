package lsq

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// contextRounds are rounds of a linear bandit with k arms, m features, d objectives, contexts in the unit ball,
// and noisy rewards of the pulled arms.
type contextRounds struct {
	k, m, d  int
	contexts [][]float64 // k x m
	arm      []int
	reward   [][]float64
}

func newContextRounds(rnd *rand.Rand, k, m, d, n int) *contextRounds {
	r := &contextRounds{k: k, m: m, d: d}
	theta := make([]float64, m*d)
	for i := range theta {
		theta[i] = rnd.NormFloat64()
	}
	for range n {
		x := make([]float64, k*m)
		for i := range k {
			row := x[i*m:][:m]
			for j := range row {
				row[j] = rnd.NormFloat64()
			}
			floats.Scale(rnd.Float64()/floats.Norm(row, 2), row)
		}
		arm := rnd.IntN(k)
		y := make([]float64, d)
		for c := range y {
			y[c] = rnd.NormFloat64()
			for j, v := range x[arm*m:][:m] {
				y[c] += v * theta[j*d+c]
			}
		}
		r.contexts, r.arm, r.reward = append(r.contexts, x), append(r.arm, arm), append(r.reward, y)
	}
	return r
}

// context returns X_{k,s}.
func (r *contextRounds) context(s, k int) []float64 { return r.contexts[s][k*r.m:][:r.m] }

// pseudo holds the pseudo-actions of a round for one step of the estimator: h is the last draw, and used reports
// whether the round counts.
type pseudo struct {
	h    int
	used bool
}

// trials draws h_s(1), h_s(2), ... from (7) until the draw is the pulled arm, at most rho times.
func (r *contextRounds) trials(rnd *rand.Rand, s int, p float64, rho int) pseudo {
	for range rho {
		h := r.arm[s]
		if rnd.Float64() >= p { // another arm, each with probability (1-p)/(K-1)
			if h = rnd.IntN(r.k - 1); h >= r.arm[s] {
				h++
			}
		}
		if h == r.arm[s] {
			return pseudo{h, true}
		}
	}
	return pseudo{}
}

// longForm computes equations (8) to (10) of the PFIwR paper as printed, in sums over rounds and arms. Equation (8)
// uses the pseudo-actions in first; (9) and (10) use those in second. The argument noise contains U_{k,s} by round s;
// nil means a round without noise. If impute is true, rounds that do not count in (9) contribute only imputed rewards;
// otherwise, they are omitted.
func (r *contextRounds) longForm(t *testing.T, first, second []pseudo, noise [][]float64, p,
	lambda float64, impute bool) *mat.Dense {
	t.Helper()
	phi := func(s, k int) float64 {
		if k == r.arm[s] {
			return p
		}
		return (1 - p) / float64(r.k-1)
	}
	noisy := func(s, k int) []float64 { // (6)
		x := append([]float64{}, r.context(s, k)...)
		if k != r.arm[s] && noise[s] != nil {
			floats.Add(x, noise[s][k*r.m:][:r.m])
		}
		return x
	}
	regression := func() (a *mat.Dense, b *mat.Dense) {
		a, b = mat.NewDense(r.m, r.m, nil), mat.NewDense(r.m, r.d, nil)
		for i := range r.m {
			a.Set(i, i, lambda)
		}
		return a, b
	}
	add := func(a, b *mat.Dense, x, y []float64, w float64) {
		v := mat.NewVecDense(r.m, x)
		var xx, xy mat.Dense
		xx.Outer(w, v, v)
		xy.Outer(w, v, mat.NewVecDense(r.d, y))
		a.Add(a, &xx)
		b.Add(b, &xy)
	}
	solve := func(a, b *mat.Dense) *mat.Dense {
		var x mat.Dense
		if err := x.Solve(a, b); err != nil {
			t.Fatal(err)
		}
		return &x
	}
	a, b := regression()
	for s := range r.arm { // (8)
		if h := first[s].h; first[s].used {
			add(a, b, noisy(s, h), r.reward[s], 1/phi(s, h))
		}
	}
	ipw := solve(a, b)
	a, b = regression()
	for s := range r.arm { // (9) and (10)
		if !second[s].used && !impute {
			continue
		}
		for k := range r.k {
			x := noisy(s, k)
			pull := 0. // I(h_s = k)/phi
			if second[s].used && second[s].h == k {
				pull = 1 / phi(s, k)
			}
			y := make([]float64, r.d)
			for c := range y {
				y[c] = (1 - pull) * floats.Dot(x, mat.Col(nil, c, ipw))
				if pull > 0 { // then k was pulled
					y[c] += pull * r.reward[s][c]
				}
			}
			add(a, b, x, y, 1)
		}
	}
	return solve(a, b)
}

// noise draws U for the first n rounds.
func (r *contextRounds) noise(rnd *rand.Rand, n int) [][]float64 {
	all := make([][]float64, len(r.arm))
	u := make([]float64, r.m)
	for s := range min(n, len(all)) {
		all[s] = make([]float64, r.k*r.m)
		for k := range r.k {
			addBall(all[s][k*r.m:][:r.m], u, rnd)
		}
	}
	return all
}

// ridgeOf returns the ridge regression on the rounds that count.
func (r *contextRounds) ridgeOf(counts []pseudo, reg float64) *mat.Dense {
	f := NewRidge(r.m, r.d)
	for s, arm := range r.arm {
		if counts[s].used {
			f.Add(r.context(s, arm), 1, r.reward[s])
		}
	}
	f.Solve(reg)
	return f.Theta()
}

// The estimator of the PFIwR paper as printed, (7) to (10), is a ridge regression of the pulled arms with regulariser
// p lambda. The regression uses only the rounds with a successful trial. The two estimates agree to 1e-12 for random
// pulls and noise, for several p, and for one or more trials per round.
func TestCollapse(t *testing.T) {
	rnd := rand.New(rand.NewPCG(41, 1))
	for _, p := range []float64{.1, .5, .9} {
		for n := range 25 {
			r := newContextRounds(rnd, 2+rnd.IntN(5), 1+rnd.IntN(5), 1+rnd.IntN(3), 1+rnd.IntN(60))
			if n%5 == 0 { // one arm only
				for s := range r.arm {
					r.arm[s] = 0
				}
			}
			lambda := math.Exp(2 * rnd.NormFloat64())
			for _, rho := range []int{1, 3, 1000} {
				h, used := make([]pseudo, len(r.arm)), 0
				for s := range h {
					if h[s] = r.trials(rnd, s, p, rho); h[s].used {
						used++
					}
				}
				for _, impute := range []bool{false, true} {
					long := r.longForm(t, h, h, r.noise(rnd, 20), p, lambda, impute)
					closed := r.ridgeOf(h, p*lambda)
					if !mat.EqualApprox(long, closed, 1e-12*max(1, mat.Norm(closed, math.Inf(1)))) {
						t.Fatalf("p %v, %d rounds of which %d count, imputed %v:\n%v\nwant\n%v",
							p, len(r.arm), used, impute, mat.Formatted(long), mat.Formatted(closed))
					}
				}
				if rho == 1000 && used != len(r.arm) {
					t.Errorf("p %v: %d of %d rounds count after %d trials", p, used, len(r.arm), rho)
				}
			}
		}
	}
}

// With separate pseudo-actions in each step, DoublyRobust computes the long form, which differs from ridge
// regression.
func TestDoublyRobust(t *testing.T) {
	rnd := rand.New(rand.NewPCG(43, 1))
	for _, p := range []float64{.2, .5, .8} {
		for range 20 {
			r := newContextRounds(rnd, 2+rnd.IntN(4), 1+rnd.IntN(5), 1+rnd.IntN(3), 30)
			seed := rnd.Uint64()
			f, twin := NewDoublyRobust(r.m, r.d, p, rand.NewPCG(seed, 1)), rand.New(rand.NewPCG(seed, 1))
			first, second := make([]pseudo, 30), make([]pseudo, 30)
			noise := make([][]float64, 30)
			u := make([]float64, r.m)
			for s, arm := range r.arm {
				f.Add(r.contexts[s], arm, r.reward[s], s < 12)
				first[s], second[s] = pseudo{arm, twin.Float64() < p}, pseudo{arm, twin.Float64() < p}
				if s < 12 {
					noise[s] = make([]float64, r.k*r.m)
					for k := range r.k {
						if k != arm {
							addBall(noise[s][k*r.m:][:r.m], u, twin)
						}
					}
				}
			}
			if !f.Solve(3) {
				t.Fatal("no estimate")
			}
			want := r.longForm(t, first, second, noise, p, 3, true)
			got := f.all.Theta()
			if !mat.EqualApprox(got, want, 1e-12*max(1, mat.Norm(want, math.Inf(1)))) {
				t.Fatalf("p %v:\n%v\nwant\n%v", p, mat.Formatted(got), mat.Formatted(want))
			}
			if mat.EqualApprox(got, r.ridgeOf(first, 3*p), 1e-9) {
				t.Error("the estimate is that of the first step")
			}
			mean := make([]float64, r.d)
			f.Means(mean, r.context(0, 0))
			for c, v := range mean {
				if d := floats.Dot(r.context(0, 0), mat.Col(nil, c, want)) - v; !(math.Abs(d) <= 1e-10) {
					t.Errorf("mean off by %v", d)
				}
			}
		}
	}
	if !NewDoublyRobust(2, 1, .5, rand.NewPCG(1, 1)).Solve(1) {
		t.Error("no estimate without rewards")
	}
}

// The test compares all methods of Ridge with dense algebra, even for determinants beyond the range of float64.
func TestRidge(t *testing.T) {
	rnd := rand.New(rand.NewPCG(44, 1))
	for k := range 150 {
		m, d, n, unit := 1+rnd.IntN(12), 1+rnd.IntN(3), rnd.IntN(30), []float64{1, 1e-40, 1e40}[k%3]
		f := NewRidge(m, d)
		f.Add(make([]float64, m), 3, make([]float64, d))
		f.Reset()
		reg := unit * math.Exp(2*rnd.NormFloat64())
		a, b := mat.NewSymDense(m, nil), mat.NewDense(m, d, nil)
		x, y := make([]float64, m), make([]float64, d)
		draw := func() {
			for j := range x {
				x[j] = rnd.NormFloat64() * float64(rnd.IntN(2)) // with zeros
			}
		}
		total := 0.
		for range n {
			draw()
			for c := range y {
				y[c] = rnd.NormFloat64()
			}
			w := unit * float64(1+rnd.IntN(3))
			total += w
			f.Add(x, w, y)
			a.SymRankOne(a, w, mat.NewVecDense(m, x))
			var xy mat.Dense
			xy.Outer(1, mat.NewVecDense(m, x), mat.NewVecDense(d, y))
			b.Add(b, &xy)
		}
		for j := range m {
			a.SetSym(j, j, a.At(j, j)+reg)
		}
		if !f.Solve(reg) || f.N() != total {
			t.Fatal("no estimate, or miscounted")
		}
		var inverse, theta mat.Dense
		if err := inverse.Inverse(a); err != nil {
			t.Fatal(err)
		}
		theta.Mul(&inverse, b)
		size := 1 + mat.Norm(&theta, math.Inf(1))
		if !mat.EqualApprox(f.Theta(), &theta, 1e-11*size) {
			t.Fatalf("theta\n%v\nwant\n%v", mat.Formatted(f.Theta()), mat.Formatted(&theta))
		}
		draw()
		v := mat.NewVecDense(m, x)
		if got, want := f.Squared(x), mat.Inner(v, &inverse, v); !(math.Abs(got-want) <= 1e-11*(1+want)) {
			t.Errorf("squared norm %v; want %v", got, want)
		}
		if want, _ := mat.LogDet(a); !(math.Abs(f.LogDet()-want) <= 1e-9*(1+math.Abs(want))) {
			t.Errorf("log det %v; want %v", f.LogDet(), want)
		}
		f.Means(y, x)
		for c, got := range y {
			if want := mat.Dot(v, theta.ColView(c)); !(math.Abs(got-want) <= 1e-10*size) {
				t.Errorf("mean %v; want %v", got, want)
			}
		}
	}
	// There are too few points, and there is no regulariser.
	f := NewRidge(2, 1)
	f.Add([]float64{1, 2}, 1, []float64{5})
	if f.Solve(0) {
		t.Error("a unique estimate from one point of the plane")
	}
	f.Add([]float64{1, 0}, 1, []float64{1})
	if !f.Solve(0) || !(math.Abs(f.Theta().At(0, 0)-1) <= 1e-12) || !(math.Abs(f.Theta().At(1, 0)-2) <= 1e-12) {
		t.Errorf("theta %v; want 1, 2", f.Theta())
	}
	// Reset also removes the estimate; a failed Solve keeps it.
	mean := make([]float64, 1)
	f.Reset()
	if f.Means(mean, []float64{3, 4}); mean[0] != 0 || f.N() != 0 || mat.Norm(f.Theta(), 1) != 0 {
		t.Errorf("after Reset the mean is %v of %v rewards", mean, f.N())
	}
	f.Add([]float64{1, 0}, 2, []float64{6})
	f.Add([]float64{0, 1}, .5, []float64{1})
	if !f.Solve(0) || f.N() != 2.5 {
		t.Fatal("no estimate after Reset")
	}
	f.Add([]float64{math.NaN(), 1}, 1, []float64{1})
	if f.Solve(0) {
		t.Error("an estimate from a point that is not finite")
	}
	if f.Means(mean, []float64{1, 1}); !(math.Abs(mean[0]-5) <= 1e-12) {
		t.Errorf("after a Solve that failed the mean is %v; want the earlier mean, 5", mean)
	}
	for name, f := range map[string]func(){
		"features":    func() { NewRidge(2, 1).Add([]float64{1}, 1, []float64{1}) },
		"objectives":  func() { NewRidge(2, 1).Add([]float64{1, 2}, 1, []float64{1, 2}) },
		"probability": func() { NewDoublyRobust(1, 1, 1, nil) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", name)
				}
			}()
			f()
		}()
	}
}

func ExampleRidge() {
	f := NewRidge(2, 1)
	f.Add([]float64{1, 0}, 4, []float64{8}) // four rewards with sum 8
	f.Add([]float64{0, 1}, 1, []float64{3})
	f.Solve(1)
	fmt.Printf("%.3f %.3f\n", f.Theta().RawMatrix().Data, f.Squared([]float64{1, 0}))
	// Output: [1.600 1.500] 0.200
}

func ExampleDoublyRobust() {
	f := NewDoublyRobust(1, 1, .5, rand.NewPCG(1, 1))
	for range 20000 { // two arms with means 1 and 0.5
		f.Add([]float64{1, .5}, 0, []float64{1}, false)
	}
	f.Solve(1)
	mean := make([]float64, 1)
	f.Means(mean, []float64{.5})
	fmt.Printf("%.3f\n", mean)
	// Output: [0.500]
}
