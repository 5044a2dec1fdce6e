package published

import (
	"cmp"
	"errors"
	"slices"

	"github.com/purexp/purexp/pkg/mc"
	"github.com/purexp/purexp/pkg/study"
)

// A Part is the rows of a grid that are published.
type Part struct {
	Path   string    // of the file; empty if there is none
	Header mc.Header // of the file
	Own    mc.Header // of the grid
	// Rows are those of cells that the file has with the same instance, policy, settings, limits,
	// measures and seed, and with at least as many replicates as the grid.
	Rows []mc.Row
	// Rest is the grid of all other cells, nil if there are none.
	Rest *mc.Grid

	grid  *mc.Grid
	order map[mc.Key]int // the place of each cell in the grid
}

// Of finds the published rows of a grid: all of them, or those of some cells if the grid is an
// experiment with other sizes, methods or replicates. It is no error that nothing is published.
func Of(g *mc.Grid) (*Part, error) {
	own, reps, err := g.Describe()
	if err != nil {
		return nil, err
	}
	p := &Part{Own: own, Rest: g, grid: g}
	path, err := Path(study.Study{Name: g.Study})
	if err != nil {
		return p, nil // a program that was installed without its sources
	}
	rows, h, err := mc.Read(path)
	if err = none(err, path); errors.Is(err, ErrNone) {
		return p, nil
	}
	if err != nil {
		return nil, err
	}
	p.Path, p.Header = path, h
	p.order = make(map[mc.Key]int, len(own.Cells))
	for i := range own.Cells {
		p.order[own.Cells[i].Key()] = i
	}
	shared := own.Shared(&h)
	have := make(map[mc.Key]int, len(shared))
	rows = slices.DeleteFunc(rows, func(r mc.Row) bool {
		k := r.Key()
		wanted := shared[k] && r.Rep < reps[k]
		if wanted {
			have[k]++
		}
		return !wanted
	})
	complete := func(k mc.Key) bool { return shared[k] && have[k] == reps[k] }
	p.Rows = slices.DeleteFunc(rows, func(r mc.Row) bool { return !complete(r.Key()) })
	p.Rest = incomplete(g, own, complete)
	if p.Rest == g {
		p.Rows = nil
	}
	return p, nil
}

// incomplete returns the grid of the cells of g that are not complete: g itself if that is all of
// them, or if g is not made of single cells.
func incomplete(g *mc.Grid, h mc.Header, complete func(mc.Key) bool) *mc.Grid {
	var left []mc.Cell
	for _, c := range g.Cells {
		if !complete(c.Key()) {
			left = append(left, c)
		}
	}
	others := 0 // cells of g.Instances and g.Methods
	for i := range h.Cells {
		if !complete(h.Cells[i].Key()) {
			others++
		}
	}
	others -= len(left)
	switch {
	case others > 0 || len(left) == len(h.Cells):
		return g
	case len(left) == 0:
		return nil
	}
	own := *g
	own.Instances, own.Methods, own.Cells = nil, nil, left
	return &own
}

// With returns the rows of the whole grid, in its order, given those of Rest.
func (p *Part) With(rows []mc.Row) []mc.Row {
	if len(p.Rows) == 0 {
		return rows
	}
	all := slices.Concat(p.Rows, rows)
	slices.SortStableFunc(all, func(a, b mc.Row) int {
		return cmp.Or(cmp.Compare(a.Rep, b.Rep), cmp.Compare(p.order[a.Key()], p.order[b.Key()]))
	})
	return all
}

// Forget leaves all cells to Rest, as if nothing were published.
func (p *Part) Forget() { p.Rows, p.Rest = nil, p.grid }
