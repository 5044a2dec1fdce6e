package policy_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policy"
	"github.com/purexp/purexp/pkg/polyhedron"
	"github.com/purexp/purexp/pkg/question"
	"github.com/purexp/purexp/pkg/radius"
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

func BenchmarkRound(b *testing.B) {
	for _, size := range []struct{ k, d int }{{5, 2}, {20, 3}, {259, 2}} {
		for _, p := range []explore.Policy{
			&policy.ECAPE{}, &policy.ECAPE{Radius: radius.Paper{}},
			&policy.ECAPE{Radius: radius.KaufmannKoolen{}},
			&policy.ConstrainedRacing{Radius: radius.Paper{}},
			&policy.Uniform{Radius: radius.Paper{}},
			&policy.TwoStage{Radius: radius.Paper{}},
			&policy.APE{Radius: radius.Paper{}}, &policy.APE{Radius: radius.KaufmannKoolen{}},
		} {
			_, unconstrained := p.(*policy.APE)
			b.Run(fmt.Sprintf("%T/%v/K=%d,d=%d", p, p, size.k, size.d), func(b *testing.B) {
				prob, mu := instance(size.k, size.d, 3)
				if unconstrained {
					prob.Question, prob.Sigma = question.Pareto{}, 10
				}
				benchmarkRounds(b, p, prob, &gaussian{mu, prob.Sigma, rand.New(rand.NewPCG(1, 2))})
			})
		}
	}
}

// benchmarkRounds times rounds of p, which is started again when it has stopped.
func benchmarkRounds(b *testing.B, p explore.Policy, prob *explore.Problem, s explore.Sampler) {
	round := roundsAfter(b, 0, p, prob, s)
	b.ReportAllocs()
	for b.Loop() {
		round()
	}
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

// BenchmarkManyArms is the first three rounds of a run with so many arms that all pairs would
// take 160 GB.
func BenchmarkManyArms(b *testing.B) {
	for _, p := range manyArms() {
		b.Run(fmt.Sprintf("%T", p), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				begin(b, p, 100_000)
			}
		})
	}
}

// No policy for unstructured arms keeps pairs: memory is proportional to K.
func TestManyArmsFit(t *testing.T) {
	const k, most = 5000, 1000 // bytes an arm; pairs would be 16 k
	for _, p := range manyArms() {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		begin(t, p, k)
		runtime.ReadMemStats(&after)
		if n := (after.TotalAlloc - before.TotalAlloc) / k; n > most {
			t.Errorf("%v: %d bytes an arm; want at most %d", p, n, most)
		}
	}
}

func manyArms() []explore.Policy {
	return []explore.Policy{&policy.ECAPE{}, &policy.ConstrainedRacing{}, &policy.Uniform{},
		&policy.TwoStage{}}
}

// begin makes the first three rounds of a run with k arms.
func begin(tb testing.TB, p explore.Policy, k int) {
	prob, mu := instance(k, 2, 3)
	prob.Sigma, prob.NormSigma = .1, .1
	s := &gaussian{mu, prob.Sigma, rand.New(rand.NewPCG(1, 2))}
	ses, err := explore.NewSession(p, prob, nil)
	if err != nil {
		tb.Fatal(err)
	}
	var obs []explore.Batch
	for range 3 {
		pulls, err := ses.Ask()
		if err != nil || len(pulls) == 0 {
			tb.Fatal(err)
		}
		obs, _ = s.Sample(obs[:0], pulls)
		if err := ses.Tell(obs); err != nil {
			tb.Fatal(err)
		}
	}
}
