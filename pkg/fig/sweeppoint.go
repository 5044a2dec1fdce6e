package fig

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"

	"github.com/purexp/purexp/pkg/fig/canvas"
	"github.com/purexp/purexp/pkg/tidy"
)

// A SweepPoint is a value with its interval at a place on the x axis. An end of
// the interval that is infinite or NaN leaves it undrawn.
type SweepPoint struct{ X, Center, Lo, Hi float64 }

// MedianPoint returns the median of a sample with its interval from order
// statistics (see tidy.Median). The ends are infinite where the sample is too
// small to give them.
func MedianPoint(x float64, sample []float64, confidence float64) SweepPoint {
	m := tidy.Median(sample, confidence)
	return SweepPoint{x, m.Center, m.Lo, m.Hi}
}

// MeanPoint returns the mean of a sample, less and plus its standard error. One
// value has no standard error.
func MeanPoint(x float64, sample []float64) SweepPoint {
	m, sd := stat.MeanStdDev(sample, nil)
	e := sd / math.Sqrt(float64(len(sample)))
	return SweepPoint{x, m, m - e, m + e}
}

// bar reports whether a point has an interval that can be drawn.
func (q SweepPoint) bar() bool { return canvas.Finite(q.Lo, q.Hi) }

func sorted(ps []SweepPoint) []SweepPoint {
	ps = slices.Clone(ps)
	slices.SortStableFunc(ps, func(a, b SweepPoint) int {
		switch {
		case a.X < b.X:
			return -1
		case a.X > b.X:
			return 1
		}
		return 0
	})
	return ps
}
