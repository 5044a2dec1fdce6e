package published_test

import (
	"fmt"
	"testing"

	"github.com/purexp/purexp/pkg/study/papers"
	"github.com/purexp/purexp/pkg/study/published"
	"github.com/purexp/purexp/pkg/study/rage"
)

// Every experiment is published, as it is defined now and with all its replicates. That its rows
// are those of this code is for `make verify` to see.
func TestAllArePublished(t *testing.T) {
	for _, p := range papers.All() {
		for _, e := range p.Experiments {
			if err := published.Current(e.Study()); err != nil {
				t.Error(err)
			}
		}
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
