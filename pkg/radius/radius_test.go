package radius_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/purexp/purexp/pkg/radius"
)

// The values of CgG were computed independently, to the digits shown, by golden-section search with 200 steps and 16
// digits.
func TestCgG(t *testing.T) {
	for _, c := range []struct{ x, want float64 }{
		{0, 1.416904026}, {0.1, 1.526728115}, {0.5, 1.964123589}, {1, 2.507094547},
		{2, 3.582930245},
		{5, 6.75732006}, {10, 11.95464626}, {20, 22.20325264}, {50, 52.58887959},
		{100, 102.9072738},
	} {
		if got := radius.CgG(c.x); !(math.Abs(got-c.want) <= 6e-10*math.Max(1, 10*c.want)) {
			t.Errorf("CgG(%v) = %.9f; want %.9f", c.x, got, c.want)
		}
	}
	for _, x := range []float64{-1e-9, -1, math.Inf(-1)} {
		if got := radius.CgG(x); got != radius.CgG(0) {
			t.Errorf("CgG(%v) = %v; want %v, that of 0", x, got, radius.CgG(0))
		}
	}
	for x := 0.; x < 1e5; x = 1.3*x + .1 {
		if got, next := radius.CgG(x), radius.CgG(1.3*x+.1); next <= got || got < x {
			t.Fatalf("CgG(%v) = %v, CgG(%v) = %v; want an increasing function above the identity", x, got, 1.3*x+.1, next)
		}
	}
}

var params = radius.Params{Arms: 5, Objectives: 2, Sigma: .5, NormSigma: .7, Delta: .1}

// One half-width of each radius is computed by hand, at t = 1000, N_i = 100 and N_j = 400.
func TestByHand(t *testing.T) {
	// For Theory, f = log(4*2*5*2*1000^3/0.1) = log(8e11) and g = 4 log(4*2*5*25*1e9/0.1) = 4 log(1e13).
	f, g := math.Log(8e11), 4*math.Log(1e13)
	// For Paper, L = log(log(1000)/0.1).
	l := math.Log(math.Log(1000) / .1)
	for _, c := range []struct {
		r                radius.Radius
		mean, pair, norm float64
	}{
		{radius.Theory{}, .5 * math.Sqrt(2*f/100), .5 * (math.Sqrt(2*f/100) + math.Sqrt(2*f/400)),
			.7 * math.Sqrt(2*g/100)},
		{radius.Theory{Gaussian: true}, .5 * math.Sqrt(2*f/100),
			.5 * (math.Sqrt(2*f/100) + math.Sqrt(2*f/400)),
			.7 * (math.Sqrt2 + math.Sqrt(2*math.Log(4e11))) / 10},
		{radius.Paper{}, .5 * math.Sqrt(2*l/100), math.Sqrt(.25*2*l/100 + .25*2*l/400),
			.7 * math.Sqrt(2*l/100)},
		{radius.Paper{Gaussian: true}, .5 * math.Sqrt(2*l/100),
			math.Sqrt(.25*2*l/100 + .25*2*l/400), .7 * (math.Sqrt2 + math.Sqrt(2*l)) / 10},
		{radius.KaufmannKoolen{},
			.5 * math.Sqrt(2./100*(radius.CgG(math.Log(200))+2*math.Log(4+math.Log(100)))),
			2 * .5 * math.Sqrt((1./100+1./400)*
				(radius.CgG(math.Log(400)/2)+math.Log(4+math.Log(100))+math.Log(4+math.Log(400)))),
			.7 * math.Sqrt(2*2./100*(radius.CgG(math.Log(100)/2)+2*math.Log(4+math.Log(100))))},
		// The arguments of the logarithms are 5 * 4 * 2/0.1 (pairs), 2 * 5 * 2/0.1 (means), 2 * 5/0.1 (norms) and 1 +
		// N/16.
		{radius.Mixture{}, .5 * math.Sqrt(2*.0116*(math.Log(200)+math.Log(7.25)/2)),
			.5 * math.Sqrt(2*(.0116+.0026)*(math.Log(400)+math.Log(7.25)/2+math.Log(26)/2)),
			.7 * math.Sqrt(2*.0116*(math.Log(100)+math.Log(7.25)))},
		{radius.Mixture{Rewards: 100}, .5 * math.Sqrt(.04*(math.Log(200)+math.Ln2/2)),
			.5 * math.Sqrt(2*(.02+.003125)*(math.Log(400)+math.Ln2/2+math.Log(5)/2)),
			.7 * math.Sqrt(.04*(math.Log(100)+math.Ln2))},
		// The numbers are 2 C, log(1 + log 100) and log(1 + log 400), where 2 C = L + 2 log(L/2) and L = log 10.
		{radius.Code{}, .5 * math.Sqrt((2.584355622370067+2*1.7236894193081456)/100),
			.5 * math.Sqrt(2*.0125*(2.584355622370067+1.7236894193081456+1.9446900546295833)),
			.7 * math.Sqrt(2*(2.584355622370067+2*1.7236894193081456)/100)},
	} {
		b := c.r.Bind(params)
		fp, fn := b.Factors(1000)
		for _, v := range []struct {
			name      string
			got, want float64
		}{{"mean", fp * b.Mean(100), c.mean},
			{"pair", fp * b.Pair(b.Term(100), b.Term(400)), c.pair},
			{"norm", fn * b.Norm(100), c.norm}} {
			if !(math.Abs(v.got-v.want) <= 1e-12) {
				t.Errorf("%v: %s half-width %v; want %v", c.r, v.name, v.got, v.want)
			}
		}
	}
}

