package betting

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/design"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policy/internal/linear"
)

// The following constants control the betting engine.
const (
	growth    = .02  // number of pulls of a phase relative to all pulls
	many      = 60   // number of items with features above which phases get longer, because planning takes time
	start     = 3    // number of pulls of an arm in phase 0
	startBest = 8    // number of pulls of an arm in phase 0 for the question of the best item, with features
	startFew  = 2    // number of pulls of an arm in phase 0 for the question of the best item, without features
	plenty    = 20   // number of arms without features above which phase 0 makes fewer pulls of each arm
	opening   = 2    // factor by which the number of pulls grows between the openings of accounts; doubled for a keeper
	leastOf   = 1e-4 // least scale of a combination relative to the largest scale
	stale     = 1.05 // factor by which the number of pulls grows before a new design is computed
	keep      = .004 // least weight of an arm relative to the largest weight
)

// Rules define the claims and bets of a question for an Engine.
type Rules interface {
	// Atoms prepares the rules for a run, given the engine's model. Atoms returns the number of
	// atoms and the number of claims about an item, and reports whether the run is already over.
	Atoms(e *Engine) (atoms, claims int, over bool)
	// Lack calls Engine.Need for each claim that is not proved yet.
	Lack(e *Engine)
	// Stake calls Engine.Bet for each bet of the phase, given the pulls of the phase.
	Stake(e *Engine)
	// Settle updates proofs and reports whether the run is over. If some means are known, Settle is
	// also called before the first phase.
	Settle(e *Engine) (over bool)
	// Idle reports whether known values settle all claims about item i.
	Idle(i int) bool
	// Stated returns the claim about item i that the estimates suggest.
	Stated(i int) Stated
	// Decided reports whether some claim about item i is proved independently of other items.
	Decided(i int) bool
}

// keeper is implemented by rules that use their own accounts instead of ClaimAccounts.
type keeper interface {
	// account returns the account that records the bets on an atom, and the index of the atom in
	// the account. If the engine need not record further bets on the atom, the account is nil.
	account(e *Engine, atom int) (*Accounts, int)
	// open opens a new account for each item.
	open()
}

// An Engine bets in phases of measurements. Past results determine the pulls and stakes of a phase;
// the least-squares estimate from the rewards of the phase alone settles the bets of the phase.
type Engine struct {
	Model linear.Model
	D     int
	Exact [][]float64 // by objective: known means of items; nil if the objective is measured
	// Bounds contains the bounds on rewards, by objective; it may be nil. With features, bounds
	// have an effect only for the question of the best item.
	Bounds   []Bounded
	spare    []Bounded // memory for the bounds after a phase
	Log      float64   // log(1/delta)
	beside   int       // see shares.beside
	Over     bool
	Accounts ClaimAccounts

	prob   *explore.Problem
	rules  Rules
	keeper keeper // nil if ClaimAccounts are used
	free   bool
	pooled rewards
	own    rewards
	alloc  weights
	star   star // the design of a keeper
	pulls  float64
	spent  float64 // cost of all pulls so far
	opened float64
	base   float64   // log determinant of the information matrix after phase 0
	solved float64   // number of pulls at the last design
	listed int       // number of combinations in the last design
	counts []int     // pulls by arm of the current phase; nil before the phase is planned
	memory []int     // reused memory for counts
	growth float64   // number of pulls of a phase relative to all pulls
	plate  int       // the number of pulls of a phase is a multiple of plate
	credit []float64 // by arm: number of pulls owed because of rounding
	terms  []Terms   // combinations of items about which claims need information
	scale  []float64
	stated []Stated
	bets   []bet
	items  []int     // items in the terms of all bets
	coefs  []float64 // coefficients of the items
	lambda []float64 // bets x d
	parts  []part    // parts of a wager
	zero   []float64 // d
	unit   []float64 // d
}

// The terms of a bet are fixed before the rewards that settle the bet arrive.
type bet struct {
	atom     int
	from, to int // range of the terms of the bet
	shift    float64
	stake    float64
	variance float64
	bounded  int // the objective with known bounds, or -1
}

