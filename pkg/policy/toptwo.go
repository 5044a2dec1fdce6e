package policy

import (
	"math"
)

// topTwo is what top-two policies for the best arm share: of a leader and a challenger, which is the
// arm that is cheapest to make as good as the leader, one is pulled, such that the leader gets a
// share of all pulls.
type topTwo struct {
	bestArms
	family family
	next   int
}

// choose picks the next pull, given the leader of the sampling rule. Slack is what is added to leads,
// share that of the leader.
func (t *topTwo) choose(leader int, slack, share float64) {
	t.rival(t.best(), t.upper) // stops for the arm with the largest mean
	if t.over {
		return
	}
	n, challenger, least := float64(t.N[leader]), -1, inf
	for j := range t.K {
		if j == leader {
			continue
		}
		c := 0.
		if lead := t.Mean[leader] - t.Mean[j] + slack; lead > 0 {
			c = t.family.cost(n, t.Mean[leader]+slack, float64(t.N[j]), t.Mean[j])
		}
		// Of several that cost nothing, the one with the fewest rewards.
		if c < least || c == least && t.N[j] < t.N[challenger] {
			challenger, least = j, c
		}
	}
	t.next = challenger
	if n <= share*float64(t.Pulls) {
		t.next = leader
	}
}

// optimist returns the arm with the largest mean plus a bonus of sigma sqrt(c log(t)/N).
func (t *topTwo) optimist(c float64) int {
	log := c * math.Log(float64(t.Pulls))
	best, most := 0, -inf
	for i, n := range t.N {
		if u := t.Mean[i] + t.Prob.Sigma*math.Sqrt(log/float64(n)); u > most {
			best, most = i, u
		}
	}
	return best
}
