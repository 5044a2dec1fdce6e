package explore_test

import (
	"errors"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/explore"
)

// What could not be written is not known to the policy, and is told once when there is room.
func TestCampaignDiskFails(t *testing.T) {
	path := filepath.Join(t.TempDir(), "trial.jsonl")
	c, p, err := open(t, path)
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := c.Ask(); err != nil {
		t.Fatal(err)
	}
	obs := []explore.Batch{batch(0, 2, 1, 2), batch(2, 1, 3, 4)}
	mend := c.FailDisk(syscall.ENOSPC)
	for range 2 {
		err := c.Tell(1, obs)
		if !errors.Is(err, syscall.ENOSPC) || errors.Is(err, explore.ErrLog) ||
			!strings.Contains(err.Error(), "round 1 was not taken; repair the disk or make room") {
			t.Errorf("error %v", err)
		}
		if len(p.told) > 0 || c.Result().Rounds > 0 || c.Result().Pulls > 0 {
			t.Fatalf("the policy was told %v, which is on no disk", p.told)
		}
	}
	mend()
	if err := c.Tell(1, obs); err != nil {
		t.Fatal(err)
	}
	c.Close()
	if _, p, err := open(t, path); err != nil || len(p.told) != 1 {
		t.Errorf("the log has %v, error %v; want one round", p.told, err)
	}
}

// Contexts that could not be written are not known to the policy either.
func TestCampaignDiskFailsContexts(t *testing.T) {
	path := filepath.Join(t.TempDir(), "weather.jsonl")
	p := &follower{rounds: 3}
	c, err := explore.OpenCampaign(path, p, weather(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	mend := c.FailDisk(syscall.ENOSPC)
	x := mat.NewDense(2, 2, []float64{1, 2, 3, 4})
	if err := c.Observe(1, x); !errors.Is(err, syscall.ENOSPC) ||
		!strings.Contains(err.Error(), "contexts of round 1 were not taken") {
		t.Errorf("error %v", err)
	}
	if _, _, err := c.Ask(); !errors.Is(err, explore.ErrContext) || len(p.saw) > 0 {
		t.Errorf("the policy saw %v, which is on no disk; asked for pulls: %v", p.saw, err)
	}
	mend()
	if err := c.Observe(1, x); err != nil {
		t.Fatal(err)
	}
	if _, _, err := c.Ask(); err != nil {
		t.Error(err)
	}
}
