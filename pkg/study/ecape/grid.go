package ecape

import (
	"github.com/purexp/purexp/pkg/bandit"
	"github.com/purexp/purexp/pkg/dataset"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/mc"
	"github.com/purexp/purexp/pkg/policy"
	"github.com/purexp/purexp/pkg/radius"
	"github.com/purexp/purexp/pkg/study"
)

// Delta is the error probability of all runs (paper, section 5).
const Delta = 0.1

// Replicates of the runs with the constants of the paper's experiments (its
// number), and of those with constants that come with a guarantee, whose runs
// take up to 60 times more pulls.
const (
	Reps           = 500
	GuaranteedReps = 50
)

// Names of the instances.
const (
	Published = "secukinumab"
	Described = "secukinumab as described"
	CovBoost  = "covboost"
)

// Names of the methods, and of the constants.
const (
	ECAPE    = "e-cAPE"
	TwoStage = "MD-APT+APE"
	Racing   = "Racing"
	Uniform  = "Uniform"

	Paper      = "paper"
	Theory     = "theory"
	Calibrated = "Kaufmann-Koolen"
)

// Methods lists the methods in the order of tables.
var Methods = []string{ECAPE, TwoStage, Racing, Uniform}

// Instances returns the instances of section 5: the dose-finding trial as
// published and as the paper describes it, and the vaccine trial.
func Instances() ([]*bandit.Instance, error) {
	var all []*bandit.Instance
	for _, f := range []func() (*bandit.Instance, error){
		dataset.Secukinumab{}.Instance, dataset.Secukinumab{AsDescribed: true}.Instance, dataset.CovBoost{}.Instance,
	} {
		inst, err := f()
		if err != nil {
			return nil, err
		}
		all = append(all, inst)
	}
	return all, nil
}

// Named returns the instance with the given name.
func Named(name string) (*bandit.Instance, error) {
	all, err := Instances()
	if err != nil {
		return nil, err
	}
	for _, inst := range all {
		if inst.Name == name {
			return inst, nil
		}
	}
	return nil, errUnknown(name)
}

// New returns a method with the given radius. With the paper's constants the
// two-stage method gives all of delta to each stage, as printed; otherwise it
// splits delta, as a guarantee needs.
func New(method string, r radius.Radius) explore.Policy { return newAt(Delta, method, r) }

// newAt is New at another error probability.
func newAt(delta float64, method string, r radius.Radius) explore.Policy {
	switch method {
	case ECAPE:
		return &policy.ECAPE{Delta: delta, Radius: r}
	case TwoStage:
		return &policy.TwoStage{Delta: delta, Radius: r, WholeDelta: r == radius.Radius(radius.Paper{})}
	case Racing:
		return &policy.ConstrainedRacing{Delta: delta, Radius: r}
	case Uniform:
		return &policy.Uniform{Delta: delta, Radius: r}
	}
	panic("ecape: no method " + method)
}

// Grid returns the runs: every method on every instance with the constants of
// the paper's experiments, and with two choices of constants that come with a
// guarantee.
func Grid(o study.Options) (*mc.Grid, error) {
	instances, err := Instances()
	if err != nil {
		return nil, err
	}
	g := &mc.Grid{Study: "ecape", Seed: o.Root(), Reps: o.Scaled(Reps, Reps), Workers: o.Workers, Shard: o.Shard}
	for _, inst := range instances {
		g.Instances = append(g.Instances, inst)
	}
	for _, c := range []struct {
		name string
		r    radius.Radius
		reps int
	}{{Paper, radius.Paper{}, Reps}, {Calibrated, radius.KaufmannKoolen{}, GuaranteedReps}, {Theory, radius.Theory{}, GuaranteedReps}} {
		for _, m := range Methods {
			g.Methods = append(g.Methods, mc.Method{
				Name: m, Constants: c.name, Delta: Delta, Reps: o.Scaled(c.reps, Reps),
				New: func() explore.Policy { return New(m, c.r) },
			})
		}
	}
	return g, nil
}
