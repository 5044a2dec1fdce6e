// Package bandit simulates: an [Instance] is a problem together with the truth
// about it, that is, a [Law] of the rewards of each arm. From a seed it makes
// the sampler that simulates the measurements of a run.
//
//	law, err := bandit.NewGaussian(means, cov)       // the truth
//	inst := &bandit.Instance{Name: "toy", Problem: problem, Law: law}
//	res, err := explore.Run(policy, inst.Problem, inst.Sampler(seed.New(1)), nil)
//
// Policies see the problem and the sums of rewards that they ask for, never the
// instance.
//
// # Sums
//
// A law draws the sum of n rewards of an arm at once and exactly in law: a sum
// of a million Gaussian rewards costs what one reward costs. [Gaussian],
// [Bernoulli] and [Poisson] take the same time for any n; [Resample] takes time
// in proportion to the smaller of n and the rows of the arm. Nothing allocates.
//
// # Common random numbers
//
// A sampler has one random stream an arm, the child ("arm", i) of its seed. The
// n-th reward of an arm that is pulled one by one is therefore the same
// whatever is done with the other arms, by whichever policy: two policies on
// one seed differ by their choices, not by their luck. More generally the
// rewards of an arm depend on the sizes of its batches so far and on nothing
// else; a batch of two is equal in law to two batches of one, and different in
// value.
package bandit

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/seed"
)

// An Instance is a problem and the truth about it.
type Instance struct {
	// Name identifies the instance in tables, figures and random streams.
	Name string
	// Problem is what policies may know.
	Problem *explore.Problem
	// Law is the distribution of the rewards of the arms.
	Law Law
	// ItemMeans holds the true means of the items, M x d, one item a row. Nil
	// means that the items are the arms. Where the problem has a link, they are linear
	// predictors.
	ItemMeans *mat.Dense
	// Theta holds the parameters of a linear model, h x d: the means of the arms, or
	// their predictors where the problem has a link, are Problem.X times Theta. Nil means that they
	// are not known to be linear.
	Theta *mat.Dense
	// Notes are assumptions behind the instance, to be printed wherever it
	// appears.
	Notes []string
	// Axes say how people read each objective, d of them, for figures; policies and rows know
	// nothing of them. Nil means that people read rewards.
	Axes []Axis
}

// An Axis translates the rewards of an objective, of which more is better, into what people read:
// seconds, of which less is better, or a price.
type Axis struct {
	// Label is the name of the objective, with its unit.
	Label string
	// Center is the value of the reward 0, and PerReward the change of it from a reward to the next
	// whole one, negative if less is better.
	Center, PerReward float64
}

// Out returns the value of a reward, or of a mean of rewards.
func (a Axis) Out(reward float64) float64 { return a.Center + a.PerReward*reward }

// Less reports whether less is better.
func (a Axis) Less() bool { return a.PerReward < 0 }

// Means returns the true means of the arms, K x d, one arm a row. The matrix is
// a copy.
func (in *Instance) Means() *mat.Dense {
	k, d := in.Law.Dims()
	mu := mat.NewDense(k, d, nil)
	for i := range k {
		in.Law.Mean(mu.RawRowView(i), i)
	}
	return mu
}

// Truth returns the true means of the items, M x d, one item a row: what
// Problem.Question.Correct scores answers with. Where the problem has a link, they are
// linear predictors. The matrix is a copy.
func (in *Instance) Truth() *mat.Dense {
	if in.ItemMeans != nil {
		return mat.DenseCopyOf(in.ItemMeans)
	}
	mu := in.Means()
	mu.Apply(func(_, _ int, mean float64) float64 { return in.Problem.Link.Predictor(mean) }, mu)
	return mu
}

// Sampler returns a simulator of in whose noise comes from s alone, a
// [*Sampler].
func (in *Instance) Sampler(s seed.Seed) explore.Sampler { return NewSampler(in.Law, s) }

// Validate reports the first thing that is wrong with in: a problem that is not
// valid, a law or means of items that do not fit it.
func (in *Instance) Validate() error {
	bad := func(format string, args ...any) error {
		return fmt.Errorf("bandit: instance %q: %s", in.Name, fmt.Sprintf(format, args...))
	}
	if err := in.Problem.Validate(); err != nil {
		return fmt.Errorf("bandit: instance %q: %w", in.Name, err)
	}
	p := in.Problem
	if in.Law == nil {
		return bad("Law is nil; say how rewards are distributed, for example by NewGaussian")
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
			return bad("Axes[%d] (%s): a reward is %v, and one more %v; expected finite numbers, the second not 0",
				c, a.Label, a.Center, a.PerReward)
		}
	}
	if in.ItemMeans == nil {
		if p.Z != nil {
			return bad("ItemMeans is nil; the problem has items of its own (Z), " +
				"whose true means are needed to score answers")
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

// NewLinear returns the instance whose means are linear in the features of p: rewards are
// independent Gaussian with standard deviation p.Sigma, those of arms with means p.X theta, K x d;
// items that are not arms have means p.Z theta, M x d. theta is h x d, and kept.
//
// Where the problem has a link, the predictors are linear instead: rewards are Bernoulli
// (explore.Logit) or Poisson (explore.Log) with means Link.Mean(p.X theta), and the truth
// about the items are their predictors.
//
// It is an error if the problem is not valid, has no features, or if theta does not fit it.
func NewLinear(name string, p *explore.Problem, theta *mat.Dense) (*Instance, error) {
	inst := &Instance{Name: name, Problem: p, Theta: theta}
	if err := p.Validate(); err != nil {
		return nil, fmt.Errorf("bandit: instance %q: %w", name, err)
	}
	if theta == nil {
		return nil, fmt.Errorf("bandit: instance %q: Theta is nil; give the parameters, h x d", name)
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

// linearLaw returns the law of the family of p's link with the predictors p.X theta.
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

// Isotropic is the covariance of d independent objectives of standard deviation sigma.
func Isotropic(d int, sigma float64) *mat.SymDense {
	cov := mat.NewSymDense(d, nil)
	for c := range d {
		cov.SetSym(c, c, sigma*sigma)
	}
	return cov
}

// validateTheta reports what is wrong with the parameters of in, if there are any.
func (in *Instance) validateTheta() error {
	if in.Theta == nil {
		return nil
	}
	if in.Problem.X == nil {
		return fmt.Errorf("bandit: instance %q: Theta is there, but the problem has no features (X)", in.Name)
	}
	_, features := in.Problem.X.Dims()
	if h, d := in.Theta.Dims(); h != features || d != in.Problem.D() {
		return fmt.Errorf("bandit: instance %q: Theta is %d x %d; expected %d features x %d objectives",
			in.Name, h, d, features, in.Problem.D())
	}
	return nil
}
