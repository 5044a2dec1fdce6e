package ecape

import (
	"slices"
	"testing"

	"github.com/purexp/purexp/pkg/mc"
	"github.com/purexp/purexp/pkg/study"
	"github.com/purexp/purexp/pkg/study/studytest"
)

// on are rows in which methods need so many times the pulls of others on some instances; nothing is
// wrong, and all arms are pulled alike.
func rowsOn(e study.Experiment, spread float64, times map[string]float64,
	instances ...string) studytest.Make {
	return func(m study.Method, size int) studytest.Made {
		x, ok := times[m.Name]
		if !ok || len(instances) > 0 && !slices.Contains(instances, e.Names[size]) {
			x = 1
		}
		return studytest.Made{Pulls: 1e4 * x, Spread: spread, Reps: 40, Edit: func(r *mc.Row) {
			r.ArmPulls = []int{100, 100, 100, 100, 100}
			r.Measures = []mc.Value{{Name: SetWrong}}
		}}
	}
}

// changed are rows with other numbers, wrong answers or arms.
func changed(make studytest.Make,
	change func(m study.Method, size int, made *studytest.Made)) studytest.Make {
	return func(m study.Method, size int) studytest.Made {
		made := make(m, size)
		change(m, size, &made)
		return made
	}
}

// edited are rows with a further edit.
func edited(make studytest.Make, edit func(m study.Method, r *mc.Row)) studytest.Make {
	return changed(make, func(m study.Method, _ int, made *studytest.Made) {
		before := made.Edit
		made.Edit = func(r *mc.Row) {
			before(r)
			edit(m, r)
		}
	})
}

// ratioSides are for the claim that a method needs as many times the pulls of others as a word
// says.
func ratioSides(e study.Experiment, w study.Word, method string,
	instances ...string) studytest.Sides {
	in, out, edge := .85*w.Hi, 1.5*w.Hi, w.Hi
	if w.Hi > 10 {
		in, out, edge = 1.5*w.Lo, .7*w.Lo, w.Lo
	}
	one := func(x, spread float64) studytest.Make {
		return rowsOn(e, spread, map[string]float64{method: x}, instances...)
	}
	return studytest.Sides{Agrees: one(in, .1), Differs: one(out, .1), Unclear: one(edge, .8)}
}

// wrongSides are for the claim that methods are wrong at most at a rate; runs are those of each
// cell.
func wrongSides(e study.Experiment, enough, few int, method, constants string) studytest.Sides {
	plain := rowsOn(e, .1, nil)
	runs := func(n int, share float64) studytest.Make {
		return changed(plain, func(m study.Method, _ int, made *studytest.Made) {
			made.Reps = n
			if m.Name == method && m.Constants == constants {
				made.Wrong = share
			}
		})
	}
	return studytest.Sides{Agrees: runs(enough, 0), Differs: runs(enough, .3),
		Unclear: runs(few, 0)}
}

func TestVerdictsOfTrials(t *testing.T) {
	e := ClinicalTrials
	// One of the instances is wrong more often.
	erring := func(instance string) studytest.Sides {
		runs := func(n int, share float64) studytest.Make {
			return changed(rowsOn(e, .1, nil), func(m study.Method, size int, made *studytest.Made) {
				made.Reps = n
				if m.Name == Racing && m.Constants == Printed && e.Names[size] == instance {
					made.Wrong = share
				}
			})
		}
		return studytest.Sides{Agrees: runs(100, 0), Differs: runs(100, .3), Unclear: runs(10, 0)}
	}
	sides := map[string]studytest.Sides{
		"C1": ratioSides(e, study.Fewer, ECAPE, CovBoost),
		"C2": ratioSides(e, study.Fewer, ECAPE, CovBoost),
		"C3": ratioSides(e, study.LargelyMore, Uniform, CovBoost),
		"D1": erring(CovBoost), "D1 trial": erring(Described),
		"D2": wrongSides(e, 100, 2, ECAPE, Theory),
	}
	for i, instance := range []string{Published, Described} {
		for k := range trials[1:] {
			sides[string(rune('A'+i))+string(rune('1'+k))] = ratioSides(e, study.Fewer, ECAPE,
				instance)
		}
	}
	// What 75 mg costs, and what it is taken for.
	of75 := func(ours int, dominated float64) studytest.Make {
		i := 0
		return edited(rowsOn(e, .1, nil),
			func(m study.Method, r *mc.Row) {
				r.ArmPulls[arm75] = 100 + r.Rep%7
				if m.Name == ECAPE {
					r.ArmPulls[arm75] = ours + r.Rep%7
					r.Classes = "DDIOI"
					if i++; float64(i%10) < 10*dominated {
						r.Classes = "DDDOI"
					}
				}
			})
	}
	sides["E2"] = studytest.Sides{Agrees: of75(50, 1), Differs: of75(200, 1),
		Unclear: of75(50, .5)}
	for name, made := range map[string]studytest.Make{"cheaper, but called infeasible": of75(50, 0)} {
		if v := studytest.Verdict(t, e, "E2", made); v.Outcome != study.Differs {
			t.Errorf("%s: %+v", name, v)
		}
	}
	studytest.Verdicts(t, e, sides)
}

