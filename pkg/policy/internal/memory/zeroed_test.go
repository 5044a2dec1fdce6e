package memory_test

import (
	"slices"
	"testing"

	"github.com/purexp/purexp/pkg/policy/internal/memory"
)

// Memory that is large enough is used again, and holds nothing of before.
func TestZeroed(t *testing.T) {
	old := []int{1, 2, 3, 4}
	s := memory.Zeroed(old, 3)
	if !slices.Equal(s, []int{0, 0, 0}) || &s[0] != &old[0] {
		t.Errorf("%v; want three zeros in the same memory", s)
	}
	if s = memory.Zeroed(s, 9); !slices.Equal(s, make([]int, 9)) {
		t.Errorf("%v; want nine zeros", s)
	}
}
