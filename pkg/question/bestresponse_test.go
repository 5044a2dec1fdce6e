package question_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/pareto"
	"github.com/purexp/purexp/pkg/question"
)

// flat returns the elements of mu, row-major.
func flat(mu *mat.Dense) []float64 {
	var f []float64
	for i := range mu.RawMatrix().Rows {
		f = append(f, mu.RawRowView(i)...)
	}
	return f
}

// randomMeans returns means with a front of some size.
func randomMeans(rnd *rand.Rand, k, d int) *mat.Dense {
	mu := mat.NewDense(k, d, nil)
	for i := range k {
		size, level := 0., .5+rnd.Float64()
		for c := range d {
			v := math.Abs(rnd.NormFloat64())
			mu.Set(i, c, v)
			size = math.Hypot(size, v)
		}
		for c := range d {
			mu.Set(i, c, level*mu.At(i, c)/size)
		}
	}
	return mu
}

// frontOf returns k means of which exactly p are optimal.
func frontOf(rnd *rand.Rand, k, d, p int) *mat.Dense {
	for {
		if mu := randomMeans(rnd, k, d); len(pareto.Set(mu)) == p {
			return mu
		}
	}
}

func randomWeights(rnd *rand.Rand, k int) []float64 {
	w := make([]float64, k)
	for i := range w {
		w[i] = rnd.ExpFloat64() * math.Exp(rnd.NormFloat64())
	}
	floats.Scale(1/floats.Sum(w), w)
	return w
}

func randomCovariance(rnd *rand.Rand, d int) *mat.SymDense {
	l := mat.NewDense(d, d, nil)
	for i := range d {
		for j := range d {
			l.Set(i, j, .4*rnd.NormFloat64())
		}
		l.Set(i, i, l.At(i, i)+2)
	}
	var s mat.SymDense
	s.SymOuterK(.3, l)
	return &s
}

// oracleCost returns F(w), plain and slow. Either a member i falls below a
// member j: the difference z moves by at least what i is ahead, found by
// cyclic coordinate descent. Or an arm outside rises to x, and every member is
// lowered to x in one objective: all assignments of objectives to members are
// tried, and x found by cyclic coordinate descent with bisection.
func oracleCost(mu *mat.Dense, cov mat.Symmetric, w []float64) float64 {
	k, d := mu.Dims()
	if cov == nil {
		i := mat.NewDiagDense(d, nil)
		for c := range d {
			i.SetDiag(c, 1)
		}
		cov = i
	}
	var p mat.Dense
	if err := p.Inverse(cov); err != nil {
		panic(err)
	}
	form := func(z []float64) float64 {
		v := mat.NewVecDense(d, z)
		return mat.Inner(v, &p, v)
	}
	front := pareto.Set(mu)
	least := math.Inf(1)
	for _, i := range front {
		for _, j := range front {
			if i == j {
				continue
			}
			z, a := make([]float64, d), make([]float64, d)
			floats.SubTo(a, mu.RawRowView(i), mu.RawRowView(j))
			copy(z, a)
			for range 400 {
				for c := range d {
					z[c] = 0
					z[c] = max(a[c], -floats.Dot(p.RawRowView(c), z)/p.At(c, c))
				}
			}
			least = min(least, w[i]*w[j]/(w[i]+w[j])*form(z)/2)
		}
	}
	maps := 1
	for range front {
		maps *= d
	}
	for a := range k {
		for m := 0; m < maps && !slices.Contains(front, a); m++ {
			x, z := slices.Clone(mu.RawRowView(a)), make([]float64, d)
			group := make([][]int, d)
			for q, rest := 0, m; q < len(front); q, rest = q+1, rest/d {
				group[rest%d] = append(group[rest%d], front[q])
			}
			sweeps := 1
			if !diagonal(&p) {
				sweeps = 100
			}
			for range sweeps {
				for c := range d {
					floats.SubTo(z, x, mu.RawRowView(a))
					z[c] = 0
					cross := floats.Dot(p.RawRowView(c), z)
					slope := func(v float64) float64 {
						s := w[a] * (p.At(c, c)*(v-mu.At(a, c)) + cross)
						for _, j := range group[c] {
							s -= w[j] / cov.At(c, c) * max(0, mu.At(j, c)-v)
						}
						return s
					}
					lo, hi := -1., 1.
					for slope(lo) > 0 {
						lo *= 2
					}
					for slope(hi) < 0 {
						hi *= 2
					}
					for range 55 {
						if mid := (lo + hi) / 2; slope(mid) > 0 {
							hi = mid
						} else {
							lo = mid
						}
					}
					x[c] = (lo + hi) / 2
				}
			}
			floats.SubTo(z, x, mu.RawRowView(a))
			cost := w[a] * form(z) / 2
			for c, g := range group {
				for _, j := range g {
					cost += w[j] / cov.At(c, c) * math.Pow(max(0, mu.At(j, c)-x[c]), 2) / 2
				}
			}
			least = min(least, cost)
		}
	}
	return least
}

