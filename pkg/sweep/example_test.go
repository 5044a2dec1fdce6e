package sweep_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/purexp/purexp/pkg/bandit"
	"github.com/purexp/purexp/pkg/dataset"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/mc"
	"github.com/purexp/purexp/pkg/policy"
	"github.com/purexp/purexp/pkg/sweep"
)

// doses returns a study with one method on the five doses of a trial, and 12 replicates.
func doses() *mc.Grid {
	trial, err := dataset.Secukinumab{}.Instance()
	if err != nil {
		log.Fatal(err)
	}
	return &mc.Grid{
		Study: "doses", Seed: 1, Reps: 12, MaxPulls: 1000,
		Instances: []*bandit.Instance{trial},
		Methods: []mc.Method{{Name: "e-cAPE", Delta: .1, New: func() explore.Policy {
			return &policy.ECAPE{Delta: .1}
		}}},
	}
}

// A study in four shards, which run here one after the other and elsewhere on four machines, gives
// the same file as one process.
func Example() {
	s, remove := make4()
	defer remove()
	ctx := context.Background()
	for i := range s.Shards {
		if err := s.Run(ctx, doses(), i+1, sweep.Settings{}); err != nil {
			fmt.Println(err)
		}
	}
	all := filepath.Join(s.Dir, "all.jsonl")
	if err := s.Merge(ctx, all); err != nil {
		fmt.Println(err)
	}
	one := filepath.Join(s.Dir, "one.jsonl")
	if err := doses().Stream(ctx, one); err != nil {
		fmt.Println(err)
	}
	a, _ := os.ReadFile(all)
	b, _ := os.ReadFile(one)
	fmt.Println(s.Rows(), "rows; the same bytes:", string(a) == string(b))
	// Output: 12 rows; the same bytes: true
}

// make4 creates a sweep of 4 shards in a temporary folder, on a machine without Slurm.
func make4() (s *sweep.Sweep, remove func()) {
	dir, err := os.MkdirTemp("", "sweep")
	if err != nil {
		log.Fatal(err)
	}
	s, err = sweep.Create(filepath.Join(dir, "big"), &sweep.Plan{
		Study: sweep.Study{Name: "doses", Reps: 12, Seed: 1}, Grid: doses(), Shards: 4,
	})
	if err != nil {
		log.Fatal(err)
	}
	s.Slurm.Squeue = "squeue-of-no-cluster"
	return s, func() { os.RemoveAll(dir) }
}
