package explore

import (
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/purexp/purexp/pkg/internal/csvtable"
)

// ReadMeasurements reads a table of measurements, one reward a row, and adds
// them up to one batch an arm, in the order of first appearance. The first row
// names the columns: "arm" and the objectives of p, in any order; other columns
// are ignored. Two columns of a name are an error. Errors name row (the header is
// row 1) and column.
func ReadMeasurements(r io.Reader, p *Problem) ([]Batch, error) {
	cr := csvtable.NewReader(r)
	cr.TrimLeadingSpace = true
	cr.ReuseRecord = true
	head, err := cr.Read()
	if errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("explore: measurements: no header; want columns %q and %q", "arm",
			p.objectiveList())
	}
	if err == nil {
		head = slices.Clone(head)
		err = csvtable.Header(head)
	}
	if err != nil {
		return nil, fmt.Errorf("explore: measurements: %w", err)
	}
	column := func(name string) (int, error) {
		i := slices.Index(head, name)
		if i < 0 {
			return 0, fmt.Errorf("explore: measurements: no column %q; there are %q", name, head)
		}
		return i, nil
	}
	arm, err := column("arm")
	if err != nil {
		return nil, err
	}
	cols := make([]int, p.D())
	for c := range cols {
		if cols[c], err = column(p.Objective(c)); err != nil {
			return nil, err
		}
	}
	arms := p.armIndex()
	at := make(map[int]int) // where in obs an arm is
	var obs []Batch
	for row := 2; ; row++ {
		rec, err := cr.Read()
		if errors.Is(err, io.EOF) {
			return obs, nil
		}
		if err != nil {
			return nil, fmt.Errorf("explore: measurements: %w", err)
		}
		a, err := arms.find(strings.TrimSpace(rec[arm]))
		if err != nil {
			return nil, fmt.Errorf("explore: measurements: row %d, column %q: %w", row, "arm", err)
		}
		i, seen := at[a]
		if !seen {
			i = len(obs)
			at[a] = i
			obs = append(obs, Batch{Pull: Pull{a, 0}, Sum: make([]float64, p.D())})
		}
		obs[i].N++
		for c, col := range cols {
			v, err := strconv.ParseFloat(strings.TrimSpace(rec[col]), 64)
			if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
				return nil, fmt.Errorf("explore: measurements: row %d, column %q: %q is not a "+
					"finite number", row, p.Objective(c), rec[col])
			}
			obs[i].Sum[c] += v
		}
	}
}

// objectiveList lists the objectives' names.
func (p *Problem) objectiveList() []string {
	names := make([]string, p.D())
	for c := range names {
		names[c] = p.Objective(c)
	}
	return names
}

// An armIndex finds arms by their names.
type armIndex struct {
	prob *Problem
	at   map[string]int
}

// armIndex returns the names of the arms of p.
func (p *Problem) armIndex() armIndex {
	x := armIndex{p, make(map[string]int, p.K())}
	for i := range p.K() {
		x.at[p.Arm(i)] = i // names differ, see Validate
	}
	return x
}

// find returns the arm with the given name.
func (x armIndex) find(name string) (int, error) {
	if i, ok := x.at[name]; ok {
		return i, nil
	}
	return 0, x.prob.unknownArm(name)
}

// ArmIndex returns the arm with the given name.
func (p *Problem) ArmIndex(name string) (int, error) {
	for i := range p.K() {
		if p.Arm(i) == name {
			return i, nil
		}
	}
	return 0, p.unknownArm(name)
}

// unknownArm says that no arm has a name, and which the first ones have.
func (p *Problem) unknownArm(name string) error {
	var names []string
	for i := range min(p.K(), 12) {
		names = append(names, p.Arm(i))
	}
	if p.K() > len(names) {
		names = append(names, fmt.Sprintf("... (%d in all)", p.K()))
	}
	return fmt.Errorf("explore: unknown arm %q; the arms are %v", name, names)
}
