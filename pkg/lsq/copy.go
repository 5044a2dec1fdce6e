package lsq

import "slices"

// Copy makes t a copy of from that shares no memory with it but the points, which do not
// change. The zero Tracker can be copied to; no memory is allocated where t is a copy of a
// fit of the same points already.
func (t *Tracker) Copy(from *Tracker) {
	own := *t
	*t = *from
	t.weight, t.b, t.theta = copied(own.weight, from.weight), copied(own.b, from.b),
		copied(own.theta, from.theta)
	t.mean, t.own, t.spread = copied(own.mean, from.mean), copied(own.own, from.own),
		copied(own.spread, from.spread)
	t.w.Data = copied(own.w.Data, from.w.Data)
	t.chol.Data = copied(own.chol.Data, from.chol.Data)
	t.u, t.y, t.xu = copied(own.u, from.u), copied(own.y, from.y), copied(own.xu, from.xu)
	t.zw.Data = copied(own.zw.Data, from.zw.Data)
	t.xw, t.leverage, t.zu = t.zw, t.own, t.xu
	if !t.same {
		t.xw = from.xw
		t.xw.Data = copied(own.xw.Data, from.xw.Data)
		t.leverage, t.zu = copied(own.leverage, from.leverage), copied(own.zu, from.zu)
	}
}

// Copy makes r a copy of from that shares no memory with it. The zero Ridge can be copied to.
func (r *Ridge) Copy(from *Ridge) {
	own := *r
	*r = *from
	r.a, r.b, r.l = copied(own.a, from.a), copied(own.b, from.b), copied(own.l, from.l)
	r.theta, r.u = copied(own.theta, from.theta), copied(own.u, from.u)
}

// copied returns a copy of from in the memory of s.
func copied(s, from []float64) []float64 {
	if cap(s) < len(from) {
		return slices.Clone(from)
	}
	return append(s[:0], from...)
}
