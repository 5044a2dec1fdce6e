package policy

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/floats"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/question"
)

// Policies that follow proportions owe as many pulls as they have learned of and planned, however many
// results come at once, asked for or not: proportions that are counted less fall behind the pulls, and
// those that are counted more run ahead. Fractions of a pull, one an arm at most, may be left for later.
func TestProportionsKeepCount(t *testing.T) {
	planned := func(pulls []explore.Pull) (n float64) {
		for _, p := range pulls {
			n += float64(p.N)
		}
		return n
	}
	good, front := question.AllEpsilonBest{Epsilon: .1}, question.Pareto{}
	game, track := &AllEpsilonGame{Batch: .2}, &AllEpsilonTrackAndStop{Batch: .2}
	stop, play := &ParetoTrackAndStop{}, &GameCPSI{Track: true}
	for _, c := range []struct {
		name string
		p    explore.Open
		q    explore.Question
		owed func() float64

		fractions float64
	}{
		{"AllEpsilonGame", game, good, func() float64 { return floats.Sum(game.played) - planned(game.pulls) }, 3},
		{"AllEpsilonTrackAndStop", track, good, func() float64 { return floats.Sum(track.played) - planned(track.pulls) }, 3},
		{"ParetoTrackAndStop", stop, front, func() float64 { return floats.Sum(stop.aim) }, 0},
		{"GameCPSI", play, front, func() float64 { return floats.Sum(play.played) }, 0},
	} {
		prob := &explore.Problem{Arms: 3, Sigma: 1, NormSigma: 1, Question: c.q}
		if err := c.p.Init(prob, rand.NewPCG(1, 2)); err != nil {
			t.Fatal(err)
		}
		rnd := rand.New(rand.NewPCG(3, 4))
		learned, first := 0., math.NaN()
		for step := range 40 {
			pulls, err := c.p.More(nil, 3+5*min(step, 1), nil) // at first one of each arm
			if err != nil || len(pulls) == 0 {
				t.Fatalf("%s: step %d: %v, %v", c.name, step, pulls, err)
			}
			if step > 0 { // one unsolicited, and some late
				pulls = append(pulls[rnd.IntN(len(pulls)):], explore.Pull{Arm: rnd.IntN(3), N: 1})
			}
			var obs []explore.Batch
			for _, x := range pulls {
				obs = append(obs, explore.Batch{Pull: x, Sum: []float64{math.Sqrt(float64(x.N)) * rnd.NormFloat64()}})
			}
			learned += planned(pulls)
			if err := c.p.Learn(obs); err != nil {
				t.Fatal(err)
			}
			ahead := c.owed() - learned
			if step == 0 {
				first = ahead
			}
			if math.Abs(ahead-first) > c.fractions+1e-9*learned {
				t.Fatalf("%s: step %d: proportions are %v ahead of %v pulls; at first %v", c.name, step, ahead, learned,
					first)
			}
		}
	}
}

// A round of N rewards counts N times, in the proportions and in the gains of the learner of PSIPS.
func TestPSIPSRounds(t *testing.T) {
	prob := &explore.Problem{Arms: 3, Objectives: 2, Sigma: 2, NormSigma: 2, Question: question.Pareto{}}
	p := new(PSIPS)
	if err := p.Init(prob, rand.NewPCG(1, 2)); err != nil {
		t.Fatal(err)
	}
	rnd := rand.New(rand.NewPCG(3, 4))
	for step, n := range []int{1, 1, 5, 2, 40} {
		var obs []explore.Batch
		pulls := []explore.Pull{{Arm: step % 3, N: n}}
		if step == 0 {
			pulls = []explore.Pull{{Arm: 0, N: 1}, {Arm: 1, N: 1}, {Arm: 2, N: 1}}
		}
		for _, x := range pulls {
			scatter := 2 * math.Sqrt(float64(x.N))
			obs = append(obs, explore.Batch{Pull: x, Sum: []float64{scatter * rnd.NormFloat64(), scatter * rnd.NormFloat64()}})
		}
		before := floats.Sum(p.proportions)
		if err := p.Tell(obs); err != nil || p.over {
			t.Fatal(err, p.over)
		}
		if got := floats.Sum(p.proportions) - before; math.Abs(got-float64(n)) > 1e-9 {
			t.Errorf("step %d of %d rewards: the proportions grew by %v", step, n, got)
		}
		for i, gain := range p.gain {
			want := float64(n) * math.Pow(floats.Distance(p.posterior.Row(i), p.sample[2*i:][:2], 2), 2) / 8
			if math.Abs(gain-want) > 1e-9*want {
				t.Errorf("step %d of %d rewards: arm %d gains %v; want %v", step, n, i, gain, want)
			}
		}
	}
}
