package betting

import (
	"cmp"
	"math"
	"slices"

	"github.com/purexp/purexp/pkg/policy/internal/memory"
)

// Near contains the betting rules for the question of all items whose mean is at least Factor times
// the largest mean, minus Offset. An item is near another item if its mean is at least Factor times
// the mean of the other item, minus Offset. Two contrary claims exist about an item: the item is
// near every other item, or the item is too far below a mixture of other items (a blend) to be near
// it.
type Near struct {
	Factor, Offset float64
	// By item: whether the item is proved too far below independently of other items or, at the
	// end, is not near.
	Dropped []bool

	n      int
	active []int
	ranked []int  // active items, the largest estimate first
	near   []bool // n x n: whether item i is proved to be near item j
	done   []bool // by item: whether the item is proved to be near every other item
	in     []bool // by item: whether the item is near according to the estimates
	staked []bool // by item: whether the phase has bets that the item is near another item
	below  []bool // by item: whether the item is proved too far below
}

// The following constants are the two opposite claims about an item.
const (
	isNear = iota
	isBad
	nearClaims
)

func (q *Near) beside(i, j int) Claim { return Claim{Item: i, Of: isNear, Beside: j} }

func (q *Near) bad(i int, sure bool) Claim { return Claim{Item: i, Of: isBad, Beside: -1, Sure: sure} }

// Atoms implements Rules: Near has an atom for each item, and an atom for each pair of items.
func (q *Near) Atoms(e *Engine) (atoms, claims int, over bool) {
	n := e.Model.N
	q.n, q.Dropped, q.near = n, make([]bool, n), make([]bool, n*n)
	q.active, q.in, q.below = memory.UpTo(nil, n), make([]bool, n), make([]bool, n)
	q.done, q.staked = make([]bool, n), make([]bool, n)
	return n + n*n, nearClaims, n == 1
}

// Best returns the item with the largest estimate among the remaining items.
func (q *Near) Best(e *Engine) int {
	best := q.active[0]
	for _, i := range q.active {
		if e.Mean(i)[0] > e.Mean(best)[0] {
			best = i
		}
	}
	return best
}

// Threshold returns the smallest estimate with which an item is near.
func (q *Near) Threshold(e *Engine) float64 { return q.Factor*e.Mean(q.Best(e))[0] - q.Offset }

var one = []float64{1}

// Lack implements Rules.
func (q *Near) Lack(e *Engine) {
	for _, i := range q.active {
		if !q.in[i] {
			if q.below[i] {
				continue
			}
			if t, ok := q.blend(e, i, &e.pooled); ok {
				e.Need(i, t, e.Accounts.Missing(q.bad(i, false), e.Log, i), e.pooled.at(&t, one)-q.Offset,
					e.Typical(&t, one))
			}
			continue
		}
		for _, j := range q.active {
			if i != j && !q.near[i*q.n+j] && q.in[j] {
				t := Sum(1, i, -q.Factor, j)
				e.Need(i, t, e.Accounts.Missing(q.beside(i, j), e.Log, q.n+i*q.n+j),
					e.pooled.at(&t, one)+q.Offset, e.Typical(&t, one))
			}
		}
	}
}

// Stake implements Rules. Stake also places bets on pairs of items that become relevant only in
// later phases.
func (q *Near) Stake(e *Engine) {
	for _, i := range q.active {
		if t, ok := q.blend(e, i, &e.own); ok {
			f := ExpectedGap(e.pooled.at(&t, one)-q.Offset, math.Sqrt(e.Typical(&t, one))*math.Sqrt(e.Spread(&t)))
			e.Bet(i, t, one, -q.Offset, f)
		}
		for _, j := range q.active {
			if q.in[i] && i != j && !q.near[i*q.n+j] && (q.in[j] || !q.below[j]) {
				t := Sum(1, i, -q.Factor, j)
				if !e.tells(&t) {
					continue
				}
				f := ExpectedGap(e.pooled.at(&t, one)+q.Offset, math.Sqrt(e.Typical(&t, one))*math.Sqrt(e.Spread(&t)))
				e.Bet(q.n+i*q.n+j, t, one, q.Offset, f)
				q.staked[i] = true
			}
		}
	}
}

// Idle implements Rules.
func (*Near) Idle(int) bool { return false }

// Stated implements Rules.
func (q *Near) Stated(i int) Stated {
	if q.in[i] {
		return Stated{Of: isNear, Beside: -1, Rival: true}
	}
	return Stated{Of: isBad, Beside: -1}
}

// Decided implements Rules.
func (q *Near) Decided(i int) bool { return q.Dropped[i] }