func diagonal(p *mat.Dense) bool {
	d, _ := p.Dims()
	for i := range d {
		for j := range d {
			if i != j && p.At(i, j) != 0 {
				return false
			}
		}
	}
	return true
}

// priced returns the cost of moving mu to lambda.
func priced(mu, lambda *mat.Dense, cov mat.Symmetric, w []float64) float64 {
	k, d := mu.Dims()
	var p mat.Dense
	if cov != nil {
		if err := p.Inverse(cov); err != nil {
			panic(err)
		}
	}
	total := 0.
	for i := range k {
		z := mat.NewVecDense(d, nil)
		z.SubVec(lambda.RowView(i), mu.RowView(i))
		if cov == nil {
			total += w[i] / 2 * mat.Dot(z, z)
		} else {
			total += w[i] / 2 * mat.Inner(z, &p, z)
		}
	}
	return total
}

func TestBestResponse(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 1))
	falls, enters := 0, 0
	for trial := range 300 {
		d := 1 + trial%4
		k := 2 + rnd.IntN(7)
		mu := randomMeans(rnd, k, d)
		if d == 4 && len(pareto.Set(mu)) > 5 {
			continue // the oracle tries 4^p maps
		}
		var cov mat.Symmetric
		if trial%3 == 1 {
			if len(pareto.Set(mu)) > 4 {
				continue
			}
			cov = randomCovariance(rnd, d)
		}
		r, err := question.NewBestResponse(k, d, cov)
		if err != nil {
			t.Fatal(err)
		}
		r.SetMeans(flat(mu))
		if !slices.Equal(r.Front(), pareto.Set(mu)) {
			t.Errorf("front %v; want %v", r.Front(), pareto.Set(mu))
		}
		w, grad := randomWeights(rnd, k), make([]float64, k)
		got, want := r.Cost(grad, w), oracleCost(mu, cov, w)
		if math.Abs(got-want) > 1e-7*want {
			t.Errorf("trial %d, d = %d: cost %v; want %v", trial, d, got, want)
		}
		if v := floats.Dot(w, grad); math.Abs(v-got) > 1e-12*got {
			t.Errorf("trial %d: w.grad = %v, cost %v", trial, v, got)
		}
		for range 10 {
			v := randomWeights(rnd, k)
			if f := r.Cost(nil, v); f > floats.Dot(v, grad)*(1+1e-9) {
				t.Errorf("trial %d: F = %v exceeds the cut, %v", trial, f, floats.Dot(v, grad))
			}
		}
		r.Cost(nil, w)
		a := r.Alternative()
		if a.By >= 0 {
			falls++
		} else {
			enters++
		}
		if v := priced(mu, a.Means, cov, w); math.Abs(v-got) > 1e-9*got {
			t.Errorf("trial %d: the alternative costs %v; F = %v", trial, v, got)
		}
		changes(t, fmt.Sprint("trial ", trial), mu, a)
	}
	if falls < 50 || enters < 50 {
		t.Errorf("%d falls, %d entries: the test is one-sided", falls, enters)
	}
}

// No means with another Pareto set are cheaper, whatever the theory says about
// what they look like: random ones around the means and around the answer.
func TestBestResponseAgainstChance(t *testing.T) {
	rnd := rand.New(rand.NewPCG(2, 1))
	tried := 0
	for trial := range 40 {
		d, k := 2+trial%2, 3+rnd.IntN(4)
		mu := randomMeans(rnd, k, d)
		cov := mat.Symmetric(nil)
		if trial%4 == 1 {
			cov = randomCovariance(rnd, d)
		}
		r, err := question.NewBestResponse(k, d, cov)
		if err != nil {
			t.Fatal(err)
		}
		r.SetMeans(flat(mu))
		w := randomWeights(rnd, k)
		f := r.Cost(nil, w)
		centre, front := r.Alternative().Means, r.Front()
		lambda := mat.NewDense(k, d, nil)
		for n := range 2000 {
			from, spread := mu, .3*rnd.Float64()
			if n%2 == 1 {
				from, spread = centre, .03*rnd.Float64()
			}
			for i := range k {
				for c := range d {
					lambda.Set(i, c, from.At(i, c)+spread*rnd.NormFloat64())
				}
			}
			if slices.Equal(pareto.Set(lambda), front) {
				continue
			}
			tried++
			if v := priced(mu, lambda, cov, w); v < f*(1-1e-9) {
				t.Fatalf("trial %d: means that cost %v; F = %v", trial, v, f)
			}
		}
	}
	if tried < 10_000 {
		t.Errorf("only %d alternatives", tried)
	}
}