// Init starts a run on a problem. The argument bounds contains the bounds on rewards, by objective;
// it may be nil.
func (e *Engine) Init(prob *explore.Problem, r Rules, delta float64, bounds []Bounded) error {
	*e = Engine{prob: prob, rules: r, D: prob.D(), Log: -math.Log(delta), free: prob.X == nil && prob.Z == nil}
	columns := Known(prob)
	further := slices.DeleteFunc(slices.Clone(columns), func(x []float64) bool { return x == nil })
	if len(further) == e.D {
		return fmt.Errorf("policy: all means are known, so there is nothing to measure: %w", explore.ErrQuestion)
	}
	if err := e.Model.Features(prob, further...); err != nil {
		return err
	}
	e.Exact = make([][]float64, e.D)
	for c, values := range columns {
		if values != nil {
			for _, i := range e.Model.First {
				e.Exact[c] = append(e.Exact[c], values[i])
			}
		}
	}
	n := e.Model.N
	atoms, claims, over := r.Atoms(e)
	e.keeper, _ = r.(keeper)
	e.growth = growth
	if !e.free && e.keeper == nil {
		e.growth *= max(1, float64(n)/many)
	}
	if e.free || e.keeper != nil {
		e.Bounds = slices.Clone(bounds)
	}
	e.pooled.init(&e.Model, e.free, e.Bounds != nil, e.Exact)
	e.own.init(&e.Model, e.free, e.Bounds != nil, e.Exact)
	e.alloc.init(&e.Model, e.free)
	if e.star.leader = -1; e.keeper != nil && !e.free {
		var err error
		if e.star.criterion, err = design.NewStar(e.Model.PerCost(), e.Model.Z); err != nil {
			return err
		}
	}
	e.zero, e.unit = make([]float64, e.D), make([]float64, e.D)
	e.memory, e.credit = make([]int, e.Model.K), make([]float64, e.Model.K)
	e.stated = make([]Stated, n)
	if e.keeper == nil {
		e.Accounts.Init(atoms, n, claims, e.beside, r.Decided)
		if e.Bounds != nil {
			e.Accounts.Growing()
		}
	}
	e.Over = over
	if len(further) > 0 {
		e.Over = over || r.Settle(e) // known values may decide all claims
	}
	return nil
}

// Pace sets the factor by which each phase increases the total number of pulls, and the plate size.
func (e *Engine) Pace(growth float64, plate int) { e.growth, e.plate = growth-1, plate }

// Known returns the known means of the arms in each objective. If some mean of an objective is
// unknown, the entry of the objective is nil, and the means of all arms are measured.
func Known(prob *explore.Problem) [][]float64 {
	columns := make([][]float64, prob.D())
	for c := range columns {
		if prob.Known == nil {
			break
		}
		if x := mat.Col(nil, c, prob.Known); !slices.ContainsFunc(x, math.IsNaN) {
			columns[c] = x
		}
	}
	return columns
}

// Mean returns the estimated means of item i from all rewards.
func (e *Engine) Mean(i int) []float64 { return e.pooled.mean[i*e.D:][:e.D] }

// Excess returns [pareto.Excess] of the estimates of items i and j, ignoring objectives in which
// the two items are known to be equal.
func (e *Engine) Excess(i, j int) float64 {
	most := math.Inf(-1)
	x, y := e.Mean(i), e.Mean(j)
	for c, exact := range e.Exact {
		if exact == nil || x[c] != y[c] {
			most = max(most, x[c]-y[c])
		}
	}
	return most
}

// twins reports whether two items differ only in objectives with known values. Twins have the same
// features and therefore equal measured means, so no bet concerns their difference.
func (e *Engine) twins(i, j int) bool {
	return e.Model.Twin != nil && e.Model.Twin[i] == e.Model.Twin[j]
}

// Pulls returns the number of rewards so far.
func (e *Engine) Pulls() float64 { return e.pulls }

// Spread returns the variance of the estimate of a combination from all rewards, in units of the
// noise.
func (e *Engine) Spread(t *Terms) float64 { return e.pooled.variance(t) }

// Noise returns an upper bound on the variance of lambda'x for a reward vector x, for any
// correlation between objectives. Objectives with known values have no noise.
func (e *Engine) Noise(lambda []float64) float64 {
	squares, sum := 0., 0.
	for c, l := range lambda {
		if e.Exact[c] != nil {
			continue
		}
		squares += l * l
		sum += math.Abs(l) * e.prob.SigmaOf(c)
	}
	u := e.prob.SigmaU()
	return min(u*u*squares, sum*sum)
}

