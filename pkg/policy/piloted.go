package policy

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mathext"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policy/internal/arms"
)

// Piloted runs another policy, called the inner policy, when the noise of the objectives is
// unknown. A pilot of a few rewards of each arm yields upper bounds on the standard deviations of
// the objectives. The inner policy then continues from the rewards of the pilot, with the upper
// bounds as its noise scales.
//
// Question: any question of the inner policy, which New returns.
//
// Assumptions: rewards are Gaussian. The standard deviation may differ between objectives, but not
// between arms. If the rewards of one arm scatter more than equal noise can explain, Piloted
// returns an error. Problem.Sigma is used only to reject rewards beyond explore.LargestRatio times
// Sigma.
//
// Guarantee: the answer is right with probability at least 1 - Delta. The bounds use only the
// rewards planned for the pilot. The setting Rewards determines how many of the first rewards of
// each arm are planned. Let SS be the sum of the squared deviations of these rewards from the means
// of their arms. The degrees of freedom nu are fixed in advance: the number of rewards of each arm
// minus one, summed over arms. Because SS/sigma^2 is a chi-square variable, the bound
//
//	sigma^2 <= SS / q,   q the quantile of chi-square(nu) at Share Delta / d,
//
// holds simultaneously for all d objectives with probability at least 1 - Share Delta. Means of
// Gaussian rewards are independent of the deviations of the rewards from their means. Therefore,
// given the deviations, the sums that the inner policy receives from the pilot are distributed like
// sums of new rewards. The inner policy errs with probability at most (1 - Share) Delta. Policies
// that support Problem.Sigmas use one bound per objective; all other policies use the largest
// bound.
//
// The method was developed in this project, after Stein ("A two-sample test for a linear hypothesis
// whose power is independent of the variance", 1945).
//
// The pilot does not increase the computing time of the inner policy.
type Piloted struct {
	// New returns a new inner policy with error probability delta. The inner policy must implement
	// explore.Asynchronous.
	New func(delta float64) explore.Policy
	// Delta is the total error probability of pilot and inner policy; zero means DefaultDelta.
	Delta float64
	// Share is the fraction of Delta that the pilot uses, between 0 and 1; zero means 0.1.
	Share float64
	// Rewards is the number of rewards of each arm in the pilot, at least 2; zero means 4.
	Rewards int

	prob  *explore.Problem
	src   rand.Source
	inner explore.Asynchronous
	begun bool // whether the pilot has ended
	plan  []explore.Pull
	lack  []int     // by arm: number of missing rewards of the pilot
	n     []int     // by arm: number of rewards that the bounds use
	mean  []float64 // k x d: means of the rewards that the bounds use
	dev   []float64 // by objective: sum of squared deviations of the rewards that the bounds use
	own   []float64 // k x d: sums of squared deviations by arm and objective
	free  []int     // by objective: degrees of freedom of dev
	held  []explore.Batch
	sigma []float64 // bounds on the standard deviations
	total int
	over  bool
}

// Card implements explore.Describer. Card returns the card of the inner policy, in which the
// assumption of Gaussian noise, equal for all arms, replaces the known scale. Amounts in units of
// the unknown scale are omitted.
func (p *Piloted) Card() (card explore.Card) {
	delta, share, _ := p.settings()
	if p.New == nil {
		return card
	}
	inner, ok := p.New(delta - share*delta).(explore.Describer)
	if !ok {
		return card
	}
	card = inner.Card()
	card.Uses &^= explore.UsesSums
	needs := []explore.Need{explore.Gaussian{}, explore.EqualNoise{}}
	for _, n := range card.Needs {
		switch n := n.(type) {
		case explore.SubGaussian, explore.Gaussian:
		case explore.Norm:
			if n.InSigmas {
				n.Bound = 0
			}
			needs = append(needs, n)
		default:
			needs = append(needs, n)
		}
	}
	card.Needs = needs
	return card
}

// String returns the name of the policy, followed by its settings.
func (p *Piloted) String() string {
	delta, share, rewards := p.settings()
	return fmt.Sprintf("pilot of %d (%.10g of delta %.10g), then %s", rewards, share, delta,
		explore.Name(p.New(delta-share*delta)))
}

// settings returns the settings of the pilot, with defaults in place of zero values.
func (p *Piloted) settings() (delta, share float64, rewards int) {
	return cmp.Or(p.Delta, DefaultDelta), cmp.Or(p.Share, .1), cmp.Or(p.Rewards, 4)
}

// Sigmas returns the upper bounds on the standard deviations, one per objective. Until the pilot
// has ended, Sigmas returns nil.
func (p *Piloted) Sigmas() []float64 { return slices.Clone(p.sigma) }

