package bandit

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/seed"
)

var (
	contextMeans = mat.NewDense(2, 3, []float64{.5, .2, 0, -.1, .3, .6})
	contextTheta = mat.NewDense(3, 2, []float64{1, -1, .5, 2, 0, 1})
)

// ballCov returns the covariance of the rewards of NewContextual(contextMeans, contextTheta, spread, sd). A
// uniform draw from the unit ball of R^3 has covariance I/5.
func ballCov(spread, sd float64) *mat.Dense {
	var cov mat.Dense
	cov.Mul(contextTheta.T(), contextTheta)
	cov.Scale(spread*spread/5, &cov)
	for c := range 2 {
		cov.Set(c, c, cov.At(c, c)+sd*sd)
	}
	return &cov
}

func TestContextualMoments(t *testing.T) {
	var mean mat.Dense
	mean.Mul(contextMeans, contextTheta)
	for _, c := range []struct{ spread, sd float64 }{{.3, .5}, {2, .1}, {0, 1}} {
		law := must(NewContextual(contextMeans, contextTheta, c.spread, c.sd))
		name := fmt.Sprintf("spread %v", c.spread)
		scale := max(1, floats.Norm(contextMeans.RawRowView(1), 2)+c.spread)
		if math.Abs(law.Scale()-scale) > 1e-15*scale {
			t.Errorf("%s: scale %v; want %v", name, law.Scale(), scale)
		}
		rnd := rand.New(rand.NewPCG(1, 2))
		cov := ballCov(c.spread, c.sd)
		for arm := range 2 {
			mu := make([]float64, 2)
			if law.Mean(mu, arm); !floats.EqualApprox(mu, mean.RawRowView(arm), 1e-15) {
				t.Errorf("%s: mean %v; want %v", name, mu, mean.RawRowView(arm))
			}
			moments(t, name, mu, cov, 40000, func(x []float64) { law.Sum(x, arm, 1, rnd) })
			floats.Scale(5, mu)
			var five mat.Dense
			five.Scale(5, cov)
			moments(t, name+", five", mu, &five, 20000, func(x []float64) {
				law.Sum(x, arm, 5, rnd)
			})

			// The features have the right means and covariance, and norms of at most 1.
			features := mat.NewDiagDense(3, nil)
			for j := range 3 {
				features.SetDiag(j, c.spread*c.spread/5/(scale*scale))
			}
			moments(t, name+", features", law.Features().RawRowView(arm), features, 40000,
				func(x []float64) {
					if law.Context(x, arm, rnd); floats.Norm(x, 2) > 1+1e-15 {
						t.Fatalf("%s: features %v of norm %v", name, x, floats.Norm(x, 2))
					}
				})
			// Given the features, the rewards have the right mean and covariance.
			x, want := []float64{.1, .2, .3}, make([]float64, 2)
			mat.NewVecDense(2, want).MulVec(law.Theta().T(), mat.NewVecDense(3, x))
			floats.Scale(3, want)
			three := mat.NewDiagDense(2, []float64{3 * c.sd * c.sd, 3 * c.sd * c.sd})
			moments(t, name+", given", want, three, 40000, func(r []float64) {
				law.Given(r, x, 0, arm, 3, rnd)
			})
		}
		// Sigma is the largest standard deviation of an objective; NormSigma is the largest standard deviation of a
		// projection.
		most := max(cov.At(0, 0), cov.At(1, 1))
		var eigen mat.EigenSym
		eigen.Factorize(mat.NewSymDense(2, cov.RawMatrix().Data), false)
		if math.Abs(law.Sigma()-math.Sqrt(most)) > 1e-14 || math.Abs(law.NormSigma()-math.Sqrt(eigen.Values(nil)[1])) > 1e-14 {
			t.Errorf("%s: scales %v and %v; want %v and %v", name, law.Sigma(), law.NormSigma(),
				math.Sqrt(most), math.Sqrt(eigen.Values(nil)[1]))
		}
	}
}

func TestContextualInstance(t *testing.T) {
	for _, spread := range []float64{.2, 3} {
		in := must(NewContextual(contextMeans, contextTheta, spread, .5)).Instance("toy", anything{})
		if err := in.Validate(); err != nil {
			t.Fatal(err)
		}
		if noted := slices.ContainsFunc(in.Notes, func(s string) bool {
			return strings.Contains(s, "none is longer than 1")
		}); noted != (spread > 1) {
			t.Errorf("spread %v: notes %q", spread, in.Notes)
		}
		law := in.Law.(*Contextual)
		if in.Problem.Sigma != law.Sigma() || in.Problem.NormSigma != law.NormSigma() || !strings.Contains(in.Notes[0],
			fmt.Sprintf("radius %.4g around", spread/law.Scale())) || len(in.Notes) > 1 && !strings.Contains(in.Notes[1],
			fmt.Sprintf("divided by %.4g,", law.Scale())) {
			t.Errorf("spread %v: scales %v and %v, notes %q", spread, in.Problem.Sigma, in.Problem.NormSigma, in.Notes)
		}
		law.Features().Zero() // Features and Theta return copies
		law.Theta().Zero()
		var mu mat.Dense
		mu.Mul(law.Features(), law.Theta())
		if !mat.EqualApprox(&mu, in.Truth(), 1e-14) || !in.Problem.Changing {
			t.Errorf("spread %v: means %v", spread, in.Truth())
		}
	}
}

