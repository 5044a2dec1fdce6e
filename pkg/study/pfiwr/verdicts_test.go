package pfiwr

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/mc"
	"github.com/purexp/purexp/pkg/seed"
	"github.com/purexp/purexp/pkg/study"
	"github.com/purexp/purexp/pkg/study/studytest"
)

// noisy is a value with log-normal noise that differs from row to row and method to method.
func noisy(r *mc.Row, value, spread float64) float64 {
	rnd := rand.New(seed.New(1).Child(r.Method, r.Constants, r.Size, r.Draw, r.Rep).Source())
	return value * math.Exp(spread*rnd.NormFloat64())
}

// valued are rows whose numbers of a measure are of(method, size), with noise.
func valued(
	measure string, spread float64, of func(m study.Method, size int) float64,
) studytest.Make {
	return func(m study.Method, size int) studytest.Made {
		return studytest.Made{Pulls: 1000, Spread: .1, Reps: 40, Edit: func(r *mc.Row) {
			r.Measures = append(r.Measures,
				mc.Value{Name: measure, Value: noisy(r, of(m, size), spread)})
		}}
	}
}

// one is 1 for all but a method with given constants.
func one(name, constants string, x float64) func(study.Method, int) float64 {
	return func(m study.Method, _ int) float64 {
		if m.Name == name && m.Constants == constants {
			return x
		}
		return 1
	}
}

// below are sides of a claim that a measure of a method is below that of others.
func below(measure, name, constants string) studytest.Sides {
	return studytest.Sides{
		Agrees:  valued(measure, .1, one(name, constants, .5)),
		Differs: valued(measure, .1, one(name, constants, 2)),
		Unclear: valued(measure, .5, one(name, constants, 1)),
	}
}

// shares are rows of which a share has the number 1 of a measure, and the others 0.
func shares(measure string, share float64, reps int) studytest.Make {
	return func(study.Method, int) studytest.Made {
		return studytest.Made{Pulls: 1000, Reps: reps, Edit: func(r *mc.Row) {
			v := 0.
			if float64(r.Rep) < share*float64(reps) {
				v = 1
			}
			r.Measures = append(r.Measures, mc.Value{Name: measure, Value: v})
		}}
	}
}

// guarantee are sides of a claim that the error rate of a method is at most delta.
func guarantee(method string) studytest.Sides {
	return studytest.Sides{
		Agrees:  studytest.Wrongs(200, nil),
		Differs: studytest.Wrongs(200, map[string]float64{method: .3}),
		Unclear: studytest.Wrongs(6, nil),
	}
}

// pulls are sides of a claim that a method needs fewer pulls.
func pulls(method string) studytest.Sides {
	at := func(x, spread float64) studytest.Make {
		return studytest.Pulls(spread, map[string]float64{method: 1000 * x})
	}
	return studytest.Sides{Agrees: at(.5, .1), Differs: at(2, .1), Unclear: at(1, .5)}
}

