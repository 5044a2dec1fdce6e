package linear

import (
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/lapack/lapack64"

	"github.com/purexp/purexp/pkg/explore"
)

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
