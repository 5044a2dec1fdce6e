package gege

import (
	"fmt"
	"math"
	"sort"
	"strings"

	"github.com/purexp/purexp/pkg/mc"
	"github.com/purexp/purexp/pkg/pareto"
	"github.com/purexp/purexp/pkg/policy"
	"github.com/purexp/purexp/pkg/study"
	"github.com/purexp/purexp/pkg/tidy"
)

// fewerOnNoC compares GEGE with others by numbers of pulls, constants with like constants.
func fewerOnNoC() []study.Claim {
	var cs []study.Claim
	for _, c := range []string{Theory, Code} {
		for _, o := range []string{APE, PAL} {
			theirs := Theory
			if c != Theory {
				theirs = Printed
			}
			cs = append(cs, study.Claim{
				ID: "D " + o + " " + c, Source: "Fig. 4",
				Statement: "GEGE (" + c + " constants) uses significantly fewer samples than " + o + " (" + theirs + ") on NoC",
				Check:     fewer(c, o, theirs),
			})
		}
	}
	return cs
}

// onEnergy are the claims about fixed budgets on the loads of buildings.
func onEnergy(id, name string) []study.Claim {
	return []study.Claim{
		{ID: id + "1", Source: "Fig. 6", Statement: "at T = 10000 GEGE outperforms its competitors: " + name, Check: outperforms},
		{ID: id + "2", Source: "I.2", Statement: "GEGE's error probability is reasonable even for T below K: " + name, Check: early},
	}
}

// fewerThanRacing are the claims about a fixed confidence on the loads of buildings.
func fewerThanRacing(id, name string) []study.Claim {
	var cs []study.Claim
	for _, c := range []string{Theory, Code} {
		cs = append(cs, study.Claim{
			ID: id + " " + c, Source: "Fig. 7",
			Statement: "GEGE (" + c + " constants) largely outperforms Racing: " + name, Check: fewer(c, Auer, Theory),
		})
	}
	return cs
}

// guaranteed claims that the theorem holds.
func guaranteed(name string) study.Claim {
	return study.Claim{
		ID: "J " + name, Source: "Theorem 3",
		Statement: "with the theorem's constants the error probability of GEGE is at most delta: " + name, Check: withinDelta,
	}
}

// errorRise compares the error rates at the smallest and the largest number of
// arms that a method is run at: much faster means by more than 10 points.
func errorRise(method string, rises bool) func(*study.Results) study.Verdict {
	return func(r *study.Results) study.Verdict {
		ends, ok := r.Ends(func(size int) []mc.Row { return r.Cell(size, method, "") }, study.ErrorRate)
		if !ok {
			return study.Missing(method)
		}
		a, b := ends.AtSmall, ends.AtLarge
		return study.Decide(rises && b.Lo-a.Hi > .1 || !rises && b.Hi-a.Lo < .1,
			fmt.Sprintf("%s: %.1f %% [%.1f, %.1f] at K = %d, %.1f %% [%.1f, %.1f] at K = %d", method,
				100*a.Center, 100*a.Lo, 100*a.Hi, ends.Small,
				100*b.Center, 100*b.Lo, 100*b.Hi, ends.Large),
			"taken to mean by more than 10 percentage points, or not, intervals included")
	}
}

// growth compares the medians at the smallest and the largest number of arms:
// significantly means by more than a factor of two.
func growth(method string, grows bool) func(*study.Results) study.Verdict {
	return func(r *study.Results) study.Verdict {
		e := r.Experiment
		var measured []string
		v := study.Verdict{Outcome: study.Agrees, Why: "taken to mean by more than a factor of two from the smallest to the largest K, or not, intervals included"}
		for _, m := range e.Methods {
			if m.Name != method {
				continue
			}
			c := m.Constants
			ends, ok := r.Ends(func(size int) []mc.Row { return r.Cell(size, method, c) }, study.MedianPulls)
			if !ok {
				return study.Missing(method)
			}
			a, b := ends.AtSmall, ends.AtLarge
			measured = append(measured, fmt.Sprintf("%s (%s): %s at K = %d, %s at K = %d", method, c,
				tidy.Int(int(a.Center)), ends.Small, tidy.Int(int(b.Center)), ends.Large))
			if grows && !(b.Lo > 2*a.Hi) || !grows && !(b.Hi < 2*a.Lo) {
				v.Outcome = study.Differs
			}
		}
		v.Measured = strings.Join(measured, "; ")
		return v
	}
}

// reduced looks for the largest difference of error rates between EGE-SH and GEGE.
func reduced(r *study.Results) study.Verdict {
	e := r.Experiment
	best, at, lo := math.Inf(-1), 0, 0.
	for _, size := range e.Sizes {
		a, b := r.Cell(size, GEGE, ""), r.Cell(size, EGESH, "")
		if len(a) == 0 || len(b) == 0 {
			continue
		}
		x, y := study.ErrorRate(a), study.ErrorRate(b)
		if d := y.Center - x.Center; d > best {
			best, at, lo = d, size, y.Lo-x.Hi
		}
	}
	if at == 0 {
		return study.Missing(EGESH)
	}
	return study.Decide(lo >= .4,
		fmt.Sprintf("largest reduction %.2f, at T = %s; at least %.2f with 95 %% intervals",
			best, tidy.Int(at), lo),
		"taken to mean at least 0.4, interval included")
}

