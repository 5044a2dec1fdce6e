package policy

import (
	"math/bits"
	"math/rand/v2"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policy/internal/pareto"
	"github.com/purexp/purexp/pkg/question"
)

// EGESH is EGE-SH, Empirical Gap Elimination by Sequential Halving (Kone,
// Kaufmann and Richert, "Bandit Pareto Set Identification: the Fixed Budget
// Setting", AISTATS 2024).
//
// Question: the Pareto set of the arms; an exact answer serves every relaxation
// of question.Pareto. Fixed budget. Features are ignored.
//
// Assumptions: objectives are sub-Gaussian of scale Problem.Sigma.
//
// Guarantee: the error probability is at most exp(-T/(288 sigma^2 H2 log2 K) +
// log(2 d (K-1) |S*| log2 K)), as the GEGE paper quotes it, for budget T and the H2
// of question.Pareto.Complexity. It is not certified at run time: answers come without
// reasons.
//
// Deviations from the paper: means are those of the rewards of all stages, as in the
// authors' code; the theorem is about Fresh ones. The last remainder of the budget is
// not spent.
//
// ceil(log2 K) stages, each with floor(T/(A ceil(log2 K))) pulls of every one of A
// active arms, after which the half with the smaller empirical gaps, rounded
// up, stays; the others are accepted if they look optimal and rejected if not.
// Cost a stage: O(A p d), p the active arms that look optimal; no allocation for
// a few dozen arms. The budget is never exceeded.
type EGESH struct {
	// Budget is T, the number of pulls: at least K ceil(log2 K).
	Budget int
	// Fresh estimates means from the rewards of one stage alone, as the paper's
	// analysis does. By default they are those of all stages, as in the authors' code
	// for the AISTATS paper, which errs less often.
	Fresh bool `label:"fresh rewards"`

	outputs pareto.Outputs
	rounds  int
}

// Card implements explore.Carded.
func (*EGESH) Card() explore.Card {
	return explore.Card{
		Name:     "EGE-SH",
		Answers:  []explore.Question{question.Pareto{}},
		Kind:     explore.FixedBudget,
		Needs:    []explore.Need{explore.SubGaussian{}},
		Evidence: explore.OwnRounds,
		Bound:    "error decreases exponentially in T/(sigma² H2 log K)",
		Source:   "Kone, Kaufmann, Richert 2024",
		Key:      "kone2024fixed",
	}
}

// String returns the name with the settings.
func (p *EGESH) String() string { return named("EGE-SH", p) }

// Init implements explore.Policy.
func (p *EGESH) Init(prob *explore.Problem, _ rand.Source) error {
	if err := p.outputs.Init(prob, false); err != nil {
		return err
	}
	k := p.outputs.Model.N
	p.rounds = bits.Len(uint(k - 1))
	if least := k * p.rounds; p.Budget < least {
		return budgetError("EGESH", p.Budget, least)
	}
	return nil
}

// Ask implements explore.Policy.
func (p *EGESH) Ask(dst []explore.Pull) ([]explore.Pull, error) {
	if p.outputs.Over {
		return dst, nil
	}
	return p.outputs.Each(dst, p.Budget/(len(p.outputs.Active)*p.rounds)), nil
}

// Tell implements explore.Policy.
func (p *EGESH) Tell(obs []explore.Batch) error {
	if p.Fresh {
		p.outputs.Forget()
	}
	p.outputs.Add(obs)
	p.outputs.Averages()
	p.outputs.Classify(nil)
	p.outputs.Keep((len(p.outputs.Active) + 1) / 2)
	return nil
}

// Answer implements explore.Policy. Before the last stage has ended, the items
// are those accepted and the active ones that look optimal.
func (p *EGESH) Answer() explore.Answer { return p.outputs.Answer() }
