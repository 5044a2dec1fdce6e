package linfact

import (
	"fmt"
	"slices"

	"github.com/purexp/purexp/pkg/bandit"
	"github.com/purexp/purexp/pkg/fig"
	"github.com/purexp/purexp/pkg/mc"
	"github.com/purexp/purexp/pkg/study"
)

// Delta is the error probability in the settings of Table 1; this project chose it, because the
// paper states none.
const Delta = 0.05

// Synthetic is the experiment of section 7.1: the nine settings of Table 1, with ten draws each and
// a hundred runs on each draw.
var Synthetic = study.Experiment{
	Basis: study.Reading,
	Name:  "linfact/settings", Title: "The settings of Table 1", Source: "Fig. 5, Fig. 6",
	Axis: "setting s", Sizes: []int{1, 2, 3, 4, 5, 6, 7, 8, 9}, Draws: 10, Reps: 100, Delta: Delta,
	Instance: func(setting, draw int) (*bandit.Instance, error) {
		in, err := Setting(setting, draw)
		if err != nil {
			return nil, err
		}
		return in.Instance, nil
	},
	Methods:  slices.Concat(own, baselines, oracles, games()),
	InColour: []string{LinFACTG, LinFACTXY, BayesGap, KGCB, LinGIFA, MLinGapE, LazyTTS},
	Measures: []mc.Measure{scores}, Bounds: bounds,
	Figures: settingsFigures, Claims: slices.Concat(settingClaims, moreSettingClaims),
	Notes: []string{"BayesGap and KGCB make min(2000, the mean of LinFACT-G) pulls, which is 2000 in every setting. " +
		"LinGIFA and m-LinGapE receive m = 4 and the tolerance epsilon. Lazy TTS receives the expected threshold, " +
		"and its runs are stopped after 50 000 pulls. Oracles receive the true m or the true threshold. " +
		"\"published\": the threshold log((1 + log t)/delta).",
		"The values delta = 0.05 and standard deviation 1 are assumptions, because the paper states neither. " +
			"Intervals apply to the ten draws of each setting; means over other draws vary more."},
}

// Growth runs LinFACT-XY, as printed, on four times as many draws of the settings as Synthetic
// does. Ten draws are too few to estimate how the pulls of LinFACT-XY grow relative to the lower
// bound.
var Growth = study.Experiment{
	Basis: study.AnyInstance,
	Name:  "linfact/settings-growth", Title: "LinFACT-XY and the lower bound",
	Beside: "Theorem 4.2 on the settings of Table 1",
	Axis:   Synthetic.Axis, Sizes: Synthetic.Sizes, Draws: 40, Reps: 10, Delta: Delta,
	Instance: Synthetic.Instance, Bounds: bounds, Figures: growthFigures,
	Methods: own[3:], // own[3:] contains LinFACT-XY as printed
	Claims: []study.Claim{study.Guarantees("A15", "4.2, Theorem 4.2",
		"LinFACT-XY matches the lower bound up to a logarithmic factor", upToLog)},
}

// growthFigures draws the pulls and the lower bound.
func growthFigures(r *study.Results) ([]study.Figure, error) {
	return drawn("settings-growth", panels(r, own[3:], settingViews(r.Experiment.Sizes), true, pulls),
		fig.SweepOptions{Title: "Sample complexity"})
}

// settingViews groups the settings as in the paper, by growing epsilon or by growing dimension.
func settingViews(sizes []int) []view {
	in := func(of ...int) []int {
		return slices.DeleteFunc(of, func(s int) bool { return !slices.Contains(sizes, s) })
	}
	epsilon := func(s int) float64 { return tolerances[s] }
	return []view{
		{"adaptive, d = 8", "epsilon", in(1, 2, 3), epsilon},
		{"adaptive, d = 12", "epsilon", in(4, 5, 6), epsilon},
		{"static", "dimension d", in(7, 8, 9), func(s int) float64 {
			return float64(dimensions[s])
		}},
	}
}

func settingsFigures(r *study.Results) ([]study.Figure, error) {
	views := settingViews(r.Experiment.Sizes)
	score, err := drawn("settings-f1", panels(r, proven(r), views, false, mean(F1)), fig.SweepOptions{
		Title: "F1 of the returned sets", YLabel: "F1", LinearY: true, Interval: meanBars, Y: [2]float64{.7, 1},
	})
	if err != nil {
		return nil, err
	}
	title := fmt.Sprintf("Sample complexity at delta = %v", r.Experiment.Delta)
	cost, err := drawn("settings-pulls",
		panels(r, withoutBudgets(proven(r)), views, true, pulls), fig.SweepOptions{Title: title})
	return slices.Concat(score, cost), err
}

// withoutBudgets removes methods that make a fixed number of pulls.
func withoutBudgets(ms []study.Method) []study.Method {
	return slices.DeleteFunc(ms, func(m study.Method) bool {
		return slices.Contains(budgeted, m.Name)
	})
}