func TestVerdictsOnPolyhedra(t *testing.T) {
	e := Polyhedra
	sides := map[string]studytest.Sides{
		"F1": wrongSides(e, 100, 10, TwoStage, Printed),
		"F2": wrongSides(e, 200, 10, Racing, Printed),
		"F3": wrongSides(e, 100, 2, ECAPE, Calibrated),
	}
	for i, name := range regions {
		for _, k := range "123" {
			sides[string(rune('A'+i))+string(k)] = ratioSides(e, study.Fewer, ECAPE, name)
		}
	}
	one := func(cube, others, spread float64) studytest.Make {
		return changed(rowsOn(e, spread, nil),
			func(m study.Method, size int, made *studytest.Made) {
				if m.Name == Uniform {
					if made.Pulls *= others; e.Names[size] == CubeRegion {
						made.Pulls = 1e4 * cube
					}
				}
			})
	}
	for _, id := range []string{"D1", "D2"} {
		sides[id] = studytest.Sides{Agrees: one(.5, 2, .1), Differs: one(2, 2, .1),
			Unclear: one(1, 2, .8)}
	}
	for _, c := range e.Claims {
		// whatever runs say; means of log-normal laws are exp(.1^2/2) times their medians
		if c.ID == "E" {
			if v := c.Check(e.Results(studytest.Rows(e,
				rowsOn(e, .1, nil)))); v.Outcome != study.NotJudged ||
				v.Measured != "10 048, 10 048, 10 048" {
				t.Errorf("E: %+v", v)
			}
		}
	}
	studytest.Verdicts(t, e, sides)
}

func TestVerdictsOfReasons(t *testing.T) {
	e := Explainability
	slightly := studytest.Sides{
		Agrees:  rowsOn(e, .02, map[string]float64{ECAPE: .9}, CheapReasons),
		Differs: rowsOn(e, .1, map[string]float64{ECAPE: 1.4}, CheapReasons),
		Unclear: rowsOn(e, .8, map[string]float64{ECAPE: .9}, CheapReasons),
	}
	// Fewer by far is not slightly fewer.
	if v := studytest.Verdict(t, e, "A1",
		rowsOn(e, .1, map[string]float64{ECAPE: .5})); v.Outcome != study.Differs {
		t.Errorf("A1 at half: %+v", v)
	}
	dearer := ratioSides(e, study.More, ECAPE, HardReasons)
	// Reasons that are wrong, with right sets; sets that are wrong.
	reasons := func(instance, constants string) studytest.Sides {
		at := func(n int, share float64) studytest.Make {
			return changed(rowsOn(e, .1, nil),
				func(m study.Method, size int, made *studytest.Made) {
					made.Reps = n
					if m.Name == Game && m.Constants == constants && e.Names[size] == instance {
						made.Wrong = share
					}
				})
		}
		return studytest.Sides{Agrees: at(250, .39), Differs: at(1000, 0), Unclear: at(100, .01)}
	}
	sets := func(method, constants string) studytest.Sides {
		at := func(n, wrong int) studytest.Make {
			return changed(edited(rowsOn(e, .1, nil), func(m study.Method, r *mc.Row) {
				if m.Name == method && m.Constants == constants && r.Rep < wrong {
					r.Measures = []mc.Value{{Name: SetWrong, Value: 1}}
				}
			}), func(_ study.Method, _ int, made *studytest.Made) { made.Reps = n })
		}
		return studytest.Sides{Agrees: at(400, 0), Differs: at(400, 100), Unclear: at(40, 0)}
	}
	studytest.Verdicts(t, e, map[string]studytest.Sides{
		"A1": slightly, "A2": slightly, "A3": slightly,
		"C1 paper":     reasons(CheapReasons, Printed),
		"C1 heuristic": reasons(CheapReasons, Heuristic),
		"C1 theory":    reasons(CheapReasons, Theory), "E3": reasons(HardReasons, Heuristic),
		"C2": sets(Game, Printed), "C3": sets(Game, Theory), "D2": sets(ECAPE, Printed),
		"D1": wrongSides(e, 400, 40, ECAPE, Printed),
		"E4": wrongSides(e, 400, 40, ECAPE, Calibrated),
		"E1": dearer, "E2": dearer,
	})
}

