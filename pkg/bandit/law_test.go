package bandit

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/seed"
)

// moments checks that the mean and covariance of draws are within 6 standard errors of the true values. Each call of
// draw stores one draw in x. The standard error of a covariance is estimated from the draws.
func moments(t *testing.T, name string, mean []float64, cov mat.Matrix, draws int, draw func(x []float64)) {
	t.Helper()
	d := len(mean)
	x := make([]float64, d)
	sum, sq := mat.NewDense(d, d, nil), mat.NewDense(d, d, nil)
	first := make([]float64, d)
	for range draws {
		draw(x)
		for i := range d {
			first[i] += x[i] - mean[i]
			for j := range i + 1 {
				z := (x[i] - mean[i]) * (x[j] - mean[j])
				sum.Set(i, j, sum.At(i, j)+z)
				sq.Set(i, j, sq.At(i, j)+z*z)
			}
		}
	}
	n := float64(draws)
	for i := range d {
		if got, se := first[i]/n, math.Sqrt(cov.At(i, i)/n); math.Abs(got) > sixSE*se+1e-12 {
			t.Errorf("%s: mean of objective %d is off by %.4g; want 0 ± %.2g", name, i, got, se)
		}
		for j := range i + 1 {
			got, want := sum.At(i, j)/n, cov.At(i, j)
			se := math.Sqrt(max(0, sq.At(i, j)/n-got*got) / n)
			if math.Abs(got-want) > sixSE*se+1e-12 {
				t.Errorf("%s: covariance (%d, %d) is %.4g; want %.4g ± %.2g", name, i, j, got, want, se)
			}
		}
	}
}

// one draws n rewards one by one and stores their sum in dst.
func one(law Law, dst []float64, arm, n int, rnd *rand.Rand) {
	x := make([]float64, len(dst))
	clear(dst)
	for range n {
		law.Sum(x, arm, 1, rnd)
		for c, v := range x {
			dst[c] += v
		}
	}
}

// Sums of n rewards, drawn at once and one by one, have n times the mean and n times the covariance of a reward,
// as calculated from the parameters.
func TestMomentsOfSums(t *testing.T) {
	mu := mat.NewDense(2, 2, []float64{0.2, 0.7, 3, -1})
	cov := mat.NewSymDense(2, []float64{1, -0.9, -0.9, 4})
	other := mat.NewDiagDense(2, []float64{0.25, 0})
	probs := mat.NewDense(2, 2, []float64{0.2, 0.7, 0.01, 1})
	// The objectives of the rows are strongly dependent. Arm 1 has three rows.
	rows := mat.NewDense(5, 2, []float64{0, 1, 2, 2, 1, 0, 0, 0, 1, 3})
	arms := []int{1, 0, 1, 0, 1}
	g0 := mat.NewDense(2, 2, []float64{2, 2, 0, 0})
	g1 := mat.NewDense(3, 2, []float64{0, 1, 1, 0, 1, 3})
	covOf := func(g *mat.Dense, how Coupling) mat.Matrix {
		m, d := g.Dims()
		c := mat.NewDense(d, d, nil)
		for i := range d {
			for j := range d {
				var sx, sy, sxy float64
				for r := range m {
					sx, sy, sxy = sx+g.At(r, i), sy+g.At(r, j), sxy+g.At(r, i)*g.At(r, j)
				}
				if i == j || how == Jointly {
					c.Set(i, j, sxy/float64(m)-sx*sy/float64(m*m))
				}
			}
		}
		return c
	}
	diag := func(x *mat.Dense, f func(v float64) float64) []mat.Matrix {
		var all []mat.Matrix
		k, _ := x.Dims()
		for i := range k {
			all = append(all, mat.NewDiagDense(2, []float64{f(x.At(i, 0)), f(x.At(i, 1))}))
		}
		return all
	}
	for _, c := range []struct {
		name string
		law  Law
		mean *mat.Dense
		cov  []mat.Matrix
	}{
		{"exact", must(NewExact(mu)), mu, diag(mu, func(float64) float64 { return 0 })},
		{"diagonal Gaussian", must(NewGaussian(mu, other)), mu, []mat.Matrix{other, other}},
		{"Gaussian", must(NewGaussian(mu, cov)), mu, []mat.Matrix{cov, cov}},
		{"Bernoulli", must(NewBernoulli(probs)), probs,
			diag(probs, func(p float64) float64 { return p * (1 - p) })},
		{"Poisson", must(NewPoisson(probs)), probs, diag(probs, func(p float64) float64 { return p })},
		{"joint rows", must(NewResample(rows, arms, Jointly)),
			mat.NewDense(2, 2, []float64{1, 1, 2. / 3, 4. / 3}), []mat.Matrix{covOf(g0, Jointly),
				covOf(g1, Jointly)}},
		{"separate rows", must(NewResample(rows, arms, Separately)),
			mat.NewDense(2, 2, []float64{1, 1, 2. / 3, 4. / 3}), []mat.Matrix{covOf(g0, Separately),
				covOf(g1, Separately)}},
	} {
		k, d := c.law.Dims()
		if k != 2 || d != 2 {
			t.Fatalf("%s: %d arms, %d objectives", c.name, k, d)
		}
		mean := make([]float64, d)
		for arm := range k {
			c.law.Mean(mean, arm)
			for j, v := range mean {
				if math.Abs(v-c.mean.At(arm, j)) > 1e-15 {
					t.Errorf("%s: mean of arm %d, objective %d is %v; want %v", c.name, arm, j, v, c.mean.At(arm, j))
				}
			}
			for _, n := range []int{1, 7, 60, 5000} { // for n = 60 and n = 5000, Resample draws a count for each row
				want := make([]float64, d)
				for j, v := range mean {
					want[j] = float64(n) * v
				}
				var scaled mat.Dense
				scaled.Scale(float64(n), c.cov[arm])
				name := fmt.Sprintf("%s, arm %d, n = %d", c.name, arm, n)
				rnd := rand.New(seed.New(3).Child(name).PCG())
				moments(t, name, want, &scaled, 20_000, func(x []float64) { c.law.Sum(x, arm, n, rnd) })
				if n == 7 {
					moments(t, name+", one by one", want, &scaled, 5_000, func(x []float64) { one(c.law, x, arm, n, rnd) })
				}
			}
		}
	}
}

