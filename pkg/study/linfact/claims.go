package linfact

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"github.com/purexp/purexp/pkg/mc"
	"github.com/purexp/purexp/pkg/question/complexity"
	"github.com/purexp/purexp/pkg/study"
	"github.com/purexp/purexp/pkg/tidy"
)

// The following variables are phrases that only claims of the LinFACT paper use.
var (
	nearOne = study.Between("near 1", .95, 1, "at least 0.95 on average")
	higher  = study.Phrase{Says: "higher", Lo: 0, Hi: 1, Strict: true,
		Means: "the difference is above 0, by any amount"}
	similar = study.Between("similar", -.05, .05, "the difference is at most 0.05")
	noMore  = study.Between("the same number of rounds", 0, 1, "no more on average")
	bound   = study.Between("a lower bound", 0, 1+2*gammaTol, "at most the certified bound, up to 0.2 %")
)

// byDraw calls of(a, b) with the rows of a and b on each random instance. byDraw returns one number
// for each instance on which both a and b have rows. The sample consists of instances, not
// runs, because runs on the same instance are equally affected by its difficulty.
func byDraw(a, b []mc.Row, of func(a, b []mc.Row) float64) []float64 {
	split := func(rows []mc.Row) map[int][]mc.Row {
		m := map[int][]mc.Row{}
		for _, r := range rows {
			m[r.Draw] = append(m[r.Draw], r)
		}
		return m
	}
	as, bs := split(a), split(b)
	var draws []int
	for d := range as {
		if len(bs[d]) > 0 {
			draws = append(draws, d)
		}
	}
	slices.Sort(draws)
	x := make([]float64, len(draws))
	for i, d := range draws {
		x[i] = of(as[d], bs[d])
	}
	return x
}

// average estimates the mean of x over instances or runs. The function transform is applied to the
// mean and to the ends of its confidence interval.
func average(what string, x []float64, transform func(float64) float64) study.Estimate {
	if len(x) == 0 {
		return study.Estimate{Lacks: what}
	}
	return study.Estimate{What: what, Resampled: true, At: func(confidence float64) tidy.Summary {
		s := tidy.Mean(x, confidence)
		s.Center, s.Lo, s.Hi = transform(s.Center), transform(s.Lo), transform(s.Hi)
		return s
	}}
}

func same(x float64) float64 { return x }

// contrast estimates a difference or a ratio between two methods. The string format, with the names
// of the methods filled in, becomes the name of the estimate.
type contrast struct {
	format string
	of     func(what string, a, b []mc.Row) study.Estimate
}

var (
	// costs is the contrast whose estimate is the ratio of the mean pulls of method a to those of
	// method b, as a geometric mean over instances. The contrast accounts for runs that were
	// stopped at their limit.
	costs = contrast{"%v / %v, %s", func(what string, a, b []mc.Row) study.Estimate {
		return average(what, byDraw(a, b, func(a, b []mc.Row) float64 {
			return math.Log(stat.Mean(study.Pulls(a), nil) / stat.Mean(study.Pulls(b), nil))
		}), math.Exp).Censored(a, b)
	}}
	// medians is the contrast whose estimate is the ratio of the median numbers of pulls on one
	// instance.
	medians = contrast{"%v / %v, %s", study.Ratio}
	// gain is the contrast whose estimate is the F1 score of method a minus that of method b,
	// averaged over instances.
	gain = contrast{"F1 of %v minus %v, %s", func(what string, a, b []mc.Row) study.Estimate {
		return average(what, byDraw(a, b, func(a, b []mc.Row) float64 {
			return stat.Mean(study.Measured(a, F1), nil) - stat.Mean(study.Measured(b, F1), nil)
		}), same)
	}}
	// gainOfRuns is the contrast whose estimate is the mean difference of the F1 scores of paired
	// runs on one instance.
	gainOfRuns = contrast{"F1 of %v minus %v, %s", func(what string, a, b []mc.Row) study.Estimate {
		own, other := study.Measured(a, F1), study.Measured(b, F1)
		var x []float64
		for i := range min(len(own), len(other)) {
			x = append(x, own[i]-other[i])
		}
		return average(what, x, same)
	}}
)

// versus compares the method own with each method in others, at each size. Each of the returned
// conditions states that the phrase word holds for a contrast. If sizes is nil, versus uses all
// sizes of the experiment. If a choice names no constants, versus uses the method's first constants
// that figures show.
func versus(word study.Phrase, is contrast, sizes []int, own study.Choice, others ...study.Choice,
) func(r *study.Results) []study.Condition {
	return func(r *study.Results) (cs []study.Condition) {
		at := sizes
		if at == nil {
			at = r.Experiment.Sizes
		}
		for _, size := range at {
			for _, o := range others {
				what := fmt.Sprintf(is.format, own, o, fmt.Sprint(r.Experiment.Symbol(), " ", size))
				cs = append(cs, word.Of(is.of(what, cell(r, size, own), cell(r, size, o))))
			}
		}
		return cs
	}
}

