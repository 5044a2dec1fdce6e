package linfact

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/mc"
	"github.com/purexp/purexp/pkg/study"
	"github.com/purexp/purexp/pkg/study/studytest"
)

// A law says what made-up rows are like. Fields that are nil leave all as it is by default: 1000
// pulls, scores of 1, no wrong and no open arms, five rounds, no wrong answers.
type law struct {
	pulls   func(m study.Method, size int) float64
	spread  float64
	wrong   float64
	reps    int
	measure func(m study.Method, size int, name string) (value, jitter float64)
}

// make makes rows of the law.
func (l law) make() studytest.Make {
	return func(m study.Method, size int) studytest.Made {
		made := studytest.Made{Pulls: 1000, Spread: l.spread, Wrong: l.wrong, Reps: l.reps}
		if l.pulls != nil {
			made.Pulls = l.pulls(m, size)
		}
		made.Edit = func(r *mc.Row) {
			for _, n := range []string{Precision, Recall, F1, Open, Wrong, Rounds} {
				v := map[string]float64{Precision: 1, Recall: 1, F1: 1, Rounds: 5}[n]
				if l.measure != nil {
					own, jitter := l.measure(m, size, n)
					if !math.IsNaN(own) {
						v = own + jitter*float64(1-2*((r.Rep+r.Draw)%2))
					}
				}
				r.Measures = append(r.Measures, mc.Value{Name: n, Value: v})
			}
		}
		return made
	}
}

// times makes a method, with constants, need x times the pulls of others.
func times(x, spread float64, method, constants string) studytest.Make {
	return law{spread: spread, pulls: func(m study.Method, _ int) float64 {
		if m.Name == method && m.Constants == constants {
			return 1000 * x
		}
		return 1000
	}}.make()
}

// limit are rows on the sides of a limit of a ratio, which a method is to be below.
func limit(x float64, method, constants string) studytest.Sides {
	return studytest.Sides{
		Agrees: times(.7*x, .1, method, constants), Differs: times(1.4*x, .1, method, constants),
		Unclear: times(x, .5, method, constants),
	}
}

// measured makes a measure of some methods a value, with a jitter.
func measured(name string, of func(m study.Method, size int) bool, value, jitter float64,
) studytest.Make {
	return law{measure: func(m study.Method, size int, n string) (float64, float64) {
		if n == name && of(m, size) {
			return value, jitter
		}
		return math.NaN(), 0
	}}.make()
}

func only(names ...string) func(study.Method, int) bool {
	return func(m study.Method, _ int) bool {
		for _, n := range names {
			if m.Name == n {
				return true
			}
		}
		return false
	}
}

// wrongs are rows with a share of wrong answers.
func wrongs(share float64, reps int) studytest.Make { return law{wrong: share, reps: reps}.make() }

var guaranteed = studytest.Sides{Agrees: wrongs(0, 500), Differs: wrongs(.2, 500),
	Unclear: wrongs(.1, 10)}

// exact are the same rows, where those of bounds have no spread: a bound is one row.
func exact(made studytest.Make) studytest.Make {
	return func(m study.Method, size int) studytest.Made {
		r := made(m, size)
		if m.Constants == "bound" {
			r.Spread = 0
		}
		return r
	}
}