// After a call of Contexts, rewards use the features that Contexts returned. Features do not depend on the pulls.
// Without Contexts, Sample draws from the law as usual.
func TestSamplerContexts(t *testing.T) {
	law := must(NewContextual(contextMeans, contextTheta, .3, 0))
	theta := law.Theta()
	a, b := NewSampler(law, seed.New(3)), NewSampler(law, seed.New(3))
	x, y := mat.NewDense(2, 3, nil), mat.NewDense(2, 3, nil)
	var first *mat.Dense
	for round := range 20 {
		for _, err := range []error{a.Contexts(x), b.Contexts(y)} {
			if err != nil {
				t.Fatal(err)
			}
		}
		if !mat.Equal(x, y) {
			t.Fatalf("round %d: features depend on what was pulled", round)
		}
		if round == 0 {
			first = mat.DenseCopyOf(x)
		} else if mat.Equal(x, first) {
			t.Fatal("features do not change")
		}
		pulls := []explore.Pull{{Arm: 1, N: 2}, {Arm: 0, N: 1}, {Arm: 1, N: 1}}
		obs, _ := a.Sample(nil, pulls)
		for i, o := range obs {
			want := make([]float64, 2)
			mat.NewVecDense(2, want).MulVec(theta.T(), x.RowView(pulls[i].Arm))
			floats.Scale(float64(pulls[i].N), want)
			if !floats.EqualApprox(o.Sum, want, 1e-15) {
				t.Fatalf("round %d: reward %v of %v; want %v", round, o.Sum, pulls[i], want)
			}
		}
		b.Sample(nil, pulls[:1])
	}
	before, _ := a.Sample(nil, []explore.Pull{{Arm: 0, N: 1}, {Arm: 0, N: 1}})
	if slices.Equal(before[0].Sum, before[1].Sum) {
		t.Error("two rewards that share features although nobody asked for them")
	}
	a.Reset(seed.New(3))
	if a.Contexts(x); !mat.Equal(x, first) {
		t.Error("Reset does not bring the features back")
	}
	// Reset discards features that were drawn but not used.
	a.Reset(seed.New(4))
	got, _ := a.Sample(nil, []explore.Pull{{Arm: 0, N: 1}})
	want, _ := NewSampler(law, seed.New(4)).Sample(nil, []explore.Pull{{Arm: 0, N: 1}})
	if !slices.Equal(got[0].Sum, want[0].Sum) {
		t.Errorf("after Reset %v; want %v, that of a new sampler", got[0].Sum, want[0].Sum)
	}
	plain := NewSampler(laws()["Gaussian/diagonal"], seed.New(1))
	if err := plain.Contexts(x); !errors.Is(err, explore.ErrContext) {
		t.Errorf("a law without features: %v", err)
	}
	if v := panicOf(func() { a.Contexts(mat.NewDense(3, 2, nil)) }); v != panicShape {
		t.Errorf("contexts of another shape: %v", v)
	}
	if n := testing.AllocsPerRun(100, func() {
		a.Contexts(x)
		a.Sample(before[:0], []explore.Pull{{Arm: 0, N: 1}})
	}); n > 0 {
		t.Errorf("%v allocations a round", n)
	}
}

func panicOf(f func()) (v any) {
	defer func() { v = recover() }()
	f()
	return nil
}

// The features and the reward come from the same row.
func TestResampleContexts(t *testing.T) {
	rows := mat.NewDense(5, 1, []float64{10, 20, 30, 40, 50})
	x := mat.NewDense(5, 2, []float64{1, 0, 2, 1, 3, 2, 4, 3, 5, 4})
	law := must(NewResampleContexts(rows, x, []int{1, 0, 1, 0, 1}))
	if want := mat.NewDense(2, 2, []float64{3, 2, 3, 2}); !mat.EqualApprox(law.Features(), want, 1e-15) {
		t.Errorf("mean features %v; want %v", law.Features(), want)
	}
	smp, now, seen := NewSampler(law, seed.New(4)), mat.NewDense(2, 2, nil), map[float64]int{}
	const n = 6000
	for range n {
		if err := smp.Contexts(now); err != nil {
			t.Fatal(err)
		}
		obs, _ := smp.Sample(nil, []explore.Pull{{Arm: 1, N: 1}, {Arm: 0, N: 3}})
		for i, arm := range []int{1, 0} {
			if f := now.RawRowView(arm); obs[i].Sum[0] != 10*f[0]*float64(obs[i].N) || f[1] != f[0]-1 {
				t.Fatalf("features %v, reward %v", f, obs[i])
			}
		}
		seen[now.At(1, 0)]++
	}
	for _, f := range []float64{1, 3, 5} { // the frequencies are uniform within six standard errors
		if d := math.Abs(float64(seen[f]) - n/3.); d > 6*math.Sqrt(n*2./9) {
			t.Errorf("row with feature %v drawn %d times of %d", f, seen[f], n)
		}
	}
	x.Set(3, 1, math.NaN())
	if _, err := NewResampleContexts(rows, x, []int{1, 0, 1, 0, 1}); err == nil ||
		!strings.Contains(err.Error(), "row 3 (arm 0), column 1 is NaN") {
		t.Errorf("a feature that is no number: %v", err)
	}
	if _, err := NewResampleContexts(rows, x, []int{2, 0, 2, 0, 2}); err == nil {
		t.Error("a group without members is accepted")
	}
}
