package policy

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/lapack/lapack64"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/lsq"
	"github.com/purexp/purexp/pkg/policy/internal/game"
	"github.com/purexp/purexp/pkg/policy/internal/linear"
	"github.com/purexp/purexp/pkg/question"
)

// LinGapE is the method Linear Gap-based Exploration (Xu, Honda and Sugiyama, "A Fully Adaptive
// Algorithm for Pure Exploration in Linear Bandits", AISTATS 2018, Algorithm 1).
//
// Question: the item z with the largest mean z'theta, up to the Epsilon of question.Best; a reward
// of arm x has mean x'theta. Items may be different from arms. Fixed confidence.
//
// Assumptions: the means are linear in the features. Rewards are sub-Gaussian of scale
// Problem.Sigma. Differences of items lie in the span of the arms. If Norm is set, ||theta|| is at
// most Norm.
//
// Guarantee (Theorem 1): without Norm, or with Norm and LinGapEDeterminant, the answer is right
// with probability at least 1 - Delta. For Norm = 2 and models of rank 2 or more, the guarantee
// with LinGapEDeterminant implies the same guarantee for [LinGapETrace]. Theorem 2 bounds the
// number of pulls with LinGapERatio.
//
// Deviations from the paper: Norm is a setting; the paper's experiments take Norm from the true
// parameters. Without Norm, least squares has no regularisation, and the width is that of
// [SelfNormalized], which needs no bound on theta. The norm of theta, its weight Reg and det V
// refer to the original features, restricted to their span. In the paper, the items are the arms;
// if items are not the arms, K in the width is the number of items. Items with the same features
// are treated as one item. Ties are broken in favour of the lowest index. The run starts with one
// reward of each of m spanning arms, which suffices for the guarantee. For the paper's
// initialisation, which always takes K pulls, set EachArm.
//
// Each round finds the leader i, and the item j that may be better than i by the largest margin. If
// the margin of j is at most Epsilon, the policy stops. If the margin of j exceeds Epsilon, the
// policy pulls the arm that best distinguishes i and j. Each round takes O(m^2 + (K + n) m)
// operations for n distinct items and rank m. With LinGapERatio, each new pair i, j also needs a
// linear program. All other rounds allocate no memory.
type LinGapE struct {
	// Delta is the error probability; zero means DefaultDelta.
	Delta float64
	// Norm is S, a bound on the Euclidean norm of theta, in reward units per feature unit; zero
	// means that no bound is known.
	Norm float64 `label:"norm %v" in:"[0,inf)" want:"a bound on the norm of theta, or 0 if none is known"`
	// Reg is the weight of ||theta||^2 in least squares, the paper's lambda; if Norm is set or
	// Width is LinGapETrace, zero means 1. In all other cases, least squares has no regularisation,
	// and Reg must be 0.
	Reg float64 `label:"reg %v" in:"[0,inf)" want:"a weight of at least 0"`
	// Select is the rule by which the arm is chosen: LinGapERatio (the default) or LinGapEGreedy.
	Select LinGapESelection `label:"greedy" in:"[0,1]" want:"LinGapERatio or LinGapEGreedy"`
	// Width is the formula for confidence widths: LinGapEDeterminant (the default) or LinGapETrace.
	Width LinGapEWidth `label:"trace width" in:"[0,1]" want:"LinGapEDeterminant or LinGapETrace"`
	// If EachArm is true, the run starts with one reward of each arm, as in the paper, instead of
	// one reward of each of m spanning arms.
	EachArm bool `label:"each arm first"`

	batcher
	sequential linear.Sequential
	delta      float64
	threshold  fixedThreshold
	reg        float64 // 0 for unregularised least squares
	norm       float64
	square     float64 // L^2, the largest squared norm of an arm
	ratios     linear.Ratios
	y, g       []float64
}

// Card implements explore.Describer.
func (p *LinGapE) Card() explore.Card {
	return withNorm(p.Norm != 0 || p.Width == LinGapETrace, p.Norm, explore.Card{
		Name:      "LinGapE",
		Evidence:  explore.AnySampling,
		Answers:   []explore.Question{question.Best{}},
		Certifies: explore.CertifiesSet,
		Needs:     []explore.Need{explore.SubGaussian{}, explore.Linear{}},
		Uses: explore.UsesFeatures | explore.UsesItems | explore.UsesRelaxations |
			explore.UsesCosts,
		Source: "Xu, Honda, Sugiyama 2018",
		Key:    "xu2018fully",
	})
}

