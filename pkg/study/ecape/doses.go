package ecape

import (
	"fmt"
	"slices"
	"strings"

	"github.com/purexp/purexp/pkg/bandit"
	"github.com/purexp/purexp/pkg/dataset"
	"github.com/purexp/purexp/pkg/fig"
	"github.com/purexp/purexp/pkg/study"
	"github.com/purexp/purexp/pkg/tidy"
)

// A dose is the dose-finding trial with other rates of 75 mg, and another safety of 300 mg: what
// the paper shows as a picture, and the order of the methods hangs on. The other rates are the
// published ones.
type dose struct{ efficacy75, safety75, safety300 float64 }

func (d dose) String() string {
	return fmt.Sprintf("75 mg at (%.3f, %.3f), 300 mg at %.3f", d.efficacy75, d.safety75,
		d.safety300)
}

// The rates of Doses. 75 mg has the published efficacy, that which the paper describes, or less;
// the thresholds of efficacy and safety are 0.4.
var (
	efficacies75 = []float64{.469, .455, .42}
	safeties75   = []float64{.388, .391, .394, .397}
	safeties300  = []float64{.35, .36, .37, .38, .39}
)

// doses are all of them.
var doses = func() (all []dose) {
	for _, e := range efficacies75 {
		for _, s := range safeties300 {
			for _, s75 := range safeties75 {
				all = append(all, dose{e, s75, s})
			}
		}
	}
	return all
}()

// instance returns the trial with these rates.
func (d dose) instance() (*bandit.Instance, error) {
	inst, err := dataset.Secukinumab{}.Instance()
	if err != nil {
		return nil, err
	}
	mu := inst.Means()
	mu.SetRow(arm75, []float64{d.efficacy75, d.safety75})
	mu.Set(arm300, 1, d.safety300)
	inst.Name = d.String()
	inst.Law, err = bandit.NewBernoulli(mu)
	return inst, err
}

// Doses is a map: with which rates of 75 mg and 300 mg do the methods need the pulls, and the time,
// that the paper reports of the dose-finding trial?
var Doses = study.Experiment{
	Name: "ecape/doses", Title: "The dose-finding trial with other rates", Delta: delta, Reps: 10,
	Beside: "the paper shows the rates of the trial as a picture only, and the order of the " +
		"methods hangs on those of two doses",
	Sizes: study.Places(len(doses)), Names: namesOf(doses),
	Instance: func(size, _ int) (*bandit.Instance, error) { return doses[size].instance() },
	Methods:  with(Printed, 0, trials...), Palette: trials,
	Claims: []study.Claim{
		study.Asks("A", "against Table 5", "with 75 mg at (0.42, 0.397) e-cAPE needs largely "+
			"fewer samples than the two-stage method",
			compare(study.LargelyFewer, dose{.42, .397, .39}.String(), cell{ECAPE, Printed},
				cell{TwoStage, Printed})),
	},
	Tables:  one(DoseTable),
	Figures: doseFigures,
}

func namesOf(ds []dose) (names []string) {
	for _, d := range ds {
		names = append(names, d.String())
	}
	return names
}

// medianPulls are those of each method on a dose; not ok if one was not run.
func medianPulls(r *study.Results, d dose) (pulls []float64, ok bool) {
	for _, m := range trials {
		rows := r.On(d.String(), m, Printed)
		if len(rows) == 0 {
			return nil, false
		}
		pulls = append(pulls, study.MedianPulls(rows).Center)
	}
	return pulls, true
}

// DoseTable has the median numbers of pulls with each choice of rates.
func DoseTable(r *study.Results) *tidy.Table {
	t := &tidy.Table{
		Title:   "Which rates of the dose-finding trial give the paper's order?",
		Columns: tidy.Columns("efficacy, 75 mg", "safety, 75 mg", "safety, 300 mg"),
		Notes: []string{fmt.Sprintf("Medians, constants of the paper's experiments. The paper "+
			"states no numbers of pulls of this trial; in its Table 5 a run of the two-stage "+
			"method takes %.0f times as long as one of e-cAPE, and one of uniform sampling %.1f "+
			"times. The published rates are (0.469, 0.388) and 0.390.",
			table5(Published, TwoStage)[0]/table5(Published, ECAPE)[0],
			table5(Published, Uniform)[0]/table5(Published, ECAPE)[0])},
	}
	for _, m := range trials {
		t.Columns = append(t.Columns, tidy.Column{Name: m, Unit: "pulls"})
	}
	t.Columns = append(t.Columns, tidy.Column{Name: TwoStage + " / " + ECAPE},
		tidy.Column{Name: "fewest"})
	for _, d := range doses {
		pulls, ok := medianPulls(r, d)
		if !ok {
			continue
		}
		row := []any{d.efficacy75, d.safety75, d.safety300}
		for _, p := range pulls {
			row = append(row, p)
		}
		fewest := trials[slices.Index(pulls, slices.Min(pulls))]
		t.Rows = append(t.Rows, append(row, fmt.Sprintf("%.2f", pulls[1]/pulls[0]), fewest))
	}
	return t
}

// DoseMap draws the table: how many times e-cAPE's pulls the two-stage method needs, and whether
// e-cAPE needs the fewest of all.
func DoseMap(r *study.Results) (*fig.Figure, error) {
	m := fig.TileMap{
		Title:  "Pulls of " + TwoStage + " / e-cAPE (medians)",
		XLabel: "safety of 75 mg", YLabel: "safety of 300 mg",
		X: decimals(safeties75), Y: decimals(safeties300),
		Classes: []string{"e-cAPE needs the fewest, MD-APT+APE at least 10 times as many",
			"e-cAPE needs the fewest",
			"e-cAPE needs fewer than MD-APT+APE, but more than Racing or Uniform",
			"MD-APT+APE needs as few or fewer"},
		Notes: []string{"Published: efficacy 0.469, safety 0.388 and 0.390. Feasible from 0.4. " +
			"Table 5 of the paper has a ratio of times of 20."},
	}
	for _, e := range efficacies75 {
		panel := fig.TilePanel{Title: fmt.Sprintf("efficacy of 75 mg %.3f", e)}
		for _, s300 := range safeties300 {
			var words []string
			var class []int
			for _, s75 := range safeties75 {
				pulls, ok := medianPulls(r, dose{e, s75, s300})
				if !ok {
					return nil, fmt.Errorf("ecape: no runs of %v; run all methods of %s",
						dose{e, s75, s300}, r.Experiment.Name)
				}
				q, c := pulls[1]/pulls[0], 3
				switch fewest := pulls[0] == slices.Min(pulls); {
				case fewest && q >= 10:
					c = 0
				case fewest:
					c = 1
				case q > 1:
					c = 2
				}
				words, class = append(words, fmt.Sprintf("%.2g", q)), append(class, c)
			}
			panel.Text, panel.Class = append(panel.Text, words), append(panel.Class, class)
		}
		m.Panels = append(m.Panels, panel)
	}
	return fig.Tiles(m)
}

func decimals(x []float64) []string {
	return strings.Fields(strings.Trim(fmt.Sprintf("%.3f", x), "[]"))
}

// doseFigures are those of a report.
func doseFigures(r *study.Results) ([]study.Figure, error) {
	f, err := DoseMap(r)
	if err != nil {
		return nil, err
	}
	return []study.Figure{{Name: "doses",
		Caption: "With which rates of 75 mg and 300 mg the paper's order holds.",
		Drawing: f}}, nil
}
