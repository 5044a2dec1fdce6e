package radius

import "math"

// IteratedLogarithm is the radius of the public code of Mason, Jain, Tripathy and Nowak ("Finding
// All epsilon-Good Arms in Stochastic Bandits", NeurIPS 2020),
//
//	beta_i  = 2 sigma sqrt(log(K d log2(2 N_i)/delta) / N_i)
//	beta_ij = beta_i + beta_j
//	U_i     = sqrt(d) times beta_i for sigma_u
//
// of the order of the law of the iterated logarithm. That it holds at all times with probability 1
// - delta is not proved with these constants, but up to a factor of delta.
type IteratedLogarithm struct{}

// String returns the name.
func (IteratedLogarithm) String() string { return "iterated logarithm" }

// Bind implements Radius.
func (IteratedLogarithm) Bind(p Params) Bonus {
	return iteratedLogarithm{p.Sigma, p.NormSigma * math.Sqrt(float64(p.Objectives)),
		math.Log(float64(p.Arms*p.Objectives) / p.Delta)}
}

type iteratedLogarithm struct{ sigma, norm, log float64 }

func (b iteratedLogarithm) Factors(int) (pair, norm float64) { return 1, 1 }

func (b iteratedLogarithm) unit(n int) float64 {
	return 2 * math.Sqrt((b.log+math.Log(math.Log2(2*float64(n))))/float64(n))
}

func (b iteratedLogarithm) Mean(n int) float64     { return b.sigma * b.unit(n) }
func (b iteratedLogarithm) Term(n int) Term        { return Term{X: b.Mean(n)} }
func (b iteratedLogarithm) Pair(i, j Term) float64 { return i.X + j.X }
func (b iteratedLogarithm) Norm(n int) float64     { return b.norm * b.unit(n) }
