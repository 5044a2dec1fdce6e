package policy

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/lsq"
	"github.com/purexp/purexp/pkg/pareto"
	"github.com/purexp/purexp/pkg/policy/internal/linear"
	"github.com/purexp/purexp/pkg/policy/internal/memory"
	sets "github.com/purexp/purexp/pkg/policy/internal/pareto"
	"github.com/purexp/purexp/pkg/policy/internal/patience"
	"github.com/purexp/purexp/pkg/question"
)

var (
	_ explore.Contextual = (*PFIwR)(nil)
	_ explore.Open       = (*PFIwR)(nil)
)

// PFIwR is Pareto front identification with regret minimisation (Kim, Iyengar and Zeevi,
// "Pareto Front Identification with Regret Minimization", Algorithm 1).
//
// Question: the Pareto set of the arms, exact or relaxed by question.Pareto's Epsilon; Cover
// and AtMost are answered as if they were not there, which is right. Fixed confidence. Features
// may change from round to round (Problem.Changing): it is told them, and the question is about
// their means. Arms without features are the canonical basis.
//
// Assumptions: every objective is linear in the features, with parameters of norm at most
// Norm Sigma; rewards given features are sub-Gaussian of scale Sigma. No features are longer than
// 1: if some are, all are taken to be in units of the longest so far, which is a warning. Without
// Epsilon, no tie: else it ends with ErrUndecidable. Where features change, and with Fresh, it does
// not stop then: a round shows the features of one reward, and pseudo-actions are drawn for one, so
// that rounds cannot get longer.
//
// Guarantee: with the default width the answer is right with probability at least 1 - Delta,
// whatever is pulled. For the width of the paper's Theorem 4.2 (PFIwRTheory) the paper says so,
// with regret of order d/Delta_eps; its proof does not cover the estimator, see below.
// PFIwRPaper has no guarantee.
//
// Deviations from the paper: the estimator (8)-(10) is computed in closed form. Its
// pseudo-actions h_s(N_s) are the arm pulled by definition, so that (10) is the ridge regression of
// the arms pulled, with regulariser P lambda_t, exactly: neither other arms' contexts nor noise
// added to them has an effect. After the random phase, therefore, only arms that look optimal
// become better known, and a width that decreases as 1/sqrt(t) is none for the others. That is why
// the default width is another one, and the random phase lasts to the end with it. Of rho_t,
// 1 - p is used for the printed p in the logarithm, as the proof needs, so that no round is
// dropped; arms with the same features are one arm; an arm is not compared with itself in P^(1); of
// the arms that look optimal, whose regret is not known, the one with the fewest pulls is pulled.
// Widths are in units of Sigma, which the paper has as 1.
//
// A round pulls one arm: in the random phase any of those undecided, later one that no other
// arm's estimate dominates. Then arms are retired by the tests of [AuerRacing].
//
// Cost for h features and A active arms: O(h^3 + A h d + A^2 d) a round, with the default width
// also O(A h^2), and with features that change also O(K h); no allocation.
type PFIwR struct {
	// Delta is the error probability. Zero means DefaultDelta.
	Delta float64
	// P is the paper's p: between 0 and 1, the probability that a pseudo-action is the arm
	// pulled. The regulariser and the width of the paper depend on it. Zero means 0.5.
	P float64
	// Norm bounds the norm of the parameters of each objective, in units of Sigma (S in the
	// paper). Zero means 1.
	Norm float64
	// Width is PFIwRSelfNormalized (the default), PFIwRTheory or PFIwRPaper.
	Width PFIwRWidth
	// Scale multiplies the width. Zero means 1, and PFIwRPaperScale for PFIwRPaper. Below 1, Delta
	// is nominal.
	Scale float64
	// Random is the length of the random phase in rewards. Zero means that of the width; less
	// that it does not end.
	Random int
	// Ridge is the regulariser of the estimator. Zero means P lambda_t, as in the paper's (8), and
	// 1 for PFIwRPaper.
	Ridge float64
	// Fresh estimates with pseudo-actions that are drawn anew: see [lsq.DoublyRobust]. It has no
	// guarantee, and excludes PFIwRSelfNormalized.
	Fresh bool

	opening
	prob    *explore.Problem
	c       PFIwRConstants
	eps     float64
	scale   float64
	random  int
	rnd     *rand.Rand
	x       *mat.Dense // contexts of the round, K x h
	sums    []float64  // K x h: of contexts so far, if they change
	ridge   *lsq.Ridge
	fresh   *lsq.DoublyRobust
	longest float64
	base    float64 // the first regulariser
	t       int     // rewards, and rounds unless these got longer
	pulls   []int
	mean    []float64 // K x L
	beta    []float64 // K
	average []float64 // h: scratch
	like    []int     // by arm: the first arm with the same features, if these do not change
	race    sets.Race
	alive   []int // active or retired, ascending
	front   []int
	out     func(i, by int)
	final   []explore.Reason
	warn    []error
}

