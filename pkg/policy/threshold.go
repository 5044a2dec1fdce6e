package policy

import (
	"fmt"
	"math"

	"github.com/purexp/purexp/pkg/policy/internal/memory"
	"github.com/purexp/purexp/pkg/radius"
)

// A Threshold is a stopping threshold for the natural logarithms of generalised likelihood ratios.
// The logarithm for the leader b against item j is
//
//	(gap_j + epsilon)^2 / (2 sigma^2 ||z_b - z_j||^2_W)
//
// for features z, noise of scale sigma, the estimated gap gap_j, the tolerance epsilon of the
// question, and the inverse W of the information matrix A. The matrix A is the sum of x x' over the
// pulled arms.
type Threshold interface {
	// Beta returns the value that the logarithms of all likelihood ratios must exceed before a run
	// stops.
	Beta(e Evidence) float64
}

// Evidence contains the arguments of a [Threshold].
type Evidence struct {
	Delta float64 // error probability
	Pulls int     // t, number of rewards so far
	Rank  int     // m, dimension of the model
	// LogDet is log det A - log det A_0, where A_0 is the information matrix of the initial pulls,
	// which do not depend on rewards.
	LogDet float64
}

// SelfNormalized is the threshold that follows from the self-normalised bound (Abbasi-Yadkori, Pal
// and Szepesvari 2011, Theorem 1), for least squares without regularisation, as in Jedra and
// Proutiere 2020:
//
//	beta = (1 + u) (log(1/delta) + 1/2 log(det A/det A_0) + m/2 log(1 + 1/u)).
//
// The threshold is valid at all times simultaneously with probability at least 1 - delta, and does
// not depend on the units of the features. The proof uses u A_0 as the regularisation in the bound,
// whereas the paper uses u times the least eigenvalue of A_0. To replace the regularised matrix A +
// u A_0 by A, the proof uses A + u A_0 <= (1 + u) A, for norms and for determinants.
type SelfNormalized struct {
	// U is the regularisation in the proof, relative to A_0; zero means 0.1, the paper's value.
	U float64
}

// Beta implements Threshold.
func (s SelfNormalized) Beta(e Evidence) float64 { return s.fix(e.Delta, e.Rank).beta(e.LogDet) }

// For a fixed error probability and rank, fix returns the threshold with its constant logarithms
// computed in advance.
func (s SelfNormalized) fix(delta float64, rank int) fixedThreshold {
	u := s.u()
	return fixedThreshold{1 + u, -math.Log(delta), float64(rank) / 2 * math.Log1p(1/u)}
}

// fixedThreshold is the threshold SelfNormalized for a fixed error probability and rank.
type fixedThreshold struct{ scale, error, rank float64 }

func (f fixedThreshold) beta(logDet float64) float64 {
	return f.scale * (f.error + logDet/2 + f.rank)
}

func (s SelfNormalized) u() float64 {
	if s.U == 0 {
		return .1
	}
	return s.U
}

// Validate returns an error unless U is positive and finite, or 0.
func (s SelfNormalized) Validate() error {
	if u := s.u(); !(u > 0) || math.IsInf(u, 1) {
		return fmt.Errorf("policy: SelfNormalized.U is %v; expected a positive number such as 0.1", s.U)
	}
	return nil
}

// String returns the name of the threshold with its setting.
func (s SelfNormalized) String() string { return fmt.Sprintf("self-normalized (u = %v)", s.u()) }

// Heuristic is the threshold log((1 + log t)/delta), which experiments of Degenne et al. 2020, Wang
// et al. 2021 and others use. No theorem supports the threshold Heuristic. Runs stop much earlier
// than with thresholds that a theorem supports. Nevertheless, error rates in experiments were below
// delta.
type Heuristic struct{}

// Beta implements Threshold.
func (Heuristic) Beta(e Evidence) float64 {
	return math.Log((1 + math.Log(float64(e.Pulls))) / e.Delta)
}

// String returns the formula of the threshold.
func (Heuristic) String() string { return "log((1 + log t)/delta)" }

// threshold returns t or, if t is nil, the default threshold, and checks its settings.
func threshold(t Threshold) (Threshold, error) {
	if t == nil {
		t = SelfNormalized{}
	}
	if v, ok := t.(interface{ Validate() error }); ok {
		if err := v.Validate(); err != nil {
			return nil, err
		}
	}
	return t, nil
}

