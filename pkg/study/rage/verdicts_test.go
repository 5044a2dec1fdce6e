package rage

import (
	"math"
	"testing"

	"github.com/purexp/purexp/pkg/study"
	"github.com/purexp/purexp/pkg/study/hardness"
	"github.com/purexp/purexp/pkg/study/studytest"
)

// made are rows whose medians are times those of others by method, whatever the constants; bounds
// are far above.
func made(spread float64, times map[string]float64) studytest.Make {
	return grown(spread, times, nil)
}

// grown are made rows that grow with a power of the size, by method.
func grown(spread float64, times, exponents map[string]float64) studytest.Make {
	return func(m study.Method, size int) studytest.Made {
		x, ok := times[m.Name]
		if !ok {
			x = 1
		}
		if m.Constants == "bound" {
			return studytest.Made{Pulls: 1e9}
		}
		return studytest.Made{Pulls: 1e4 * x * math.Pow(float64(size), exponents[m.Name]),
			Spread: spread}
	}
}

// ratioSides are for the claim that a method needs from lo to hi times the pulls of another.
func ratioSides(method string, w study.Word) studytest.Sides {
	in, out, edge := .8*w.Hi, 1.5*w.Hi, w.Hi
	if math.IsInf(w.Hi, 1) {
		in, out, edge = 1.5*w.Lo, .7*w.Lo, w.Lo
	}
	one := func(x, spread float64) studytest.Make {
		return made(spread, map[string]float64{method: x})
	}
	return studytest.Sides{Agrees: one(in, .1), Differs: one(out, .1), Unclear: one(edge, .4)}
}

// failing are rows with so many runs a cell and a share of wrong answers of RAGE.
func failing(reps int, wrong float64) studytest.Make {
	return func(m study.Method, size int) studytest.Made {
		x := made(.1, nil)(m, size)
		x.Reps = reps
		if m.Name == RAGE {
			x.Wrong = wrong
		}
		return x
	}
}

// scheduled are rows of RAGE with so many runs a cell, whose schedule is a number of pulls.
func scheduled(reps int, pulls float64) studytest.Make {
	return func(m study.Method, size int) studytest.Made {
		x := made(.1, nil)(m, size)
		x.Reps = reps
		if m.Name == hardness.ScheduleBound {
			x.Pulls = pulls
		}
		return x
	}
}

// common are the sides of the claims that every experiment with a fixed confidence has.
func common(e study.Experiment, sides map[string]studytest.Sides) map[string]studytest.Sides {
	few := 2
	if len(e.Sizes) == 1 {
		few = 1
	}
	sides["H "+e.ShortName()] = studytest.Sides{
		Agrees: failing(200, 0), Differs: failing(200, .2), Unclear: failing(few, 0),
	}
	sides["I "+e.ShortName()] = studytest.Sides{
		Agrees: scheduled(200, 1e9), Differs: scheduled(200, 1e4), Unclear: scheduled(3, 1e9),
	}
	return sides
}