func TestVerdicts(t *testing.T) {
	end := errorAt(last(estimatorRounds))
	ratio := func(x, spread float64) studytest.Make {
		return valued(
			end, spread, one(RidgeLambda, "", x),
		)
	}
	diverse := func(x, spread float64) studytest.Make {
		return valued(end, spread, func(m study.Method, size int) float64 {
			if m.Name == RidgeLambda && size%2 == 0 {
				return x
			}
			return 1
		})
	}
	both := func(diverse, correlated, spread float64) studytest.Make {
		return valued(end, spread, func(m study.Method, size int) float64 {
			switch {
			case m.Name != RidgeLambda:
				return 1
			case size%2 == 0:
				return diverse
			}
			return correlated
		})
	}
	estimator := Estimator
	estimator.Claims = nil
	for _, c := range Estimator.Claims {
		if c.ID != "A5" { // whatever its rows, it is not unclear: see TestCollapses
			estimator.Claims = append(estimator.Claims, c)
		}
	}
	studytest.Verdicts(t, estimator, map[string]studytest.Sides{
		"A1": {Agrees: ratio(.73, .1), Differs: ratio(2, .1), Unclear: ratio(.9, .5)},
		"A2": {Agrees: ratio(1, .1), Differs: ratio(2, .1), Unclear: ratio(1.1, .5)},
		"A3": {Agrees: ratio(.5, .1), Differs: ratio(2, .1), Unclear: ratio(1, .5)},
		"A4": {Agrees: diverse(.5, .1), Differs: diverse(2, .1), Unclear: diverse(1, .5)},
		"A6": below(end, Fresh, ""),
		"A7": {Agrees: both(.73, .99, .1), Differs: both(.99, .73, .1), Unclear: both(.8, .99, .5)},
	})
	converge := func(x, spread float64) studytest.Make {
		return func(study.Method, int) studytest.Made {
			return studytest.Made{Pulls: 40000, Reps: 40, Edit: func(r *mc.Row) {
				r.Measures = []mc.Value{
					{Name: worstAt(400), Value: 1},
					{Name: worstAt(40000), Value: noisy(r, x, spread)},
				}
			}}
		}
	}
	converges := studytest.Sides{
		Agrees: converge(.1, .1), Differs: converge(1, .1), Unclear: converge(.48, .3),
	}
	studytest.Verdicts(t, OneArm, map[string]studytest.Sides{"B1": converges, "B2": converges})

	wrong := func(p9, p5 float64, reps int) studytest.Make {
		return studytest.Wrongs(reps, map[string]float64{PNames(.9): p9, PNames(.5): p5})
	}
	studytest.Verdicts(t, Sensitivity, map[string]studytest.Sides{
		"C1": {
			Agrees: pulls(PNames(.1)).Differs, Differs: pulls(PNames(.1)).Agrees,
			Unclear: pulls(PNames(.1)).Unclear,
		},
		"C2": {Agrees: wrong(.5, .1, 100), Differs: wrong(.1, .5, 100), Unclear: wrong(.2, .2, 20)},
		"C3": guarantee(PNames(.5)), "C4": guarantee(PNames(.1)),
		"C6": pulls(Robust + " " + Calibrated),
	})
	of := func(separate float64, spread float64) studytest.Make {
		return func(_ study.Method, size int) studytest.Made {
			made := studytest.Made{Pulls: 1000, Spread: spread, Reps: 40}
			if size == 1 {
				made.Pulls *= separate
			}
			return made
		}
	}
	studytest.Verdicts(t, Readings, map[string]studytest.Sides{
		"J1": {Agrees: of(1, .1), Differs: of(2, .1), Unclear: of(1.25, .3)},
		"J2": {
			Agrees:  studytest.Wrongs(50, map[string]float64{PFIwR + " " + Calibrated: .8}),
			Differs: studytest.Wrongs(200, nil),
			Unclear: studytest.Wrongs(50, map[string]float64{PFIwR + " " + Calibrated: .14}),
		},
		"J3": pulls(Robust + " " + Calibrated),
	})

	mean := func(name string, pulls, sd float64) studytest.Sides {
		at := func(x, spread float64) studytest.Make {
			return studytest.Pulls(spread, map[string]float64{name + " " + Calibrated: x})
		}
		return studytest.Sides{
			Agrees: at(pulls, .001), Differs: at(2*pulls, .1), Unclear: at(pulls+sd, .2),
		}
	}
	sides := map[string]studytest.Sides{
		"D1b": mean(PFIwR, 11921, 739), "D1c": mean(PFIwR, 68, 20),
		"D2b": mean(PFIMulti, 15059, 294), "D2c": mean(PFIMulti, 952, 21),
		"E1": {
			Agrees: shares(Exact, 1, 1000), Differs: shares(Exact, .5, 100),
			Unclear: shares(Exact, 1, 20),
		},
		"E2": {
			Agrees: shares(Added, .8, 100), Differs: shares(Added, .2, 100),
			Unclear: shares(Added, .5, 100),
		},
		"E5": below("regret", PFIwR, Long), "D6": pulls(PFIMulti + " " + Narrowed),
		"E3": below("regret", PFIwR, Calibrated), "E4": below("regret", PFIwR, SelfNormalised),
		"F1": {
			Agrees: shares(AboveBeta, 0, 100), Differs: shares(AboveBeta, .5, 100),
			Unclear: shares(AboveBeta, .1, 100),
		},
		"F3": guarantee(PFIwR + " " + SelfNormalised), "F4": guarantee(PFIMulti + " " + Theory),
	}
	sides["D3c"] = pulls(PFIwR + " " + Calibrated)
	for _, size := range []string{"a", "b", "c"} {
		sides["D4"+size] = pulls(PFIwR + " " + SelfNormalised)
	}
	studytest.Verdicts(t, SWLLVM, sides)

	phase := func(short, long float64, reps int) studytest.Make {
		return func(_ study.Method, size int) studytest.Made {
			made := studytest.Made{Pulls: 1000, Wrong: long, Reps: reps}
			if size == 16 {
				made.Wrong = short
			}
			return made
		}
	}
	studytest.Verdicts(t, RandomPhase, map[string]studytest.Sides{
		"G1": {Agrees: phase(.6, .1, 100), Differs: phase(.1, .6, 100), Unclear: phase(.2, .2, 50)},
	})
	studytest.Verdicts(t, Widths, map[string]studytest.Sides{
		"H1": guarantee(PFIwR + " " + SelfNormalised), "H2": guarantee(PFIwR + " " + Theory),
		"H3": guarantee(PFIwR + " " + Calibrated),
	})
	for letter, e := range map[string]study.Experiment{"I": Frontier, "K": LinearFrontier} {
		sparing := guarantee(Sparing + " " + Priced(100))
		sparing.Unclear = studytest.Wrongs(2, nil) // of each of several cells
		studytest.Verdicts(t, e, map[string]studytest.Sides{
			letter + "1": pulls(Sparing + " " + Priced(10)),
			letter + "2": below("regret", Sparing, Priced(10)),
			letter + "3": below("regret", Sparing, Priced(10)),
			letter + "4": below("regret", PFIwR, Calibrated), letter + "5": sparing,
		})
	}
}

