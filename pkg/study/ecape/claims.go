package ecape

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/stat"

	"github.com/purexp/purexp/pkg/bandit"
	"github.com/purexp/purexp/pkg/dataset"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/mc"
	"github.com/purexp/purexp/pkg/pareto"
	"github.com/purexp/purexp/pkg/study"
	"github.com/purexp/purexp/pkg/study/hardness"
	"github.com/purexp/purexp/pkg/tidy"
)

// arm75 is the dose of 75 mg, which the paper discusses. arm300 is the dose of 300 mg, which is
// also near the boundary.
const (
	arm75  = 2
	arm300 = 4
)

// trialRates explains why measurements on the dose-finding trial cannot reproduce the paper's
// measurements. The paper shows the rates of the trial only as a picture, and probably used other
// rates than the published ones.
const trialRates = "the paper probably used other rates, which are not published: in its Table 5, the two-stage " +
	"method takes 20 times as long as e-cAPE on the trial (54 890 ms and 2759 ms); the order of the methods depends " +
	"on the rates of 75 and 300 mg (experiment ecape/doses)"

// clinicalClaims returns the claims of section 5. Claims about the dose-finding trial are judged on
// two stand-ins. The first stand-in has the published rates; in the second, 75 mg has the rate that
// the paper describes.
func clinicalClaims() []study.Claim {
	var cs []study.Claim
	for _, c := range []struct{ id, instance, source string }{
		{"A", Published, "5.2, Fig. 4 left"}, {"B", Described, "5.2, Fig. 4 left"},
		{"C", CovBoost, "5.2, Fig. 4 right"},
	} {
		for i, baseline := range trials[1:] {
			if c.instance != CovBoost || baseline != Uniform { // claim C3 covers Uniform on CovBoost
				cs = append(cs, fewer(fmt.Sprint(c.id, i+1), c.source, c.instance, baseline))
			}
		}
		if c.instance == Described {
			study.AsAdditions(cs[len(cs)-len(trials[1:]):]...)
		}
	}
	return append(cs, []study.Claim{
		study.Says("C3", "5.2", "covboost: the sample complexity of Uniform is excessively high",
			than(study.LargelyMore, CovBoost, Uniform, ECAPE)),
		study.Says("D1", "5", "the empirical error is negligible at delta = 0.1: covboost", erringOn(CovBoost)),
		study.Says("D1 trial", "5", "the empirical error is negligible at delta = 0.1: secukinumab",
			erringOn(Published, Described)).On(study.StandIn),
		study.Guarantees("D2", "Theorem 4.4", "with the theorem's constants, the error probability is at most delta",
			study.WithinDelta(study.Mistakes, Theory, trials...)).
			On(study.AnyInstance),
		study.Says("E1", "5.2", "75 mg is suboptimal compared to 150 mg",
			study.OnNamed(Published, suboptimal)).Knowable().On(study.StandIn),
		study.Says("E2", "5.2", "e-cAPE classifies 75 mg as suboptimal and pulls it less often than the two-stage "+
			"method, which certifies its feasibility", cheaper75).
			On(study.StandIn),
		study.Says("F1", "5.1", "the Pareto set of covboost without constraints includes two strategies",
			study.OnNamed(CovBoost, twoStrategies)).Knowable(),
		study.Says("F2", "5.1", "the trial of secukinumab involved 247 patients", patients).Knowable(),
	}...)
}

// erringOn returns a check that the fraction of wrong answers is negligible on the named instances.
func erringOn(instances ...string) study.Check {
	return func(r *study.Results) study.Verdict {
		var ts []study.Tally
		for _, name := range instances {
			for _, m := range trials {
				rows := r.On(name, m, Printed)
				if len(rows) == 0 {
					return study.Missing(m + " on " + name)
				}
				ts = append(ts, study.TallyOf(m+" on "+name, rows))
			}
		}
		return study.FewWrong(study.Negligible, ts)
	}
}

// improved is the section of the paper that states the guarantee for radii such as those of
// Kaufmann and Koolen.
const improved = "4.2, improved confidence bounds"

