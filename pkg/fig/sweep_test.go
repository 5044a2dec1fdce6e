package fig

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/recorder"
)

// growing returns a sweep in which method i needs 1000 (i+1) x^(i/2) pulls.
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

// Pixel positions are those of the data: a panel is drawn on a recorder, and
// markers must be where the axes say.
func TestSweepPositions(t *testing.T) {
	p := growing("RAGE")
	f := must(Sweep([]SweepPanel{p}, nil))
	pl := f.Panels[0][0]
	if _, ok := pl.Y.Scale.(plot.LogScale); !ok {
		t.Error("the y axis is not logarithmic")
	}
	if lo, hi := 300., 1300.; pl.Y.Min >= lo || pl.Y.Max <= hi || pl.X.Min >= 5 || pl.X.Max <= 20 {
		t.Errorf("axes from (%v, %v) to (%v, %v) leave data outside", pl.X.Min, pl.Y.Min, pl.X.Max,
			pl.Y.Max)
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
				lo.X, lo.Y, hi.X, hi.Y = min(lo.X, e.Pos.X), min(lo.Y, e.Pos.Y), max(hi.X,
					e.Pos.X), max(
					hi.Y, e.Pos.Y)
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

func TestSweepLegend(t *testing.T) {
	one := must(Sweep([]SweepPanel{growing("RAGE", "ALBA")}, nil))
	three := must(Sweep(
		[]SweepPanel{growing("RAGE", "ALBA"), growing("ALBA", "LinGapE"), growing("RAGE")},
		&SweepOptions{Columns: 2}))
	if len(one.Legend) != 0 || len(three.Legend) != 0 {
		t.Error("names are at lines and in a legend as well")
	}
	if len(three.Panels) != 2 || len(three.Panels[0]) != 2 || three.Panels[1][1] != nil {
		t.Errorf("three panels make %d rows", len(three.Panels))
	}
	few := growing("RAGE")
	few.Series[0].Points[1].Hi = math.Inf(1)
	if notes := strings.Join(must(Sweep([]SweepPanel{few}, nil)).Notes,
		" "); !strings.Contains(notes, "too few runs") ||
		!strings.Contains(notes, "bounds") {
		t.Errorf("notes %q do not say that there is no bar, and what dashed lines are", notes)
	}
	if notes := strings.Join(one.Notes, " "); strings.Contains(notes, "too few runs") {
		t.Errorf("notes %q", notes)
	}
	// Bounds are explained wherever they are.
	bare := growing("RAGE")
	bare.References = nil
	for _, panels := range [][]SweepPanel{{growing("ALBA"), bare}, {bare, growing("ALBA")}, {bare}} {
		refs := len(panels[0].References)+len(panels[len(panels)-1].References) > 0
		if notes := strings.Join(must(Sweep(panels, nil)).Notes, " "); strings.Contains(notes, "Dashed lines without markers: bounds.") != refs {
			t.Errorf("notes %q; bounds: %v", notes, refs)
		}
	}
	again := encode(t, one)
	for i, b := range encode(t, one) {
		if !bytes.Equal(b, again[i]) {
			t.Error("the same figure has different bytes")
		}
	}
}

func TestSweepErrors(t *testing.T) {
	at := func(q SweepPoint) []SweepPanel {
		return []SweepPanel{
			{Title: "sizes", LogX: true, Series: []SweepSeries{{Name: "RAGE", Points: []SweepPoint{q}}}},
		}
	}
	nan := math.NaN()
	for _, c := range []struct {
		panels []SweepPanel
		want   string
	}{
		{nil, "no panels"},
		{[]SweepPanel{{Title: "sizes", Series: []SweepSeries{{Name: "RAGE"}}}},
			`"sizes" has no points`},
		{at(SweepPoint{1, nan, 1, 2}), "sizes, RAGE: the point (1, NaN) is not finite"},
		{at(SweepPoint{0, 1, 1, 2}), "x = 0 on a logarithmic axis"},
		{at(SweepPoint{1, 0, 0, 2}), "y = 0 at x = 1 on a logarithmic axis"},
		{at(SweepPoint{1, 5, 6, 7}), "[6, 7] at x = 1 does not contain 5"},
		{at(SweepPoint{1, 5, 3, 4}), "does not contain 5"},
	} {
		if _, err := Sweep(c.panels, nil); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v; want %q", err, c.want)
		}
	}
	// Intervals that end below 0 or are unknown, and zero on a linear axis.
	for _, q := range []SweepPoint{{1, 5, -3, 9}, {1, 5, nan, nan},
		{1, 5, math.Inf(-1), math.Inf(1)}} {
		encode(t, must(Sweep(at(q), nil)))
	}
	encode(t, must(Sweep(at(SweepPoint{1, 0, -1, 1}), &SweepOptions{LinearY: true})))
}

func TestPoints(t *testing.T) {
	// Mean 3, variance 5/2, standard error sqrt(1/2).
	if p := MeanPoint(
		7,
		[]float64{1, 2, 3, 4, 5},
	); p.X != 7 || p.Center != 3 || math.Abs(p.Hi-3-math.Sqrt(.5)) > 1e-15 ||
		math.Abs(3-p.Lo-math.Sqrt(.5)) > 1e-15 {
		t.Errorf("%v", p)
	}
	if p := MeanPoint(7, []float64{4}); p.Center != 4 || p.bar() {
		t.Errorf("the mean of one value has the bar %v", p)
	}
	// Of 6 values, the smallest and the largest cover the median with probability
	// 1 - 2/64 = 0.97; of 5 they do not reach 0.95.
	if p := MedianPoint(1, []float64{1, 2, 3, 4, 5, 6}, .95); p.Center != 3.5 || p.Lo != 1 ||
		p.Hi != 6 {
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
			for rep := range 20 { // made up
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
