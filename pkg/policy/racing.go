package policy

import (
	"math/rand/v2"
	"slices"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policy/internal/arms"
	"github.com/purexp/purexp/pkg/policy/internal/constrained"
	"github.com/purexp/purexp/pkg/policy/internal/memory"
	"github.com/purexp/purexp/pkg/question"
	"github.com/purexp/purexp/pkg/radius"
)

// ConstrainedRacing pulls each active arm once per round, and discards an arm when its status is
// certain. ConstrainedRacing is the baseline R-CP of the e-cAPE paper (Algorithm 3), after Auer,
// Chiang, Ortner and Drugan (AISTATS 2016).
//
// ConstrainedRacing has the same questions, assumptions and error probability as [ECAPE].
//
// ConstrainedRacing's bound on the number of pulls is weaker than that of ECAPE, because a
// dominated arm stays active until the arm that dominates it is certainly feasible.
//
// Let m^-(i,j) be the lower confidence bound on the amount by which arm j is better than arm i in
// every objective. Let M^-(i,j) be the lower confidence bound on the largest amount by which arm i
// is better than arm j in an objective. Let gamma_i be the evidence that arm i is on the same side
// of the region's boundary as its estimate. If gamma_i > 0, it is certain whether arm i is
// feasible. An active arm i is discarded if one of the following rules holds:
//
//	as infeasible  if gamma_i > 0 outside the region;
//	as dominated   if m^-(i,j) > 0 for an active arm j that is certainly feasible;
//	as optimal     if i is certainly feasible, M^-(i,j) > 0 and M^-(j,i) > 0 for
//	               all other arms j that remain: no arm dominates i, and
//	               no arm needs i as a dominator.
//
// For tolerances, known values, and half-widths that adapt to variances, ConstrainedRacing uses the
// stopping rule of docs/good-enough.md. With tolerances, a round pulls the undecided arms and the
// arms with which they are compared.
//
// Deviations from the paper: the printed initial set of active arms is empty; this implementation
// starts with all arms. The implementation does not compare an arm with itself. In each round, the
// tests for infeasible and dominated arms use the active set of the round. The tests for optimal
// arms use the arms that remain.
//
// A round with A active arms takes O(A^2 d) operations and allocates no memory.
type ConstrainedRacing struct {
	// Delta is the error probability; zero means DefaultDelta.
	Delta float64
	// Radius is the choice of confidence radii; nil means radius.Theory{}.
	Radius radius.Radius
	// If KeepWitnesses is true, an arm that has left the race as optimal can still dominate other
	// arms. The estimates of retired arms do not change after their last round, and their intervals
	// still hold. In the algorithm of the paper, only active arms can dominate other arms.
	KeepWitnesses bool `label:"witnesses kept"`

	ruled
	exact constrainedRace
}

// Card implements explore.Describer.
func (p *ConstrainedRacing) Card() explore.Card {
	return byRadius(orTheory(p.Radius), explore.Card{
		Name:     "Racing",
		Evidence: explore.AnySampling,
		Answers: []explore.Question{question.FeasiblePareto{}, question.Pareto{},
			question.BestFeasible{}},
		Certifies: explore.CertifiesAmounts,
		Needs:     []explore.Need{explore.SubGaussian{}, explore.IndependentObjectives{}},
		Uses:      tolerantUses(p.Radius),
		Source:    "Kone, Kaufmann, Richert 2025, Algorithm 3 (R-CP), after Auer et al. 2016",
		Key:       "kone2025constrained",
	})
}

// String returns the name of the policy, followed by its settings.
func (p *ConstrainedRacing) String() string { return named("Racing", p, orTheory(p.Radius)) }

// Init implements explore.Policy.
func (p *ConstrainedRacing) Init(prob *explore.Problem, _ rand.Source) error {
	exact, err := p.chooseRule(p, prob, p.Delta, p.Radius, &p.exact, uncertainArms)
	if err != nil || !exact {
		return err
	}
	if err := startConstrained(&p.exact.State, prob, p.Delta, p.Radius); err != nil {
		return err
	}
	p.exact.start(p.KeepWitnesses)
	return nil
}

// constrainedRace implements the race of the paper.
type constrainedRace struct {
	constrained.State
	keepWitnesses bool
	active        []int
	next          []int // scratch
	proven        []int // scratch: certainly feasible arms that may dominate other arms
	class         []explore.Class
	final         []explore.Reason // reasons of discarded arms
}

// Before the first round, start makes all arms active.
func (p *constrainedRace) start(keepWitnesses bool) {
	p.keepWitnesses = keepWitnesses
	p.active, p.next = memory.UpTo(p.active, p.K), memory.Zeroed(p.next, p.K)[:0]
	p.proven = memory.Zeroed(p.proven, p.K)[:0]
	p.class, p.final = memory.Zeroed(p.class, p.K), memory.Zeroed(p.final, p.K)
}

func (p *constrainedRace) round(dst []explore.Pull) []explore.Pull {
	for _, i := range p.active {
		dst = append(dst, explore.Pull{Arm: i, N: 1})
	}
	return dst
}

// Tell adds measurements to the statistics and discards arms.
func (p *constrainedRace) Tell(obs []explore.Batch) {
	p.Observe(obs)
	p.race()
}