// Init implements explore.Policy.
func (p *Piloted) Init(prob *explore.Problem, src rand.Source) error {
	delta, share, rewards := p.settings()
	if _, _, err := confidence(delta, nil); err != nil {
		return err
	}
	switch {
	case !(share > 0 && share < 1):
		return fmt.Errorf("policy: Piloted.Share is %v; expected the fraction of Delta for the "+
			"pilot, above 0 and below 1", share)
	case rewards < 2:
		return fmt.Errorf("policy: Piloted.Rewards is %d; expected at least 2 rewards of each arm, because one "+
			"reward carries no information about the noise", rewards)
	case p.New == nil:
		return errors.New("policy: Piloted.New is nil; expected a function that returns the policy after the pilot")
	case prob.Link != explore.Identity:
		return fmt.Errorf("policy: Piloted needs Gaussian rewards, not rewards with the link %v: %w",
			prob.Link, explore.ErrQuestion)
	}
	made := p.New(delta - share*delta)
	inner, ok := made.(explore.Asynchronous)
	if !ok {
		return fmt.Errorf("policy: Piloted.New returns %s, which accepts only requested "+
			"rewards; expected an explore.Asynchronous", explore.Name(made))
	}
	p.prob, p.src, p.inner = prob, src, inner
	p.begun, p.over, p.total, p.sigma = false, false, 0, nil
	k, d := prob.K(), prob.D()
	p.n, p.lack, p.mean = make([]int, k), make([]int, k), make([]float64, k*d)
	p.dev, p.free, p.own = make([]float64, d), make([]int, d), make([]float64, k*d)
	p.held = make([]explore.Batch, k)
	for i := range p.held {
		p.held[i] = explore.Batch{Pull: explore.Pull{Arm: i}, Sum: make([]float64, d)}
	}
	// The pilot measures the arms of the inner policy's first round, because that round does not
	// depend on the noise.
	if err := inner.Init(prob, rand.NewPCG(0, 0)); err != nil {
		return err
	}
	start, err := inner.Ask(nil)
	if err != nil {
		return err
	}
	p.plan = p.plan[:0]
	for _, s := range start {
		p.plan = append(p.plan, explore.Pull{Arm: s.Arm, N: rewards})
		p.lack[s.Arm] = rewards
	}
	p.over = len(p.plan) == 0
	return nil
}

// Ask implements explore.Policy.
func (p *Piloted) Ask(dst []explore.Pull) ([]explore.Pull, error) {
	if !p.begun {
		return p.More(dst, math.MaxInt, nil) // request all missing rewards of the pilot, each as a separate pull
	}
	// Request two pulls at a time, like a policy that compares two arms in a round.
	return p.inner.More(dst, min(2, p.prob.K()), nil)
}

// Tell implements explore.Policy.
func (p *Piloted) Tell(obs []explore.Batch) error { return p.Learn(obs) }

// lacking returns the pulls that are still missing in the pilot.
func (p *Piloted) lacking() []explore.Pull {
	var pulls []explore.Pull
	for _, s := range p.plan {
		if n := p.lack[s.Arm]; n > 0 && !p.over {
			pulls = append(pulls, explore.Pull{Arm: s.Arm, N: n})
		}
	}
	return pulls
}

// More implements explore.Asynchronous.
func (p *Piloted) More(dst []explore.Pull, n int, pending []explore.Pull) ([]explore.Pull, error) {
	if p.over || n < 1 {
		return dst, nil
	}
	if p.begun {
		return p.inner.More(dst, n, pending)
	}
	need := p.lacking()
	for _, out := range pending {
		for i := range need {
			if need[i].Arm == out.Arm {
				need[i].N -= out.N
			}
		}
	}
	for {
		// Append one pull of each arm before the second pull of any arm, so that a plate holds as
		// many different arms as possible.
		most := slices.MaxFunc(need, func(a, b explore.Pull) int { return a.N - b.N })
		if most.N <= 0 {
			return dst, nil
		}
		for i := range need {
			if need[i].N == most.N {
				need[i].N--
				dst = append(dst, explore.Pull{Arm: need[i].Arm, N: 1})
				if n--; n == 0 {
					return dst, nil
				}
			}
		}
	}
}

// Learn implements explore.Asynchronous.
func (p *Piloted) Learn(obs []explore.Batch) error {
	if p.over {
		return nil
	}
	for b := range obs {
		p.total += obs[b].N
	}
	if p.begun {
		return p.inner.Learn(obs)
	}
	for b := range obs {
		if err := p.count(&obs[b]); err != nil {
			return err
		}
		add(&p.held[obs[b].Arm], &obs[b])
	}
	if len(p.lacking()) > 0 {
		return nil
	}
	return p.begin()
}