// polyhedraClaims returns the claims of appendix G.1 about numbers of pulls.
func polyhedraClaims() []study.Claim {
	var cs []study.Claim
	for i, name := range regions {
		id := string(rune('A' + i))
		cs = append(cs, fewer(id+"1", "G.1, Table 4", name, TwoStage), fewer(id+"2", "G.1, Table 4", name, Uniform))
		cs = append(cs, study.AsAdditions(fewer(id+"3", "not in the paper", name, Racing))...)
	}
	const wins = "in some experiments, uniform sampling with e-cAPE's stopping rule needs fewer samples than the " +
		"two-stage method (%s constants)"
	return append(cs, []study.Claim{
		study.Says("D1", "G.1", fmt.Sprintf(wins, Printed), uniformWins(Printed)),
		study.Asks("D2", "G.1", fmt.Sprintf(wins, Calibrated), uniformWins(Calibrated)),
		study.Says("E", "Table 4", "e-cAPE needs 2679, 19034 and 4313 samples on average",
			averages).Unjudged("the means of the paper's instances are not published; our instances only resemble " +
			"the paper's, so their numbers of pulls are not comparable"),
		study.Asks("F1", "5, about the trials",
			"the empirical error of the methods of Table 4 is negligible at delta = 0.1",
			study.Erring(study.Negligible, Printed, compared...)),
		study.Asks("F2", "not in the paper", "the empirical error of racing is negligible at delta = 0.1",
			study.Erring(study.Negligible, Printed, Racing)),
		study.Guarantees("F3", improved, "with Kaufmann and Koolen's radii, the error probability is at most delta",
			study.WithinDelta(study.Mistakes, Calibrated, trials...)).
			On(study.AnyInstance),
	}...)
}

// explainabilityClaims returns the claims of appendix G.2. The paper does not state which threshold
// Game-cPSI uses in the figure of that appendix. Therefore, the paper's claims are judged with the
// printed threshold, and additional claims are about other thresholds.
func explainabilityClaims() []study.Claim {
	slightlyFewer := func(id, own, other string) study.Claim {
		return study.Says(id, "Fig. 6, right", fmt.Sprintf("e-cAPE (%s constants) needs slightly fewer samples than "+
			"Game-cPSI (%s threshold)", own, other),
			study.ComparedOn(CheapReasons, study.SlightlyFewer, study.As(ECAPE, own), study.As(Game, other)))
	}
	wrong := func(constants string) study.Claim {
		return study.Says("C1 "+constants, "G.2", "the reasons of Game-cPSI ("+constants+
			" threshold) are wrong with probability above delta (paper: 39 %)",
			wrongReasons(CheapReasons, constants))
	}
	more := func(id, own, other string) study.Claim {
		return study.Asks(id, "not in the paper", fmt.Sprintf("if the set with reasons needs more samples than the "+
			"set alone, e-cAPE (%s constants) needs more samples than Game-cPSI (%s threshold)", own,
			other), study.ComparedOn(HardReasons, study.More, study.As(ECAPE, own),
			study.As(Game, other)))
	}
	return slices.Concat(
		[]study.Claim{slightlyFewer("A1", Printed, Printed)},
		study.AsAdditions(slightlyFewer("A2", Printed, Heuristic), slightlyFewer("A3", Calibrated, Theory)),
		[]study.Claim{study.Says("B", "G.2", "on the paper's instance, the complexities of the set with and without "+
			"reasons could be close",
			study.OnNamed(CheapReasons, compareTimes)).Knowable().
			Unjudged("the means of the paper's instance are not published, and our instance was constructed to have " +
				"close complexities, so the outcome was determined in advance"), wrong(Printed)},
		study.AsAdditions(wrong(Heuristic), wrong(Theory)),
		[]study.Claim{
			study.Says("C2", "G.2", "the set of Game-cPSI is wrong with probability at most delta (paper: 0 %)",
				study.WithinDelta(setsWrong, Printed, Game)),
			study.Guarantees("C3", "Lemma B.1", "with the constants of its theorem, the set of Game-cPSI is wrong "+
				"with probability at most delta",
				study.WithinDelta(setsWrong, Theory, Game)).On(study.AnyInstance),
			study.Says("D1", "G.2", "the reasons of e-cAPE are wrong with probability at most delta (paper: 1 %)",
				study.WithinDelta(study.Mistakes, Printed, ECAPE)),
			study.Says("D2", "G.2", "the set of e-cAPE is wrong with probability at most delta (paper: 0 %)",
				study.WithinDelta(setsWrong, Printed, ECAPE)),
			more("E1", Printed, Heuristic), more("E2", Calibrated, Theory),
			study.Asks("E3", "not in the paper", "if the set with reasons needs more samples than the set alone, "+
				"the reasons of Game-cPSI (heuristic threshold) are wrong with probability above delta",
				wrongReasons(HardReasons, Heuristic)),
			study.Guarantees("E4", improved, "with Kaufmann and Koolen's radii, the reasons of e-cAPE are wrong "+
				"with probability at most delta",
				study.WithinDelta(study.Mistakes, Calibrated, ECAPE)).On(study.AnyInstance),
		})
}

