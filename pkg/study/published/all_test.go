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

// Every experiment is published, as it is defined now and with all its replicates.
func TestAllArePublished(t *testing.T) {
	for _, p := range papers.All() {
		for _, e := range p.Experiments {
			if err := published.Current(e.Study()); err != nil {
				t.Error(err)
			}
		}
	}
}

// Published rows are those of this code: at least one of each method of each experiment and of the arena, and one of a
// thousand. Others are drawn by `make verify` each time.
func TestRowsAreOfThisCode(t *testing.T) {
	if runtime.GOARCH != "amd64" {
		t.Skip("rows were simulated on amd64; others round some numbers otherwise")
	}
	all := []study.Study{arena.Study()}
	for _, p := range papers.All() {
		for i, e := range p.Experiments {
			if !testing.Short() || i%6 == 1 { // make nightly does all of them
				all = append(all, e.Study())
			}
		}
	}
	for _, s := range all {
		t.Run(s.Name, func(t *testing.T) {
			if n, of, err := published.Verify(t.Context(), s, published.Sample{Share: .001, Seed: 1}); err != nil || n == 0 {
				t.Errorf("%d of %d rows: %v", n, of, err)
			}
		})
	}
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
