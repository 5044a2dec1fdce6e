package pfiwr

import (
	"testing"

	"github.com/purexp/purexp/pkg/dataset"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/pareto"
)

// A front is found exactly by a run that has stopped with it: not by one that a limit ended, and not
// with an arm more or less.
func TestExact(t *testing.T) {
	inst, err := dataset.LLVM{}.Instance()
	if err != nil {
		t.Fatal(err)
	}
	front := pareto.Set(inst.Truth())
	for _, c := range []struct {
		status explore.Status
		items  []int
		want   float64
	}{
		{explore.Stopped, front, 1}, {explore.PullLimit, front, 0}, {explore.Stopped, front[1:], 0},
	} {
		meter := exact.New(inst)
		got := meter.Values(nil, &explore.Result{Status: c.status, Answer: explore.Answer{Items: c.items}})
		if got[0] != c.want {
			t.Errorf("%v with %d of %d items: %v; want %v", c.status, len(c.items), len(front), got[0], c.want)
		}
	}
}
