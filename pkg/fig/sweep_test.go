package fig

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/recorder"
)

// growing returns a sweep in which method i needs 1000 × (i+1) × x^(i/2) pulls.
func growing(methods ...string) SweepPanel {
	p := SweepPanel{Title: "A sweep", XLabel: "dimension d"}
	bound := SweepSeries{Name: "lower bound"}
	for i, m := range methods {
		s := SweepSeries{Name: m}
		for _, x := range []float64{20, 5, 10} { // in any order
			y := 1000 * float64(i+1) * math.Pow(x, float64(i)/2)
			s.Points = append(s.Points, SweepPoint{x, y, .8 * y, 1.3 * y})
			if i == 0 {
				bound.Points = append(bound.Points, SweepPoint{X: x, Center: 300})
			}
		}
		p.Series = append(p.Series, s)
	}
	for i := range bound.Points {
		bound.Points[i].Lo, bound.Points[i].Hi = math.Inf(-1), math.Inf(1)
	}
	p.References = []SweepSeries{bound}
	return p
}

// Markers are at the right places: the test draws a panel on a recorder, and compares positions with the data.
func TestSweepPositions(t *testing.T) {
	p := growing("RAGE")
	f := must(Sweep([]SweepPanel{p}, nil))
	pl := f.Panels[0]
	if _, ok := pl.Y.Scale.(plot.LogScale); !ok {
		t.Error("the y axis is not logarithmic")
	}
	if lo, hi := 300., 1300.; pl.Y.Min >= lo || pl.Y.Max <= hi || pl.X.Min >= 5 || pl.X.Max <= 20 {
		t.Errorf("axes from (%v, %v) to (%v, %v) leave data outside", pl.X.Min, pl.Y.Min, pl.X.Max, pl.Y.Max)
	}
	var labels []string
	for _, tick := range pl.X.Tick.Marker.Ticks(pl.X.Min, pl.X.Max) {
		labels = append(labels, tick.Label)
	}
	if !slices.Equal(labels, []string{"5", "10", "20"}) {
		t.Errorf("x is labelled %q; want the sizes", labels)
	}
	var rec recorder.Canvas
	c := draw.NewCanvas(&rec, f.Width, f.Height)
	pl.Draw(c)
	area := pl.DataCanvas(c)
	tx, ty := pl.Transforms(&area)
	centers := map[vg.Point]bool{}
	for _, a := range rec.Actions {
		if fill, ok := a.(*recorder.Fill); ok {
			lo, hi := vg.Point{X: 1e9, Y: 1e9}, vg.Point{X: -1e9, Y: -1e9}
			for _, e := range fill.Path {
				if e.Type == vg.CloseComp {
					continue
				}
				lo.X, lo.Y, hi.X, hi.Y = min(lo.X, e.Pos.X), min(lo.Y, e.Pos.Y), max(hi.X, e.Pos.X), max(hi.Y, e.Pos.Y)
			}
			centers[vg.Point{X: vg.Length(math.Round(float64(lo.X+hi.X) / 2)),
				Y: vg.Length(math.Round(float64(lo.Y+hi.Y) / 2))}] = true
		}
	}
	for _, q := range p.Series[0].Points {
		want := vg.Point{
			X: vg.Length(math.Round(float64(tx(q.X)))),
			Y: vg.Length(math.Round(float64(ty(q.Center)))),
		}
		if !centers[want] {
			t.Errorf("no marker at %v, where (%v, %v) is", want, q.X, q.Center)
		}
	}
}

func TestPoints(t *testing.T) {
	// The mean is 3, the variance is 5/2, and the standard error is sqrt(1/2).
	if p := MeanPoint(
		7,
		[]float64{1, 2, 3, 4, 5},
	); p.X != 7 || p.Center != 3 || math.Abs(p.Hi-3-math.Sqrt(.5)) > 1e-15 || math.Abs(3-p.Lo-math.Sqrt(.5)) > 1e-15 {
		t.Errorf("%v", p)
	}
	if p := MeanPoint(7, []float64{4}); p.Center != 4 || p.bar() {
		t.Errorf("the mean of one value has the bar %v", p)
	}
	// Of 6 values, the smallest and the largest cover the median with probability 1 - 2/64 = 0.97; of 5 values,
	// they cover the median with probability less than 0.95.
	if p := MedianPoint(1, []float64{1, 2, 3, 4, 5, 6}, .95); p.Center != 3.5 || p.Lo != 1 || p.Hi != 6 {
		t.Errorf("%v", p)
	}
	if p := MedianPoint(1, []float64{1, 2, 3, 4, 5}, .95); p.Center != 3 || p.bar() {
		t.Errorf("%v", p)
	}
}

func ExampleSweep() {
	panel := SweepPanel{Title: "Benchmark example", XLabel: "dimension d"}
	for i, m := range []string{"RAGE", "XY-static"} {
		s := SweepSeries{Name: m}
		for _, d := range []float64{5, 10, 20} {
			var pulls []float64
			for rep := range 20 { // made-up pulls
				pulls = append(pulls, 1e5*math.Pow(d, float64(i))*(1+float64(rep)/40))
			}
			s.Points = append(s.Points, MedianPoint(d, pulls, 0.95))
		}
		panel.Series = append(panel.Series, s)
	}
	panel.References = []SweepSeries{
		{
			Name: "lower bound",
			Points: []SweepPoint{
				{X: 5, Center: 2e4, Lo: 2e4, Hi: 2e4},
				{X: 20, Center: 2e4, Lo: 2e4, Hi: 2e4},
			},
		},
	}
	f, err := Sweep([]SweepPanel{panel}, &SweepOptions{Title: "Made-up runs"})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(f.Alt())
	// Output:
	// Made-up runs. Benchmark example: pulls until stopping against dimension d. RAGE 123 750 at 5, 123 750 at 20; XY-static 618 750 at 5, 2 475 000 at 20; lower bound 20 000 at 5, 20 000 at 20.
}