// A PFIwRWidth is a choice of half-widths of means.
type PFIwRWidth int

// Half-widths of PFIwR after t pulls.
const (
	// PFIwRSelfNormalized is, for features x, information A = sum of x x' of the arms pulled and
	// V = A + reg I,
	//
	//	||x||_{V^-1} Sigma (sqrt(2 log(L/delta) + log det(V/reg_1)) + sqrt(reg) Norm).
	//
	// It holds for all x at all times with probability at least 1 - delta, whatever is pulled: the
	// self-normalised bound (Abbasi-Yadkori, Pal and Szepesvari 2011, Theorem 1) with the
	// regulariser reg_1 of the first round applies to V, which is larger as the regulariser does
	// not decrease, and reg ||theta||_{V^-1} is at most sqrt(reg) ||theta||. If features change, x
	// is the average of an arm's, delta/2 stands for delta, and to account for the average, by
	// Hoeffding and Azuma, Sigma Norm sqrt(2 log(2 pi^2 K L t^2/(3 delta))/t) is added. The random
	// phase does not end.
	PFIwRSelfNormalized PFIwRWidth = iota
	// PFIwRTheory is (12), and the random phase as long as in Algorithm 1: see PFIwRConstants.
	PFIwRTheory
	// PFIwRPaper is (12) times PFIwRPaperScale, with a random phase of ten rounds an arm and Ridge
	// 1: what reproduces the paper's Table 1 for PFIwR at epsilon 0.0001 and 0.01. The paper says
	// only that it used a tighter width.
	PFIwRPaper
)

// PFIwRPaperScale is the part of the width (12) that the paper's experiments must have used,
// calibrated by the pulls to stop at epsilon = 0.0001 of its Table 1.
const PFIwRPaperScale = 0.0305

// String returns the name.
func (w PFIwRWidth) String() string {
	switch w {
	case PFIwRTheory:
		return "theory"
	case PFIwRPaper:
		return "paper"
	}
	return "self-normalized"
}

// PFIwRConstants are the numbers of the paper's Theorems 4.2 to 4.4.
type PFIwRConstants struct {
	Arms, Features, Objectives int // K, d, L
	Delta, P                   float64
	Norm                       float64 // S
}

// Lambda returns the regulariser lambda_t = 4 log(6 d L t^2/delta).
func (c PFIwRConstants) Lambda(t int) float64 {
	return 4 * c.log(6*float64(c.Features), t)
}

// log returns log(a L t^2/delta).
func (c PFIwRConstants) log(a float64, t int) float64 {
	return math.Log(a*float64(c.Objectives)/c.Delta) + 2*math.Log(float64(t))
}

// Beta returns beta_t, the half-width (12).
func (c PFIwRConstants) Beta(t int) float64 {
	n, d, l := float64(t), float64(c.Features), float64(c.Objectives)
	last := 5*math.Sqrt(8)*c.Norm + 4/c.P*math.Sqrt(2*d) + 4
	return (8*c.Norm*math.Sqrt(c.log(6*d, t)) +
		4/c.P*math.Sqrt(d*math.Log((6*l+24*l*n/c.Lambda(t))/c.Delta)) +
		last*math.Sqrt(c.log(6*float64(c.Arms), t))) / math.Sqrt(n)
}

// Start returns the length of the random phase of Algorithm 1, from which on Theorem 4.2 is stated.
func (c PFIwRConstants) Start() float64 {
	d := float64(c.Features)
	return 128 * (d + 2) / (1 - c.P) *
		(1 + math.Log(64*(d+2)/(math.E*(1-c.P))*math.Sqrt(6*d*float64(c.Objectives)/c.Delta)))
}

// Noisy returns the number of rounds with noise on contexts, |E_t|.
func (c PFIwRConstants) Noisy(t int) float64 {
	d := float64(c.Features)
	return math.Ceil(32 * (d + 2) / (1 - c.P) * c.log(6*d, t))
}