// A LinGapESelection is a rule by which LinGapE chooses the arm that distinguishes two items.
type LinGapESelection int

// The following constants are the rules for choosing an arm that distinguishes two items.
const (
	// LinGapERatio follows the proportions of the optimal design for the difference of the two
	// items, as in the theorem.
	LinGapERatio LinGapESelection = iota
	// LinGapEGreedy pulls the arm that most reduces the variance of the difference, as in the
	// paper's experiments.
	LinGapEGreedy
)

// A LinGapEWidth is a formula for the confidence widths of LinGapE. The half-width for a difference
// y'theta is C times the V^-1 norm of y, where V = Reg I + sum x x'.
type LinGapEWidth int

// The following constants are the formulas, in which n is the number of items, m is the rank and S
// is Norm.
const (
	// LinGapEDeterminant is the formula of the paper, C = sigma sqrt(2 log(n^2 sqrt(det V)/(delta
	// Reg^(m/2)))) + sqrt(Reg) S.
	LinGapEDeterminant LinGapEWidth = iota
	// LinGapETrace is the formula in the RAGE paper's code, C = sigma sqrt(m log(n^2 (1 + t
	// L^2/Reg)/delta)) + sqrt(Reg) S after t pulls. Here, L is the largest norm of an arm, and S is
	// 2 unless Norm is set.
	LinGapETrace
)

// String returns the name of the policy, followed by its settings.
func (p *LinGapE) String() string { return named("LinGapE", p) }

// Init implements explore.Policy.
func (p *LinGapE) Init(prob *explore.Problem, _ rand.Source) (err error) {
	p.batcher.init(p, prob, nil, p.sequential.Expected)
	if p.delta, _, err = checked(p, p.Delta, nil); err != nil {
		return err
	}
	p.norm, p.reg = p.Norm, p.Reg
	switch p.Width {
	case LinGapEDeterminant:
		if p.norm == 0 && p.reg > 0 {
			return fmt.Errorf("policy: LinGapE.Reg is %v, but Norm, which bounds the bias of "+
				"regularisation, is 0; set Norm to a bound on the norm of theta, or leave Reg at 0", p.Reg)
		}
	case LinGapETrace:
		p.norm = cmp.Or(p.norm, 2)
	}
	if p.norm > 0 && p.reg == 0 {
		p.reg = 1
	}
	if err := p.sequential.Init(prob, p.reg, !p.EachArm); err != nil {
		return err
	}
	p.threshold = SelfNormalized{}.fix(p.delta, p.sequential.Rank)
	p.square = 0
	for i := range p.sequential.K {
		p.square = max(p.square, floats.Dot(p.sequential.Arm(i), p.sequential.Arm(i)))
	}
	p.ratios.Init(&p.sequential.Model)
	p.y, p.g = make([]float64, p.sequential.Rank), make([]float64, p.sequential.K)
	return nil
}

// Ask implements explore.Policy.
func (p *LinGapE) Ask(dst []explore.Pull) ([]explore.Pull, error) {
	return p.sequential.Ask(dst)
}

// Tell implements explore.Policy.
func (p *LinGapE) Tell(obs []explore.Batch) error {
	s := &p.sequential
	if err := s.Tell(obs); err != nil {
		return err
	}
	s.Width = p.c()
	mean, square := s.Fit.Means(), s.Fit.Against(s.Best)
	rival, most := -1, -inf
	for i, v := range square {
		if i == s.Best {
			continue
		}
		if m := mean[i] - mean[s.Best] + s.Width*math.Sqrt(max(v, 0)); m > most {
			rival, most = i, m
		}
	}
	if most <= s.Epsilon {
		s.Over = true
		return nil
	}
	return p.choose(rival)
}

// c returns C, the factor in the confidence widths.
func (p *LinGapE) c() float64 {
	s := &p.sequential
	if p.reg == 0 {
		return s.Sigma * math.Sqrt(2*p.threshold.beta(s.Gained()))
	}
	m, union := float64(s.Rank), 2*math.Log(float64(s.N))-math.Log(p.delta)
	bias := math.Sqrt(p.reg) * p.norm
	if p.Width == LinGapETrace {
		return s.Sigma*math.Sqrt(m*(union+math.Log1p(float64(s.Pulls)*p.square/p.reg))) + bias
	}
	return s.Sigma*math.Sqrt(2*union+s.Fit.LogDet()-m*math.Log(p.reg)) + bias
}

