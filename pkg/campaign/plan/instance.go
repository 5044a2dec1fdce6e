package plan

import (
	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/bandit"
	"github.com/purexp/purexp/pkg/campaign/problem"
)

// Instance returns what simulations of c take as the truth: the guessed means, those of the linear
// model that is closest if there is one, with the declared noise; its axes are in the user's units. The means are K x d, in the
// user's units. What a pilot leaves open about them is not simulated.
func Instance(c *problem.Compiled) (inst *bandit.Instance, means *mat.Dense, err error) {
	b, err := believe(c.Source)
	if err != nil {
		return nil, nil, err
	}
	l := newLaw(c, b)
	l.user.Copy(b.mean)
	l.set()
	inst = &bandit.Instance{Name: c.Source.Title, Problem: c.Problem, Law: l, Notes: b.notes}
	if inst.Name == "" {
		inst.Name = "candidates"
	}
	for i, s := range c.Scales {
		inst.Axes = append(inst.Axes, bandit.Axis{Label: c.Source.Objectives[i].Label(), Center: s.Out(0),
			PerReward: s.Out(1) - s.Out(0)})
	}
	return inst, l.user, inst.Validate()
}
