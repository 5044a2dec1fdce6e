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
// [Test] makes problems of its own out of yours: other names, units, origins and coordinates, copies
// of arms, and a crowd of arms in much noise, where what is claimed early is mostly false unless
// radii are wide enough for all arms at once. Reasons are compared with the truth as far as the
// policy's [explore.Card] certifies them, and in full if it has none. Rewards that are not Gaussian
// and settings that name amounts ([Case.Rigid]) leave some of these problems out.
//
// Tests of this kind see what a policy answers and asks, not why. Test a
// schedule (how many pulls in round r) against numbers worked by hand besides;
// [Case.Schedule] is the place.
package policytest
