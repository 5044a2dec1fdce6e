package gege

import (
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/bandit"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/question"
	"github.com/purexp/purexp/pkg/study"
	"github.com/purexp/purexp/pkg/study/hardness"
	"github.com/purexp/purexp/pkg/study/studytest"
)

// ratioTo are rows in which GEGE needs x times the pulls of the others.
func ratioTo(x, spread float64, constants string) studytest.Make {
	return studytest.Pulls(spread, map[string]float64{GEGE + " " + constants: 1000 * x})
}

// ratioSides are for a claim that GEGE needs at most a limit times the pulls of another.
func ratioSides(limit float64, constants string) studytest.Sides {
	return studytest.Sides{
		Agrees: ratioTo(.8*limit, .1, constants), Differs: ratioTo(1.25*limit, .1, constants),
		Unclear: ratioTo(limit, .3, constants),
	}
}

// atEnds are rows of a method with error rates at the fewest and the most arms; GEGE's are .4.
func atEnds(method string, small, large float64, reps int) studytest.Make {
	return func(m study.Method, size int) studytest.Made {
		made := studytest.Made{Pulls: 5000, Wrong: .4, Reps: reps}
		if m.Name == method {
			switch size {
			case arms[0]:
				made.Wrong = small
			case arms[len(arms)-1]:
				made.Wrong = large
			}
		}
		return made
	}
}

// A rise that GEGE has too is not faster.
func TestRisesFaster(t *testing.T) {
	alike := func(_ study.Method, size int) studytest.Made {
		made := studytest.Made{Pulls: 5000, Wrong: .4, Reps: 2000}
		if size == arms[len(arms)-1] {
			made.Wrong = .7
		}
		return made
	}
	for _, id := range []string{"A2", "A3"} {
		if v := studytest.Verdict(t, SyntheticBudget, id, alike); v.Outcome != study.Differs {
			t.Errorf("%s: %+v; want that it differs", id, v)
		}
	}
}

// Constants are compared with like constants: those of others do not matter.
func TestLikeWithLike(t *testing.T) {
	for _, c := range []struct {
		e  study.Experiment
		id string
		of string
	}{
		{NoCConfidence, "D APE printed", "APE paper"}, {NoCConfidence, "D PAL printed", "PAL paper"},
		{NoCConfidence, "D APE", "APE code"}, {NoCConfidence, "D APE theory", "APE theory"},
		{NoCConfidence, "D PAL", "PAL code"}, {NoCConfidence, "D PAL theory", "PAL theory"},
		{EnergyConfidence, "G", "Auer code"}, {EnergyConfidence, "G theory", "Auer theory"},
	} {
		more := studytest.Pulls(.1, map[string]float64{c.of: 4000})
		if v := studytest.Verdict(t, c.e, c.id, more); v.Outcome != study.Agrees {
			t.Errorf("%s where %s needs more: %+v", c.id, c.of, v)
		}
	}
}

// One competitor that errs no more often is enough; and only budgets below K are early.
func TestEveryCompetitor(t *testing.T) {
	for _, m := range []string{EGESH, EGESR, Uniform} {
		shares := map[string]float64{GEGE: .3, EGESH: 1, EGESR: 1, Uniform: 1}
		shares[m] = .3
		if v := studytest.Verdict(t, EnergyBudget, "E1",
			errors500(shares)); v.Outcome != study.Differs {
			t.Errorf("%s errs as often: %+v", m, v)
		}
	}
	late := func(_ study.Method, size int) studytest.Made {
		made := studytest.Made{Pulls: 100, Reps: 500, Wrong: .9}
		if size < 768 {
			made.Wrong = .1
		}
		return made
	}
	if v := studytest.Verdict(t, EnergyBudget, "E2", late); v.Outcome != study.Agrees {
		t.Errorf("E2 where only large budgets err: %+v", v)
	}
}

// errors500 are rows of 500 runs with shares of wrong answers.
func errors500(shares map[string]float64) studytest.Make { return studytest.Wrongs(500, shares) }