// String returns the name with the settings.
func (p *PFIwR) String() string {
	s := linearName("PFIwR", p.Delta) + ", width " + p.Width.String()
	for _, f := range []struct {
		name  string
		value float64
	}{{"p", p.P}, {"norm", p.Norm}, {"scale", p.Scale}, {"random", float64(p.Random)},
		{"ridge", p.Ridge}} {
		if f.value != 0 {
			s += fmt.Sprintf(", %s %v", f.name, f.value)
		}
	}
	if p.Fresh {
		s += ", fresh"
	}
	return s
}

// settings resolves the settings.
func (p *PFIwR) settings(prob *explore.Problem) error {
	delta, _, err := confidence(p.Delta, nil)
	if err != nil {
		return err
	}
	or := func(v, otherwise float64) float64 {
		if v == 0 {
			return otherwise
		}
		return v
	}
	p.c = PFIwRConstants{
		Arms: prob.K(), Features: prob.H(), Objectives: prob.D(), Delta: delta, P: or(p.P, .5),
		Norm: or(p.Norm, 1),
	}
	if p.c.Features == 0 {
		p.c.Features = prob.K()
	}
	p.scale = or(p.Scale, 1)
	if p.Width == PFIwRPaper {
		p.scale = or(p.Scale, PFIwRPaperScale)
	}
	positive := func(v float64) bool { return v > 0 && !math.IsInf(v, 1) }
	switch {
	case p.Width < PFIwRSelfNormalized || p.Width > PFIwRPaper:
		return fmt.Errorf("policy: PFIwR.Width is %d; want PFIwRSelfNormalized, PFIwRTheory or "+
			"PFIwRPaper", p.Width)
	case !(p.c.P > 0 && p.c.P < 1):
		return fmt.Errorf("policy: PFIwR.P is %v; want a probability between 0 and 1, or 0 for 0.5",
			p.P)
	case !positive(p.c.Norm):
		return fmt.Errorf("policy: PFIwR.Norm is %v; want a bound on the norm of the parameters "+
			"in units of Sigma, or 0 for 1", p.Norm)
	case !positive(p.scale):
		return fmt.Errorf("policy: PFIwR.Scale is %v; want a positive factor, or 0 for that of "+
			"the width", p.Scale)
	case !(p.Ridge >= 0) || math.IsInf(p.Ridge, 1):
		return fmt.Errorf("policy: PFIwR.Ridge is %v; want a positive regulariser, or 0 for that "+
			"of the width", p.Ridge)
	case p.Fresh && p.Width == PFIwRSelfNormalized:
		return fmt.Errorf("policy: PFIwR.Fresh has no self-normalised width; set Width to " +
			"PFIwRTheory or PFIwRPaper")
	}
	switch {
	case p.Random != 0:
		p.random = p.Random
	case p.Width == PFIwRTheory:
		p.random = int(min(p.c.Start(), math.MaxInt32))
	case p.Width == PFIwRPaper:
		p.random = 10 * prob.K()
	default:
		p.random = -1
	}
	return nil
}

// Init implements explore.Policy.
func (p *PFIwR) Init(prob *explore.Problem, src rand.Source) error {
	p.opens(p, prob, src)
	q, ok := prob.Question.(question.Pareto)
	if !ok || prob.Z != nil {
		return fmt.Errorf("policy: %T; want question.Pareto about the arms (Z nil): %w",
			prob.Question, explore.ErrQuestion)
	}
	if err := p.settings(prob); err != nil {
		return err
	}
	if src == nil {
		src = rand.NewPCG(0, 0)
	}
	k, h, d := p.c.Arms, p.c.Features, p.c.Objectives
	p.prob, p.eps, p.rnd, p.t, p.base, p.longest = prob, q.Epsilon, rand.New(src), 0, 0, 1
	p.ridge, p.fresh = lsq.NewRidge(h, d), nil
	if p.Fresh {
		p.fresh = lsq.NewDoublyRobust(h, d, p.c.P, src)
	}
	p.x = mat.NewDense(k, h, nil)
	p.like = memory.Zeroed(p.like, k)
	for i := range p.like {
		p.like[i] = i
	}
	switch {
	case prob.X == nil:
		for i := range k {
			p.x.Set(i, i, 1)
		}
	case !prob.Changing:
		p.x.Copy(prob.X)
		p.measure()
		var model linear.Model
		if err := model.Features(prob); err != nil {
			return err
		}
		for i, c := range model.Class {
			p.like[i] = model.First[c]
		}
	}
	p.sums, p.average = memory.Zeroed(p.sums, k*h), memory.Zeroed(p.average, h)
	p.mean, p.beta, p.pulls = memory.Zeroed(p.mean, k*d), memory.Zeroed(p.beta, k),
		memory.Zeroed(p.pulls, k)
	p.race.Init(k)
	p.race.Active = p.race.Active[:0]
	for i, first := range p.like {
		if i == first {
			p.race.Active = append(p.race.Active, i)
		}
	}
	p.alive = append(p.alive[:0], p.race.Active...)
	p.front = memory.Zeroed(p.front, k)[:0]
	p.final = memory.Zeroed(p.final, k)
	p.out, p.warn = p.leave, p.remarks()
	if len(p.alive) == 1 {
		p.race.Active = p.race.Active[:0]
		p.race.Retired[0] = true
		p.final[0] = explore.Reason{Class: explore.Optimal, By: -1}
	}
	return nil
}

