package rage

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/bandit"
	"github.com/purexp/purexp/pkg/design"
	"github.com/purexp/purexp/pkg/fig"
	"github.com/purexp/purexp/pkg/question/complexity"
	"github.com/purexp/purexp/pkg/tidy"
)

// An Optimum is a design with the history of the solver.
type Optimum struct {
	Name     string
	Design   *design.Design
	Brackets []design.Bracket
}

// solve solves c and keeps what the solver knew after each iteration.
func solve(name string, c design.Criterion, o design.Options) (Optimum, error) {
	opt := Optimum{Name: name}
	o.Watch = func(b design.Bracket) bool {
		opt.Brackets = append(opt.Brackets, b)
		return true
	}
	var err error
	if opt.Design, err = c.Solve(&o); err != nil && !errors.Is(err, design.ErrGap) {
		return opt, err
	}
	return opt, nil
}

// Optima returns three designs for an instance, named by the method that follows
// them: G-optimal, for its means; XY, for all differences; and that of the oracle,
// for the differences to the best item.
func Optima(inst *bandit.Instance) ([]Optimum, error) {
	x, z := inst.Problem.X, items(inst)
	g, err := design.NewG(x)
	if err != nil {
		return nil, err
	}
	pairs, err := design.NewPairs(x, z)
	if err != nil {
		return nil, err
	}
	y, err := complexity.Towards(z, mat.Col(nil, 0, inst.Truth()))
	if err != nil {
		return nil, err
	}
	star, err := design.NewXY(x, y)
	if err != nil {
		return nil, err
	}
	var os []Optimum
	for _, c := range []struct {
		name string
		c    design.Criterion
	}{{GAllocation, g}, {XYStatic, pairs}, {Oracle, star}} {
		opt, err := solve(c.name, c.c, design.Options{Tol: 1e-4})
		if err != nil {
			return nil, err
		}
		os = append(os, opt)
	}
	return os, nil
}

// PlaneDesigns shows the designs of an instance in the plane.
func PlaneDesigns(inst *bandit.Instance) (*fig.Figure, error) {
	os, err := Optima(inst)
	if err != nil {
		return nil, err
	}
	var panels []fig.DesignPanel
	for i, o := range os {
		p := fig.DesignPanel{
			Title: []string{"G: every mean", "XY: every difference",
				"oracle: towards the best"}[i],
			Points: inst.Problem.X, Names: inst.Problem.ArmNames, Design: o.Design,
		}
		if i == 2 {
			// The directions are scaled by gaps: only their shape fits the plane.
			unit := *o.Design
			unit.Value, unit.Critical = 0, nil
			p.Design = &unit
		}
		panels = append(panels, p)
	}
	return fig.Designs(panels, &fig.DesignOptions{Title: "Where to measure: " + inst.Name})
}

// Needles shows the weights of the designs of an instance of any dimension.
func Needles(inst *bandit.Instance) (*fig.Figure, error) {
	os, err := Optima(inst)
	if err != nil {
		return nil, err
	}
	var ws []fig.WeightSeries
	for _, o := range os {
		ws = append(ws, fig.WeightSeries{Name: o.Name, Weights: o.Design.Weights})
	}
	return fig.DesignWeights(inst.Problem.ArmNames, ws, &fig.DesignOptions{
		Title: "Where to measure: " + inst.Name, Palette: palette,
	})
}

// Solvers solves the XY design of an instance by the certified solver and by the
// paper's Frank-Wolfe iteration.
func Solvers(inst *bandit.Instance) ([]Optimum, error) {
	var os []Optimum
	for _, m := range []design.Method{design.Certified, design.FrankWolfePaper} {
		c, err := design.NewPairs(inst.Problem.X, items(inst))
		if err != nil {
			return nil, err
		}
		o, err := solve(m.String(), c, design.Options{Tol: 1e-6, Method: m})
		if err != nil {
			return nil, err
		}
		os = append(os, o)
	}
	return os, nil
}

// Convergence shows the certificates of the solvers over their iterations.
func Convergence(inst *bandit.Instance) (*fig.Figure, error) {
	os, err := Solvers(inst)
	if err != nil {
		return nil, err
	}
	var series []fig.ConvergenceSeries
	for _, o := range os {
		series = append(series, fig.ConvergenceSeries{Name: o.Name, Brackets: o.Brackets})
	}
	return fig.Convergence(series,
		&fig.DesignOptions{Title: "Two solvers of the XY design: " + inst.Name})
}

// Certificates returns what the two solvers reach on instances.
func Certificates(instances ...*bandit.Instance) (*tidy.Table, error) {
	t := &tidy.Table{
		Title: "XY designs: value reached and certified",
		Columns: []tidy.Column{
			{Name: "instance"}, {Name: "solver"}, {Name: "iterations"}, {Name: "value"},
			{Name: "no design is below"}, {Name: "too many pulls, at most", Unit: "%"},
			{Name: "arms used"},
		},
		Notes: []string{"The lower bound is the better of the two solvers'."},
	}
	for _, inst := range instances {
		os, err := Solvers(inst)
		if err != nil {
			return nil, err
		}
		lower := 0.
		for _, o := range os {
			lower = max(lower, o.Design.Lower)
		}
		for _, o := range os {
			t.Rows = append(t.Rows, []any{inst.Name, o.Name, o.Design.Iterations, o.Design.Value,
				lower,
				fmt.Sprintf("%.2g", 100*math.Max(0, o.Design.Value/lower-1)),
				len(o.Design.Support())})
		}
	}
	return t, nil
}

// Roundings returns what rounding the XY design of an instance to n pulls costs.
func Roundings(inst *bandit.Instance, ns ...int) (*tidy.Table, error) {
	x := inst.Problem.X
	c, err := design.NewPairs(x, nil)
	if err != nil {
		return nil, err
	}
	d, err := c.Solve(&design.Options{Tol: 1e-4})
	if err != nil {
		return nil, err
	}
	t := &tidy.Table{
		Title: fmt.Sprintf("Rounding to whole pulls: %s, %d arms in use",
			inst.Name, len(d.Support())),
		Columns: []tidy.Column{
			{Name: "pulls"}, {Name: "efficient (Pukelsheim and Rieder)"},
			{Name: "largest remainder"},
			{Name: "best"}, {Name: "bound 1/(1 - l/N)"},
		},
		Notes: []string{"Largest variance of a difference, as a multiple of what the design " +
			"promises."},
	}
	for _, n := range ns {
		row := []any{n}
		for _, r := range []design.Rounding{design.Efficient, design.LargestRemainder,
			design.Best} {
			a, err := design.Round(c, d.Weights, n, r)
			if err != nil {
				row = append(row, "-")
				continue
			}
			row = append(row, fmt.Sprintf("%.3f", a.Ratio))
		}
		l := float64(len(d.Support()))
		if float64(n) > l {
			row = append(row, fmt.Sprintf("%.3f", 1/(1-l/float64(n))))
		} else {
			row = append(row, "-")
		}
		t.Rows = append(t.Rows, row)
	}
	return t, nil
}

// items returns the features of the items of an instance.
func items(inst *bandit.Instance) *mat.Dense {
	if z := inst.Problem.Z; z != nil {
		return z
	}
	return inst.Problem.X
}
