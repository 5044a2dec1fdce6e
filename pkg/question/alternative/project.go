package alternative

import "math"

// rounding is the violation of a constraint, relative to the numbers that it is
// computed from, that counts as none.
const rounding = 1e-14

// A projector projects points on a region in the metric of a positive definite
// matrix H = L L', by the dual active-set method of Goldfarb and Idnani
// (Mathematical Programming 27, 1983) for the point s = L'(x - x0): it adds the
// constraint that is violated most and drops those whose multiplier would be
// negative. The distance grows with every constraint added, so that the method
// ends. (Package polyhedron has it for the Euclidean metric, which is the one in
// which its regions are asked for; here the metric changes with every step of
// Newton's method.)
type projector struct {
	rows []float64 // m x d: L^-1 a_l, of length 1
	size []float64 // m: the numbers that violations are computed from
	over []float64 // m: by how much x0 violates them
	held []bool    // m: whether it is active
	act  []int     // active constraints, n <= d and independent
	mult []float64 // d: their multipliers
	q, t []float64 // d x d: [rows of act]' = Q T, Q by columns in rows of q
	s    []float64 // d
	part []float64 // d: what is left of a constraint outside the span of the active ones
	c    []float64 // d: its coordinates in Q
	back []float64 // d: T^-1 c
	move []float64 // d
}

func newProjector(m, d int) projector {
	v := func(n int) []float64 { return make([]float64, n) }
	return projector{
		rows: v(m * d), size: v(m), over: v(m), held: make([]bool, m), act: make([]int, 0, d),
		mult: v(d), q: v(d * d), t: v(d * d), s: v(d), part: v(d), c: v(d), back: v(d), move: v(d),
	}
}

// project moves x to the point of the region that is nearest in the metric of the
// matrix whose factor is in chol. It reports false, and does nothing, if x is in
// the region up to rounding.
func (r *BestResponse) project(x []float64) bool {
	f, d := r.region, r.d
	if f.contains(x) {
		return false
	}
	w := &f.qp
	for l, b := range f.b {
		row := w.rows[l*d:][:d]
		v, size := -b, math.Abs(b)
		for c, a := range f.a[l*d:][:d] {
			row[c] = a
			v += a * x[c]
			size += math.Abs(a * x[c])
		}
		r.forward(row)
		length := math.Sqrt(dot(row, row))
		for c := range row {
			row[c] /= length
		}
		w.over[l], w.size[l], w.held[l] = v/length, size/length, false
	}
	clear(w.s)
	w.act = w.act[:0]
	// The region has an interior, so that only rounding can exclude a constraint,
	// or need more than a few steps.
	for range 50 * (len(f.b) + d) {
		p := w.worst(d)
		if p < 0 || !w.hold(p, d) {
			break
		}
	}
	r.backward(w.s)
	for c, v := range w.s {
		x[c] += v
	}
	return true
}

// worst returns the constraint that is violated most, -1 if none is.
func (w *projector) worst(d int) int {
	at, most := -1, 0.
	reach := math.Sqrt(dot(w.s, w.s))
	for l, v := range w.over {
		if w.held[l] {
			continue
		}
		v += dot(w.rows[l*d:][:d], w.s)
		if v > most && v > rounding*(w.size[l]+reach) {
			at, most = l, v
		}
	}
	return at
}

// hold makes p active. It reports false if the active constraints exclude p.
func (w *projector) hold(p, d int) bool {
	own := 0. // the multiplier of p
	for {
		n := len(w.act)
		length := w.split(p, d)
		for i := n - 1; i >= 0; i-- {
			v := w.c[i]
			for j := i + 1; j < n; j++ {
				v -= w.t[i*d+j] * w.back[j]
			}
			w.back[i] = v / w.t[i*d+i]
		}
		// As p's multiplier grows by step, those of the others fall by step
		// times back. The first to be 0 has to go.
		drop, step := -1, math.Inf(1)
		for j, v := range w.back[:n] {
			if v > 0 && w.mult[j] < step*v {
				drop, step = j, w.mult[j]/v
			}
		}
		if n < d && length > 1e-12 {
			over := w.over[p] + dot(w.rows[p*d:][:d], w.s)
			if full := over / (length * length); full <= step {
				for j, v := range w.back[:n] {
					w.mult[j] = max(0, w.mult[j]-full*v)
				}
				w.mult[n] = own + full
				w.push(p, d, length)
				w.place(d)
				return true
			}
			if drop >= 0 {
				for c, v := range w.part {
					w.s[c] -= step * v
				}
			}
		}
		if drop < 0 {
			return false
		}
		own += step
		for j, v := range w.back[:n] {
			w.mult[j] = max(0, w.mult[j]-step*v)
		}
		w.held[w.act[drop]] = false
		later := w.act[drop+1:]
		copy(w.mult[drop:], w.mult[drop+1:n])
		w.act = w.act[:drop]
		for _, l := range later {
			w.push(l, d, w.split(l, d))
		}
	}
}

// split leaves in c the coordinates of constraint l along the active ones and in
// part the rest, whose length it returns.
func (w *projector) split(l, d int) float64 {
	copy(w.part, w.rows[l*d:][:d])
	n := len(w.act)
	clear(w.c)
	for range 2 { // twice is enough to be orthogonal up to rounding
		for i := range n {
			q := w.q[i*d:][:d]
			v := dot(q, w.part)
			w.c[i] += v
			for c := range q {
				w.part[c] -= v * q[c]
			}
		}
	}
	return math.Sqrt(dot(w.part, w.part))
}

// push appends l, which was split, to the active constraints.
func (w *projector) push(l, d int, length float64) {
	n := len(w.act)
	for c, v := range w.part {
		w.q[n*d+c] = v / length
	}
	for i, v := range w.c[:n] {
		w.t[i*d+n] = v
	}
	w.t[n*d+n] = length
	w.act = append(w.act, l)
	w.held[l] = true
}

// place moves s to the shortest vector on the active constraints, from scratch,
// so that rounding does not build up.
func (w *projector) place(d int) {
	clear(w.s)
	for j, l := range w.act {
		v := w.over[l]
		for i := range j {
			v -= w.t[i*d+j] * w.move[i]
		}
		w.move[j] = v / w.t[j*d+j]
		for c, q := range w.q[j*d:][:d] {
			w.s[c] -= w.move[j] * q
		}
	}
}

func dot(a, b []float64) float64 {
	b = b[:len(a)]
	s := 0.
	for i, v := range a {
		s += v * b[i]
	}
	return s
}
