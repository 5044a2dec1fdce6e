package ecape

import (
	"fmt"
	"slices"

	"github.com/purexp/purexp/pkg/dataset"
	"github.com/purexp/purexp/pkg/mc"
	"github.com/purexp/purexp/pkg/pareto"
	"github.com/purexp/purexp/pkg/study"
	"github.com/purexp/purexp/pkg/tidy"
)

// confidence of all intervals.
const confidence = 0.95

// arm75 is the arm that the paper discusses.
const arm75 = 2

// Claims lists what section 5 of the paper asserts.
func Claims() []study.Claim {
	var cs []study.Claim
	add := func(id, source, statement string, check func([]mc.Row) study.Verdict) {
		cs = append(cs, study.Claim{ID: id, Source: source, Statement: statement, Check: study.OnRows(check)})
	}
	for _, c := range []struct{ id, instance, source string }{
		{"A", Published, "5.2, Fig. 4 left"}, {"B", Described, "5.2, Fig. 4 left"}, {"C", CovBoost, "5.2, Fig. 4 right"},
	} {
		for i, baseline := range Methods[1:] {
			if c.instance == CovBoost && baseline == Uniform {
				continue // claim C3 below
			}
			add(fmt.Sprintf("%s%d", c.id, i+1), c.source, fmt.Sprintf("%s: e-cAPE needs fewer samples than %s", c.instance, baseline), below(c.instance, baseline))
		}
	}
	add("C3", "5.2", "covboost: the sample complexity of Uniform is excessively high", excessive)
	all := []string{Published, Described, CovBoost}
	add("D1", "5", "empirical error is negligible at delta = 0.1", negligible(Delta, all, Methods, Paper, "negligible is taken to mean below delta: "))
	add("D2", "Theorem 4.4", "with the theorem's constants the error probability is at most delta", negligible(Delta, all, Methods, Theory, ""))
	add("E1", "5.2", "75 mg is suboptimal compared to 150 mg", suboptimal)
	add("E2", "5.2", "e-cAPE classifies 75 mg as suboptimal and spends less on it than the two-stage method, which certifies its feasibility", cheaper)
	add("F1", "5.1", "the Pareto set of covboost without constraints includes two strategies", twoStrategies)
	add("F2", "5.1", "the trial of secukinumab involved 247 patients", patients)
	return cs
}

// cell returns the rows of a cell, in order of replicates.
func cell(rows []mc.Row, instance, method, constants string) []mc.Row {
	var c []mc.Row
	for _, r := range rows {
		if r.Instance == instance && r.Method == method && r.Constants == constants {
			c = append(c, r)
		}
	}
	slices.SortFunc(c, func(a, b mc.Row) int { return a.Rep - b.Rep })
	return c
}

// below compares e-cAPE with a baseline by the ratio of their median numbers of
// pulls, paired by replicate.
func below(instance, baseline string) func([]mc.Row) study.Verdict {
	return func(rows []mc.Row) study.Verdict {
		own, other := cell(rows, instance, ECAPE, Paper), cell(rows, instance, baseline, Paper)
		if len(own) == 0 || len(other) == 0 {
			return study.Missing(baseline + " on " + instance)
		}
		r := tidy.PullsRatio(own, other, confidence)
		v := study.Verdict{Measured: fmt.Sprintf("ratio of medians %.2f [%.2f, %.2f]", r.Center, r.Lo, r.Hi)}
		v.Outcome, v.Why = judge(r, fmt.Sprintf("e-cAPE pulls %s", times(r)))
		if v.Outcome == study.Differs {
			// Algorithm 1 advances t by one for two pulls.
			t := tidy.RatioOfMedians(rounds(own), pulls(other), true, confidence)
			v.Why += fmt.Sprintf("; if the paper counts e-cAPE's rounds, of two pulls each, the ratio is %.2f [%.2f, %.2f]", t.Center, t.Lo, t.Hi)
		}
		return v
	}
}

// judge decides whether a ratio is below 1.
func judge(r tidy.Summary, why string) (study.Outcome, string) {
	switch {
	case r.Hi < 1:
		return study.Agrees, why
	case r.Lo > 1:
		return study.Differs, why
	}
	return study.Differs, "no difference: " + why
}

// times puts a ratio into words.
func times(r tidy.Summary) string {
	if r.Center < 1 {
		return fmt.Sprintf("%.0f %% fewer", 100*(1-r.Center))
	}
	return fmt.Sprintf("%.0f %% more", 100*(r.Center-1))
}

func pulls(rows []mc.Row) []float64 {
	x := make([]float64, len(rows))
	for i, r := range rows {
		x[i] = float64(r.Pulls)
	}
	return x
}

