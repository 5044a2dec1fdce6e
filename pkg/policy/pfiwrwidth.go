package policy

import "math"

// A PFIwRWidth is a choice of half-widths of means.
type PFIwRWidth int

// Half-widths of PFIwR after t pulls.
const (
	// PFIwRSelfNormalized is, for features x, information A = sum of x x' of the arms pulled and
	// V = A + reg I,
	//
	//	||x||_{V^-1} Sigma (sqrt(2 log(L/delta) + log det(V/reg_1)) + sqrt(reg) Norm).
	//
	// It holds for all x at all times with probability at least 1 - delta, whatever is pulled: the
	// self-normalised bound (Abbasi-Yadkori, Pal and Szepesvari 2011, Theorem 1) with the
	// regulariser reg_1 of the first round applies to V, which is larger as the regulariser does
	// not decrease, and reg ||theta||_{V^-1} is at most sqrt(reg) ||theta||. If features change, x
	// is
	// the average of an arm's, delta/2 stands for delta, and to account for the average, by
	// Hoeffding and Azuma, Sigma Norm sqrt(2 log(2 pi^2 K L t^2/(3 delta))/t) is added. The random
	// phase does not end.
	PFIwRSelfNormalized PFIwRWidth = iota
	// PFIwRTheory is (12), and the random phase as long as in Algorithm 1: see PFIwRConstants.
	PFIwRTheory
	// PFIwRPaper is (12) times PFIwRPaperScale, with a random phase of ten rounds an arm and Ridge
	// 1:
	// what reproduces the paper's Table 1 for PFIwR at epsilon 0.0001 and 0.01. The paper says
	// only that it used a tighter width.
	PFIwRPaper
)

// PFIwRPaperScale is the part of the width (12) that the paper's experiments must have used,
// calibrated by the pulls to stop at epsilon = 0.0001 of its Table 1.
const PFIwRPaperScale = 0.0305

// String returns the name.
func (w PFIwRWidth) String() string { return word(int(w), "self-normalized", "theory", "paper") }

// PFIwRConstants are the numbers of the paper's Theorems 4.2 to 4.4.
type PFIwRConstants struct {
	Arms, Features, Objectives int // K, d, L
	Delta, P                   float64
	Norm                       float64 // S
}

// Lambda returns the regulariser lambda_t = 4 log(6 d L t^2/delta).
func (c PFIwRConstants) Lambda(t int) float64 {
	return 4 * c.log(6*float64(c.Features), t)
}

// log returns log(a L t^2/delta).
func (c PFIwRConstants) log(a float64, t int) float64 {
	return math.Log(a*float64(c.Objectives)/c.Delta) + 2*math.Log(float64(t))
}

// Beta returns beta_t, the half-width (12).
func (c PFIwRConstants) Beta(t int) float64 {
	n, d, l := float64(t), float64(c.Features), float64(c.Objectives)
	last := 5*math.Sqrt(8)*c.Norm + 4/c.P*math.Sqrt(2*d) + 4
	return (8*c.Norm*math.Sqrt(c.log(6*d, t)) +
		4/c.P*math.Sqrt(d*math.Log((6*l+24*l*n/c.Lambda(t))/c.Delta)) +
		last*math.Sqrt(c.log(6*float64(c.Arms), t))) / math.Sqrt(n)
}

// Start returns the length of the random phase of Algorithm 1, from which on Theorem 4.2 is stated.
func (c PFIwRConstants) Start() float64 {
	d := float64(c.Features)
	return 128 * (d + 2) / (1 - c.P) *
		(1 + math.Log(64*(d+2)/(math.E*(1-c.P))*math.Sqrt(6*d*float64(c.Objectives)/c.Delta)))
}

// Noisy returns the number of rounds with noise on contexts, |E_t|.
func (c PFIwRConstants) Noisy(t int) float64 {
	d := float64(c.Features)
	return math.Ceil(32 * (d + 2) / (1 - c.P) * c.log(6*d, t))
}

// width returns the half-widths: width times the norm of an arm's features, plus own.
func (p *PFIwR) width(reg float64) (width, own float64) {
	c := p.c
	c.Norm *= p.longest
	scale := p.scale * p.prob.Sigma
	if p.Width != PFIwRSelfNormalized {
		return 0, scale * c.Beta(p.t)
	}
	delta := c.Delta
	if p.prob.Changing {
		delta /= 2
		own = scale * c.Norm * math.Sqrt(2*(math.Log(math.Pi*math.Pi/3)+PFIwRConstants{
			Objectives: c.Objectives, Delta: delta,
		}.log(float64(c.Arms), p.t))/float64(p.t))
	}
	log := 2*math.Log(float64(c.Objectives)/delta) +
		p.ridge.LogDet() - float64(c.Features)*math.Log(p.base)
	return scale * (math.Sqrt(log) + math.Sqrt(reg)*p.c.Norm), own
}