// Need requests that the next phase give the information q about a combination, for a claim about
// item i. The argument gap is the estimate of the combination, and noise is the variance of one
// reward; only the ratio gap^2/noise matters.
func (e *Engine) Need(i int, t Terms, q, gap, noise float64) {
	v := e.pooled.variance(&t)
	gap = max(gap, math.Sqrt(noise*v))
	tau := q * noise / (gap * gap)
	if len(e.terms) == cap(e.terms) { // avoid frequent copies, because the list of terms is long
		e.terms = slices.Grow(e.terms, len(e.terms)+e.Model.N)
	}
	e.terms, e.scale = append(e.terms, t), append(e.scale, tau)
}

// price returns a number proportional to the variance of the estimated difference of two items:
// under the last design or, with features, from all rewards. If j is -1, the variance is that of
// item i alone.
func (e *Engine) price(i, j int) float64 {
	if e.free {
		more := 4 / float64(e.Model.K)
		x := 1 / (e.alloc.w[i] + more)
		if j >= 0 {
			x += 1 / (e.alloc.w[j] + more)
		}
		return x
	}
	t := Sum(1, i, -1, j)
	return e.pooled.variance(&t)
}

// tells reports whether the rewards of the current phase determine a combination, so that bets on
// it can be settled.
func (e *Engine) tells(t *Terms) bool { return !math.IsInf(e.own.variance(t), 1) }

// Bet places a stake on lambda'm + shift > 0, where m contains the means of a combination. If the
// current phase does not determine m, Bet does nothing.
func (e *Engine) Bet(atom int, t Terms, lambda []float64, shift, stake float64) {
	v := e.own.variance(&t) * e.Noise(lambda)
	if stake <= 0 || math.IsInf(v, 1) {
		return
	}
	from := len(e.items)
	e.items, e.coefs = append(e.items, t.Item[:t.N]...), append(e.coefs, t.Coef[:t.N]...)
	e.bets = append(e.bets, bet{atom, from, len(e.items), shift, stake, v, e.bounded(lambda)})
	e.lambda = append(e.lambda, lambda...)
}

// Ask returns the pulls of the next phase, or no pulls if the run is over.
func (e *Engine) Ask(dst []explore.Pull) ([]explore.Pull, error) {
	if e.Over {
		return dst, nil
	}
	if e.counts == nil {
		plan := e.plan
		if e.pulls == 0 {
			plan = e.begin
		}
		if err := plan(); err != nil {
			return dst, err
		}
	}
	return linear.Allocation(dst, e.counts), nil
}

// begin plans phase 0: pulls of every arm that is not idle or, with features, a design that spans
// the model and separates all items. Only rules that implement keeper bet on phase 0.
func (e *Engine) begin() error {
	e.counts = e.memory
	if e.free {
		n := float64(start)
		if e.keeper != nil {
			n = startFew
		}
		n = max(math.Round(n*min(1, plenty/float64(len(e.counts)))), 1)
		for i := range e.counts {
			if e.counts[i] = int(n); e.rules.Idle(i) {
				e.counts[i] = 0
			}
		}
		e.fill()
		return nil
	}
	pairs, err := design.NewPairs(e.Model.PerCost(), e.Model.Z)
	if err != nil {
		return err
	}
	d, err := pairs.Solve(&design.Options{Tol: .1})
	if d == nil {
		return err
	}
	copy(e.alloc.w, d.Weights)
	e.prob.Pulled(e.alloc.w)
	if e.keeper == nil {
		for _, i := range slices.Concat(d.Support(), e.Model.Span.Points()) {
			e.counts[i] = start
		}
		return nil
	}
	e.own.reset()
	for _, i := range d.Support() {
		e.counts[i] = startBest
		e.own.add(i, startBest, e.zero)
	}
	if !e.own.fit.Solve() {
		for _, i := range e.Model.Span.Points() {
			e.counts[i] = max(e.counts[i], 1)
		}
	}
	e.fill()
	return nil
}

// fill adds pulls to phase 0, so that its last plate is full.
func (e *Engine) fill() {
	if e.plate <= 1 {
		return
	}
	for left := (e.plate - linear.Total(e.counts)%e.plate) % e.plate; left > 0; {
		for i, n := range e.counts {
			if n > 0 && left > 0 {
				e.counts[i]++
				left--
			}
		}
	}
}

// plan chooses the pulls of a phase, and then the bets.
func (e *Engine) plan() error {
	if err := e.solve(); err != nil {
		return err
	}
	e.round()
	e.stake()
	return nil
}

