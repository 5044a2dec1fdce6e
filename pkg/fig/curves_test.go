package fig

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
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
// to 4 of 5 are the quantiles 0.2 to 0.8, linear between them.
func TestCurveSummary(t *testing.T) {
	s := CurveSeries{X: []float64{7}, Runs: [][]float64{{10}, {1}, {3}, {2}, {4}}}
	at := func(y float64) plotter.XYs { return plotter.XYs{{X: 7, Y: y}} }
	for _, c := range []struct {
		mean              bool
		center, low, high float64
	}{{false, 3, 1, 4}, {true, 4, 1, 4}} {
		got := s.summarise(&CurveOptions{Mean: c.mean, Share: .6})
		if !slices.Equal(got.center, at(c.center)) || math.Abs(got.low[0].Y-c.low) > 1e-12 ||
			math.Abs(got.high[0].Y-c.high) > 1e-12 {
			t.Errorf("mean %v: %v between %v and %v", c.mean, got.center, got.low, got.high)
		}
	}
}

// The line and the band are within the panel, with either scale.
func TestCurveLimits(t *testing.T) {
	s := courseSeries()
	for i := range s { // nothing is 0, for logarithmic axes
		s[i].X = s[i].X[1:]
		for r := range s[i].Runs {
			s[i].Runs[r] = s[i].Runs[r][1:]
		}
	}
	s = append(s, CurveSeries{Name: "heavy tails", X: []float64{50, 60}, Runs: [][]float64{{1, 1}, {1, 1}, {1, 1}, {1, 1}, {1, 1e6}}})
	for _, o := range []*CurveOptions{nil, {Mean: true}, {Mean: true, Share: .2}, {LogX: true, LogY: true}, {Share: .99}} {
		f := must(Curves(s, o))
		set := CurveOptions{Share: .8}
		if o != nil {
			set = CurveOptions{Share: cmp.Or(o.Share, .8), Mean: o.Mean}
		}
		p := f.Panels[0][0]
		for _, c := range s {
			sum := c.summarise(&set)
			for i := range sum.low {
				if min(sum.low[i].Y, sum.center[i].Y) < p.Y.Min || max(sum.high[i].Y, sum.center[i].Y) > p.Y.Max || sum.low[i].X > p.X.Max {
					t.Fatalf("%+v: %s leaves the panel at %v", o, c.Name, sum.low[i].X)
				}
			}
		}
		encode(t, f)
	}
}

func TestCurveErrors(t *testing.T) {
	for _, c := range []struct {
		want string
		s    CurveSeries
		o    *CurveOptions
	}{
		{"0 places", CurveSeries{Name: "a"}, nil},
		{"1 places and 0 runs", CurveSeries{Name: "a", X: []float64{1}}, nil},
		{"that increase", CurveSeries{X: []float64{1, 1}, Runs: [][]float64{{1, 2}}}, nil},
		{"run 0 has 1 values", CurveSeries{X: []float64{1, 2}, Runs: [][]float64{{1}}}, nil},
		{"run 1 is NaN", CurveSeries{X: []float64{1}, Runs: [][]float64{{1}, {math.NaN()}}}, nil},
		{"unset LogX", CurveSeries{X: []float64{0}, Runs: [][]float64{{1}}},
			&CurveOptions{LogX: true}},
		{"unset LogY", CurveSeries{X: []float64{1}, Runs: [][]float64{{0}}},
			&CurveOptions{LogY: true}},
		{"Share is 80", CurveSeries{X: []float64{1}, Runs: [][]float64{{1}}},
			&CurveOptions{Share: 80}},
	} {
		_, err := Curves([]CurveSeries{c.s}, c.o)
		if err == nil || !strings.HasPrefix(err.Error(), "fig: ") ||
			!strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v; want one with %q", err, c.want)
		}
	}
	if _, err := Curves(nil, nil); err == nil {
		t.Error("a figure without curves")
	}
	one := CurveSeries{Name: "one run, one place", X: []float64{1}, Runs: [][]float64{{5}}}
	if err := must(Curves([]CurveSeries{one}, nil)).SVG(io.Discard); err != nil {
		t.Error(err)
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
	f, err := Curves([]CurveSeries{ours, uniform}, &CurveOptions{Title: "Made-up runs", Share: .6})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(f.Alt())
	// Output:
	// cumulative regret against pulls. ours: median 17 at 300, 60 % of 5 runs between 12 and 18; uniform: median 91 at 300, 60 % of 5 runs between 87 and 93.
}
