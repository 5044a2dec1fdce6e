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
