package polyhedron

import (
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/purexp/purexp/pkg/internal/activeset"
)

// Project stores the point of P nearest to x in dst and returns dst. If dst is nil a new slice is
// allocated; otherwise it must have length d and may be x. A point of P is its own projection.
func (p *Polyhedron) Project(dst, x []float64) []float64 {
	var ws Workspace
	return p.ProjectWith(&ws, dst, x)
}

// ProjectWith is Project with the scratch memory of ws.
func (p *Polyhedron) ProjectWith(ws *Workspace, dst, x []float64) []float64 {
	dst = p.destination(dst)
	i, slack := p.least(x)
	if p.easy(dst, x, i, slack) {
		return dst
	}
	if p.shape == halfSpace {
		copy(dst, x)
		floats.AddScaled(dst, slack, p.unit.Row(i))
		return dst
	}
	ws.project(&p.unit, x, i)
	copy(dst, ws.qp.X)
	return dst
}

// ProjectWeightedWith stores in dst the point z of P that minimises
//
//	sum_c w_c (z_c - x_c)^2
//
// and returns dst. The weights w are d positive finite numbers; dst is as for Project. Constraints
// are then met up to rounding times the root of the ratio of the largest to the smallest weight.
func (p *Polyhedron) ProjectWeightedWith(ws *Workspace, dst, x, w []float64) []float64 {
	dst = p.destination(dst)
	if len(w) != p.d {
		panic(panicShape)
	}
	var top float64
	for _, v := range w {
		if !(v > 0) || math.IsInf(v, 1) {
			panic(panicWeight)
		}
		top = max(top, v)
	}
	i, slack := p.least(x)
	if p.easy(dst, x, i, slack) {
		return dst
	}
	// With y_c = s_c x_c and s_c = sqrt(w_c) the weighted distance is Euclidean, and a row a_k
	// becomes a_k / s, which needs norm one again.
	ws.scale(&p.unit)
	for j, v := range w {
		ws.s[j] = math.Sqrt(v / top)
		ws.x[j] = x[j] * ws.s[j]
	}
	for k := range p.unit.M {
		from, to := p.unit.Row(k), ws.scaled.Row(k)
		var ss float64
		for j, v := range from {
			to[j] = v / ws.s[j]
			ss += to[j] * to[j]
		}
		norm := math.Sqrt(ss)
		for j := range to {
			to[j] /= norm
		}
		ws.scaled.B[k] = p.unit.B[k] / norm
	}
	ws.project(&ws.scaled, ws.x, -1)
	for j, v := range ws.qp.X {
		dst[j] = v / ws.s[j]
	}
	return dst
}

// scale makes room for a rescaled copy of from.
func (w *Workspace) scale(from *activeset.System) {
	m, d := from.M, from.D
	if cap(w.scaled.A) < m*d {
		w.scaled.A = make([]float64, m*d)
	}
	if cap(w.scaled.B) < m {
		w.scaled.B = make([]float64, m)
	}
	if cap(w.x) < d {
		w.x, w.s = make([]float64, d), make([]float64, d)
	}
	w.scaled = activeset.System{M: m, D: d, A: w.scaled.A[:m*d], B: w.scaled.B[:m]}
	w.x, w.s = w.x[:d], w.s[:d]
}

func (p *Polyhedron) destination(dst []float64) []float64 {
	if dst == nil {
		return make([]float64, p.d)
	}
	if len(dst) != p.d {
		panic(panicShape)
	}
	return dst
}

// easy stores the projection in dst and returns true if it is the same for all weights and needs no
// solver: for points of P, and for boxes. A point that is not finite has no projection: it gives
// NaN.
func (p *Polyhedron) easy(dst, x []float64, i int, slack float64) bool {
	switch {
	case math.IsNaN(slack):
		for j := range dst {
			dst[j] = math.NaN()
		}
	case i < 0 || slack >= 0:
		copy(dst, x)
	case p.shape == box:
		for j, v := range x {
			dst[j] = min(max(v, p.lo[j]), p.hi[j])
		}
	default:
		return false
	}
	return true
}
