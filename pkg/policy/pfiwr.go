package policy

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"

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
// A round pulls one arm, but for Growth: in the random phase any of those undecided, later one that
// no other arm's estimate dominates. Then arms are retired by the tests of [AuerRacing].
//
// Cost for h features and A active arms: O(h^3 + A h d + A^2 d) a round, with the default width
// also O(A h^2), and with features that change also O(K h); no allocation.
type PFIwR struct {
	// Delta is the error probability. Zero means DefaultDelta.
	Delta float64
	// P is the paper's p: between 0 and 1, the probability that a pseudo-action is the arm
	// pulled. The regulariser and the width of the paper depend on it. Zero means 0.5.
	P float64 `in:"(0,1)" want:"a probability between 0 and 1, or 0 for 0.5"`
	// Norm bounds the norm of the parameters of each objective, in units of Sigma (S in the
	// paper). Zero means 1.
	Norm float64 `in:"(0,inf)" want:"a bound on the norm of the parameters in units of Sigma, or 0 for 1"`
	// Width is PFIwRSelfNormalized (the default), PFIwRTheory or PFIwRPaper.
	Width PFIwRWidth `in:"[0,2]" want:"PFIwRSelfNormalized, PFIwRTheory or PFIwRPaper"`
	// Scale multiplies the width. Zero means 1, and PFIwRPaperScale for PFIwRPaper. Below 1, Delta
	// is nominal.
	Scale float64 `in:"(0,inf)" want:"a positive factor, or 0 for that of the width"`
	// Random is the length of the random phase in rewards. Zero means that of the width; less
	// that it does not end.
	Random int
	// Ridge is the regulariser of the estimator. Zero means P lambda_t, as in the paper's (8), and
	// 1 for PFIwRPaper.
	Ridge float64 `in:"(0,inf)" want:"a positive regulariser, or 0 for that of the width"`
	// Growth makes rounds longer: after t rewards one asks for 1 + Growth t of them, as long as no
	// features change and without Fresh. At most that part of the rewards is more than it takes
	// with one a round, and rounds are few: some log(t)/Growth. Zero means one a round, as in the
	// paper.
	Growth float64 `in:"(0,1]" want:"the part of the rewards so far that a round may have, from 0 to 1"`
	// Fresh estimates with pseudo-actions that are drawn anew: see [lsq.DoublyRobust]. It has no
	// guarantee, and excludes PFIwRSelfNormalized.
	Fresh bool

	batcher
	c       PFIwRConstants
	eps     float64
	scale   float64
	random  int
	x       *mat.Dense // contexts of the round, K x h
	sums    []float64  // K x h: of contexts so far, if they change
	ridge   *lsq.Ridge
	fresh   *lsq.DoublyRobust
	longest float64
	base    float64 // the first regulariser
	t       int     // rewards, and rounds unless these got longer
	pulls   []int
	extra   []int     // K: random pulls of the round
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

// Card implements explore.Carded.
func (p *PFIwR) Card() explore.Card {
	return explore.Card{
		Name:      "PFIwR",
		Answers:   []explore.Question{question.Pareto{}},
		Certifies: certifiesIf(p.Width == PFIwRSelfNormalized && (p.Scale == 0 || p.Scale >= 1)),
		Needs:     []explore.Need{explore.SubGaussian{}, explore.Linear{}, explore.Norm{Bound: p.Norm, InSigmas: true}},
		Uses:      explore.UsesFeatures | explore.UsesChanging | explore.UsesRelaxations,
		Source:    "Kim, Iyengar, Zeevi 2023, Algorithm 1",
		Key:       "kim2023pareto",
	}
}

// Init implements explore.Policy.
func (p *PFIwR) Init(prob *explore.Problem, src rand.Source) error {
	p.batcher.init(p, prob, src, p.expected)
	q, ok := prob.Question.(question.Pareto)
	if !ok || prob.Z != nil {
		return fmt.Errorf("policy: %T; expected question.Pareto about the arms (Z nil): %w",
			prob.Question, explore.ErrQuestion)
	}
	if err := p.settings(prob); err != nil {
		return err
	}
	k, h, d := p.c.Arms, p.c.Features, p.c.Objectives
	p.eps, p.t, p.base, p.longest = q.Epsilon, 0, 0, 1
	for _, rows := range []int{k, h} {
		if err := explore.CheckTable("the features of the model", rows, h); err != nil {
			return fmt.Errorf("policy: %w; give fewer features (Problem.X)", err)
		}
	}
	p.ridge, p.fresh = lsq.NewRidge(h, d), nil
	if p.Fresh {
		p.fresh = lsq.NewDoublyRobust(h, d, p.c.P, &p.src)
	}
	p.x = mat.NewDense(k, h, nil)
	p.like = memory.UpTo(p.like, k)
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
	p.mean, p.beta = memory.Zeroed(p.mean, k*d), memory.Zeroed(p.beta, k)
	p.pulls, p.extra = memory.Zeroed(p.pulls, k), memory.Zeroed(p.extra, k)
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
	n := 1
	if !p.prob.Changing && p.fresh == nil {
		if err := patience.End(p.t, p.prob, p); err != nil {
			return dst, err
		}
		n = max(1+int(p.Growth*float64(p.t)), patience.Rewards(p.t, 1))
	}
	switch {
	case p.random < 0:
		return p.any(dst, n), nil
	case p.t < p.random:
		return p.any(dst, min(n, p.random-p.t)), nil
	}
	return append(dst, explore.Pull{Arm: p.least(), N: n}), nil
}

// any appends n pulls of undecided arms: as many of each, and what remains at random.
func (p *PFIwR) any(dst []explore.Pull, n int) []explore.Pull {
	arms := p.race.Active
	for range n % len(arms) {
		p.extra[arms[p.rnd.IntN(len(arms))]]++
	}
	for _, i := range arms {
		if m := n/len(arms) + p.extra[i]; m > 0 {
			dst = append(dst, explore.Pull{Arm: i, N: m})
			p.extra[i] = 0
		}
	}
	return dst
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

// batchable fails for settings with which there are only Ask and Tell.
func (p *PFIwR) batchable() error {
	if p.fresh == nil {
		return nil
	}
	return errors.New("policy: PFIwR.Fresh draws pseudo-actions for one reward a round; measure " +
		"one by one, by Ask and Tell, or leave it out")
}

// expected returns the estimated means of an arm.
func (p *PFIwR) expected(arm int) []float64 {
	means := make([]float64, p.c.Objectives)
	p.ridge.Means(means, p.x.RawRowView(arm))
	return means
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
	return reg * (p.longest * p.longest)
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
