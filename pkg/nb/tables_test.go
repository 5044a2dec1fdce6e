package nb

import (
	"fmt"
	"image/color"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/recorder"

	"github.com/purexp/purexp/pkg/dataset"
	"github.com/purexp/purexp/pkg/design"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/fig/canvas"
	"github.com/purexp/purexp/pkg/nb/internal/cell/celltest"
	"github.com/purexp/purexp/pkg/policy"
	"github.com/purexp/purexp/pkg/radius"
	certificates "github.com/purexp/purexp/pkg/study/designs"
)

// table is one with an objective to minimise.
func costs() Frame {
	return dataframe.ReadCSV(strings.NewReader("design,speed,cost,note\nA,4,50,x\nB,3,80,y\nC,2,20,\n"))
}

// An objective that is left out takes its noise along, a variance is the square of a deviation, and figures
// show what the table has.
func TestGaussian(t *testing.T) {
	speed, cost := Objective{Column: "speed", Unit: "GHz", SD: .5}, Objective{Column: "cost", Less: true, Variance: 400}
	inst := Pareto(Gaussian(costs(), "design", speed, cost))
	if got := inst.Problem.Sigmas; !slices.Equal(got, []float64{.5, 20}) || inst.Problem.Sigma != 20 {
		t.Errorf("noise %v, %v", got, inst.Problem.Sigma)
	}
	if got := inst.Truth().At(1, 1); got != -80 {
		t.Errorf("a reward of %v", got)
	}
	r := Run(inst, &policy.APE{Delta: .1, Radius: radius.Paper{}}, 1)
	if r.Status != explore.Stopped || !slices.Equal(r.Answer.Items, []int{0, 2}) {
		t.Errorf("%+v", r)
	}
	if one := Gaussian(costs(), "design", speed); one.Problem.Sigma != .5 || one.Validate() == nil {
		if err := Pareto(one).Validate(); err != nil {
			t.Error(err)
		}
	}
	alt := celltest.Printed(t, func() { PlotMeasured(inst, r, .05) })
	for _, say := range []string{"cost, less is better", "speed [GHz]", "Optimal: A, C"} {
		if !strings.Contains(alt, say) {
			t.Errorf("no %q in %s", say, alt)
		}
	}
	if n := inst.Notes[len(inst.Notes)-1]; n != "made of all 3 rows and the columns design, speed, cost; not used: note" {
		t.Error(n)
	}
	both := Objective{Column: "speed", SD: 1, Variance: 1}
	for _, o := range []Objective{{Column: "speed"}, both, {Column: "speed", SD: -1}, {Column: "speed", Variance: -1}} {
		if m, failed := celltest.Fails(t, func() { Gaussian(costs(), "design", o) }); !failed || !strings.Contains(m, "want one of them") {
			t.Errorf("%+v: %q", o, m)
		}
	}
}

// Means and intervals are in the units and directions of the table: a cost of about 100 is between its ends, and not -100.
func TestMeasuredFrame(t *testing.T) {
	inst := Pareto(Gaussian(costs(), "design", Objective{Column: "speed", Unit: "GHz", SD: .5}, Objective{Column: "cost", Less: true, SD: 10}))
	r := Run(inst, &policy.APE{Delta: .1}, 1)
	df := MeasuredFrame(inst, r, .05)
	if want := []string{"arm", "pulls", "speed [GHz]", "speed [GHz], from", "speed [GHz], to", "cost", "cost, from", "cost, to"}; !slices.Equal(df.Names(), want) {
		t.Errorf("columns %q", df.Names())
	}
	for i := range df.Nrow() {
		if n := df.Col("pulls").Elem(i).Float(); int(n) != r.ArmPulls[i] {
			t.Errorf("%v pulls of arm %d; the run had %d", n, i, r.ArmPulls[i])
		}
		for c, name := range []string{"speed [GHz]", "cost"} {
			truth := inst.Axes[c].Out(inst.Truth().At(i, c))
			mean, from, to := df.Col(name).Elem(i).Float(), df.Col(name+", from").Elem(i).Float(), df.Col(name+", to").Elem(i).Float()
			if !(from < mean && mean < to && from <= truth && truth <= to) {
				t.Errorf("%s of arm %d: %v in [%v, %v]; the truth is %v", name, i, mean, from, to, truth)
			}
		}
	}
	// Objectives without axes of their own are called as the problem calls them.
	rates := Pareto(Bernoulli(arms(), "design", "speed", "yield"))
	r2 := RunFor(rates, &policy.APE{Delta: .1}, 1, 300)
	plain := MeasuredFrame(rates, r2, .05)
	if want := []string{"arm", "pulls", "speed", "speed, from", "speed, to", "yield", "yield, from", "yield, to"}; !slices.Equal(plain.Names(), want) {
		t.Errorf("columns %q", plain.Names())
	}
	for i := range plain.Nrow() {
		if got, want := plain.Col("yield").Elem(i).Float(), r2.Sums.Total[i][1]/float64(r2.Sums.N[i]); got != want || rates.Axes != nil {
			t.Errorf("yield of arm %d: %v; want %v, as measured", i, got, want)
		}
	}
	if m, failed := celltest.Fails(t, func() { MeasuredFrame(inst, &explore.Result{}, .05) }); !failed || !strings.Contains(m, "set Sums") {
		t.Errorf("%q", m)
	}
}

