package explore

// A Pooled policy remembers nothing but counts and sums: after Learn of several batches, one after
// another, it is as after one Learn of all of them, if it goes on after each. Whoever knows that a
// run did not end can restore it from its sums.
type Pooled interface {
	Open
	// Pools reports whether that is so with the settings of the policy.
	Pools() bool
}
