package policy

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/purexp/purexp/pkg/design"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policy/internal/linear"
)

// XYStatic is the XY-allocation (Soare, Lazaric and Munos, "Best-Arm Identification in Linear
// Bandits", NeurIPS 2014), with the phases of appendix F of the RAGE paper.
//
// Question: the best item of a linear model, as for [RAGE]. Fixed confidence.
//
// Assumptions: the same as those of RAGE.
//
// Guarantee: the answer is right with probability at least 1 - Delta. The union bound is over
// ordered pairs of items and over phases, with the weights 1/(2 t^2), whose sum is below 1. For n
// items, the number of pulls is of order rho log(n^2/Delta)/gap^2, where gap is the smallest gap
// and rho is the value of the design. The number of pulls of an adaptive method may be smaller, by
// a factor of up to the dimension.
//
// Deviations from the paper: the numbers of pulls are those of the design, rounded up; in the
// paper, arms are drawn at random. The design is certified to be within Tol of the optimum. The
// fields Draw and Design select the printed variants; [XYStaticPrinted] selects both. The test
// follows the appendix, in which t increases by one per phase, unlike in the authors' code.
//
// One design serves for all differences of items; each phase tests whether the leader is better
// than every other item. Each phase takes O(n m) operations, whatever the number of pulls.
type XYStatic struct {
	// Delta is the error probability; zero means DefaultDelta.
	Delta float64
	// Growth is the factor by which the total number of pulls grows in a phase; zero means 1.35, as
	// in the paper.
	Growth float64 `label:"growth %v" usual:"1.35" in:"(1,16]" want:"a growth factor above 1, at most 16"`
	// If Draw is true, the arms of a phase are drawn at random from the design, as printed.
	Draw bool `label:"arms drawn"`
	// Design is the method that computes the design. Tol is the relative gap to which designs are
	// computed; zero means design.DefaultTol.
	Design design.Method `label:"design %v" in:"[0,1]" want:"design.Certified or design.FrankWolfePaper"`
	Tol    float64       `in:"[0,inf)" want:"a relative gap, at least 0"`

	static
}

// Card implements explore.Describer.
func (*XYStatic) Card() explore.Card {
	return linearBest(explore.Card{
		Name:      "XY-static",
		Certifies: explore.CertifiesSet,
		Bound:     "pulls of order rho log(n²/delta)/gap²",
		Source:    "Soare, Lazaric, Munos 2014",
		Key:       "soare2014best",
	})
}

// XYStaticPrinted returns the method in appendix F of the RAGE paper: arms are drawn from a design
// by plain Frank-Wolfe iterations.
func XYStaticPrinted(delta float64) *XYStatic {
	return &XYStatic{Delta: delta, Draw: true, Design: design.FrankWolfePaper}
}

// String returns the name of the policy, followed by its settings.
func (p *XYStatic) String() string { return named("XY-static", p) }

// Init implements explore.Policy.
func (p *XYStatic) Init(prob *explore.Problem, src rand.Source) error {
	delta, _, err := checked(p, p.Delta, nil)
	if err != nil {
		return err
	}
	if err := p.phases.Model.Init(prob); err != nil {
		return err
	}
	c, err := design.NewPairs(p.phases.Model.X, p.phases.Model.Z)
	if err != nil {
		return err
	}
	n := float64(p.phases.Model.N)
	err = p.phases.Start(prob, "XYStatic", delta, p.Growth, 1.35, n*n, c, &design.Options{Tol: p.Tol, Method: p.Design})
	if p.Draw {
		p.phases.Random(src)
	}
	return err
}

// static is the common part of policies that follow one design in phases of growing length.
type static struct{ phases linear.Static }

// Ask implements explore.Policy.
func (s *static) Ask(dst []explore.Pull) ([]explore.Pull, error) { return s.phases.Ask(dst) }

// Tell implements explore.Policy.
func (s *static) Tell(obs []explore.Batch) error { return s.phases.Tell(obs) }

// Answer implements explore.Policy.
func (s *static) Answer() explore.Answer { return s.phases.Survivors.Answer() }

// Warnings implements explore.Warnings. Warnings warns about a design that misses its tolerance.
func (s *static) Warnings() []error { return s.phases.Warn }

