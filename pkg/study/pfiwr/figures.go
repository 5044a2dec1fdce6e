package pfiwr

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/fig"
	"github.com/purexp/purexp/pkg/mc"
	"github.com/purexp/purexp/pkg/seed"
	"github.com/purexp/purexp/pkg/study"
)

// course draws the mean of a measure as a function of t, the number of rounds or pulls, with a line
// for each method. course reads the values "name@t" of rows, and omits runs without a value. If
// there are many times, the figure shows only about twelve times.
func course(r *study.Results, size int, name string, panel fig.SweepPanel, o fig.SweepOptions) (*fig.Figure, error) {
	for _, m := range r.Experiment.Methods {
		var at []float64
		var runs [][]float64
		for _, row := range r.Cell(size, m.Name, m.Constants) {
			var x, y []float64
			for _, m := range row.Measures {
				if t, ok := strings.CutPrefix(m.Name, name+"@"); ok {
					if t, err := strconv.Atoi(t); err == nil {
						x, y = append(x, float64(t)), append(y, m.Value)
					}
				}
			}
			if at == nil {
				at = x
			}
			if len(x) == len(at) && len(x) > 0 {
				runs = append(runs, y)
			}
		}
		s := fig.SweepSeries{Name: r.Experiment.Called(m)}
		step := max(1, len(at)/12)
		for i := (len(at) - 1) % step; i < len(at) && runs != nil; i += step {
			var sample []float64
			for _, run := range runs {
				sample = append(sample, run[i])
			}
			s.Points = append(s.Points, fig.MeanPoint(at[i], sample))
		}
		if s.Points != nil {
			panel.Series = append(panel.Series, s)
		}
	}
	o.Palette, o.Title, o.Interval = study.Looks, r.Experiment.SizeLabel(size), "Markers and bars: mean plus and "+
		"minus one standard error."
	return fig.Sweep([]fig.SweepPanel{panel}, &o)
}

// Errors draws the errors of the estimators as functions of the number of rounds, on the instances
// at a size of Estimator or OneArm. Only instances on which all estimators ran are used. If worst
// is true, Errors draws the largest error of a mean instead of the norm of the error of theta.
func Errors(r *study.Results, size int, worst bool) (*fig.Figure, error) {
	name, label := "error", "error of theta"
	if worst {
		name, label = "worst", "largest error of a mean"
	}
	return course(shared(r, size), size, name, fig.SweepPanel{XLabel: "rounds", LogX: true},
		fig.SweepOptions{YLabel: label})
}

// shared returns the rows at one size, on the instances for which every method at this size has
// rows.
func shared(r *study.Results, size int) *study.Results {
	n := math.MaxInt
	for _, m := range r.Experiment.Methods {
		if own := len(r.Cell(size, m.Name, m.Constants)); own > 0 {
			n = min(n, own)
		}
	}
	rows := slices.DeleteFunc(slices.Clone(r.Rows), func(row mc.Row) bool {
		return row.Size != size || row.Rep >= n
	})
	return &study.Results{Experiment: r.Experiment, Rows: rows}
}

// figureNames contains the names of figure files, by size.
var figureNames = []string{
	"diverse", "correlated", "diverse-changing", "correlated-changing",
	"diverse-as-drawn", "correlated-as-drawn", "diverse-changing-as-drawn",
	"correlated-changing-as-drawn",
	"diverse-kept", "correlated-kept", "diverse-changing-kept", "correlated-changing-kept",
}

// bySize draws a figure for each size at which the given method ran.
func bySize(r *study.Results, method, constants string,
	of func(size int) (name string, f *fig.Figure, err error)) (fs []study.Figure, err error) {
	for _, size := range r.Experiment.Sizes {
		if len(r.Cell(size, method, constants)) == 0 {
			continue
		}
		name, f, err := of(size)
		if err != nil {
			return nil, err
		}
		fs = append(fs, study.Figure{Name: name, Drawing: f})
	}
	return fs, nil
}

// andPulls appends to fs a figure of the pulls until stopping, for the given constants.
func andPulls(r *study.Results, fs []study.Figure, err error, name string, constants ...string) (
	[]study.Figure, error) {
	if err != nil {
		return nil, err
	}
	pulls, err := r.Distribution(constants...)
	return append(fs, study.Figure{Name: name, Drawing: pulls}), err
}

