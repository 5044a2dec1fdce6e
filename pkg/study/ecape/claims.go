package ecape

import (
	"fmt"
	"slices"
	"strings"

	"gonum.org/v1/gonum/stat"

	"github.com/purexp/purexp/pkg/dataset"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/mc"
	"github.com/purexp/purexp/pkg/pareto"
	"github.com/purexp/purexp/pkg/study"
	"github.com/purexp/purexp/pkg/tidy"
)

// arm75 is the arm that the paper discusses.
const arm75 = 2

// negligibly is what the paper's word is taken to mean.
const negligibly = "negligible is taken to mean below delta: "

// A check judges a claim.
type check = func(*study.Results) study.Verdict

// clinicalClaims are what section 5 asserts.
func clinicalClaims() []study.Claim {
	var cs []study.Claim
	for _, c := range []struct{ id, instance, source string }{
		{"A", Published, "5.2, Fig. 4 left"}, {"B", Described, "5.2, Fig. 4 left"},
		{"C", CovBoost, "5.2, Fig. 4 right"},
	} {
		for i, baseline := range trials[1:] {
			if c.instance != CovBoost || baseline != Uniform { // that is claim C3
				cs = append(cs, fewer(fmt.Sprint(c.id, i+1), c.source, c.instance, baseline))
			}
		}
	}
	return append(cs, []study.Claim{
		{ID: "C3", Source: "5.2", Statement: "covboost: the sample complexity of Uniform is " +
			"excessively high",
			Check: excessive},
		{ID: "D1", Source: "5", Statement: "empirical error is negligible at delta = 0.1",
			Check: rarelyWrong(trials, Printed, negligibly)},
		{ID: "D2", Source: "Theorem 4.4",
			Statement: "with the theorem's constants the error probability is at most delta",
			Check:     rarelyWrong(trials, Theory, "")},
		{ID: "E1", Source: "5.2", Statement: "75 mg is suboptimal compared to 150 mg",
			Check: suboptimal, Known: true},
		{ID: "E2", Source: "5.2", Statement: "e-cAPE classifies 75 mg as suboptimal and spends " +
			"less on it than the two-stage method, which certifies its feasibility",
			Check: cheaper75},
		{ID: "F1", Source: "5.1", Statement: "the Pareto set of covboost without constraints " +
			"includes two strategies",
			Check: twoStrategies, Known: true},
		{ID: "F2", Source: "5.1", Statement: "the trial of secukinumab involved 247 patients",
			Check: patients, Known: true},
	}...)
}

// polyhedraClaims are what appendix G.1 asserts about numbers of pulls.
func polyhedraClaims() []study.Claim {
	var cs []study.Claim
	for i, name := range regions {
		id := string(rune('A' + i))
		cs = append(cs,
			fewer(id+"1", "G.1, Table 4", name, TwoStage),
			fewer(id+"2", "G.1, Table 4", name, Uniform),
			fewer(id+"3", "not in the paper", name, Racing))
	}
	for i, constants := range []string{Printed, Calibrated} {
		cs = append(cs, study.Claim{ID: fmt.Sprint("D", i+1), Source: "G.1",
			Check: uniformWins(constants),
			Statement: "in some experiments uniform sampling with e-cAPE's stopping rule needs " +
				"fewer samples than the two-stage method (" + constants + " constants)"})
	}
	return append(cs, []study.Claim{
		{ID: "E", Source: "Table 4", Statement: "e-cAPE needs 2679, 19034 and 4313 samples on " +
			"average",
			Check: averages},
		{ID: "F1", Source: "5, of the trials",
			Statement: "empirical error of the methods of Table 4 is negligible at delta = 0.1",
			Check:     rarelyWrong(compared, Printed, negligibly)},
		{ID: "F2", Source: "not in the paper", Statement: "and so is that of racing",
			Check: rarelyWrong([]string{Racing}, Printed, negligibly)},
		{ID: "F3", Source: "Theorem 4.4",
			Statement: "with guaranteed constants the error probability is at most delta",
			Check:     rarelyWrong(trials, Calibrated, "")},
	}...)
}