func cell(r *study.Results, size int, c study.Choice) []mc.Row {
	if c.Constants == "" {
		return r.Shown(size, c.Method)
	}
	return r.Cell(size, c.Method, c.Constants)
}

// all returns a check that judges whether all conditions hold; of(r) returns the conditions.
func all(of func(*study.Results) []study.Condition) study.Check {
	return func(r *study.Results) study.Verdict { return study.All(of(r)...) }
}

// compare returns a check that the phrase word holds for the pulls of own relative to those of
// others, at each of sizes.
func compare(word study.Phrase, sizes []int, own study.Choice, others ...study.Choice) study.Check {
	return all(versus(word, costs, sizes, own, others...))
}

// higherAt returns a check that the F1 score of each method is higher in the first setting of each
// pair than in the second setting.
func higherAt(pairs [][2]int, methods ...string) study.Check {
	return all(func(r *study.Results) (cs []study.Condition) {
		for _, m := range methods {
			for _, p := range pairs {
				what := fmt.Sprintf("F1 of %s, setting %d minus setting %d", m, p[0], p[1])
				cs = append(cs, higher.Of(gain.of(what, r.Shown(p[0], m), r.Shown(p[1], m))))
			}
		}
		return cs
	})
}

// The following variables are groups of the settings in Table 1.
var (
	adaptiveSettings = []int{1, 2, 3, 4, 5, 6}
	staticSettings   = []int{7, 8, 9}
	allSettings      = slices.Concat(adaptiveSettings, staticSettings)
)

// guarantee returns a check that the named methods, with all constants, err with probability at
// most delta.
func guarantee(names ...string) study.Check {
	return func(r *study.Results) study.Verdict {
		var ts []study.Tally
		for _, size := range r.Experiment.Sizes {
			for _, m := range r.Experiment.Methods {
				rows := r.Cell(size, m.Name, m.Constants)
				if !slices.Contains(names, m.Name) || len(rows) == 0 {
					continue
				}
				ts = append(ts, study.Tally{
					Name:  study.Labelled(m.Name, m.Constants) + " on " + r.Experiment.SizeLabel(size),
					Wrong: study.Mistakes(rows), Runs: len(rows),
				})
			}
		}
		return study.AtMost(r.Experiment.Delta, ts, "")
	}
}

// isBound judges whether the expression of Theorem 3.2 is a lower bound on the instances of the
// experiment. At each size, the check uses the instance with the largest ratio of the expression to
// the lower bound.
func isBound(r *study.Results) study.Verdict {
	var cs []study.Condition
	for _, size := range r.Experiment.Sizes {
		if size != r.Experiment.Sizes[0] && r.Experiment.Shared != "" {
			break // the sizes differ only in delta, so one size suffices
		}
		most := 0.
		for draw := range max(1, r.Experiment.Draws) {
			in, err := r.Experiment.At(size, draw)
			if err != nil {
				return study.Unknown(err)
			}
			mu := mat.Col(nil, 0, in.Truth())
			g, err := complexity.NewGammaStar(in.Problem, mu, gammaTol)
			if err != nil {
				return study.Unknown(err)
			}
			p, err := complexity.NewPaperGammaStar(in.Problem, mu, gammaTol)
			if err != nil {
				return study.Unknown(err)
			}
			most = max(most, p.Lower/g.Upper)
		}
		cs = append(cs, bound.Of(study.Exact("printed / certified, "+r.Experiment.SizeLabel(size), most)))
	}
	return study.All(cs...)
}

// scored returns a check that the phrase word holds for the mean of a measure, for all methods at
// all sizes.
func scored(word study.Phrase, measure string, methods ...study.Method,
) study.Check {
	return func(r *study.Results) study.Verdict {
		var cs []study.Condition
		for _, size := range r.Experiment.Sizes {
			for _, m := range methods {
				rows := r.Cell(size, m.Name, m.Constants)
				name := fmt.Sprintf("%s of %s, %s %d", measure, study.Labelled(m.Name, m.Constants),
					r.Experiment.Symbol(), size)
				cs = append(cs, word.Of(average(name, study.Measured(rows, measure), same)))
			}
		}
		return study.All(cs...)
	}
}

// otherConstants explains why Fig. 5 and 6 are not compared with measurements.
const otherConstants = "Fig. 5 and 6 are inconsistent with (21) and (22): with these formulas, LinFACT needs " +
	"thousands of pulls in each setting and is never wrong, but the times in Table 2 allow only a few hundred pulls; " +
	"the paper states neither the constants nor the mean number of pulls of LinFACT (the budget of BayesGap and KGCB)"

