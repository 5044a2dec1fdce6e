package rage

import (
	"fmt"
	"slices"

	"github.com/purexp/purexp/pkg/design"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/mc"
	"github.com/purexp/purexp/pkg/study"
	"github.com/purexp/purexp/pkg/study/hardness"
	"github.com/purexp/purexp/pkg/tidy"
)

// onManyArms are the claims about many arms in the plane.
func onManyArms(id, what string) []study.Claim {
	return []study.Claim{
		study.Says(id+"1", "Fig. 1b", "LinGapE scales linearly in the number of arms"+what,
			linearly),
		study.Says(id+"2", "Fig. 1b", "RAGE barely grows with the number of arms"+what, flat),
		study.Says(id+"3", "Fig. 1b", "RAGE needs fewer samples than the static "+
			"allocation"+what, compared(study.Fewer, RAGE, XYStatic)),
	}
}

// ratios returns the conditions that the ratio of a method's pulls to another's is what a word
// says, at every size at which both were run.
func ratios(r *study.Results, w study.Word, method, other string) (cs []study.Condition) {
	for _, size := range r.Experiment.Sizes {
		a, b := r.Shown(size, method), r.Shown(size, other)
		if len(a) > 0 && len(b) > 0 {
			cs = append(cs, w.Of(study.Ratio(fmt.Sprintf("%s / %s at %s = %s", method, other,
				r.Experiment.Symbol(), tidy.Int(size)), a, b)))
		}
	}
	return cs
}

// compared judges the pulls of a method against those of each of others, at every size.
func compared(w study.Word, method string, others ...string) study.Check {
	return func(r *study.Results) study.Verdict {
		var cs []study.Condition
		for _, o := range others {
			own := ratios(r, w, method, o)
			if own == nil {
				return study.Missing(method + " and " + o)
			}
			cs = append(cs, own...)
		}
		return study.All(cs...)
	}
}

// suffers judges that a method nearly matches RAGE at the smallest size, and that it falls behind
// as the size grows.
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
			study.Nearly.Of(study.Ratio(name, first.Rows, a)),
			study.More.Of(study.RatioChange(fmt.Sprintf("the same at %d, relative to that",
				last.Size),
				first.Rows, a, last.Rows, b)))
	}
}

// faster judges that the pulls of others grow faster than those of RAGE, by what the word says.
func faster(w study.Word, others ...string) study.Check {
	return func(r *study.Results) study.Verdict {
		var cs []study.Condition
		for _, o := range others {
			cs = append(cs, w.Of(study.GrowthAbove("exponent of "+o+" less that of RAGE",
				r.ShownBySize(o), r.ShownBySize(RAGE))))
		}
		return study.All(cs...)
	}
}

// linearly judges that LinGapE, which as printed starts with a pull of each arm, grows like the
// size from the last but one size to the largest, where constants matter least.
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
	return study.All(study.Linearly.Of(study.Growth(fmt.Sprintf("exponent of %s from %s = %s to %s",
		LinGapE, e.Symbol(), tidy.Int(ends[0].Size), tidy.Int(ends[1].Size)), ends)))
}

// flat judges that RAGE barely grows.
func flat(r *study.Results) study.Verdict {
	return study.BarelyGrows.Judge(study.Growth("exponent of RAGE", r.ShownBySize(RAGE)))
}

// notTheirs is the verdict on what the paper measures on data that may not be distributed.
func notTheirs(*study.Results) study.Verdict {
	return study.Verdict{Measured: "-", Why: "the log is Yahoo!'s and may not be distributed; " +
		"a synthetic one stands in, about which the paper says nothing"}
}

// failures judges that the methods are not wrong. Runs that were given up are counted apart.
func failures(r *study.Results) study.Verdict {
	early, most := 0, 0
	by := map[string]study.Tally{}
	var names []string
	for _, row := range r.Runs() {
		if row.Status == explore.PullLimit.String() {
			early, most = early+1, max(most, row.Pulls)
			continue
		}
		t, ok := by[row.Method]
		if !ok {
			names = append(names, row.Method)
		}
		t.Name = row.Method
		t.Runs++
		t.Wrong += study.Mistakes([]mc.Row{row})
		by[row.Method] = t
	}
	var ts []study.Tally
	for _, name := range names {
		ts = append(ts, by[name])
	}
	v := study.FewWrong(study.Negligible, ts)
	if early > 0 {
		v.Measured += fmt.Sprintf("; %d runs were given up after %s pulls", early, tidy.Int(most))
	}
	return v
}

// schedule judges Theorem 2: RAGE's pulls against the schedule of the same instance.
func schedule(r *study.Results) study.Verdict {
	largest := 0.
	var ts []study.Tally
	for _, size := range r.Experiment.Sizes {
		most := map[int]int{} // by draw
		for _, row := range r.Bound(size, hardness.ScheduleBound) {
			most[row.Draw] = row.Pulls
		}
		t := study.Tally{Name: r.Experiment.SizeLabel(size)}
		for _, row := range r.Cell(size, RAGE, Theory) {
			if most[row.Draw] == 0 {
				continue
			}
			share := float64(row.Pulls) / float64(most[row.Draw])
			largest = max(largest, share)
			t.Runs++
			if share > 1+2*design.DefaultTol {
				t.Wrong++
			}
		}
		if t.Runs > 0 {
			ts = append(ts, t)
		}
	}
	if ts == nil {
		return study.Missing(RAGE)
	}
	v := study.AtMost(r.Experiment.Delta, ts, "designs within 1 % are allowed for: ",
		"runs beyond it")
	v.Measured += fmt.Sprintf("; the largest takes %.0f %% of it", 100*largest)
	return v
}