func TestVerdicts(t *testing.T) {
	faster := func(method string) studytest.Sides {
		return studytest.Sides{
			Agrees: atEnds(method, .2, .5, 500), Differs: atEnds(method, .4, .3, 500),
			Unclear: atEnds(method, .4, .5, 100),
		}
	}
	studytest.Verdicts(t, SyntheticBudget, map[string]studytest.Sides{
		"A1": {Agrees: atEnds(GEGE, .4, .35, 500), Differs: atEnds(GEGE, .4, .6, 500),
			Unclear: atEnds(GEGE, .4, .5, 100)},
		"A2": faster(EGESH), "A3": faster(EGESR),
	})
	growth := func(constants string) studytest.Sides {
		at := func(x, spread float64) studytest.Make {
			return studytest.Exponents(spread, map[string]float64{GEGE + " " + constants: x})
		}
		return studytest.Sides{Agrees: at(.1, .1), Differs: at(.4, .1), Unclear: at(.25, .4)}
	}
	guarantee := studytest.Sides{
		Agrees: errors500(nil), Differs: errors500(map[string]float64{GEGE + " " + Theory: .2}),
		Unclear: studytest.Wrongs(20, nil),
	}
	confidence := SyntheticConfidence
	for i, c := range confidence.Claims {
		if c.ID == "B2" { // whatever runs say: see TestGrows
			confidence.Claims = append(confidence.Claims[:i:i], confidence.Claims[i+1:]...)
		}
	}
	studytest.Verdicts(t, confidence, map[string]studytest.Sides{
		"B1": growth(Code), "B1 theory": growth(Theory),
		"J synthetic-confidence": {Agrees: guarantee.Agrees, Differs: guarantee.Differs,
			Unclear: studytest.Wrongs(10, nil)},
	})
	reduction := func(x float64, reps int) studytest.Make {
		return func(m study.Method, size int) studytest.Made {
			made := studytest.Made{Pulls: float64(size), Wrong: .1, Reps: reps}
			switch {
			case m.Name == EGESH && size < 4000:
				made.Pulls = 0 // cannot run
			case m.Name == EGESH && size == 4000:
				made.Wrong = .1 + x
			}
			return made
		}
	}
	studytest.Verdicts(t, NoCBudget, map[string]studytest.Sides{
		"C1": {Agrees: reduction(.5, 500), Differs: reduction(.3, 500),
			Unclear: reduction(.4, 100)},
	})
	studytest.Verdicts(t, NoCConfidence, map[string]studytest.Sides{
		"D APE printed": ratioSides(.8, Printed), "D PAL printed": ratioSides(.8, Printed),
		"D APE": ratioSides(.8, Code), "D PAL": ratioSides(.8, Code),
		"D APE theory": ratioSides(.8, Theory), "D PAL theory": ratioSides(.8, Theory),
		"J noc-confidence": guarantee,
	})
	for _, q := range []struct {
		id string
		e  study.Experiment
	}{{"E", EnergyBudget}, {"F", EnergyMaxBudget}} {
		rivals := func(own, theirs float64) map[string]float64 {
			return map[string]float64{GEGE: own, EGESH: theirs, EGESR: theirs, Uniform: 1}
		}
		studytest.Verdicts(t, q.e, map[string]studytest.Sides{
			q.id + "1": {Agrees: errors500(rivals(.1, .5)), Differs: errors500(rivals(.4, .5)),
				Unclear: errors500(rivals(.2, .4))},
			q.id + "2": {Agrees: errors500(rivals(.4, 1)), Differs: errors500(rivals(.6, 1)),
				Unclear: errors500(rivals(.5, 1))},
		})
	}
	studytest.Verdicts(t, EnergyConfidence, map[string]studytest.Sides{
		"G": ratioSides(.5, Code), "G theory": ratioSides(.5, Theory),
		"J energy-confidence": guarantee,
	})
	studytest.Verdicts(t, EnergyMaxConfidence, map[string]studytest.Sides{"H": ratioSides(.5, Code),
		"H theory": ratioSides(.5, Theory)})
}

