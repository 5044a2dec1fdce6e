package radius

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// EmpiricalBernstein is the radius for bounded rewards with unknown variance. The radius is the
// bound of Audibert, Munos and Szepesvari ("Exploration-exploitation tradeoff using variance
// estimates in multi-armed bandits", 2009, Theorem 1), for all counts of all arms simultaneously,
//
//	beta_i = sqrt(2 v_i x / N_i) + 3 R x / N_i,  x = log(6 K d N_i (N_i + 1) / delta),
//
// where v_i is the mean square deviation of the N_i rewards from their mean. R, which is twice
// Params.Sigma, is the length of the range of rewards in an objective. The empirical Bernstein
// bound uses half of delta. The other half of delta is for Hoeffding's bound, which is narrower for
// about the first hundred rewards:
//
//	beta_i = R sqrt(y / (2 N_i)),  y = log(4 K d N_i (N_i + 1) / delta).
//
//	beta_ij = beta_i + beta_j,     U_i = sqrt(d) beta_i.
//
// EmpiricalBernstein uses the smaller of the two bounds beta_i. The two bounds hold simultaneously
// with probability at least 1 - delta for rewards within a range of length R. The empirical
// Bernstein bound needs the sums of squares (explore.Batch.Squares) and a policy that uses them
// (explore.UsesSquares), such as e-cAPE or APE. All other policies use Hoeffding's bound.
type EmpiricalBernstein struct{}

// String returns "empirical Bernstein".
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

// union returns log(n (n + 1)), the cost of a union bound over all counts; the sum of 1/(n (n + 1))
// is 1.
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
	return fmt.Sprintf("in a range of length %v", scale*b.length)
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

// Each contains one radius for every objective, in the order of the objectives. The method Bind of
// these radii must return a [Fitted]. All half-widths hold simultaneously with probability at least 1
// - delta, because the half-widths of each objective fail with probability at most delta/d.
type Each []Radius

// String returns the names of the radii, each name once.
func (r Each) String() string {
	var names []string
	for _, x := range r {
		if s := x.String(); !slices.Contains(names, s) {
			names = append(names, s)
		}
	}
	return strings.Join(names, ", ")
}

// Validate returns an error if a radius does not support [Fitted].
func (r Each) Validate() error {
	for c, x := range r {
		if _, ok := x.Bind(Params{Arms: 1, Objectives: 1, Sigma: 1, NormSigma: 1, Delta: .1}).(Fitted); !ok {
			return fmt.Errorf("radius: Each[%d] is %v, whose half-widths do not depend on rewards; expected a radius "+
				"that adapts to rewards, such as Bernoulli", c, x)
		}
	}
	return nil
}

// Holds implements Holder.
func (r Each) Holds() Noise { return Bounded }

// Bind implements Radius. If half-widths must depend on counts only, Bind uses the largest
// half-width of any objective for all objectives.
func (r Each) Bind(p Params) Bonus {
	if len(r) == 1 || p.Objectives == 1 {
		return r[0].Bind(p)
	}
	e := each{root: math.Sqrt(float64(p.Objectives))}
	for _, x := range r {
		e.of = append(e.of, x.Bind(p).(Fitted))
	}
	return e
}

type each struct {
	of   []Fitted
	root float64
}

func (e each) Factors(int) (pair, norm float64) { return 1, 1 }

func (e each) Mean(n int) (widest float64) {
	for _, b := range e.of {
		widest = math.Max(widest, b.Mean(n))
	}
	return widest
}

func (e each) Term(n int) Term        { return Term{X: e.Mean(n)} }
func (e each) Pair(i, j Term) float64 { return i.X + j.X }
func (e each) Norm(n int) float64     { return e.root * e.Mean(n) }

// Around implements Fitted.
func (e each) Around(c int, s Seen) float64 { return e.of[c].Around(c, s) }

// Apart implements Fitted.
func (e each) Apart(c int, i, j Seen) float64 { return e.of[c].Apart(c, i, j) }

// Squares implements Fitted.
func (e each) Squares() bool { return slices.ContainsFunc(e.of, Fitted.Squares) }

// Within implements Fitted.
func (e each) Within(c int, lo, hi float64) bool { return e.of[c].Within(c, lo, hi) }

// Range implements Fitted.
func (e each) Range(c int, scale float64) string { return e.of[c].Range(c, scale) }