// A standardised Gaussian sum falls in each decile of the normal distribution one time in ten.
func TestGaussianDeciles(t *testing.T) {
	const draws = 100_000
	law := must(NewGaussian(mat.NewDense(1, 2, []float64{5, -2}), mat.NewSymDense(2, []float64{1, 0.5, 0.5, 4})))
	rnd := rand.New(seed.New(1).PCG())
	x := make([]float64, 2)
	for _, n := range []int{1, 1000} {
		var count [10]float64
		for range draws {
			law.Sum(x, 0, n, rnd)
			z := (x[1] + 2*float64(n)) / (2 * math.Sqrt(float64(n)))
			count[min(9, int(10*distuv.UnitNormal.CDF(z)))]++
		}
		var stat float64
		for _, c := range count {
			stat += (c - draws/10) * (c - draws/10) / (draws / 10)
		}
		if p := (distuv.ChiSquared{K: 9}).Survival(stat); p < alarm {
			t.Errorf("n = %d: chi-square %.1f, p = %.2g", n, stat, p)
		}
	}
}

// Every draw satisfies the relations of a singular covariance: one objective has no noise, and the noise of the second
// objective is twice the noise of the first.
func TestSingularGaussian(t *testing.T) {
	b := mat.NewDense(4, 2, []float64{1, 0, 2, 0, 0, 0, 3e-4, 5e-4}) // noise = b z
	var cov mat.Dense
	cov.Mul(b, b.T())
	law := must(NewGaussian(mat.NewDense(1, 4, []float64{1, 2, 3, 4}), &cov))
	rnd := rand.New(seed.New(1).PCG())
	x := make([]float64, 4)
	for range 1000 {
		law.Sum(x, 0, 4, rnd)
		if x[2] != 12 {
			t.Fatalf("an objective without noise sums to %v; want 12", x[2])
		}
		if math.Abs((x[1]-8)-2*(x[0]-4)) > 1e-6 {
			t.Fatalf("noises %v and %v; want the second to be twice the first", x[0]-4, x[1]-8)
		}
	}
	moments(t, "singular", []float64{1, 2, 3, 4}, &cov, 20_000, func(x []float64) { law.Sum(x, 0, 1, rnd) })
}