// racingClaims returns the claims of appendices F and G.3.
func racingClaims() []study.Claim {
	return []study.Claim{
		study.Says("A1", "Fig. 7", "racing needs more samples than e-cAPE at K = 5",
			than(study.More, Racing5, Racing, ECAPE)),
		study.Says("A2", "Fig. 8", "racing is largely outperformed by e-cAPE at K = 10",
			than(study.LargelyMore, Racing10, Racing, ECAPE)),
		study.Says("A3", "Fig. 8", "even the two-stage method outperforms racing at K = 10",
			than(study.More, Racing10, Racing, TwoStage)),
		study.Says("B1", "F", "the gap between racing and e-cAPE grows with K", grows),
		study.Says("B2", "F", "racing pulls all arms until the optimal one appears confidently feasible", together),
		study.Says("B3", "G.3", "e-cAPE and the two-stage method have close theoretical "+
			"complexities", compareTerms).Knowable(),
		study.Says("C1", "G.3", "the error is negligible at delta = 0.01",
			study.Erring(study.Negligible, Printed, trials...)),
		study.Guarantees("C2", improved, "with Kaufmann and Koolen's radii, the error probability is at most delta",
			study.WithinDelta(study.Mistakes, Calibrated, trials...)).
			On(study.AnyInstance),
	}
}

// runtimeClaims returns the claims of Table 5, that e-cAPE is faster than the two-stage method on
// every instance. The durations are measured when the first claim is judged, once for the table and
// all claims.
func runtimeClaims() (cs []study.Claim) {
	for i, name := range timed {
		cs = append(cs, study.Says(fmt.Sprint("A", i+1), "Table 5", fmt.Sprintf("%s: a run of e-cAPE takes less "+
			"time than a run of the two-stage method (paper: %.2f times the time)", name,
			times(name, ECAPE, TwoStage)),
			table5.Sooner("e-cAPE / two-stage", name, ECAPE, TwoStage)).On(study.Clock))
	}
	return cs
}

// than returns a check that compares the pulls of two methods with the constants of the paper's
// experiments.
func than(w study.Phrase, instance, method, other string) study.Check {
	return study.ComparedOn(instance, w, study.As(method, Printed), study.As(other, Printed))
}

// fewer returns the claim that e-cAPE needs fewer pulls than the given baseline.
func fewer(id, source, instance, baseline string) study.Claim {
	c := study.Says(id, source, fmt.Sprintf("%s: e-cAPE needs fewer samples than %s", instance, baseline),
		func(r *study.Results) study.Verdict {
			v := than(study.Fewer, instance, ECAPE, baseline)(r)
			if onTrial(instance) && v.Measured != "-" {
				v.Why += "; " + trialRates
			}
			return v
		})
	if onTrial(instance) {
		c = c.On(study.StandIn)
	}
	return c
}

// onTrial reports whether an instance is the dose-finding trial.
func onTrial(instance string) bool { return instance == Published || instance == Described }

// uniformWins returns a check that Uniform needs fewer pulls than the two-stage method on at least
// one instance.
func uniformWins(constants string) study.Check {
	return func(r *study.Results) study.Verdict {
		var cs []study.Condition
		for _, name := range r.Experiment.Names {
			e := r.RatioOn(name, study.As(Uniform, constants), study.As(TwoStage, constants))
			if e.Lacks == "" {
				cs = append(cs, study.Fewer.Of(e))
			}
		}
		if cs == nil {
			return study.Missing(Uniform + " and " + TwoStage)
		}
		return study.Any(cs...)
	}
}

// averages reports the mean pulls of e-cAPE, without a comparison with the paper, whose instances
// are unpublished.
func averages(r *study.Results) study.Verdict {
	var measured []string
	for _, name := range r.Experiment.Names {
		c := r.On(name, ECAPE, Printed)
		if len(c) == 0 {
			return study.Missing(ECAPE + " on " + name)
		}
		measured = append(measured, tidy.Int(int(stat.Mean(study.Pulls(c), nil))))
	}
	return study.Verdict{Measured: strings.Join(measured, ", "), Why: "the numbers are means over the runs"}
}

// grows judges whether the ratio of the pulls of racing to those of e-cAPE is larger with ten arms
// than with five.
func grows(r *study.Results) study.Verdict {
	own := func(method, instance string) []mc.Row { return r.On(instance, method, Printed) }
	return study.More.Judge(study.RatioChange(
		"pulls of racing / e-cAPE at K = 10, divided by the ratio at K = 5", true,
		own(Racing, Racing5), own(ECAPE, Racing5), own(Racing, Racing10), own(ECAPE, Racing10)))
}

