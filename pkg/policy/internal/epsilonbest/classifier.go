package epsilonbest

import (
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policy/internal/arms"
)

// A Classifier sorts items into those within epsilon of the best and the others, from estimates
// that are repeated with less and less error (the LinFACT paper, Algorithm 3).
//
// Items are active until they are classified, and those within epsilon until it is certain that
// another one is better: the best item must be among those that are compared.
type Classifier struct {
	Epsilon float64
	// Lone says that the last active item is the best, and therefore classified.
	Lone    bool
	Active  []int            // items that are compared, ascending
	Mean    []float64        // estimates, by item; of active items when Update is called
	Reasons []explore.Reason // by item
	Over    bool             // all items are classified

	leader, second int // the active items with the largest estimates; second may be -1
}

// Start makes all n items active.
func (c *Classifier) Start(n int, epsilon float64, lone bool) {
	*c = Classifier{Epsilon: epsilon, Lone: lone, Mean: make([]float64, n),
		Reasons: arms.Undecided(n), second: -1}
	for i := range n {
		c.Active = append(c.Active, i)
	}
	c.Over = n == 1 // whatever its mean
	if c.Over {
		c.Reasons[0].Class = explore.Optimal
	}
}

// Reopen says that items may consist of several whose means differ: the last one is not known to be
// the best in all of its parts.
func (c *Classifier) Reopen() {
	c.Lone, c.Over = false, false
	c.Reasons = arms.Undecided(len(c.Reasons))
}

// Update classifies active items by their estimates, whose differences err by at most radius:
//
//	rejected if the leader is ahead by more than epsilon + radius,
//	kept     if it is ahead by less than epsilon - radius,
//
// and drops items that are kept once the leader is ahead by radius. All decisions are about the
// items that were active before.
func (c *Classifier) Update(radius float64) {
	c.rank()
	active := c.Active[:0]
	for _, i := range c.Active {
		gap := c.Mean[c.leader] - c.Mean[i]
		if r := &c.Reasons[i]; r.Class == explore.Undecided {
			*r = explore.Reason{By: c.leader, Margin: c.Epsilon - gap, MarginRadius: radius,
				Constraint: -1}
			if i == c.leader {
				if r.By = c.second; r.By >= 0 {
					r.Margin += c.Mean[i] - c.Mean[r.By]
				}
			}
			switch {
			case gap > c.Epsilon+radius:
				r.Class, r.Margin = explore.Dominated, gap-c.Epsilon
				continue
			case gap < c.Epsilon-radius:
				r.Class = explore.Optimal
			}
		}
		if c.Reasons[i].Class == explore.Optimal && gap >= radius {
			continue
		}
		active = append(active, i)
	}
	c.Active = active
	if len(active) == 1 && c.Lone {
		c.Reasons[active[0]].Class = explore.Optimal
	}
	c.Over = len(c.Open()) == 0
}

// rank finds the two active items with the largest estimates.
func (c *Classifier) rank() {
	c.leader, c.second = c.Active[0], -1
	for _, i := range c.Active[1:] {
		switch {
		case c.Mean[i] > c.Mean[c.leader]:
			c.leader, c.second = i, c.leader
		case c.second < 0 || c.Mean[i] > c.Mean[c.second]:
			c.second = i
		}
	}
}

// Open returns the items that are not classified.
func (c *Classifier) Open() []int {
	var open []int
	for i, r := range c.Reasons {
		if r.Class == explore.Undecided {
			open = append(open, i)
		}
	}
	return open
}

// Member reports whether item i is in the answer as it stands: kept, or undecided and, as long as
// guess is set, with an estimate within epsilon of the leader's.
func (c *Classifier) Member(i int, guess bool) bool {
	r := c.Reasons[i]
	return r.Class == explore.Optimal ||
		guess && r.Class == explore.Undecided && c.Mean[c.leader]-c.Mean[i] <= c.Epsilon
}
