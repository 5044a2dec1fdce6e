package canvas

import (
	"math"
	"strconv"

	"gonum.org/v1/plot"

	"github.com/purexp/purexp/pkg/tidy"
)

// ScaledTicks labels an axis with other values than it has: Center, and PerValue more for each one.
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

// SizeTicks labels the places that have points, and others not.
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
