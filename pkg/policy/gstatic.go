package policy

import (
	"math"
	"math/rand/v2"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policy/internal/epsilonbest"
	"github.com/purexp/purexp/pkg/question"
)

// GStatic is [LinFACT] with one G-optimal design for all arms, followed in all rounds: what the
// adaptive designs of the LinFACT paper are to be compared with.
//
// Question: all arms within Epsilon of the best, as for LinFACT. Fixed confidence.
//
// Assumptions: those of LinFACT.
//
// Guarantee: the answer is right with probability at least 1 - Delta, by the union bound of
// LinFACT's Theorem 4.1; pulls are of order d log(K/Delta)/min(alpha, beta)^2.
//
// Deviations from the paper: it is not in the paper. Decisions, budgets and accuracies are those of
// LinFACT with the design G; what is dropped from the active set is not compared any more, but
// pulled.
//
// Cost a round: O(K m^2) for rank m; one design in all.
type GStatic struct {
	// Delta is the error probability. Zero means DefaultDelta.
	Delta float64
	// Tol is the relative gap of the design. Zero means design.DefaultTol.
	Tol float64 `in:"[0,inf)" want:"a relative gap, at least 0"`

	rounds epsilonbest.Rounds
	delta  float64
}

// Card implements explore.Carded.
func (*GStatic) Card() explore.Card {
	return explore.Card{
		Name:      "G-static",
		Answers:   []explore.Question{question.AllEpsilonBest{}},
		Certifies: explore.CertifiesSet,
		Needs:     []explore.Need{explore.SubGaussian{}, explore.Linear{}},
		Evidence:  explore.OwnRounds,
		Uses:      explore.UsesFeatures | explore.UsesRelaxations,
		Source:    "of this project, beside Li, Ma, Hua, Zhu 2025",
		Key:       "li2025identifying",
	}
}

// String returns the name with the settings.
func (p *GStatic) String() string { return named("G-static", p) }

// Init implements explore.Policy.
func (p *GStatic) Init(prob *explore.Problem, _ rand.Source) (err error) {
	if p.delta, _, err = checked(p, p.Delta, nil); err != nil {
		return err
	}
	if err := startRounds(&p.rounds, prob, "GStatic", p.Tol, true); err != nil {
		return err
	}
	p.rounds.Static = true
	return nil
}

// Ask implements explore.Policy.
func (p *GStatic) Ask(dst []explore.Pull) ([]explore.Pull, error) {
	return p.rounds.Ask(dst, p.plan)
}

// plan decides about the pulls of the round.
func (p *GStatic) plan() error {
	r := &p.rounds
	if err := r.G(); err != nil {
		return err
	}
	acc := r.Accuracy()
	log := math.Log(2*float64(r.Model.N)) + r.Share(p.delta)
	return r.Each(2 * r.Value / (acc * acc) * log)
}

// Tell implements explore.Policy.
func (p *GStatic) Tell(obs []explore.Batch) error {
	if err := p.rounds.Estimate(obs); err != nil {
		return err
	}
	p.rounds.Classify(math.Ldexp(2, -p.rounds.Round))
	return nil
}

// Answer implements explore.Policy.
func (p *GStatic) Answer() explore.Answer { return p.rounds.Answer() }

// Warnings implements explore.Warnings: a design that misses its tolerance.
func (p *GStatic) Warnings() []error { return p.rounds.Warnings() }
