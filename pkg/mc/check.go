package mc

import (
	"fmt"
	"strings"
)

// checker finds the cell to which each row of a file belongs, and rejects rows that no run can have
// produced.
type checker struct {
	*Header
	index     map[Key]int
	instances []*InstanceInfo // instance of each cell
	last      int             // cell of the previous row
}

// newChecker returns a checker for rows of files with the header h.
func newChecker(h *Header) *checker {
	c := &checker{Header: h, index: make(map[Key]int, len(h.Cells)), instances: make([]*InstanceInfo, len(h.Cells))}
	named := make(map[string]*InstanceInfo, len(h.Instances))
	for i := range h.Instances {
		named[h.Instances[i].Name] = &h.Instances[i]
	}
	for i := range h.Cells {
		c.index[h.Cells[i].Key()] = i
		c.instances[i] = named[h.Cells[i].Instance]
	}
	return c
}

// cell returns the index, in the header, of the cell to which row r belongs. The method first tries
// the cell that follows the cell of the previous row, because in most files rows are in the order
// of cells.
func (c *checker) cell(r *Row) (i int, ok bool) {
	k := r.Key()
	if i = c.last + 1; i < len(c.Cells) && c.Cells[i].Key() == k {
		c.last = i
		return i, true
	}
	if i, ok = c.index[k]; ok {
		c.last = i
	}
	return i, ok
}

// check returns the index of the cell to which r belongs. Even if the checksum of r is correct,
// check returns an error if r cannot be the outcome of a run.
func (c *checker) check(r *Row) (int, error) {
	i, ok := c.cell(r)
	what := ""
	switch {
	case r.Study != c.Study:
		what = fmt.Sprintf("the study of the row is %q; expected %q", r.Study, c.Study)
	case r.Seed != c.Seed:
		what = fmt.Sprintf("the seed of the row is %d; expected %d", r.Seed, c.Seed)
	case !ok:
		what = fmt.Sprintf("the row belongs to %v, which is not a cell of the header", r.Key())
	case r.Rep < 0:
		what = fmt.Sprintf("replicate %d of %v; expected at least 0", r.Rep, r.Key())
	case r.Draw != c.Cells[i].Draw:
		what = fmt.Sprintf("draw %d of %v; expected draw %d", r.Draw, r.Key(), c.Cells[i].Draw)
	case c.instances[i] != nil:
		what = r.impossible(c.instances[i])
	}
	if what != "" {
		return 0, fmt.Errorf("%w: %s; %s", ErrRows, what, repairHint)
	}
	return i, nil
}

// impossible returns the reason why r cannot be the outcome of a run on inst, or "" if r is
// possible.
func (r *Row) impossible(inst *InstanceInfo) string {
	if len(r.ArmPulls) != inst.Arms {
		return fmt.Sprintf("the row has %d arms; %s has %d", len(r.ArmPulls), r.Instance, inst.Arms)
	}
	if r.Pulls < 0 || r.Rounds < 0 {
		return fmt.Sprintf("%d pulls in %d rounds; expected numbers of at least 0", r.Pulls, r.Rounds)
	}
	left := r.Pulls // remaining pulls; a sum of pulls could overflow
	for arm, n := range r.ArmPulls {
		if n < 0 || n > left {
			return fmt.Sprintf("%d pulls of arm %d; expected at least 0, and a sum of %d over all "+
				"arms", n, arm, r.Pulls)
		}
		left -= n
	}
	if left != 0 {
		return fmt.Sprintf("%d pulls in total, which exceeds the sum over the arms by %d", r.Pulls, left)
	}
	for j, item := range r.Items {
		if item < 0 || item >= inst.Items || j > 0 && item <= r.Items[j-1] {
			return fmt.Sprintf("the items are %v; expected items of %s, from 0 to %d, in ascending order", r.Items,
				r.Instance, inst.Items-1)
		}
	}
	if n := len(r.Classes); n > 0 && (n != inst.Items || strange(r.Classes)) {
		return fmt.Sprintf("the classes are %q; expected one of %s for each of %d "+
			"items", r.Classes, letters, inst.Items)
	}
	return ""
}

// strange reports whether classes contains a character that is neither the initial of a class nor a
// question mark.
func strange(classes string) bool {
	for i := range len(classes) {
		if strings.IndexByte(letters+"?", classes[i]) < 0 {
			return true
		}
	}
	return false
}
