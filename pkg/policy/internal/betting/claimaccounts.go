package betting

import (
	"math"
	"slices"
)

// ClaimAccounts bets against several hypotheses for each item. Each bet belongs to an atom, which
// is an inequality that may be a part of a claim. Add records a bet with the outcome s and the
// information q. If the atom's hypothesis is true, the expectation of exp(l s - l^2 q/2), given
// earlier results, must be at most 1 for all l >= 0. Each claim about an item has a share of the
// capital. A claim is proved by its atoms, which are passed to Log.
//
// The shares of a later account depend only on earlier results. The shares of an account are fixed
// before the first bet of the account. Therefore, the total capital that supports false claims is a
// supermartingale with an initial value of at most 1.
type ClaimAccounts struct {
	shares
	s, q  []float64   // by atom: sums over all bets
	since [][]float64 // by account: s and q when the account opened
	// If bets are added by Grow, grown contains the logarithm of the value of one unit, by multiple
	// and atom: the current value, and the value when each account opened. Otherwise, grown is nil.
	grown [][]float64
	then  [][]float64
	logN  float64 // logarithm of the number of accounts
}

// A Group consists of the atoms from At to At + N - 1, for example the atoms that compare an item
// with one rival in each objective. The value of a group is the smallest value of its atoms. If a
// group is capped, the value of one unit is at most 1.
type Group struct {
	At, N  int
	Capped bool
}

// Init removes all accounts and opens the first account, in which all claims about an item have
// equal shares.
func (b *ClaimAccounts) Init(atoms, items, claims, beside int, decided func(item int) bool) {
	*b = ClaimAccounts{shares: shares{claims: claims, beside: beside},
		s: make([]float64, atoms), q: make([]float64, atoms)}
	b.Open(make([]Stated, items), decided)
}

// Growing prepares the accounts for bets added by Grow. Call Growing before the first call of Grow.
func (b *ClaimAccounts) Growing() {
	for range multiple {
		b.grown = append(b.grown, make([]float64, len(b.s)))
	}
	b.then = append(b.then[:0], slices.Concat(b.grown...))
}

// Open opens an account whose shares depend on the stated claims.
func (b *ClaimAccounts) Open(stated []Stated, decided func(item int) bool) {
	b.shares.open(stated, decided)
	b.logN = math.Log(float64(len(b.part)))
	n := len(b.s)
	at := make([]float64, 2*n)
	copy(at, b.s)
	copy(at[n:], b.q)
	b.since = append(b.since, at)
	if b.grown != nil {
		b.then = append(b.then, slices.Concat(b.grown...))
	}
}

// Accounts returns the number of accounts.
func (b *ClaimAccounts) Accounts() int { return len(b.since) }

// Add records a bet against the hypothesis of an atom, with the outcome s and the information q.
func (b *ClaimAccounts) Add(atom int, s, q float64) {
	b.s[atom] += s
	b.q[atom] += q
}

// Grow records a bet after which one unit on the multiple l is worth exp(growth(l)). If the atom's
// hypothesis is true, the expectation of exp(growth(l)) must be at most 1. The method Missing
// approximates growth(l) by l s - l^2 q/2.
func (b *ClaimAccounts) Grow(atom int, s, q float64, growth func(l float64) float64) {
	b.Add(atom, s, q)
	for k, l := range multiple {
		b.grown[k][atom] += growth(l)
	}
}

// grew returns the logarithm of the factor by which one unit of an atom on multiple k has grown
// since account a opened.
func (b *ClaimAccounts) grew(a, atom, k int) float64 {
	return b.grown[k][atom] - b.then[a][k*len(b.s)+atom]
}

// sums returns the sums of s and q over the bets on an atom since account a opened.
func (b *ClaimAccounts) sums(a, atom int) (s, q float64) {
	at := b.since[a]
	return b.s[atom] - at[atom], b.q[atom] - at[len(b.s)+atom]
}

// Log returns the logarithm of the capital with which bets support a claim. For each multiple, the
// mixture uses the minimum over the atoms of a group, so the capital is at most the capital of each
// single atom.
func (b *ClaimAccounts) Log(claim Claim, groups ...Group) float64 {
	var sum logSum
	for a := range b.since {
		start := b.start(a, claim)
		for k := range multiple {
			sum.add(start + logShare[k] + b.logs(a, groups, k))
		}
	}
	return sum.value()
}

// Proved reports whether the result of Log is at least the argument log. To save time, Proved calls
// Log only if simpler bounds leave the result open.
func (b *ClaimAccounts) Proved(claim Claim, log float64, groups ...Group) bool {
	bound, best := math.Inf(-1), 0
	for a := range b.since {
		x := b.start(a, claim)
		for _, g := range groups {
			x += b.most(a, g)
		}
		if x > bound {
			bound, best = x, a
		}
	}
	// A mixture over accounts is at most the number of accounts times the largest term, and the
	// weights of the multiples sum to 1.
	if bound+b.logN < log {
		return false
	}
	// The capital on a single multiple of one account may already reach the threshold.
	for k := most - 1; k <= most+1; k++ {
		if b.start(best, claim)+logShare[k]+b.logs(best, groups, k) >= log {
			return true
		}
	}
	return b.Log(claim, groups...) >= log
}

// logs returns the logarithm of the value of one unit in several groups, for account a and multiple
// k.
func (b *ClaimAccounts) logs(a int, groups []Group, k int) (x float64) {
	for _, g := range groups {
		x += b.log(a, g, k)
	}
	return x
}

// most returns an upper bound on log for a group, over all multiples.
func (b *ClaimAccounts) most(a int, g Group) float64 {
	if g.Capped {
		return 0
	}
	least := math.Inf(1)
	for i := range g.N {
		x := 0.
		if s, q := b.sums(a, g.At+i); b.grown != nil {
			for k := range multiple {
				x = max(x, b.grew(a, g.At+i, k))
			}
		} else if s > 0 && q > 0 {
			x = s * s / (2 * q)
		}
		least = min(least, x)
	}
	return least
}

// log returns the logarithm of the value of one unit in a group, for account a and multiple k.
func (b *ClaimAccounts) log(a int, g Group, k int) float64 {
	least, l := math.Inf(1), multiple[k]
	if g.Capped {
		least = 0
	}
	for i := range g.N {
		if b.grown != nil {
			least = min(least, b.grew(a, g.At+i, k))
			continue
		}
		s, q := b.sums(a, g.At+i)
		least = min(least, l*s-l*l*q/2)
	}
	return least
}

// Missing returns the additional information q that bets on an atom need until an account proves
// the claim, if their outcomes s equal q on average. The argument log is log(1/delta). The argument
// others contains the groups of the claim that do not contain the atom.
func (b *ClaimAccounts) Missing(claim Claim, log float64, atom int, others ...Group) float64 {
	least := math.Inf(1)
	for a := range b.since {
		s, q := b.sums(a, atom)
		for _, g := range others {
			worst, x, y := math.Inf(1), 0., 0.
			if g.Capped {
				worst = 0
			}
			for i := range g.N {
				if t, u := b.sums(a, g.At+i); t-u/2 < worst {
					worst, x, y = t-u/2, t, u
				}
			}
			s, q = s+x, q+y
		}
		least = min(least, missing(s, q, log-b.start(a, claim)))
	}
	return least
}
