package fig

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/plot/plotter"
)

// courseSeries are 40 made-up runs of three methods, whose regret grows like the
// square root of the pulls, their logarithm, and the pulls.
func courseSeries() []CurveSeries {
	rng := rand.New(rand.NewPCG(1, 2))
	grow := []func(x float64) float64{
		math.Sqrt, func(x float64) float64 { return 12 * math.Log(1+x) },
		func(x float64) float64 { return .12 * x },
	}
	var all []CurveSeries
	for k, name := range []string{"square root", "logarithm", "linear"} {
		s := CurveSeries{Name: name}
		for x := 0.; x <= 2000; x += 50 {
			s.X = append(s.X, x)
		}
		for range 40 {
			factor := math.Exp(.25 * rng.NormFloat64())
			var run []float64
			for _, x := range s.X {
				run = append(run, factor*grow[k](x))
			}
			s.Runs = append(s.Runs, run)
		}
		all = append(all, s)
	}
	return all
}

// By hand: of 1, 2, 3, 4 and 10 the median is 3, the mean 4; the values of ranks 1
// to 4 of 5 are the quantiles 0.2 to 0.8, linear between them, 1 and 7 at 0.1 and 0.9.
func TestCurveSummary(t *testing.T) {
	s := CurveSeries{X: []float64{7}, Runs: [][]float64{{10}, {1}, {3}, {2}, {4}}}
	at := func(y float64) plotter.XYs { return plotter.XYs{{X: 7, Y: y}} }
	for _, c := range []struct {
		mean              bool
		center, low, high float64
	}{{false, 3, 1, 7}, {true, 4, 1, 7}} {
		got := s.summarise(&CurveOptions{Mean: c.mean})
		if !slices.Equal(got.center, at(c.center)) || math.Abs(got.low[0].Y-c.low) > 1e-12 ||
			math.Abs(got.high[0].Y-c.high) > 1e-12 {
			t.Errorf("mean %v: %v between %v and %v", c.mean, got.center, got.low, got.high)
		}
	}
}

// The regret of two methods, five runs each.
func ExampleCurves() {
	ours := CurveSeries{Name: "ours", X: []float64{100, 200, 300}, Runs: [][]float64{
		{10, 14, 17}, {9, 13, 15}, {12, 16, 20}, {8, 10, 12}, {10, 15, 18},
	}}
	uniform := CurveSeries{Name: "uniform", X: ours.X, Runs: [][]float64{
		{30, 60, 90}, {31, 62, 93}, {29, 58, 87}, {30, 61, 91}, {32, 60, 94},
	}}
	f, err := Curves([]CurveSeries{ours, uniform}, &CurveOptions{Title: "Made-up runs"})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(f.Alt())
	// Output:
	// cumulative regret against pulls. ours: median 17 at 300, 80 % of 5 runs between 12 and 19; uniform: median 91 at 300, 80 % of 5 runs between 87 and 93.5.
}