func TestVerdictsOfRacing(t *testing.T) {
	e := HardForRacing
	gap := func(at10, spread float64) studytest.Make {
		return changed(rowsOn(e, spread, nil),
			func(m study.Method, size int, made *studytest.Made) {
				if m.Name == Racing {
					if made.Pulls *= 2; e.Names[size] == Racing10 {
						made.Pulls *= at10
					}
				}
			})
	}
	least := func(first, others int) studytest.Make {
		return edited(rowsOn(e, .1, nil), func(m study.Method, r *mc.Row) {
			r.ArmPulls = []int{100, 100, others}
			if r.Rep%2 == 0 {
				r.ArmPulls[2] = first
			}
		})
	}
	studytest.Verdicts(t, e, map[string]studytest.Sides{
		"A1": ratioSides(e, study.More, Racing, Racing5),
		"A2": ratioSides(e, study.LargelyMore, Racing, Racing10),
		"A3": ratioSides(e, study.More, Racing, Racing10),
		"B1": {Agrees: gap(2, .1), Differs: gap(.5, .1), Unclear: gap(1, .5)},
		"B2": {Agrees: least(95, 95), Differs: least(50, 50), Unclear: least(50, 95)},
		"C1": wrongSides(e, 200, 10, TwoStage, Printed),
		"C2": wrongSides(e, 200, 10, TwoStage, Calibrated),
	})
}

// What instances decide, on both sides; no verdict is written down.
func TestKnownVerdicts(t *testing.T) {
	for _, c := range []struct {
		v    study.Verdict
		want study.Outcome
	}{
		{dominates([]float64{.5, .5}, []float64{.4, .5}), study.Agrees},
		{dominates([]float64{.4, .5}, []float64{.5, .4}), study.Differs},
		{dominates([]float64{.4, .4}, []float64{.5, .5}), study.Differs},
		{dominates([]float64{.5, .3}, []float64{.4, .5}), study.Differs},
		{study.Exactly("two", 2, "n", 2), study.Agrees},
		{study.Exactly("two", 2, "n", 3), study.Differs},
		{study.Exactly("two", 2, "n", 1), study.Differs},
	} {
		if c.v.Outcome != c.want {
			t.Errorf("%+v; want %v", c.v, c.want)
		}
	}
	none := &study.Results{Experiment: ClinicalTrials}
	for _, c := range []struct {
		name string
		v    study.Verdict
		want study.Outcome
	}{
		{"75 mg has the higher efficacy", study.OnNamed(Published, suboptimal)(none),
			study.Differs},
		{"two strategies", study.OnNamed(CovBoost, twoStrategies)(none), study.Agrees},
		{"237 patients", patients(none), study.Differs},
		{"close complexities", compareTerms(&study.Results{Experiment: HardForRacing}), study.Agrees},
	} {
		if c.v.Outcome != c.want {
			t.Errorf("%s: %+v; want %v", c.name, c.v, c.want)
		}
	}
}

// What claims say on made-up rows is what was read.
func TestJudgementsStay(t *testing.T) { studytest.Judgements(t, Paper) }

// Experiments, methods with their settings, and claims are those that were read.
func TestDefinitionsStay(t *testing.T) { studytest.Definitions(t, Paper) }