// Rows that miss a cell are named.
func TestComplete(t *testing.T) {
	rows, text, err := complete(costs(), nil)
	if err != nil || rows.Nrow() != 2 || text != "2 of 3 rows; left out: row 3 (no note)." {
		t.Errorf("%d rows, %q, %v", rows.Nrow(), text, err)
	}
	blank := costs().Mutate(series.New([]string{"a", " \t", ""}, series.String, "note")) // spaces are nothing
	if rows, text, err := complete(blank, nil); err != nil || rows.Nrow() != 1 || text != "1 of 3 rows; left out: row 2 (no note), row 3 (no note)." {
		t.Errorf("%v %q, %v", rows, text, err)
	}
	rows, text, err = complete(costs(), []string{"speed", "cost"})
	if err != nil || rows.Nrow() != 3 || text != "3 of 3 rows." {
		t.Errorf("%d rows, %q, %v", rows.Nrow(), text, err)
	}
	// Up to ten rows are named.
	for n, want := range map[int]string{1: "1 of 2 rows; left out: row 2 (no x).", 10: "row 10 (no x), row 11 (no x).", 11: "row 11 (no x), and 1 more."} {
		df := dataframe.New(series.New(append([]string{"a"}, make([]string, n)...), series.String, "x"))
		if rows, text, err := complete(df, nil); err != nil || rows.Nrow() != 1 || !strings.HasSuffix(text, want) {
			t.Errorf("%d rows without x: %d rows, %q, %v; want %q", n, rows.Nrow(), text, err, want)
		}
	}
	if _, _, err := complete(costs(), []string{"weight"}); err == nil || !strings.Contains(err.Error(), `no column "weight"`) {
		t.Error(err)
	}
}

// compounds are measured ones: 1 + 2 for Cl + 3 for Me, but for Cl and Me together.
func compounds() Frame {
	return dataframe.ReadCSV(strings.NewReader("R1,R2,activity\nH,H,1\nCl,H,3\nH,Me,4\n"))
}

// Compounds that nobody made are arms, too.
func ExampleFreeWilson() {
	inst := FreeWilson(compounds(), 0.4, "activity", "R1", "R2")
	for i := range inst.Problem.K() {
		fmt.Printf("%s %.0f\n", inst.Problem.Arm(i), inst.Truth().At(i, 0))
	}
	r := Run(inst, &policy.BettingAllEpsilon{Delta: .1}, 1)
	fmt.Println(AnswerFrame(inst.Problem, r).Select([]string{"arm", "verdict"}).Records()[3:])
	// Output:
	// H H 1
	// H Me 4
	// Cl H 3
	// Cl Me 6
	// [[Cl H not within 40 %] [Cl Me within 40 %]]
}

// By hand: the best is 6, so that parts may lose 2.4 together. Cl Me loses 0, H Me 2, and H at R2 alone loses 3.
func TestPartsFigure(t *testing.T) {
	f := Must(dataset.FitFreeWilson(compounds(), "activity", "R1", "R2"))
	f.Within = .4
	r := Run(Must(f.Instance()), &policy.BettingAllEpsilon{Delta: .1}, 1)
	const want = "2 of 4 combinations are good enough: what their parts lose adds up to at most 2.4. In none of them: R2 H."
	if got := Must(partsFigure(f, r)); got.Alt() != want {
		t.Errorf("%q; want %q", got.Alt(), want)
	}
	// Where the first ones are the best, Me loses 3, which is too much.
	falling := Must(dataset.FitFreeWilson(dataframe.ReadCSV(strings.NewReader("R1,R2,activity\nH,H,6\nCl,H,4\nH,Me,3\n")), "activity", "R1", "R2"))
	falling.Within = .4
	const other = "2 of 4 combinations are good enough: what their parts lose adds up to at most 2.4. In none of them: R2 Me."
	if got := Must(partsFigure(falling, Run(Must(falling.Instance()), &policy.BettingAllEpsilon{Delta: .1}, 1))); got.Alt() != other {
		t.Errorf("%q; want %q", got.Alt(), other)
	}
	r.Answer.Items = []int{4}
	if _, err := partsFigure(f, r); err == nil {
		t.Error("an item that the model has not")
	}
}

