package constrained

import "github.com/purexp/purexp/pkg/explore"

// Uncertain returns the arm with the least evidence on its feasibility, -1 if
// there is enough on every arm.
func (c *State) Uncertain() int {
	least, arm := 0., -1
	for i, g := range c.Gammas {
		if g <= least && (arm < 0 || g < least) {
			least, arm = g, i
		}
	}
	return arm
}

// Observe takes measurements in as far as feasibility is concerned.
func (c *State) Observe(obs []explore.Batch) {
	c.Estimates.Tell(obs)
	c.Feasibility.locate(obs, &c.Estimates)
	c.Factor, c.Feasibility.factor = c.Bonus.Factors(c.Pulls)
	for i := range c.Gammas {
		c.Gammas[i] = c.Feasibility.gamma(i, c.N[i])
	}
}
