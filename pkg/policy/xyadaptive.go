package policy

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/purexp/purexp/pkg/design"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policy/internal/linear"
)

var _ explore.Policy = (*XYAdaptive)(nil)

// XYAdaptive is the XY-adaptive allocation (Soare, Lazaric and Munos, "Best-Arm
// Identification in Linear Bandits", NeurIPS 2014) as the RAGE paper runs it,
// appendix F: with items discarded.
//
// Question: the best item of a linear model, as for [RAGE]. Fixed confidence.
//
// Assumptions: those of RAGE.
//
// Guarantee: the answer is right with probability at least 1 - Delta: a phase's
// allocation does not depend on its own rewards, and the union bound is over
// phases p, with 6/(pi^2 p^2), and pairs of items.
//
// Deviations from the paper: constants are those of the union bound just named,
// sqrt(2 log(pi^2 p^2 n^2/(6 Delta))); the papers and their codes have five
// others. Estimates are least squares without regulariser, which the theory
// ignores; greedy phases begin with arms that span. By default a phase is a
// rounded design of the right length, which the analysis is about; Greedy is the
// rule of the experiments. Items need not be arms.
//
// Phase p measures until the largest variance of a difference of active items is
// at most Alpha times what it was at the end of the phase before (at first,
// 1/(m(m+1)+1) for rank m), with fresh rewards. Cost a phase: a design. Greedy:
// O(n^2 K) a pull for n active items.
type XYAdaptive struct {
	// Delta is the error probability. Zero means DefaultDelta.
	Delta float64
	// Alpha is the factor between phases. Zero means 0.1.
	Alpha float64
	// Greedy pulls, one at a time, the arm that reduces the largest variance
	// most.
	Greedy bool
	// Union says which pairs of items a phase's confidence covers.
	Union PhaseUnion
	// Tol is the relative gap of designs. Zero means design.DefaultTol.
	Tol float64

	phases linear.Phases
	delta  float64
	before float64 // largest variance of a difference at the end of the last phase
	width  float64
}

// String returns the name with the settings.
func (p *XYAdaptive) String() string {
	s := linearName("XY-adaptive", p.Delta)
	if p.Alpha != 0 && p.Alpha != .1 {
		s += fmt.Sprintf(", alpha %v", p.Alpha)
	}
	if p.Greedy {
		s += ", greedy"
	}
	if p.Union != PhaseUnionActive {
		s += ", union over " + p.Union.String()
	}
	return s
}

// Init implements explore.Policy.
func (p *XYAdaptive) Init(prob *explore.Problem, _ rand.Source) (err error) {
	if p.delta, _, err = confidence(p.Delta, nil); err != nil {
		return err
	}
	if !(p.Alpha >= 0 && p.Alpha < 1) {
		return fmt.Errorf("policy: XYAdaptive.Alpha is %v; want a factor below 1, or 0 for 0.1",
			p.Alpha)
	}
	if p.Tol < 0 {
		return fmt.Errorf("policy: XYAdaptive.Tol is %v; want a relative gap, at least 0", p.Tol)
	}
	if err := p.phases.Init(prob); err != nil {
		return err
	}
	m := float64(p.phases.Model.Rank)
	p.before = 1 / (m*(m+1) + 1)
	return nil
}

// Ask implements explore.Policy.
func (p *XYAdaptive) Ask(dst []explore.Pull) ([]explore.Pull, error) {
	return p.phases.Ask(dst, p.plan)
}

// plan decides about the pulls of a phase.
func (p *XYAdaptive) plan() (err error) {
	alpha, n, t := p.Alpha, float64(p.phases.Model.N), float64(p.phases.Phase)
	if alpha == 0 {
		alpha = .1
	}
	if p.Union == PhaseUnionActive {
		n = float64(p.phases.Active())
	}
	p.width = p.phases.Model.Sigma * math.Sqrt(2*math.Log(math.Pi*math.Pi*t*t*n*n/(6*p.delta)))
	if p.Greedy {
		p.before, err = p.phases.Greedy(alpha * p.before)
		return err
	}
	if err := p.phases.Solve("XYAdaptive", &design.Options{Tol: p.Tol}); err != nil {
		return err
	}
	const eps = .1 // what rounding may cost
	if err := p.phases.Round(p.phases.Design.Value*(1+eps)/(alpha*p.before), eps); err != nil {
		return err
	}
	p.before = p.phases.Pairs.Value(linear.Weights(p.phases.Counts))
	return nil
}

// Tell implements explore.Policy.
func (p *XYAdaptive) Tell(obs []explore.Batch) error {
	return p.phases.Tell(obs, p.width)
}

// Answer implements explore.Policy.
func (p *XYAdaptive) Answer() explore.Answer { return p.phases.Survivors.Answer() }

// Warnings implements explore.Warner: designs that miss their tolerance.
func (p *XYAdaptive) Warnings() []error { return p.phases.Warn }
