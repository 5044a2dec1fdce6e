package ecape

import (
	"fmt"

	"gonum.org/v1/gonum/stat"

	"github.com/purexp/purexp/pkg/bandit"
	"github.com/purexp/purexp/pkg/mc"
	"github.com/purexp/purexp/pkg/polyhedron"
	"github.com/purexp/purexp/pkg/study"
	"github.com/purexp/purexp/pkg/tidy"
)

// Names of the instances of Polyhedra.
const (
	SimplexRegion = "simplex"
	CubeRegion    = "cube"
	OrderedRegion = "ordered polyhedron"
)

// styleOf is the note of instances that the paper shows as pictures only.
func styleOf(figure string) string {
	return "in the style of the paper's " + figure + ", which shows the means only as a picture; these means are ours"
}

// Polyhedra is the experiment of appendix G.1: three regions of R^3, an ordered
// cone, a simplex and a cube, with Gaussian rewards.
func Polyhedra() Experiment {
	return Experiment{
		Name: "ecape-polyhedra", Title: "Polyhedra in three dimensions", Paper: "Table 4 and Fig. 5", Delta: Delta, Reps: Reps,
		instances: polyhedra,
		runs:      append(byRadius(Paper, Reps, Methods...), byRadius(Calibrated, GuaranteedReps, Methods...)...),
		tables: func(e Experiment, rows []mc.Row) ([]*tidy.Table, error) {
			return []*tidy.Table{Table4(rows)}, nil
		},
		claims: polyhedraClaims,
	}
}

// polyhedra returns the instances. In each, some arms are optimal; some are
// feasible but dominated; one or two miss the region by little and are clearly
// dominated, so that the cheap reason is another one than the first that comes to
// mind; and some dominate everything but are infeasible.
func polyhedra() ([]*bandit.Instance, error) {
	const sigma = .5 // that of the Bernoulli trials of section 5
	cube, err := polyhedron.Box([]float64{.15, .15, .15}, []float64{1, 1, 1}, objectives(3))
	if err != nil {
		return nil, err
	}
	var all []*bandit.Instance
	for _, c := range []struct {
		name   string
		region *polyhedron.Polyhedron
		means  [][]float64
	}{
		{SimplexRegion, polyhedron.Simplex(3), [][]float64{
			{.55, .15, .10}, // optimal
			{.15, .50, .15},
			{.15, .15, .50},
			{.35, .10, .05}, // feasible, dominated
			{.10, .25, .08},
			{.60, .40, .30},  // infeasible, dominated by none
			{.10, .05, -.08}, // infeasible and dominated
			{-.03, .30, .05}, // the same, and hardly infeasible
		}},
		{CubeRegion, cube, [][]float64{
			{.80, .40, .35}, // optimal
			{.40, .80, .40},
			{.35, .40, .80},
			{.60, .30, .25}, // feasible, dominated
			{.30, .60, .30},
			{.30, .17, .50},  // the same, and hardly feasible
			{.65, .30, .13},  // dominated, and hardly infeasible
			{1.06, .60, .30}, // infeasible, dominated by none
			{.08, .90, .95},
		}},
		{OrderedRegion, polyhedron.Ordered(3), [][]float64{
			{.45, .60, .75}, // optimal
			{.20, .50, .95},
			{.32, .70, .85},
			{.30, .45, .60}, // feasible, dominated
			{.10, .35, .80},
			{.35, .30, .60}, // infeasible and dominated
			{.25, .55, .50},
			{.80, .70, .90}, // infeasible, dominated by none
			{.90, .50, .40},
		}},
	} {
		inst, err := constrained(c.name, c.means, sigma, c.region, styleOf("Fig. 5"))
		if err != nil {
			return nil, err
		}
		all = append(all, inst)
	}
	return all, nil
}

// table4 are the paper's mean numbers of pulls and their standard deviations.
var table4 = map[string]map[string][2]float64{
	SimplexRegion: {ECAPE: {2679, 517}, TwoStage: {4886, 873}, Uniform: {12156, 2428}},
	CubeRegion:    {ECAPE: {19034, 3158}, TwoStage: {59841, 10186}, Uniform: {56184, 14392}},
	OrderedRegion: {ECAPE: {4313, 693}, TwoStage: {7183, 792}, Uniform: {11895, 1932}},
}