// runnable says with which budgets methods can run.
func runnable(r *study.Results) study.Verdict {
	e := r.Experiment
	least := func(m string) int {
		for _, size := range e.Sizes {
			if len(r.Cell(size, m, "")) > 0 {
				return size
			}
		}
		return 0
	}
	a, b := least(GEGE), least(EGESH)
	if a == 0 || b == 0 {
		return study.Missing(EGESH)
	}
	inst, err := e.At(e.Sizes[0], 0)
	if err != nil {
		return study.Verdict{Measured: "-", Why: err.Error()}
	}
	need := sort.Search(100_000, func(t int) bool { return (&policy.EGESH{Budget: t}).Init(inst.Problem, nil) == nil })
	return study.Decide(need >= 1800 && need <= 2500 && a < inst.Problem.K(),
		fmt.Sprintf("EGE-SH needs %s pulls; GEGE runs from T = %d, the smallest tried",
			tidy.Int(need), a),
		"K ceil(log2 K) pulls; about 2000 is taken to mean 1800 to 2500")
}

// fewer compares GEGE with another method by the ratio of medians.
func fewer(constants, other, theirs string) func(*study.Results) study.Verdict {
	return func(r *study.Results) study.Verdict {
		e := r.Experiment
		a, b := r.Cell(e.Sizes[0], GEGE, constants), r.Cell(e.Sizes[0], other, theirs)
		if len(a) == 0 || len(b) == 0 {
			return study.Missing(other)
		}
		ratio := tidy.RatioOfMedians(study.Pulls(a), study.Pulls(b), false, study.Confidence)
		v := study.Decide(ratio.Hi < 1, fmt.Sprintf("GEGE / %s (%s constants): %.3g [%.3g, %.3g]",
			other, theirs, ratio.Center, ratio.Lo, ratio.Hi), "ratio of medians")
		if misspecified[e.Name] {
			v.Why += "; but the means are not linear in the features, and its answers are wrong"
		}
		return v
	}
}

// outperforms compares error rates at the largest budget.
func outperforms(r *study.Results) study.Verdict {
	e := r.Experiment
	size := e.Sizes[len(e.Sizes)-1]
	own := r.Cell(size, GEGE, "")
	if len(own) == 0 {
		return study.Missing(GEGE)
	}
	g := study.ErrorRate(own)
	v := study.Verdict{Outcome: study.Agrees, Measured: fmt.Sprintf("GEGE %.1f %% wrong [%.1f, %.1f]", 100*g.Center, 100*g.Lo, 100*g.Hi), Why: "every competitor of the paper errs more often, intervals included"}
	for _, m := range []string{EGESH, EGESR, Uniform} {
		c := r.Cell(size, m, "")
		if len(c) == 0 {
			continue
		}
		w := study.ErrorRate(c)
		v.Measured += fmt.Sprintf("; %s %.1f %%", m, 100*w.Center)
		if !(w.Lo > g.Hi) && v.Outcome == study.Agrees {
			v.Outcome, v.Why = study.Differs, m+" does not err more often beyond doubt"
			if misspecified[e.Name] {
				v.Why += "; the means are not linear in the features, which GEGE assumes"
			}
		}
	}
	return v
}

// early looks at the error rate of GEGE with the largest budget below the number
// of arms.
func early(r *study.Results) study.Verdict {
	e := r.Experiment
	inst, err := e.At(e.Sizes[0], 0)
	if err != nil {
		return study.Verdict{Measured: "-", Why: err.Error()}
	}
	v := study.Missing(GEGE)
	for _, size := range e.Sizes {
		if c := r.Cell(size, GEGE, ""); len(c) > 0 && size < inst.Problem.K() {
			w := study.ErrorRate(c)
			v = study.Decide(w.Hi <= .5, fmt.Sprintf("%.1f %% [%.1f, %.1f] at T = %d, K = %d",
				100*w.Center, 100*w.Lo, 100*w.Hi, size, inst.Problem.K()),
				"reasonable is taken to mean at most 50 %, interval included")
		}
	}
	return v
}

func threeArms(r *study.Results) study.Verdict {
	e := r.Experiment
	inst, err := e.At(e.Sizes[0], 0)
	if err != nil {
		return study.Verdict{Measured: "-", Why: err.Error()}
	}
	front := pareto.Set(inst.Truth())
	return study.Decide(len(front) == 3,
		fmt.Sprintf("%d arms with linearised loads that are minimised", len(front)),
		"computed from the table; as measured there are two, and three if loads are maximised")
}

// withinDelta judges GEGE's errors with the theorem's constants.
func withinDelta(r *study.Results) study.Verdict {
	e := r.Experiment
	var cells []study.Tally
	for _, size := range e.Sizes {
		c := r.Cell(size, GEGE, Theory)
		if len(c) == 0 {
			return study.Missing(GEGE + " on " + e.SizeLabel(size))
		}
		cells = append(cells, study.Tally{Name: e.SizeLabel(size), Wrong: study.Mistakes(c), Runs: len(c)})
	}
	v := study.AtMost(e.Delta, cells, "")
	if misspecified[e.Name] && v.Outcome == study.Differs {
		v.Outcome, v.Why = study.NotComparable, "the means are not linear in the features, which the theorem assumes"
	}
	return v
}
