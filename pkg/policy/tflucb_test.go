package policy_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policy"
	"github.com/purexp/purexp/pkg/polyhedron"
	"github.com/purexp/purexp/pkg/radius"
)

func tfLUCB() explore.Policy { return &policy.TFLUCB{Radius: radius.KaufmannKoolen{}} }

// Two arms have means 1 and 0 in one objective, with sigma 1, no constraint and no noise. Weighted sums
// use half of delta = 0.1, so L = log(max(log t, 1)/0.05) with radius.Paper. Both arms are pulled in each
// round. The run stops at the first n with
//
//	1 >= sqrt(2 L (1/n + 1/n)), that is, n >= 4 L(2n).
//	n = 16: L = log(3.466/0.05) = 4.239, 4 L = 16.95 > 16.
//	n = 17: L = log(3.526/0.05) = 4.256, 4 L = 17.02 > 17.
//	n = 18: L = log(3.584/0.05) = 4.272, 4 L = 17.09 < 18. Stop: 36 pulls.
//
// With the weight -2, the other arm is the best, and the sum has twice the scale and twice the gap.
func TestTFLUCBByHand(t *testing.T) {
	for best, weights := range [][]float64{{1}, {-2}} {
		c := bestOf(constrainedCase("by hand", polyhedron.Whole(1), 1, []float64{1}, []float64{0}), 1, weights...)
		r, err := explore.Run(&policy.TFLUCB{Radius: radius.Paper{}}, c.Problem, c.Exact(), nil)
		if err != nil {
			t.Fatal(err)
		}
		if r.Pulls != 36 || fmt.Sprint(r.Answer.Items) != fmt.Sprint([]int{best}) {
			t.Errorf("weights %v: %d pulls, answer %v; want 36 and arm %d", weights, r.Pulls, r.Answer.Items, best)
		}
	}
}

// The scale of a weighted sum is the smaller of two bounds: the scale of a projection times the norm of the weights,
// and the sum of the scales of its terms. In each case, the gap equals the scale, so the run takes 36 pulls, as in
// TestTFLUCBByHand.
func TestTFLUCBScale(t *testing.T) {
	for _, test := range []struct {
		weights, better []float64
		normSigma       float64
	}{
		{[]float64{1, 0}, []float64{1, 0}, 3},   // 1, not 3
		{[]float64{3, 4}, []float64{.6, .8}, 1}, // 5, not 7
		{[]float64{3, 4}, []float64{1, 1}, 3},   // 7, not 15; a scale of 5 would require uncorrelated errors
	} {
		c := bestOf(constrainedCase("scale", polyhedron.Whole(2), 1, test.better, []float64{0, 0}), 1, test.weights...)
		c.Problem.NormSigma = test.normSigma
		r, err := explore.Run(&policy.TFLUCB{Radius: radius.Paper{}}, c.Problem, c.Exact(), nil)
		if err != nil {
			t.Fatal(err)
		}
		if r.Pulls != 36 {
			t.Errorf("weights %v, NormSigma %v: %d pulls; want 36", test.weights, test.normSigma, r.Pulls)
		}
	}
}

// The other half of delta is for feasibility. An arm that is 1/2 outside, with sigma_u 1, is certainly infeasible
// when N/8 >= L = log(max(log N, 1)/0.05).
//
//	N = 34: L = log(3.526/0.05) = 4.256, 8 L = 34.05 > 34.
//	N = 35: L = log(3.555/0.05) = 4.264, 8 L = 34.11 < 35. Stop.
func TestTFLUCBInfeasibleByHand(t *testing.T) {
	c := bestOf(constrainedCase("one arm", atLeast(0), 1, []float64{-.5}), 1)
	r, err := explore.Run(&policy.TFLUCB{Radius: radius.Paper{}}, c.Problem, c.Exact(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if r.Pulls != 35 || len(r.Answer.Items) != 0 {
		t.Errorf("%d pulls, answer %v; want 35 and none", r.Pulls, r.Answer.Items)
	}
}

// Only uncertain arms are pulled. An arm that is far better, but barely infeasible, receives most pulls.
func TestTFLUCBPullsTheDoubtful(t *testing.T) {
	c := bestOf(constrainedCase("one hard", atLeast(math.Inf(-1), 0), .5,
		[]float64{1, 3}, []float64{-4, 3}, []float64{5, -.2}), 1, 1, 0)
	r, err := explore.Run(tfLUCB(), c.Problem, c.Exact(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if n := r.ArmPulls; n[2] < 20*n[0] || n[2] < 20*n[1] {
		t.Errorf("pulls %v; want most of arm 2", n)
	}
}

func ExampleTFLUCB() {
	// Find the two doses with the best response, among the doses that are safe enough.
	c := bestOf(constrainedCase("doses", atLeast(math.Inf(-1), .4), .5,
		[]float64{.3, .9}, []float64{.5, .8}, []float64{.7, .7}, []float64{.9, .1}), 2, 1, 0)
	r, err := explore.Run(&policy.TFLUCB{Delta: .05, Radius: radius.KaufmannKoolen{}}, c.Problem, c.Exact(), nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(r.Status, r.Answer.Items, "infeasible:", r.Answer.Of(explore.Infeasible))
	// Output:
	// stopped [1 2] infeasible: [3]
}