// Table4 returns means and standard deviations of the numbers of pulls beside
// those of the paper's Table 4.
func Table4(rows []mc.Row) *tidy.Table {
	t := &tidy.Table{
		Title: "Sample complexity on polyhedra (Table 4)",
		Columns: []tidy.Column{
			{Name: "instance"}, {Name: "method"}, {Name: "mean, paper", Unit: "pulls"}, {Name: "sd, paper", Unit: "pulls"},
			{Name: "mean, constants of the paper", Unit: "pulls"}, {Name: "sd", Unit: "pulls"},
			{Name: "mean, guaranteed constants", Unit: "pulls"}, {Name: "sd", Unit: "pulls"},
		},
		Notes: []string{"The means of the paper's instances are not published: sizes are not comparable, the order of the methods is.",
			"Guaranteed constants are those of Kaufmann and Koolen."},
	}
	for _, name := range []string{SimplexRegion, CubeRegion, OrderedRegion} {
		for _, m := range Methods {
			row, found := []any{name, m}, false
			if p, ok := table4[name][m]; ok {
				row = append(row, p[0], p[1])
			} else {
				row = append(row, nil, nil)
			}
			for _, c := range []string{Paper, Calibrated} {
				x := pulls(cell(rows, name, m, c))
				switch len(x) {
				case 0:
					row = append(row, nil, nil)
					continue
				case 1:
					row = append(row, x[0], nil)
				default:
					mean, sd := stat.MeanStdDev(x, nil)
					row = append(row, mean, sd)
				}
				found = true
			}
			if found {
				t.Rows = append(t.Rows, row)
			}
		}
	}
	return t
}

// polyhedraClaims lists what appendix G.1 asserts about sample complexity.
func polyhedraClaims(Experiment) []study.Claim {
	var cs []study.Claim
	add := func(id, source, statement string, check func([]mc.Row) study.Verdict) {
		cs = append(cs, study.Claim{ID: id, Source: source, Statement: statement, Check: study.OnRows(check)})
	}
	for _, c := range []struct{ id, instance string }{{"A", SimplexRegion}, {"B", CubeRegion}, {"C", OrderedRegion}} {
		for i, baseline := range []string{TwoStage, Uniform} {
			add(fmt.Sprintf("%s%d", c.id, i+1), "G.1, Table 4", fmt.Sprintf("%s: e-cAPE needs fewer samples than %s", c.instance, baseline), below(c.instance, baseline))
		}
		add(c.id+"3", "not in the paper", fmt.Sprintf("%s: e-cAPE needs fewer samples than %s", c.instance, Racing), below(c.instance, Racing))
	}
	for _, c := range []struct{ id, constants string }{{"D1", Paper}, {"D2", Calibrated}} {
		add(c.id, "G.1", "in some experiments uniform sampling with e-cAPE's stopping rule needs fewer samples than the two-stage method ("+c.constants+" constants)", uniformWins(c.constants))
	}
	add("E", "Table 4", "e-cAPE needs 2679, 19034 and 4313 samples on average", sizes)
	meaning := "negligible is taken to mean below delta: "
	all := []string{SimplexRegion, CubeRegion, OrderedRegion}
	add("F1", "5, of the trials", "empirical error of the methods of Table 4 is negligible at delta = 0.1", negligible(Delta, all, []string{ECAPE, TwoStage, Uniform}, Paper, meaning))
	add("F2", "not in the paper", "and so is that of racing", negligible(Delta, all, []string{Racing}, Paper, meaning))
	add("F3", "Theorem 4.4", "with guaranteed constants the error probability is at most delta", negligible(Delta, all, Methods, Calibrated, ""))
	return cs
}

// uniformWins looks for an instance on which Uniform needs fewer pulls than the
// two-stage method.
func uniformWins(constants string) func([]mc.Row) study.Verdict {
	return func(rows []mc.Row) study.Verdict {
		v := study.Verdict{Outcome: study.Differs, Why: "on none beyond doubt"}
		for _, name := range []string{SimplexRegion, CubeRegion, OrderedRegion} {
			u, s := cell(rows, name, Uniform, constants), cell(rows, name, TwoStage, constants)
			if len(u) == 0 || len(s) == 0 {
				continue
			}
			r := tidy.PullsRatio(u, s, confidence)
			if v.Measured != "" {
				v.Measured += "; "
			}
			v.Measured += fmt.Sprintf("%s: %.2f times the two-stage method's median [%.2f, %.2f]", name, r.Center, r.Lo, r.Hi)
			if r.Hi < 1 {
				v.Outcome, v.Why = study.Agrees, "on "+name+", interval included"
			}
		}
		if v.Measured == "" {
			return study.Missing(Uniform + " and " + TwoStage)
		}
		return v
	}
}

// sizes reports means that cannot be compared.
func sizes(rows []mc.Row) study.Verdict {
	v := study.Verdict{Why: "the means of the instances are not published; those here are in their style"}
	for _, name := range []string{SimplexRegion, CubeRegion, OrderedRegion} {
		c := cell(rows, name, ECAPE, Paper)
		if len(c) == 0 {
			return study.Missing(ECAPE + " on " + name)
		}
		if v.Measured != "" {
			v.Measured += ", "
		}
		v.Measured += tidy.Int(int(stat.Mean(pulls(c), nil)))
	}
	return v
}
