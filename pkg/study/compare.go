package study

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/purexp/purexp/pkg/bandit"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/mc"
	"github.com/purexp/purexp/pkg/seed"
	"github.com/purexp/purexp/pkg/tidy"
)

// RatioOn returns the ratio of the pulls of choice a to those of choice b on an instance, which is
// one of Names. If the paper plots means, RatioOn compares means; otherwise, it compares medians.
func (r *Results) RatioOn(instance string, a, b Choice) Estimate {
	return r.pullsRatio(fmt.Sprintf("%s / %s on %s", a.Method, b.Method, instance), a.On(r, instance),
		b.On(r, instance))
}

// ComparedOn returns a check that judges the ratio of the pulls of choice a to those of choice b on
// an instance, which is one of Names.
func ComparedOn(instance string, w Phrase, a, b Choice) Check {
	return func(r *Results) Verdict { return w.Judge(r.RatioOn(instance, a, b)) }
}

// From returns a check that uses only those sizes of an experiment that are at least the given
// size.
func From(least int, check Check) Check {
	return func(r *Results) Verdict {
		return On(slices.DeleteFunc(slices.Clone(r.Experiment.Sizes),
			func(size int) bool { return size < least }), check)(r)
	}
}

// On returns a check that uses only the given sizes of an experiment.
func On(sizes []int, check Check) Check {
	return func(r *Results) Verdict {
		own := *r
		own.Experiment.Sizes = sizes
		return check(&own)
	}
}

// pullsRatio returns the ratio of the pulls in rows a to the pulls in rows b. If the paper plots
// means, pullsRatio compares means; otherwise, it compares medians.
func (r *Results) pullsRatio(what string, a, b []mc.Row) Estimate {
	if r.Experiment.Means {
		return MeanRatio(what, a, b)
	}
	return Ratio(what, a, b)
}

// Compared returns a check that compares the pulls of a method with each of the other methods. The
// check uses the first constants that figures show, and every size at which both methods were run.
// If the paper plots means, the check uses mean pulls; otherwise, it uses medians.
func Compared(w Phrase, method string, others ...string) Check {
	return func(r *Results) Verdict {
		var cs []Condition
		for _, o := range others {
			before := len(cs)
			for _, size := range r.Experiment.Sizes {
				a, b := r.Shown(size, method), r.Shown(size, o)
				if len(a) > 0 && len(b) > 0 {
					cs = append(cs, w.Of(r.pullsRatio(fmt.Sprintf("%s / %s at %s = %s", method, o,
						r.Experiment.Symbol(), tidy.Int(size)), a, b)))
				}
			}
			if len(cs) == before {
				return Missing(method + " and " + o)
			}
		}
		return All(cs...)
	}
}

// Growing returns a check that judges the exponent with which the pulls of a method grow with the
// size. The method has the given constants or, if none are given, the first constants that figures
// show. If the paper plots means, the check uses mean pulls; otherwise, it uses medians.
func Growing(w Phrase, method string, constants ...string) Check {
	return func(r *Results) Verdict {
		cells := r.ShownBySize(method)
		if len(constants) > 0 {
			cells = r.BySize(method, constants[0])
		}
		return w.Judge(growth("exponent of "+method, cells, nil, !r.Experiment.Means))
	}
}

// GrowingAbove returns a check that judges by how much the growth exponents of the other methods
// exceed the exponent of the given method. The check uses the first constants that figures show.
func GrowingAbove(w Phrase, method string, others ...string) Check {
	return func(r *Results) Verdict {
		var cs []Condition
		for _, o := range others {
			cs = append(cs, w.Of(growthAbove("exponent of "+o+" minus that of "+method,
				r.ShownBySize(o), r.ShownBySize(method), !r.Experiment.Means)))
		}
		return All(cs...)
	}
}

// tallies counts the wrong answers of each method at each size, using the function mistakes. If
// rows are missing, tallies returns the name of the missing rows.
func (r *Results) tallies(
	mistakes func([]mc.Row) int, constants string, methods []string,
) (ts []Tally, missing string) {
	for _, size := range r.Experiment.Sizes {
		label := r.Experiment.SizeLabel(size)
		for _, m := range methods {
			rows := r.Cell(size, m, constants)
			if len(rows) == 0 {
				return nil, Labelled(m, constants) + " on " + label
			}
			ts = append(ts, Tally{Name: m + " on " + label, Wrong: mistakes(rows),
				Runs: len(rows), GivenUp: GivenUp(rows)})
		}
	}
	return ts, ""
}

// WithinDelta returns a check that judges, by the rule of AtMost, whether methods are wrong with
// probability at most delta in each cell. The function mistakes counts the wrong answers of rows.
func WithinDelta(mistakes func([]mc.Row) int, constants string, methods ...string) Check {
	return func(r *Results) Verdict {
		ts, missing := r.tallies(mistakes, constants, methods)
		if missing != "" {
			return Missing(missing)
		}
		return AtMost(r.Experiment.Delta, ts, "")
	}
}

