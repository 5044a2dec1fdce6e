package betting

import (
	"math"
	"slices"
)

// A bet has a stake l S - l^2 Q/2 for each of these multiples l of what was expected, in these
// proportions: l = 2^(k/2) and exp(-k^2/2) for k = -most, ..., most.
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

// First is the share of the capital that is staked from the beginning. Of the rest, account g +
// 1 gets 1/(g (g + 1)), so that all of them together have at most 1.
const First = .8

// Accounts bet against one hypothesis an item. Of each bet, Add is told s and q, for which
// E exp(l s - l^2 q/2) is at most 1 for all l >= 0 where the hypothesis is true, whatever came
// before. The capital of an item is then a supermartingale that starts at 1 at most, and it
// reaches 1/delta with a probability of at most delta (Ville).
//
// Accounts that open later know nothing of bets before: what early bets lost, when nothing was
// known, does not have to be won back. It keeps n numbers for each account
// that was opened.
type Accounts struct {
	total   float64     // capital of all accounts
	s, q    []float64   // sums over all bets, by item
	since   [][]float64 // by account: s and q when it opened, 2 n numbers
	capital []float64   // by account: the logarithm of its capital
	// Bets that were told to Grow: what one unit has become by now, by item and multiple, and what
	// it was when each account opened, as logarithms. Nil as long as there are none.
	grown [2*most + 1][]float64
	then  [][]float64
}

// Init closes all accounts and makes those of n items, with a capital of total in all. The first
// is open.
func (a *Accounts) Init(n int, total float64) {
	*a = Accounts{total: total, s: make([]float64, n), q: make([]float64, n)}
	a.Open()
}

// Open opens an account an item.
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

// Add takes the outcome of a bet against the hypothesis of item i.
func (a *Accounts) Add(i int, s, q float64) {
	a.s[i] += s
	a.q[i] += q
}

// Grow takes the outcome of a bet against the hypothesis of item i that has made of one unit that
// is staked on the multiple l the exponential of growth(l), which is at most 1 in expectation where
// the hypothesis is true. As far as Missing is concerned, it is growth(l) = l s - l^2 q/2. Accounts
// have bets of this kind or of that of Add, not both.
func (a *Accounts) Grow(i int, s, q float64, growth func(l float64) float64) {
	a.Add(i, s, q)
	for k, l := range multiple {
		if a.grown[k] == nil {
			a.grown[k] = make([]float64, len(a.s))
		}
		a.grown[k][i] += growth(l)
	}
}

// Log returns the logarithm of the capital that has bet against the hypothesis of item i, if it
// is least or more; otherwise something below least.
func (a *Accounts) Log(i int, least float64) float64 {
	n := len(a.s)
	if a.grown[0] != nil {
		return a.logGrown(i)
	}
	// No bet with these sums has a factor above exp(s^2/(2q)), and shares sum to 1 at most.
	bound := math.Inf(-1)
	for _, at := range a.since {
		if s, q := a.s[i]-at[i], a.q[i]-at[n+i]; s > 0 && q > 0 {
			bound = max(bound, s*s/(2*q))
		}
	}
	if bound < least {
		return bound
	}
	var sum logSum
	for g, at := range a.since {
		s, q := a.s[i]-at[i], a.q[i]-at[n+i]
		for k, l := range multiple {
			sum.add(a.capital[g] + logShare[k] + l*s - l*l*q/2)
		}
	}
	return sum.value()
}

// logGrown is Log for bets that were told to Grow.
func (a *Accounts) logGrown(i int) float64 {
	var sum logSum
	n := len(a.s)
	for g, then := range a.then {
		for k := range multiple {
			x := a.grown[k][i]
			if len(then) > 0 {
				x -= then[k*n+i]
			}
			sum.add(a.capital[g] + logShare[k] + x)
		}
	}
	return sum.value()
}

// Missing returns how much q is still to come, in bets whose s is q on average, until an account
// of item i has 1/delta, whose logarithm is log, with some more for chance.
func (a *Accounts) Missing(i int, log float64) float64 {
	n, least := len(a.s), math.Inf(1)
	for g, at := range a.since {
		x := missing(a.s[i]-at[i], a.q[i]-at[n+i], log-a.capital[g])
		least = min(least, x)
	}
	return least
}

// reserve is what is asked for above the threshold: the price of the mixture, and of chance.
const reserve = 1.5

// missing returns the least x with (s + x)^2 >= 2 L (q + x), at least a tenth of L.
func missing(s, q, log float64) float64 {
	l := log + reserve
	root := l*l - 2*l*s + 2*l*q
	if root < 0 {
		return .1 * l // any x will do
	}
	return max(l-s+math.Sqrt(root), .1*l)
}

// A logSum is the logarithm of a sum of exponentials.
type logSum struct{ most, sum float64 }

func (s *logSum) add(log float64) {
	switch {
	case s.sum == 0:
		s.most, s.sum = log, 1
	case log > s.most:
		s.sum = s.sum*math.Exp(s.most-log) + 1
		s.most = log
	case log > s.most-40: // what is less is lost in rounding
		s.sum += math.Exp(log - s.most)
	}
}

func (s *logSum) value() float64 { return s.most + math.Log(s.sum) }