// Settle implements Rules. Settle keeps at least one item in any case.
func (q *Near) Settle(e *Engine) bool {
	q.active = e.drop(q.active, q.Dropped, func(i int) float64 {
		if !q.below[i] {
			return 0 // item i is not even proved too far below by a proof that depends on other items
		}
		return e.Accounts.Log(q.bad(i, true), Group{At: i, N: 1})
	})
	q.ranked = append(q.ranked[:0], q.active...)
	slices.SortStableFunc(q.ranked, func(i, j int) int {
		return cmp.Compare(e.Mean(j)[0], e.Mean(i)[0])
	})
	threshold := q.Threshold(e)
	clear(q.in)
	for _, i := range q.active {
		q.in[i] = e.Mean(i)[0] >= threshold
	}
	news, worse := e.lean()
	if worse {
		clear(q.near)
	}
	over := true
	for _, i := range q.active {
		// Bets continue until a proof is independent of other items, because a proof that depends
		// on other items may become invalid.
		q.below[i] = !q.in[i] && e.Accounts.Proved(q.bad(i, false), e.Log, Group{At: i, N: 1})
		if !q.in[i] {
			over = over && q.below[i]
			continue
		}
		// If there are no new bets on an item and the stated claims have not changed, nothing new
		// can be proved about the item.
		if news || q.staked[i] {
			q.done[i] = true
			for _, j := range q.active {
				p := &q.near[i*q.n+j]
				if q.in[j] && !*p {
					*p = i == j || e.Accounts.Proved(q.beside(i, j), e.Log, Group{At: q.n + i*q.n + j, N: 1})
				}
				q.done[i] = q.done[i] && (*p || !q.in[j])
			}
		}
		over, q.staked[i] = over && q.done[i], false
	}
	if over {
		for i := range q.Dropped {
			q.Dropped[i] = !q.in[i]
		}
	}
	return over
}

// The following constants control the coordinate ascent for blends.
const (
	sweeps = 12
	enough = 1e-3 // relative change in one sweep over the rivals at which the ascent stops
)

// rivals contains the items that may be in a blend against an item.
type rivals struct {
	n    int
	item [mostTerms - 1]int
	lead [mostTerms - 1]float64
	se   [mostTerms - 1]float64
}

// ahead returns at most six items: those that are most clearly better than item i, among the items
// that the given rewards compare with item i.
func (q *Near) ahead(e *Engine, i int, by *rewards) (r rivals) {
	const most = len(r.item)
	if by.free && by.n[i] == 0 {
		return r
	}
	var (
		clear [most]float64
		noise = e.Noise(one)
		sigma = math.Sqrt(noise)
		least float64 // lower bound on the standard error of a lead over item i
		mean  = e.Mean(i)[0]
	)
	if e.free {
		least = (1 - 1e-12) * sigma / math.Sqrt(e.pooled.n[i])
	}
	for _, j := range q.ranked {
		if j == i {
			continue
		}
		lead := q.Factor*e.Mean(j)[0] - mean - q.Offset
		if r.n == most && clear[most-1] >= 0 && lead <= clear[most-1]*least {
			break // later items lead by fewer standard errors than the items in r, whatever their standard errors are
		}
		v := e.pooled.pair(q.Factor, j, -1, i)
		se := sigma * math.Sqrt(v)
		if !(se > 0) || r.n == most && lead <= clear[most-1]*se || math.IsInf(by.pair(q.Factor, j, -1, i), 1) {
			continue
		}
		c, k := lead/se, min(r.n, most-1)
		r.n = min(r.n+1, most)
		for ; k > 0 && clear[k-1] < c; k-- {
			r.item[k], clear[k], r.lead[k], r.se[k] = r.item[k-1], clear[k-1], r.lead[k-1], r.se[k-1]
		}
		r.item[k], clear[k], r.lead[k], r.se[k] = j, c, lead, se
	}
	return r
}

// blend returns Factor times a mixture of the rivals of item i, minus item i. The proportions of
// the mixture are those of the vector l >= 0 that maximises the growth of the bets, g'l - |sum_j
// l_j u_j|^2/2. Here, g contains the leads of the rivals over item i, and u_j is the difference of
// rival j and item i, whitened by the given rewards.
func (q *Near) blend(e *Engine, i int, by *rewards) (t Terms, ok bool) {
	const most = mostTerms - 1
	var (
		r          = q.ahead(e, i, by)
		n, rival   = r.n, &r.item
		g          [most]float64
		cov        [most][most]float64
		inverse    [most]float64 // inverse of the diagonal of the matrix
		share      [most]float64
		total, sum float64
	)
	for k := range n {
		if g[k] = r.lead[k]; r.lead[k] >= -r.se[k] { // a rival that is not ahead may reduce the variance of the blend
			g[k] = ExpectedGap(r.lead[k], r.se[k])
		}
	}
	if n == 0 {
		return t, false
	}
	for k := range n {
		cov[k][k] = by.pair(q.Factor, rival[k], -1, i)
		inverse[k] = 1 / cov[k][k]
		for l := range k {
			d := by.pair(q.Factor, rival[k], -q.Factor, rival[l])
			cov[k][l] = (cov[k][k] + cov[l][l] - d) / 2
			cov[l][k] = cov[k][l]
		}
	}
	for range sweeps {
		change := 0.
		total = 0
		for k := range n {
			x := g[k]
			for l := range n {
				if l != k {
					x -= cov[k][l] * share[l]
				}
			}
			x = max(x*inverse[k], 0)
			change += math.Abs(x - share[k])
			total += x
			share[k] = x
		}
		if change < enough*total {
			break
		}
	}
	if !(total > 0) {
		share[0], total = 1, 1
	}
	t.Add(-1, i)
	for k := range n {
		if x := share[k] / total; x > 1e-3 {
			t.Add(q.Factor*x, rival[k])
			sum += x
		}
	}
	for k := 1; k < t.N; k++ { // the proportions of the rivals sum to 1
		t.Coef[k] /= sum
	}
	return t, true
}