// MixtureMartingales is the threshold of Kaufmann and Koolen ("Mixture Martingales Revisited", JMLR
// 2021) for m means that are estimated separately: one mean for each arm and objective, without
// features:
//
//	beta = 2 m log(4 + LogDet/m) + m CgG(log(1/delta)/m).
//
// LogDet is the sum over the m means of log N, where N is the number of rewards of the mean. With
// probability at least 1 - delta, the sum over the means of N (muhat - mu)^2/(2 sigma^2) is at most
// beta at all times simultaneously. The first term in the theorem is the sum of 2 log(4 + log N),
// which is at most the first term of beta, because log(4 + x) is concave. MixtureMartingales is not
// valid for linear models.
//
// With several objectives, sigma is the scale of projections of rewards, Problem.NormSigma. In the
// proof, the martingale is a product over the means of mixtures of exp(l S - l^2 N/2), where S is
// the sum of the noise in the N rewards of a mean, in units of sigma. The product is a mixture of
// exp(l.S - |l|^2 N/2) over vectors l, for any dependence between objectives.
type MixtureMartingales struct {
	// If Printed is true, log(max(t/m, 1)) for t rewards replaces LogDet/m, as in Kone, Kaufmann
	// and Richert ("Constrained Pareto Set Identification with Bandit Feedback", Lemma B.1).
	// However, t rewards of d objectives consist of t d numbers, so each mean is estimated from d
	// t/m numbers on average. With several objectives, the printed threshold is therefore below
	// that of the theorem.
	Printed bool
}

// Beta implements Threshold.
func (s MixtureMartingales) Beta(e Evidence) float64 { return s.ofPulls(e) + s.ofDelta(e) }

// ofPulls and ofDelta return the two terms of Beta: the first depends on the numbers of pulls, and
// the second depends on delta.
func (s MixtureMartingales) ofPulls(e Evidence) float64 {
	m := float64(e.Rank)
	log := e.LogDet / m
	if s.Printed {
		log = max(math.Log(float64(e.Pulls)/m), 0)
	}
	return 2 * m * math.Log(4+log)
}

func (s MixtureMartingales) ofDelta(e Evidence) float64 {
	m := float64(e.Rank)
	return m * radius.CgG(-math.Log(e.Delta)/m)
}

// String returns the name of the threshold with its setting.
func (s MixtureMartingales) String() string {
	if s.Printed {
		return "mixture martingales, as printed"
	}
	return "mixture martingales"
}

// armThreshold returns the threshold of a policy for arms without features: t or, if t is nil, the
// default. armThreshold also checks the settings of the threshold.
func armThreshold(t Threshold) (Threshold, error) {
	if t == nil {
		return MixtureMartingales{}, nil
	}
	return threshold(t)
}

// A stoppingTest compares likelihood ratios with a threshold that never decreases as the number of
// pulls grows. A stoppingTest avoids most evaluations of CgG, each of which takes longer than a
// round. An earlier value of the threshold is a lower bound on the current value. If a likelihood
// ratio does not exceed this lower bound, as in most rounds, the current value is not computed. The
// term that depends only on delta is computed in advance.
type stoppingTest struct {
	t     Threshold
	floor []float64 // by ratio: last computed value of the threshold, initially 0
	fixed []fixed
}

// fixed is the second term of MixtureMartingales for a given delta and rank.
type fixed struct {
	delta float64
	rank  int
	term  float64
}

// init prepares tests of several likelihood ratios with the given delta and ranks.
func (g *stoppingTest) init(t Threshold, ratios int, delta float64, ranks ...int) {
	g.t, g.floor, g.fixed = t, memory.Zeroed(g.floor, ratios), g.fixed[:0]
	if s, ok := t.(MixtureMartingales); ok {
		for _, m := range ranks {
			g.fixed = append(g.fixed, fixed{delta, m, s.ofDelta(Evidence{Delta: delta, Rank: m})})
		}
	}
}

func (g *stoppingTest) beta(e Evidence) float64 {
	for _, f := range g.fixed {
		if f.delta == e.Delta && f.rank == e.Rank {
			return g.t.(MixtureMartingales).ofPulls(e) + f.term
		}
	}
	return g.t.Beta(e)
}

// exceeds reports whether likelihood ratio number i exceeds its threshold.
func (g *stoppingTest) exceeds(i int, ratio float64, e Evidence) bool {
	if !(ratio > g.floor[i]) {
		return false
	}
	g.floor[i] = g.beta(e)
	return ratio > g.floor[i]
}
