package pfiwr

import (
	"fmt"

	"github.com/purexp/purexp/pkg/mc"
	"github.com/purexp/purexp/pkg/study"
)

// rivals of Sparing that have a guarantee.
var rivals = [][2]string{
	{APE, Theory}, {PFIMulti, Theory}, {PAL, Theory}, {GEGE, Theory}, {Uniform, Theory},
	{PFIwR, SelfNormalised},
}

// againstRivals compares Sparing at price 10 with all rivals at all relaxations.
func againstRivals(
	r *study.Results, of func(what string, a, b []mc.Row) study.Estimate,
) study.Verdict {
	var cs []study.Condition
	for _, size := range r.Experiment.Sizes {
		for _, m := range rivals {
			cs = append(cs, study.Fewer.Of(of(fmt.Sprintf(
				"Sparing / %s, %s:", m[0], r.Experiment.SizeLabel(size),
			),
				r.Cell(size, Sparing, Priced(10)), r.Cell(size, m[0], m[1]))))
		}
	}
	return study.All(cs...)
}

func sparingPulls(r *study.Results) study.Verdict { return againstRivals(r, study.MeanRatio) }

func sparingRegret(r *study.Results) study.Verdict {
	return againstRivals(r, func(what string, a, b []mc.Row) study.Estimate {
		return means("regret of "+what, a, b,
			"regret")
	})
}

// atEach compares the regret of two choices at each relaxation.
func atEach(name string, a, b study.Choice) study.Check {
	return func(r *study.Results) study.Verdict {
		var cs []study.Condition
		for _, size := range r.Experiment.Sizes {
			cs = append(cs, study.Fewer.Of(means(fmt.Sprintf("regret of %s, %s:", name, r.Experiment.SizeLabel(size)),
				r.Cell(size, a.Method, a.Constants), r.Cell(size, b.Method, b.Constants), "regret")))
		}
		return study.All(cs...)
	}
}

func sparingRight(r *study.Results) study.Verdict {
	var cells []study.Tally
	for _, p := range prices {
		for _, size := range r.Experiment.Sizes {
			if rows := r.Cell(size, Sparing, Priced(p)); len(rows) > 0 {
				cells = append(cells, study.TallyOf(Sparing+" on "+r.Experiment.SizeLabel(size), rows))
			}
		}
	}
	return study.AtMost(delta, cells, "")
}
