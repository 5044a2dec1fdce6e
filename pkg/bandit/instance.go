// Package bandit simulates measurements. An [Instance] is a problem together with the true
// distribution of rewards, a [Law]. Given a seed, an instance returns a sampler that simulates the
// measurements of a run.
//
//	law, err := bandit.NewGaussian(means, cov)       // the truth
//	inst := &bandit.Instance{Name: "toy", Problem: problem, Law: law}
//	res, err := explore.Run(policy, inst.Problem, inst.Sampler(seed.New(1)), nil)
//
// A policy sees the problem and the sums of the rewards that it requests, but never the instance.
// The package does not run policies: see explore.Run for one run, and package mc for many runs.
//
// # Sums
//
// A law draws the sum of n rewards of an arm in one step, with the exact distribution. For example,
// drawing the sum of a million Gaussian rewards takes as long as drawing one reward. [Gaussian],
// [Bernoulli] and [Poisson] draw a sum of n rewards in a time that does not depend on n. [Resample]
// takes time in proportion to the smaller of n and the number of data rows of the arm. [Contextual]
// draws features for each reward, in time proportional to n. Drawing rewards allocates no memory.
//
// # Common random numbers
//
// A sampler has a separate random stream for each arm i: the child ("arm", i) of its seed. If arms
// are pulled one reward at a time, the n-th reward of an arm is the same for all policies. The n-th
// reward of an arm does not depend on the pulls of other arms. Therefore, two runs with the same
// seed differ only in the choices of the policies. In general, the rewards of an arm depend only on
// the sizes of its previous batches. A batch of two rewards has the same distribution as two
// batches of one reward, but a different value.
package bandit

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/seed"
)

// An Instance is a problem with the true distribution of its rewards.
type Instance struct {
	// Name identifies the instance in tables, figures and random streams.
	Name string
	// Problem is the part of the instance that policies are allowed to know.
	Problem *explore.Problem
	// Law is the distribution of the rewards of the arms.
	Law Law
	// ItemMeans contains the true means of the items, M x d, one item per row; nil means that the
	// items are the arms. If the problem has a link, ItemMeans contains linear predictors instead
	// of means.
	ItemMeans *mat.Dense
	// Theta contains the parameters of a linear model, h x d: the means of the arms are Problem.X
	// times Theta. If the problem has a link, the products of Problem.X and Theta are linear
	// predictors instead of means. If Theta is nil, the means need not be linear.
	Theta *mat.Dense
	// Notes lists the assumptions behind the instance. Tables and figures print the notes of an
	// instance.
	Notes []string
	// Axes has one entry for each objective, which converts rewards to the units shown in figures.
	// Axes affects only figures; policies and rows ignore it. If Axes is nil, figures show rewards
	// without conversion.
	Axes []Axis
}

// An Axis converts the rewards of an objective, where larger is better, to displayed values, such
// as a price or seconds (smaller is better).
type Axis struct {
	// Label is the name of the objective, with its unit.
	Label string
	// Center is the displayed value that corresponds to a reward of 0. PerReward is the change of
	// the displayed value per unit of reward; it is negative if smaller displayed values are
	// better.
	Center, PerReward float64
}

// Out converts a reward, or a mean of rewards, to a displayed value.
func (a Axis) Out(reward float64) float64 { return a.Center + a.PerReward*reward }

// In converts a displayed value to a reward.
func (a Axis) In(value float64) float64 { return (value - a.Center) / a.PerReward }

// Less reports whether smaller displayed values are better.
func (a Axis) Less() bool { return a.PerReward < 0 }

// Means returns a copy of the true means of the arms, K x d, one arm per row.
func (in *Instance) Means() *mat.Dense {
	k, d := in.Law.Dims()
	mu := mat.NewDense(k, d, nil)
	for i := range k {
		in.Law.Mean(mu.RawRowView(i), i)
	}
	return mu
}

// Truth returns a copy of the true means of the items, M x d, one item per row. The returned means
// are suitable for Problem.Question.Correct, which scores answers. If the problem has a link, Truth
// returns linear predictors instead of means.
func (in *Instance) Truth() *mat.Dense {
	if in.ItemMeans != nil {
		return mat.DenseCopyOf(in.ItemMeans)
	}
	mu := in.Means()
	mu.Apply(func(_, _ int, mean float64) float64 { return in.Problem.Link.Predictor(mean) }, mu)
	return mu
}

// Sampler returns a [*Sampler] for the instance in; its noise depends only on s.
func (in *Instance) Sampler(s seed.Seed) explore.Sampler { return NewSampler(in.Law, s) }

