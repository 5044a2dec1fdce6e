package linear

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/lapack/lapack64"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policy/internal/patience"
)

// ErrUndecidable says that items are so close that a policy gives up telling
// them apart.
var ErrUndecidable = patience.ErrUndecidable

// MostPulls is the largest round that a policy asks for. Beyond it, differences
// are below the rounding of the measurements.
const MostPulls = 1e15

// Allocation appends the pulls of counts, one number an arm.
func Allocation(dst []explore.Pull, counts []int) []explore.Pull {
	for i, n := range counts {
		if n > 0 {
			dst = append(dst, explore.Pull{Arm: i, N: n})
		}
	}
	return dst
}

// Draw returns how often each point is drawn in n draws from the weights w, which
// sum to 1, by conditional binomials.
func Draw(n int, w []float64, rnd *rand.Rand) []int {
	counts := make([]int, len(w))
	left, mass := float64(n), 1.
	for i, v := range w {
		c := left
		switch q := v / mass; {
		case i == len(w)-1:
		case v == 0:
			c = 0
		case q < 1:
			c = distuv.Binomial{N: left, P: q, Src: rnd}.Rand()
		}
		counts[i] = int(c)
		left, mass = left-c, mass-v
	}
	return counts
}

// Total returns the sum of counts.
func Total(counts []int) int {
	n := 0
	for _, c := range counts {
		n += c
	}
	return n
}

// Ceil rounds a number of pulls up.
func Ceil(n float64) int { return int(math.Ceil(min(n, MostPulls))) }

// CeilShift returns ceil(m/2^r).
func CeilShift(m, r int) int { return (m + 1<<r - 1) >> r }

// Weights converts counts to numbers for a design.Criterion.
func Weights(counts []int) []float64 {
	w := make([]float64, len(counts))
	for i, n := range counts {
		w[i] = float64(n)
	}
	return w
}

// Exploration is forced: it keeps the least eigenvalue of the information above a level, by rewards
// of the arms that span the model, in turn (Jedra and Proutiere 2020).
type Exploration struct {
	l     *Model
	info  []float64 // m x m, lower triangle: information
	chol  blas64.Symmetric
	least float64 // a lower bound of the least eigenvalue of info
	turn  int     // the spanning arm to explore next
}

// Init prepares for a model.
func (e *Exploration) Init(l *Model) {
	m := l.Rank
	*e = Exploration{l: l, info: make([]float64, m*m),
		chol: blas64.Symmetric{Uplo: blas.Lower, N: m, Stride: m, Data: make([]float64, m*m)}}
}

// Add takes rewards into account.
func (e *Exploration) Add(obs []explore.Batch) {
	m := e.l.Rank
	sym := blas64.Symmetric{Uplo: blas.Lower, N: m, Stride: m, Data: e.info}
	for _, b := range obs {
		blas64.Syr(float64(b.N), vector(e.l.Arm(b.Arm)), sym)
	}
}

// Due returns the arm to explore, if the least eigenvalue is below level.
func (e *Exploration) Due(level float64) (arm int, due bool) {
	if e.explored(level) {
		return 0, false
	}
	arm = e.l.Span.Points()[e.turn]
	e.turn = (e.turn + 1) % e.l.Rank
	return arm, true
}

// explored reports whether the least eigenvalue of the information is at least
// level. It never decreases, so that a bound is good for many rounds.
func (e *Exploration) explored(level float64) bool {
	if e.least >= level {
		return true
	}
	m := e.l.Rank
	above := func(level float64) bool {
		copy(e.chol.Data, e.info)
		for i := range m {
			e.chol.Data[i*m+i] -= level
		}
		_, ok := lapack64.Potrf(e.chol)
		return ok
	}
	// Somewhat below, so that rounding does not call exact equality short.
	if !above(level * (1 - 1e-9)) {
		return false
	}
	e.least = level
	if above(1.05 * level) {
		e.least = 1.05 * level
	}
	return true
}
