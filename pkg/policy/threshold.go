package policy

import (
	"fmt"
	"math"
)

// A Threshold decides when a generalised likelihood ratio is large enough to
// stop. The ratio for the leader b against item j, in natural units, is
//
//	(gap_j + epsilon)^2 / (2 sigma^2 ||z_b - z_j||^2_W)
//
// for the estimated gap and the inverse W of the information A = sum x x'.
type Threshold interface {
	// Beta returns the value that all ratios must exceed.
	Beta(e Evidence) float64
}

// Evidence is what thresholds depend on.
type Evidence struct {
	Delta float64 // the error probability
	Pulls int     // t, rewards so far
	Rank  int     // m, dimension of the model
	// LogDet is log det A - log det A_0, where A_0 is the information of the
	// pulls with which the policy starts, whatever the rewards.
	LogDet float64
}

// SelfNormalized is the threshold of the self-normalised bound (Abbasi-Yadkori,
// Pal and Szepesvari 2011, Theorem 1) for least squares without regularisation,
// as in Jedra and Proutiere 2020:
//
//	beta = (1 + u) (log(1/delta) + 1/2 log(det A/det A_0) + m/2 log(1 + 1/u)).
//
// It holds at all times simultaneously with probability at least 1 - delta, and
// does not depend on the units of the features. The proof takes u A_0 as the
// regularisation of the bound, where the paper takes u times the least
// eigenvalue of A_0: A + u A_0 <= (1 + u) A, which compares norms and
// determinants.
type SelfNormalized struct {
	// U is the price of having no regularisation. Zero means 0.1, the paper's.
	U float64
}

// Beta implements Threshold.
func (s SelfNormalized) Beta(e Evidence) float64 { return s.fix(e.Delta, e.Rank).beta(e.LogDet) }

// fix returns the threshold for an error probability and a rank, without logarithms
// in every round.
func (s SelfNormalized) fix(delta float64, rank int) fixedThreshold {
	u := s.u()
	return fixedThreshold{1 + u, -math.Log(delta), float64(rank) / 2 * math.Log1p(1/u)}
}

// fixedThreshold is SelfNormalized for an error probability and a rank.
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

// Validate reports whether U is positive.
func (s SelfNormalized) Validate() error {
	if u := s.u(); !(u > 0) || math.IsInf(u, 1) {
		return fmt.Errorf("policy: SelfNormalized.U is %v; want a positive number such as 0.1", s.U)
	}
	return nil
}

// String returns the name with the setting.
func (s SelfNormalized) String() string { return fmt.Sprintf("self-normalized (u = %v)", s.u()) }

// Heuristic is the threshold log((1 + log t)/delta) of the experiments of
// Degenne et al. 2020, Wang et al. 2021 and others. No theorem supports it; it
// stops much earlier, and has been seen to err less often than delta.
type Heuristic struct{}

// Beta implements Threshold.
func (Heuristic) Beta(e Evidence) float64 {
	return math.Log((1 + math.Log(float64(e.Pulls))) / e.Delta)
}

// String returns the formula.
func (Heuristic) String() string { return "log((1 + log t)/delta)" }

// threshold resolves the setting of a policy.
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
