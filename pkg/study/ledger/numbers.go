package ledger

import (
	"bytes"
	_ "embed" // readme.tmpl
	"fmt"
	"math"
	"text/template"

	"gonum.org/v1/gonum/stat"

	"github.com/purexp/purexp/pkg/mc"
	"github.com/purexp/purexp/pkg/study"
	"github.com/purexp/purexp/pkg/study/ecape"
	"github.com/purexp/purexp/pkg/study/gege"
	"github.com/purexp/purexp/pkg/study/linfact"
	"github.com/purexp/purexp/pkg/study/papers"
	"github.com/purexp/purexp/pkg/study/pfiwr"
	"github.com/purexp/purexp/pkg/study/published"
	"github.com/purexp/purexp/pkg/study/rage"
	"github.com/purexp/purexp/pkg/tidy"
)

// A Number of a text: one, or the least and the largest of several.
type Number struct{ lo, hi float64 }

// of is the range of numbers.
func of(x ...float64) Number {
	n := Number{math.Inf(1), math.Inf(-1)}
	for _, v := range x {
		n.lo, n.hi = min(n.lo, v), max(n.hi, v)
	}
	return n
}

// digits writes the number with so many digits after the point: "0.34", "2 to 3.1".
func (n Number) digits(d int) string {
	lo, hi := fmt.Sprintf("%.*f", d, n.lo), fmt.Sprintf("%.*f", d, n.hi)
	if lo == hi {
		return lo
	}
	return lo + " to " + hi
}

// Whole, Tenths and Hundredths write it rounded; Percent in percent, Fewer as what is lacking of a
// whole in percent; Times as how many times the other.
func (n Number) Whole() string      { return n.digits(0) }
func (n Number) Tenths() string     { return n.digits(1) }
func (n Number) Hundredths() string { return n.digits(2) }
func (n Number) Percent() string    { return Number{100 * n.lo, 100 * n.hi}.digits(0) }
func (n Number) Fewer() string      { return Number{100 - 100*n.hi, 100 - 100*n.lo}.digits(0) }
func (n Number) Inverse() Number    { return Number{1 / n.hi, 1 / n.lo} }

// ratios of medians, or of means, of the pulls of a choice to those of another at sizes.
func ratios(r *study.Results, average func(rows []mc.Row) float64, a, b study.Choice,
	sizes ...int) Number {
	var x []float64
	for _, size := range sizes {
		own := r.Cell(size, a.Method, a.Constants)
		other := r.Cell(size, b.Method, b.Constants)
		if len(own) > 0 && len(other) > 0 {
			x = append(x, average(own)/average(other))
		}
	}
	return of(x...)
}

func mean(rows []mc.Row) float64   { return stat.Mean(study.Pulls(rows), nil) }
func median(rows []mc.Row) float64 { return study.MedianPulls(rows).Center }

func regret(rows []mc.Row) float64 { return stat.Mean(study.Measured(rows, "regret"), nil) }

func wrong(rows []mc.Row) float64 { return study.ErrorRate(rows).Center }

