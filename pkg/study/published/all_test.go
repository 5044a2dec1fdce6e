package published_test

import (
	"fmt"
	"runtime"
	"testing"

	"github.com/purexp/purexp/pkg/study"
	"github.com/purexp/purexp/pkg/study/arena"
	"github.com/purexp/purexp/pkg/study/papers"
	"github.com/purexp/purexp/pkg/study/published"
	"github.com/purexp/purexp/pkg/study/rage"
)

// Every experiment is published with its present definition and all replicates, and a sample of its rows equals the
// rows that this code simulates. With -short, one experiment of each paper has a sample with at least one row of each
// method; otherwise every experiment has such a sample. `make verify` draws a different sample of rows.
func TestRowsAreOfThisCode(t *testing.T) {
	quick := map[string]bool{"ecape/polyhedra": true, "gege/energy-maximised-budget": true, "rage/benchmark": true,
		"linfact/settings": true, "pfiwr/frontier": true}
	for _, p := range papers.All() {
		for _, e := range p.Experiments {
			if s := e.Study(); testing.Short() && !quick[s.Name] {
				if err := published.Current(s); err != nil {
					t.Error(err)
				}
			} else {
				verified(t, s)
			}
		}
	}
	if !testing.Short() {
		verified(t, arena.Study())
	}
}

func verified(t *testing.T, s study.Study) {
	t.Run(s.Name, func(t *testing.T) {
		if runtime.GOARCH != "amd64" {
			t.Skip("rows were simulated on amd64; others round some numbers otherwise")
		}
		if n, of, err := published.Verify(t.Context(), s, published.Sample{Share: 1e-4, Seed: 1}); err != nil || n == 0 {
			t.Errorf("%d of %d rows: %v", n, of, err)
		}
	})
}

func ExampleRead() {
	rows, header, err := published.Read(rage.Benchmark.Study())
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(len(rows), "runs of", header.Study, "at seed", header.Seed)
	r := rage.Benchmark.Results(rows)
	fmt.Println(len(r.Shown(5, rage.RAGE)), "of RAGE with 5 dimensions")
	// Output:
	// 1914 runs of rage/benchmark at seed 1
	// 20 of RAGE with 5 dimensions
}
