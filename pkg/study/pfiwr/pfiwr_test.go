package pfiwr

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policy"
	"github.com/purexp/purexp/pkg/study"
)

// The estimator as printed is ridge regression with regulariser p lambda_t, whatever is pulled.
func TestPrinted(t *testing.T) {
	for _, oneArm := range []bool{false, true} {
		for size := range estimatorNames {
			inst, err := Estimator.At(size, 3)
			if err != nil {
				t.Fatal(err)
			}
			var thetas []*mat.Dense
			for _, m := range estimators(oneArm, 0)[:3] {
				p := m.New(study.Task{Instance: inst, Size: size, Budget: 300})
				rnd := rand.New(rand.NewPCG(1, 2))
				if err := p.Init(inst.Problem, rand.NewPCG(3, 4)); err != nil {
					t.Fatal(err)
				}
				x := mat.NewDense(arms, features, nil)
				for {
					x.Apply(func(_, _ int, _ float64) float64 { return rnd.NormFloat64() / 4 }, x)
					p.(explore.Contextual).Observe(x)
					pulls, err := p.Ask(nil)
					if err != nil {
						t.Fatal(err)
					}
					if len(pulls) == 0 {
						break
					}
					if err := p.Tell([]explore.Batch{{
						Pull: pulls[0], Sum: []float64{rnd.NormFloat64()},
					}}); err != nil {
						t.Fatal(err)
					}
				}
				thetas = append(thetas, p.(*estimation).Theta())
			}
			if !mat.EqualApprox(thetas[0], thetas[1], 1e-11) || mat.EqualApprox(thetas[0], thetas[2], 1e-4) {
				t.Errorf("%s, one arm %v: the estimator is %v, ridge regression with p lambda_t "+
					"%v, with 1 %v; expected the first two alike",
					estimatorNames[size], oneArm, mat.Formatted(thetas[0]),
					mat.Formatted(thetas[1]), mat.Formatted(thetas[2]))
			}
		}
	}
	inst, err := withWidth(0, 0)
	if err != nil {
		t.Fatal(err)
	}
	if err := new(estimation).Init(inst.Problem, nil); !errors.Is(err, explore.ErrQuestion) {
		t.Errorf("features that do not change: %v", err)
	}
}

// Instances have the paper's correlations, theta and lengths of contexts.
func TestLinear(t *testing.T) {
	for _, rho := range []float64{0, .5, .9} {
		product, square, n := 0., 0., 0.
		for draw := range 200 {
			law, err := Linear(rho, 0, 2, draw)
			if err != nil {
				t.Fatal(err)
			}
			x, theta := law.Features(), law.Theta()
			longest := 0.
			for k := range arms {
				longest = max(longest, mat.Norm(x.RowView(k), 2))
			}
			if most := max(
				mat.Max(theta), -mat.Min(theta),
			) / law.Scale(); most > 1 || math.Abs(longest-1) > 1e-12 {
				t.Fatalf("rho %v, draw %d: contexts as long as %v, theta as large as %v; want 1 "+
					"and at most 1", rho, draw, longest, most)
			}
			x.Scale(law.Scale(), x)
			for j := range features {
				product += x.At(0, j) * x.At(1, j)
				square += (x.At(0, j)*x.At(0, j) + x.At(1, j)*x.At(1, j)) / 2
				n++
			}
		}
		if math.Abs(square/n-1) > .1 || math.Abs(product/n-rho) > .1 {
			t.Errorf("rho %v: variance %v, covariance %v; want 1 and rho", rho, square/n, product/n)
		}
	}
	law, err := Linear(.9, spread, 1, 0)
	if err != nil {
		t.Fatal(err)
	}
	theta := law.Theta()
	theta.Scale(1/law.Scale(), theta)
	if !mat.EqualApprox(
		theta, mat.NewDense(features, 1, slices.Repeat([]float64{1 / math.Sqrt(10)}, features)),
		1e-12,
	) {
		t.Errorf("theta is %v; want 1/sqrt(10) everywhere", theta.RawMatrix().Data)
	}
	for _, bad := range []float64{-.1, 1, math.NaN()} {
		if _, err := Linear(bad, 0, 1, 0); err == nil {
			t.Errorf("rho %v is accepted", bad)
		}
	}
	if _, err := Linear(0, 0, 0, 0); err == nil {
		t.Error("no objectives are accepted")
	}
	// The norm given to PFIwR bounds the parameters.
	inst, err := llvm(0, 0)
	if err != nil {
		t.Fatal(err)
	}
	for c := range 2 {
		if n := mat.Norm(inst.Truth().ColView(c), 2); n > llvmNorm || n < llvmNorm-.1 {
			t.Errorf("the means of objective %d of SW-LLVM have norm %v; want just below %v", c, n, llvmNorm)
		}
	}
	for size := range widthNames {
		inst, err := withWidth(size, 0)
		if err != nil {
			t.Fatal(err)
		}
		for c := range inst.Problem.D() {
			if n := mat.Norm(inst.Theta.ColView(c), 2); n > widthNorm {
				t.Errorf("%s: a parameter has norm %v, above %v", inst.Name, n, widthNorm)
			}
		}
	}
}

