package mc

import (
	"context"
	"fmt"
)

// A Place is where a row stands: a replicate of a cell.
type Place struct {
	Key Key
	Rep int // from 0
}

// Replicate simulates single replicates of the grid, and returns their rows in the order of places:
// the rows that Run has there. A place that the grid does not have is an error. As with Run, the
// rows before the first failure are returned with an error, that of ctx if it ended the work.
func (g *Grid) Replicate(ctx context.Context, places ...Place) ([]Row, error) {
	p, err := g.layout()
	if err != nil {
		return nil, err
	}
	p.picked = make([]job, len(places))
	for seq, at := range places {
		cell, ok := p.index[at.Key]
		if !ok {
			return nil, fmt.Errorf("mc: the grid has no cell %v", at.Key)
		}
		if reps := p.cells[cell].reps; at.Rep < 0 || at.Rep >= reps {
			return nil, fmt.Errorf("mc: replicate %d of %v; the grid has 0 to %d", at.Rep, at.Key,
				reps-1)
		}
		p.picked[seq] = job{seq, cell, at.Rep}
	}
	rows := make([]Row, 0, len(places))
	err = p.simulate(ctx, func(r *Row) error {
		rows = append(rows, *r)
		return nil
	})
	if h := (*halted)(nil); asHalted(err, &h) {
		err = fmt.Errorf("mc: stopped with %d of %d replicates: %w", h.done, h.total, h.cause)
	}
	return rows, err
}