// The test computes the union bound of the theorem. The probability that some interval ever fails is at most the
// sum over times t and counts n <= t of
//
//	means: K d 2 exp(-n beta^2 / (2 sigma^2))
//	norms: K 5^d exp(-n U^2 / (8 sigma_u^2))           (covering by a half-net)
//	       K exp(-(sqrt(n) U/sigma_u - sqrt(d))^2 / 2) (Gaussian rewards)
//
// and must not exceed delta. Terms decrease as t^(1-alpha), so the sum of the terms after T is below T/(alpha-2) times
// the term at T.
func TestTheoryUnionBound(t *testing.T) {
	for _, r := range []radius.Theory{{}, {Alpha: 2.5}, {Alpha: 4}, {Gaussian: true}, {Alpha: 2.5, Gaussian: true}} {
		if err := r.Validate(); err != nil {
			t.Fatal(err)
		}
		for _, p := range []radius.Params{params,
			{Arms: 2, Objectives: 1, Sigma: 1, NormSigma: 1, Delta: .5},
			{Arms: 500, Objectives: 4, Sigma: 2, NormSigma: 4, Delta: 1e-6}} {
			b := r.Bind(p)
			k, d := float64(p.Arms), float64(p.Objectives)
			var sum, last float64
			const T = 20000
			for t := 1; t <= T; t++ {
				fp, fn := b.Factors(t)
				// Half-widths have the form c/sqrt(n).
				mean, norm := fp*b.Mean(1)/p.Sigma, fn*b.Norm(1)/p.NormSigma
				tail := k * math.Pow(5, d) * math.Exp(-norm*norm/8)
				if r.Gaussian {
					tail = k * math.Exp(-math.Pow(norm-math.Sqrt(d), 2)/2)
				}
				last = float64(t) * (2*k*d*math.Exp(-mean*mean/2) + tail)
				sum += last
			}
			alpha := r.Alpha
			if alpha == 0 {
				alpha = 3
			}
			sum += last * T / (alpha - 2)
			if sum > p.Delta {
				t.Errorf("%v, %+v: failure probability up to %v > delta", r, p, sum)
			}
			if sum < p.Delta/20 {
				t.Errorf("%v, %+v: failure probability at most %v; delta is wasted", r, p, sum)
			}
		}
	}
}

func ExampleRadius() {
	p := radius.Params{Arms: 5, Objectives: 2, Sigma: 0.5, NormSigma: 0.5, Delta: 0.1}
	for _, r := range []radius.Radius{radius.Theory{}, radius.KaufmannKoolen{}, radius.Paper{}, radius.Code{}} {
		b := r.Bind(p)
		pair, norm := b.Factors(20_000)
		fmt.Printf("%-15v  pair ± %.3f  distance ± %.3f\n", r, pair*b.Pair(b.Term(4000), b.Term(4000)), norm*b.Norm(4000))
	}
	// Output:
	// theory           pair ± 0.135  distance ± 0.140
	// Kaufmann-Koolen  pair ± 0.070  distance ± 0.047
	// paper            pair ± 0.034  distance ± 0.024
	// code             pair ± 0.042  distance ± 0.030
}
