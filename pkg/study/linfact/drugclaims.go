package linfact

import (
	"fmt"

	"github.com/purexp/purexp/pkg/study"
)

// Claims about drug discovery.
var drugClaims = []study.Claim{
	{ID: "B1", Source: "7.2, Fig. 8a", Statement: "precision of LinFACT remains close to 1",
		Check: scored(nearOne, Precision, own...)},
	{ID: "B2", Source: "7.2, Fig. 8b", Statement: "recall of LinFACT is robust across delta",
		Check: scored(nearOne, Recall, own...)},
	{ID: "B3", Source: "7.2, Fig. 8d", Statement: "LinFACT-XY needs fewer pulls than LinFACT-G",
		Check: onRuns(study.Fewer, LinFACTXY, LinFACTG, Printed)},
	{ID: "B3 theory", Kind: study.Addition, Source: "7.2, Fig. 8d",
		Check:     onRuns(study.Fewer, LinFACTXY, LinFACTG, Theory),
		Statement: "LinFACT-XY needs fewer pulls than LinFACT-G (constants of the theory)"},
	{ID: "B4", Source: "7.2, Fig. 8d", Check: onRuns(study.Nearly, LinFACTG, LinFACTXY, Printed),
		Statement: "LinFACT-G follows LinFACT-XY closely"},
	{ID: "B4 theory", Kind: study.Addition, Source: "7.2, Fig. 8d",
		Check:     onRuns(study.Nearly, LinFACTG, LinFACTXY, Theory),
		Statement: "LinFACT-G follows LinFACT-XY closely (constants of the theory)"},
	{ID: "B5", Source: "7.2, Fig. 8d", Check: fewerThanTop,
		Statement: "LinFACT-XY needs fewer pulls than LinGIFA and m-LinGapE"},
	{ID: "B6", Source: "7.2, Fig. 8c", Check: higherOnRuns(LinGIFA, MLinGapE),
		Statement: "LinGIFA and m-LinGapE have a lower F1 than LinFACT"},
}

// onRuns judges that word holds at each size for the pulls of a to those of b, by the medians.
func onRuns(word study.Word, a, b, constants string) func(*study.Results) study.Verdict {
	return func(r *study.Results) study.Verdict {
		var cs []study.Condition
		for _, size := range r.Experiment.Sizes {
			cs = append(cs, word.Of(study.Ratio(
				fmt.Sprintf("%s / %s, %s %d", a, b, r.Experiment.Symbol(), size),
				r.Cell(size, a, constants), r.Cell(size, b, constants))))
		}
		return study.All(cs...)
	}
}

// fewerThanTop compares LinFACT-XY with the methods for the top m arms.
func fewerThanTop(r *study.Results) study.Verdict {
	var cs []study.Condition
	for _, size := range r.Experiment.Sizes {
		for _, o := range []string{LinGIFA, MLinGapE} {
			cs = append(cs, study.Fewer.Of(study.Ratio(
				fmt.Sprintf("%s / %s, %s %d", LinFACTXY, o, r.Experiment.Symbol(), size),
				r.Cell(size, LinFACTXY, Printed), r.Shown(size, o))))
		}
	}
	return study.All(cs...)
}