// choose selects the arm that best distinguishes the leader from its rival.
func (p *LinGapE) choose(rival int) error {
	s := &p.sequential
	if p.Select == LinGapEGreedy {
		floats.SubTo(p.y, s.Item(s.Best), s.Item(rival))
		s.Fit.Gains(p.g, p.y)
		if s.Costs != nil {
			floats.Div(p.g, s.Costs)
		}
		s.Next = floats.MaxIdx(p.g)
		return nil
	}
	arm, err := p.ratios.Lagging(s.Best, rival, s.Fit.Weights())
	if err != nil {
		return fmt.Errorf("policy: LinGapE, design for %s and %s: %w",
			s.Prob.Item(s.First[s.Best]), s.Prob.Item(s.First[rival]), err)
	}
	s.Next = arm
	return nil
}

// Answer implements explore.Policy.
func (p *LinGapE) Answer() explore.Answer { return p.sequential.Answer() }

// LinGame is the saddle-point algorithm of Degenne, Menard, Shang and Valko ("Gamification of Pure
// Exploration for Linear Bandits", ICML 2020, Algorithm 1).
//
// Question: the item z with the largest mean z'theta, up to the Epsilon of question.Best; a reward
// of arm x has mean x'theta. Items may be different from arms. Fixed confidence.
//
// Assumptions: the means are linear in the features. Rewards are sub-Gaussian of scale
// Problem.Sigma. Differences of items lie in the span of the arms.
//
// Guarantee: if Threshold is SelfNormalized, the answer is right with probability at least 1 -
// Delta for any sampling rule. For its own initialisation and threshold, the paper proves that the
// number of pulls is of order T* log(1/Delta) for small Delta, where T* is the characteristic time.
//
// Deviations from the paper: least squares has no regularisation. The run starts with one reward of
// each of m spanning arms. The threshold is valid for least squares without regularisation, and
// needs no bound on theta. The closest alternative is computed in the whole space, because no bound
// on theta is assumed. Only the leader is tested as an answer, because the test statistic of any
// other item is 0. If Epsilon > 0, alternatives are those theta for which another item is better
// than the leader by more than Epsilon. Ties are broken in favour of the lowest index.
//
// In each round, the learner that belongs to the leader (AdaHedge over arms) proposes proportions.
// Nature then responds with the closest theta for which another item is better. The learner's gain
// for each arm is the arm's information about the difference between theta and the alternative of
// nature, plus a bonus for uncertainty. The policy pulls the arm whose count is furthest below its
// cumulative proportion. Each round takes O((K + n) m^2 + m^3) operations for n distinct items and
// rank m. Rounds allocate memory only for the learner of an item that becomes the leader for the
// first time.
type LinGame struct {
	// Delta is the error probability; zero means DefaultDelta.
	Delta float64
	// Threshold is the stopping threshold; nil means SelfNormalized{}. The paper's experiments use
	// Heuristic{}.
	Threshold Threshold `label:"threshold %v" usual:"self-normalized (u = 0.1)"`

	likelihoodRatio
	learners []*game.AdaHedge // by item: the learner that proposes proportions while the item is the leader
	played   []float64        // by arm: sum of the proposed proportions

	xw, zp  blas64.General   // xw is K x m; zp is n x m
	info    blas64.Symmetric // m x m: information matrix for the proportions, later overwritten by its inverse
	inverse blas64.General   // m x m: the inverse, with both triangles stored
	y       []float64        // m
	gain    []float64        // K
}

// Card implements explore.Describer.
func (p *LinGame) Card() explore.Card {
	return linearBest(explore.Card{
		Name:      "LinGame",
		Evidence:  explore.AnySampling,
		Certifies: certifiesIf(proved(p.Threshold)),
		Bound:     "asymptotically optimal",
		Source:    "Degenne, Ménard, Shang, Valko 2020",
		Key:       "degenne2020gamification",
	})
}

// String returns the name of the policy, followed by its settings.
func (p *LinGame) String() string { return named("LinGame", p) }