// together judges whether the arm with the fewest pulls in racing receives at least 0.9 times the
// pulls of the optimal arm.
func together(r *study.Results) study.Verdict {
	word := study.Between("all arms until the optimal one is feasible", .9, 1,
		"the least-pulled arm has at least 0.9 times as many pulls as the optimal arm")
	var cs []study.Condition
	for _, name := range r.Experiment.Names {
		var share []float64
		for _, row := range r.On(name, Racing, Printed) {
			share = append(share, float64(slices.Min(row.ArmPulls))/float64(row.ArmPulls[0]))
		}
		cs = append(cs, word.Of(study.Median("pulls of the least-pulled arm / optimal arm on "+name, share)))
	}
	return study.All(cs...)
}

// setsWrong counts the rows with a wrong set; a run that did not stop counts as wrong.
func setsWrong(rows []mc.Row) (n int) {
	for i := range rows {
		wrong, ok := rows[i].Measure(SetWrong)
		if !ok || wrong > 0 || rows[i].Status != explore.Stopped.String() {
			n++
		}
	}
	return n
}

// wrongReasons returns a check that the reasons of Game-cPSI are wrong with probability above
// delta.
func wrongReasons(instance, constants string) study.Check {
	return func(r *study.Results) study.Verdict {
		above := study.Between("more often than delta", r.Experiment.Delta, math.Inf(1), "at a rate above delta")
		above.Strict = true
		c := study.As(Game, constants)
		return above.Judge(study.Wrong("wrong answers of "+c.String()+" on "+instance, c.On(r, instance)))
	}
}

// cheaper75 compares the pulls of the 75 mg arm in e-cAPE with those in the two-stage method.
func cheaper75(r *study.Results) study.Verdict {
	own, other := r.On(Described, ECAPE, Printed), r.On(Described, TwoStage, Printed)
	if len(own) == 0 || len(other) == 0 {
		return study.Missing(ECAPE + " and " + TwoStage + " on " + Described)
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
	return study.All(
		study.Mostly.Of(study.Share("share of runs that classify 75 mg as dominated", dominated, len(own))),
		study.Fewer.Of(study.RatioOf("pulls of 75 mg, e-cAPE / two-stage", of75(own), of75(other), true)))
}

// suboptimal judges whether 75 mg is no better than 150 mg in each of the two objectives.
func suboptimal(inst *bandit.Instance) study.Verdict {
	mu := inst.Means()
	of150, of75 := mu.RawRowView(arm75+1), mu.RawRowView(arm75)
	by := study.Between("suboptimal", 0, 1, "at most as good in both objectives")
	return study.All(
		by.Of(study.Exact("efficacy of 150 mg minus that of 75 mg", of150[0]-of75[0])),
		by.Of(study.Exact("safety of 150 mg minus that of 75 mg", of150[1]-of75[1])))
}

func twoStrategies(inst *bandit.Instance) study.Verdict {
	return study.Exactly("two", 2, "number of Pareto-optimal strategies at the published means",
		len(pareto.Set(inst.Means())))
}

func patients(*study.Results) study.Verdict {
	df, err := dataset.SecukinumabFrame()
	if err != nil {
		return study.Unknown(err)
	}
	n := 0.
	for _, v := range df.Col("n_randomised").Float() {
		n += v
	}
	return study.Exactly("247", 247, "number of randomised patients in the trial's publication", int(n))
}

// compareTimes reports the characteristic times of the questions without and with reasons.
func compareTimes(inst *bandit.Instance) study.Verdict {
	set, explained, err := hardness.CharacteristicTimes(inst)
	if err != nil {
		return study.Unknown(err)
	}
	return study.Verdict{Why: "computed",
		Measured: fmt.Sprintf("T* = %.1f for the set, %.1f with reasons: %.1f %% more",
			set.Upper, explained.Upper, 100*(explained.Upper/set.Lower-1))}
}

// compareTerms compares the complexity terms of e-cAPE and of the two-stage method, on instances of
// the kind that the paper describes.
func compareTerms(r *study.Results) study.Verdict {
	all, err := r.Experiment.Instances()
	if err != nil {
		return study.Unknown(err)
	}
	var cs []study.Condition
	for _, inst := range all {
		c := hardness.CStar(inst)
		cs = append(cs, study.Comparable.Of(study.Exact("(HPSI + HF) / C* on "+inst.Name, (c.HPSI+c.HF)/c.Value)))
	}
	return study.All(cs...)
}
