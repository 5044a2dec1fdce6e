// Package policytest is a conformance suite for policies, the ones here and
// your own: what any policy must do, whatever its algorithm.
//
//	func TestMine(t *testing.T) {
//		policytest.Test(t, func() explore.Policy { return &Mine{Delta: 0.1} }, cases...)
//		mine := func() explore.Policy { return &Mine{Delta: 0.1} }
//		policytest.ErrorRate(t, mine, tight, 0.1, 500)
//	}
//
// A [Case] is a problem with its truth. Choose easy ones, where a wrong answer
// is a plain bug, and tight ones, where a constant that is too small shows:
// error rates on easy problems stay at zero with radii ten times too small.
//
// Tests of this kind see what a policy answers and asks, not why. Test a
// schedule (how many pulls in round r) against numbers worked by hand besides;
// [Case.Schedule] is the place.
package policytest
