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
	cov := mat.NewSymDense(p.D(), nil)
	for c := range p.D() {
		cov.SetSym(c, c, p.Sigma*p.Sigma)
	}
	var mu mat.Dense
	mu.Mul(p.X, theta)
	law, err := NewGaussian(&mu, cov)
	if err != nil {
		return nil, fmt.Errorf("bandit: instance %q: %w", name, err)
	}
	inst.Law = law
	if p.Z != nil {
		inst.ItemMeans = new(mat.Dense)
		inst.ItemMeans.Mul(p.Z, theta)
	}
	if err := inst.Validate(); err != nil {
		return nil, err
	}
	return inst, nil
}

// validateTheta reports what is wrong with the parameters of in, if there are any.
func (in *Instance) validateTheta() error {
	if in.Theta == nil {
		return nil
	}
	if in.Problem.X == nil {
		return fmt.Errorf("bandit: instance %q: Theta is there, but the problem has no features (X)",
			in.Name)
	}
	_, features := in.Problem.X.Dims()
	if h, d := in.Theta.Dims(); h != features || d != in.Problem.D() {
		return fmt.Errorf("bandit: instance %q: Theta is %d x %d; want %d features x %d objectives",
			in.Name, h, d, features, in.Problem.D())
	}
	return nil
}
