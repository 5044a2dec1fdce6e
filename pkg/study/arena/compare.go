package arena

import (
	"context"
	_ "embed" // summary.csv
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/purexp/purexp/pkg/mc"
	"github.com/purexp/purexp/pkg/study"
	"github.com/purexp/purexp/pkg/tidy"
)

//go:embed summary.csv
var summary string

// Published returns the cells of all methods as they were measured for docs/arena.md.
func Published() ([]Cell, error) { return ReadCells(strings.NewReader(summary)) }

// ErrUnsuited says that a method answers none of the questions that it was entered for.
var ErrUnsuited = errors.New("arena: none of your methods can begin on an instance")

// Compare runs policies of your own on the instances of a question, reps times at each of Deltas,
// and returns the tables of the question with their rows among those that are published. The
// policy of a method is made for a Task and may look at its Delta, or at its Budget if the Constants
// of the method are Budgeted; otherwise these are Guaranteed or Extra. Runs see the noise that the
// published ones saw.
//
//	tables, err := arena.Compare(ctx, arena.BestItem, 20, study.Method{
//		Name: "mine", Constants: arena.Guaranteed,
//		New: func(t study.Task) explore.Policy { return &Mine{Delta: t.Delta} },
//	})
func Compare(ctx context.Context, q Question, reps int, own ...study.Method) ([]*tidy.Table,
	error) {
	if !slices.Contains(Questions(), q) {
		return nil, fmt.Errorf("arena: no question %q; there are %q", q, Questions())
	}
	cells, err := Published()
	if err != nil {
		return nil, err
	}
	for _, m := range own {
		if m.Name == "" || m.New == nil {
			return nil, errors.New("arena: a method of your own needs a Name and New")
		}
		if slices.ContainsFunc(cells, func(c Cell) bool { return c.Method == m.Name }) {
			return nil, fmt.Errorf("arena: %q is the name of a published method; take another",
				m.Name)
		}
	}
	runs, err := Cells(q, own, study.Options{Reps: reps})
	if err != nil {
		return nil, err
	}
	if len(runs) == 0 {
		return nil, fmt.Errorf("%w of %q", ErrUnsuited, q)
	}
	g := &mc.Grid{Study: q.Name(), Seed: 1, Cells: runs}
	rows, err := g.Run(ctx)
	if err != nil {
		return nil, err
	}
	return Tables(q, append(cells, Summarise(rows)...))
}

var header = []string{"method", "constants", "instance", "delta", "budget", "runs", "pulls",
	"wrong", "given up", "failed"}

// ReadCells reads cells from a table of comma-separated values, one a line after the header.
func ReadCells(r io.Reader) ([]Cell, error) {
	rows, err := csv.NewReader(r).ReadAll()
	if err != nil {
		return nil, fmt.Errorf("arena: summary: %w", err)
	}
	if len(rows) == 0 || !slices.Equal(rows[0], header) {
		return nil, fmt.Errorf("arena: summary: the first line is not %s",
			strings.Join(header, ","))
	}
	var cells []Cell
	for i, row := range rows[1:] {
		c := Cell{Method: row[0], Constants: row[1], Instance: row[2]}
		var errs [7]error
		c.Delta, errs[0] = strconv.ParseFloat(row[3], 64)
		c.Budget, errs[1] = strconv.Atoi(row[4])
		c.Runs, errs[2] = strconv.Atoi(row[5])
		c.Pulls, errs[3] = strconv.ParseFloat(row[6], 64)
		c.Wrong, errs[4] = strconv.Atoi(row[7])
		c.GivenUp, errs[5] = strconv.Atoi(row[8])
		c.Failed, errs[6] = strconv.Atoi(row[9])
		if err := errors.Join(errs[:]...); err != nil {
			return nil, fmt.Errorf("arena: summary: line %d: %w", i+2, err)
		}
		cells = append(cells, c)
	}
	return cells, nil
}

// PublishedTables are the tables of a question as in docs/arena.md.
func PublishedTables(q Question) ([]*tidy.Table, error) {
	cells, err := Published()
	if err != nil {
		return nil, err
	}
	return Tables(q, cells)
}
