package ecape

import (
	"fmt"
	"slices"

	"github.com/purexp/purexp/pkg/bandit"
	"github.com/purexp/purexp/pkg/mc"
	"github.com/purexp/purexp/pkg/polyhedron"
	"github.com/purexp/purexp/pkg/study"
	"github.com/purexp/purexp/pkg/tidy"
)

// Names of the instances of HardForRacing.
const (
	Racing5  = "racing K=5"
	Racing10 = "racing K=10"
)

// HardForRacing is the experiment of appendix G.3, on instances as in appendix F:
// all arms are feasible, the first one dominates all others, which do not dominate
// each other, and only the first one is near the boundary of the region. Racing
// may not drop a dominated arm before its dominator is certainly feasible, and so
// pulls all arms until the first one is.
func HardForRacing() Experiment {
	return Experiment{
		Name: "ecape-hard-for-racing", Title: "Instances hard for racing", Paper: "Fig. 7 and 8", Delta: .01, Reps: 250,
		instances: hardForRacing,
		runs:      append(byRadius(Paper, 250, Methods...), byRadius(Calibrated, 50, Methods...)...),
		claims:    racingClaims,
	}
}

// hardForRacing returns the instances: Bernoulli arms with mean of the first
// objective at most 0.6, (0.55, 0.80) and K - 1 arms evenly spaced from (0.15,
// 0.60) to (0.40, 0.35).
func hardForRacing() ([]*bandit.Instance, error) {
	region, err := polyhedron.HalfSpace([]float64{1, 0}, .6, "objective 1 <= 0.6")
	if err != nil {
		return nil, err
	}
	var all []*bandit.Instance
	for _, c := range []struct {
		name, figure string
		k            int
	}{{Racing5, "Fig. 7", 5}, {Racing10, "Fig. 8", 10}} {
		means := [][]float64{{.55, .80}}
		for i := range c.k - 1 {
			s := .25 * float64(i) / float64(c.k-2)
			means = append(means, []float64{.15 + s, .60 - s})
		}
		inst, err := constrained(c.name, means, 0, region, styleOf(c.figure),
			"the region is bounded from above: bounded from below, a dominated arm would be nearer to the boundary than the arm that dominates it, and the paper has dominated arms far from it")
		if err != nil {
			return nil, err
		}
		all = append(all, inst)
	}
	return all, nil
}

// racingClaims lists what appendices F and G.3 assert.
func racingClaims(e Experiment) []study.Claim {
	both := []string{Racing5, Racing10}
	return []study.Claim{
		{ID: "A1", Source: "Fig. 7", Statement: "racing needs more samples than e-cAPE, K = 5", Check: study.OnRows(exceeds(Racing5, Racing, ECAPE, Paper, 1))},
		{ID: "A2", Source: "Fig. 8", Statement: "racing is largely outperformed by e-cAPE, K = 10", Check: study.OnRows(exceeds(Racing10, Racing, ECAPE, Paper, 2))},
		{ID: "A3", Source: "Fig. 8", Statement: "even the two-stage method outperforms racing, K = 10", Check: study.OnRows(exceeds(Racing10, Racing, TwoStage, Paper, 1))},
		{ID: "B1", Source: "F", Statement: "the gap between racing and e-cAPE grows with K", Check: study.OnRows(grows)},
		{ID: "B2", Source: "F", Statement: "racing pulls all arms until the optimal one appears confidently feasible", Check: study.OnRows(together)},
		{ID: "B3", Source: "G.3", Statement: "e-cAPE and the two-stage method have close theoretical complexities", Check: study.OnRows(alike(e))},
		{ID: "C1", Source: "G.3", Statement: "the error is negligible at delta = 0.01", Check: study.OnRows(negligible(e.Delta, both, Methods, Paper, "negligible is taken to mean below delta: "))},
		{ID: "C2", Source: "Theorem 4.4", Statement: "with guaranteed constants the error probability is at most delta", Check: study.OnRows(negligible(e.Delta, both, Methods, Calibrated, ""))},
	}
}

// exceeds judges whether a method needs more than least times the pulls of
// another, by the ratio of their medians.
func exceeds(instance, method, other, constants string, least float64) func([]mc.Row) study.Verdict {
	return func(rows []mc.Row) study.Verdict {
		a, b := cell(rows, instance, method, constants), cell(rows, instance, other, constants)
		if len(a) == 0 || len(b) == 0 {
			return study.Missing(method + " and " + other + " on " + instance)
		}
		r := tidy.PullsRatio(a, b, confidence)
		v := study.Verdict{Outcome: study.Differs, Measured: fmt.Sprintf("%.2f times the median of %s [%.2f, %.2f]", r.Center, other, r.Lo, r.Hi), Why: "ratio of medians"}
		if least > 1 {
			v.Why += fmt.Sprintf("; largely is taken to mean more than %v times", least)
		}
		if r.Lo > least {
			v.Outcome = study.Agrees
		}
		return v
	}
}

// grows compares the ratio of racing to e-cAPE at both sizes.
func grows(rows []mc.Row) study.Verdict {
	var r [2]tidy.Summary
	for i, name := range []string{Racing5, Racing10} {
		a, b := cell(rows, name, Racing, Paper), cell(rows, name, ECAPE, Paper)
		if len(a) == 0 || len(b) == 0 {
			return study.Missing(Racing + " on " + name)
		}
		r[i] = tidy.PullsRatio(a, b, confidence)
	}
	v := study.Verdict{Outcome: study.Differs, Why: "ratio of medians, intervals included",
		Measured: fmt.Sprintf("racing needs %.2f times as many at K = 5 [%.2f, %.2f], %.2f at K = 10 [%.2f, %.2f]", r[0].Center, r[0].Lo, r[0].Hi, r[1].Center, r[1].Lo, r[1].Hi)}
	if r[1].Lo > r[0].Hi {
		v.Outcome = study.Agrees
	}
	return v
}

// together compares the pulls of the arm that racing pulls least with those of
// the optimal arm.
func together(rows []mc.Row) study.Verdict {
	v := study.Verdict{Outcome: study.Agrees, Why: "taken to mean that the arm pulled least gets at least 90 % of the pulls of the optimal one, interval included"}
	for _, name := range []string{Racing5, Racing10} {
		c := cell(rows, name, Racing, Paper)
		if len(c) == 0 {
			return study.Missing(Racing + " on " + name)
		}
		var share []float64
		for _, r := range c {
			share = append(share, float64(slices.Min(r.ArmPulls))/float64(r.ArmPulls[0]))
		}
		m := tidy.Median(share, confidence)
		if v.Measured != "" {
			v.Measured += "; "
		}
		v.Measured += fmt.Sprintf("%s: the arm pulled least gets %.0f %% of the pulls of the optimal one", name, 100*m.Center)
		if !(m.Lo >= .9) {
			v.Outcome = study.Differs
		}
	}
	return v
}

// alike compares the complexity terms of e-cAPE and the two-stage method.
func alike(e Experiment) func([]mc.Row) study.Verdict {
	return func([]mc.Row) study.Verdict {
		instances, err := e.instances()
		if err != nil {
			return study.Verdict{Measured: "-", Why: err.Error()}
		}
		v := study.Verdict{Why: "HPSI + HF over C*, of instances in the style of the paper's, whose means are not published"}
		for _, inst := range instances {
			c := cStar(inst)
			r := (c.HPSI + c.HF) / c.Value
			if v.Measured != "" {
				v.Measured += ", "
			}
			v.Measured += fmt.Sprintf("%s: %.2f", inst.Name, r)
		}
		return v
	}
}
