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

// Piloted runs another policy where nobody knows how noisy the objectives are: a pilot of a few
// rewards of each arm bounds their standard deviations from above, and the policy goes on from
// these rewards with the bounds as its scales.
//
// Question: that of the policy.
//
// Assumptions: Gaussian rewards, whose standard deviation may differ from objective to objective
// and is the same for all arms: a pilot in which one arm scatters more than that explains is refused. Of Problem.Sigma
// nothing is used but that rewards beyond explore.LargestRatio times it are refused.
//
// Guarantee: the answer is right with probability at least 1 - Delta. Let SS be the sum of the
// squared deviations of the pilot's rewards from the mean of their arm, with nu degrees of freedom
// (the rewards of each arm but one): the first Rewards of each arm of its plan, and no others, so
// that nu is fixed beforehand. SS/sigma^2 is a chi-square variable, so that
//
//	sigma^2 <= SS / q,   q the quantile of chi-square(nu) at Share Delta / d,
//
// for all d objectives at once but for a probability of Share Delta. Means of Gaussian rewards are
// independent of the deviations from them: given these, the sums that the pilot hands over are
// those of fresh rewards. The policy errs with probability at most (1 - Share) Delta. Policies
// that use Problem.Sigmas gain by different bounds, others take the largest.
//
// Source: of this project, after Stein ("A two-sample test for a linear hypothesis whose power is
// independent of the variance", 1945).
//
// Cost: that of the policy.
type Piloted struct {
	// New returns the policy for an error probability of delta. It is an explore.Open.
	New func(delta float64) explore.Policy
	// Delta is the error probability, the pilot's included. Zero means DefaultDelta.
	Delta float64
	// Share is the part of Delta that the pilot costs, between 0 and 1. Zero means 0.1.
	Share float64
	// Rewards is the number of rewards of each arm in the pilot, at least 2. Zero means 4.
	Rewards int

	prob  *explore.Problem
	src   rand.Source
	inner explore.Open
	begun bool // the pilot is over
	plan  []explore.Pull
	lack  []int     // by arm: rewards that the pilot lacks
	n     []int     // by arm: rewards that count for the pilot
	mean  []float64 // k x d: of these
	dev   []float64 // by objective: their squared deviations
	own   []float64 // k x d: those of an arm
	free  []int     // by objective: degrees of freedom of these
	held  []explore.Batch
	sigma []float64 // the bounds
	total int
	over  bool
}

