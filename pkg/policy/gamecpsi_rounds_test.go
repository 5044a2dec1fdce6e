package policy

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/question"
)

// The first rounds are those computed by hand for two arms with means 1 and 0, no noise, sigma 1, tracking and the
// threshold log((1 + log t)/delta). The best response to proportions w moves both means to w_0, that is, by 1 - w_0
// and w_0.
//
//	t = 2, N = (1,1): w = (1/2, 1/2). h(4, 1/8) = log(8 (1 + 2 log 2)) = 2.949183,
//	      c = (5.898366, 5.898366). Both gain (1/2 + 2.428655)^2 = 8.577022. Pull arm 0:
//	      both lag by 1/2.
//	t = 3, N = (2,1): w = (1/2, 1/2). h(9, 1/27) = log(27 (1 + 2 log 3)) = 4.458120,
//	      c = (4.458120, 8.916240). Gains are 6.819546 and 12.152247. The mean gain is
//	      less than the larger one by half of their difference D. The rate is log 2/(D/2), and
//	      the next weights are (1, 4)/5. Pull arm 1: pulls minus proportions are (1, 0).
//	t = 4, N = (2,2): w = (1/5, 4/5). h(16, 1/64) = log(64 (1 + 2 log 4)) = 5.486645 = c.
//	      Gains are (0.8 + 2.342359)^2 = 9.874419 and 6.463588. Pull arm 1: pulls minus
//	      proportions are (2 - 1.2, 2 - 1.8). The next weights are 0.389 and 0.611.
//	t = 5, N = (2,3): pulls minus proportions are (2 - 1.589, 3 - 2.411). Pull arm 0.
func TestGameCPSIRoundsByHand(t *testing.T) {
	prob := &explore.Problem{Arms: 2, Sigma: 1, NormSigma: 1, Question: question.Pareto{}}
	p := &GameCPSI{Threshold: Heuristic{}, Track: true}
	if err := p.Init(prob, nil); err != nil {
		t.Fatal(err)
	}
	tell := func(arms ...int) {
		var obs []explore.Batch
		for _, i := range arms {
			obs = append(obs, explore.Batch{Pull: explore.Pull{Arm: i, N: 1}, Sum: []float64{1 - float64(i)}})
		}
		if err := p.Tell(obs); err != nil {
			t.Fatal(err)
		}
	}
	near := func(what string, got, want, tol float64) {
		t.Helper()
		if math.Abs(got-want) > tol {
			t.Errorf("t = %d, %s: %v; want %v", p.means.Pulls, what, got, want)
		}
	}
	tell(0, 1)
	near("c", p.bonus, 5.898366, 1e-6)
	near("gain 0", p.gain[0], 8.577022, 1e-6)
	near("gain 1", p.gain[1], 8.577022, 1e-6)
	near("weight", p.learner.Weights[0], .5, 1e-15)
	near("pull", float64(p.next), 0, 0)
	tell(0)
	near("gain 0", p.gain[0], 6.819546, 1e-6)
	near("gain 1", p.gain[1], 12.152247, 1e-6)
	near("weight", p.learner.Weights[0], .2, 1e-12)
	near("pull", float64(p.next), 1, 0)
	tell(1)
	near("gain 0", p.gain[0], 9.874419, 1e-6)
	near("gain 1", p.gain[1], 6.463588, 1e-6)
	near("weight", p.learner.Weights[0], .388988, 1e-6)
	near("pull", float64(p.next), 1, 0)
	tell(1)
	near("pull", float64(p.next), 0, 0)

	// With PrintedBonus, the bonus is half as large. Twice the noise halves the displacement in units of the noise.
	p.PrintedBonus = true
	loud := *prob
	loud.Sigma, loud.NormSigma = 1, 2
	if err := p.Init(&loud, nil); err != nil {
		t.Fatal(err)
	}
	tell(0, 1)
	near("printed c", p.bonus, 2.949183, 1e-6)
	near("gain", p.gain[0], math.Pow(.25+math.Sqrt(2.949183), 2), 1e-5)
}