// If the pilot still needs all rewards of a batch, count uses the batch for the bounds. Rewards
// beyond the plan of the pilot do not affect the bounds. If further rewards affected the bounds, an
// experimenter could look at results and end the pilot when the bounds look small.
func (p *Piloted) count(b *explore.Batch) error {
	if b.N > p.lack[b.Arm] || b.N == 0 {
		return nil
	}
	if b.N > 1 && b.Squares == nil {
		return fmt.Errorf("policy: %d rewards of %s were reported as a sum without the sum of "+
			"their squares; report rewards of the pilot one by one, or with Squares", b.N, p.prob.Arm(b.Arm))
	}
	n, m := float64(p.n[b.Arm]), float64(b.N)
	p.n[b.Arm] += b.N
	p.lack[b.Arm] -= b.N
	for c, sum := range b.Sum {
		if p.prob.Known != nil && !math.IsNaN(p.prob.Known.At(b.Arm, c)) {
			continue
		}
		p.free[c] += b.N
		if n == 0 {
			p.free[c]--
		}
		at := b.Arm*p.prob.D() + c
		mean := &p.mean[at]
		if b.N > 1 {
			within := math.Max(0, b.Squares[c]-sum*sum/m)
			p.dev[c] += within
			p.own[at] += within
		}
		off := sum/m - *mean
		between := off * off * n * m / (n + m)
		p.dev[c] += between
		p.own[at] += between
		*mean += off * m / (n + m)
	}
	return nil
}

// begin ends the pilot, and starts the inner policy with all results so far.
func (p *Piloted) begin() error {
	delta, share, _ := p.settings()
	d := p.prob.D()
	prob := *p.prob
	p.sigma = make([]float64, d)
	for c := range p.sigma {
		if p.free[c] == 0 { // all values of objective c are known, so the pilot is not needed
			continue
		}
		if err := p.unequal(c); err != nil {
			p.sigma = nil
			return err
		}
		least := distuv.ChiSquared{K: float64(p.free[c])}.Quantile(share * delta / float64(d))
		p.sigma[c] = math.Sqrt(p.dev[c] / least)
		if !(p.sigma[c] > 0) {
			return fmt.Errorf("policy: in the pilot, the rewards of each arm are equal in %s, so the noise is not "+
				"Gaussian; check the instrument, or declare the means as known", p.prob.Objective(c))
		}
	}
	prob.Sigma = slices.Max(p.sigma) // positive, because the arms of the pilot have at least one unknown value
	for c, v := range p.sigma {
		if v == 0 {
			p.sigma[c] = prob.Sigma
		}
	}
	prob.NormSigma = 0
	if d > 1 {
		prob.Sigmas = p.sigma
	}
	if err := p.inner.Init(&prob, p.src); err != nil {
		return err
	}
	p.begun = true
	return p.inner.Learn(slices.DeleteFunc(slices.Clone(p.held), func(b explore.Batch) bool { return b.N == 0 }))
}

// unequalAt is the largest probability with which a pilot is rejected although the noise is equal
// for all arms.
const unequalAt = 1e-4

// Unequal searches the arms of a pilot for an arm whose rewards scatter more than a common standard
// deviation can explain, and returns this arm. Unequal also returns the ratio of this arm's
// standard deviation to that of the other arms. If no arm scatters too much, Unequal returns -1. If
// an arm scatters too much, a bound on the noise from the pooled rewards of all arms is too small
// for this arm. The argument squares contains for each arm the sum of squared deviations from the
// arm's mean, and the argument free contains the degrees of freedom of this sum. The argument tests
// is the number of compared arms times the number of objectives. The test uses that an arm's share
// of the sum of squares has a beta distribution if the noise is equal. With equal noise, Unequal
// returns an arm for at most one in 10,000 pilots.
func Unequal(squares []float64, free []int, tests int) (arm int, times float64) {
	sum, all := 0., 0.
	for i, x := range squares {
		sum, all = sum+x, all+float64(max(free[i], 0))
	}
	for i, own := range squares {
		f := float64(free[i])
		if !(own > 0) || all <= f {
			continue
		}
		if mathext.RegIncBeta((all-f)/2, f/2, 1-min(own/sum, 1))*float64(tests) < unequalAt {
			return i, math.Sqrt(own / f / ((sum - own) / (all - f)))
		}
	}
	return -1, 0
}

// unequal returns an error if, in objective c, an arm scatters too much according to the test
// Unequal.
func (p *Piloted) unequal(c int) error {
	d, k := p.prob.D(), p.prob.K()
	squares, free := make([]float64, k), make([]int, k)
	for i := range k {
		squares[i], free[i] = p.own[i*d+c], p.n[i]-1
	}
	i, times := Unequal(squares, free, k*d)
	if i < 0 {
		return nil
	}
	return fmt.Errorf("policy: in the pilot %s scatters %.3g times as much as the other arms in %s, but a pilot "+
		"assumes equal noise; state a standard deviation that holds for every arm, or leave out %s",
		p.prob.Arm(i), times, p.prob.Objective(c), p.prob.Arm(i))
}

// Answer implements explore.Policy. During the pilot, all items are undecided.
func (p *Piloted) Answer() explore.Answer {
	if p.begun || p.over {
		return p.inner.Answer()
	}
	return explore.Answer{Reasons: arms.Undecided(p.prob.M())}
}

// Warnings implements explore.Warnings.
func (p *Piloted) Warnings() []error {
	if w, ok := p.inner.(explore.Warnings); ok {
		return w.Warnings()
	}
	return nil
}
