package policy

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policy/internal/epsilonbest"
	"github.com/purexp/purexp/pkg/policy/internal/linear"
	"github.com/purexp/purexp/pkg/policy/internal/memory"
	"github.com/purexp/purexp/pkg/question"
)

// A TopMSelection is a rule for choosing the arm to pull when two arms are to be distinguished.
type TopMSelection int

// The following constants are the rules for choosing the arm to pull.
const (
	// TopMDefault is the default rule of each policy: TopMVariance for LinGIFA, TopMGreedy for
	// m-LinGapE.
	TopMDefault TopMSelection = iota
	// TopMVariance pulls whichever of the two arms has the estimate with the larger variance.
	TopMVariance
	// TopMGreedy pulls the arm that most reduces the variance of the difference.
	TopMGreedy
	// TopMRatio follows the proportions of the optimal design for the difference, as LinGapERatio
	// does. TopMRatio is the optimised rule in the paper and its released code.
	TopMRatio
)

// topMSettings contains the settings that policies for the top M arms have in common.
type topMSettings struct {
	name       string // name of the type
	called     string // name in labels
	delta      float64
	m          int
	epsilon    float64
	threshold  Threshold
	norm, reg  float64
	selection  TopMSelection
	individual bool
	pulled     bool // whether the run starts with one pull of each arm, whatever the value of reg
}

// card returns the card of a policy with the settings s; source is the name of the algorithm in the
// paper.
func (s topMSettings) card(source string) explore.Card {
	return withNorm(s.norm != 0, s.norm, explore.Card{
		Name:      s.called,
		Evidence:  explore.AnySampling,
		Answers:   []explore.Question{question.AllEpsilonBest{}},
		Certifies: certifiesIf(proved(s.threshold)),
		Needs: []explore.Need{explore.SubGaussian{}, explore.Linear{},
			explore.Known{What: explore.KnownCount, Given: s.m > 0}},
		Uses:   explore.UsesFeatures | explore.UsesRelaxations,
		Source: "Réda, Kaufmann, Delahaye-Duriez 2021, " + source,
		Key:    "reda2021top",
	})
}

// topM is the common part of policies for the top M arms of a linear model. The gap index B_ij is
// an upper confidence bound on the amount by which arm i is better than arm j (Reda, Kaufmann and
// Delahaye-Duriez 2021). J is the set of the m arms that the policy would return now.
type topM struct {
	batcher
	set    topMSettings
	beta   Threshold
	model  linear.Model
	belief *linear.Belief
	pulls  int
	base   float64 // log determinant of the initial information
	width  float64
	over   bool
	next   int
	ratios linear.Ratios

	half  []float64 // K x K: half-widths
	index []float64 // K
	order []int     // arms, starting with the arms of J
	top   []float64 // scratch for the m largest values
}

// init prepares a run of the policy self with the settings s.
func (p *topM) init(self explore.Policy, prob *explore.Problem, s topMSettings) (err error) {
	*p = topM{}
	p.batcher.init(self, prob, nil, p.expected)
	delta, _, err := checked(self, s.delta, nil)
	if err != nil {
		return err
	}
	s.delta = delta
	p.set = s
	if _, err := epsilonbest.Question(prob, s.name); err != nil {
		return err
	}
	k := prob.K()
	switch {
	case s.m < 1 || s.m > k:
		return fmt.Errorf("policy: %s.M is %d; expected a number of arms to return, from 1 to %d", s.name, s.m, k)
	case s.reg > 0 && s.norm == 0 && proved(s.threshold):
		return fmt.Errorf("policy: %s.Reg is %v, but Norm, which bounds the bias of regularisation, is 0; set Norm "+
			"to a bound on the norm of theta, leave Reg at 0, or choose a Threshold without a guarantee", s.name, s.reg)
	}
	if s.norm > 0 && s.reg == 0 {
		p.set.reg = 1
	}
	if p.beta, err = threshold(s.threshold); err != nil {
		return err
	}
	if err := p.model.Features(prob); err != nil {
		return err
	}
	if err := checkBelief(prob); err != nil {
		return err
	}
	p.ratios.Init(&p.model)
	p.belief = newBelief(prob, &p.model, p.set.reg)
	p.half, p.index, p.top = make([]float64, k*k), make([]float64, k), make([]float64, s.m)
	for i := range k {
		p.order = append(p.order, i)
	}
	if p.over = s.m == k; !p.over && p.set.reg > 0 && !s.pulled {
		p.belief.Solve()
		p.base = p.belief.LogDet
	}
	return nil
}

// checkBelief returns an error if there are too many arms or features for a belief.
func checkBelief(prob *explore.Problem) error {
	k := prob.K()
	if err := explore.CheckTable("covariances of the arms", k, k); err != nil {
		return fmt.Errorf("policy: %w; explore fewer arms, or use a method without such a table, such as LinFACT", err)
	}
	h := prob.H()
	if err := explore.CheckTable("information about the features", h, h); err != nil {
		return fmt.Errorf("policy: %w; give fewer features (Problem.X)", err)
	}
	return nil
}

