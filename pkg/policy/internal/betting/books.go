package betting

import (
	"math"
	"slices"
)

// Books bet against many hypotheses of each item. A bet belongs to an atom: of each bet, Add is told s
// and q, for which E exp(l s - l^2 q/2) is at most 1 for all l >= 0 where the atom's hypothesis is
// true. A claim has a share of the capital, and it is proved from the atoms that Log is told.
//
// Shares of accounts that open later are what the past proposes. They are fixed before the
// first bet of their account, so that the sum of the capitals of false claims, in their shares, is a
// supermartingale that starts at 1 at most.
type Books struct {
	shares
	s, q  []float64   // by atom: sums over all bets
	since [][]float64 // by account: s and q when it opened
	// Of bets that were told to Grow: what one unit has become by now, by multiple and atom, and what it
	// was when each account opened, as logarithms. Nil where there are none.
	grown [][]float64
	then  [][]float64
	logN  float64 // that of the number of accounts
}

// A Group is the atoms from At to At + N - 1, which bet against one rival at a time: what counts is
// the least of them. Capped groups cannot win.
type Group struct {
	At, N  int
	Capped bool
}

// Init closes all accounts and opens the first, in which the claims of each item have the same share.
func (b *Books) Init(atoms, items, claims, beside int, decided func(item int) bool) {
	*b = Books{shares: shares{claims: claims, beside: beside}, s: make([]float64, atoms), q: make([]float64, atoms)}
	b.Open(make([]Stated, items), decided)
}

// Growing says that bets will be told to Grow. It is called before the first one.
func (b *Books) Growing() {
	for range multiple {
		b.grown = append(b.grown, make([]float64, len(b.s)))
	}
	b.then = append(b.then[:0], slices.Concat(b.grown...))
}

// Open opens an account that bets on what is stated.
func (b *Books) Open(stated []Stated, decided func(item int) bool) {
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

// Accounts returns how many there are.
func (b *Books) Accounts() int { return len(b.since) }

// Add takes the outcome of a bet against the hypothesis of an atom.
func (b *Books) Add(atom int, s, q float64) {
	b.s[atom] += s
	b.q[atom] += q
}

// Grow takes the outcome of a bet that has made of one unit that is staked on the multiple l the exponential
// of growth(l), which is at most 1 in expectation where the hypothesis is true. As far as Missing is
// concerned, it is growth(l) = l s - l^2 q/2.
func (b *Books) Grow(atom int, s, q float64, growth func(l float64) float64) {
	b.Add(atom, s, q)
	for k, l := range multiple {
		b.grown[k][atom] += growth(l)
	}
}

// grew returns what an atom has made of one unit on multiple k since account a opened.
func (b *Books) grew(a, atom, k int) float64 {
	return b.grown[k][atom] - b.then[a][k*len(b.s)+atom]
}

// sums returns s and q of an atom since account a opened.
func (b *Books) sums(a, atom int) (s, q float64) {
	at := b.since[a]
	return b.s[atom] - at[atom], b.q[atom] - at[len(b.s)+atom]
}

// Log returns the logarithm of the capital of a claim. The minimum over the atoms of a group is inside the
// mixture: it is then below the capital of any one of them.
func (b *Books) Log(claim Claim, groups ...Group) float64 {
	var sum logSum
	for a := range b.since {
		start := b.start(a, claim)
		for k := range multiple {
			sum.add(start + logShare[k] + b.logs(a, groups, k))
		}
	}
	return sum.value()
}

// Proved reports whether Log is log or more. It does not look at much where that is clear.
func (b *Books) Proved(claim Claim, log float64, groups ...Group) bool {
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
	// No mixture over accounts is more than their number times the largest, and over stakes the shares sum to 1.
	if bound+b.logN < log {
		return false
	}
	// One stake of one account may be enough.
	for k := most - 1; k <= most+1; k++ {
		if b.start(best, claim)+logShare[k]+b.logs(best, groups, k) >= log {
			return true
		}
	}
	return b.Log(claim, groups...) >= log
}

// logs is what groups have made of one unit in account a, on multiple k.
func (b *Books) logs(a int, groups []Group, k int) (x float64) {
	for _, g := range groups {
		x += b.log(a, g, k)
	}
	return x
}

// most is at least log for any multiple.
func (b *Books) most(a int, g Group) float64 {
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

// log is what a group has made of one unit in account a, on multiple k.
func (b *Books) log(a int, g Group, k int) float64 {
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

// Missing returns how much q is still to come, in bets of an atom whose s is q on average, until an
// account of the claim has 1/delta, whose logarithm is log. Others are the other groups of the claim.
func (b *Books) Missing(claim Claim, log float64, atom int, others ...Group) float64 {
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