// errorsOver returns the figures of Errors; the names of their files begin with prefix.
func errorsOver(prefix string, worst bool) func(r *study.Results) ([]study.Figure, error) {
	return func(r *study.Results) ([]study.Figure, error) {
		return bySize(r, RidgeLambda, "", func(size int) (name string, f *fig.Figure, err error) {
			f, err = Errors(r, size, worst)
			return prefix + figureNames[size], f, err
		})
	}
}

// regrets draws the cumulative regret against the number of pulls.
func regrets(r *study.Results, size int, logX bool) (*fig.Figure, error) {
	return course(r, size, "regret", fig.SweepPanel{XLabel: "pulls", LogX: logX},
		fig.SweepOptions{YLabel: "cumulative regret", LinearY: logX})
}

func sensitivityFigures(r *study.Results) ([]study.Figure, error) {
	fs, err := bySize(r, PNames(.5), "", func(size int) (name string, f *fig.Figure, err error) {
		f, err = regrets(r, size, true)
		return []string{"sensitivity-regret", "sensitivity-regret-changing"}[size], f, err
	})
	return andPulls(r, fs, err, "sensitivity-pulls")
}

// readingFigures draws the pulls until stopping.
func readingFigures(r *study.Results) ([]study.Figure, error) {
	return andPulls(r, nil, nil, "readings")
}

func llvmFigures(r *study.Results) ([]study.Figure, error) {
	fs, err := bySize(r, PFIwR, Calibrated, func(size int) (name string, f *fig.Figure, err error) {
		f, err = regrets(r, size, false)
		return fmt.Sprintf("sw-llvm-regret-%c", 'a'+rune(size)), f, err
	})
	return andPulls(r, fs, err, "sw-llvm-pulls", Calibrated)
}

// Trade draws mean regret as a function of mean pulls until stopping; methods further to the lower
// left are better. Methods with several settings, such as prices, are drawn as lines.
func Trade(r *study.Results, size int) (*fig.Figure, error) {
	panel := fig.SweepPanel{
		Title: r.Experiment.SizeLabel(size), XLabel: "mean pulls to stop", LogX: true,
	}
	at := map[string]int{}
	for _, m := range r.Experiment.Methods {
		rows := r.Cell(size, m.Name, m.Constants)
		if len(rows) == 0 {
			continue
		}
		pulls := 0.
		for _, n := range study.Pulls(rows) {
			pulls += n / float64(len(rows))
		}
		name := m.Name
		if m.Name == PFIwR {
			name = study.Labelled(m.Name, m.Constants)
		}
		i, ok := at[name]
		if !ok {
			i, at[name] = len(panel.Series), len(panel.Series)
			panel.Series = append(panel.Series, fig.SweepSeries{Name: name, Grey: m.Name == Uniform})
		}
		panel.Series[i].Points = append(
			panel.Series[i].Points, fig.MeanPoint(pulls, study.Measured(rows, "regret")),
		)
	}
	return fig.Sweep([]fig.SweepPanel{panel}, &fig.SweepOptions{
		Title: "Regret and pulls", YLabel: "cumulative regret", Palette: study.Looks,
		Interval: "Markers and bars: mean regret plus and minus one standard error.",
	})
}

func frontierFigures(r *study.Results) ([]study.Figure, error) {
	return bySize(r, Sparing, Priced(10), func(size int) (name string, f *fig.Figure, err error) {
		name = "frontier-linear"
		if r.Experiment.Draws == 0 {
			name = fmt.Sprintf("frontier-%c", 'a'+rune(size))
		}
		f, err = Trade(r, size)
		return name, f, err
	})
}

// Front draws the arms of SW-LLVM, or of a draw of Sensitivity, in the plane of their objectives.
// The figure also shows the Pareto front, and the answer of one run of each method.
func Front(e study.Experiment, size, draw int) (*fig.Figure, error) {
	inst, err := e.At(size, draw)
	if err != nil {
		return nil, err
	}
	var answers []fig.FrontAnswer
	for _, m := range e.Methods {
		s := seed.New(1).Child(inst.Name, 0)
		noise := inst.Sampler(s.Child("noise"))
		r, err := explore.Run(m.New(e.Task(inst, size)), inst.Problem, noise, &explore.Settings{
			Src: s.Child("policy", m.Name, m.Constants).Source(), MaxPulls: m.MaxPulls,
		})
		if err != nil {
			return nil, fmt.Errorf("%s: %s: %w", e.Name, m.Name, err)
		}
		answers = append(answers, fig.FrontAnswer{Name: study.Labelled(m.Name, m.Constants), Items: r.Answer.Items})
	}
	return fig.Front(inst, answers, &fig.FrontOptions{Palette: study.Looks})
}
