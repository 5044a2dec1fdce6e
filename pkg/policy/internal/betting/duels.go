package betting

import "math"

// duels holds the claims about pairs of items that make up the claims about a Pareto set. For the
// claim "i is better than j in some objective", there is one atom. For the claim "k is worse than
// other items in all objectives", there is one atom for each rival and objective.
type duels struct {
	n, d    int
	noisy   []int     // measured objectives
	ahead   []float64 // by objective: amount added to the mean of i in the claim that i is ahead of j
	behind  []float64 // by objective: amount added to the mean of j in the claim that i is behind j
	proved  []bool    // n x n: whether item i is proved to be ahead of item j
	rival   []int     // by item: its rival, or -1 before choose is called
	used    [][]Group
	scratch []Group
	lambda  []float64
}

// init removes all proofs, and returns the number of atoms of duels, which are the first atoms of
// the rules.
func (u *duels) init(n int, exact [][]float64, ahead, behind []float64) (atoms int) {
	d := len(exact)
	*u = duels{n: n, d: d, ahead: ahead, behind: behind, proved: make([]bool, n*n), rival: make([]int, n),
		used: make([][]Group, n), lambda: make([]float64, d)}
	for k := range u.rival {
		u.rival[k] = -1
	}
	for c, values := range exact {
		if values == nil {
			u.noisy = append(u.noisy, c)
		}
	}
	return n * n * (len(u.noisy) + 1)
}

func (u *duels) first(i, j int) int { return i*u.n + j }

func (u *duels) all(k, j int) Group {
	return Group{At: u.n*u.n + (k*u.n+j)*len(u.noisy), N: len(u.noisy)}
}

// (*duels).of returns the rival to which a group belongs.
func (u *duels) of(g Group) int { return (g.At - u.n*u.n) / len(u.noisy) % u.n }

// leads reports whether item i, with the tolerance added, is better than item j in an objective in
// which the difference of their means is known. leads ignores objectives in which item i is worse
// by exactly the tolerance.
func (u *duels) leads(e *Engine, i, j int) bool {
	twins := e.twins(i, j)
	for c, x := range e.Exact {
		if x != nil && x[i]-x[j]+u.ahead[c] > 0 || x == nil && twins && u.ahead[c] > 0 {
			return true
		}
	}
	return false
}

// misses reports whether item k is better than item j in a known objective, by more than the
// tolerance. misses ignores objectives in which the known values are equal.
func (u *duels) misses(e *Engine, k, j int) bool {
	for c, x := range e.Exact {
		if x != nil && x[j]-x[k]+u.behind[c] < 0 {
			return true
		}
	}
	return false
}

// deficit returns [pareto.Deficit] of the estimates in the measured objectives.
func (u *duels) deficit(e *Engine, i, j int) float64 {
	least := math.Inf(1)
	for _, c := range u.noisy {
		least = min(least, e.Mean(j)[c]-e.Mean(i)[c])
	}
	return least
}

// lead sets lambda to the weights of the objectives in which item i is most clearly better than
// item j. lead also returns three weighted sums: the expected difference with the tolerance added,
// the estimated difference with the tolerance added, and the tolerance.
func (u *duels) lead(e *Engine, t *Terms, i, j int) (expected, estimate, shift float64) {
	x, y, v := e.Mean(i), e.Mean(j), e.Spread(t)
	best, at, sum := 0., u.noisy[0], 0.
	clear(u.lambda)
	for _, c := range u.noisy {
		s := e.sd(t, c)
		f := ExpectedGap(x[c]-y[c]+u.ahead[c], s*math.Sqrt(v))
		u.lambda[c] = f / (s * s)
		if g := f * f / (s * s); g > best {
			best, at = g, c
		}
		sum += f * f / (s * s)
	}
	if e.Bounds != nil || sum*sum/e.Noise(u.lambda) <= best*(1+1e-9) || best == 0 {
		s := e.sd(t, at)
		sum = u.lambda[at] * s * s
		clear(u.lambda)
		u.lambda[at] = 1
	}
	for c, l := range u.lambda {
		estimate += l * (x[c] - y[c] + u.ahead[c])
		shift += l * u.ahead[c]
	}
	return sum, estimate, shift
}

// needAhead requests the missing information for the claim "i is better than j in some objective".
func (u *duels) needAhead(e *Engine, i, j int, claim Claim) {
	if i == j || u.proved[i*u.n+j] {
		return
	}
	t := Sum(1, i, -1, j)
	_, gap, _ := u.lead(e, &t, i, j)
	e.Need(i, t, e.Accounts.Missing(claim, e.Log, u.first(i, j)), gap, e.Typical(&t, u.lambda))
}

// stakeAhead bets that item i is better than item j in some objective.
func (u *duels) stakeAhead(e *Engine, i, j int) {
	if i == j || u.proved[i*u.n+j] || e.twins(i, j) {
		return
	}
	t := Sum(1, i, -1, j)
	if !e.tells(&t) {
		return
	}
	f, _, shift := u.lead(e, &t, i, j)
	e.Bet(u.first(i, j), t, u.lambda, shift, f)
}

