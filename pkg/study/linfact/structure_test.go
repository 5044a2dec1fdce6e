package linfact

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/bandit"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/question"
	"github.com/purexp/purexp/pkg/study"
)

// pair returns an instance of two arms with one feature each and arbitrary means.
func pair(tb testing.TB, features, means [2]float64, epsilon float64) *bandit.Instance {
	tb.Helper()
	law, err := bandit.NewGaussian(mat.NewDense(2, 1, means[:]), mat.NewSymDense(1, []float64{1}))
	if err != nil {
		tb.Fatal(err)
	}
	return &bandit.Instance{Law: law, Problem: &explore.Problem{
		X: mat.NewDense(2, 1, features[:]), Sigma: 1,
		Question: question.AllEpsilonBest{Epsilon: epsilon},
	}}
}

// The limits are computed by hand. At the optimum, both arms have the same number of pulls, so both means move by
// half of the necessary distance.
func TestStructureLimit(t *testing.T) {
	for _, c := range []struct {
		name            string
		features, means [2]float64
		epsilon, want   float64
	}{
		// The second arm leaves the set at the means (3/2, -1/2), at distance 1/2 from the linear means (3/2, 0).
		{"epsilon 2", [2]float64{1, 0}, [2]float64{1, 0}, 2, .5},
		// The second arm leaves the set at (5/2, -3/2). L_mu is larger than the range of the means, 1.
		{"epsilon 4", [2]float64{1, 0}, [2]float64{1, 0}, 4, 1.5},
		// The second arm enters the set at the means (3/4, 1/4), at distance 1/4 from the linear means (1/2, 1/2).
		{"the same feature", [2]float64{1, 1}, [2]float64{1, 0}, .5, .25},
		// The second arm enters the set at the means (0.9, 0.1) = t * (1, -1) + (0.5, 0.5) for t = 0.4.
		{"opposite features", [2]float64{1, -1}, [2]float64{1, 0}, .8, .5},
	} {
		got, err := StructureLimit(pair(t, c.features, c.means, c.epsilon))
		if err != nil || math.Abs(got-c.want) > 1e-6 {
			t.Errorf("%s: %v, %v; want %v", c.name, got, err, c.want)
		}
	}
	// For arms without structure, any means are linear.
	six, err := SixArms()
	if err != nil {
		t.Fatal(err)
	}
	if got, err := StructureLimit(six); err != nil || got != 0 {
		t.Errorf("unit vectors: %v, %v; want 0", got, err)
	}
	bare := pair(t, [2]float64{1, 0}, [2]float64{1, 0}, 2)
	bare.Problem.X, bare.Problem.Arms = nil, 2
	if _, err := StructureLimit(bare); !errors.Is(err, explore.ErrQuestion) {
		t.Errorf("no features: %v", err)
	}
	on := pair(t, [2]float64{1, 0}, [2]float64{1, 0}, 1)
	if _, err := StructureLimit(on); !errors.Is(err, question.ErrThreshold) {
		t.Errorf("an arm on the threshold: %v", err)
	}
}

// gameValue returns the value of the game for two arms, by brute force on a grid. The value is the maximum over
// weights of the smallest cost of alternative means. Alternatives must be at most limit away from linear means.
func gameValue(in *bandit.Instance, limit float64) float64 {
	q := in.Problem.Question.(question.AllEpsilonBest)
	a, b := in.Problem.X.At(0, 0), in.Problem.X.At(1, 0)
	mu := in.Truth()
	both, best := len(q.Right(mu)), 0.
	const step = .01
	value := make([]float64, 41)
	for i := range value {
		value[i] = math.Inf(1)
	}
	for x := -3.; x <= 4; x += step {
		for y := -3.; y <= 4; y += step {
			if math.Abs(b*x-a*y)/(math.Abs(a)+math.Abs(b)) > limit+step/2 {
				continue
			}
			if len(q.Right(mat.NewDense(2, 1, []float64{x, y}))) == both &&
				(both == 2 || (x > y) == (mu.At(0, 0) > mu.At(1, 0))) {
				continue
			}
			dx, dy := x-mu.At(0, 0), y-mu.At(1, 0)
			for i := range value {
				w := float64(i) / float64(len(value)-1)
				value[i] = min(value[i], (w*dx*dx+(1-w)*dy*dy)/2)
			}
		}
	}
	for _, v := range value {
		best = max(best, v)
	}
	return best
}

// From L_mu on, the bound equals the bound without structure. Below L_mu, the bound is smaller.
func TestStructureLimitAgainstGames(t *testing.T) {
	rnd := rand.New(rand.NewPCG(5, 6))
	for trial := 0; trial < 6; {
		in := pair(t, [2]float64{rnd.NormFloat64(), rnd.NormFloat64()}, [2]float64{1, rnd.Float64()}, .2+2.5*rnd.Float64())
		gap := 1 - in.Truth().At(1, 0)
		epsilon := in.Problem.Question.(question.AllEpsilonBest).Epsilon
		if math.Abs(gap-epsilon) < .6 {
			continue // the grid is too coarse
		}
		limit, err := StructureLimit(in)
		if err != nil {
			t.Fatal(err)
		}
		if limit < .1 {
			continue
		}
		trial++
		free := gameValue(in, math.Inf(1))
		if v := gameValue(in, limit); v > 1.06*free {
			t.Errorf("%v, epsilon %v: at L_mu = %v the game is worth %v, without features %v", in.Problem.X, epsilon,
				limit, v, free)
		}
		if v := gameValue(in, .6*limit); v < 1.06*free {
			t.Errorf("%v, epsilon %v: at 0.6 L_mu = %v the game is worth %v, without features %v",
				in.Problem.X, epsilon,
				.6*limit, v, free)
		}
	}
}

// The computed distance from linear means is the smallest distance over a grid of parameters, up to the accuracy of
// the grid.
func TestFromLinear(t *testing.T) {
	rnd := rand.New(rand.NewPCG(7, 8))
	for range 20 {
		k := 2 + rnd.IntN(6)
		x, mu := mat.NewDense(k, 1, nil), make([]float64, k)
		for i := range mu {
			x.Set(i, 0, rnd.NormFloat64())
			mu[i] = rnd.NormFloat64()
		}
		got, err := fromLinear(x, mu)
		if err != nil {
			t.Fatal(err)
		}
		least := math.Inf(1)
		for theta := -20.; theta <= 20; theta += 1e-3 {
			most := 0.
			for i, m := range mu {
				most = max(most, math.Abs(m-theta*x.At(i, 0)))
			}
			least = min(least, most)
		}
		if got > least+1e-9 || got < least-5e-3 {
			t.Errorf("features %v, means %v: %v; by brute force %v", x, mu, got, least)
		}
	}
	if got, err := fromLinear(unitVectors(3), []float64{1, 2, 3}); err != nil || got != 0 {
		t.Errorf("unit vectors: %v, %v", got, err)
	}
}

func TestVerdictsOnStructure(t *testing.T) {
	one := func(epsilon float64) func() ([]*bandit.Instance, error) {
		return func() ([]*bandit.Instance, error) {
			in, err := TwoDirections(epsilon)
			return []*bandit.Instance{in}, err
		}
	}
	for epsilon, want := range map[float64]study.Outcome{2: study.Agrees, 4: study.Differs, 1: study.NotComparable} {
		if v := limited(one(epsilon))(nil); v.Outcome != want || v.Why == "" {
			t.Errorf("epsilon %v: %+v; want %v", epsilon, v, want)
		}
	}
	if v := limited(deviating)(nil); v.Outcome != study.Agrees {
		t.Errorf("instances of the experiment: %+v", v)
	}
}