// The stored bonus is at least the exact bonus 2 h(t^2, 1/t^3) after t pulls, and at most the exact bonus after t +
// t/8 pulls.
func TestGameCPSIBonus(t *testing.T) {
	prob := &explore.Problem{Arms: 3, Objectives: 2, Sigma: 1, Question: question.Pareto{}}
	p := new(GameCPSI)
	if err := p.Init(prob, nil); err != nil {
		t.Fatal(err)
	}
	h := func(t float64) float64 {
		return 2 * MixtureMartingales{}.Beta(Evidence{Delta: math.Pow(t, -3), Pulls: int(t * t),
			Rank: 6, LogDet: 6 * math.Log(t*t/3)})
	}
	for p.means.Pulls = 3; p.means.Pulls < 500; p.means.Pulls++ {
		at := float64(p.means.Pulls)
		if got := p.optimism(); got < h(at)*(1-1e-12) || got > h(at+math.Floor(at/8))*(1+1e-12) {
			t.Fatalf("t = %d: %v; want between %v and the value 1/8 later", p.means.Pulls, got, h(at))
		}
	}
}

// A stoppingTest computes the threshold rarely, and gives the same results as a test that computes the threshold after
// each pull.
func TestGate(t *testing.T) {
	for _, th := range []Threshold{Heuristic{}, MixtureMartingales{}, MixtureMartingales{Printed: true}} {
		var g stoppingTest
		g.init(th, 1, .1, 3, 2)
		passed := 0
		top := th.Beta(Evidence{Delta: .1, Pulls: 1000, Rank: 2, LogDet: math.Log(1000)})
		for n := 1; n < 1000; n++ {
			e := Evidence{Delta: .1, Pulls: n, Rank: 2, LogDet: math.Log(float64(n))}
			ratio := top * (1.01 - math.Abs(float64(n%37)-18)/50)
			got, want := g.exceeds(0, ratio, e), th.Beta(e)
			if got != (ratio > want) || g.beta(e) != want {
				t.Fatalf("%v, %d pulls, ratio %v: %v; threshold %v, want %v", th, n, ratio, got, g.beta(e), want)
			}
			if got {
				passed++
			}
		}
		if passed < 10 || passed > 990 {
			t.Errorf("%v: %d of 1000 passed: the test cannot see much", th, passed)
		}
	}
}

// The first rounds are those computed by hand for two arms with means 1 and 0, no noise and sigma 1. The best response
// to proportions w moves both means to w_0. The means move by 1 - w_0 and w_0, so the gradient g is ((1 - w_0)^2,
// w_0^2)/2.
//
//	t = 2, N = (1,1): w = (1/2, 1/2) and g = (1/8, 1/8), so w stays. No pull is forced: sqrt(2) - 1 < 1.
//	      Both arms are behind their sums (3/2, 3/2) by the same amount. Pull arm 0.
//	t = 3, N = (2,1): the same w; pulls minus sums are (0, -1). Pull arm 1.
//
// With the weights (4, 1)/5, g is (1/50, 8/25) with maximum 8/25. At t = 3, eta = sqrt(log 2/4)/(8/25) = 1.300866.
// The ratio of the weights becomes 4 exp(-0.3 eta) = 2.707524, and the weights 0.730278 and 0.269722.
func TestParetoTrackAndStopRoundsByHand(t *testing.T) {
	prob := &explore.Problem{Arms: 2, Sigma: 1, NormSigma: 1, Question: question.Pareto{}}
	p := new(ParetoTrackAndStop)
	if err := p.Init(prob, nil); err != nil {
		t.Fatal(err)
	}
	tell := func(arms ...int) {
		var obs []explore.Batch
		for _, i := range arms {
			obs = append(obs, explore.Batch{Pull: explore.Pull{Arm: i, N: 1}, Sum: []float64{1 - float64(i)}})
		}
		if err := p.Tell(obs); err != nil {
			t.Fatal(err)
		}
	}
	near := func(what string, got, want float64) {
		t.Helper()
		if math.Abs(got-want) > 1e-6 {
			t.Errorf("t = %d, %s: %v; want %v", p.means.Pulls, what, got, want)
		}
	}
	tell(0, 1)
	near("weight", p.weight[0], .5)
	near("most", p.most, .125)
	near("sum", p.aim[0], 1.5)
	near("pull", float64(p.next), 0)
	p.weight[0], p.weight[1], p.log[0], p.log[1] = .8, .2, math.Log(4), 0
	tell(0)
	near("most", p.most, .32)
	near("weight", p.weight[0], .730278)
	near("sum", p.aim[0], 2.230278)
	near("pull", float64(p.next), 1) // 1 - 1.769722 < 2 - 2.230278

	// An arm with at most sqrt(t) - 1 pulls is pulled by force. At t = 25, arm 1 has one pull and is pulled, although
	// the pulls of arm 0 are far behind the sum of its weights. After four more pulls of arm 1, no pull is forced, and
	// the next pull is of arm 0.
	for range 21 {
		tell(0)
	}
	p.aim[0] = 1e6
	tell(0)
	near("forced pull", float64(p.next), 1)
	tell(1, 1, 1, 1)
	near("free pull", float64(p.next), 0)
}

