package policy_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/polyhedron"
	"github.com/purexp/purexp/pkg/question"
)

// gaussian is a plain sampler of independent Gaussian rewards.
type gaussian struct {
	mu    *mat.Dense
	sigma float64
	rnd   *rand.Rand
}

func (g *gaussian) Sample(dst []explore.Batch, pulls []explore.Pull) ([]explore.Batch, error) {
	for _, p := range pulls {
		var b explore.Batch
		if len(dst) < cap(dst) {
			b = dst[:len(dst)+1][len(dst)]
		}
		mean := g.mu.RawRowView(p.Arm)
		if cap(b.Sum) < len(mean) {
			b.Sum = make([]float64, len(mean))
		}
		b.Pull, b.Sum = p, b.Sum[:len(mean)]
		n := float64(p.N)
		for c, m := range mean {
			b.Sum[c] = n*m + math.Sqrt(n)*g.sigma*g.rnd.NormFloat64()
		}
		dst = append(dst, b)
	}
	return dst, nil
}

// instance is a random constrained problem with so much noise that no policy
// finishes it within a benchmark.
func instance(k, d int, seed uint64) (*explore.Problem, *mat.Dense) {
	rnd := rand.New(rand.NewPCG(seed, 1))
	mu := mat.NewDense(k, d, nil)
	for i := range k {
		for c := range d {
			mu.Set(i, c, rnd.Float64())
		}
	}
	lower := make([]float64, d)
	for c := range lower {
		lower[c] = .3
	}
	region, err := polyhedron.AtLeast(lower, nil)
	if err != nil {
		panic(err)
	}
	return &explore.Problem{Arms: k, Objectives: d, Sigma: 1e4, NormSigma: 1e4,
		Question: question.FeasiblePareto{Region: region}}, mu
}

// roundsAfter makes the rounds of p up to so many pulls, a thousand at most, and returns what makes
// the next one. It starts p again when it has stopped.
func roundsAfter(b *testing.B, pulls int, p explore.Policy, prob *explore.Problem,
	s explore.Sampler) (round func()) {
	start := func() *explore.Session {
		ses, err := explore.NewSession(p, prob, nil)
		if err != nil {
			b.Fatal(err)
		}
		return ses
	}
	ses, done := start(), 0
	var obs []explore.Batch
	round = func() {
		pulls, err := ses.Ask()
		if err != nil {
			b.Fatal(err)
		}
		if len(pulls) == 0 {
			ses = start()
			return
		}
		obs, _ = s.Sample(obs[:0], pulls)
		if err := ses.Tell(obs); err != nil {
			b.Fatal(err)
		}
		for _, p := range pulls {
			done += p.N
		}
	}
	for n := 0; done < pulls && n < 1000; n++ {
		round()
	}
	return round
}
