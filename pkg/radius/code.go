package radius

import "math"

// Code is the radius in the released codes of Kone, Kaufmann and Richert (linear_psi and psips),
// with which APE and racing ran in the GEGE paper's experiments:
//
//	beta_ij = sigma sqrt(2 (1/N_i + 1/N_j) (2 C + log(1 + log N_i) + log(1 + log N_j))),
//	          C = L/2 + max(0, log(L/2)),  L = log(1/delta)
//	beta_i  = sigma sqrt((2 C + 2 log(1 + log N_i)) / N_i), half of beta_ij for equal counts
//	U_i     = sigma_u sqrt(2 (2 C + 2 log(1 + log N_i)) / N_i)
//
// It has the shape of [KaufmannKoolen], without its constants and without a union bound over pairs
// and objectives, so that Delta is nominal. The codes have no U_i; this is its form here.
type Code struct{}

// String returns "code".
func (Code) String() string { return "code" }

// Bind implements Radius.
func (Code) Bind(p Params) Bonus {
	l := math.Log(1 / p.Delta)
	return &code{sigma: p.Sigma, sigmaU: p.NormSigma, c: l/2 + math.Max(0, math.Log(l/2))}
}

type code struct{ sigma, sigmaU, c float64 }

func (b *code) Factors(int) (pair, norm float64) { return 1, 1 }

func (b *code) Mean(n int) float64 {
	return b.sigma * math.Sqrt((2*b.c+2*loglog1(n))/float64(n))
}

func (b *code) Term(n int) Term { return Term{1 / float64(n), loglog1(n)} }

func (b *code) Pair(i, j Term) float64 {
	return b.sigma * math.Sqrt(2*(i.X+j.X)*(2*b.c+(i.Y+j.Y)))
}

func (b *code) Norm(n int) float64 {
	return b.sigmaU * math.Sqrt(2*(2*b.c+2*loglog1(n))/float64(n))
}

// loglog1 is the price of uniformity in time in Code.
func loglog1(n int) float64 { return math.Log1p(math.Log(float64(n))) }
