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
	return againstRivals(
		r,
		func(what string, a, b []mc.Row) study.Estimate {
			return means(
				"regret of "+what, a, b, "regret",
			)
		},
	)
}

// atEach compares the regret of two methods at each relaxation.
func atEach(r *study.Results, name string, a, b [2]string) study.Verdict {
	var cs []study.Condition
	for _, size := range r.Experiment.Sizes {
		cs = append(cs, study.Fewer.Of(means(fmt.Sprintf(
			"regret of %s, %s:", name, r.Experiment.SizeLabel(size),
		),
			r.Cell(size, a[0], a[1]), r.Cell(size, b[0], b[1]), "regret")))
	}
	return study.All(cs...)
}

func priceHelps(r *study.Results) study.Verdict {
	return atEach(
		r, "price 10 / price 0", [2]string{Sparing, Priced(10)}, [2]string{Sparing, Priced(0)},
	)
}

func cheaper(r *study.Results) study.Verdict {
	return atEach(r, "PFIwR / Sparing", [2]string{PFIwR, Calibrated},
		[2]string{Sparing, Priced(10)})
}

func sparingRight(r *study.Results) study.Verdict {
	var cells []study.Tally
	for _, p := range prices {
		cells = append(cells, tallies(r, Sparing, Priced(p))...)
	}
	return study.AtMost(delta, cells, "")
}