// planned fixes the bets of a phase whose pulls were planned while earlier phases were incomplete;
// without overlap, plan fixes the bets.
func (e *Engine) planned(obs []explore.Batch) {
	_ = e.solve() // errors were returned when the phase was planned, so they are ignored
	e.counts = e.memory
	clear(e.counts)
	total := 0.
	for i := range obs {
		e.counts[obs[i].Arm] += obs[i].N
		total += float64(obs[i].N)
	}
	for i, w := range e.alloc.w { // limit the credit, because the measured pulls may differ much from the weights
		e.credit[i] = min(max(e.credit[i]+total*w-float64(e.counts[i]), -1), 1)
	}
	e.stake()
}

// IsPlan reports whether obs consists of the pulls in counts, the planned pulls of a phase by arm,
// with one batch for each pulled arm. If counts is nil, no phase is planned, and IsPlan returns
// false for any batch.
func IsPlan(counts []int, obs []explore.Batch) bool {
	total := 0
	for i := range obs {
		if total += obs[i].N; counts == nil || counts[obs[i].Arm] != obs[i].N {
			return false
		}
	}
	return total == linear.Total(counts)
}

// solve collects the combinations about which claims need information, and computes weights of arms
// for estimating the combinations.
func (e *Engine) solve() error {
	e.lack()
	// If scale is empty, all claims are proved. The run is not over yet, because at least one claim
	// was proved before it was stated.
	if len(e.scale) == 0 && e.keeper == nil {
		clear(e.alloc.w) // the smallest phase suffices, because Settle ends the run after the phase
		e.listed = 0
		return nil
	}
	most, hardest := 0., 0
	for i, s := range e.scale {
		if s > most {
			most, hardest = s, i
		}
	}
	if next := e.growth * e.pulls; next > linear.MostPulls {
		t := &e.terms[hardest]
		first, last := e.prob.Item(t.Item[0]), e.prob.Item(t.Item[t.N-1])
		what := fmt.Sprintf("compare %s with %s; if they are tied or on a bound", first, last)
		if t.Item[0] == t.Item[t.N-1] {
			what = fmt.Sprintf("decide about %s; if it is on a bound", first)
		}
		return fmt.Errorf("%w: the next phase would take %.1g pulls; the hardest remaining task is to %s, use the "+
			"smallest difference that matters as a tolerance", linear.ErrUndecidable, next, what)
	}
	if e.keeper != nil {
		return e.star.solve(e, most)
	}
	if len(e.terms) != e.listed || e.pulls > stale*e.solved {
		for s, tau := range e.scale {
			e.scale[s] = max(math.Sqrt(tau/most), leastOf)
		}
		e.alloc.solve(e.terms, e.scale)
		e.listed, e.solved = len(e.terms), e.pulls
	}
	return nil
}

func (e *Engine) stake() {
	e.own.reset()
	for i, n := range e.counts {
		if n > 0 {
			e.own.add(i, n, e.zero)
		}
	}
	e.own.solve()
	e.bets, e.items, e.coefs, e.lambda = e.bets[:0], e.items[:0], e.coefs[:0], e.lambda[:0]
	e.rules.Stake(e)
}

// lack collects the combinations about which unproved claims need information.
func (e *Engine) lack() {
	e.terms, e.scale = e.terms[:0], e.scale[:0]
	e.rules.Lack(e)
}

// round converts the weights of arms to numbers of pulls, and carries rounding errors over to later
// phases.
func (e *Engine) round() {
	if e.keeper != nil {
		e.star.round(e)
		return
	}
	w := e.alloc.w
	most, squares, price := 0., 0., 0.
	for i, v := range w {
		c := e.prob.Cost(i)
		most = max(most, v*c)
		squares += v * v
		price += v * c
	}
	least := 0.
	if !e.free {
		least = .02 * most
	}
	have := e.pulls
	if e.prob.Costs != nil {
		have = e.spent / price // number of pulls with these weights that would cost as much as all pulls so far
	}
	want := max(e.growth*have, 2/squares)
	e.counts = e.memory
	total := 0
	for i, v := range w {
		e.counts[i] = 0
		if c := e.prob.Cost(i); v*c > least {
			e.credit[i] += want * max(v, keep*most/c)
		} else {
			continue
		}
		n := max(math.Floor(e.credit[i]+1e-9), 0) // tolerate rounding errors of sums in another order
		e.credit[i] -= n
		e.counts[i] = int(n)
		total += e.counts[i]
	}
	if e.free && total > 0 {
		return
	}
	for _, i := range e.Model.Span.Points() { // every phase pulls arms that span the model
		e.counts[i] = max(e.counts[i], 1)
	}
}

