// Package patience ends runs in which nothing ever becomes certain: two items are tied, or
// an item is on the boundary of the feasible region. It is for policies that ask for a few
// rewards a round and stop when they are certain.
//
//	dst = append(dst, explore.Pull{Arm: next, N: 1})
//	return patience.Extend(dst, from, pulls, prob, p) // more of the same, an error in the end
//
// After Long rewards the rounds get longer, so slowly that no run takes more than
// one part in Slow rewards more for it, and yet fast enough that Most rewards are
// reached after some tens of thousands of further rounds. That is sound for confidence
// intervals that hold at all times and whatever is measured. Phased policies, whose
// rounds grow anyway, give up in the same way.
package patience