// A part stands where its loss is, in the lane of its place, and the axis has room for the largest loss and for what may be
// lost: by hand, H at R1 loses 2, H at R2 3, and 2.4 or 5.4 may be lost.
func TestPartsPlaces(t *testing.T) {
	for within, right := range map[float64]float64{.4: 3, .9: 5.4} {
		f := Must(dataset.FitFreeWilson(compounds(), "activity", "R1", "R2"))
		f.Within = within
		p := Must(partsFigure(f, Run(Must(f.Instance()), &policy.BettingAllEpsilon{Delta: .1}, 1))).Panels[0][0]
		if !(math.Abs(p.X.Min+.06*right) <= 1e-9) || !(math.Abs(p.X.Max-1.12*right) <= 1e-9) {
			t.Errorf("within %v: from %v to %v; want room for %v", within, p.X.Min, p.X.Max, right)
		}
		var rec recorder.Canvas
		c := draw.NewCanvas(&rec, 300, 200)
		p.Draw(c)
		area := p.DataCanvas(c)
		tx, ty := p.Transforms(&area)
		at := map[[2]int]color.Color{} // of the last colour
		var last color.Color
		for _, a := range rec.Actions {
			switch a := a.(type) {
			case *recorder.SetColor:
				last = a.Color
			case *recorder.Fill:
				lo, hi := a.Path[0].Pos, a.Path[0].Pos
				for _, e := range a.Path {
					if e.Type != vg.CloseComp {
						lo.X, lo.Y, hi.X, hi.Y = min(lo.X, e.Pos.X), min(lo.Y, e.Pos.Y), max(hi.X, e.Pos.X), max(hi.Y, e.Pos.Y)
					}
				}
				at[[2]int{int(math.Round(float64(lo.X+hi.X) / 2)), int(math.Round(float64(lo.Y+hi.Y) / 2))}] = last
			}
		}
		all := within == .9
		for _, part := range []struct {
			loss, lane float64
			kept       bool
		}{{2, 1, true}, {0, 1, true}, {3, 0, all}, {0, 0, true}} { // H and Cl at R1, above; H and Me at R2
			want := color.Color(canvas.Grey)
			if part.kept {
				want = canvas.Blue
			}
			if got := at[[2]int{int(math.Round(float64(tx(part.loss)))), int(math.Round(float64(ty(part.lane))))}]; got != want {
				t.Errorf("within %v: at a loss of %v in lane %v there is %v; want %v", within, part.loss, part.lane, got, want)
			}
		}
	}
}

// Frames of designs and tables, and files of them.
func TestFramesToFiles(t *testing.T) {
	inst := FreeWilson(compounds(), .4, "activity", "R1", "R2")
	d := Must(Must(design.NewG(inst.Problem.X)).Solve(nil))
	df := DesignFrame(inst.Problem, d)
	total := 0.
	for _, w := range df.Col("share").Float() {
		total += w
	}
	if got := DesignFrame(inst.Problem, &design.Design{Weights: []float64{.5, 0, .2, .3}}).Records(); fmt.Sprint(got) !=
		"[[arm share] [H H 0.500000] [Cl H 0.200000] [Cl Me 0.300000]]" {
		t.Errorf("three of four arms: %v", got)
	}
	if df.Nrow() < 3 || math.Abs(total-1) > 1e-9 {
		t.Error(df)
	}
	path := filepath.Join(t.TempDir(), "design.csv")
	Save(df, path)
	if got := Load(path); got.Nrow() != df.Nrow() || !slices.Equal(got.Col("share").Float(), df.Col("share").Float()) {
		t.Error(got)
	}
	if TableFrame(certificates.Certificates(inst)).Nrow() == 0 {
		t.Error("no rows")
	}
	if m, failed := celltest.Fails(t, func() { TableFrame(nil, os.ErrNotExist) }); !failed || m == "" {
		t.Error("no error")
	}
}
