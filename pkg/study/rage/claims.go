package rage

import (
	"fmt"
	"slices"

	"github.com/purexp/purexp/pkg/study"
	"github.com/purexp/purexp/pkg/tidy"
)

// onManyArms returns the claims about the example with many arms in the plane. Claims about RAGE
// are judged only on instances with at least the given number of arms. The paper's script, which
// uses the angles of the experiment ManyArms, begins with 10,000 arms.
func onManyArms(id, what string, least int) []study.Claim {
	return []study.Claim{
		study.Says(id+"1", "Fig. 1b", "LinGapE scales linearly in the number of arms"+what, linearly),
		study.Says(id+"2", "Fig. 1b", "RAGE barely grows with the number of arms"+what,
			study.From(least, study.Growing(study.BarelyGrows, RAGE))),
		study.Says(id+"3", "Fig. 1b", "RAGE needs fewer samples than the static allocation"+what,
			study.From(least, study.Compared(study.Fewer, RAGE, XYStatic))),
	}
}

// scripted is the smallest number of arms in the released script of Fig. 1b.
const scripted = 10_000

// growing returns a check that the mean pulls of each method increase with the size.
func growing(methods ...string) study.Check {
	return func(r *study.Results) study.Verdict {
		var cs []study.Condition
		for _, m := range methods {
			cells := r.ShownBySize(m)
			if len(cells) < 2 {
				return study.Missing(m)
			}
			cs = append(cs, study.GrowsAtAll.Of(study.MeanGrowth("exponent of "+m, cells)))
		}
		return study.All(cs...)
	}
}

// suffers returns a check that a method nearly matches RAGE at the smallest size, and needs more
// and more pulls relative to RAGE as the size grows.
func suffers(method string) study.Check {
	return func(r *study.Results) study.Verdict {
		own, rage := r.ShownBySize(method), r.ShownBySize(RAGE)
		both := func(a study.At) bool {
			return slices.ContainsFunc(rage, func(b study.At) bool { return a.Size == b.Size })
		}
		own = slices.DeleteFunc(own, func(a study.At) bool { return !both(a) })
		if len(own) < 2 {
			return study.Missing(method)
		}
		first, last := own[0], own[len(own)-1]
		name := fmt.Sprintf("%s / RAGE at %s = %d", method, r.Experiment.Symbol(), first.Size)
		a, b := r.Shown(first.Size, RAGE), r.Shown(last.Size, RAGE)
		return study.All(
			study.Nearly.Of(study.MeanRatio(name, first.Rows, a)),
			study.More.Of(study.RatioChange(fmt.Sprintf("ratio at %d, divided by the ratio at the smallest "+
				"size", last.Size), false,
				first.Rows, a, last.Rows, b)))
	}
}

// linearly judges whether the pulls of LinGapE grow linearly between the two largest sizes, where
// constants matter least. In its printed form, LinGapE starts with a pull of each arm.
func linearly(r *study.Results) study.Verdict {
	e := r.Experiment
	var ends []study.At
	for _, size := range e.Sizes[len(e.Sizes)-2:] {
		rows := r.Cell(size, LinGapE, Printed)
		if len(rows) == 0 {
			return study.Verdict{Measured: "-", Why: fmt.Sprintf(
				"%s as printed is not run at %s = %s, where it would need too many pulls",
				LinGapE, e.Symbol(), tidy.Int(size))}
		}
		ends = append(ends, study.At{Size: size, Rows: rows})
	}
	return study.All(study.Linearly.Of(study.MeanGrowth(fmt.Sprintf("exponent of %s from %s = %s to %s",
		LinGapE, e.Symbol(), tidy.Int(ends[0].Size), tidy.Int(ends[1].Size)), ends)))
}