func TestVerdicts(t *testing.T) {
	exponents := func(spread float64, x map[string]float64) studytest.Make {
		return grown(spread, nil, x)
	}
	faster := func(least float64, others ...string) studytest.Sides {
		all := func(x, spread float64) studytest.Make {
			es := map[string]float64{RAGE: .5}
			for _, o := range others {
				es[o] = .5 + x
			}
			return exponents(spread, es)
		}
		one := map[string]float64{RAGE: .5} // the others do not grow
		for _, o := range others[1:] {
			one[o] = 2
		}
		return studytest.Sides{Agrees: all(least+.3, .05), Differs: exponents(.05, one),
			Unclear: all(least, .5)}
	}
	rest := func(exponent, spread float64) studytest.Make {
		return exponents(spread, map[string]float64{LinGapE: 1, ALBA: 1, XYStatic: exponent})
	}
	suffers := func(at5, exponent, spread float64) studytest.Make {
		return grown(spread, map[string]float64{LinGapE: at5 / math.Pow(5, exponent)},
			map[string]float64{LinGapE: exponent})
	}
	verdicts := func(e study.Experiment, sides map[string]studytest.Sides) {
		t.Helper()
		studytest.Verdicts(t, e, common(e, sides))
	}
	verdicts(Benchmark, map[string]studytest.Sides{
		"A1": ratioSides(RAGE, study.Competitive),
		"A2": ratioSides(XYAdaptive, study.About),
		"A3": {Agrees: suffers(1, 1, .1), Differs: suffers(1, -.5, .1), Unclear: suffers(1, 0, .3)},
		"A4": ratioSides(ALBA, study.More),
		"A5": ratioSides(RAGE, study.SignificantlyFewer),
		"A6": faster(.25, XYStatic),
		"A7": ratioSides(RAGE, study.Competitive),
	})
	// It suffers, but from a bad start.
	if v := studytest.Verdict(t, Benchmark, "A3", suffers(2, 1, .1)); v.Outcome != study.Differs {
		t.Errorf("A3: %+v; want that it differs at the smallest size", v)
	}
	one := Benchmark
	one.Sizes = one.Sizes[:1]
	if v := studytest.Verdict(t, one, "A3", suffers(1, 1, .1)); v.Why != "no runs of "+LinGapE {
		t.Errorf("A3 at one size: %+v", v)
	}
	for _, q := range []struct {
		id string
		e  study.Experiment
	}{{"B", ManyArms}, {"C", ManyArmsModerate}, {"V", ManyArmsVariance}} {
		// The printed LinGapE and RAGE are made up at every size, as if they were run.
		linear := func(x, spread float64) studytest.Make {
			return exponents(spread, map[string]float64{LinGapE: x})
		}
		flat := func(x, spread float64) studytest.Make {
			return exponents(spread, map[string]float64{RAGE: x})
		}
		verdicts(q.e, map[string]studytest.Sides{
			q.id + "1": {Agrees: linear(1, .02), Differs: linear(1.5, .02),
				Unclear: linear(1.1, .3)},
			q.id + "2": {Agrees: flat(.1, .1), Differs: flat(.5, .1), Unclear: flat(.25, .5)},
			q.id + "3": ratioSides(RAGE, study.Fewer),
		})
	}
	verdicts(Sphere, map[string]studytest.Sides{"D1": ratioSides(RAGE, study.SignificantlyFewer)})
	verdicts(Transductive, map[string]studytest.Sides{
		"E1": ratioSides(RAGE, study.SignificantlyFewer), "E2": ratioSides(RAGE, study.Nearly),
	})
	verdicts(Multivariate, map[string]studytest.Sides{
		"F1": ratioSides(RAGE, study.Competitive), "F3": faster(0, LinGapE, ALBA, XYStatic),
		"F2": {Agrees: rest(.5, .05), Differs: rest(-.5, .05), Unclear: rest(0, .5)},
	})
	verdicts(ClickThrough, map[string]studytest.Sides{"G1": ratioSides(RAGE, study.Nearly)})
	verdicts(Newer, map[string]studytest.Sides{})
}

// Where LinGapE as printed is not affordable, nor is the verdict on its growth.
func TestNotComparable(t *testing.T) {
	short := func(m study.Method, size int) studytest.Made {
		if m.Name == LinGapE && m.Constants == Printed && size > 1000 {
			return studytest.Made{}
		}
		return made(.1, nil)(m, size)
	}
	if v := studytest.Verdict(t, ManyArms, "B1", short); v.Outcome != study.NotComparable {
		t.Errorf("B1: %+v", v)
	}
}

// Claims are about what the paper ran: RAGE as printed decides, whatever the default needs.
func TestJudgedAsPrinted(t *testing.T) {
	printed := func(x float64) studytest.Make {
		return func(m study.Method, size int) studytest.Made {
			own := made(.1, nil)(m, size)
			if m.Name == RAGE && m.Constants == Printed {
				own.Pulls *= x
			}
			return own
		}
	}
	for x, want := range map[float64]study.Outcome{.5: study.Agrees, 3: study.Differs} {
		if v := studytest.Verdict(t, Transductive, "E1", printed(x)); v.Outcome != want {
			t.Errorf("RAGE as printed needs %v times the pulls: %+v; want %v", x, v, want)
		}
	}
}

// A claim about all sizes fails at one of them.
func TestEverySize(t *testing.T) {
	for _, bad := range Transductive.Sizes {
		if bad < 40 { // not in the script, and not judged
			continue
		}
		at := func(m study.Method, size int) studytest.Made {
			own := made(.1, map[string]float64{RAGE: .5})(m, size)
			if m.Name == RAGE && size == bad {
				own.Pulls *= 4
			}
			return own
		}
		for _, id := range []string{"E1", "E2"} {
			if v := studytest.Verdict(t, Transductive, id, at); v.Outcome != study.Differs {
				t.Errorf("%s at d = %d: %+v", id, bad, v)
			}
		}
	}
}

// What claims say on made-up rows is what was read.
func TestJudgementsStay(t *testing.T) { studytest.Judgements(t, Paper) }

// Experiments, methods with their settings, and claims are those that were read.
func TestDefinitionsStay(t *testing.T) { studytest.Definitions(t, Paper) }
