package policy

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/lapack/lapack64"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/lsq"
	"github.com/purexp/purexp/pkg/policy/internal/game"
	"github.com/purexp/purexp/pkg/question"
)

// LinGame is the saddle-point algorithm of Degenne, Menard, Shang and Valko
// ("Gamification of Pure Exploration for Linear Bandits", ICML 2020,
// Algorithm 1).
//
// Question: the best item z, by z'theta, when rewards of arms x have mean
// x'theta, up to question.Best{Epsilon}. Items need not be arms. Fixed
// confidence.
//
// Assumptions: the means are linear in the features, rewards are sub-Gaussian of
// scale Problem.Sigma, differences of items lie in the span of the arms.
//
// Guarantee: with SelfNormalized, whatever arms are pulled, the answer is right
// with probability at least 1 - Delta. The paper proves that pulls are of
// order T* log(1/Delta) for small Delta, T* the characteristic time,
// for its own start and threshold.
//
// Deviations from the paper: instead of regularising, it starts with one reward
// of each of m arms that span the model, and the threshold is one for least
// squares without regularisation, which needs no bound on theta. The closest
// alternative is found in the whole space, without the bound on theta. The test
// is of the leader only: for any other answer the ratio is 0. With Epsilon > 0,
// alternatives are those in which the leader is worse than another item by more
// than Epsilon. Ties go to the lowest index.
//
// Each round, the learner of the leading item, AdaHedge on arms, proposes
// proportions; nature answers with the closest theta in which another item is
// better; the learner gains what each arm would have told the two apart, plus a
// bonus for uncertainty; and the arm is pulled that lags furthest behind its
// cumulative proportion. Cost: O((K + n) m^2 + m^3) a round for n distinct items
// and rank m; nothing is allocated but a learner for each new leader.
type LinGame struct {
	// Delta is the error probability. Zero means DefaultDelta.
	Delta float64
	// Threshold is the stopping threshold. Nil means SelfNormalized{};
	// Heuristic{} is that of the paper's experiments.
	Threshold Threshold `label:"threshold %v" usual:"self-normalized (u = 0.1)"`

	likelihoodRatio
	learners []*game.AdaHedge // by leader
	played   []float64        // K: sum of the proportions proposed

	xw, zp  blas64.General   // K x m, n x m
	info    blas64.Symmetric // m x m: information of the proportions, and its inverse
	inverse blas64.General   // m x m, both triangles
	y       []float64        // m
	gain    []float64        // K
}

// Card implements explore.Carded.
func (p *LinGame) Card() explore.Card {
	return explore.Card{
		Name:      "LinGame",
		Answers:   []explore.Question{question.Best{}},
		Certifies: certifiesIf(proved(p.Threshold)),
		Needs:     []explore.Need{explore.SubGaussian{}, explore.Linear{}},
		Uses:      explore.UsesFeatures | explore.UsesItems | explore.UsesRelaxations,
		Bound:     "asymptotically optimal",
		Source:    "Degenne, Ménard, Shang, Valko 2020",
		Key:       "degenne2020gamification",
	}
}

// String returns the name with the settings.
func (p *LinGame) String() string { return named("LinGame", p) }

// Init implements explore.Policy.
func (p *LinGame) Init(prob *explore.Problem, _ rand.Source) error {
	if err := p.init(p, prob, p.Delta, p.Threshold); err != nil {
		return err
	}
	if err := p.sequential.Init(prob, 0, true); err != nil {
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

// respond sets gain to what the round's rewards of each arm would tell about the
// difference between theta and the closest alternative for the proportions w.
func (p *LinGame) respond(w []float64) {
	s := &p.sequential
	p.factorize(w)
	// P z for each item, P the inverse.
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
	// theta - lambda = shift P(z_b - z_rival).
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

// factorize computes the inverse of the information of the proportions w.
func (p *LinGame) factorize(w []float64) {
	s, m := &p.sequential, p.sequential.Rank
	for k, v := range w {
		v = math.Sqrt(v)
		row := p.xw.Data[k*m:][:m]
		for c, a := range s.Arm(k) {
			row[c] = v * a
		}
	}
	// A learner may give up all but a few arms, and then the information is
	// singular within rounding. In the coordinates of the start it is a tiny
	// share of the start that makes it regular.
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
