package mc

import (
	"crypto/sha256"

	"github.com/purexp/purexp/pkg/bandit"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/internal/digest"
	"github.com/purexp/purexp/pkg/seed"
)

// lawDigest hashes the distribution of the rewards by one reward of each arm from a fixed stream,
// to 10 digits: laws with the same means and scales differ in these. It is empty for instances
// whose features change, which draw them first.
func lawDigest(inst *bandit.Instance) string {
	if inst.Problem.Changing {
		return ""
	}
	pulls := make([]explore.Pull, inst.Problem.K())
	for i := range pulls {
		pulls[i] = explore.Pull{Arm: i, N: 1}
	}
	obs, err := inst.Sampler(seed.New(0).Child("law")).Sample(nil, pulls)
	if err != nil {
		return ""
	}
	h := sha256.New()
	for _, b := range obs {
		digest.Floats(h, b.Sum)
	}
	return digest.Sum(h)
}