// certain reports whether arm i is certainly feasible or, if the argument in is false, certainly
// infeasible.
func (p *constrainedRace) certain(i int, in bool) bool {
	return p.Feasibility.Inside[i] == in && p.Gammas[i] > 0
}

func (p *constrainedRace) race() {
	// First discard arms that are infeasible or dominated, compared with the active set of the
	// round.
	p.proven = p.proven[:0]
	for _, j := range p.active {
		if p.certain(j, true) {
			p.proven = append(p.proven, j)
		}
	}
	if p.keepWitnesses {
		for j, class := range p.class {
			if class == explore.Optimal {
				p.proven = append(p.proven, j)
			}
		}
	}
	for _, i := range p.active {
		if p.certain(i, false) {
			p.discard(i, explore.Infeasible, -1)
			continue
		}
		if by, m := p.Dominator(i, p.proven); m > 0 {
			p.discard(i, explore.Dominated, by)
		}
	}
	p.dropDecided()
	// Discard optimal arms after infeasible and dominated arms. All tests for optimal arms use the
	// same active set, which dropDecided updates after the loop.
	for _, i := range p.active {
		if !p.certain(i, true) {
			continue
		}
		optimal := true
		for _, j := range p.active {
			if j != i && !(p.NotDominated(i, j) > 0 && p.NotDominated(j, i) > 0) {
				optimal = false
				break
			}
		}
		if optimal {
			p.discard(i, explore.Optimal, -1)
		}
	}
	p.dropDecided()
}

// discard records the class of arm i, and the index by of the arm that dominates arm i, or -1 if no
// arm does.
func (p *constrainedRace) discard(i int, class explore.Class, by int) {
	p.class[i] = class
	r := explore.Reason{Class: class, By: -1}
	p.Feasibility.Slack(&r, i)
	switch class {
	case explore.Dominated:
		p.Behind(&r, i, by)
	case explore.Optimal:
		p.Ahead(&r, i, p.active)
	}
	p.final[i] = r
}

func (p *constrainedRace) dropDecided() {
	p.next = p.next[:0]
	for _, i := range p.active {
		if p.class[i] == explore.Undecided {
			p.next = append(p.next, i)
		}
	}
	p.active, p.next = p.next, p.active
}

// Answer returns the arms that are certainly optimal. Until the race has ended, the answer also
// contains the active arms that are optimal by the estimates.
func (p *constrainedRace) Answer() explore.Answer {
	a := explore.Answer{Reasons: slices.Clone(p.final)}
	var in []int
	for _, i := range p.active {
		r := &a.Reasons[i]
		*r = explore.Reason{By: -1, Constraint: -1}
		if p.Pulls == 0 {
			continue
		}
		p.Feasibility.Slack(r, i)
		p.Ahead(r, i, p.active)
		if p.Feasibility.Inside[i] {
			in = append(in, i)
		}
	}
	var front arms.Front
	front.Init(p.K)
	front.Update(&p.Estimates, in, slices.Repeat([]bool{true}, p.K), nil)
	a.Items = front.Members
	for i, class := range p.class {
		if class == explore.Optimal {
			a.Items = append(a.Items, i)
		}
	}
	slices.Sort(a.Items)
	return a
}

// Uniform pulls all arms equally often until the stopping rule of e-cAPE is satisfied. Uniform is
// the baseline U of the e-cAPE paper (section 5).
//
// Uniform has the same questions, assumptions and error probability as [ECAPE].
//
// The number of pulls is K times the number of pulls that the hardest arm needs.
//
// For tolerances, known values, and half-widths that adapt to variances, Uniform uses the stopping
// rule of docs/good-enough.md.
//
// Deviations from the paper: Uniform tests the rule after every sweep over the arms, because the
// paper does not state how often the rule is tested. Compared with a test after every pull, a run
// has at most K - 1 further pulls.
//
// A sweep of K pulls takes O(K^2 d) operations and allocates no memory.
type Uniform struct {
	// Delta is the error probability; zero means DefaultDelta.
	Delta float64
	// Radius is the choice of confidence radii; nil means radius.Theory{}.
	Radius radius.Radius

	ruled
	exact uniform
}

// Card implements explore.Describer.
func (p *Uniform) Card() explore.Card {
	c := (&ConstrainedRacing{Radius: p.Radius}).Card()
	c.Name, c.Source = "Uniform", "Kone, Kaufmann, Richert 2025, section 5, a baseline"
	return c
}

// String returns the name of the policy, followed by its settings.
func (p *Uniform) String() string { return named("Uniform", p, orTheory(p.Radius)) }

// Init implements explore.Policy.
func (p *Uniform) Init(prob *explore.Problem, _ rand.Source) error {
	exact, err := p.chooseRule(p, prob, p.Delta, p.Radius, &p.exact, allArms)
	if err != nil || !exact {
		return err
	}
	return startConstrained(&p.exact.State, prob, p.Delta, p.Radius)
}

// uniform implements the rules of the baseline U of the e-cAPE paper.
type uniform struct{ constrained.State }

func (c *uniform) round(dst []explore.Pull) []explore.Pull {
	if c.Pulls > 0 && c.Check() < 0 {
		return dst
	}
	return arms.Sweep(dst, c.K)
}
