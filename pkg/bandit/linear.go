package bandit

import (
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/explore"
)

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
		return nil, fmt.Errorf("bandit: instance %q: Theta is nil; give the parameters, h x d",
			name)
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
	cov := mat.NewSymDense(p.D(), nil)
	for c := range p.D() {
		cov.SetSym(c, c, p.Sigma*p.Sigma)
	}
	return NewGaussian(&mu, cov)
}

// validateTheta reports what is wrong with the parameters of in, if there are any.
func (in *Instance) validateTheta() error {
	if in.Theta == nil {
		return nil
	}
	if in.Problem.X == nil {
		return fmt.Errorf("bandit: instance %q: Theta is there, but the problem has no "+
			"features (X)",
			in.Name)
	}
	_, features := in.Problem.X.Dims()
	if h, d := in.Theta.Dims(); h != features || d != in.Problem.D() {
		return fmt.Errorf("bandit: instance %q: Theta is %d x %d; want %d features x %d objectives",
			in.Name, h, d, features, in.Problem.D())
	}
	return nil
}