// explainabilityClaims are what appendix G.2 asserts.
func explainabilityClaims() []study.Claim {
	var cs []study.Claim
	add := func(id, source, statement string, c check) {
		cs = append(cs, study.Claim{ID: id, Source: source, Statement: statement, Check: c})
	}
	for _, c := range []struct{ id, own, other string }{{"A1", Printed, Printed}, {"A2",
		Printed, Heuristic}, {"A3", Calibrated, Theory}} {
		add(c.id, "Fig. 6, right", fmt.Sprintf("e-cAPE (%s constants) needs slightly fewer "+
			"samples than Game-cPSI (%s threshold)", c.own, c.other), slightly(c.own, c.other))
	}
	cs = append(cs, study.Claim{ID: "B", Source: "G.2",
		Statement: "the complexities of both questions could be close on that instance",
		Check:     near, Known: true})
	games, ours := []string{Printed, Heuristic, Theory}, []string{Printed, Calibrated}
	for _, c := range games {
		add("C1 "+c, "G.2", "the reasons of Game-cPSI ("+c+" threshold) are wrong more often "+
			"than delta: 39 %", wrongReasons(CheapReasons, c))
	}
	add("C2", "G.2", "its set is wrong at most with probability delta: 0 %", rarelyOf(setsWrong,
		Game, games...))
	add("D1", "G.2", "the reasons of e-cAPE are wrong at most with probability delta: 1 %",
		rarelyOf(study.Mistakes, ECAPE, ours...))
	add("D2", "G.2", "and so is its set: 0 %", rarelyOf(setsWrong, ECAPE, ours...))
	for _, c := range []struct{ id, own, other string }{{"E1", Printed, Heuristic}, {"E2",
		Calibrated, Theory}} {
		add(c.id, "not in the paper", fmt.Sprintf("where reasons cost more than the set, "+
			"e-cAPE (%s constants) needs more samples than Game-cPSI (%s threshold)", c.own,
			c.other), dearer(c.own, c.other))
	}
	add("E3", "not in the paper", "there too the reasons of Game-cPSI (heuristic threshold) "+
		"are wrong more often than delta", wrongReasons(HardReasons, Heuristic))
	add("E4", "Theorem 4.4", "with guaranteed constants (Kaufmann-Koolen) the reasons of "+
		"e-cAPE are wrong at most with probability delta", rarelyOf(study.Mistakes, ECAPE,
		Calibrated))
	return cs
}

// racingClaims are what appendices F and G.3 assert.
func racingClaims() []study.Claim {
	return []study.Claim{
		{ID: "A1", Source: "Fig. 7", Statement: "racing needs more samples than e-cAPE, K = 5",
			Check: more(Racing5, Racing, ECAPE, 1)},
		{ID: "A2", Source: "Fig. 8", Statement: "racing is largely outperformed by e-cAPE, K = 10",
			Check: more(Racing10, Racing, ECAPE, 2)},
		{ID: "A3", Source: "Fig. 8", Statement: "even the two-stage method outperforms racing, " +
			"K = 10",
			Check: more(Racing10, Racing, TwoStage, 1)},
		{ID: "B1", Source: "F", Statement: "the gap between racing and e-cAPE grows with K",
			Check: grows},
		{ID: "B2", Source: "F", Statement: "racing pulls all arms until the optimal one " +
			"appears confidently feasible",
			Check: together},
		{ID: "B3", Source: "G.3", Statement: "e-cAPE and the two-stage method have close " +
			"theoretical complexities",
			Check: alike, Known: true},
		{ID: "C1", Source: "G.3", Statement: "the error is negligible at delta = 0.01",
			Check: rarelyWrong(trials, Printed, negligibly)},
		{ID: "C2", Source: "Theorem 4.4",
			Statement: "with guaranteed constants the error probability is at most delta",
			Check:     rarelyWrong(trials, Calibrated, "")},
	}
}

