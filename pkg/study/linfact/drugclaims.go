package linfact

import (
	"fmt"

	"github.com/purexp/purexp/pkg/study"
)

// Claims about drug discovery.
var drugClaims = []study.Claim{
	study.Says("B1", "7.2, Fig. 8a", "precision of LinFACT remains close to 1",
		scored(nearOne, Precision, own...)),
	study.Says("B2", "7.2, Fig. 8b", "recall of LinFACT is robust across delta",
		scored(nearOne, Recall, own...)),
	study.Says("B3", "7.2, Fig. 8d", "LinFACT-XY needs fewer pulls than LinFACT-G",
		onRuns(study.Fewer, LinFACTXY, LinFACTG, Printed)),
	study.Asks("B3 theory", "7.2, Fig. 8d", "LinFACT-XY needs fewer pulls than LinFACT-G "+
		"(constants of the theory)", onRuns(study.Fewer, LinFACTXY, LinFACTG, Theory)),
	study.Says("B4", "7.2, Fig. 8d", "LinFACT-G follows LinFACT-XY closely",
		onRuns(study.Nearly, LinFACTG, LinFACTXY, Printed)),
	study.Asks("B4 theory", "7.2, Fig. 8d", "LinFACT-G follows LinFACT-XY closely (constants of "+
		"the theory)", onRuns(study.Nearly, LinFACTG, LinFACTXY, Theory)),
	study.Says("B5", "7.2, Fig. 8d", "LinFACT-XY needs fewer pulls than LinGIFA and m-LinGapE",
		fewerThanTop),
	study.Says("B6", "7.2, Fig. 8c", "LinGIFA and m-LinGapE have a lower F1 than LinFACT",
		higherOnRuns(LinGIFA, MLinGapE)),
}

// onRuns judges that word holds at each size for the pulls of a to those of b, by the medians.
func onRuns(word study.Word, a, b, constants string) study.Check {
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
