package radius

import (
	"fmt"
	"math"
)

// EmpiricalBernstein is the radius for bounded rewards whose variance is not known: the bound of
// Audibert, Munos and Szepesvari ("Exploration-exploitation tradeoff using variance estimates in
// multi-armed bandits", 2009, Theorem 1) for every count of every arm at once,
//
//	beta_i = sqrt(2 v_i x / N_i) + 3 R x / N_i,  x = log(6 K d N_i (N_i + 1) / delta),
//
// where v_i is the mean square deviation of the N_i rewards from their mean and R is the length of
// the range that all rewards of an objective lie in: twice Params.Sigma. Half of delta is its
// price; the other half goes to the bound of Hoeffding, which is narrower for the first hundred
// rewards, and the lesser of the two is taken:
//
//	beta_i = R sqrt(y / (2 N_i)),  y = log(4 K d N_i (N_i + 1) / delta).
//
//	beta_ij = beta_i + beta_j,     U_i = sqrt(d) beta_i.
//
// All hold at once with probability at least 1 - delta for rewards within a range of length R. The
// narrower ones need the sums of squares (explore.Batch.Squares), and a policy that asks for them
// ([Fitted]): those for feasible Pareto sets. Others take Hoeffding's.
type EmpiricalBernstein struct{}

// String returns the name.
func (EmpiricalBernstein) String() string { return "empirical Bernstein" }

// Holds implements Holder.
func (EmpiricalBernstein) Holds() Noise { return Bounded }

// Bind implements Radius.
func (EmpiricalBernstein) Bind(p Params) Bonus {
	kd := float64(p.Arms) * float64(p.Objectives)
	return empiricalBernstein{length: 2 * p.Sigma, root: math.Sqrt(float64(p.Objectives)),
		bernstein: math.Log(6 * kd / p.Delta), hoeffding: math.Log(4 * kd / p.Delta)}
}

type empiricalBernstein struct{ length, root, bernstein, hoeffding float64 }

func (b empiricalBernstein) Factors(int) (pair, norm float64) { return 1, 1 }

// union is the price of all counts: the sum of 1/(n (n + 1)) is 1.
func union(n float64) float64 { return math.Log(n) + math.Log1p(n) }

func (b empiricalBernstein) Mean(count int) float64 {
	n := float64(count)
	return b.length * math.Sqrt((b.hoeffding+union(n))/(2*n))
}

func (b empiricalBernstein) Term(n int) Term        { return Term{X: b.Mean(n)} }
func (b empiricalBernstein) Pair(i, j Term) float64 { return i.X + j.X }
func (b empiricalBernstein) Norm(n int) float64     { return b.root * b.Mean(n) }

// Squares implements Fitted.
func (empiricalBernstein) Squares() bool { return true }

// Within implements Fitted.
func (b empiricalBernstein) Within(_ int, lo, hi float64) bool { return hi-lo <= b.length*(1+1e-9) }

// Range implements Fitted.
func (b empiricalBernstein) Range(_ int, scale float64) string {
	return fmt.Sprintf("in a range of the length %v", scale*b.length)
}

// Around implements Fitted.
func (b empiricalBernstein) Around(_ int, s Seen) float64 {
	if math.IsNaN(s.Spread) {
		return b.Mean(s.N)
	}
	n := float64(s.N)
	x := (b.bernstein + union(n)) / n
	return math.Min(b.Mean(s.N), math.Sqrt(2*s.Spread*x)+3*b.length*x)
}

// Apart implements Fitted.
func (b empiricalBernstein) Apart(c int, i, j Seen) float64 { return b.Around(c, i) + b.Around(c, j) }
