package published

import (
	"cmp"
	"errors"
	"slices"

	"github.com/purexp/purexp/pkg/mc"
	"github.com/purexp/purexp/pkg/study"
)

// Part contains the published rows of a grid, and the grid of the remaining cells.
type Part struct {
	Path   string    // path of the published file; empty if nothing is published
	Header mc.Header // header of the published file
	Own    mc.Header // header of the requested grid
	// Rows are the published rows of those cells that agree with the grid: instance, policy,
	// settings, limits, measures and seed are the same, and there are at least as many replicates.
	Rows []mc.Row
	// Rest is the grid of the remaining cells, or nil if all cells are published.
	Rest *mc.Grid

	grid  *mc.Grid
	order map[mc.Key]int // position of each cell in the requested grid
}

// Of finds the published rows of a grid. If the grid has other sizes, methods or replicates than
// the published experiment, Of finds the rows of those cells that agree. If nothing is published,
// Of returns a Part without rows and no error.
func Of(g *mc.Grid) (*Part, error) {
	own, reps, err := g.Describe()
	if err != nil {
		return nil, err
	}
	p := &Part{Own: own, Rest: g, grid: g}
	path, err := Path(study.Study{Name: g.Study})
	if err != nil {
		return p, nil // without its sources, the program has no published rows
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

// incomplete returns the grid of those cells of g for which complete returns false. incomplete
// returns g itself if no cell is complete, or if incomplete cells come from g.Instances and
// g.Methods.
func incomplete(g *mc.Grid, h mc.Header, complete func(mc.Key) bool) *mc.Grid {
	var left []mc.Cell
	for _, c := range g.Cells {
		if !complete(c.Key()) {
			left = append(left, c)
		}
	}
	others := 0 // number of incomplete cells from g.Instances and g.Methods
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

// With merges the published rows with rows, which are the rows of Rest, in the order of the grid.
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

// Forget moves all cells to Rest, as if no rows were published.
func (p *Part) Forget() { p.Rows, p.Rest = nil, p.grid }