// A cell is the runs of a method with its constants.
type cell struct{ method, constants string }

func (c cell) String() string { return study.Labelled(c.method, c.constants) }

// compare judges two cells on an instance by the ratio of their median numbers of pulls, paired by
// replicate.
func compare(
	instance string, a, b cell, judge func(a, b []mc.Row, r tidy.Summary) study.Verdict,
) check {
	return func(r *study.Results) study.Verdict {
		x, y := r.On(instance, a.method, a.constants), r.On(instance, b.method, b.constants)
		for _, c := range []struct {
			cell
			rows []mc.Row
		}{{a, x}, {b, y}} {
			if len(c.rows) == 0 {
				return study.Missing(c.String() + " on " + instance)
			}
		}
		return judge(x, y, tidy.PullsRatio(x, y, study.Confidence))
	}
}

// medians says what a ratio of medians is.
func medians(r tidy.Summary) string {
	return fmt.Sprintf("ratio of medians %.2f [%.2f, %.2f]", r.Center, r.Lo, r.Hi)
}

// times puts a ratio into words.
func times(r tidy.Summary) string {
	if r.Center < 1 {
		return fmt.Sprintf("e-cAPE pulls %.0f %% fewer", 100*(1-r.Center))
	}
	return fmt.Sprintf("e-cAPE pulls %.0f %% more", 100*(r.Center-1))
}

// fewer claims that e-cAPE needs fewer pulls than a baseline.
func fewer(id, source, instance, baseline string) study.Claim {
	return study.Claim{
		ID: id, Source: source,
		Statement: fmt.Sprintf("%s: e-cAPE needs fewer samples than %s", instance, baseline),
		Check: compare(instance, cell{ECAPE, Printed}, cell{baseline, Printed},
			func(own, other []mc.Row, r tidy.Summary) study.Verdict {
				v := study.Verdict{Outcome: study.Differs, Measured: medians(r), Why: times(r)}
				if r.Hi < 1 {
					v.Outcome = study.Agrees
					return v
				}
				if r.Lo <= 1 {
					v.Why = "no difference: " + v.Why
				}
				// Algorithm 1 advances t by one for two pulls.
				t := tidy.RatioOfMedians(rounds(own), study.Pulls(other), true, study.Confidence)
				v.Why += fmt.Sprintf("; if the paper counts e-cAPE's rounds, of two pulls "+
					"each, the ratio is %.2f [%.2f, %.2f]", t.Center, t.Lo, t.Hi)
				return v
			}),
	}
}

// rounds counts rounds as the t of the paper's Algorithm 1 does: the first pull of each arm is a
// round of its own.
func rounds(rows []mc.Row) []float64 {
	x := make([]float64, len(rows))
	for i, r := range rows {
		x[i] = float64(r.Rounds - 1 + len(r.ArmPulls))
	}
	return x
}

var excessive = compare(CovBoost, cell{Uniform, Printed}, cell{ECAPE, Printed},
	func(_, _ []mc.Row, r tidy.Summary) study.Verdict {
		return study.Decide(r.Lo > 2,
			fmt.Sprintf("%.1f times e-cAPE's median [%.1f, %.1f]", r.Center, r.Lo, r.Hi),
			"not run in the paper; taken to mean more than twice as many")
	})

// more judges whether a method needs more than least times the pulls of another.
func more(instance, method, other string, least float64) check {
	return compare(instance, cell{method, Printed}, cell{other, Printed},
		func(_, _ []mc.Row, r tidy.Summary) study.Verdict {
			why := "ratio of medians"
			if least > 1 {
				why += fmt.Sprintf("; largely is taken to mean more than %v times", least)
			}
			return study.Decide(r.Lo > least,
				fmt.Sprintf("%.2f times the median of %s [%.2f, %.2f]", r.Center, other, r.Lo, r.Hi),
				why)
		})
}