// Init implements explore.Policy.
func (p *LinGame) Init(prob *explore.Problem, _ rand.Source) error {
	if err := p.begin(p, prob, p.Delta, p.Threshold, true); err != nil {
		return err
	}
	k, n, m := p.sequential.K, p.sequential.N, p.sequential.Rank
	general := func(r, c int) blas64.General {
		return blas64.General{Rows: r, Cols: c, Stride: c, Data: make([]float64, r*c)}
	}
	p.learners, p.played = make([]*game.AdaHedge, n), make([]float64, k)
	p.xw, p.zp, p.inverse = general(k, m), general(n, m), general(m, m)
	p.info = blas64.Symmetric{Uplo: blas.Lower, N: m, Stride: m, Data: make([]float64, m*m)}
	p.y, p.gain = make([]float64, m), make([]float64, k)
	return nil
}

// Tell implements explore.Policy.
func (p *LinGame) Tell(obs []explore.Batch) error {
	if over, err := p.test(obs); err != nil || over {
		return err
	}
	s := &p.sequential
	if p.learners[s.Best] == nil {
		p.learners[s.Best] = game.NewAdaHedge(s.K)
	}
	l := p.learners[s.Best]
	floats.AddScaled(p.played, s.Due(), l.Weights)
	s.Next = game.Lagging(s.Fit.Weights(), p.played)
	p.respond(l.Weights)
	l.Learn(p.gain)
	return nil
}

// respond finds the closest alternative for the proportions w. respond sets gain to the information
// of each arm about the difference between theta and this alternative, plus a bonus for
// uncertainty, multiplied by the number of rewards in the round.
func (p *LinGame) respond(w []float64) {
	s := &p.sequential
	p.factorize(w)
	// zp contains P z for each item z, where P is the inverse information matrix.
	z := s.Z.RawMatrix()
	lsq.MulRows(p.zp, z, p.inverse)
	image := func(i int) []float64 { return p.zp.Data[i*s.Rank:][:s.Rank] }
	mean, rival, least, shift := s.Fit.Means(), -1, inf, 0.
	top, own, pz := mean[s.Best]+s.Epsilon, s.Item(s.Best), image(s.Best)
	for j := range s.N {
		if j == s.Best {
			continue
		}
		v := 0. // (z_b - z_j)'P(z_b - z_j)
		for c, a := range image(j) {
			v += (own[c] - s.Item(j)[c]) * (pz[c] - a)
		}
		gap := top - mean[j]
		if cost := gap * gap / v; cost < least {
			rival, least, shift = j, cost, gap/v
		}
	}
	// The closest alternative lambda satisfies theta - lambda = shift P(z_b - z_rival), where shift
	// is a scalar.
	clear(p.gain)
	if rival >= 0 {
		floats.SubTo(p.y, pz, image(rival))
		blas64.Gemv(blas.NoTrans, shift/s.Sigma, s.X.RawMatrix(),
			blas64.Vector{N: s.Rank, Inc: 1, Data: p.y}, 0,
			blas64.Vector{N: s.K, Inc: 1, Data: p.gain})
	}
	logT, n := math.Log(float64(s.Pulls)), s.Due()
	for k, h := range s.Fit.Leverages() {
		d := math.Abs(p.gain[k]) + math.Sqrt(2*logT*max(h, 0))
		p.gain[k] = n * min(d*d/2, logT)
	}
}

// factorize computes the inverse of the information matrix for the proportions w.
func (p *LinGame) factorize(w []float64) {
	s, m := &p.sequential, p.sequential.Rank
	for k, v := range w {
		v = math.Sqrt(v)
		row := p.xw.Data[k*m:][:m]
		for c, a := range s.Arm(k) {
			row[c] = v * a
		}
	}
	// If the learner gives most arms negligible weights, the information matrix may be numerically
	// singular. A tiny multiple of the initial information matrix, which is the identity in the
	// model's coordinates, makes the matrix invertible.
	for ridge := 1e-9; ridge < 1; ridge *= 10 {
		blas64.Syrk(blas.Trans, 1, p.xw, 0, p.info)
		trace := 0.
		for i := range m {
			trace += p.info.Data[i*m+i]
		}
		for i := range m {
			p.info.Data[i*m+i] += ridge * trace / float64(m)
		}
		if t, ok := lapack64.Potrf(p.info); ok {
			if _, ok := lapack64.Potri(t); ok {
				break
			}
		}
	}
	for i := range m {
		for j := range i + 1 {
			v := p.info.Data[i*m+j]
			p.inverse.Data[i*m+j], p.inverse.Data[j*m+i] = v, v
		}
	}
}