// Tell processes the rewards of a phase; it settles the bets before it updates the estimates.
func (e *Engine) Tell(obs []explore.Batch) error {
	told, err := e.check(obs)
	if err != nil {
		return err
	}
	if e.pulls > 0 {
		if !IsPlan(e.counts, obs) {
			e.planned(obs)
		}
		for i := range obs {
			e.own.reward(obs[i].Arm, obs[i].Sum)
		}
		if !e.free {
			e.own.fit.Estimate()
		}
		e.own.means()
		e.pay()
	}
	e.Bounds, e.spare = told, e.Bounds
	first := e.pulls == 0
	for i := range obs {
		e.pooled.add(obs[i].Arm, obs[i].N, obs[i].Sum)
		e.pulls += float64(obs[i].N)
		e.spent += float64(obs[i].N) * e.prob.Cost(obs[i].Arm)
	}
	e.pooled.solve()
	e.pooled.means()
	e.Over = e.rules.Settle(e)
	e.counts = nil
	switch {
	case first:
		e.opened, e.base = e.pulls, e.pooled.logDet()
	case e.keeper != nil && e.pulls >= 2*opening*e.opened:
		e.keeper.open()
		e.opened = e.pulls
	case e.keeper == nil && e.pulls >= opening*e.opened && !e.Over: // open an account for the claims stated by Settle
		e.Accounts.Open(e.stated, e.rules.Decided)
		e.opened = e.pulls
	}
	return nil
}

// pay settles the bets of the phase with its rewards.
func (e *Engine) pay() {
	for k := range e.bets {
		b := &e.bets[k]
		if b.bounded >= 0 {
			w, f := e.wager(k, b.bounded), b.stake
			e.take(b.atom, f*w.d/w.v, f*f/w.v, func(l float64) float64 { return w.growth(f, l) })
			continue
		}
		d := e.own.combine(e.items[b.from:b.to], e.coefs[b.from:b.to], e.lambda[k*e.D:][:e.D]) + b.shift
		s, q := b.stake*d/b.variance, b.stake*b.stake/b.variance
		if e.Bounds == nil {
			e.take(b.atom, s, q, nil)
			continue
		}
		e.take(b.atom, s, q, func(l float64) float64 { return l*s - l*l*q/2 })
	}
}

// take records the outcome of a bet on an atom: the given growth or, if growth is nil, s and q.
func (e *Engine) take(atom int, s, q float64, growth func(l float64) float64) {
	var to interface {
		Add(i int, s, q float64)
		Grow(i int, s, q float64, growth func(l float64) float64)
	} = &e.Accounts
	if e.keeper != nil {
		own, i := e.keeper.account(e, atom)
		if own == nil {
			return
		}
		to, atom = own, i
	}
	if growth == nil {
		to.Add(atom, s, q)
	} else {
		to.Grow(atom, s, q, growth)
	}
}

// Information returns the increase of the log determinant of the information matrix since phase 0.
func (e *Engine) Information() float64 { return e.pooled.logDet() - e.base }

// drop drops the items whose capital has reached 1/delta, and returns the remaining items. If the
// capital of every item has reached 1/delta, the item with the least capital remains.
func (e *Engine) drop(active []int, dropped []bool, capital func(i int) float64) (left []int) {
	left = active[:0]
	poorest, least := -1, math.Inf(1)
	for _, i := range active {
		x := capital(i)
		if x < least {
			poorest, least = i, x
		}
		if dropped[i] = x >= e.Log; !dropped[i] {
			left = append(left, i)
		}
	}
	if len(left) == 0 {
		dropped[poorest] = false
		left = append(left, poorest)
	}
	return left
}

// lean updates the stated claims of the accounts. lean reports whether stated claims have changed,
// and whether earlier proofs must be checked again.
func (e *Engine) lean() (news, worse bool) {
	for i := range e.stated {
		e.stated[i] = e.rules.Stated(i)
	}
	return e.Accounts.lean(e.stated, e.rules.Decided)
}

// ExpectedGap returns E max(g, 0) for a Gaussian g with the given mean and standard deviation.
func ExpectedGap(mean, sd float64) float64 {
	x := mean / sd
	switch {
	case x < -30:
		return 0
	case x > 9: // the omitted term is below the rounding error of the result
		return mean
	}
	return sd*math.Exp(-x*x/2)/math.Sqrt(2*math.Pi) + mean*math.Erfc(-x/math.Sqrt2)/2
}