// Few pulls with wrong answers do not outperform; with the theorem's assumption broken its
// guarantee is not at stake.
func TestWrongAnswersDoNotOutperform(t *testing.T) {
	wrong := func(m study.Method, _ int) studytest.Made {
		made := studytest.Made{Pulls: 1000, Spread: .1, Reps: 500}
		if m.Name == GEGE {
			made.Pulls, made.Wrong = 100, 1
		}
		return made
	}
	for _, id := range []string{"H", "H theory"} {
		if v := studytest.Verdict(t, EnergyMaxConfidence, id, wrong); v.Outcome != study.Differs {
			t.Errorf("%s: %+v; want that it differs", id, v)
		}
	}
	id := "J energy-maximised-confidence"
	if v := studytest.Verdict(t, EnergyMaxConfidence, id, wrong); v.Outcome != study.NotJudged {
		t.Errorf("%s: %+v; want that it is not judged", id, v)
	}
	if v := studytest.Verdict(t, EnergyConfidence, "J energy-confidence",
		wrong); v.Outcome != study.Differs {
		t.Errorf("J energy-confidence: %+v; want that it differs", v)
	}
}

// Where H1 does not grow, no rows make the claim about the growth of APE agree or differ; where it
// does, they decide.
func TestGrows(t *testing.T) {
	for _, x := range []float64{0, 1} {
		made := studytest.Exponents(.1, map[string]float64{APE + " " + Code: x})
		v := studytest.Verdict(t, SyntheticConfidence, "B2", made)
		if v.Outcome != study.NotJudged {
			t.Errorf("B2 on the instances with exponent %v: %+v", x, v)
		}
	}
	// Arms that are all as close to the only optimal one.
	e := SyntheticConfidence
	e.Instance = func(size, _ int) (*bandit.Instance, error) {
		means := mat.NewDense(size, 1, nil)
		means.Set(0, 0, .5)
		law, err := bandit.NewGaussian(means, mat.NewDiagDense(1, []float64{1}))
		return &bandit.Instance{Name: "close", Law: law, Problem: &explore.Problem{
			Arms: size, Objectives: 1, Sigma: 1, Question: question.Pareto{},
		}}, err
	}
	for _, c := range []struct {
		x, spread float64
		want      study.Outcome
	}{{.5, .1, study.Agrees}, {.1, .1, study.Differs}, {.25, .4, study.NotComparable}} {
		made := studytest.Exponents(c.spread, map[string]float64{APE + " " + Code: c.x})
		if v := studytest.Verdict(t, e, "B2", made); v.Outcome != c.want {
			t.Errorf("exponent %v where H1 grows like K: %+v; want %v", c.x, v, c.want)
		}
	}
	x, err := hardness.GrowthOfH1(SyntheticConfidence, 10, 100)
	if err != nil || !(x > .03 && x < .06) {
		t.Errorf("H1 grows with exponent %v, %v; want log10(1.10)", x, err)
	}
}

// What instances decide, on both sides.
func TestKnown(t *testing.T) {
	for _, c := range []struct {
		v    study.Verdict
		want study.Outcome
	}{
		{budgets(2331, 8, 259), study.Agrees}, {budgets(2600, 8, 259), study.Differs},
		{budgets(1500, 8, 259), study.Differs},
		{budgets(2331, 259, 259), study.Differs}, {three(3), study.Agrees},
		{three(2), study.Differs}, {three(4), study.Differs},
	} {
		if c.v.Outcome != c.want {
			t.Errorf("%+v; want %v", c.v, c.want)
		}
	}
	if v := studytest.Verdict(t, EnergyBudget, "I1", errors500(nil)); v.Outcome != study.Differs {
		t.Errorf("I1: %+v; the linear fit has four optimal arms", v)
	}
}

// What claims say on made-up rows is what was read.
func TestJudgementsStay(t *testing.T) { studytest.Judgements(t, Paper) }

// Experiments, methods with their settings, and claims are those that were read.
func TestDefinitionsStay(t *testing.T) { studytest.Definitions(t, Paper) }
