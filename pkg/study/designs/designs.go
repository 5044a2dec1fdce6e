// Package designs shows where to measure: optimal designs of an instance whose means are linear in
// features, the solvers that find them, and what rounding them to whole pulls costs. Studies and
// notebooks of several papers look at them.
//
//	table, err := designs.Shares(inst)            // the weights of points
//	table, err = designs.Roundings(inst, 48, 96)  // what whole pulls cost
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

// An Optimum is a design with the name of what found it.
type Optimum struct {
	Name   string
	Design *design.Design
}

// solve solves c. That a method did not reach the tolerance is no error.
func solve(name string, c design.Criterion, o design.Options) (Optimum, error) {
	d, err := c.Solve(&o)
	if err != nil && !errors.Is(err, design.ErrGap) {
		return Optimum{}, err
	}
	return Optimum{name, d}, nil
}

// Names of Optima: those of the methods that follow them.
const (
	G      = "G-allocation" // for all means
	XY     = "XY-static"    // for all differences
	Oracle = "XY-oracle"    // for the differences to the best item
)

// Optima returns three designs for an instance: G, XY and that of the oracle.
func Optima(inst *bandit.Instance) ([]Optimum, error) {
	x, z := inst.Problem.X, cmp.Or(inst.Problem.Z, inst.Problem.X)
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
	}{{G, g}, {XY, pairs}, {Oracle, star}} {
		opt, err := solve(c.name, c.c, design.Options{Tol: 1e-4})
		if err != nil {
			return nil, err
		}
		os = append(os, opt)
	}
	return os, nil
}

// Shares returns the shares of the arms of an instance in the designs of Optima, in per cent.
func Shares(inst *bandit.Instance) (*tidy.Table, error) {
	os, err := Optima(inst)
	if err != nil {
		return nil, err
	}
	t := &tidy.Table{Title: "Where to measure: " + inst.Name + " [% of the pulls]", Columns: tidy.Columns("arm")}
	for _, o := range os {
		t.Columns = append(t.Columns, tidy.Column{Name: o.Name})
	}
	for i := range inst.Problem.K() {
		row := []any{inst.Problem.Arm(i)}
		for _, o := range os {
			row = append(row, fmt.Sprintf("%.1f", 100*o.Design.Weights[i]))
		}
		t.Rows = append(t.Rows, row)
	}
	return t, nil
}

// Solvers solves the XY design of an instance by the certified solver and by the Frank-Wolfe
// iteration of the paper of RAGE.
func Solvers(inst *bandit.Instance) ([]Optimum, error) {
	var os []Optimum
	for _, m := range []design.Method{design.Certified, design.FrankWolfePaper} {
		c, err := design.NewPairs(inst.Problem.X, cmp.Or(inst.Problem.Z, inst.Problem.X))
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

// MirrorDescent returns what the certified solver and the mirror descent of the paper of GEGE
// (Algorithm 4) reach of a G-optimal design of all arms, within tolerances of the optimum.
func MirrorDescent(inst *bandit.Instance, tols ...float64) (*tidy.Table, error) {
	t := certificates(fmt.Sprintf("G-optimal designs of %d arms", inst.Problem.K()))
	for _, tol := range tols {
		var os []Optimum
		for _, m := range []design.Method{design.Certified, design.MirrorDescent} {
			c, err := design.NewG(inst.Problem.X)
			if err != nil {
				return nil, err
			}
			o, err := solve(fmt.Sprintf("%v, to %v", m, tol), c, design.Options{Tol: tol, Method: m})
			if err != nil {
				return nil, err
			}
			os = append(os, o)
		}
		certified(t, inst, os)
	}
	return t, nil
}

// Certificates returns what the two solvers reach on instances.
func Certificates(instances ...*bandit.Instance) (*tidy.Table, error) {
	t := certificates("XY designs: value reached and certified")
	for _, inst := range instances {
		os, err := Solvers(inst)
		if err != nil {
			return nil, err
		}
		certified(t, inst, os)
	}
	return t, nil
}

func certificates(title string) *tidy.Table {
	return &tidy.Table{
		Title: title,
		Columns: tidy.Columns("instance", "solver", "iterations", "value", "no design is below",
			"too many pulls, at most [%]", "arms used"),
		Notes: []string{"The lower bound is the better of the two solvers'."},
	}
}

// certified adds a row for each of two solvers to a table of certificates.
func certified(t *tidy.Table, inst *bandit.Instance, os []Optimum) {
	lower := 0.
	for _, o := range os {
		lower = max(lower, o.Design.Lower)
	}
	for _, o := range os {
		t.Rows = append(t.Rows, []any{inst.Name, o.Name, o.Design.Iterations, o.Design.Value, lower,
			fmt.Sprintf("%.2g", 100*math.Max(0, o.Design.Value/lower-1)), len(o.Design.Support())})
	}
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
		Columns: tidy.Columns("pulls", "efficient (Pukelsheim and Rieder)", "largest remainder",
			"best", "bound 1/(1 - l/N)"),
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
