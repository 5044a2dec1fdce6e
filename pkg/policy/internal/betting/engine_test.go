package betting

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/floats"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/polyhedron"
)

// Nothing is known of the correlation of objectives: the scale of a combination is that of noise which
// agrees in all of them, unless the problem says that projections have less.
func TestNoise(t *testing.T) {
	for _, c := range []struct {
		prob   explore.Problem
		lambda []float64
		want   float64
	}{
		{explore.Problem{Arms: 2, Objectives: 2, Sigma: 1}, []float64{1, 1}, 4},
		{explore.Problem{Arms: 2, Objectives: 2, Sigma: 1}, []float64{1, -1}, 4},
		{explore.Problem{Arms: 2, Objectives: 2, Sigma: 2}, []float64{0, .5}, 1},
		{explore.Problem{Arms: 2, Objectives: 2, Sigma: 1, NormSigma: 1}, []float64{1, 1}, 2},
		{explore.Problem{Arms: 2, Objectives: 2, Sigma: 3, Sigmas: []float64{3, 1}}, []float64{1, 2}, 25},
	} {
		e := Engine{prob: &c.prob, Exact: [][]float64{nil, nil, {7, 8}}}
		// What is known has no noise.
		for _, lambda := range [][]float64{c.lambda, append(c.lambda, 5)} {
			if got := e.Noise(lambda); math.Abs(got-c.want) > 1e-12 {
				t.Errorf("%+v, %v: %v; want %v", c.prob, lambda, got, c.want)
			}
		}
	}
}

// Whatever happens, the shares of all claims sum to at most 1 in each account: that is what the proof rests
// on.
func TestSharesSumToOne(t *testing.T) {
	region, err := polyhedron.AtLeast([]float64{.3, .3}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for name, rules := range map[string]func() Rules{
		"near":  func() Rules { return &Near{Factor: 1, Offset: .2} },
		"front": func() Rules { return &Front{} },
		"feasible": func() Rules {
			return &Feasible{Region: region, Tolerance: []float64{.1, 0}, Slack: []float64{0, .1}}
		},
	} {
		d, accounts := 2, 0
		if name == "near" {
			d = 1
		}
		rnd := rand.New(rand.NewPCG(7, 1))
		for range 20 {
			prob := &explore.Problem{Arms: 5, Objectives: d, Sigma: .5}
			mean := make([]float64, 5*d)
			for i := range mean {
				mean[i] = rnd.Float64()
			}
			var e Engine
			if err := e.Init(prob, rules(), .1, nil); err != nil {
				t.Fatal(err)
			}
			for pulls := 0; !e.Over && pulls < 2000; {
				asked, err := e.Ask(nil)
				if err != nil {
					t.Fatal(err)
				}
				obs := make([]explore.Batch, len(asked))
				for k, p := range asked {
					obs[k] = explore.Batch{Pull: p, Sum: make([]float64, d)}
					for c := range d {
						obs[k].Sum[c] = float64(p.N)*mean[p.Arm*d+c] + .5*math.Sqrt(float64(p.N))*rnd.NormFloat64()
					}
					pulls += p.N
				}
				e.Tell(obs)
				if sum := floats.Sum(e.share); sum > 1+1e-9 || floats.Min(e.share) < 0 {
					t.Fatalf("%s: shares %v sum to %v", name, e.share, sum)
				}
			}
			accounts += e.Books.Accounts()
		}
		if accounts < 30 {
			t.Errorf("%s: %d accounts in 20 runs; want some that opened later", name, accounts)
		}
	}
}
