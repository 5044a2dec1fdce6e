package canvas

import (
	"math"

	"gonum.org/v1/plot"
)

// Span sets the limits of an axis so that values from lo to hi have a margin,
// on a logarithmic scale if log. Limits that coincide are moved apart.
func Span(a *plot.Axis, lo, hi float64, log bool, margin float64) {
	if log {
		a.Scale, a.Tick.Marker = plot.LogScale{}, LogTicks{7}
		lo, hi = math.Log10(lo), math.Log10(hi)
		if hi-lo < .1 {
			lo, hi = lo-.15, hi+.15
		}
		w := hi - lo
		a.Min, a.Max = math.Pow(10, lo-margin*w), math.Pow(10, hi+margin*w)
		return
	}
	if w := hi - lo; !(w > 1e-9*math.Max(math.Abs(lo), math.Abs(hi))) {
		d := math.Max(math.Abs(lo)*.1, .5)
		lo, hi = lo-d, hi+d
	}
	w := hi - lo
	a.Min, a.Max = lo-margin*w, hi+margin*w
}

// Narrow labels fewer ticks of the x axis of a panel that shares the width with
// others.
func Narrow(p *plot.Plot, columns int) {
	switch t := p.X.Tick.Marker.(type) {
	case LogTicks:
		p.X.Tick.Marker = LogTicks{max(2, t.N/columns)}
	case LinearTicks:
		p.X.Tick.Marker = LinearTicks{max(2, t.N/columns)}
	case ScaledTicks:
		t.N = max(2, t.N/columns)
		p.X.Tick.Marker = t
	}
}

// WantsLog reports whether positive values from lo to hi need a logarithmic
// axis.
func WantsLog(lo, hi float64) bool { return lo > 0 && hi/lo > 8 }