// GAllocation is the G-allocation (Soare, Lazaric and Munos, "Best-Arm Identification in Linear
// Bandits", NeurIPS 2014). GAllocation's design is for estimating the mean of each arm, whereas the
// question depends on differences.
//
// Question: the best item of a linear model, as for [RAGE]. Fixed confidence.
//
// Assumptions: the same as those of RAGE.
//
// Guarantee: if the items are the arms, the guarantee of [XYStatic] holds with 4 m in place of rho,
// for rank m.
//
// Deviations from the paper: phases and test are those of [XYStatic], so the two policies differ
// only in the design. In the paper, the test is applied after every pull, and has larger constants.
//
// A run takes as long as a run of XYStatic, but computing the design is much faster.
type GAllocation struct {
	// Delta is the error probability; zero means DefaultDelta.
	Delta float64
	// Growth is the factor by which the total number of pulls grows in a phase; zero means 1.35.
	Growth float64 `label:"growth %v" usual:"1.35" in:"(1,16]" want:"a growth factor above 1, at most 16"`
	// Tol is the relative gap to which designs are computed; zero means design.DefaultTol.
	Tol float64 `in:"[0,inf)" want:"a relative gap, at least 0"`

	static
}

// Card implements explore.Describer.
func (*GAllocation) Card() explore.Card {
	c := (*XYStatic)(nil).Card()
	c.Name, c.Bound = "G-allocation", ""
	return c
}

// String returns the name of the policy, followed by its settings.
func (p *GAllocation) String() string { return named("G-allocation", p) }

// Init implements explore.Policy.
func (p *GAllocation) Init(prob *explore.Problem, _ rand.Source) error {
	delta, _, err := checked(p, p.Delta, nil)
	if err != nil {
		return err
	}
	if err := p.phases.Model.Init(prob); err != nil {
		return err
	}
	c, err := design.NewG(p.phases.Model.X)
	if err != nil {
		return err
	}
	n := float64(p.phases.Model.N)
	return p.phases.Start(prob, "GAllocation", delta, p.Growth, 1.35, n*n, c, &design.Options{Tol: p.Tol})
}

// XYAdaptive is the XY-adaptive allocation (Soare, Lazaric and Munos, "Best-Arm Identification in
// Linear Bandits", NeurIPS 2014), as described in appendix F of the RAGE paper, where phases
// discard items.
//
// Question: the best item of a linear model, as for [RAGE]. Fixed confidence.
//
// Assumptions: the same as those of RAGE.
//
// Guarantee: the answer is right with probability at least 1 - Delta. The allocation of a phase
// does not depend on the rewards of the phase. The union bound is over phases p, with weights
// 6/(pi^2 p^2), and over pairs of items.
//
// Deviations from the paper: for n items, the constants are sqrt(2 log(pi^2 p^2 n^2/(6 Delta))), as
// the union bound over phases and pairs requires. The papers and their code contain five other
// variants of these constants. Estimates are by least squares without regularisation, as in the
// theory. If Greedy is set, phases begin with arms that span the model. By default, the pulls of a
// phase are a rounded design that reaches the target variance, as in the analysis. Greedy selects
// the rule of the paper's experiments. Items may be different from arms. The target variance of the
// first phase is 0.2. With the printed target, Alpha/(m(m+1)+1), the first phase is longer than
// necessary, and on many instances the run ends after this phase. The field Phases selects the
// printed target, or the rule of the released code, with the same guarantee.
//
// Let v be the largest variance of a difference of active items, for noise of variance 1. Phase 1
// measures until v is at most First. Each later phase measures, with new rewards, until v is at
// most Alpha times the v of the previous phase. Each phase computes one design. If Greedy is set,
// each pull takes O(n^2 K) operations for n active items.
type XYAdaptive struct {
	// Delta is the error probability; zero means DefaultDelta.
	Delta float64
	// Alpha is the factor by which the target variance is multiplied in each phase; zero means 0.1.
	Alpha float64 `label:"alpha %v" usual:"0.1" in:"[0,1)" want:"a factor below 1; 0 means 0.1"`
	// First is the target variance of the first phase; zero means 0.2. If Phases is XYAdaptivePaper
	// or XYAdaptiveReleased, First must be 0, because these rules determine the first target.
	First float64 `label:"first %v" usual:"0.2" in:"[0,inf)" want:"a variance; 0 means 0.2"`
	// Phases is the rule for the length of phases.
	Phases XYAdaptivePhases `label:"%v" in:"[0,2]" want:"XYAdaptiveVariance, XYAdaptivePaper or XYAdaptiveReleased"`
	// If Greedy is true, the policy pulls, one at a time, the arm that most reduces the largest
	// variance.
	Greedy bool `label:"greedy"`
	// Union selects the pairs of items in the union bound of a phase.
	Union PhaseUnion `label:"union over %v" in:"[0,1]" want:"PhaseUnionActive or PhaseUnionAll"`
	// Tol is the relative gap to which designs are computed; zero means design.DefaultTol.
	Tol float64 `in:"[0,inf)" want:"a relative gap, at least 0"`

	phases linear.Phases
	delta  float64
	target float64 // target variance of the phase
	width  float64
}