// L L^T = cov holds for covariances of every rank, and for objectives in very different units. A matrix with a
// negative eigenvalue is an error.
func TestCholesky(t *testing.T) {
	rnd := rand.New(seed.New(1).PCG())
	for d := 1; d <= 8; d++ {
		for rank := 0; rank <= d; rank++ {
			b := mat.NewDense(d, d, nil)
			for i := range d {
				unit := math.Pow(10, float64(i%3*4-4))
				for j := range rank {
					b.Set(i, j, unit*rnd.NormFloat64())
				}
			}
			var cov mat.Dense
			cov.Mul(b, b.T())
			f, err := appendCholesky(nil, &cov)
			if err != nil {
				t.Fatalf("d = %d, rank %d: %v", d, rank, err)
			}
			for i := range d {
				for j := range i + 1 {
					var got float64
					for c := range j + 1 {
						got += f[i*(i+1)/2+c] * f[j*(j+1)/2+c]
					}
					if most := math.Sqrt(cov.At(i, i) * cov.At(j, j)); math.Abs(got-cov.At(i, j)) > 1e-4*most {
						t.Errorf("d = %d, rank %d: (L L^T)(%d, %d) = %v; want %v", d, rank, i, j, got, cov.At(i, j))
					} else if rank == d && math.Abs(got-cov.At(i, j)) > 1e-9*most {
						t.Errorf("d = %d: (L L^T)(%d, %d) = %v; want %v", d, i, j, got, cov.At(i, j))
					}
				}
			}
			if d < 3 || rank < d {
				continue
			}
			// With unit variances and all correlations -1/(d-1) - 0.01, the sum of all objectives would have a
			// negative variance.
			bad := mat.NewSymDense(d, nil)
			for i := range d {
				bad.SetSym(i, i, 1)
				for j := range i {
					bad.SetSym(i, j, -1/float64(d-1)-0.01)
				}
			}
			if _, err := appendCholesky(nil, bad); err == nil {
				t.Errorf("d = %d: an indefinite matrix is accepted", d)
			}
		}
	}
}

// Every resampled reward is a row of its arm. If objectives are drawn separately, each value comes from the
// objective's column, and the values of a reward may come from different rows.
func TestResampleKeepsToItsRows(t *testing.T) {
	rows := mat.NewDense(6, 2, []float64{0, 10, 100, 110, 1, 11, 101, 111, 2, 12, 102, 112})
	arms := []int{0, 1, 0, 1, 0, 1}
	rnd := rand.New(seed.New(1).PCG())
	x := make([]float64, 2)
	for _, how := range []Coupling{Jointly, Separately} {
		law := must(NewResample(rows, arms, how))
		seen := make(map[[2]float64]bool)
		mixed := false
		for range 2000 {
			for arm := range 2 {
				law.Sum(x, arm, 1, rnd)
				seen[[2]float64(x)] = true
				mixed = mixed || x[1]-x[0] != 10
				for c, v := range x {
					if v -= float64(10*c + 100*arm); v != 0 && v != 1 && v != 2 {
						t.Fatalf("%v: arm %d, objective %d gave %v", how, arm, c, x[c])
					}
				}
				law.Sum(x, arm, 1000, rnd)
				if s := x[0] - 1e5*float64(arm); s < 0 || s > 2000 || how == Jointly && x[1]-x[0] != 10_000 {
					t.Fatalf("%v: arm %d: 1000 rewards sum to %v", how, arm, x)
				}
			}
		}
		if want := map[Coupling]int{Jointly: 6, Separately: 18}[how]; len(seen) != want ||
			mixed != (how == Separately) ||
			law.NormSigma() != map[Coupling]float64{Jointly: math.Hypot(1, 1), Separately: 1}[how] {
			t.Errorf("%v: %d different rewards, norm %v; want %d", how, len(seen), law.NormSigma(), want)
		}
	}
}

// The n-th reward of an arm does not depend on the pulls of other arms, on the number of pulls per call of Sample, or
// on other samplers.
func TestCommonRandomNumbers(t *testing.T) {
	for name, law := range laws() {
		a, b := NewSampler(law, seed.New(7)), NewSampler(law, seed.New(7))
		var first, second [3][][]float64
		take := func(s *Sampler, to *[3][][]float64, pulls ...int) {
			var p []explore.Pull
			for _, arm := range pulls {
				p = append(p, explore.Pull{Arm: arm, N: 1})
			}
			obs, err := s.Sample(nil, p)
			if err != nil {
				t.Fatal(err)
			}
			for i, o := range obs {
				if o.Pull != p[i] {
					t.Fatalf("%s: %v answers %v", name, o.Pull, p[i])
				}
				to[o.Arm] = append(to[o.Arm], o.Sum)
			}
		}
		take(a, &first, 0, 1, 2, 0, 1, 2)
		take(b, &second, 2, 2)
		take(b, &second, 1)
		take(b, &second, 0, 0, 1)
		for arm := range first {
			if !slices.EqualFunc(first[arm], second[arm], slices.Equal[[]float64]) {
				t.Errorf("%s, arm %d: %v and %v", name, arm, first[arm], second[arm])
			}
		}
		a.Reset(seed.New(7))
		var again [3][][]float64
		take(a, &again, 0, 1, 2, 0, 1, 2)
		for arm := range first {
			if !slices.EqualFunc(first[arm], again[arm], slices.Equal[[]float64]) {
				t.Errorf("%s, arm %d: after Reset %v; want %v", name, arm, again[arm], first[arm])
			}
		}
		if strings.HasPrefix(name, "Gaussian") {
			if slices.Equal(first[0][0], first[0][1]) {
				t.Errorf("%s: two rewards are the same", name)
			}
			var other [3][][]float64
			take(NewSampler(law, seed.New(8)), &other, 0)
			if slices.Equal(first[0][0], other[0][0]) {
				t.Errorf("%s: two seeds give the same reward", name)
			}
		}
	}
}

