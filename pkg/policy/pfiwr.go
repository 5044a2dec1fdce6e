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
	"github.com/purexp/purexp/pkg/policy/internal/arms"
	"github.com/purexp/purexp/pkg/policy/internal/linear"
	"github.com/purexp/purexp/pkg/policy/internal/memory"
	sets "github.com/purexp/purexp/pkg/policy/internal/pareto"
	"github.com/purexp/purexp/pkg/policy/internal/patience"
	"github.com/purexp/purexp/pkg/question"
)

// PFIwR is Pareto front identification with regret minimisation (Kim, Iyengar and Zeevi, "Pareto
// Front Identification with Regret Minimization", Algorithm 1).
//
// Question: the Pareto set of the arms, exact or relaxed by Epsilon of question.Pareto. The policy
// ignores Cover and AtMost, but its answer is also right for questions with Cover and AtMost. If
// features change from round to round (Problem.Changing), the policy sees the features of each
// round, and the question is about mean features. Arms without features are treated as unit
// vectors. Fixed confidence.
//
// Assumptions: every objective is linear in the features, with parameters whose norm is at most
// Norm times Sigma. Given the features, rewards are sub-Gaussian of scale Sigma. Features have norm
// at most 1. If the norm of some features is larger, the policy divides all features by the largest
// norm so far, and adds a warning. If Epsilon is 0 and arms are tied, the policy returns
// ErrUndecidable. If features change or Fresh is true, the policy does not return ErrUndecidable,
// so a run with tied arms does not end.
//
// Guarantee: with the default Width, the answer is right with probability at least 1 - Delta for
// any sampling rule. For the width of Theorem 4.2 (PFIwRTheory), the paper states the same
// guarantee, with regret of order d/Delta_eps for d features. Here Delta_eps is the larger of
// Epsilon and the paper's Delta, which is defined in (5) and is not the error probability. The
// paper's proof does not apply to the estimator, which is in fact a ridge regression on the pulled
// arms. PFIwRPaper has no guarantee.
//
// Deviations from the paper: the estimator (8)-(10) is computed in closed form. By definition, the
// pseudo-actions h_s(N_s) of the estimator equal the pulled arm. Therefore, (10) is exactly the
// ridge regression on the pulled arms with regulariser P lambda_t. The contexts of other arms, and
// the noise that is added to them, have no effect. After the random phase, only the estimates of
// arms that seem optimal improve. For the other arms, a width that decreases as 1/sqrt(t) is
// therefore not valid. The default width is valid for all arms, and its random phase lasts until
// the end of the run.
//
// In the formula for rho_t, the argument of the logarithm is 1 - p, as the proof requires, instead
// of the printed p. Therefore, no round is dropped. Arms with the same features are treated as one
// arm. In the computation of the paper's set P^(1), an arm is not compared with itself. Of the arms
// that seem optimal, the policy pulls the arm with the fewest pulls so far, because the regrets of
// these arms are unknown. Widths are in units of Sigma; the paper assumes Sigma = 1.
//
// A round pulls one arm or, if Growth is set, several arms. In the random phase, a round pulls a
// random undecided arm. After the random phase, a round pulls an arm whose estimate is not
// dominated by any other estimate. After each round, arms are retired by the tests of [AuerRacing].
//
// Each round takes O(h^3 + A h d + A^2 d) operations for h features and A active arms. The default
// width adds O(A h^2) to a round, and changing features add O(K h). Rounds allocate no memory.
type PFIwR struct {
	// Delta is the error probability; zero means DefaultDelta.
	Delta float64
	// P is the paper's p, the probability that a pseudo-action is the pulled arm, between 0 and 1.
	// The paper's regulariser and width depend on P. Zero means 0.5.
	P float64 `label:"p %v" in:"(0,1)" want:"a probability between 0 and 1; 0 means 0.5"`
	// Norm is a bound on the norm of the parameters of each objective, in units of Sigma (S in the
	// paper); zero means 1.
	Norm float64 `label:"norm %v" in:"(0,inf)" want:"a bound on the norm of the parameters in units of Sigma; 0 means 1"`
	// Width is the formula for half-widths: PFIwRSelfNormalized (the default), PFIwRTheory or
	// PFIwRPaper.
	Width PFIwRWidth `label:"!width %v" in:"[0,2]" want:"PFIwRSelfNormalized, PFIwRTheory or PFIwRPaper"`
	// Scale is a factor on the half-widths; zero means 1, or PFIwRPaperScale for PFIwRPaper. If
	// Scale is below 1, the error probability Delta is only nominal.
	Scale float64 `label:"scale %v" in:"(0,inf)" want:"a positive factor, or 0 for the default of Width"`
	// Random is the number of rewards in the random phase; zero means the number that Width
	// requires. If Random is negative, the random phase does not end.
	Random int `label:"random %v"`
	// Ridge is the regulariser of the estimator; zero means P lambda_t, as in the paper's (8), or 1
	// for PFIwRPaper.
	Ridge float64 `label:"ridge %v" in:"(0,inf)" want:"a positive regulariser, or 0 for the default of Width"`
	// Growth makes rounds longer: after t rewards, a round has 1 + Growth t rewards. Growth has no
	// effect if features change or Fresh is true. Growth increases the total number of rewards by
	// at most the fraction Growth, and reduces the number of rounds to about log(t)/Growth. A zero
	// Growth means one reward per round, as in the paper.
	Growth float64 `label:"growth %v" in:"(0,1]" want:"a fraction of the rewards so far, from 0 to 1"`
	// If Fresh is true, estimates use newly drawn pseudo-actions: see [lsq.DoublyRobust]. Fresh has
	// no guarantee, and cannot be combined with PFIwRSelfNormalized.
	Fresh bool `label:"fresh"`

	batcher
	c       PFIwRConstants
	eps     float64
	scale   float64
	random  int
	x       *mat.Dense // features of the round, K x h
	sums    []float64  // K x h: sums of features so far, if features change
	ridge   *lsq.Ridge
	fresh   *lsq.DoublyRobust
	longest float64
	base    float64 // regulariser of the first round
	t       int     // number of rewards
	pulls   []int
	extra   []int     // K: random pulls of the round
	mean    []float64 // K x L
	beta    []float64 // K
	average []float64 // h: scratch
	like    []int     // by arm: the first arm with the same features, if features do not change
	race    sets.Race
	alive   []int // arms that are not certainly dominated, in ascending order
	front   []int
	out     func(i, by int)
	final   []explore.Reason
	warn    []error
}

// Card implements explore.Describer.
func (p *PFIwR) Card() explore.Card {
	return explore.Card{
		Name:      "PFIwR",
		Evidence:  explore.AnySampling,
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
		return arms.WrongQuestion(prob, "question.Pareto")
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

// measure updates the largest norm of features so far, by which all features are divided.
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

// any appends n pulls of undecided arms: the same number for each arm, and the remaining pulls at
// random.
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

// least returns the arm with the fewest pulls among the arms of the estimated front. least breaks
// ties at random.
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

// batchable returns an error for settings with which the policy supports only Ask and Tell.
func (p *PFIwR) batchable() error {
	if p.fresh == nil {
		return nil
	}
	return errors.New("policy: PFIwR.Fresh supports only rounds of one reward; use Ask and Tell, or leave Fresh false")
}

func (p *PFIwR) expected(arm int) []float64 {
	means := make([]float64, p.c.Objectives)
	p.ridge.Means(means, p.x.RawRowView(arm))
	return means
}

// regulariser returns the regulariser of the estimator after t rewards.
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
	if p.base == 0 { // the regulariser after one reward, whatever the size of the first batch
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

// estimate computes the means and half-widths of the arms that are not certainly dominated.
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
