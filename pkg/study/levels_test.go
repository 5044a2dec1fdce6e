package study_test

import (
	"bytes"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/bandit"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/mc"
	"github.com/purexp/purexp/pkg/question"
	"github.com/purexp/purexp/pkg/radius"
	"github.com/purexp/purexp/pkg/study"
	"github.com/purexp/purexp/pkg/tidy"
)

// The intervals of the conditions of a claim hold together: by the union bound their error
// probabilities sum up to what Confidence leaves, however many there are.
func TestLevelsOfConditions(t *testing.T) {
	for n := range 6 {
		var levels []float64
		var cs []study.Condition
		for range n {
			cs = append(cs, study.Fewer.Of(study.Estimate{What: "x", At: func(c float64) tidy.Summary {
				levels = append(levels, c)
				return tidy.Summary{Center: .5, Lo: .4, Hi: .6, Confidence: c, N: 20}
			}}))
		}
		for name, judge := range map[string]func(){
			"all":      func() { study.All(cs...) },
			"any":      func() { study.Any(cs...) },
			"provided": func() { study.Verdict{}.Provided(cs...) },
		} {
			levels = nil
			judge()
			wrong := 0.
			for _, c := range levels {
				wrong += 1 - c
			}
			if want := 1 - study.Confidence; len(levels) != n || n > 0 && math.Abs(wrong-want) > 1e-12 {
				t.Errorf("%s of %d conditions are judged at the levels %v; want %d that leave %.3g together",
					name, n, levels, n, want)
			}
		}
	}
	var level float64
	e := study.Estimate{What: "x", At: func(c float64) tidy.Summary {
		level = c
		return tidy.Summary{Center: .5, Lo: .4, Hi: .6, Confidence: c, N: 20}
	}}
	if study.All(study.Fewer.Of(e)).Needs(study.Fewer.Of(e), "none"); level != study.Confidence {
		t.Errorf("what a claim needs is judged at the level %v", level)
	}
}

// needing are rows of runs with the given numbers of pulls.
func needing(pulls ...int) (rows []mc.Row) {
	for range 4 {
		for _, n := range pulls {
			rows = append(rows, mc.Row{Rep: len(rows), Pulls: n, Status: "stopped", Correct: true})
		}
	}
	return rows
}

// From medians of 200 and 100, a ratio of 2, to medians of 900 and 50, one of 18: it is 9 times as
// large. Means are 250 and 100, and 900 and 75: from 2.5 to 12.
func TestRatioChange(t *testing.T) {
	a1, b1 := needing(100, 200, 450), needing(50, 100, 150)
	a2, b2 := needing(800, 900, 1000), needing(25, 50, 150)
	for what, c := range map[string]struct {
		f    func(what string, a1, b1, a2, b2 []mc.Row) study.Estimate
		want float64
	}{"medians": {study.RatioChange, 9}, "means": {study.MeanRatioChange, 4.8}} {
		for _, x := range []struct {
			rows [4][]mc.Row
			want float64
		}{
			{[4][]mc.Row{a1, b1, a2, b2}, c.want}, {[4][]mc.Row{a2, b2, a1, b1}, 1 / c.want},
			{[4][]mc.Row{b1, a1, b2, a2}, 1 / c.want}, {[4][]mc.Row{a1, b1, a1, b1}, 1},
		} {
			e := c.f(what, x.rows[0], x.rows[1], x.rows[2], x.rows[3])
			s := e.At(.9)
			if math.Abs(s.Center-x.want) > 1e-9*x.want || !(s.Lo <= s.Center && s.Center <= s.Hi) || !e.Resampled {
				t.Errorf("%s: %+v; want %v", what, s, x.want)
			}
		}
	}
}

// An experiment whose paper has means shows them first, and medians and other constants besides; one that has no sizes to
// compare shows nothing.
func TestFiguresOfMeans(t *testing.T) {
	names := func(e study.Experiment) (names []string) {
		t.Helper()
		fs, err := e.Study().Figures(simulate(t, e, study.Options{}))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range fs {
			means := strings.Contains(f.Caption, "mean pulls until stopping")
			if medians := strings.Contains(f.Caption, "edian pulls"); means && medians {
				t.Errorf("%s: %s", f.Name, f.Caption)
			}
			names = append(names, f.Name)
			if means {
				names = append(names, "of means")
			}
		}
		return names
	}
	e := confident()
	e.Means = true
	if got, want := names(e), []string{"ladder", "of means", "ladder-medians",
		"ladder-constants"}; !slices.Equal(got, want) {
		t.Errorf("figures %q; want %q", got, want)
	}
	e.Sizes = []int{4}
	if got := names(e); got != nil {
		t.Errorf("one size has the figures %q", got)
	}
	// Named instances are compared one by one, and errors with a budget have no means of pulls.
	e = named()
	e.Means = true
	if got := names(e); len(got) != 1 || got[0] != e.ShortName() {
		t.Errorf("named instances have the figures %q", got)
	}
	e.Sizes = e.Sizes[:1]
	if got := names(e); len(got) != 1 {
		t.Errorf("one named instance has the figures %q", got)
	}
	e = confident()
	e.Means, e.Delta, e.Bounds = true, 0, nil
	e.Budget = func(size int) int { return 6 * size }
	if got := names(e); len(got) != 1 || got[0] != "ladder" {
		t.Errorf("with a budget there are the figures %q", got)
	}
}

// inPlane is a ladder with a second objective, in which the order is the other.
func inPlane(k, _ int) (*bandit.Instance, error) {
	mu := mat.NewDense(k, 2, nil)
	for i := range k {
		mu.SetRow(i, []float64{float64(i), -float64(i * i)})
	}
	law, err := bandit.NewGaussian(mu, mat.NewSymDense(2, []float64{1, 0, 0, 1}))
	return &bandit.Instance{Law: law, Problem: &explore.Problem{Arms: k, Objectives: 2, Sigma: 1,
		NormSigma: 1, Question: question.Pareto{}}}, err
}

// Confidence boxes are those of methods with a radius, and of a fixed confidence; methods for which
// a budget is too small are left out.
func TestFrontBoxes(t *testing.T) {
	front := func(budget int, r radius.Radius) (svg, alt string) {
		e := confident()
		e.Instance, e.Methods = inPlane, []study.Method{evenly("a method", "", 9), evenly("another", "", 9)}
		if e.Methods[0].Radius = r; budget > 0 {
			e.Delta, e.Budget = 0, func(int) int { return budget }
		}
		f, err := e.Front(4)
		if err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		if err := f.SVG(&b); err != nil {
			t.Fatal(err)
		}
		return b.String(), f.Alt()
	}
	with, _ := front(0, radius.Paper{})
	without, _ := front(0, nil)
	if with == without {
		t.Error("a radius shows nothing with a fixed confidence")
	}
	with, alt := front(36, radius.Paper{})
	if without, _ = front(36, nil); with != without || !strings.Contains(alt, "a method") {
		t.Errorf("a radius shows something with a budget: %s", alt)
	}
	if _, alt := front(3, nil); strings.Contains(alt, "a method") {
		t.Errorf("a method without enough budget is shown: %s", alt)
	}
}
