package nb

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/go-gota/gota/dataframe"

	"github.com/purexp/purexp/internal/golden"
	"github.com/purexp/purexp/pkg/bandit"
	"github.com/purexp/purexp/pkg/dataset"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/nb/internal/cell/celltest"
	"github.com/purexp/purexp/pkg/policy"
	"github.com/purexp/purexp/pkg/question"
	"github.com/purexp/purexp/pkg/radius"
)

// doses is a table with gaps.
func doses() Frame {
	var b strings.Builder
	b.WriteString("dose,efficacy,safety,cost,note\n")
	for i := range 14 {
		note := "x"
		if i > 1 {
			note = ""
		}
		fmt.Fprintf(&b, "%d mg,%.2f,%.2f,%d,%s\n", 10*i, .05+.06*float64(i), .98-.05*float64(i), 100-i, note)
	}
	return dataframe.ReadCSV(strings.NewReader(b.String()))
}

// Cells print what testdata has: tables, answers, figures in words, advice and errors.
func TestCells(t *testing.T) {
	t.Setenv("PUREXP_CACHE", t.TempDir())
	t.Setenv("PUREXP_REPS", "")
	var out strings.Builder
	df := doses()
	cell := func(what string, f func()) {
		var text string
		message, failed := celltest.Fails(t, func() { text = celltest.Printed(t, f) })
		fmt.Fprintf(&out, "== %s\n%s", what, text)
		if failed {
			fmt.Fprintf(&out, "ends the cell: %s", message)
		}
	}
	few := df.Subset([]int{0, 4, 8, 12})
	rates := Bernoulli(few, "dose", "efficacy", "safety")
	bounded := AtLeast(rates, .2, .3)
	gauss := Gaussian(few, "dose", Objective{Column: "efficacy", Unit: "%", SD: .1}, Objective{Column: "cost", Less: true, Variance: 4})
	best := Must(dataset.Ask(Bernoulli(few, "dose", "efficacy"), question.Best{}))
	cell("table", func() { ShowFrame("Doses", few) })
	cell("columns", func() { ShowFrame("Doses", df, "note", "dose") })
	cell("no column", func() { ShowFrame("Doses", df, "weight") })
	cell("a broken table", func() { ShowFrame("Doses", dataframe.ReadCSV(strings.NewReader("a,b\n1\n"))) })
	cell("complete", func() { Complete(df) })
	cell("complete columns", func() { Complete(df, "dose", "cost") })
	cell("complete of a broken table", func() { Complete(dataframe.ReadCSV(strings.NewReader("a,b\n1\n"))) })
	cell("complete of nothing", func() { Complete(df.Subset([]int{5, 6}), "note") })
	for name, inst := range map[string]*bandit.Instance{"rates": rates, "gauss": gauss} {
		if len(inst.Notes) == 0 {
			t.Errorf("%s has no notes", name)
		}
	}
	fmt.Fprintf(&out, "notes %q %q\naxes %+v %+v\n", rates.Notes, gauss.Notes, rates.Axes, gauss.Axes)
	cell("two bounds", func() { AtLeast(rates, .2) })
	cell("recommended", func() { Recommended(bounded, policy.Circumstances{}) })
	cell("recommended for any sampling", func() { Recommended(bounded, policy.Circumstances{AnySampling: true, Delta: .05}) })
	cell("recommended for a budget", func() { Recommended(Pareto(gauss), policy.Circumstances{Budget: 200}) })
	cell("recommended for the best", func() { Recommended(best, policy.Circumstances{Plate: 8}) })
	r := Run(bounded, &policy.ECAPE{Delta: .1, Radius: radius.Paper{}}, 1)
	cell("answer", func() { Explain(bounded.Problem, r) })
	cell("answer as figure", func() { PlotAnswer(bounded, r) })
	short := RunFor(bounded, &policy.ECAPE{Delta: .1, Radius: radius.Paper{}}, 1, 40)
	cell("cut short", func() { Explain(bounded.Problem, short) })
	fmt.Fprintf(&out, "frame %v\n", AnswerFrame(bounded.Problem, short).Records())
	cell("plot", func() { Plot(bounded) })
	cell("plot of rates", func() { Plot(Pareto(gauss)) })
	cell("measured", func() { PlotMeasured(bounded, r, .05) })
	cell("course", func() { Trajectory(bounded, &policy.ECAPE{Delta: .1, Radius: radius.Paper{}}, 1) })
	cell("course of none", func() { Trajectory(bounded, nil, 1) })
	cell("weighted", func() {
		w := Weighted(bounded, 1, .5)
		Explain(w.Problem, Run(w, &policy.TFLUCB{Delta: .1}, 2))
	})
	cell("compared", func() {
		c := Compare(6, Policies{nil, &policy.ECAPE{Delta: .1, Radius: radius.Paper{}}, &policy.Uniform{Delta: .1, Radius: radius.Paper{}}}, bounded)
		c.Table()
		fmt.Println(len(c.Means("efficacy and safety")), len(c.Means("nothing")), c.Frame().Names())
		for _, m := range []string{"e-cAPE (delta 0.1, paper)"} {
			fmt.Printf("%s %.4g\n", m, c.Means("efficacy and safety")[m])
		}
	})
	cell("limited", func() {
		c := Compare(3, Policies{value{}}, bounded)
		c.Table()
	})
	cell("a dataset", func() {
		ShowFrame("COV-BOOST", Dataset("covboost").Subset([]int{0, 1}), Dataset("covboost").Names()[:3]...)
	})
	cell("no dataset", func() { Dataset("nothing") })
	cell("no file", func() { Load("nothing.csv") })
	root, _ := Root()
	golden.Parts(t, "cells.txt", strings.ReplaceAll(out.String(), root, "ROOT"), `^== .*`)
}

// value is a policy that is no pointer, and stops at once.
type value struct{}

func (value) Init(*explore.Problem, rand.Source) error       { return nil }
func (value) Ask(dst []explore.Pull) ([]explore.Pull, error) { return dst, nil }
func (value) Tell([]explore.Batch) error                     { return nil }
func (value) Answer() explore.Answer                         { return explore.Answer{} }