// Validate returns an error if the problem of in is invalid, or if the law, the item means, Theta
// or Axes do not fit the problem.
func (in *Instance) Validate() error {
	bad := func(format string, args ...any) error {
		return fmt.Errorf("bandit: instance %q: %s", in.Name, fmt.Sprintf(format, args...))
	}
	if err := in.Problem.Validate(); err != nil {
		return fmt.Errorf("bandit: instance %q: %w", in.Name, err)
	}
	p := in.Problem
	if in.Law == nil {
		return bad("Law is nil; give the distribution of rewards, for example NewGaussian")
	}
	if k, d := in.Law.Dims(); k != p.K() || d != p.D() {
		return bad("Law has %d arms and %d objectives; the problem has %d and %d", k, d, p.K(), p.D())
	}
	if err := in.validateTheta(); err != nil {
		return err
	}
	if n := len(in.Axes); n != 0 && n != p.D() {
		return bad("Axes has %d entries; expected one for each of %d objectives, or nil", n, p.D())
	}
	for c, a := range in.Axes {
		if !(math.Abs(a.PerReward) > 0) || math.IsInf(a.PerReward, 0) || math.IsNaN(a.Center-a.Center) {
			return bad("Axes[%d] (%s): Center is %v, PerReward is %v; expected finite numbers and a nonzero PerReward",
				c, a.Label, a.Center, a.PerReward)
		}
	}
	if in.ItemMeans == nil {
		if p.Z != nil {
			return bad("ItemMeans is nil; give the true means of the problem's own items (Z), which are needed to " +
				"score answers")
		}
		return nil
	}
	m, d := in.ItemMeans.Dims()
	if m != p.M() || d != p.D() {
		return bad("ItemMeans is %d x %d; expected %d items x %d objectives", m, d, p.M(), p.D())
	}
	for i := range m {
		for c, v := range in.ItemMeans.RawRowView(i) {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return bad("ItemMeans: the mean of %s, %s (row %d, column %d) is %v; "+
					"expected a finite number", p.Item(i), p.Objective(c), i, c, v)
			}
		}
	}
	return nil
}

// NewLinear returns an instance whose means are linear in the features of p. Rewards are
// independent Gaussian with means p.X theta, K x d, and standard deviation p.Sigma. Items that are
// not arms have means p.Z theta, M x d. The matrix theta is h x d; the instance keeps a reference
// to theta without copying it.
//
// If the problem has a link, the linear predictors, not the means, are linear in the features.
// Rewards are then Bernoulli (explore.Logit) or Poisson (explore.Log) with means Link.Mean(p.X
// theta), and the true values of the items are linear predictors.
//
// NewLinear returns an error if the problem is invalid or has no features, or if theta does not fit
// the problem.
func NewLinear(name string, p *explore.Problem, theta *mat.Dense) (*Instance, error) {
	inst := &Instance{Name: name, Problem: p, Theta: theta}
	if err := p.Validate(); err != nil {
		return nil, fmt.Errorf("bandit: instance %q: %w", name, err)
	}
	if theta == nil {
		return nil, fmt.Errorf("bandit: instance %q: Theta is nil; give an h x d matrix of parameters", name)
	}
	if err := inst.validateTheta(); err != nil {
		return nil, err
	}
	law, err := linearLaw(p, theta)
	if err != nil {
		return nil, fmt.Errorf("bandit: instance %q: %w", name, err)
	}
	inst.Law = law
	z := p.Z
	if z == nil && p.Link != explore.Identity {
		z = p.X
	}
	if z != nil {
		inst.ItemMeans = new(mat.Dense)
		inst.ItemMeans.Mul(z, theta)
	}
	if err := inst.Validate(); err != nil {
		return nil, err
	}
	return inst, nil
}

// linearLaw returns the law with predictors p.X theta, in the family of distributions that belongs
// to the link of p.
func linearLaw(p *explore.Problem, theta *mat.Dense) (Law, error) {
	var mu mat.Dense
	mu.Mul(p.X, theta)
	mu.Apply(func(_, _ int, eta float64) float64 { return p.Link.Mean(eta) }, &mu)
	switch p.Link {
	case explore.Logit:
		return NewBernoulli(&mu)
	case explore.Log:
		return NewPoisson(&mu)
	}
	return NewGaussian(&mu, Isotropic(p.D(), p.Sigma))
}

// Isotropic returns the covariance of d independent objectives with standard deviation sigma.
func Isotropic(d int, sigma float64) *mat.SymDense {
	cov := mat.NewSymDense(d, nil)
	for c := range d {
		cov.SetSym(c, c, sigma*sigma)
	}
	return cov
}

// validateTheta returns an error if the field Theta of the instance in does not match its problem.
func (in *Instance) validateTheta() error {
	if in.Theta == nil {
		return nil
	}
	if in.Problem.X == nil {
		return fmt.Errorf("bandit: instance %q: Theta is set, but the problem has no features; set X too", in.Name)
	}
	_, features := in.Problem.X.Dims()
	if h, d := in.Theta.Dims(); h != features || d != in.Problem.D() {
		return fmt.Errorf("bandit: instance %q: Theta is %d x %d; expected %d features x %d objectives",
			in.Name, h, d, features, in.Problem.D())
	}
	return nil
}
