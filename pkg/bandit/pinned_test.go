package bandit_test

import (
	"fmt"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/internal/golden"
	"github.com/purexp/purexp/pkg/bandit"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/seed"
)

// Rows are functions of these numbers: what each law draws for one reward, few, and more than 2^20,
// with the squares of each and without, in contexts and without, and again after a reset.
func TestRewardsStay(t *testing.T) {
	x := mat.NewDense(3, 2, []float64{1, 0, .5, .5, 0, 1})
	measured := mat.NewDense(6, 2, []float64{1, 2, 3, 5, 0, 1, 4, 4, 2, 2, 9, 8})
	arms := []int{0, 0, 1, 1, 2, 2}
	laws := map[string]bandit.Law{}
	put := func(name string, law bandit.Law, err error) {
		if err != nil {
			t.Fatal(err)
		}
		laws[name] = law
	}
	rates := mat.NewDense(3, 2, []float64{.2, 1, 0, .5, .9, .01})
	gaussian, err := bandit.NewGaussian(rates, mat.NewDense(2, 2, []float64{1, .4, .4, .5}))
	put("Gaussian", gaussian, err)
	flat, err := bandit.NewGaussian(rates, mat.NewDense(2, 2, []float64{1, 1, 1, 1}))
	put("Gaussian on a line", flat, err)
	bernoulli, err := bandit.NewBernoulli(rates)
	put("Bernoulli", bernoulli, err)
	poisson, err := bandit.NewPoisson(mat.NewDense(3, 2, []float64{.2, 11, 40, .5, 1000, .01}))
	put("Poisson", poisson, err)
	exact, err := bandit.NewExact(rates)
	put("exact", exact, err)
	for _, how := range []bandit.Coupling{bandit.Jointly, bandit.Separately} {
		r, err := bandit.NewResample(measured, arms, how)
		put(fmt.Sprint("resampled ", how), r, err)
	}
	contextual, err := bandit.NewContextual(x, mat.NewDense(2, 2, []float64{1, -1, .5, 2}), .3, .2)
	put("contextual", contextual, err)
	resampled, err := bandit.NewResampleContexts(measured, mat.NewDense(6, 2, []float64{1, 0, .9, .1, .5, .5,
		.4, .6, 0, 1, .1, .9}), arms)
	put("resampled contexts", resampled, err)
	var lines []string
	for name, law := range laws {
		for _, squares := range []bool{false, true} {
			s := bandit.NewSampler(law, seed.New(28))
			s.Squares = squares
			for round := range 3 {
				if round == 2 {
					s.Reset(seed.New(29))
				}
				if c, ok := law.(bandit.ContextLaw); ok && round > 0 {
					seen := mat.NewDense(3, c.H(), nil)
					if err := s.Contexts(seen); err != nil {
						t.Fatal(err)
					}
					lines = append(lines, fmt.Sprintf("%s, squares %v, %d, contexts: %s", name, squares, round,
						golden.Numbers(seen.RawMatrix().Data...)))
				}
				most := 1<<20 + 7
				if squares || name == "resampled contexts" {
					most = 40
				}
				obs, err := s.Sample(nil, []explore.Pull{{Arm: 2, N: 1}, {Arm: 0, N: 9}, {Arm: 1, N: 1},
					{Arm: 2, N: most}, {Arm: 1, N: 200}, {Arm: 0, N: 2}})
				if err != nil {
					t.Fatal(err)
				}
				for i, b := range obs {
					lines = append(lines, fmt.Sprintf("%s, squares %v, %d, batch %d: %d of %d: %s; %s", name, squares,
						round, i, b.N, b.Arm, golden.Numbers(b.Sum...), golden.Numbers(b.Squares...)))
				}
			}
		}
		if s, ok := law.(bandit.Scaled); ok {
			lines = append(lines, fmt.Sprintf("%s: %s", name, golden.Numbers(s.Sigma(), s.NormSigma())))
		}
	}
	golden.Digests(t, "pinned.txt", lines, golden.Kind)
}
