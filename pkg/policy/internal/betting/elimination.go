package betting

import (
	"cmp"
	"math"
	"slices"

	"github.com/purexp/purexp/pkg/policy/internal/memory"
)

// Elimination contains the betting rules for the question of the best item, up to a tolerance. Each
// item has one hypothesis, "no item is better than this item", with its own capital. Only the
// hypothesis of the best item is true, so no union bound over items is needed. With a tolerance,
// half of the capital bets that no other item is better than the leader by more than the tolerance.
// The r-th leader has a share 1/(r (r + 1)) of the half that bets on leaders.
type Elimination struct {
	Epsilon float64
	Active  []int    // remaining items, the largest estimate first
	Dropped []bool   // by item: whether the item is proved not to be the best
	Leaders [][2]int // by phase after the first, in order of planning: the leader and the runner-up
	Best    int      // the answer

	leaders int // number of leaders so far
	wins    Accounts
	within  Accounts // accounts that bet on the current leader
}

// Atoms implements Rules: each item has two atoms, of which the second is used only with a
// tolerance.
func (q *Elimination) Atoms(e *Engine) (atoms, claims int, over bool) {
	n := e.Model.N
	*q = Elimination{Epsilon: q.Epsilon, Active: memory.UpTo(nil, n), Dropped: make([]bool, n)}
	q.wins.Init(n, q.share())
	return 2 * n, 1, n == 1
}

func (q *Elimination) share() float64 {
	if q.Epsilon > 0 {
		return .5
	}
	return 1
}

// rival returns the item with which item i is compared: the leader or, if i is the leader, the
// runner-up.
func (q *Elimination) rival(i int) int {
	if i == q.Active[0] {
		return q.Active[1]
	}
	return q.Active[0]
}

// lead returns the difference of item i and its rival, as a combination, and the estimated amount
// by which the rival is better.
func (q *Elimination) lead(e *Engine, i int) (t Terms, lead float64) {
	j := q.rival(i)
	return Sum(1, j, -1, i), e.Mean(j)[0] - e.Mean(i)[0]
}

// Lack implements Rules.
func (q *Elimination) Lack(e *Engine) {
	for _, i := range q.Active[1:] {
		t, gap := q.lead(e, i)
		need, noise := q.wins.Missing(i, e.Log), e.Typical(&t, one)
		if q.Epsilon > 0 { // use the claim that needs fewer pulls
			least := math.Sqrt(noise * e.Spread(&t))
			a, b := max(gap, least), max(gap+q.Epsilon, least)
			if x := q.within.Missing(i, e.Log); x*a*a < need*b*b {
				need, gap = x, gap+q.Epsilon
			}
		}
		e.Need(i, t, need, gap, noise)
	}
}

// Stake implements Rules.
func (q *Elimination) Stake(e *Engine) {
	for _, i := range q.Active {
		t, lead := q.lead(e, i)
		sd := math.Sqrt(e.Typical(&t, one) * e.Spread(&t))
		e.Bet(i, t, one, 0, ExpectedGap(lead, sd))
		if q.Epsilon > 0 && i != q.Active[0] {
			e.Bet(e.Model.N+i, t, one, q.Epsilon, ExpectedGap(lead+q.Epsilon, sd))
		}
	}
}

// account implements keeper. Items that were dropped in the current phase place no more bets.
func (q *Elimination) account(e *Engine, atom int) (*Accounts, int) {
	i := atom - e.Model.N
	switch {
	case i < 0:
		return &q.wins, atom
	case q.wins.Log(i, e.Log) >= e.Log:
		return nil, i
	}
	return &q.within, i
}

func (q *Elimination) open() {
	q.wins.Open()
	if q.Epsilon > 0 {
		q.within.Open()
	}
}