// The following claims are about the settings of Table 1. The paper states neither the constants of
// LinFACT in its runs nor the budget of BayesGap and KGCB. Claims that depend on these unknown
// values have no verdict. Claims A3 and A4 compare the two designs of LinFACT, with the same
// constants for both designs.
var settingClaims = []study.Claim{
	study.Guarantees("A1", "Definition 2.2, Theorems 4.1, 4.2", "LinFACT is delta-PAC",
		guarantee(LinFACTG, LinFACTXY)).On(study.AnyInstance),
	study.Asks("A2", "cf. Theorem 3.2", "(19) is a lower bound in the adaptive settings, where one arm is clearly "+
		"the best (the theorem does not require this condition)", study.On(adaptiveSettings,
		isBound)).Knowable().On(study.AnyInstance),
	study.Says("A3", "7.1, Fig. 6", "in the adaptive settings, XY needs fewer pulls than G (as printed)",
		compare(study.Fewer, adaptiveSettings, study.As(LinFACTXY, Printed), study.As(LinFACTG, Printed))),
	study.Asks("A3 theory", "7.1, Fig. 6", "in the adaptive settings, XY needs fewer pulls than G (constants of the "+
		"theory)",
		compare(study.Fewer, adaptiveSettings, study.As(LinFACTXY, Theory), study.As(LinFACTG, Theory))),
	study.Says("A4", "7.1, Fig. 6", "in the static settings, G needs fewer pulls than XY (as printed)",
		compare(study.Fewer, staticSettings, study.As(LinFACTG, Printed), study.As(LinFACTXY, Printed))),
	study.Asks("A4 theory", "7.1, Fig. 6", "in the static settings, G needs fewer pulls than XY (constants of the "+
		"theory)",
		compare(study.Fewer, staticSettings, study.As(LinFACTG, Theory), study.As(LinFACTXY, Theory))),
	study.Says("A5", "7.1, Fig. 5", "LinFACT has a higher F1 than methods for the top m arms",
		all(versus(higher, gain, nil, study.As(LinFACTXY, Theory), study.As(LinGIFA, ""), study.As(MLinGapE,
			"")))).Unjudged(otherConstants),
	study.Says("A6", "7.1, Fig. 5", "LinFACT has a higher F1 than BayesGap and KGCB",
		all(versus(higher, gain, nil, study.As(LinFACTXY, Theory), study.As(BayesGap, ""), study.As(KGCB,
			"")))).Unjudged(otherConstants),
	study.Says("A7", "7.1, Fig. 5", "F1 grows with epsilon in the adaptive settings",
		higherAt([][2]int{{3, 1}, {6, 4}}, LinFACTG, LinFACTXY, LinGIFA, MLinGapE, LazyTTS,
			KGCB)).Unjudged(otherConstants),
	study.Says("A8", "7.1, Fig. 6", "in the adaptive settings, LinFACT needs about as many pulls as LinGIFA and "+
		"m-LinGapE",
		compare(study.Comparable, adaptiveSettings, study.As(LinFACTXY, Printed),
			study.As(LinGIFA, Published), study.As(MLinGapE, Published))).Unjudged(otherConstants),
	study.Asks("A8 theory", "7.1, Fig. 6", "in the adaptive settings, with proved constants, LinFACT needs about as "+
		"many pulls as LinGIFA and m-LinGapE",
		compare(study.Comparable, adaptiveSettings, study.As(LinFACTXY, Theory), study.As(LinGIFA, Theory),
			study.As(MLinGapE, Theory))),
	study.Says("A9", "7.1, Fig. 6", "in the static settings, LinFACT needs the fewest pulls",
		compare(study.Fewer, staticSettings, study.As(LinFACTXY, Printed), study.As(LinGIFA, Published),
			study.As(MLinGapE, Published), study.As(LazyTTS, Published))).Unjudged(otherConstants),
	study.Asks("A9 theory", "7.1, Fig. 6",
		"with proved constants, LinFACT needs the fewest pulls in the static settings",
		compare(study.Fewer, staticSettings, study.As(LinFACTXY, Theory), study.As(LinGIFA, Theory),
			study.As(MLinGapE, Theory), study.As(LazyTTS, Theory))),
	study.Says("A10", "7.1, Fig. 6", "Lazy TTS needs substantially more pulls than LinFACT",
		compare(study.SignificantlyMore, allSettings, study.As(LazyTTS, Published), study.As(LinFACTXY,
			Printed))).Unjudged(otherConstants),
	study.Asks("A10 theory", "7.1, Fig. 6", "Lazy TTS with the threshold of its theory needs substantially more "+
		"pulls than LinFACT", compare(study.SignificantlyMore, allSettings, study.As(LazyTTS, Theory),
		study.As(LinFACTXY, Theory))),
	study.Says("A11", "Table 2", "LinFACT is at least five times faster than all other methods, according to Table 2",
		fasterByFive).Knowable().On(study.PaperData),
	study.Says("A13", "1.1, 7.1", "a round of LinFACT takes time O(K d²)",
		byTime(squareRounds)).Knowable().On(study.Clock),
	study.Says("A14", "1.1, 7.1", "a round of methods for the top m arms takes time O(K d³)",
		byTime(cubicRounds)).Knowable().On(study.Clock),
	study.Asks("A12", "(22), Algorithm 3", "if LinFACT compares differences of means with the accuracy that (22) "+
		"guarantees, it needs at most half the pulls of the printed rule",
		compare(study.LargelyFewer, allSettings, study.As(LinFACTXY, Theory), study.As(LinFACTXY, Printed))),
}

