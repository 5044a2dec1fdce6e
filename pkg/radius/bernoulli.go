package radius

import (
	"fmt"
	"math"
)

// A Local bonus is narrower where the mean of rewards is near an end of their range. What a [Bonus]
// gives by counts alone holds for it, too.
type Local interface {
	Bonus
	// Around returns beta_i / factor for an arm with n pulls whose rewards have this mean.
	Around(n int, mean float64) float64
}

// A Ranged bonus is about rewards in a range, and worth nothing for others.
type Ranged interface {
	Bonus
	// Within reports whether rewards of an objective from lo to hi are in the range.
	Within(lo, hi float64) bool
	// Range says it in words, for rewards that are scale times those of the bonus.
	Range(scale float64) string
}

// Bernoulli is the radius for successes and failures: rewards of 0 or R, R being 2 Params.Sigma, or
// any between the two. After N rewards with the sum s R it is what the rates q of the interval
//
//	s log(1/q) + (N - s) log(1/(1 - q)) + log(B(s + 1/2, N - s + 1/2) / pi) < log(K d / delta)
//
// have as their largest distance from s/N, B being the beta function. The left side is the
// logarithm of a mixture of likelihood ratios, with the weights of Krichevsky and Trofimov ("The
// performance of universal encoding", 1981). If the rate is q, the mixture is a supermartingale
// that starts at 1 (also for rewards between 0 and R, whose likelihood ratio is a convex function
// of the reward and so below its chord, as in Hoeffding's bound); it reaches K d/delta at any time
// with probability delta/(K d) at most, by Ville's inequality. This is a confidence sequence by
// betting (Waudby-Smith and Ramdas, "Estimating means of bounded random variables by betting", JRSS
// B 2024): it replaces half the range by the deviation that the rate has, and all counts are
// covered by about log(N)/2.
//
//	beta_ij = beta_i + beta_j,     U_i = sqrt(d) beta_i.
//
// All hold at once with probability at least 1 - delta. Objectives that are minimised have rewards
// between -R and 0. The narrow intervals are for policies that ask for them ([Local]): those for
// feasible Pareto sets. Others take what counts alone allow, sqrt((log(2 K d / delta) + log(N)/2) /
// (2 N)) R.
type Bernoulli struct {
	// Trials is the number of independent trials whose successes a reward counts; R is then
	// 2 Params.Sigma sqrt(Trials). Zero means 1.
	Trials int
}

// String returns "Bernoulli".
func (r Bernoulli) String() string {
	if r.Trials > 1 {
		return fmt.Sprintf("Bernoulli, %d trials", r.Trials)
	}
	return "Bernoulli"
}

// Holds implements Holder.
func (Bernoulli) Holds() Noise { return Bounded }

// Bind implements Radius.
func (r Bernoulli) Bind(p Params) Bonus {
	t := math.Max(float64(r.Trials), 1)
	d := float64(p.Objectives)
	return bernoulli{trials: t, length: 2 * p.Sigma * math.Sqrt(t), root: math.Sqrt(d),
		log: math.Log(float64(p.Arms) * d / p.Delta)}
}

type bernoulli struct{ trials, length, root, log float64 }

func (b bernoulli) Factors(int) (pair, norm float64) { return 1, 1 }

func (b bernoulli) Mean(count int) float64 {
	// The mixture is at least 1/(2 sqrt(n)) of the largest likelihood.
	n := float64(count) * b.trials
	return b.length * math.Sqrt((b.log+math.Ln2+math.Log(n)/2)/(2*n))
}

func (b bernoulli) Term(n int) Term        { return Term{X: b.Mean(n)} }
func (b bernoulli) Pair(i, j Term) float64 { return i.X + j.X }
func (b bernoulli) Norm(n int) float64     { return b.root * b.Mean(n) }

func (b bernoulli) Around(count int, mean float64) float64 {
	n, p := float64(count)*b.trials, math.Min(math.Abs(mean)/b.length, 1)
	// The end towards 1/2 is the farther one.
	p = math.Min(p, 1-p)
	return b.length * math.Min(1, farther(n, p, b.log)-p)
}

// Within implements Ranged.
func (b bernoulli) Within(lo, hi float64) bool {
	near := 1e-9 * b.length
	return lo >= -near && hi <= b.length+near || hi <= near && lo >= -b.length-near
}

// Range implements Ranged.
func (b bernoulli) Range(scale float64) string {
	return fmt.Sprintf("between 0 and %v, or between %v and 0", scale*b.length, -scale*b.length)
}

// farther returns the larger rate q at which the mixture after n rewards of mean p <= 1/2 has the
// logarithm log.
func farther(n, p, log float64) float64 {
	s := n * p
	f := n - s
	ls, _ := math.Lgamma(s + .5)
	lf, _ := math.Lgamma(f + .5)
	ln, _ := math.Lgamma(n + 1)
	of := ls + lf - ln - math.Log(math.Pi) - log
	// The left side less the right one is convex. Newton's method comes down from above.
	lo, hi := p, 1.
	q := math.Min(p+math.Sqrt((log+math.Ln2+math.Log(n)/2)/(2*n)), 1-(1-p)/1024)
	for range 60 {
		v := of - f*math.Log1p(-q)
		if s > 0 {
			v -= s * math.Log(q)
		}
		slope := f/(1-q) - s/q
		if v > 0 {
			hi = q
		} else {
			lo = q
		}
		next := q - v/slope
		if !(next > lo && next < hi) {
			next = (lo + hi) / 2
		}
		if math.Abs(next-q) <= 1e-9*(q-p) {
			break
		}
		q = next
	}
	return math.Max(q, hi)
}