// The claim that two estimators are one, on rows where they are and are not.
func TestCollapses(t *testing.T) {
	for _, c := range []struct {
		printed float64
		want    study.Outcome
	}{{2, study.Agrees}, {2 * (1 + 1e-12), study.Agrees}, {2 * (1 + 1e-6), study.Differs}} {
		of := func(m study.Method, _ int) float64 {
			if m.Name == Printed {
				return c.printed
			}
			return 2
		}
		rows := studytest.Rows(Estimator, valued(errorAt(last(estimatorRounds)), 0, of))
		if v := collapses(Estimator.Results(rows)); v.Outcome != c.want {
			t.Errorf("errors %v and 2: %+v; want %v", c.printed, v, c.want)
		}
	}
}

// Few pulls with wrong answers are not fewer.
func TestWrongAnswersAreNotFewer(t *testing.T) {
	rows := studytest.Rows(SWLLVM, func(m study.Method, _ int) studytest.Made {
		made := studytest.Made{Pulls: 1000, Spread: .1, Reps: 100}
		if m.Name == PFIwR {
			made.Pulls, made.Wrong = 100, .5
		}
		return made
	})
	if v := fewer(0, Calibrated, Calibrated)(SWLLVM.Results(rows)); v.Outcome != study.Differs {
		t.Errorf("%+v; want that it differs", v)
	}
}

// Nor are they where the doubly robust form errs.
func TestWrongRobustIsNotBetter(t *testing.T) {
	rows := studytest.Rows(Readings, func(m study.Method, _ int) studytest.Made {
		made := studytest.Made{Pulls: 1000, Spread: .1, Reps: 100}
		if m.Name == Robust {
			made.Pulls, made.Wrong = 100, .5
		}
		return made
	})
	v := robustHelps(PFIwR, Calibrated, 0, 1)(Readings.Results(rows))
	if v.Outcome != study.Differs {
		t.Errorf("%+v; want that it differs", v)
	}
}

// What is computed, on both sides.
func TestKnown(t *testing.T) {
	for _, c := range []struct {
		v    study.Verdict
		want study.Outcome
	}{
		{factorAt(.639), study.Agrees}, {factorAt(.638), study.Differs},
		{factorAt(.5), study.Differs},
		{grows(.6), study.Agrees}, {grows(1), study.Differs}, {bestP(nil), study.Agrees},
		{sublinear(nil), study.Agrees}, {phaseEnds(nil), study.Differs},
		{endsWithin(12000, 12846), study.Agrees},
	} {
		if c.v.Outcome != c.want {
			t.Errorf("%+v; want %v", c.v, c.want)
		}
	}
}

// Runs that were given up may have been right: they show of no error rate that it is above delta, as runs that failed do.
func TestVerdictsOfRunsGivenUp(t *testing.T) {
	for status, want := range map[explore.Status]study.Outcome{explore.PullLimit: study.NotComparable, explore.Failure: study.Differs,
		explore.Stopped: study.Differs} {
		made := func(study.Method, int) studytest.Made {
			return studytest.Made{Pulls: 1000, Wrong: 1, Edit: func(r *mc.Row) { r.Status = status.String() }}
		}
		for _, id := range []string{"H1", "H2", "H3"} {
			if v := studytest.Verdict(t, Widths, id, made); v.Outcome != want {
				t.Errorf("%s of wrong runs with the status %v: %+v; want %v", id, status, v, want)
			}
		}
	}
}

// What claims say on made-up rows is what was read.
func TestJudgementsStay(t *testing.T) { studytest.Judgements(t, Paper) }

// Experiments, methods with their settings, and claims are those that were read.
func TestDefinitionsStay(t *testing.T) { studytest.Definitions(t, Paper) }