// Settle implements Rules. If the run ends because of the tolerance, the answer is the leader for
// which the bets were placed, whatever the current estimates are.
func (q *Elimination) Settle(e *Engine) bool {
	leader := q.Active[0]
	if q.leaders == 0 {
		q.begin(e)
	}
	q.Active = e.drop(q.Active, q.Dropped, func(i int) float64 { return q.wins.Log(i, e.Log) })
	over := len(q.Active) == 1
	if q.leaders > 0 && q.Epsilon > 0 && !q.Dropped[leader] {
		over = over || !slices.ContainsFunc(q.Active,
			func(i int) bool { return i != leader && q.within.Log(i, e.Log) < e.Log })
	}
	slices.Sort(q.Active)
	slices.SortStableFunc(q.Active, func(i, j int) int { return cmp.Compare(e.Mean(j)[0], e.Mean(i)[0]) })
	if q.Best = q.Active[0]; over {
		if len(q.Active) > 1 {
			q.Best = leader
		}
		return true
	}
	if q.leaders == 0 || q.Best != leader {
		q.leaders++
		r := float64(q.leaders)
		q.within.Init(e.Model.N, .5/(r*(r+1)))
	}
	q.Leaders = append(q.Leaders, [2]int{q.Best, q.Active[1]})
	return false
}

const (
	early   = .15 // share of the first account that bets on phase 0
	scale   = 4.  // scale of the distribution of leads in bets on phase 0, in standard errors
	nearest = 20  // number of rivals for which bets are counted; other bets win hardly anything
)

// begin settles the bets on the results of phase 0 against the hypothesis of each item. A share of
// the capital of the first account is divided equally among bets against all rivals. Before phase
// 0, nothing is known about the differences, so each bet averages over a half-normal distribution
// of the difference. begin counts only the rivals with the best estimates, which gives a lower
// bound on the capital.
func (q *Elimination) begin(e *Engine) {
	n := e.Model.N
	best := memory.UpTo(nil, n)
	slices.SortStableFunc(best, func(i, j int) int { return cmp.Compare(e.Mean(j)[0], e.Mean(i)[0]) })
	log, noise := make([]float64, n), e.Noise(one)
	for i := range log {
		var sum logSum
		sum.add(math.Log(1 - early))
		for _, j := range best[:min(n, nearest)] {
			t := Sum(1, j, -1, i)
			lead, v := e.Mean(j)[0]-e.Mean(i)[0], noise*e.Spread(&t)
			if lead > 0 && v > 0 && !math.IsInf(v, 1) {
				sum.add(math.Log(early/float64(n-1)) + logHalfNormal(lead/math.Sqrt(v)))
			}
		}
		log[i] = sum.value()
	}
	q.wins.Begin(log)
}

// logHalfNormal returns the logarithm of the mean of exp(l u - l^2/2) over l = scale |g|, for a
// standard Gaussian g and u > 0.
func logHalfNormal(u float64) float64 {
	x := u * u * scale * scale / (2 * (1 + scale*scale))
	return math.Log(math.Erfc(-math.Sqrt(x))) + x - math.Log1p(scale*scale)/2
}

// Idle implements Rules.
func (*Elimination) Idle(int) bool { return false }

// Stated implements Rules: Elimination has no stated claims.
func (*Elimination) Stated(int) Stated { return Stated{} }

// Decided implements Rules.
func (q *Elimination) Decided(i int) bool { return q.Dropped[i] }

// Capital returns the logarithms of two capitals that bet on item i. The result wins is the
// logarithm of the capital that bets against the hypothesis of item i. The result within is the
// logarithm of the capital that bets that item i is better than the leader by at most the
// tolerance, or -Inf if there is no such capital.
func (q *Elimination) Capital(i int) (wins, within float64) {
	within = math.Inf(-1)
	if q.Epsilon > 0 && q.leaders > 0 && i != q.Leaders[len(q.Leaders)-1][0] {
		within = q.within.Log(i, within)
	}
	return q.wins.Log(i, math.Inf(-1)), within
}
