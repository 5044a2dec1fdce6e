package linfact

import (
	"github.com/purexp/purexp/pkg/study"
)

// Claims about drug discovery.
var drugClaims = []study.Claim{
	study.Says("B1", "7.2, Fig. 8a", "precision of LinFACT remains close to 1",
		scored(nearOne, Precision, own...)),
	study.Says("B2", "7.2, Fig. 8b", "recall of LinFACT is robust across delta",
		scored(nearOne, Recall, own...)),
	study.Says("B3", "7.2, Fig. 8d", "LinFACT-XY needs fewer pulls than LinFACT-G",
		all(versus(study.Fewer, medians, nil, study.As(LinFACTXY, Printed), study.As(LinFACTG, Printed)))),
	study.Asks("B3 theory", "7.2, Fig. 8d", "LinFACT-XY needs fewer pulls than LinFACT-G "+
		"(constants of the theory)", all(versus(study.Fewer, medians, nil, study.As(LinFACTXY, Theory),
		study.As(LinFACTG, Theory)))),
	study.Says("B4", "7.2, Fig. 8d", "LinFACT-G follows LinFACT-XY closely",
		all(versus(study.Nearly, medians, nil, study.As(LinFACTG, Printed), study.As(LinFACTXY, Printed)))),
	study.Asks("B4 theory", "7.2, Fig. 8d", "LinFACT-G follows LinFACT-XY closely (constants of "+
		"the theory)", all(versus(study.Nearly, medians, nil, study.As(LinFACTG, Theory), study.As(LinFACTXY,
		Theory)))),
	study.Says("B5", "7.2, Fig. 8d", "LinFACT-XY needs fewer pulls than LinGIFA and m-LinGapE",
		all(versus(study.Fewer, medians, nil, study.As(LinFACTXY, Printed), study.As(LinGIFA, ""), study.As(MLinGapE,
			"")))),
	study.Says("B6", "7.2, Fig. 8c", "LinGIFA and m-LinGapE have a lower F1 than LinFACT",
		all(versus(higher, gainOfRuns, nil, study.As(LinFACTXY, Printed), study.As(LinGIFA, ""), study.As(MLinGapE,
			"")))),
}