func TestVerdictsOnSettings(t *testing.T) {
	comparable := func(constants string) studytest.Sides {
		return studytest.Sides{
			Agrees:  times(1.2, .1, LinFACTXY, constants),
			Differs: times(4, .1, LinFACTXY, constants),
			Unclear: times(2, .5, LinFACTXY, constants),
		}
	}
	more := func(constants string) studytest.Sides {
		return studytest.Sides{
			Agrees: times(2, .1, LazyTTS, constants), Differs: times(1, .05, LazyTTS, constants),
			Unclear: times(1.25, .5, LazyTTS, constants),
		}
	}
	// What LinFACT-XY needs grows with 1/epsilon, and with d, beyond the lower bound.
	overBound := func(power, spread float64) studytest.Make {
		return exact(law{spread: spread, pulls: func(m study.Method, size int) float64 {
			if m.Name != LinFACTXY {
				return 1000
			}
			if static(size) {
				return 1e5 * math.Pow(float64(dimensions[size]), power)
			}
			return 1e5 * math.Pow(tolerances[size], -power)
		}}.make())
	}
	studytest.Verdicts(t, Synthetic, map[string]studytest.Sides{
		"A1": guaranteed,
		"A3": limit(1, LinFACTXY, Printed), "A3 theory": limit(1, LinFACTXY, Theory),
		"A4": limit(1, LinFACTG, Printed), "A4 theory": limit(1, LinFACTG, Theory),
		"A8 theory":  comparable(Theory),
		"A9 theory":  limit(1, LinFACTXY, Theory),
		"A10 theory": more(Theory), "A12": limit(.5, LinFACTXY, Theory),
	})
	studytest.Verdicts(t, Growth, map[string]studytest.Sides{
		"A15": {Agrees: overBound(0, .02), Differs: overBound(1, .02), Unclear: overBound(.25, 2)},
	})
}

// Runs of Lazy TTS that were given up, whatever the ratio, would have needed more.
func TestVerdictsOnRunsGivenUp(t *testing.T) {
	rows := func(lazy float64) *study.Results {
		made := times(lazy, .1, LazyTTS, Published)
		return Synthetic.Results(studytest.Rows(Synthetic,
			func(m study.Method, size int) studytest.Made {
				r := made(m, size)
				if edit := r.Edit; m.Name == LazyTTS {
					r.Edit = func(row *mc.Row) {
						edit(row)
						row.Status = explore.PullLimit.String()
					}
				}
				return r
			}))
	}
	fewest := compare(study.Fewer, staticSettings, LinFACTXY, Printed, rival(LazyTTS, Published))
	for _, c := range []struct {
		check func(*study.Results) study.Verdict
		lazy  float64
		want  study.Outcome
	}{
		{lazyMore(Published, Printed), 4, study.Agrees},
		{lazyMore(Published, Printed), .1, study.NotComparable},
		{fewest, 4, study.Agrees}, {fewest, .1, study.NotComparable},
	} {
		if v := c.check(rows(c.lazy)); v.Outcome != c.want {
			t.Errorf("Lazy TTS was given up after %v times the pulls: %+v; want %v", c.lazy, v,
				c.want)
		}
	}
}

func TestVerdictsOnFreeWilson(t *testing.T) {
	near := func(measure string) studytest.Sides {
		of := only(LinFACTG, LinFACTXY)
		return studytest.Sides{
			Agrees: measured(measure, of, .99, .01), Differs: measured(measure, of, .9, .01),
			Unclear: measured(measure, of, .95, .05),
		}
	}
	studytest.Verdicts(t, DrugDiscovery, map[string]studytest.Sides{
		"B1": near(Precision), "B2": near(Recall),
		"B3": limit(1, LinFACTXY, Printed), "B3 theory": limit(1, LinFACTXY, Theory),
		"B4": limit(1.25, LinFACTG, Printed), "B4 theory": limit(1.25, LinFACTG, Theory),
		"B5": limit(1, LinFACTXY, Printed),
		"B6": {
			Agrees:  measured(F1, only(LinGIFA, MLinGapE), .8, .01),
			Differs: measured(F1, only(LinGIFA, MLinGapE), 1, 0),
			Unclear: measured(F1, only(LinGIFA, MLinGapE), 1, .1),
		},
	})
}

func TestVerdictsOnRegions(t *testing.T) {
	studytest.Verdicts(t, DecisionRegions, map[string]studytest.Sides{
		"G4": limit(1, LinFACTXY, Printed), "G4 theory": limit(1, LinFACTXY, Theory),
		"G5": guaranteed,
	})
}

