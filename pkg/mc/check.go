package mc

import (
	"fmt"
	"strings"
)

// check returns the cell that r belongs to, in a file with header h whose cells
// are numbered by index. A row that cannot be the outcome of a run is an error,
// although its checksum may be right.
func (h *Header) check(index map[Key]int, r *Row) (int, error) {
	i, ok := index[r.Key()]
	what := ""
	switch {
	case r.Study != h.Study:
		what = fmt.Sprintf("a row of study %q in a file of %q", r.Study, h.Study)
	case r.Seed != h.Seed:
		what = fmt.Sprintf("a row of seed %d in a file of seed %d", r.Seed, h.Seed)
	case !ok:
		what = fmt.Sprintf("a row of %v, which the header does not have", r.Key())
	case r.Rep < 0:
		what = fmt.Sprintf("replicate %d of %v", r.Rep, r.Key())
	case r.Draw != h.Cells[i].Draw:
		what = fmt.Sprintf("draw %d of %v; it has draw %d", r.Draw, r.Key(), h.Cells[i].Draw)
	}
	for j := range h.Instances {
		if inst := &h.Instances[j]; what == "" && inst.Name == r.Instance {
			what = r.impossible(inst)
		}
	}
	if what != "" {
		return 0, fmt.Errorf("%w: %s; %s", ErrRows, what, repairHint)
	}
	return i, nil
}

// impossible says why r cannot be the outcome of a run on inst; it is empty if it can.
func (r *Row) impossible(inst *InstanceInfo) string {
	if len(r.ArmPulls) != inst.Arms {
		return fmt.Sprintf("pulls of %d arms; %s has %d", len(r.ArmPulls), r.Instance, inst.Arms)
	}
	if r.Pulls < 0 || r.Rounds < 0 {
		return fmt.Sprintf("%d pulls in %d rounds", r.Pulls, r.Rounds)
	}
	left := r.Pulls // no sum of pulls, which may overflow
	for arm, n := range r.ArmPulls {
		if n < 0 || n > left {
			return fmt.Sprintf("%d pulls of arm %d, of %d in all", n, arm, r.Pulls)
		}
		left -= n
	}
	if left != 0 {
		return fmt.Sprintf("%d pulls, of which %d of no arm", r.Pulls, left)
	}
	for j, item := range r.Items {
		if item < 0 || item >= inst.Items || j > 0 && item <= r.Items[j-1] {
			return fmt.Sprintf("the items %v; %s has items 0 to %d, in ascending order", r.Items,
				r.Instance, inst.Items-1)
		}
	}
	strange := strings.Trim(r.Classes, letters+"?") != ""
	if n := len(r.Classes); n > 0 && (n != inst.Items || strange) {
		return fmt.Sprintf("the classes %q; want one of %s for each of %d items", r.Classes,
			letters, inst.Items)
	}
	return ""
}