// Card implements explore.Describer.
func (*XYAdaptive) Card() explore.Card {
	return linearBest(explore.Card{
		Name:      "XY-adaptive",
		Certifies: explore.CertifiesSet,
		Source:    "Soare, Lazaric, Munos 2014",
		Key:       "soare2014best",
	})
}

// XYAdaptivePhases is a rule for the length of phases in XYAdaptive. The guarantee is the same for
// all rules, because the length of a phase never depends on the phase's own rewards.
type XYAdaptivePhases int

// The following constants are the rules for the length of phases. In the rules, v is the largest
// variance of a difference of active items, for noise of variance 1, and m is the rank.
const (
	// XYAdaptiveVariance requires that v is at most First after the first phase. After each later
	// phase, v must be at most Alpha times the v of the previous phase.
	XYAdaptiveVariance XYAdaptivePhases = iota
	// XYAdaptivePaper is the printed rule, in which First is Alpha/(m(m+1)+1).
	XYAdaptivePaper
	// XYAdaptiveReleased is the rule in the code of the RAGE authors. The rule also divides v by n,
	// the number of pulls of the phase. A phase ends when v/n is at most Alpha times the v/n of the
	// previous phase. For the first phase, 1/(m(m+1)+1) replaces the previous value of v/n.
	XYAdaptiveReleased
)

// String returns the name of the rule.
func (r XYAdaptivePhases) String() string {
	return word(int(r), "phases by variance", "phases as printed", "phases of the released code")
}

// String returns the name of the policy, followed by its settings.
func (p *XYAdaptive) String() string { return named("XY-adaptive", p) }

// Init implements explore.Policy.
func (p *XYAdaptive) Init(prob *explore.Problem, _ rand.Source) (err error) {
	if p.delta, _, err = checked(p, p.Delta, nil); err != nil {
		return err
	}
	if p.First > 0 && p.Phases != XYAdaptiveVariance {
		return fmt.Errorf("policy: XYAdaptive.First is %v, but Phases (%v) sets another first target; leave First or "+
			"Phases at 0", p.First, p.Phases)
	}
	if err := p.phases.Init(prob); err != nil {
		return err
	}
	m := float64(p.phases.Model.Rank)
	switch {
	case p.Phases != XYAdaptiveVariance:
		p.target = p.alpha() / (m*(m+1) + 1)
	case p.First != 0:
		p.target = p.First
	default:
		p.target = xyAdaptiveFirst
	}
	return nil
}

// xyAdaptiveFirst is the default target variance of the first phase.
const xyAdaptiveFirst = .2

func (p *XYAdaptive) alpha() float64 {
	if p.Alpha == 0 {
		return .1
	}
	return p.Alpha
}

// Ask implements explore.Policy.
func (p *XYAdaptive) Ask(dst []explore.Pull) ([]explore.Pull, error) {
	return p.phases.Ask(dst, p.plan)
}

// plan chooses the pulls of the next phase so that the phase reaches its target variance.
func (p *XYAdaptive) plan() error {
	n, t := float64(p.phases.Model.N), float64(p.phases.Phase)
	if p.Union == PhaseUnionActive {
		n = float64(p.phases.Active())
	}
	p.width = p.phases.Model.Sigma * math.Sqrt(2*math.Log(math.Pi*math.Pi*t*t*n*n/(6*p.delta)))
	perPull := p.Phases == XYAdaptiveReleased
	if p.Greedy {
		reached, err := p.phases.Greedy(p.target, perPull)
		p.target = p.alpha() * reached
		return err
	}
	if err := p.phases.Solve("XYAdaptive", &design.Options{Tol: p.Tol}); err != nil {
		return err
	}
	const eps = .1 // allowed cost of rounding, as a fraction of the pulls
	want := p.phases.Design.Value * (1 + eps) / p.target
	if perPull {
		want = math.Sqrt(want)
	}
	if err := p.phases.Round(want, eps); err != nil {
		return err
	}
	reached := p.phases.Pairs.Value(linear.Weights(p.phases.Counts))
	if perPull {
		reached /= float64(linear.Total(p.phases.Counts))
	}
	p.target = p.alpha() * reached
	return nil
}

// Tell implements explore.Policy.
func (p *XYAdaptive) Tell(obs []explore.Batch) error {
	return p.phases.Tell(obs, p.width)
}

// Answer implements explore.Policy.
func (p *XYAdaptive) Answer() explore.Answer { return p.phases.Survivors.Answer() }

// Warnings implements explore.Warnings. Warnings warns about designs that miss their tolerance.
func (p *XYAdaptive) Warnings() []error { return p.phases.Warn }