// slightly judges whether e-cAPE needs fewer pulls than Game-cPSI, and less than twofold so.
func slightly(own, other string) check {
	return compare(CheapReasons, cell{ECAPE, own}, cell{Game, other},
		func(_, _ []mc.Row, r tidy.Summary) study.Verdict {
			why := times(r)
			if r.Hi < 1 && r.Center <= .5 {
				why += ": fewer, but slightly is taken to mean by less than half"
			}
			return study.Decide(r.Hi < 1 && r.Center > .5, medians(r), why)
		})
}

// dearer judges whether e-cAPE needs more pulls than Game-cPSI where reasons are hard.
func dearer(own, other string) check {
	return compare(HardReasons, cell{ECAPE, own}, cell{Game, other},
		func(_, _ []mc.Row, r tidy.Summary) study.Verdict {
			why := times(r)
			if r.Lo <= 1 && other == Theory {
				why += "; the threshold of Game-cPSI covers all K d means at once, those of " +
					"e-cAPE each pair and each arm by itself"
			}
			return study.Decide(r.Lo > 1, medians(r), why)
		})
}

// uniformWins looks for an instance on which Uniform needs fewer pulls than the two-stage method.
func uniformWins(constants string) check {
	return func(r *study.Results) study.Verdict {
		v := study.Verdict{Outcome: study.Differs, Why: "on none beyond doubt"}
		var measured []string
		for _, name := range r.Experiment.Names {
			u, s := r.On(name, Uniform, constants), r.On(name, TwoStage, constants)
			if len(u) == 0 || len(s) == 0 {
				continue
			}
			q := tidy.PullsRatio(u, s, study.Confidence)
			measured = append(measured, fmt.Sprintf("%s: %.2f times the two-stage method's "+
				"median [%.2f, %.2f]", name, q.Center, q.Lo, q.Hi))
			if q.Hi < 1 {
				v.Outcome, v.Why = study.Agrees, "on "+name+", interval included"
			}
		}
		if measured == nil {
			return study.Missing(Uniform + " and " + TwoStage)
		}
		v.Measured = strings.Join(measured, "; ")
		return v
	}
}

// averages reports means that cannot be compared.
func averages(r *study.Results) study.Verdict {
	var measured []string
	for _, name := range r.Experiment.Names {
		c := r.On(name, ECAPE, Printed)
		if len(c) == 0 {
			return study.Missing(ECAPE + " on " + name)
		}
		measured = append(measured, tidy.Int(int(stat.Mean(study.Pulls(c), nil))))
	}
	return study.Verdict{Measured: strings.Join(measured, ", "),
		Why: "the means of the instances are not published; those here are in their style"}
}

// grows compares the ratio of racing to e-cAPE at both sizes.
func grows(r *study.Results) study.Verdict {
	var q [2]tidy.Summary
	for i, name := range []string{Racing5, Racing10} {
		a, b := r.On(name, Racing, Printed), r.On(name, ECAPE, Printed)
		if len(a) == 0 || len(b) == 0 {
			return study.Missing(Racing + " on " + name)
		}
		q[i] = tidy.PullsRatio(a, b, study.Confidence)
	}
	return study.Decide(q[1].Lo > q[0].Hi, fmt.Sprintf(
		"racing needs %.2f times as many at K = 5 [%.2f, %.2f], %.2f at K = 10 [%.2f, %.2f]",
		q[0].Center, q[0].Lo, q[0].Hi, q[1].Center, q[1].Lo, q[1].Hi),
		"ratio of medians, intervals included")
}

