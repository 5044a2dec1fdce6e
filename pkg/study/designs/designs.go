// Package designs shows where to measure: optimal designs of an instance whose means are linear in
// features, and the solvers that find them. Notebooks of several papers look at them.
//
//	table, err := designs.Shares(inst) // the weights of points
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

// MirrorDescent returns what the certified solver and the mirror descent of the paper of GEGE
// (Algorithm 4) reach of a G-optimal design of all arms, within tolerances of the optimum.
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

// Certificates returns what the certified solver, and the Frank-Wolfe iteration of the paper of RAGE,
// reach of the XY designs of instances.
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
			"too many pulls, at most [%]", "arms used"),
		Notes: []string{"The lower bound is the better of the two solvers'."},
	}
}

// certified adds a row for the certified solver and one for another to a table of certificates.
func certified(t *tidy.Table, inst *bandit.Instance, c design.Criterion, tol float64, other design.Method,
	name string) error {
	var os []Optimum
	lower := 0.
	for _, m := range []design.Method{design.Certified, other} {
		o, err := solve(m.String()+name, c, design.Options{Tol: tol, Method: m})
		if err != nil {
			return err
		}
		os, lower = append(os, o), max(lower, o.Design.Lower)
	}
	for _, o := range os {
		t.Rows = append(t.Rows, []any{inst.Name, o.Name, o.Design.Iterations, o.Design.Value, lower,
			fmt.Sprintf("%.2g", 100*math.Max(0, o.Design.Value/lower-1)), len(o.Design.Support())})
	}
	return nil
}