// Erring returns a check that uses the rule of FewWrong to judge whether the error rates of methods
// in each cell satisfy a phrase.
func Erring(w Phrase, constants string, methods ...string) Check {
	return func(r *Results) Verdict {
		ts, missing := r.tallies(Mistakes, constants, methods)
		if missing != "" {
			return Missing(missing)
		}
		return FewWrong(w, ts)
	}
}

// ErringByMethod returns a check that judges whether the error rate of each method, over all
// constants and instances, satisfies a phrase. Runs that were stopped at the limit on pulls are not
// part of the error rates; the verdict states their number.
func ErringByMethod(w Phrase) Check {
	return func(r *Results) Verdict {
		early, most := 0, 0
		at := map[string]int{}
		var ts []Tally
		for _, row := range r.Runs() {
			if row.Status == explore.PullLimit.String() {
				early, most = early+1, max(most, row.Pulls)
				continue
			}
			i, ok := at[row.Method]
			if !ok {
				i, at[row.Method] = len(ts), len(ts)
				ts = append(ts, Tally{Name: row.Method})
			}
			ts[i].Runs++
			ts[i].Wrong += Mistakes([]mc.Row{row})
		}
		v := FewWrong(w, ts)
		if early > 0 {
			v.Measured += fmt.Sprintf("; %d runs were stopped after %s pulls", early, tidy.Int(most))
		}
		return v
	}
}

// rise returns the terms of a difference: the error rate at the largest size minus that at the
// smallest size.
func (r *Results) rise(method, constants string, weight float64) []Weighted {
	cells := r.BySize(method, constants)
	if len(cells) < 2 {
		return []Weighted{{}}
	}
	return []Weighted{{Weight: weight, Rows: cells[len(cells)-1].Rows}, {Weight: -weight, Rows: cells[0].Rows}}
}

// Rising returns a check that judges by how much the error rate of a choice increases from the
// smallest to the largest size. The argument what names the increase in the verdict.
func Rising(w Phrase, what string, c Choice) Check {
	return func(r *Results) Verdict {
		return w.Judge(WrongSum(what, r.rise(c.Method, c.Constants, 1)...))
	}
}

// RisingAbove returns a check that judges how much more the error rate of one choice increases than
// that of another. The argument what names the difference in the verdict.
func RisingAbove(w Phrase, what string, c, other Choice) Check {
	return func(r *Results) Verdict {
		return w.Judge(WrongSum(what, append(r.rise(c.Method, c.Constants, 1),
			r.rise(other.Method, other.Constants, -1)...)...))
	}
}

// Tries are the results of additional runs of a policy on an instance.
type Tries struct {
	Wrong        int       // number of wrong answers
	Rounds       int       // largest number of rounds of a run
	Pulls        []float64 // number of pulls of each run
	Milliseconds []float64 // time of each run in milliseconds, including the time for drawing rewards
}

// WrongPercent returns the error rate in percent.
func (t Tries) WrongPercent() float64 { return 100 * float64(t.Wrong) / float64(len(t.Pulls)) }

// Try runs a policy several times, one run after the other. The argument noise selects the random
// rewards of each run; nil means the rewards of the replicates of a study with seed 1.
func Try(
	inst *bandit.Instance, p explore.Policy, runs int, noise func(run int) seed.Seed,
) (t Tries, err error) {
	if noise == nil {
		noise = func(run int) seed.Seed { return seed.New(1).Child(inst.Name, run).Child("noise") }
	}
	for i := range runs {
		rewards := inst.Sampler(noise(i))
		start := time.Now()
		r, err := explore.Run(p, inst.Problem, rewards, nil)
		if err != nil {
			return t, fmt.Errorf("study: %s on %s: %w", explore.Name(p), inst.Name, err)
		}
		t.Milliseconds = append(t.Milliseconds, time.Since(start).Seconds()*1e3)
		t.Pulls, t.Rounds = append(t.Pulls, float64(r.Pulls)), max(t.Rounds, r.Rounds)
		if !inst.Problem.Question.Correct(inst.Truth(), r.Answer) {
			t.Wrong++
		}
	}
	return t, nil
}

// Replay repeats a replicate, with seed 1, of a method on an instance of the experiment. A
// replay yields information that rows lack, such as the answer, the course of the run, or its
// duration. The argument set, which may be nil, may contain limits and a recorder. If set has no
// limit on pulls, Replay uses the limit of the method.
func (e Experiment) Replay(
	m Method, inst *bandit.Instance, size, rep int, set *explore.Settings,
) (*explore.Result, error) {
	var own explore.Settings
	if set != nil {
		own = *set
	}
	own.MaxPulls = cmp.Or(own.MaxPulls, m.MaxPulls)
	s := seed.New(1).Child(inst.Name, rep)
	own.Src = s.Child("policy", m.Name).Source()
	noise := inst.Sampler(s.Child("noise"))
	r, err := explore.Run(m.New(e.Task(inst, size)), inst.Problem, noise, &own)
	if err != nil {
		return r, fmt.Errorf("%s: %s on %s: %w", e.Name, m.Name, inst.Name, err)
	}
	return r, nil
}