// remarks are warnings that the settings call for.
func (p *PFIwR) remarks() (warn []error) {
	switch start := p.c.Start(); {
	case p.Width == PFIwRPaper || p.scale < 1:
		warn = append(warn, fmt.Errorf("policy: PFIwR with width %v x %.4g has no guarantee",
			p.Width, p.scale))
	case p.Width == PFIwRTheory && p.random >= 0 && float64(p.random) < math.Floor(start):
		warn = append(warn, fmt.Errorf(
			"policy: PFIwR.Random is %d; Theorem 4.2 is stated from %.0f rounds on", p.random,
			start))
	}
	return warn
}

// Warnings implements explore.Warner.
func (p *PFIwR) Warnings() []error {
	warn := slices.Clone(p.warn)
	if p.longest > 1+1e-9 { // more than rounding
		warn = append(warn, fmt.Errorf("policy: PFIwR: features as long as %.4g, where 1 is "+
			"assumed; all were taken in units of that", p.longest))
	}
	return warn
}

// measure notes the longest features.
func (p *PFIwR) measure() {
	square := p.longest * p.longest
	for i := range p.c.Arms {
		row := p.x.RawRowView(i)
		square = max(square, floats.Dot(row, row))
	}
	p.longest = math.Sqrt(square)
}

// Observe implements explore.Contextual.
func (p *PFIwR) Observe(x *mat.Dense) {
	p.x.Copy(x)
	p.measure()
	floats.Add(p.sums, p.x.RawMatrix().Data)
}

// Ask implements explore.Policy.
func (p *PFIwR) Ask(dst []explore.Pull) ([]explore.Pull, error) {
	if len(p.race.Active) == 0 {
		return dst, nil
	}
	from := len(dst)
	if p.random < 0 || p.t < p.random {
		arm := p.race.Active[p.rnd.IntN(len(p.race.Active))]
		dst = append(dst, explore.Pull{Arm: arm, N: 1})
	} else {
		dst = append(dst, explore.Pull{Arm: p.least(), N: 1})
	}
	if p.prob.Changing || p.fresh != nil {
		return dst, nil
	}
	return patience.Extend(dst, from, p.t, p.prob, p)
}

// least returns, of the arms that look optimal, the one with the fewest pulls; of several, any.
func (p *PFIwR) least() int {
	p.front = pareto.AppendSetOf(p.front[:0], p.mean, p.c.Objectives, p.alive)
	arm, ties := -1, 0
	for _, i := range p.front {
		switch {
		case arm < 0 || p.pulls[i] < p.pulls[arm]:
			arm, ties = i, 1
		case p.pulls[i] == p.pulls[arm]:
			if ties++; p.rnd.IntN(ties) == 0 {
				arm = i
			}
		}
	}
	return arm
}

// closed fails for settings with which there are only Ask and Tell.
func (p *PFIwR) closed() error {
	if p.fresh == nil {
		return nil
	}
	return errors.New("policy: PFIwR.Fresh draws pseudo-actions for one reward a round; measure " +
		"one by one, by Ask and Tell, or leave it out")
}

// regulariser returns that of the estimator after t rewards.
func (p *PFIwR) regulariser(t int) float64 {
	reg := p.Ridge
	switch {
	case reg == 0 && p.Width == PFIwRPaper:
		reg = 1
	case reg == 0:
		reg = p.c.P * p.c.Lambda(t)
	}
	return reg * p.longest * p.longest
}

