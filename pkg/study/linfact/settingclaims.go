package linfact

import (
	"fmt"

	"gonum.org/v1/gonum/stat"

	"github.com/purexp/purexp/pkg/mc"
	"github.com/purexp/purexp/pkg/study"
)

// moreSettingClaims are what the paper says of the settings beside its main points.
var moreSettingClaims = []study.Claim{
	study.Says("A16", "7.1, Fig. 5", "Lazy TTS has a higher F1 than LinFACT in some settings",
		lazyHigher).Unjudged(otherConstants),
	study.Says("A17", "7.1, Fig. 5", "the F1 of BayesGap is highest at epsilon = 0.2",
		highestF1(BayesGap, [2]int{2, 1}, [2]int{2, 3}, [2]int{5, 4}, [2]int{5, 6})).Unjudged(otherConstants),
	study.Says("A18", "7.1, Fig. 5", "in the static settings LinFACT-G has a higher F1 than "+
		"LinFACT-XY", betweenDesigns(higher, staticSettings)).Unjudged(otherConstants),
	study.Says("A19", "7.1, Fig. 5", "in the adaptive settings LinFACT-G and LinFACT-XY have "+
		"similar F1", betweenDesigns(similar, adaptiveSettings)).Unjudged(otherConstants),
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

// lazyHigher judges that Lazy TTS has the higher F1 in some setting.
func lazyHigher(r *study.Results) study.Verdict {
	var cs []study.Condition
	for _, size := range allSettings {
		cs = append(cs, higher.Of(gain(fmt.Sprintf("F1 of %s less %s, setting %d", LazyTTS,
			LinFACTXY, size), F1, r.Shown(size, LazyTTS), r.Cell(size, LinFACTXY, Theory))))
	}
	return study.Any(cs...)
}

// highestF1 judges that the F1 of a method is higher in the first setting of each pair.
func highestF1(method string, pairs ...[2]int) study.Check {
	return func(r *study.Results) study.Verdict {
		var cs []study.Condition
		for _, p := range pairs {
			cs = append(cs, higher.Of(gain(fmt.Sprintf("F1 of %s, setting %d less %d", method, p[0],
				p[1]), F1, r.Shown(p[0], method), r.Shown(p[1], method))))
		}
		return study.All(cs...)
	}
}

// betweenDesigns judges that word holds in settings for the F1 of LinFACT-G less that of
// LinFACT-XY, as printed.
func betweenDesigns(word study.Word, settings []int) study.Check {
	return func(r *study.Results) study.Verdict {
		var cs []study.Condition
		for _, size := range settings {
			cs = append(cs, word.Of(gain(fmt.Sprintf("F1 of %s less %s, setting %d", LinFACTG,
				LinFACTXY, size), F1, r.Cell(size, LinFACTG, Printed),
				r.Cell(size, LinFACTXY, Printed))))
		}
		return study.All(cs...)
	}
}

// higherOnRuns judges that the F1 of LinFACT-XY is higher than those of others at each size, run by
// run on one instance.
func higherOnRuns(others ...string) study.Check {
	return func(r *study.Results) study.Verdict {
		var cs []study.Condition
		for _, size := range r.Experiment.Sizes {
			own := study.Measured(r.Cell(size, LinFACTXY, Printed), F1)
			for _, o := range others {
				other := study.Measured(r.Shown(size, o), F1)
				var x []float64
				for i := range min(len(own), len(other)) {
					x = append(x, own[i]-other[i])
				}
				cs = append(cs, higher.Of(average(fmt.Sprintf("F1 of %s less %s, %s %d", LinFACTXY,
					o, r.Experiment.Symbol(), size), x, same)))
			}
		}
		return study.All(cs...)
	}
}