// newBelief returns a belief about the arms. The argument reg is the weight of the squared norm of
// theta. If reg is positive, the belief uses the coordinates of the features. If reg is 0, the
// belief uses coordinates of the features' span.
func newBelief(prob *explore.Problem, l *linear.Model, reg float64) *linear.Belief {
	x := l.X
	if reg > 0 && prob.X != nil {
		x = mat.DenseCopyOf(prob.X)
	}
	return linear.NewBelief(x, reg)
}

// Ask implements explore.Policy.
func (p *topM) Ask(dst []explore.Pull) ([]explore.Pull, error) {
	switch {
	case p.over:
		return dst, nil
	case !p.belief.Solved:
		for i := range p.belief.K {
			dst = append(dst, explore.Pull{Arm: i, N: 1})
		}
		return dst, nil
	}
	return append(dst, explore.Pull{Arm: p.next, N: 1}), nil
}

// tell adds the rewards of the round, and computes the half-widths of all differences.
func (p *topM) tell(obs []explore.Batch) error {
	b := p.belief
	for _, o := range obs {
		b.Add(o.Arm, float64(o.N), o.Sum[0])
		p.pulls += o.N
	}
	if !b.Solved {
		if !b.Solve() {
			return errors.New(
				"policy: the arms are too close to collinear for least squares; " +
					"drop or rescale features")
		}
		p.base = p.baseline()
		if p.set.reg > 0 { // add the log determinant of the prior
			p.base = float64(b.Dim()) * math.Log(p.set.reg)
		}
	}
	p.widths()
	return nil
}

// baseline returns the log determinant of the information matrix of one reward of each arm, even if
// there are more rewards. Confidence bounds need an initial information matrix that does not depend
// on rewards.
func (p *topM) baseline() float64 {
	if p.pulls == p.belief.K {
		return p.belief.LogDet
	}
	least := newBelief(p.prob, &p.model, p.set.reg)
	for i := range least.K {
		least.Add(i, 1, 0)
	}
	least.Solve()
	return least.LogDet
}

func (p *topM) widths() {
	b := p.belief
	e := Evidence{Delta: p.set.delta, Pulls: max(p.pulls, 1), Rank: p.model.Rank, LogDet: b.LogDet - p.base}
	if p.set.reg > 0 && p.set.threshold == nil {
		p.width = p.model.Sigma*math.Sqrt(-2*math.Log(e.Delta)+e.LogDet) + math.Sqrt(p.set.reg)*p.set.norm
	} else {
		p.width = p.model.Sigma * math.Sqrt(2*p.beta.Beta(e))
	}
	k := b.K
	for i := range k {
		row, ci := b.Row(i), b.Row(i)[i]
		for j := range i {
			cj := b.Cov.Data[j*k+j]
			var v float64
			if p.set.individual {
				v = math.Sqrt(max(ci, 0)) + math.Sqrt(max(cj, 0))
			} else {
				v = math.Sqrt(max(ci+cj-2*row[j], 0))
			}
			p.half[i*k+j], p.half[j*k+i] = p.width*v, p.width*v
		}
	}
}

// gap returns the gap index B_ij of the paper.
func (p *topM) gap(i, j int) float64 {
	return p.belief.Mean[i] - p.belief.Mean[j] + p.half[j*p.belief.K+i]
}

// rival returns the arm outside J that may be better than arm b by the largest margin, and an upper
// bound on this margin.
func (p *topM) rival(b int) (c int, most float64) {
	c, most = -1, -inf
	for _, i := range p.order[p.set.m:] {
		if v := p.gap(i, b); v > most {
			c, most = i, v
		}
	}
	return c, most
}

// choose selects the arm to pull in order to distinguish b from c.
func (p *topM) choose(b, c int, own TopMSelection) (err error) {
	rule := p.set.selection
	if rule == TopMDefault {
		rule = own
	}
	i, j := p.model.Class[b], p.model.Class[c]
	switch {
	case rule == TopMVariance:
		if p.next = b; p.belief.Row(c)[c] > p.belief.Row(b)[b] {
			p.next = c
		}
		return nil
	case rule == TopMRatio && i != j: // no pull can distinguish copies of an arm
		if p.next, err = p.ratios.Lagging(i, j, p.belief.Weight); err != nil {
			return fmt.Errorf("policy: %s, design for %s and %s: %w", p.set.name, p.prob.Item(b), p.prob.Item(c), err)
		}
		return nil
	}
	most := -1.
	for k := range p.belief.K {
		if g := p.belief.Gain(k, b, c); g > most {
			p.next, most = k, g
		}
	}
	return nil
}

// put moves the m arms with the smallest keys, which form J, to the front of order. Ties are broken
// in favour of the lowest index.
func (p *topM) put(key func(i int) float64) {
	p.order = memory.UpTo(p.order, len(p.order))
	for a := range p.set.m {
		least := a
		for q := a + 1; q < len(p.order); q++ {
			i, j := p.order[q], p.order[least]
			if u, v := key(i), key(j); u < v || u == v && i < j {
				least = q
			}
		}
		p.order[a], p.order[least] = p.order[least], p.order[a]
	}
}

// Answer implements explore.Policy. The answer has no reasons, because the certificate is for the
// top M arms, not for the question.
func (p *topM) Answer() explore.Answer {
	items := slices.Clone(p.order[:p.set.m])
	slices.Sort(items)
	return explore.Answer{Items: items}
}

func (p *topM) expected(arm int) []float64 { return p.belief.Mean[arm : arm+1] }
