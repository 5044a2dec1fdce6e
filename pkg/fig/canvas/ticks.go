package canvas

import (
	"math"
	"strconv"

	"gonum.org/v1/plot"

	"github.com/purexp/purexp/pkg/tidy"
)

// LinearTicks labels about N round numbers, and separates groups of three digits by spaces.
type LinearTicks struct{ N int }

// Ticks implements plot.Ticker.
func (t LinearTicks) Ticks(lo, hi float64) []plot.Tick {
	if !(hi > lo) || !Finite(lo, hi) {
		return nil
	}
	step, minor := roundStep((hi-lo)/float64(t.N)), 0
	for range 3 { // a scale needs two labels
		if math.Floor(hi/step+1e-9)-math.Ceil(lo/step-1e-9) >= 1 {
			break
		}
		step = roundStep(step / 2.6)
	}
	digits := max(0, -int(math.Floor(math.Log10(step)+1e-9)))
	switch m := step / math.Pow(10, math.Floor(math.Log10(step)+1e-9)); {
	case m < 1.5:
		minor = 5
	case m < 3:
		minor = 4
	default:
		minor = 5
	}
	var ticks []plot.Tick
	small := step / float64(minor)
	first, last := math.Ceil(lo/small-1e-9), math.Floor(hi/small+1e-9)
	for i := first; i <= last; i++ {
		tick := plot.Tick{Value: i * small}
		if math.Mod(i, float64(minor)) == 0 {
			tick.Value = i / float64(minor) * step
			tick.Label = decimal(tick.Value, digits, hi)
		}
		ticks = append(ticks, tick)
	}
	return ticks
}

// roundStep returns the smallest of 1, 2 and 5 times a power of ten that is at least x, up to rounding.
func roundStep(x float64) float64 {
	p := math.Pow(10, math.Floor(math.Log10(x)))
	for _, m := range []float64{1, 2, 5} {
		if x <= m*p*1.0001 {
			return m * p
		}
	}
	return 10 * p
}

// decimal formats the label of a tick without an exponent.
func decimal(x float64, digits int, hi float64) string {
	if x == 0 {
		return "0"
	}
	if math.Abs(hi) >= 1e7 || digits > 5 {
		return strconv.FormatFloat(x, 'g', 4, 64)
	}
	if digits == 0 {
		return tidy.Int(int(math.Round(x)))
	}
	return strconv.FormatFloat(x, 'f', digits, 64)
}

// LogTicks labels between 2 and about N values, by the finest rule that gives so few labels. From
// fine to coarse, the rules label: all multiples of powers of ten; 1, 2 and 5 times powers; 1 and 3
// times powers; powers of ten; every second power, and so on. Minor ticks are between the labelled
// ticks.
type LogTicks struct{ N int }

// Ticks implements plot.Ticker.
func (t LogTicks) Ticks(lo, hi float64) []plot.Tick {
	if !(hi > lo) || !(lo > 0) || !Finite(lo, hi) {
		return nil
	}
	from, to := int(math.Floor(math.Log10(lo))), int(math.Ceil(math.Log10(hi)))
	each := func(do func(m, e int, v float64)) {
		for e := from; e <= to; e++ {
			for m := 1; m < 10; m++ {
				if v := float64(m) * math.Pow(10, float64(e)); v >= lo*(1-1e-9) && v <= hi*(1+1e-9) {
					do(m, e, v)
				}
			}
		}
	}
	// Use the finest rule that gives 2 to n labels; if there is none, use the rule with the fewest
	// labels.
	rules := []func(m, e int) bool{
		func(m, e int) bool { return true },
		func(m, e int) bool { return m == 1 || m == 2 || m == 5 },
		func(m, e int) bool { return m == 1 || m == 3 },
		func(m, e int) bool { return m == 1 },
	}
	for k := 2; k <= max(2, to-from); k++ {
		rules = append(rules, func(m, e int) bool { return m == 1 && e%k == 0 })
	}
	labelled, fewest := rules[0], math.MaxInt
	for _, rule := range rules {
		count := 0
		each(func(m, e int, _ float64) {
			if rule(m, e) {
				count++
			}
		})
		if count < 2 { // a scale needs two labels
			continue
		}
		if count < fewest {
			labelled, fewest = rule, count
		}
		if count <= t.N {
			break
		}
	}
	if fewest == math.MaxInt { // a short range that contains at most one round number
		return LinearTicks(t).Ticks(lo, hi)
	}
	var ticks []plot.Tick
	each(func(m, e int, v float64) {
		tick := plot.Tick{Value: v}
		if labelled(m, e) {
			tick.Label = power(m, e)
		}
		// On long axes, minor ticks would be crowded.
		if m == 1 || tick.Label != "" || to-from <= 9 {
			ticks = append(ticks, tick)
		}
	})
	return ticks
}

// power formats m times ten to the power e.
func power(m, e int) string {
	if e >= 0 && e <= 5 {
		return tidy.Int(m * int(math.Pow(10, float64(e))))
	}
	if e < 0 && e >= -3 {
		return strconv.FormatFloat(float64(m)*math.Pow(10, float64(e)), 'g', 1, 64)
	}
	s := "10" + superscript(e)
	if m > 1 {
		s = strconv.Itoa(m) + "·" + s
	}
	return s
}

func superscript(n int) string {
	digits := []rune("⁰¹²³⁴⁵⁶⁷⁸⁹")
	s := ""
	for _, r := range strconv.Itoa(n) {
		if r == '-' {
			s += "⁻"
			continue
		}
		s += string(digits[r-'0'])
	}
	return s
}

// ScaledTicks labels an axis with converted values: the tick at x has the label Center + PerValue
// x.
type ScaledTicks struct {
	LinearTicks
	Center, PerValue float64
}

// Ticks implements plot.Ticker.
func (t ScaledTicks) Ticks(lo, hi float64) []plot.Tick {
	lo, hi = t.Center+t.PerValue*lo, t.Center+t.PerValue*hi
	ticks := t.LinearTicks.Ticks(min(lo, hi), max(lo, hi))
	for i := range ticks {
		ticks[i].Value = (ticks[i].Value - t.Center) / t.PerValue
	}
	return ticks
}

// SizeTicks labels only the given positions.
type SizeTicks struct{ At []float64 }

// Ticks implements plot.Ticker.
func (t SizeTicks) Ticks(float64, float64) []plot.Tick {
	ts := make([]plot.Tick, len(t.At))
	for i, x := range t.At {
		ts[i] = plot.Tick{Value: x, Label: strconv.FormatFloat(x, 'g', 4, 64)}
		if x == math.Trunc(x) && math.Abs(x) < 1e7 {
			ts[i].Label = tidy.Int(int(x))
		}
	}
	return ts
}

// Span sets the limits of an axis to [lo, hi] plus a margin; if log is true, the axis is
// logarithmic. If the limits coincide, they are moved apart.
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

// Narrow adapts the x axis of p to a figure with the given number of columns of panels. Narrow
// divides the number of labelled ticks by the number of columns.
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

// WantsLog reports whether an axis with positive values from lo to hi should be logarithmic.
func WantsLog(lo, hi float64) bool { return lo > 0 && hi/lo > 8 }
