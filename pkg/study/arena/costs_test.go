package arena_test

import (
	"os"
	"testing"
	"time"

	"github.com/purexp/purexp/pkg/study/arena"
)

// PUREXP_ARENA_COSTS=FILE measures the times of costs.csv, which takes some minutes.
func TestMeasure(t *testing.T) {
	path := os.Getenv("PUREXP_ARENA_COSTS")
	if path == "" {
		t.Skip("PUREXP_ARENA_COSTS names no file")
	}
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := arena.Measure(f, time.Second); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
}