// together compares the pulls of the arm that racing pulls least with those of the optimal arm.
func together(r *study.Results) study.Verdict {
	all := true
	var measured []string
	for _, name := range r.Experiment.Names {
		var share []float64
		for _, row := range r.On(name, Racing, Printed) {
			share = append(share, float64(slices.Min(row.ArmPulls))/float64(row.ArmPulls[0]))
		}
		if share == nil {
			return study.Missing(Racing + " on " + name)
		}
		m := tidy.Median(share, study.Confidence)
		measured = append(measured, fmt.Sprintf("%s: the arm pulled least gets %.0f %% of the "+
			"pulls of the optimal one", name, 100*m.Center))
		all = all && m.Lo >= .9
	}
	return study.Decide(all, strings.Join(measured, "; "), "taken to mean that the arm pulled "+
		"least gets at least 90 % of the pulls of the optimal one, interval included")
}

// rarelyWrong judges the errors of methods on all instances; meaning says what the paper's words
// are taken to mean.
func rarelyWrong(methods []string, constants, meaning string) check {
	var cells []cell
	for _, m := range methods {
		cells = append(cells, cell{m, constants})
	}
	return rarely(study.Mistakes, meaning, func(c cell) string { return c.method }, cells)
}

// rarelyOf judges the sets, or the reasons, of a method with several constants on all instances.
func rarelyOf(mistakes func([]mc.Row) int, method string, constants ...string) check {
	var cells []cell
	for _, c := range constants {
		cells = append(cells, cell{method, c})
	}
	return rarely(mistakes, "", cell.String, cells)
}

// rarely judges whether mistakes are made with probability at most delta; name is what a cell is
// called.
func rarely(
	mistakes func([]mc.Row) int, meaning string, name func(cell) string, cells []cell,
) check {
	return func(r *study.Results) study.Verdict {
		var ts []study.Tally
		for _, instance := range r.Experiment.Names {
			for _, c := range cells {
				rows := r.On(instance, c.method, c.constants)
				if len(rows) == 0 {
					return study.Missing(c.String() + " on " + instance)
				}
				ts = append(ts, study.Tally{
					Name: name(c) + " on " + instance, Wrong: mistakes(rows), Runs: len(rows),
				})
			}
		}
		return study.AtMost(r.Experiment.Delta, ts, meaning)
	}
}

// setsWrong counts the rows whose set is wrong. A run that did not end is wrong.
func setsWrong(rows []mc.Row) (n int) {
	for i := range rows {
		wrong, ok := rows[i].Measure(SetWrong)
		if !ok || wrong > 0 || rows[i].Status != explore.Stopped.String() {
			n++
		}
	}
	return n
}

// wrongReasons judges whether the reasons of Game-cPSI are wrong more often than delta.
func wrongReasons(instance, constants string) check {
	return func(r *study.Results) study.Verdict {
		c := cell{Game, constants}
		rows := r.On(instance, c.method, c.constants)
		if len(rows) == 0 {
			return study.Missing(c.String() + " on " + instance)
		}
		n, s := study.Mistakes(rows), study.ErrorRate(rows)
		v := study.Verdict{Measured: fmt.Sprintf("%d of %d wrong: %.1f %% [%.1f %%, %.1f %%]",
			n, len(rows), 100*s.Center, 100*s.Lo, 100*s.Hi),
			Why: "too few replicates to tell"}
		switch delta := r.Experiment.Delta; {
		case s.Lo > delta:
			v.Outcome, v.Why = study.Agrees, "above delta, interval included"
		case s.Hi <= delta:
			v.Outcome, v.Why = study.Differs, "below delta, interval included"
		}
		return v
	}
}

