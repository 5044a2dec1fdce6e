package nb

import (
	"testing"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policy"
	"github.com/purexp/purexp/pkg/study/rage"
)

// A run without a policy uses the recommended policy.
func TestRecommended(t *testing.T) {
	inst, err := rage.BenchmarkInstance(3, .8)
	if err != nil {
		t.Fatal(err)
	}
	p := Recommended(inst, policy.Circumstances{AnySampling: true})
	if _, open := p.(explore.Asynchronous); !open {
		t.Errorf("%T does not use all results", p)
	}
	without, with := Run(inst, nil, 3), Run(inst, Recommended(inst, policy.Circumstances{}), 3)
	if without.Pulls != with.Pulls || without.Status != explore.Stopped {
		t.Errorf("%+v without a policy, %+v with the recommended one", without, with)
	}
}