func TestVerdictsOnSections(t *testing.T) {
	bounds := func(game, fact, spread float64) studytest.Make {
		return law{spread: spread, pulls: func(m study.Method, _ int) float64 {
			switch m.Name {
			case Game:
				return 1000 * game
			case LinFACTXY:
				return 1000 * fact
			}
			return 1000
		}}.make()
	}
	studytest.Verdicts(t, Limit, map[string]studytest.Sides{"C2": {
		Agrees: exact(bounds(1.5, 10, .1)), Differs: exact(bounds(1.5, 1.5, .1)),
		Unclear: exact(bounds(1.5, 2.2, .6)),
	}})
	bad := func(value, jitter float64) studytest.Make {
		return measured(Wrong, only(MIS, MISOrthogonal), value, jitter)
	}
	many := func(made studytest.Make, reps int) studytest.Make {
		return func(m study.Method, size int) studytest.Made {
			r := made(m, size)
			r.Reps = reps
			return r
		}
	}
	studytest.Verdicts(t, Misspecified, map[string]studytest.Sides{
		"D1": guaranteed, "D2": guaranteed,
		"D4": {Agrees: many(bad(0, 0), 200), Differs: many(bad(1, 0), 200),
			Unclear: many(bad(0, 0), 1)},
	})
	for _, c := range []struct {
		id    string
		e     study.Experiment
		link  explore.Link
		shift []float64
	}{{"E", Successes, explore.Logit, []float64{-4, -3, -2, -1, 0}},
		{"F", Counts, explore.Log, []float64{-1, -.5, 0, .5, 1}}} {
		grow := func(power, spread float64) studytest.Make {
			return law{spread: spread, pulls: func(_ study.Method, size int) float64 {
				b := c.shift[size]
				return 1e6 * math.Pow(variance(c.link, b)/math.Pow(steepness(c.link, b), 2), power)
			}}.make()
		}
		studytest.Verdicts(t, c.e, map[string]studytest.Sides{
			c.id + "1": guaranteed,
			c.id + "2": {Agrees: grow(1, .05), Differs: grow(2, .05), Unclear: grow(1, 1.5)},
		})
		// The theorem is an upper bound.
		if v := studytest.Verdict(t, c.e, c.id+"2", grow(.2, .05)); v.Outcome != study.Agrees {
			t.Errorf("%s2 where pulls grow less: %+v", c.id, v)
		}
	}
}

// What instances and the paper's own table decide, on both sides.
func TestKnownVerdicts(t *testing.T) {
	one := Synthetic
	one.Sizes, one.Draws = []int{1}, 1
	for _, c := range []struct {
		e    study.Experiment
		want study.Outcome
	}{{one, study.Agrees}, {Limit, study.Differs}} {
		if v := isBound(&study.Results{Experiment: c.e}); v.Outcome != c.want {
			t.Errorf("%s: %+v; want %v", c.e.Name, v, c.want)
		}
	}
	for _, c := range []struct {
		x    *mat.Dense
		mu   []float64
		want study.Outcome
	}{
		{mat.NewDense(2, 1, []float64{1, .99}), []float64{0, 1.99}, study.Differs},
		{mat.NewDense(2, 1, []float64{1, .99}), []float64{0, .99}, study.Agrees},
	} {
		v := withinRadius(func() (*mat.Dense, []float64, float64) { return c.x, c.mu, 1 })(nil)
		if v.Outcome != c.want {
			t.Errorf("means %v: %+v; want %v", c.mu, v, c.want)
		}
	}
	table := func(other, worst float64) []timing {
		rows := []timing{
			{method: LinFACTG}, {method: LinFACTXY}, {method: BayesGap}, {method: KGCB},
		}
		for i := range rows {
			for s := range rows[i].seconds {
				rows[i].seconds[s] = 1
				if i > 1 {
					rows[i].seconds[s] = other
				}
			}
		}
		rows[3].seconds[4] = worst
		return rows
	}
	for _, c := range []struct {
		table []timing
		want  study.Outcome
	}{
		{table(6, 6), study.Agrees}, {table(6, 4), study.Differs}, {table(4, 4), study.Differs},
		{publishedSeconds, study.Differs},
	} {
		if v := byFive(c.table); v.Outcome != c.want {
			t.Errorf("%+v; want %v", v, c.want)
		}
	}
}

// What claims say on made-up rows is what was read.
func TestJudgementsStay(t *testing.T) { studytest.Judgements(t, Paper) }

// Experiments, methods with their settings, and claims are those that were read.
func TestDefinitionsStay(t *testing.T) { studytest.Definitions(t, Paper) }