// prove checks whether item i is proved to be better than item j in some objective.
func (u *duels) prove(e *Engine, i, j int, claim Claim) bool {
	p := &u.proved[i*u.n+j]
	*p = *p || i == j || u.leads(e, i, j) || e.Accounts.Proved(claim, e.Log, Group{At: u.first(i, j), N: 1})
	return *p
}

// cost returns the number of pulls still needed to prove the claim "k is worse than j". cost also
// returns the objective that needs the most pulls, with its missing information and its gap. If
// claim.Beside names an item, cost replaces this item by j.
func (u *duels) cost(e *Engine, k, j int, claim Claim) (cost, q, gap float64, at int) {
	if e.twins(k, j) { // items k and j differ only in known values, which decide the claim
		return 0, 0, 0, u.noisy[0]
	}
	if claim.Beside >= 0 {
		claim.Beside = j
	}
	t := Sum(1, j, -1, k)
	v := e.Spread(&t)
	x, y := e.Mean(j), e.Mean(k)
	u.scratch = u.scratch[:0]
	for _, g := range u.used[k] {
		if u.of(g) != j {
			u.scratch = append(u.scratch, g)
		}
	}
	own := u.all(k, j)
	for a, c := range u.noisy {
		s := e.sd(&t, c)
		se := s * math.Sqrt(v)
		lead := x[c] - y[c] + u.behind[c]
		g := max(lead, se)
		if lead < 0 {
			g = max(ExpectedGap(lead, se), 1e-6*se)
		}
		need := e.Accounts.Missing(claim, e.Log, own.At+a, u.scratch...)
		if tau := need * s * s / (g * g); tau > cost {
			cost, q, gap, at = tau, need, g, c
		}
	}
	return cost, q, gap, at
}

// choose selects the rival of item k among the given items: the item with which the proof needs the
// fewest pulls, or the previous rival if the previous rival needs hardly more pulls.
func (u *duels) choose(e *Engine, k int, claim Claim, among []int) {
	best, least, most := -1, math.Inf(1), 0.
	price := func(j int) float64 {
		x, _, _, _ := u.cost(e, k, j, claim)
		return x * e.price(k, j)
	}
	for _, j := range among {
		if j == k || u.misses(e, k, j) {
			continue
		}
		// If estimated differences are within their errors, several items may have
		// the same cost; the item with the largest sum of differences is then chosen.
		x, sum := price(j), 0.
		for _, c := range u.noisy {
			sum += (e.Mean(j)[c] - e.Mean(k)[c]) / e.prob.SigmaOf(c)
		}
		if x < least || x == least && sum > most {
			best, least, most = j, x, sum
		}
	}
	old := u.rival[k]
	if best < 0 || best == old || old >= 0 && least > .7*price(old) {
		return
	}
	u.rival[k] = best
	for _, g := range u.used[k] {
		if u.of(g) == best {
			return
		}
	}
	u.used[k] = append(u.used[k], u.all(k, best))
}

// needBehind requests the missing information for the claim "k is worse than its rival in all
// objectives".
func (u *duels) needBehind(e *Engine, k int, claim Claim) {
	j := u.rival[k]
	if j < 0 || e.twins(k, j) {
		return
	}
	_, q, gap, c := u.cost(e, k, j, claim)
	t := Sum(1, j, -1, k)
	s := e.sd(&t, c)
	e.Need(k, t, q, gap, s*s)
}

// stakeBehind bets that item k is worse than its rival in each objective.
func (u *duels) stakeBehind(e *Engine, k int) {
	j := u.rival[k]
	if j < 0 || e.twins(k, j) {
		return
	}
	t := Sum(1, j, -1, k)
	if !e.tells(&t) {
		return
	}
	sd := math.Sqrt(e.Spread(&t))
	g := u.all(k, j)
	for a, c := range u.noisy {
		clear(u.lambda)
		u.lambda[c] = 1
		f := ExpectedGap(e.Mean(j)[c]-e.Mean(k)[c]+u.behind[c], e.sd(&t, c)*sd)
		e.Bet(g.At+a, t, u.lambda, u.behind[c], f)
	}
}

// against returns the groups of the claim "k is worse than its rivals". If only >= 0, the claim is
// about the rival with the index only. The groups of the other rivals are then capped, so their
// bets can only reduce the capital.
func (u *duels) against(k, only int) []Group {
	for i := range u.used[k] {
		g := &u.used[k][i]
		g.Capped = only >= 0 && u.of(*g) != only
	}
	return u.used[k]
}

// follow sets the rival of item k to a given item that is known to dominate item k, if there is
// such an item.
func (u *duels) follow(e *Engine, k int, among []int) {
	for _, j := range among {
		if j != k && e.twins(k, j) && !u.misses(e, k, j) {
			u.rival[k] = j
			return
		}
	}
}

// isBehind reports whether item k is known or proved to be worse than its rivals in all objectives.
func (u *duels) isBehind(e *Engine, k int, claim Claim, only int) bool {
	if j := u.rival[k]; j >= 0 && e.twins(k, j) {
		return true
	}
	return len(u.used[k]) > 0 && e.Accounts.Proved(claim, e.Log, u.against(k, only)...)
}