// Bounds equal numbers that were computed independently, and sums that are computed without shortcuts.
func TestBounds(t *testing.T) {
	for size, want := range []float64{.255003, .255003, 1} {
		inst, err := llvm(size, 0)
		if err != nil {
			t.Fatal(err)
		}
		if got := Accuracy(inst); math.Abs(got-want) > 1e-6 {
			t.Errorf("%s: Delta_eps is %v; want %v", llvmNames[size], got, want)
		}
	}
	c := policy.PFIwRConstants{Arms: 16, Features: 16, Objectives: 2, Delta: .1, P: .5, Norm: 1}
	if got, want := LowerBound(c, .5), 16./2*math.Log(40); math.Abs(got-want) > 1e-9 {
		t.Errorf("lower bound %v; want %v", got, want)
	}
	// With accuracy 5 beta_t, t pulls suffice and t - 1 pulls do not, except that the random phase always takes
	// 53,095 pulls.
	for _, n := range []int{60_000, 1_000_000, 30_000_000} {
		if got := NarrowAt(c, 5*c.Beta(n)); math.Abs(got-float64(n)) > 1 {
			t.Errorf("the width is narrow enough after %v pulls; want %d", got, n)
		}
	}
	if got := NarrowAt(c, 1e9); math.Abs(got-53095) > 1 {
		t.Errorf("any width is narrow enough after %v pulls; want the random phase, 53095", got)
	}
	// The explicit bound is sufficient for (28), because its terms are simplified upper bounds.
	for _, accuracy := range []float64{.05, .255, 1} {
		narrow, bound := NarrowAt(c, accuracy), SampleBound(c, accuracy)
		if !(bound >= narrow && bound < 10*narrow) {
			t.Errorf("accuracy %v: explicit bound %v; narrow enough after %v", accuracy, bound, narrow)
		}
	}
	for _, n := range []int{10, 5000, 50_000} {
		sum := 0.
		for s := 1; s <= n; s++ {
			if s <= 160 {
				sum += 2.6
			} else {
				sum += min(2.6, 2*.03*c.Beta(s-1))
			}
		}
		if got := RegretBound(c, .03, 2.6, 160, n); got < sum*(1-1e-12) || got > sum*(1+1e-3) {
			t.Errorf("%d pulls: regret bound %v; want %v", n, got, sum)
		}
	}
	if x := exponent(c, 1e6, 1e7); !(x > .4 && x < .8) {
		t.Errorf("the regret bound grows with exponent %v; want about one half and logarithms", x)
	}
	if d := Delta(mat.NewDense(2, 1, []float64{1, .25})); d != .75 {
		t.Errorf("Delta of two means is %v; want 0.75", d)
	}
}

// Regrets above 2 beta are counted only in runs of PFIwR with the calibrated width.
func TestPaperWidth(t *testing.T) {
	width, random := paperWidth(&policy.PFIwR{Delta: .1, Width: policy.PFIwRPaper, Norm: 1}, 16, 2)
	c := policy.PFIwRConstants{Arms: 16, Features: 16, Objectives: 2, Delta: .1, P: .5, Norm: 1}
	if random != 160 || width(500) != policy.PFIwRPaperScale*c.Beta(500) {
		t.Errorf("random phase %d, width %v", random, width(500))
	}
	for _, p := range []explore.Policy{new(policy.PFIwR), new(policy.APE)} {
		if width, _ := paperWidth(p, 16, 2); width != nil {
			t.Errorf("%v has a calibrated width", p)
		}
	}
	m := &betaMeter{regret: []float64{0, 3}}
	run := func(random int, arms ...int) float64 {
		*m = betaMeter{regret: m.regret}
		for i, a := range arms {
			if err := m.Record(explore.Event{
				Pulls:  i + 1,
				Obs:    []explore.Batch{{Pull: explore.Pull{Arm: a, N: 1}, Sum: []float64{0}}},
				Policy: new(policy.APE),
			}); err != nil {
				t.Fatal(err)
			}
			if i == 0 {
				m.width, m.random = func(t int) float64 { return 6 / float64(t+1) }, random
			}
		}
		return m.Values(nil, nil)[0]
	}
	// Before pulls 2, 3, 4 and 5, the threshold 2 beta is 6, 4, 3 and 2.4.
	if n := run(0, 1, 1, 1, 1, 1, 0, 1); n != 2 {
		t.Errorf("%v pulls above 2 beta; want 2", n)
	}
	if n := run(5, 1, 1, 1, 1, 1, 0, 1); n != 1 {
		t.Errorf("%v pulls above 2 beta after 5 random ones; want 1", n)
	}
}