// Numbers are those of docs/reproduced.md, by name, from the published rows.
func Numbers() (map[string]any, error) {
	var err error
	results := func(e study.Experiment) *study.Results {
		rows, _, bad := published.Read(e.Study())
		if bad != nil && err == nil {
			err = bad
		}
		return e.Results(rows)
	}
	as := study.As
	m := map[string]any{}
	trials, regions := results(ecape.ClinicalTrials), results(ecape.Polyhedra)
	m["covboost"] = ratios(trials, median, as(ecape.ECAPE, ecape.Printed),
		as(ecape.TwoStage, ecape.Printed), 2)
	m["covboostRacing"] = ratios(trials, median, as(ecape.ECAPE, ecape.Printed),
		as(ecape.Racing, ecape.Printed), 2)
	m["trial"] = ratios(trials, median, as(ecape.ECAPE, ecape.Printed),
		as(ecape.TwoStage, ecape.Printed), 0, 1)
	m["polyhedra"] = ratios(regions, mean, as(ecape.ECAPE, ecape.Printed),
		as(ecape.TwoStage, ecape.Printed), 0, 1, 2)
	hard := results(ecape.HardForRacing)
	m["racing5"] = ratios(hard, median, as(ecape.Racing, ecape.Printed),
		as(ecape.ECAPE, ecape.Printed), 0)
	m["racing10"] = ratios(hard, median, as(ecape.Racing, ecape.Printed),
		as(ecape.ECAPE, ecape.Printed), 1)
	reasons := results(ecape.Explainability)
	var cheap, dear []float64
	for _, c := range []string{ecape.Printed, ecape.Heuristic, ecape.Theory} {
		cheap = append(cheap, wrong(reasons.Cell(0, ecape.Game, c)))
		dear = append(dear, wrong(reasons.Cell(1, ecape.Game, c)))
	}
	m["reasons"], m["hardReasons"] = of(cheap...), of(dear...)

	benchmark := results(rage.Benchmark)
	ds := rage.Benchmark.Sizes
	m["rageOracle"] = ratios(benchmark, mean, as(rage.RAGE, rage.Printed),
		as(rage.Oracle, rage.Printed), ds...)
	m["rageStatic"] = ratios(benchmark, mean, as(rage.XYStatic, rage.Printed),
		as(rage.RAGE, rage.Printed), ds[2:]...)
	m["oracle"] = ratios(benchmark, mean, as(rage.Oracle, rage.Theory),
		as(rage.Oracle, rage.Printed), ds...)
	m["yardstick"] = ratios(benchmark, mean, as(rage.RAGE, rage.Theory),
		as(rage.Oracle, rage.Theory), ds...)
	m["yardstickPrinted"] = ratios(benchmark, mean, as(rage.RAGE, rage.Printed),
		as(rage.Oracle, rage.Theory), ds...)
	m["adaptive"] = ratios(benchmark, mean, as(rage.XYAdaptive, rage.Code),
		as(rage.RAGE, rage.Printed), ds...)
	runs, bad := 0, 0
	for _, e := range papers.All()[2].Experiments {
		if e.Delta > 0 {
			for _, row := range results(e).Runs() {
				runs++
				if study.Mistakes([]mc.Row{row}) > 0 && study.GivenUp([]mc.Row{row}) == 0 {
					bad++
				}
			}
		}
	}
	m["rageRuns"], m["rageWrong"] = tidy.Int(runs/1000*1000), bad

	synthetic := results(gege.SyntheticBudget)
	var rise []float64
	for _, name := range []string{gege.EGESH, gege.EGESR} {
		rise = append(rise, wrong(synthetic.Cell(500, name, ""))/wrong(synthetic.Cell(10, name, "")))
	}
	m["gegeRise"] = of(rise...)
	noc := results(gege.NoCBudget)
	m["gegeReduction"] = of(wrong(noc.Cell(4000, gege.EGESH, "")) -
		wrong(noc.Cell(4000, gege.GEGE, "")))
	confidence := results(gege.NoCConfidence)
	for name, constants := range map[string]string{"gegeCode": gege.Code,
		"gegeTheory": gege.Theory, "gegePrinted": gege.Printed} {
		a := ratios(confidence, median, as(gege.GEGE, constants), as(gege.APE, constants), 259)
		b := ratios(confidence, median, as(gege.GEGE, constants), as(gege.PAL, constants), 259)
		m[name] = of(a.lo, b.lo)
	}

	molecules := results(linfact.DrugDiscovery)
	deltas := linfact.DrugDiscovery.Sizes
	m["molecules"] = ratios(molecules, median, as(linfact.LinFACTXY, linfact.Printed),
		as(linfact.LinFACTG, linfact.Printed), deltas...)
	top := ratios(molecules, median, as(linfact.LinFACTXY, linfact.Printed),
		as(linfact.MLinGapE, linfact.Published), deltas...)
	gifa := ratios(molecules, median, as(linfact.LinFACTXY, linfact.Printed),
		as(linfact.LinGIFA, linfact.Published), deltas...)
	m["topM"] = of(top.lo, top.hi, gifa.lo, gifa.hi)
	limit := results(linfact.Limit)
	last := linfact.Limit.Sizes[len(linfact.Limit.Sizes)-1]
	m["bound"] = of(float64(limit.Bound(last, linfact.PaperBound)[0].Pulls)/
		float64(limit.Bound(last, linfact.LowerBound)[0].Pulls) - 1)

	settings := results(linfact.Synthetic)
	most := 0.
	for _, size := range linfact.Synthetic.Sizes {
		printed := settings.Bound(size, linfact.PaperBound)
		for i, row := range settings.Bound(size, linfact.LowerBound) {
			most = max(most, float64(printed[i].Pulls)/float64(row.Pulls)-1)
		}
	}
	m["settingsBound"] = of(most)

	llvm := results(pfiwr.SWLLVM)
	m["llvm"] = ratios(llvm, mean, as(pfiwr.PFIwR, pfiwr.Calibrated),
		as(pfiwr.PFIMulti, pfiwr.Calibrated), 0, 1, 2)
	m["llvmRegret"] = ratios(llvm, regret, as(pfiwr.PFIwR, pfiwr.Calibrated),
		as(pfiwr.PFIMulti, pfiwr.Calibrated), 1)
	m["proven"] = ratios(llvm, mean, as(pfiwr.PFIwR, pfiwr.SelfNormalised),
		as(pfiwr.PFIMulti, pfiwr.Theory), 0, 1, 2)
	m["narrow"] = ratios(llvm, mean, as(pfiwr.PFIMulti, pfiwr.Narrowed),
		as(pfiwr.PFIwR, pfiwr.Calibrated), 0, 1)
	m["longRegret"] = of(regret(llvm.Cell(1, pfiwr.PFIwR, pfiwr.Long)))
	m["narrowRegret"] = of(regret(llvm.Cell(1, pfiwr.PFIMulti, pfiwr.Narrowed)))
	m["llvmWrong"] = of(wrong(llvm.Cell(1, pfiwr.PFIwR, pfiwr.Calibrated)))
	sensitivity := results(pfiwr.Sensitivity)
	m["linearWrong"] = of(wrong(sensitivity.Cell(0, pfiwr.PNames(.5), "")),
		wrong(results(pfiwr.LinearFrontier).Cell(0, pfiwr.PFIwR, pfiwr.Calibrated)))
	width := results(pfiwr.Widths).Cell(3, pfiwr.PFIwR, pfiwr.Theory)
	m["widthWrong"], m["widthRuns"] = study.Mistakes(width), len(width)
	frontier := results(pfiwr.Frontier)
	m["sparing"] = ratios(frontier, mean, as(pfiwr.Sparing, pfiwr.Priced(10)),
		as(pfiwr.PFIMulti, pfiwr.Theory), 1)
	m["sparingRegret"] = ratios(frontier, regret, as(pfiwr.Sparing, pfiwr.Priced(10)),
		as(pfiwr.PFIMulti, pfiwr.Theory), 1)
	return m, err
}

//go:embed reproduced.tmpl
var reproduced string

// Reproduced is the body of docs/reproduced.md: the counts of verdicts, and sentences
// whose numbers are those of rows.
func (l *Ledger) Reproduced() (string, error) {
	m, err := Numbers()
	if err != nil {
		return "", err
	}
	m["verdicts"] = l.Summary()
	return fill(reproduced, m)
}

// fill puts numbers into a text.
func fill(text string, m map[string]any) (string, error) {
	t, err := template.New("text").Option("missingkey=error").Parse(text)
	if err != nil {
		return "", err
	}
	var b bytes.Buffer
	err = t.Execute(&b, m)
	return b.String(), err
}