// rounds counts rounds as the t of the paper's Algorithm 1 does: the first pull
// of each arm is a round of its own.
func rounds(rows []mc.Row) []float64 {
	x := make([]float64, len(rows))
	for i, r := range rows {
		x[i] = float64(r.Rounds - 1 + len(r.ArmPulls))
	}
	return x
}

func excessive(rows []mc.Row) study.Verdict {
	own, other := cell(rows, CovBoost, ECAPE, Paper), cell(rows, CovBoost, Uniform, Paper)
	if len(own) == 0 || len(other) == 0 {
		return study.Missing("Uniform on covboost")
	}
	r := tidy.PullsRatio(other, own, confidence)
	v := study.Verdict{Outcome: study.Differs, Measured: fmt.Sprintf("%.1f times e-cAPE's median [%.1f, %.1f]", r.Center, r.Lo, r.Hi), Why: "not run in the paper; taken to mean more than twice as many"}
	if r.Lo > 2 {
		v.Outcome = study.Agrees
	}
	return v
}

// negligible judges the errors of methods on instances; meaning says what the
// paper's words are taken to mean.
func negligible(delta float64, instances, methods []string, constants, meaning string) func([]mc.Row) study.Verdict {
	return func(rows []mc.Row) study.Verdict {
		var ts []study.Tally
		for _, i := range instances {
			for _, m := range methods {
				c := cell(rows, i, m, constants)
				if len(c) == 0 {
					return study.Missing(label(m, constants) + " on " + i)
				}
				t := study.Tally{Name: m + " on " + i, Runs: len(c)}
				for _, r := range c {
					if !r.Correct || r.Status != "stopped" {
						t.Wrong++
					}
				}
				ts = append(ts, t)
			}
		}
		return study.AtMost(delta, ts, meaning)
	}
}

func suboptimal([]mc.Row) study.Verdict {
	inst, err := Named(Published)
	if err != nil {
		return study.Verdict{Why: err.Error()}
	}
	mu := inst.Means()
	return study.Verdict{
		Outcome:  study.Differs,
		Measured: fmt.Sprintf("efficacy %.3f of 75 mg, %.3f of 150 mg", mu.At(2, 0), mu.At(3, 0)),
		Why:      "the published rates say otherwise; \"" + Described + "\" sets 75 mg to 0.455",
	}
}

// cheaper compares what 75 mg costs e-cAPE and the two-stage method.
func cheaper(rows []mc.Row) study.Verdict {
	own, other := cell(rows, Described, ECAPE, Paper), cell(rows, Described, TwoStage, Paper)
	if len(own) == 0 || len(other) == 0 {
		return study.Missing(Described)
	}
	of75 := func(rows []mc.Row) []float64 {
		x := make([]float64, len(rows))
		for i, r := range rows {
			x[i] = float64(r.ArmPulls[arm75])
		}
		return x
	}
	dominated := 0
	for _, r := range own {
		if len(r.Classes) > arm75 && r.Classes[arm75] == 'D' {
			dominated++
		}
	}
	share := tidy.Rate(dominated, len(own), confidence)
	r := tidy.RatioOfMedians(of75(own), of75(other), true, confidence)
	v := study.Verdict{Measured: fmt.Sprintf("75 mg is classified as dominated in %.0f %% of runs [%.0f %%, %.0f %%]; pulls of 75 mg %.2f times the two-stage method's [%.2f, %.2f]",
		100*share.Center, 100*share.Lo, 100*share.Hi, r.Center, r.Lo, r.Hi)}
	switch {
	case share.Lo > .5 && r.Hi < 1:
		v.Outcome, v.Why = study.Agrees, "it is cheaper to show that 75 mg is dominated"
	case share.Hi < .5:
		v.Outcome, v.Why = study.Differs, "75 mg misses safety by 0.012 and is dominated by 0.010 only, so that showing it infeasible is cheaper"
	default:
		v.Outcome, v.Why = study.Differs, "e-cAPE does not spend less on 75 mg"
	}
	return v
}

func twoStrategies([]mc.Row) study.Verdict {
	inst, err := dataset.CovBoost{}.Instance()
	if err != nil {
		return study.Verdict{Why: err.Error()}
	}
	front := pareto.Set(inst.Means())
	v := study.Verdict{Outcome: study.Differs}
	for i, a := range front {
		if i > 0 {
			v.Measured += ", "
		}
		v.Measured += inst.Problem.Arm(a)
	}
	if len(front) == 2 {
		v.Outcome, v.Why = study.Agrees, "computed from the published means"
	}
	return v
}

func patients([]mc.Row) study.Verdict {
	df, err := dataset.SecukinumabFrame()
	if err != nil {
		return study.Verdict{Why: err.Error()}
	}
	n := 0.
	for _, v := range df.Col("n_randomised").Float() {
		n += v
	}
	return study.Verdict{Outcome: study.Differs, Measured: fmt.Sprintf("%.0f", n), Why: "number randomised in the trial's publication"}
}