// Card implements explore.Carded: it is the card of the policy, with noise that is Gaussian instead
// of known. What is told in units of a scale that nobody knows is not told.
func (p *Piloted) Card() (card explore.Card) {
	delta, share, _ := p.settings()
	if p.New == nil {
		return card
	}
	inner, ok := p.New(delta - share*delta).(explore.Carded)
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

// String returns the name with the settings.
func (p *Piloted) String() string {
	delta, share, rewards := p.settings()
	return fmt.Sprintf("pilot of %d (%.10g of delta %.10g), then %s", rewards, share, delta,
		explore.Name(p.New(delta-share*delta)))
}

// settings resolves the defaults.
func (p *Piloted) settings() (delta, share float64, rewards int) {
	return cmp.Or(p.Delta, DefaultDelta), cmp.Or(p.Share, .1), cmp.Or(p.Rewards, 4)
}

// Sigmas returns the bounds on the standard deviations, one an objective, nil before the pilot has
// ended.
func (p *Piloted) Sigmas() []float64 { return slices.Clone(p.sigma) }

// Init implements explore.Policy.
func (p *Piloted) Init(prob *explore.Problem, src rand.Source) error {
	delta, share, rewards := p.settings()
	if _, _, err := confidence(delta, nil); err != nil {
		return err
	}
	switch {
	case !(share > 0 && share < 1):
		return fmt.Errorf("policy: Piloted.Share is %v; expected the part of Delta that the pilot "+
			"costs, above 0 and below 1", share)
	case rewards < 2:
		return fmt.Errorf("policy: Piloted.Rewards is %d; expected at least 2 rewards of each arm: "+
			"one tells nothing about the noise", rewards)
	case p.New == nil:
		return errors.New("policy: Piloted.New is nil; expected the policy that goes on after the pilot")
	case prob.Link != explore.Identity:
		return fmt.Errorf("policy: Piloted is about Gaussian rewards, not those of the link %v: %w",
			prob.Link, explore.ErrQuestion)
	}
	made := p.New(delta - share*delta)
	inner, ok := made.(explore.Open)
	if !ok {
		return fmt.Errorf("policy: Piloted.New returns %s, which uses no rewards but those that "+
			"it asks for; expected an explore.Open", explore.Name(made))
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
	// The arms of the pilot are those that the policy would begin with, whatever the noise.
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
		return p.More(dst, math.MaxInt, nil) // all that the pilot lacks, one by one
	}
	// As many as a round of a policy that compares two arms.
	return p.inner.More(dst, min(2, p.prob.K()), nil)
}

// Tell implements explore.Policy.
func (p *Piloted) Tell(obs []explore.Batch) error { return p.Learn(obs) }

// lacking returns what the pilot lacks.
func (p *Piloted) lacking() []explore.Pull {
	var pulls []explore.Pull
	for _, s := range p.plan {
		if n := p.lack[s.Arm]; n > 0 && !p.over {
			pulls = append(pulls, explore.Pull{Arm: s.Arm, N: n})
		}
	}
	return pulls
}

// More implements explore.Open.
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
		// One reward of each arm, then the next: a plate holds as many arms as possible.
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

// Learn implements explore.Open.
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

// count adds a batch to the bounds if the pilot lacks so many rewards of its arm. Rewards beyond
// those do not count: the person who orders them may have looked at the results, could so choose the
// degrees of freedom, and could end the pilot when the bounds look small.
func (p *Piloted) count(b *explore.Batch) error {
	if b.N > p.lack[b.Arm] || b.N == 0 {
		return nil
	}
	if b.N > 1 && b.Squares == nil {
		return fmt.Errorf("policy: %d rewards of %s came as a sum without the sum of their "+
			"squares; tell rewards of the pilot one by one, or with Squares",
			b.N, p.prob.Arm(b.Arm))
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

// begin ends the pilot and begins the policy with what was measured.
func (p *Piloted) begin() error {
	delta, share, _ := p.settings()
	d := p.prob.D()
	prob := *p.prob
	p.sigma = make([]float64, d)
	for c := range p.sigma {
		if p.free[c] == 0 { // all is known
			continue
		}
		if err := p.unequal(c); err != nil {
			p.sigma = nil
			return err
		}
		least := distuv.ChiSquared{K: float64(p.free[c])}.Quantile(share * delta / float64(d))
		p.sigma[c] = math.Sqrt(p.dev[c] / least)
		if !(p.sigma[c] > 0) {
			return fmt.Errorf("policy: all rewards of an arm in the pilot are equal in %s: that "+
				"is no noise of a Gaussian; check the instrument, or give the value as known",
				p.prob.Objective(c))
		}
	}
	prob.Sigma = slices.Max(p.sigma) // the pilot has arms with something unknown
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

// unequalAt is the probability with which a pilot whose arms have the same noise is refused because they seem not to.
const unequalAt = 1e-4

// Unequal returns the arm of a pilot that scatters more than one standard deviation for all of them explains, and how
// many times as much as the others; -1 if there is none. Squares are the sums of squared deviations from the means of
// arms, free their degrees of freedom, and tests is how many arms and objectives are looked at. A bound on the noise
// that pools all arms is too small for such an arm. If noise is equal, an arm's part of the sum is a beta variable; one
// of 10 000 pilots is refused then.
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

// unequal fails if an arm scatters more in objective c than the others: see Unequal.
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
	return fmt.Errorf("policy: in the pilot %s scatters %.3g times as much as the other arms in %s, and a pilot "+
		"takes their noise for equal; state a standard deviation that holds for every arm, or ask without %s",
		p.prob.Arm(i), times, p.prob.Objective(c), p.prob.Arm(i))
}

// Answer implements explore.Policy. The pilot has none.
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