// cheaper75 compares what 75 mg costs e-cAPE and the two-stage method.
var cheaper75 = compare(Described, cell{ECAPE, Printed}, cell{TwoStage, Printed},
	func(own, other []mc.Row, _ tidy.Summary) study.Verdict {
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
		share := tidy.Rate(dominated, len(own), study.Confidence)
		r := tidy.RatioOfMedians(of75(own), of75(other), true, study.Confidence)
		v := study.Verdict{Measured: fmt.Sprintf("75 mg is classified as dominated in %.0f %% "+
			"of runs [%.0f %%, %.0f %%]; pulls of 75 mg %.2f times the two-stage method's "+
			"[%.2f, %.2f]",
			100*share.Center, 100*share.Lo, 100*share.Hi, r.Center, r.Lo, r.Hi)}
		switch {
		case share.Lo > .5 && r.Hi < 1:
			v.Outcome, v.Why = study.Agrees, "it is cheaper to show that 75 mg is dominated"
		case share.Hi < .5:
			v.Outcome, v.Why = study.Differs, "75 mg misses safety by 0.012 and is dominated "+
				"by 0.010 only, so that showing it infeasible is cheaper"
		default:
			v.Outcome, v.Why = study.Differs, "e-cAPE does not spend less on 75 mg"
		}
		return v
	})

// failed is the verdict where a table cannot be read or a number not be computed.
func failed(err error) study.Verdict { return study.Verdict{Measured: "-", Why: err.Error()} }

func suboptimal(r *study.Results) study.Verdict {
	inst, err := r.Experiment.Named(Published)
	if err != nil {
		return failed(err)
	}
	mu := inst.Means()
	return study.Verdict{
		Outcome: study.Differs,
		Measured: fmt.Sprintf("efficacy %.3f of 75 mg, %.3f of 150 mg", mu.At(arm75, 0),
			mu.At(arm75+1, 0)),
		Why: "the published rates say otherwise; \"" + Described + "\" sets 75 mg to 0.455",
	}
}

func twoStrategies(r *study.Results) study.Verdict {
	inst, err := r.Experiment.Named(CovBoost)
	if err != nil {
		return failed(err)
	}
	front := pareto.Set(inst.Means())
	var arms []string
	for _, a := range front {
		arms = append(arms, inst.Problem.Arm(a))
	}
	v := study.Verdict{Outcome: study.Differs, Measured: strings.Join(arms, ", ")}
	if len(front) == 2 {
		v.Outcome, v.Why = study.Agrees, "computed from the published means"
	}
	return v
}

func patients(*study.Results) study.Verdict {
	df, err := dataset.SecukinumabFrame()
	if err != nil {
		return failed(err)
	}
	n := 0.
	for _, v := range df.Col("n_randomised").Float() {
		n += v
	}
	return study.Verdict{Outcome: study.Differs,
		Measured: fmt.Sprintf("%.0f", n), Why: "number randomised in the trial's publication"}
}

// near compares the characteristic times of both questions.
func near(r *study.Results) study.Verdict {
	inst, err := r.Experiment.Named(CheapReasons)
	if err != nil {
		return failed(err)
	}
	set, err := characteristicTime(inst, true)
	if err != nil {
		return failed(err)
	}
	explained, err := characteristicTime(inst, false)
	if err != nil {
		return failed(err)
	}
	return study.Verdict{Why: "of an instance in the style of the paper's, whose means are not " +
		"published",
		Measured: fmt.Sprintf("T* = %.1f for the set, %.1f with reasons: %.1f %% more",
			set.Upper, explained.Upper, 100*(explained.Upper/set.Lower-1))}
}

// alike compares the complexity terms of e-cAPE and the two-stage method.
func alike(r *study.Results) study.Verdict {
	all, err := instances(r.Experiment)
	if err != nil {
		return failed(err)
	}
	var measured []string
	for _, inst := range all {
		c := cStar(inst)
		measured = append(measured, fmt.Sprintf("%s: %.2f", inst.Name, (c.HPSI+c.HF)/c.Value))
	}
	return study.Verdict{Measured: strings.Join(measured, ", "),
		Why: "HPSI + HF over C*, of instances in the style of the paper's, whose means are not " +
			"published"}
}
