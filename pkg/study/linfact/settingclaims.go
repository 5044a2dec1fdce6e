package linfact

import (
	"gonum.org/v1/gonum/stat"

	"github.com/purexp/purexp/pkg/mc"
	"github.com/purexp/purexp/pkg/study"
)

// moreSettingClaims are what the paper says of the settings beside its main points.
var moreSettingClaims = []study.Claim{
	study.Says("A16", "7.1, Fig. 5", "Lazy TTS has a higher F1 than LinFACT in some settings",
		func(r *study.Results) study.Verdict {
			return study.Any(versus(higher, gain, allSettings, study.As(LazyTTS, ""), study.As(LinFACTXY,
				Theory))(r)...)
		}).Unjudged(otherConstants),
	study.Says("A17", "7.1, Fig. 5", "the F1 of BayesGap is highest at epsilon = 0.2",
		higherAt([][2]int{{2, 1}, {2, 3}, {5, 4}, {5, 6}}, BayesGap)).Unjudged(otherConstants),
	study.Says("A18", "7.1, Fig. 5", "in the static settings LinFACT-G has a higher F1 than "+
		"LinFACT-XY", all(versus(higher, gain, staticSettings, study.As(LinFACTG, Printed), study.As(LinFACTXY,
		Printed)))).Unjudged(otherConstants),
	study.Says("A19", "7.1, Fig. 5", "in the adaptive settings LinFACT-G and LinFACT-XY have "+
		"similar F1", all(versus(similar, gain, adaptiveSettings, study.As(LinFACTG, Printed), study.As(LinFACTXY,
		Printed)))).Unjudged(otherConstants),
}

// upToLog judges that what LinFACT-XY, as printed, needs in units of the lower bound grows no
// faster than a logarithm: neither as epsilon falls in the adaptive settings nor with the dimension
// in the static ones.
func upToLog(r *study.Results) study.Verdict {
	over := func(size int) []float64 {
		return byDraw(r.Cell(size, LinFACTXY, Printed), r.Bound(size, LowerBound),
			func(a, b []mc.Row) float64 {
				return stat.Mean(study.Pulls(a), nil) / float64(b[0].Pulls)
			})
	}
	var cs []study.Condition
	for _, g := range []struct {
		what     string
		settings []int
		x        func(setting int) float64
	}{
		{"1/epsilon, d = 8", []int{1, 2, 3}, func(s int) float64 { return 1 / tolerances[s] }},
		{"1/epsilon, d = 12", []int{4, 5, 6}, func(s int) float64 { return 1 / tolerances[s] }},
		{"d, static", []int{7, 8, 9}, func(s int) float64 { return float64(dimensions[s]) }},
	} {
		what := "exponent of " + LinFACTXY + " / the lower bound in " + g.what
		var x []float64
		var samples [][]float64
		for _, s := range g.settings {
			y := over(s)
			if len(y) == 0 {
				return study.Missing(what)
			}
			x, samples = append(x, g.x(s)), append(samples, y)
		}
		cs = append(cs, study.BarelyGrows.Of(study.GrowthOf(what, x, samples)))
	}
	return study.All(cs...)
}
