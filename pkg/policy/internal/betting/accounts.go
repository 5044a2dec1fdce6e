package betting

import (
	"math"
	"slices"
)

// The constant most is the largest k of the multiples l = 2^(k/2), k = -most, ..., most. A bet is a
// mixture over the multiples of its stake, with weights proportional to exp(-k^2/2). If a bet has
// the outcome s and the information q, one unit on the multiple l becomes exp(l s - l^2 q/2).
const most = 4

var multiple, logShare = func() (l, w [2*most + 1]float64) {
	sum := 0.
	for i := range l {
		k := float64(i - most)
		l[i], w[i] = math.Exp2(k/2), math.Exp(-k*k/2)
		sum += w[i]
	}
	for i := range w {
		w[i] = math.Log(w[i] / sum)
	}
	return l, w
}()

// First is the share of the capital that the first account gets. Account g + 1 gets a share 1/(g (g
// + 1)) of the remaining capital, so the shares of all accounts sum to at most 1.
const First = .8

// Accounts bet against one hypothesis for each item. Add records a bet with the outcome s and the
// information q. If the hypothesis is true, the expectation of exp(l s - l^2 q/2), given earlier
// results, must be at most 1 for all l >= 0. The capital against a true hypothesis is then a
// supermartingale with an initial value of at most 1, which reaches 1/delta with probability at
// most delta (Ville's inequality).
//
// A later account starts without earlier bets, so it need not win back early losses. Each account
// stores two numbers per item and, if bets are added by Grow, a further number per item and
// multiple.
type Accounts struct {
	total   float64     // initial capital of all accounts
	s, q    []float64   // sums over all bets, by item
	since   [][]float64 // by account: s of all items, then q of all items, when the account opened
	capital []float64   // by account: the logarithm of its capital
	// If bets are added by Grow, grown contains the logarithm of the value of one unit, by item and
	// multiple: the current value, and the value when each account opened. Otherwise, grown is nil.
	grown [2*most + 1][]float64
	then  [][]float64
	first []float64 // by item: the logarithm of the value of one unit of the first account, set by Begin; nil means 0
}

// Init removes all accounts and opens the first account for n items. The argument total is the
// initial capital of all accounts.
func (a *Accounts) Init(n int, total float64) {
	*a = Accounts{total: total, s: make([]float64, n), q: make([]float64, n)}
	a.Open()
}

// Begin records a bet that precedes all other bets. For each item, the argument log contains the
// logarithm of the value of one unit of the first account after the first bet. If the item's
// hypothesis is true, the value of one unit must have an expectation of at most 1.
func (a *Accounts) Begin(log []float64) { a.first = log }

// start returns the logarithm of the initial capital of account g for item i.
func (a *Accounts) start(g, i int) float64 {
	if g == 0 && a.first != nil {
		return a.capital[0] + a.first[i]
	}
	return a.capital[g]
}

// Open opens a new account for each item.
func (a *Accounts) Open() {
	g := float64(len(a.capital))
	c := First
	if g > 0 {
		c = (1 - First) / (g * (g + 1))
	}
	a.capital = append(a.capital, math.Log(c*a.total))
	n := len(a.s)
	at := make([]float64, 2*n)
	copy(at, a.s)
	copy(at[n:], a.q)
	a.since = append(a.since, at)
	a.then = append(a.then, slices.Concat(a.grown[:]...))
}

// Add records a bet against the hypothesis of item i, with the outcome s and the information q.
func (a *Accounts) Add(i int, s, q float64) {
	a.s[i] += s
	a.q[i] += q
}

// Grow records a bet after which one unit on the multiple l is worth exp(growth(l)). If the
// hypothesis of item i is true, the expectation of exp(growth(l)) must be at most 1. The method
// Missing approximates growth(l) by l s - l^2 q/2. Callers may use Add or Grow, but not both.
func (a *Accounts) Grow(i int, s, q float64, growth func(l float64) float64) {
	a.Add(i, s, q)
	for k, l := range multiple {
		if a.grown[k] == nil {
			a.grown[k] = make([]float64, len(a.s))
		}
		a.grown[k][i] += growth(l)
	}
}

// Log returns the logarithm of the capital against the hypothesis of item i, if it
// is not below the argument least. Otherwise, Log may return any number below least.
func (a *Accounts) Log(i int, least float64) float64 {
	n := len(a.s)
	if a.grown[0] != nil {
		return a.logGrown(i)
	}
	// Bets with the sums s and q multiply the capital of an account by at most exp(s^2/(2q)), and
	// the shares of the accounts sum to at most 1.
	bound := math.Inf(-1)
	for g, at := range a.since {
		x := a.start(g, i) - a.capital[g]
		if s, q := a.s[i]-at[i], a.q[i]-at[n+i]; s > 0 && q > 0 {
			x += s * s / (2 * q)
		}
		bound = max(bound, x)
	}
	if bound < least {
		return bound
	}
	var sum logSum
	for g, at := range a.since {
		s, q := a.s[i]-at[i], a.q[i]-at[n+i]
		for k, l := range multiple {
			sum.add(a.start(g, i) + logShare[k] + l*s - l*l*q/2)
		}
	}
	return sum.value()
}

// logGrown implements Log for bets added by Grow.
func (a *Accounts) logGrown(i int) float64 {
	var sum logSum
	n := len(a.s)
	for g, then := range a.then {
		for k := range multiple {
			x := a.grown[k][i]
			if len(then) > 0 {
				x -= then[k*n+i]
			}
			sum.add(a.start(g, i) + logShare[k] + x)
		}
	}
	return sum.value()
}

// Missing estimates the information q that some account of item i still needs to reach 1/delta, if
// the sum s of the outcomes of further bets grows as fast as q. The argument log is log(1/delta).
// The estimate is slightly too large, to allow for the mixture and for chance.
func (a *Accounts) Missing(i int, log float64) float64 {
	n, least := len(a.s), math.Inf(1)
	for g, at := range a.since {
		x := missing(a.s[i]-at[i], a.q[i]-at[n+i], log-a.start(g, i))
		least = min(least, x)
	}
	return least
}

// reserve is added to the threshold, to allow for the mixture and for chance.
const reserve = 1.5

// missing returns the larger solution x of (s + x)^2 = 2 L (q + x), but at least a tenth of L, where
// L is log plus reserve.
func missing(s, q, log float64) float64 {
	l := log + reserve
	root := l*l - 2*l*s + 2*l*q
	if root < 0 {
		return .1 * l // the capital of the account already exceeds the threshold, so any value will do
	}
	return max(l-s+math.Sqrt(root), .1*l)
}

// A logSum accumulates the logarithm of a sum of exponentials.
type logSum struct{ most, sum float64 }

func (s *logSum) add(log float64) {
	switch {
	case s.sum == 0:
		s.most, s.sum = log, 1
	case log > s.most:
		s.sum = s.sum*math.Exp(s.most-log) + 1
		s.most = log
	case log > s.most-40: // terms below exp(-40) times the largest term are below the rounding error
		s.sum += math.Exp(log - s.most)
	}
}

func (s *logSum) value() float64 { return s.most + math.Log(s.sum) }
