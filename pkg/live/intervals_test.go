package live

import (
	"math"
	"regexp"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/bandit"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policytest"
	"github.com/purexp/purexp/pkg/question"
	"github.com/purexp/purexp/pkg/radius"
)

// The intervals of all rounds are valid simultaneously: their error probabilities sum to delta. With n rewards of each
// of K arms in d objectives, a round adds 2 × K × d × exp(-n × (half/sigma)^2/2).
func TestIntervalsOfRoundsShareDelta(t *testing.T) {
	const delta, sigma, n = .1, 2., 5
	in := policytest.Gaussian("three", &explore.Problem{Arms: 3, Objectives: 2, Sigma: sigma,
		Question: question.Pareto{}}, mat.NewDense(3, 2, []float64{1, 0, 0, 1, 0, 0}))
	var obs []explore.Batch
	for i := range 3 {
		obs = append(obs, explore.Batch{Pull: explore.Pull{Arm: i, N: n}, Sum: make([]float64, 2)})
	}
	spent := 0.
	const rounds = 2000
	for r := 1; r <= rounds; r++ {
		v := ofRounds(&in, delta)
		v.record(explore.Event{Round: r, Obs: obs})
		v.update()
		x := v.half.At(0, 0) / sigma
		spent += 2 * 3 * 2 * math.Exp(-n*x*x/2)
	}
	if spent > delta || spent < delta*(1-2./rounds) {
		t.Errorf("%d rounds spend %v of %v", rounds, spent, delta)
	}
}

// Each arm keeps the narrowest interval of all rounds, with its centre.
func TestIntervalsOfRoundsKeepTheNarrowest(t *testing.T) {
	in := policytest.Gaussian("one", &explore.Problem{Arms: 1, Objectives: 1, Sigma: 1,
		Question: question.Best{}}, mat.NewDense(1, 1, nil))
	v := ofRounds(&in, .1)
	for r, n := range []int{4, 1000, 5} {
		v.record(explore.Event{Round: r + 1, Obs: []explore.Batch{
			{Pull: explore.Pull{N: n}, Sum: []float64{float64(n * r)}}}})
	}
	v.update()
	want := math.Sqrt(2 * math.Log(2*2*3/.1) / 1000)
	if c, h := v.centre.At(0, 0), v.half.At(0, 0); math.Abs(c-1) > 1e-9 || math.Abs(h-want) > 1e-9 {
		t.Errorf("%v within %v; want 1 within %v", c, h, want)
	}
}

// Intervals of ofRadius have the average rewards as centres. Their half-widths are the radius after all pulls.
func TestIntervalsOfRadius(t *testing.T) {
	in := policytest.Gaussian("two", &explore.Problem{Arms: 2, Objectives: 1, Sigma: 2,
		Question: question.Best{}}, mat.NewDense(2, 1, nil))
	v := ofRadius(&in, .1, radius.Theory{})
	for r, n := range [][2]int{{2, 1}, {3, 1}} {
		v.record(explore.Event{Round: r + 1, Obs: []explore.Batch{
			{Pull: explore.Pull{Arm: 0, N: n[0]}, Sum: []float64{3}}, {Pull: explore.Pull{Arm: 1, N: n[1]}, Sum: []float64{-1}}}})
	}
	v.update()
	bonus := radius.Theory{}.Bind(radius.Params{Arms: 2, Objectives: 1, Sigma: 2, NormSigma: 2, Delta: .1})
	factor, _ := bonus.Factors(7)
	for i, want := range [][2]float64{{6. / 5, factor * bonus.Mean(5)}, {-1, factor * bonus.Mean(2)}} {
		if got := [2]float64{v.centre.At(i, 0), v.half.At(i, 0)}; math.Abs(got[0]-want[0]) > 1e-12 || math.Abs(got[1]-want[1]) > 1e-12 {
			t.Errorf("arm %d: %v; want %v", i, got, want)
		}
	}
}

// Noise and its projections are sub-Gaussian with these scales: the standard deviation for independent Gaussian
// noise, and half of the range for successes (Hoeffding).
func TestScaleOfNoise(t *testing.T) {
	for want, noise := range map[float64]Noise{2: {Kind: "gaussian", SD: 2}, .5: {Kind: "bernoulli"}} {
		in := Instance{Arms: []string{"a", "b"}, Objectives: []string{"x", "y"}, Means: [][]float64{{.2, .7}, {1, 0}},
			Noise: noise, Question: Question{Kind: "pareto"}}
		b, err := in.build()
		if err != nil {
			t.Fatal(err)
		}
		if b.Problem.Sigma != want || b.Problem.SigmaU() != want {
			t.Errorf("%s: %v and %v; want %v", noise.Kind, b.Problem.Sigma, b.Problem.SigmaU(), want)
		}
	}
}

// Means that are not linear in the features are rejected, even if the deviation is small.
func TestFitIsExact(t *testing.T) {
	x := mat.NewDense(3, 2, []float64{1, 0, 1, 1, 1, 2})
	if theta, err := fit(x, mat.NewDense(3, 1, []float64{1, 3, 5})); err != nil || math.Abs(theta.At(1, 0)-2) > 1e-9 {
		t.Errorf("%v, %v", theta, err)
	}
	for _, off := range []float64{1e-3, .05, 1} {
		if _, err := fit(x, mat.NewDense(3, 1, []float64{1, 3 + off, 5})); err == nil || !regexp.MustCompile(`^means: the mean of arm 1 differs by [0-9.e-]+ from the closest linear model of the features; correct the means, or leave out the features$`).MatchString(err.Error()) {
			t.Errorf("off by %v: %v", off, err)
		}
	}
}

// norm returns the largest norm of the objectives in units of sigma, and at least 1.
func TestNorm(t *testing.T) {
	for _, c := range []struct {
		means []float64
		sigma float64
		want  float64
	}{{[]float64{3, .1, 4, .1}, 2, 2.5}, {[]float64{.1, 6, .1, 8}, 2, 5}, {[]float64{.3, .1, .4, .1}, 2, 1}} {
		law, err := bandit.NewExact(mat.NewDense(2, 2, c.means))
		if err != nil {
			t.Fatal(err)
		}
		in := &bandit.Instance{Problem: &explore.Problem{Arms: 2, Objectives: 2, Sigma: c.sigma}, Law: law}
		if got := norm(in); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%v by sigma %v: %v; want %v", c.means, c.sigma, got, c.want)
		}
	}
}