// The following claims are about drug discovery.
var drugClaims = []study.Claim{
	study.Says("B1", "7.2, Fig. 8a", "the precision of LinFACT remains close to 1", scored(nearOne, Precision, own...)),
	study.Says("B2", "7.2, Fig. 8b", "the recall of LinFACT is robust across delta", scored(nearOne, Recall, own...)),
	study.Says("B3", "7.2, Fig. 8d", "LinFACT-XY needs fewer pulls than LinFACT-G",
		all(versus(study.Fewer, medians, nil, study.As(LinFACTXY, Printed), study.As(LinFACTG, Printed)))),
	study.Asks("B3 theory", "7.2, Fig. 8d", "LinFACT-XY needs fewer pulls than LinFACT-G (constants of the theory)",
		all(versus(study.Fewer, medians, nil, study.As(LinFACTXY, Theory),
			study.As(LinFACTG, Theory)))),
	study.Says("B4", "7.2, Fig. 8d", "LinFACT-G follows LinFACT-XY closely",
		all(versus(study.Nearly, medians, nil, study.As(LinFACTG, Printed), study.As(LinFACTXY, Printed)))),
	study.Asks("B4 theory", "7.2, Fig. 8d", "LinFACT-G follows LinFACT-XY closely (constants of the theory)",
		all(versus(study.Nearly, medians, nil, study.As(LinFACTG, Theory), study.As(LinFACTXY,
			Theory)))),
	study.Says("B5", "7.2, Fig. 8d", "LinFACT-XY needs fewer pulls than LinGIFA and m-LinGapE",
		all(versus(study.Fewer, medians, nil, study.As(LinFACTXY, Printed), study.As(LinGIFA, ""), study.As(MLinGapE,
			"")))),
	study.Says("B6", "7.2, Fig. 8c", "LinGIFA and m-LinGapE have a lower F1 than LinFACT",
		all(versus(higher, gainOfRuns, nil, study.As(LinFACTXY, Printed), study.As(LinGIFA, ""), study.As(MLinGapE,
			"")))),
}

// moreSettingClaims contains minor claims of the paper about the settings.
var moreSettingClaims = []study.Claim{
	study.Says("A16", "7.1, Fig. 5", "Lazy TTS has a higher F1 than LinFACT in some settings",
		func(r *study.Results) study.Verdict {
			return study.Any(versus(higher, gain, allSettings, study.As(LazyTTS, ""), study.As(LinFACTXY,
				Theory))(r)...)
		}).Unjudged(otherConstants),
	study.Says("A17", "7.1, Fig. 5", "the F1 of BayesGap is highest at epsilon = 0.2",
		higherAt([][2]int{{2, 1}, {2, 3}, {5, 4}, {5, 6}}, BayesGap)).Unjudged(otherConstants),
	study.Says("A18", "7.1, Fig. 5", "in the static settings, LinFACT-G has a higher F1 than LinFACT-XY",
		all(versus(higher, gain, staticSettings, study.As(LinFACTG, Printed), study.As(LinFACTXY,
			Printed)))).Unjudged(otherConstants),
	study.Says("A19", "7.1, Fig. 5", "in the adaptive settings, LinFACT-G and LinFACT-XY have similar F1 scores",
		all(versus(similar, gain, adaptiveSettings, study.As(LinFACTG, Printed), study.As(LinFACTXY,
			Printed)))).Unjudged(otherConstants),
}

// upToLog judges whether the ratio of the pulls of LinFACT-XY, with printed constants, to the lower
// bound grows at most logarithmically. The growth is measured in 1/epsilon in the adaptive
// settings, and in the dimension in the static settings.
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