// The distribution function of the inverse Gaussian law of mean 1 and shape 1 is, at 1, equal to Phi(0) + e^2 Phi(-2)
// = 0.5 + 7.389056 * 0.02275013 = 0.668102. A sequential test with level a and variance u = 1 per pull takes 2 a pulls
// on average. If a second test is much faster, the mean of the later stopping time is that of the slower test. For two
// tests with equal u, the mean of the later stopping time is compared with the average over 400,000 pairs of draws
// (Michael, Schucany and Haas, 1976).
func TestExpectedMaximum(t *testing.T) {
	if p := inverseGaussian(1, 1, 1); math.Abs(p-.668102) > 1e-6 {
		t.Errorf("%v below the mean; want .668102", p)
	}
	a := math.Log(20)
	rnd := rand.New(rand.NewPCG(1, 2))
	draw := func() float64 {
		mean, shape, z := 2*a, a*a, rnd.NormFloat64()
		y := mean * z * z
		x := mean + mean/(2*shape)*(y-math.Sqrt(4*shape*y+y*y))
		if rnd.Float64() > mean/(mean+x) {
			x = mean * mean / x
		}
		return x
	}
	two := 0.
	const n = 400_000
	for range n {
		two += max(draw(), draw()) / n
	}
	for _, c := range []struct {
		u    []float64
		want float64
	}{{[]float64{1}, 2 * a}, {[]float64{50, 1e-3}, 100 * a}, {[]float64{3, 3}, 3 * two}} {
		if got := expectedMaximum(c.u, a); math.Abs(got-c.want) > .01*c.want {
			t.Errorf("%v: %v; want %v", c.u, got, c.want)
		}
	}
}

// The sum of squares of combined batches is known if it is known for every batch, in any order. For a batch of one
// reward, the square is always known. For a batch of several rewards, the sum of squares is known only if it is
// reported.
func TestAddSquares(t *testing.T) {
	one, told, mute := explore.Batch{Pull: explore.Pull{N: 1}, Sum: []float64{3}},
		explore.Batch{Pull: explore.Pull{N: 2}, Sum: []float64{3}, Squares: []float64{5}},
		explore.Batch{Pull: explore.Pull{N: 2}, Sum: []float64{3}}
	for _, x := range []struct {
		parts []explore.Batch
		want  float64 // 0 if not known
	}{
		{[]explore.Batch{one, one}, 18}, {[]explore.Batch{one, told}, 14}, {[]explore.Batch{told, one, told}, 19},
		{[]explore.Batch{mute}, 0}, {[]explore.Batch{mute, one}, 0}, {[]explore.Batch{one, mute, one}, 0},
	} {
		to, n := explore.Batch{Sum: []float64{0}, Squares: []float64{}}, 0
		for i := range x.parts {
			add(&to, &x.parts[i])
			n += x.parts[i].N
		}
		if to.N != n || to.Sum[0] != 3*float64(len(x.parts)) || (to.Squares == nil) != (x.want == 0) ||
			to.Squares != nil && to.Squares[0] != x.want {
			t.Errorf("%+v: %+v; want squares of %v", x.parts, to, x.want)
		}
	}
}
