package arena

import (
	"context"
	_ "embed" // for the table summary.csv
	"errors"
	"fmt"
	"slices"

	"github.com/purexp/purexp/pkg/mc"
	"github.com/purexp/purexp/pkg/study"
	"github.com/purexp/purexp/pkg/tidy"
)

//go:embed summary.csv
var summary string

// Published returns the results behind the tables in docs/arena.md, for all methods.
func Published() (cells []Cell) {
	for _, r := range study.ReadRecords(summary)[1:] { // skip the header of the table
		n := r.Numbers
		cells = append(cells, Cell{Method: r.Words[0], Constants: r.Words[1], Instance: r.Words[2], Delta: n[0],
			Budget: int(n[1]), Runs: int(n[2]), Pulls: n[3], Wrong: int(n[4]), GivenUp: int(n[5]), Failed: int(n[6])})
	}
	return cells
}

// ErrUnsuited reports a method that supports none of the instances of the selected questions.
var ErrUnsuited = errors.New("arena: Init of your policy returns an error for every instance")

// Compare runs your own policies on the instances of a question, with reps runs at each of Deltas.
// Compare returns the tables of the question, in which rows for your policies are added to the
// published rows. The function New of a method must return a policy for the given Task. The policy
// may use the Task's Budget if the method's Constants are Budgeted, and the Task's Delta if the
// Constants are Guaranteed or Extra. The noise in the runs of Compare is the same as in the
// published runs.
//
//	tables, err := arena.Compare(ctx, arena.BestItem, 20, study.Method{
//		Name: "mine", Constants: arena.Guaranteed,
//		New: func(t study.Task) explore.Policy { return &Mine{Delta: t.Delta} },
//	})
func Compare(ctx context.Context, q Question, reps int, own ...study.Method) ([]*tidy.Table, error) {
	if !slices.Contains(Questions(), q) {
		return nil, fmt.Errorf("arena: unknown question %q; expected one of %q", q, Questions())
	}
	cells := Published()
	for _, m := range own {
		if m.Name == "" || m.New == nil {
			return nil, errors.New("arena: one of your methods has no Name or no New; set both")
		}
		if slices.ContainsFunc(cells, func(c Cell) bool { return c.Method == m.Name }) {
			return nil, fmt.Errorf("arena: %q is the name of a published method; use another name", m.Name)
		}
	}
	runs, err := Cells(q, own, study.Options{Reps: reps})
	if err != nil {
		return nil, err
	}
	if len(runs) == 0 {
		return nil, fmt.Errorf("%w of %q; name another question, or accept its type in Init", ErrUnsuited, q)
	}
	g := &mc.Grid{Study: q.Name(), Seed: 1, Cells: runs}
	rows, err := g.Run(ctx)
	if err != nil {
		return nil, err
	}
	return Tables(q, append(cells, Summarise(rows)...))
}

// PublishedTables returns the tables for a question in docs/arena.md.
func PublishedTables(q Question) ([]*tidy.Table, error) { return Tables(q, Published()) }
