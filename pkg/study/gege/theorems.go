package gege

import (
	"fmt"
	"math"
	"math/bits"
	"slices"
	"strings"

	"github.com/purexp/purexp/pkg/bandit"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/lsq"
	"github.com/purexp/purexp/pkg/policy"
	"github.com/purexp/purexp/pkg/question"
	"github.com/purexp/purexp/pkg/question/complexity"
	"github.com/purexp/purexp/pkg/seed"
	"github.com/purexp/purexp/pkg/study"
	"github.com/purexp/purexp/pkg/tidy"
)

// A bounded is a linear instance with what the theorems of the paper are written in.
type bounded struct {
	inst    *bandit.Instance
	k, h, d int
	sigma   float64
	gaps    []float64 // ascending
	c       complexity.Gaps
}

func newBounded(inst *bandit.Instance) (*bounded, error) {
	q, ok := inst.Problem.Question.(question.Pareto)
	if !ok {
		return nil, fmt.Errorf("gege: %s asks for %T; the theorems are about question.Pareto",
			inst.Name, inst.Problem.Question)
	}
	b := &bounded{inst: inst, k: inst.Problem.K(), d: inst.Problem.D(), sigma: inst.Problem.Sigma,
		h: lsq.NewSpan(inst.Problem.X).Rank()}
	b.c = complexity.NewGaps(q, inst.Truth(), b.h)
	b.gaps = slices.Clone(b.c.Gaps)
	slices.Sort(b.gaps)
	return b, nil
}

// boundedAt is newBounded of the instance of a size of an experiment.
func boundedAt(e study.Experiment, size int) (*bounded, error) {
	inst, err := e.At(size, 0)
	if err != nil {
		return nil, err
	}
	return newBounded(inst)
}

// rounds is ceil(log2 h), the number of rounds of Algorithm 2, at least 1.
func (b *bounded) rounds() int { return max(1, bits.Len(uint(b.h-1))) }

// theorem1 is the bound of Theorem 1 on the error probability with budget t, which may exceed 1.
func (b *bounded) theorem1(t float64) float64 {
	return math.Exp(-t/(1200*b.scale()) + b.logC())
}

// scale is sigma^2 H_2,lin ceil(log2 h), the unit of budgets in Theorem 1.
func (b *bounded) scale() float64 {
	return b.sigma * b.sigma * b.c.H2Lin * float64(b.rounds())
}

// logC is log C(h, d, K) of Theorem 1.
func (b *bounded) logC() float64 { return math.Log(float64(2 * b.d * (b.k + b.h + b.rounds()))) }

// enough is the budget with which Theorem 1 promises an error probability of at most delta.
func (b *bounded) enough(delta float64) float64 {
	return max(1200*b.scale()*(b.logC()-math.Log(delta)), float64(45*b.h*b.rounds()))
}

// theorem2 is the bound of Theorem 2: whatever the method, some instance with this H_2,lin has at
// least this error probability with budget t.
func (b *bounded) theorem2(t float64) float64 {
	return math.Exp(-2*t/(b.sigma*b.sigma*b.c.H2Lin)) / 4
}

// theorem3 is the number of pulls of Theorem 3 with the constants of its proof, equations (31) and
// (46): 32 (1 + 3 eps_1) 256/3 sigma^2 times the sum, eps_1 = 1/4, and the rounds.
func (b *bounded) theorem3(delta float64) float64 {
	sum := 0.
	for _, g := range b.gaps[1:b.least()] {
		sum += math.Log(float64(b.k*b.d)/delta*math.Log2(2/min(g, 1))) / (g * g)
	}
	return math.Log2(2/min(b.gaps[0], 1)) + 32*(1+3./4)*256/3*b.sigma*b.sigma*sum
}

// least is h, or the number of arms if that is less.
func (b *bounded) least() int { return min(b.h, len(b.gaps)) }

// lemma3 adds up the rounds of Algorithm 3 when arms stay in as long as Lemma 3 allows: the arm of
// gap g until round ceil(log2(1/g)). The union bound is that of the proof: see
// policy.GEGEConstants.
func (b *bounded) lemma3(delta float64) (pulls float64, rounds int) {
	for r := 1; ; r++ {
		active := 0
		for _, g := range b.gaps {
			if float64(r) <= max(1, math.Ceil(math.Log2(1/g))) {
				active++
			}
		}
		if active <= 1 {
			return pulls, rounds
		}
		eps, share := math.Ldexp(1, -r-1), 6*delta/(math.Pi*math.Pi*float64(r*r))
		pulls += math.Ceil(32 * (1 + 3*eps) * b.sigma * b.sigma * float64(min(active, b.h)) /
			(eps * eps) * math.Log(2*float64(active*b.d)/share))
		rounds++
	}
}

// theorem4 is H_1,lin sigma^2 log(1/delta), which Theorem 4 states up to a constant that it does
// not give.
func (b *bounded) theorem4(delta float64) float64 {
	return b.sigma * b.sigma * b.c.H1Lin * math.Log(1/delta)
}

