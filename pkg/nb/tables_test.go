package nb

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/go-gota/gota/dataframe"

	"github.com/purexp/purexp/pkg/dataset"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/nb/internal/cell/celltest"
	"github.com/purexp/purexp/pkg/policy"
	"github.com/purexp/purexp/pkg/radius"
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

// compounds are measured ones: 1 + 2 for Cl + 3 for Me, but for Cl and Me together.
func compounds() Frame {
	return dataframe.ReadCSV(strings.NewReader("R1,R2,activity\nH,H,1\nCl,H,3\nH,Me,4\n"))
}

// By hand: the best is 6, so that parts may lose 2.4 together. Cl Me loses 0, H Me 2, and H at R2 alone loses 3.
func TestParts(t *testing.T) {
	f := Must(dataset.FitFreeWilson(compounds(), "activity", "R1", "R2"))
	f.Within = .4
	r := Run(Must(f.Instance()), &policy.BettingAllEpsilon{Delta: .1}, 1)
	const want = "2 of 4 combinations are good enough: what their parts lose adds up to at most 2.4 "
	if got := Must(partsTable(f, r)); fmt.Sprint(got.Title, " ", got.Rows) != want+"[[R1 H 2 true] [R1 Cl 0 true] [R2 H 3 false] [R2 Me 0 true]]" {
		t.Errorf("%q, %v", got.Title, got.Rows)
	}
	// Where the first ones are the best, Me loses 3, which is too much.
	falling := Must(dataset.FitFreeWilson(dataframe.ReadCSV(strings.NewReader("R1,R2,activity\nH,H,6\nCl,H,4\nH,Me,3\n")), "activity", "R1", "R2"))
	falling.Within = .4
	if got := Must(partsTable(falling, Run(Must(falling.Instance()), &policy.BettingAllEpsilon{Delta: .1}, 1))); fmt.Sprint(got.Rows) != "[[R1 H 0 true] [R1 Cl 2 true] [R2 H 0 true] [R2 Me 3 false]]" {
		t.Errorf("%v", got.Rows)
	}
	r.Answer.Items = []int{4}
	if _, err := partsTable(f, r); err == nil {
		t.Error("an item that the model has not")
	}
}
