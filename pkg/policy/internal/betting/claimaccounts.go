package betting

import (
	"math"
	"slices"
)

// ClaimAccounts bets against many hypotheses of each item. Each bet belongs to an atom, which is a
// single inequality that a claim may need. Add records the outcome s, q of a bet. If the atom's
// hypothesis is true, E exp(l s - l^2 q/2), given the past, must be at most 1 for all l >= 0. Each
// claim has a share of the capital. The atoms passed to Log prove the claim.
//
// The shares of later accounts are determined by past results. The shares of an account are fixed
// before its first bet. The capital of the false claims, weighted by their shares, is a
// supermartingale that starts at 1 at most.
type ClaimAccounts struct {
	shares
	s, q  []float64   // by atom: sums over all bets
	since [][]float64 // by account: s and q when the account opened
	// For bets added by Grow, grown contains the logarithm of the value of one unit, by multiple
	// and atom, now and at the opening of each account. Without bets added by Grow, grown is nil.
	grown [][]float64
	then  [][]float64
	logN  float64 // logarithm of the number of accounts
}

// A Group contains the atoms from At to At + N - 1, whose bets are about one rival at a time. Only
// the atom of a group with the least value counts. In a capped group, the value of one unit is at
// most 1.
type Group struct {
	At, N  int
	Capped bool
}

// Init closes all accounts and opens the first account, in which the claims of each item have equal
// shares.
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

// Open opens an account with shares for the stated claims.
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

// Add records the outcome s, q of a bet against the hypothesis of an atom.
func (b *ClaimAccounts) Add(atom int, s, q float64) {
	b.s[atom] += s
	b.q[atom] += q
}

// Grow records the outcome of a bet that turned one unit on the multiple l into exp(growth(l)). The
// expectation of exp(growth(l)) must be at most 1 if the atom's hypothesis is true. The method
// Missing treats growth(l) as l s - l^2 q/2.
func (b *ClaimAccounts) Grow(atom int, s, q float64, growth func(l float64) float64) {
	b.Add(atom, s, q)
	for k, l := range multiple {
		b.grown[k][atom] += growth(l)
	}
}

// grew returns the value of one unit of an atom on multiple k since account a opened.
func (b *ClaimAccounts) grew(a, atom, k int) float64 {
	return b.grown[k][atom] - b.then[a][k*len(b.s)+atom]
}

// sums returns the sums s and q of the bets on an atom since account a opened.
func (b *ClaimAccounts) sums(a, atom int) (s, q float64) {
	at := b.since[a]
	return b.s[atom] - at[atom], b.q[atom] - at[len(b.s)+atom]
}

// Log returns the logarithm of the capital of a claim. The mixture takes the minimum over the atoms
// of a group for each multiple, so the capital is below that of each atom.
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

// Proved reports whether Log is at least log, without computing Log if the result is clear.
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
	// shares of stakes sum to 1.
	if bound+b.logN < log {
		return false
	}
	// The value for a single multiple of one account may suffice.
	for k := most - 1; k <= most+1; k++ {
		if b.start(best, claim)+logShare[k]+b.logs(best, groups, k) >= log {
			return true
		}
	}
	return b.Log(claim, groups...) >= log
}

// logs returns the logarithm of the value of one unit in groups, in account a, on multiple k.
func (b *ClaimAccounts) logs(a int, groups []Group, k int) (x float64) {
	for _, g := range groups {
		x += b.log(a, g, k)
	}
	return x
}

// most returns an upper bound on the results of log for a group over all multiples.
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

// log returns the logarithm of the value of one unit in a group, in account a, on multiple k.
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

// Missing returns the amount of q that bets on an atom still need, with s equal to q on average,
// until an account of the claim reaches 1/delta. The argument log of Missing is log(1/delta). The
// argument others contains the groups of the claim without the atom.
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