// The stream of arm i is the child ("arm", i) of the seed, for any number of arms.
func TestStreams(t *testing.T) {
	mu := mat.NewDense(3, 1, []float64{1, 2, 3})
	law := must(NewGaussian(mu, mat.NewDiagDense(1, []float64{4})))
	for arm := range 3 {
		obs, _ := NewSampler(law, seed.New(1)).Sample(nil, []explore.Pull{{Arm: arm, N: 1}})
		z := rand.New(seed.New(1).Child("arm", arm).Source()).NormFloat64()
		if want := mu.At(arm, 0) + 2*z; obs[0].Sum[0] != want {
			t.Errorf("arm %d: %v; want %v", arm, obs[0].Sum[0], want)
		}
	}
}

// Correlations are accurate in all units, even if all covariances are tiny. The draws have the same correlations.
func TestGaussianInAnyUnit(t *testing.T) {
	for _, unit := range []float64{1e-9, 1e-4, 1, 1e6} {
		cov := mat.NewSymDense(2, []float64{unit * unit, .9 * unit * unit, .9 * unit * unit, unit * unit})
		g := must(NewGaussian(mat.NewDense(1, 2, nil), cov))
		got, sum, square := g.Covariance(), 0., 0.
		rnd, x := rand.New(seed.New(5).PCG()), make([]float64, 2)
		for range 2000 {
			g.Sum(x, 0, 1, rnd)
			sum, square = sum+x[0]*x[1], square+(x[0]*x[0]+x[1]*x[1])/2
		}
		if !(math.Abs(got.At(0, 1)/got.At(0, 0)-.9) <= 1e-9) || !(math.Abs(sum/square-.9) <= .03) {
			t.Errorf("unit %v: covariance %v, drawn correlation %v", unit, mat.Formatted(got), sum/square)
		}
	}
}

// Batches contain squares only if squares are requested, even in reused memory. No two batches share memory.
func TestSampleWithSquares(t *testing.T) {
	smp := NewSampler(must(NewExact(mat.NewDense(2, 2, []float64{1, 2, 3, 4}))), seed.New(1))
	pulls := []explore.Pull{{Arm: 0, N: 2}, {Arm: 1, N: 3}, {Arm: 0, N: 1}}
	obs := []explore.Batch{{Squares: make([]float64, 3), Sum: make([]float64, 0, 1)}, {Sum: make([]float64, 9)}}[:0]
	for _, squares := range []bool{true, false, true, false} {
		smp.Squares = squares
		obs, _ = smp.Sample(obs[:0], pulls)
		want := "[{{0 2} [2 4] []} {{1 3} [9 12] []} {{0 1} [1 2] []}]"
		if squares {
			want = "[{{0 2} [2 4] [2 8]} {{1 3} [9 12] [27 48]} {{0 1} [1 2] [1 4]}]"
		}
		if got := fmt.Sprint(obs); got != want {
			t.Errorf("squares %v: %s; want %s", squares, got, want)
		}
		for i := range obs {
			if !squares && obs[i].Squares != nil {
				t.Errorf("squares that nobody asked for: %v", obs[i].Squares)
			}
			before := fmt.Sprint(obs[(i+1)%3])
			obs[i].Sum = append(obs[i].Sum, 99) // must not overwrite other batches
			if after := fmt.Sprint(obs[(i+1)%3]); after != before {
				t.Errorf("batch %d is %s and was %s", (i+1)%3, after, before)
			}
			obs[i].Sum = obs[i].Sum[:2]
		}
	}
}