// Tell implements explore.Policy.
func (p *PFIwR) Tell(obs []explore.Batch) error {
	for b := range obs {
		p.t += obs[b].N
		p.pulls[obs[b].Arm] += obs[b].N
	}
	reg := p.regulariser(p.t)
	if p.base == 0 { // that of the first reward, however many there are
		p.base = p.regulariser(1)
	}
	if o := &obs[0]; p.fresh != nil {
		p.fresh.Add(p.x.RawMatrix().Data, o.Arm, o.Sum, float64(p.t) <= p.c.Noisy(p.t))
		p.fresh.Solve(reg / p.c.P)
	} else {
		for b := range obs {
			p.ridge.Add(p.x.RawRowView(obs[b].Arm), float64(obs[b].N), obs[b].Sum)
		}
		p.ridge.Solve(reg)
	}
	p.estimate(reg)
	p.race.Round(p.mean, p.c.Objectives, p.beta, p.eps, p.out)
	kept := p.alive[:0]
	for _, i := range p.alive {
		if p.final[i].Class != explore.Dominated {
			kept = append(kept, i)
		}
	}
	p.alive = kept
	return nil
}

// estimate computes means and half-widths of the arms that are left.
func (p *PFIwR) estimate(reg float64) {
	d := p.c.Objectives
	width, own := p.width(reg)
	for _, i := range p.alive {
		x := p.x.RawRowView(i)
		if p.prob.Changing {
			x = p.average
			floats.ScaleTo(x, 1/float64(p.t), p.sums[i*len(x):][:len(x)])
		}
		if p.fresh != nil {
			p.fresh.Means(p.mean[i*d:][:d], x)
		} else {
			p.ridge.Means(p.mean[i*d:][:d], x)
		}
		p.beta[i] = own
		if width > 0 {
			p.beta[i] += width * math.Sqrt(p.ridge.Squared(x))
		}
	}
}

// width returns the half-widths: width times the norm of an arm's features, plus own.
func (p *PFIwR) width(reg float64) (width, own float64) {
	c := p.c
	c.Norm *= p.longest
	scale := p.scale * p.prob.Sigma
	if p.Width != PFIwRSelfNormalized {
		return 0, scale * c.Beta(p.t)
	}
	delta := c.Delta
	if p.prob.Changing {
		delta /= 2
		own = scale * c.Norm * math.Sqrt(2*(math.Log(math.Pi*math.Pi/3)+PFIwRConstants{
			Objectives: c.Objectives, Delta: delta,
		}.log(float64(c.Arms), p.t))/float64(p.t))
	}
	log := 2*math.Log(float64(c.Objectives)/delta) +
		p.ridge.LogDet() - float64(c.Features)*math.Log(p.base)
	return scale * (math.Sqrt(log) + math.Sqrt(reg)*p.c.Norm), own
}

// leave notes why an arm leaves the race.
func (p *PFIwR) leave(i, by int) {
	if by >= 0 {
		p.final[i] = p.reason(i, by, explore.Dominated)
		return
	}
	p.final[i] = p.reason(i, p.closest(i), explore.Optimal)
}

// closest returns the arm still in the race that comes closest to dominating i.
func (p *PFIwR) closest(i int) int {
	by, least := -1, inf
	for _, j := range p.race.Active {
		if j != i {
			if v := pareto.Excess(p.row(i), p.row(j)); v < least {
				by, least = j, v
			}
		}
	}
	return by
}

func (p *PFIwR) row(i int) []float64 { return p.mean[i*p.c.Objectives:][:p.c.Objectives] }

// reason returns the reason for the verdict on arm i, compared with by.
func (p *PFIwR) reason(i, by int, class explore.Class) explore.Reason {
	r := explore.Reason{Class: class, By: by}
	if by < 0 {
		return r
	}
	r.Margin, r.MarginRadius = pareto.Excess(p.row(i), p.row(by)), p.beta[i]+p.beta[by]
	if class == explore.Dominated {
		r.Margin = -r.Margin
	}
	return r
}

// Answer implements explore.Policy. Before all arms are decided, the items are those found
// optimal, and undecided arms whose estimates no other's dominates.
func (p *PFIwR) Answer() explore.Answer {
	a := explore.Answer{Reasons: slices.Clone(p.final)}
	in := slices.Clone(p.race.Retired)
	for _, i := range p.race.Active {
		a.Reasons[i] = explore.Reason{By: -1}
		if p.t == 0 {
			continue
		}
		a.Reasons[i] = p.reason(i, p.closest(i), explore.Undecided)
		in[i] = true
		for _, j := range p.alive {
			in[i] = in[i] && !pareto.Dominates(p.row(j), p.row(i))
		}
	}
	for i, first := range p.like {
		a.Reasons[i] = a.Reasons[first]
		a.Reasons[i].Constraint = -1
		if in[first] {
			a.Items = append(a.Items, i)
		}
	}
	return a
}
