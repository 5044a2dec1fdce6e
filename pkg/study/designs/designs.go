// Package designs makes tables of optimal designs for instances with linear means, and compares
// solvers for such designs. The notebooks of several papers use this package.
//
//	table, err := designs.Shares(inst) // the weights of the arms
package designs

import (
	"cmp"
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/bandit"
	"github.com/purexp/purexp/pkg/design"
	"github.com/purexp/purexp/pkg/question/complexity"
	"github.com/purexp/purexp/pkg/tidy"
)

// solve computes an optimal design for criterion c. If the solver does not reach the tolerance,
// solve returns its best design without an error.
func solve(c design.Criterion, o design.Options) (*design.Design, error) {
	d, err := c.Solve(&o)
	if errors.Is(err, design.ErrGap) {
		err = nil
	}
	return d, err
}

// Shares returns the proportions of the arms of an instance in three designs, in per cent. The
// designs are optimal for estimating all means, all differences, and the differences from the best
// item. The columns have the names of methods that follow the three designs.
func Shares(inst *bandit.Instance) (*tidy.Table, error) {
	x, z := inst.Problem.X, cmp.Or(inst.Problem.Z, inst.Problem.X)
	y, err := complexity.Towards(z, mat.Col(nil, 0, inst.Truth()))
	if err != nil {
		return nil, err
	}
	t := &tidy.Table{Title: "Where to measure: " + inst.Name + " [% of the pulls]", Columns: tidy.Columns("arm")}
	for i := range inst.Problem.K() {
		t.Rows = append(t.Rows, []any{inst.Problem.Arm(i)})
	}
	for _, c := range []struct {
		name string
		new  func() (design.Criterion, error)
	}{
		{"G-allocation", func() (design.Criterion, error) { return design.NewG(x) }},
		{"XY-static", func() (design.Criterion, error) { return design.NewPairs(x, z) }},
		{"XY-oracle", func() (design.Criterion, error) { return design.NewXY(x, y) }},
	} {
		criterion, err := c.new()
		if err != nil {
			return nil, err
		}
		d, err := solve(criterion, design.Options{Tol: 1e-4})
		if err != nil {
			return nil, err
		}
		t.Columns = append(t.Columns, tidy.Column{Name: c.name})
		for i, w := range d.Weights {
			t.Rows[i] = append(t.Rows[i], fmt.Sprintf("%.1f", 100*w))
		}
	}
	return t, nil
}

// MirrorDescent compares two solvers for the G-optimal design of all arms at the given tolerances:
// the certified solver, and mirror descent (Algorithm 4 of the GEGE paper).
func MirrorDescent(inst *bandit.Instance, tols ...float64) (*tidy.Table, error) {
	t := certificates(fmt.Sprintf("G-optimal designs of %d arms", inst.Problem.K()))
	for _, tol := range tols {
		c, err := design.NewG(inst.Problem.X)
		if err != nil {
			return nil, err
		}
		if err := certified(t, inst, c, tol, design.MirrorDescent, fmt.Sprintf(", to %v", tol)); err != nil {
			return nil, err
		}
	}
	return t, nil
}

// Certificates compares two solvers for the XY designs of instances: the certified solver, and the
// Frank-Wolfe iteration of the RAGE paper.
func Certificates(instances ...*bandit.Instance) (*tidy.Table, error) {
	t := certificates("XY designs: value reached and certified")
	for _, inst := range instances {
		c, err := design.NewPairs(inst.Problem.X, cmp.Or(inst.Problem.Z, inst.Problem.X))
		if err != nil {
			return nil, err
		}
		if err := certified(t, inst, c, 1e-6, design.FrankWolfePaper, ""); err != nil {
			return nil, err
		}
	}
	return t, nil
}

func certificates(title string) *tidy.Table {
	return &tidy.Table{
		Title: title,
		Columns: tidy.Columns("instance", "solver", "iterations", "value", "no design is below",
			"excess pulls, at most [%]", "arms used"),
		Notes: []string{"The lower bound is the larger of the bounds of the two solvers."},
	}
}

// certified adds two rows to a table of certificates: one for the certified solver and one for
// another method.
func certified(t *tidy.Table, inst *bandit.Instance, c design.Criterion, tol float64, other design.Method,
	name string) error {
	methods, ds, lower := []design.Method{design.Certified, other}, [2]*design.Design{}, 0.
	for k, m := range methods {
		var err error
		if ds[k], err = solve(c, design.Options{Tol: tol, Method: m}); err != nil {
			return err
		}
		lower = max(lower, ds[k].Lower)
	}
	for k, d := range ds {
		t.Rows = append(t.Rows, []any{inst.Name, methods[k].String() + name, d.Iterations, d.Value, lower,
			fmt.Sprintf("%.2g", 100*math.Max(0, d.Value/lower-1)), len(d.Support())})
	}
	return nil
}

// Roundings returns a table that shows by how much rounding to n pulls increases the variance of
// the XY design of an instance.
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
		Title: fmt.Sprintf("Rounding to whole pulls: %s, %d arms in use", inst.Name, len(d.Support())),
		Columns: tidy.Columns("pulls", "efficient (Pukelsheim and Rieder)", "largest remainder",
			"best", "bound 1/(1 - l/N)"),
		Notes: []string{"Largest variance of a difference of means, divided by the value of the design."},
	}
	for _, n := range ns {
		row := []any{n}
		for _, r := range []design.Rounding{design.Efficient, design.LargestRemainder, design.Best} {
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
