package study

import (
	"math"
	"slices"
	"testing"

	"github.com/purexp/purexp/pkg/dataset"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policy"
	"github.com/purexp/purexp/pkg/radius"
	"github.com/purexp/purexp/pkg/seed"
)

// Boxes are the means of what was told, and the radii of single means; on NoC they
// hold the truth of all arms.
func TestBoxes(t *testing.T) {
	const delta = .01
	inst, err := dataset.NoC{}.Instance()
	if err != nil {
		t.Fatal(err)
	}
	var told explore.Sums
	r, err := explore.Run(&policy.APE{Delta: delta, Radius: radius.Paper{}}, inst.Problem,
		inst.Sampler(seed.New(1)), &explore.Settings{Recorder: &told})
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(told.N, r.ArmPulls) || told.Pulls != r.Pulls {
		t.Fatalf("%v and %d pulls were recorded; want %v and %d", told.N, told.Pulls, r.ArmPulls,
			r.Pulls)
	}
	means, half := boxes(&told, inst.Problem, radius.KaufmannKoolen{}, delta)
	bonus := radius.KaufmannKoolen{}.Bind(radius.Params{Arms: 259, Objectives: 2,
		Sigma: inst.Problem.Sigma, NormSigma: inst.Problem.SigmaU(), Delta: delta})
	// By hand, of a radius that depends on the time: sigma sqrt(2 f/n) with f = log(8 K d t^3/delta).
	_, timed := boxes(&told, inst.Problem, radius.Theory{}, delta)
	f := math.Log(8 * 259 * 2 * math.Pow(float64(r.Pulls), 3) / delta)
	for i, n := range r.ArmPulls {
		if want := inst.Problem.Sigma * math.Sqrt(2*f/float64(n)); !(math.Abs(timed[i]/want-1) <= 1e-9) {
			t.Fatalf("arm %d: half-width %v of %d pulls after %d in all; want %v", i, timed[i], n, r.Pulls, want)
		}
		if half[i] != bonus.Mean(n) {
			t.Fatalf("arm %d: half-width %v of %d pulls; want %v", i, half[i], n, bonus.Mean(n))
		}
		for c, mu := range inst.Truth().RawRowView(i) {
			if d := math.Abs(means.At(i, c) - mu); !(d <= half[i]) {
				t.Errorf("arm %d, objective %d: the estimate is off by %v, the box by %v", i, c, d,
					half[i])
			}
		}
	}
}
