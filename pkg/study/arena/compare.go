package arena

import (
	"context"
	_ "embed" // summary.csv
	"errors"
	"fmt"
	"slices"

	"github.com/purexp/purexp/pkg/mc"
	"github.com/purexp/purexp/pkg/study"
	"github.com/purexp/purexp/pkg/tidy"
)

//go:embed summary.csv
var summary string

// Published returns the cells of all methods as they were measured for docs/arena.md.
func Published() (cells []Cell) {
	for _, r := range study.ReadRecords(summary)[1:] { // below the names of the columns
		n := r.Numbers
		cells = append(cells, Cell{Method: r.Words[0], Constants: r.Words[1], Instance: r.Words[2], Delta: n[0],
			Budget: int(n[1]), Runs: int(n[2]), Pulls: n[3], Wrong: int(n[4]), GivenUp: int(n[5]), Failed: int(n[6])})
	}
	return cells
}

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
func Compare(ctx context.Context, q Question, reps int, own ...study.Method) ([]*tidy.Table, error) {
	if !slices.Contains(Questions(), q) {
		return nil, fmt.Errorf("arena: no question %q; there are %q", q, Questions())
	}
	cells := Published()
	for _, m := range own {
		if m.Name == "" || m.New == nil {
			return nil, errors.New("arena: a method of your own needs a Name and New")
		}
		if slices.ContainsFunc(cells, func(c Cell) bool { return c.Method == m.Name }) {
			return nil, fmt.Errorf("arena: %q is the name of a published method; take another", m.Name)
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

// PublishedTables are the tables of a question as in docs/arena.md.
func PublishedTables(q Question) ([]*tidy.Table, error) { return Tables(q, Published()) }