// The best arm has the cost w_1 w_i/(w_1 + w_i) gap_i^2/2 of Garivier and Kaufmann
// (COLT 2016), in one objective.
func TestBestResponseBestArm(t *testing.T) {
	r, err := question.NewBestResponse(3, 1, nil)
	if err != nil {
		t.Fatal(err)
	}
	r.SetMeans([]float64{0, 1, .5})
	w := []float64{.2, .3, .5}
	// min(.2*.3/.5/2, .3*.5/.8*.25/2) = min(.06, .0234375).
	if got := r.Cost(nil, w); math.Abs(got-.0234375) > 1e-15 {
		t.Errorf("cost %v; want .0234375", got)
	}
	p := &explore.Problem{Arms: 3, ArmNames: []string{"a", "b", "c"}}
	if got := r.Alternative().Explain(p); got != "c would enter the Pareto set" {
		t.Error(got)
	}
}

// Weights may be 0: then arms move for nothing, and nothing is NaN.
func TestBestResponseZeroWeights(t *testing.T) {
	rnd := rand.New(rand.NewPCG(4, 1))
	for trial := range 200 {
		d, k := 1+trial%3, 2+rnd.IntN(6)
		mu, cov := randomMeans(rnd, k, d), mat.Symmetric(nil)
		if trial%2 == 1 {
			cov = randomCovariance(rnd, d)
		}
		r, err := question.NewBestResponse(k, d, cov)
		if err != nil {
			t.Fatal(err)
		}
		r.SetMeans(flat(mu))
		w, grad := randomWeights(rnd, k), make([]float64, k)
		near := slices.Clone(w)
		for i := range w {
			if rnd.IntN(3) == 0 {
				w[i], near[i] = 0, 1e-12
			}
		}
		f, g := r.Cost(grad, w), r.Cost(nil, near)
		if !(math.Abs(f-g) <= 1e-9) || floats.HasNaN(grad) || math.Abs(floats.Dot(w, grad)-f) > 1e-12 {
			t.Errorf("trial %d: F = %v, nearby %v, gradient %v", trial, f, g, grad)
		}
		changes(t, fmt.Sprint("trial ", trial), mu, r.Alternative())
	}
}

func TestBestResponsePanics(t *testing.T) {
	fresh := func() *question.BestResponse {
		r, err := question.NewBestResponse(2, 1, nil)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	set := func() *question.BestResponse {
		r := fresh()
		r.SetMeans([]float64{0, 1})
		return r
	}
	for name, f := range map[string]func(){
		"none":    func() { question.NewBestResponse(0, 1, nil) },
		"means":   func() { fresh().SetMeans([]float64{1}) },
		"early":   func() { fresh().Cost(nil, []float64{1, 1}) },
		"weights": func() { set().Cost(nil, []float64{1}) },
		"grad":    func() { set().Cost([]float64{1}, []float64{1, 1}) },
		"no cost": func() { set().Alternative() },
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

func TestBestResponseAllocates(t *testing.T) {
	rnd := rand.New(rand.NewPCG(6, 1))
	for _, cov := range []mat.Symmetric{nil, randomCovariance(rnd, 3)} {
		mu := flat(frontOf(rnd, 20, 3, 5))
		r, err := question.NewBestResponse(20, 3, cov)
		if err != nil {
			t.Fatal(err)
		}
		w, grad := randomWeights(rnd, 20), make([]float64, 20)
		if n := testing.AllocsPerRun(20, func() {
			r.SetMeans(mu)
			r.Cost(grad, w)
		}); n > 0 {
			t.Errorf("%v allocations", n)
		}
	}
}

func ExampleBestResponse() {
	r, err := question.NewBestResponse(3, 2, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	r.SetMeans([]float64{1, 0, 0, 1, .2, .3}) // two optimal arms and one outside
	grad := make([]float64, 3)
	f := r.Cost(grad, []float64{.25, .25, .5})
	a := r.Alternative()
	fmt.Printf("F = %.4f, gradient %.4f; by arm %d\n", f, grad, a.Arm)
	fmt.Printf("%.2f\n", mat.Formatted(a.Means))
	// Output:
	// F = 0.0033, gradient [0.0000 0.0089 0.0022]; by arm 2
	// ⎡1.00  0.00⎤
	// ⎢0.13  1.00⎥
	// ⎣0.13  0.30⎦
}

func BenchmarkBestResponse(b *testing.B) {
	for _, c := range []struct {
		k, d, p    int
		correlated bool
	}{{20, 3, 5, false}, {20, 3, 5, true}, {20, 2, 5, false}, {100, 3, 12, false}, {200, 2, 10, false}, {100, 5, 30, false}} {
		rnd := rand.New(rand.NewPCG(1, 2))
		mu, cov := flat(frontOf(rnd, c.k, c.d, c.p)), mat.Symmetric(nil)
		name := fmt.Sprintf("K=%d/d=%d/p=%d", c.k, c.d, c.p)
		if c.correlated {
			cov = randomCovariance(rnd, c.d)
			name += "/correlated"
		}
		r, err := question.NewBestResponse(c.k, c.d, cov)
		if err != nil {
			b.Fatal(err)
		}
		r.SetMeans(mu)
		w, grad := randomWeights(rnd, c.k), make([]float64, c.k)
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				r.Cost(grad, w)
			}
		})
		b.Run(name+"/means", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				r.SetMeans(mu)
			}
		})
	}
}