// try runs a policy on an instance.
func try(inst *bandit.Instance, p explore.Policy, runs int) (study.Tries, error) {
	return study.Try(inst, p, runs, func(run int) seed.Seed {
		return seed.New(1).Child("theorems", inst.Name, run)
	})
}

// percent is a bound on a probability, in %; above 1 it says nothing.
func percent(p float64) any {
	if p > 1 {
		return "none"
	}
	return 100 * p
}

// instanceName names the instances of an experiment: "noc".
func instanceName(e study.Experiment) string {
	name, _, _ := strings.Cut(e.ShortName(), "-")
	return name
}

// BudgetTheorems returns Theorems 1 and 2 in numbers, on the first and the last instance of an
// experiment with a budget each, beside the errors of runs runs of GEGE.
func BudgetTheorems(runs int, es ...study.Experiment) (*tidy.Table, error) {
	t := &tidy.Table{
		Title: "Theorems 1 and 2 in numbers: the error probability with a fixed budget",
		Columns: tidy.Columns("instance", "K", "h", "sigma² H2lin [pulls]", "budget T [pulls]",
			"Theorem 1: at most [%]", "measured [%]",
			"Theorem 2: on some instance, at least [%]", "T for 1 % by Theorem 1 [pulls]"),
		Notes: []string{"Theorem 1: exp(-T/(1200 sigma² H2lin ceil(log2 h)) + log(2 d (K + h + " +
			"ceil(log2 h)))); \"none\" is a bound above 1. Theorem 2: whatever the method, " +
			"exp(-2T/(sigma² H2lin))/4 on some instance with the same H2lin, not on this one.",
			fmt.Sprintf("Measured: share of wrong answers in %d runs of GEGE.", runs)},
	}
	return t, fill(t, es, func(e study.Experiment, size int, b *bounded) ([]any, error) {
		budget := e.Budget(size)
		m, err := try(b.inst, &policy.GEGEFixedBudget{Budget: budget}, runs)
		if err != nil {
			return nil, err
		}
		n := float64(budget)
		return []any{instanceName(e), b.k, b.h, int(math.Round(b.sigma * b.sigma * b.c.H2Lin)),
			budget,
			percent(b.theorem1(n)), m.WrongPercent(),
			percent(b.theorem2(n)), int(math.Ceil(b.enough(.01)))}, nil
	})
}

// ConfidenceTheorems returns Theorems 3 and 4 in numbers, on the first and the last instance of an
// experiment with a given confidence each, beside what runs runs of GEGE needed.
func ConfidenceTheorems(runs int, es ...study.Experiment) (*tidy.Table, error) {
	t := &tidy.Table{
		Title: "Theorems 3 and 4 in numbers: pulls with a fixed confidence",
		Columns: tidy.Columns("instance", "K", "h", "delta", "Theorem 4: order of [pulls]",
			"median pulls, measured [pulls]", "rounds of Lemma 3 [pulls]",
			"Theorem 3: at most [pulls]", "rounds, measured", "rounds, at most", "wrong [%]"),
		Notes: []string{"Theorem 4: sigma² H1lin log(1/delta), up to a constant that is not " +
			"given. Rounds of Lemma 3: the lengths of all rounds when each arm stays as long as " +
			"the lemma allows. Theorem 3: with the constants of the proof (E.3), 4779 sigma² " +
			"times the sum over gaps 2 to h; rounding the rounds up, which its (36) drops, can " +
			"cost up to four times that.",
			fmt.Sprintf("Measured: %d runs of GEGE, constants of the theorem.", runs)},
	}
	return t, fill(t, es, func(e study.Experiment, _ int, b *bounded) ([]any, error) {
		m, err := try(b.inst, &policy.GEGEFixedConfidence{Delta: e.Delta}, runs)
		if err != nil {
			return nil, err
		}
		lemma, rounds := b.lemma3(e.Delta)
		return []any{instanceName(e), b.k, b.h, e.Delta, int(math.Round(b.theorem4(e.Delta))),
			int(tidy.Median(m.Pulls, study.Confidence).Center), int(lemma),
			int(math.Ceil(b.theorem3(e.Delta))), m.Rounds, rounds,
			m.WrongPercent()}, nil
	})
}

// fill adds a row for the instances at both ends of each experiment.
func fill(t *tidy.Table, es []study.Experiment,
	row func(e study.Experiment, size int, b *bounded) ([]any, error)) error {
	for _, e := range es {
		for _, size := range ends(e) {
			b, err := boundedAt(e, size)
			if err != nil {
				return err
			}
			r, err := row(e, size, b)
			if err != nil {
				return err
			}
			t.Rows = append(t.Rows, r)
		}
	}
	return nil
}

// ends are the first and the last size of an experiment, or the one that it has.
func ends(e study.Experiment) []int {
	return slices.Compact([]int{e.Sizes[0], e.Sizes[len(e.Sizes)-1]})
}
