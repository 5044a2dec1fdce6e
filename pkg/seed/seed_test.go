package seed_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/purexp/purexp/pkg/seed"
)

func ExampleSeed_Child() {
	replicate := seed.New(1).Child("covboost", 17)
	noise := rand.New(replicate.Child("noise").Source())
	again := rand.New(seed.New(1).Child("covboost", 17).Child("noise").Source())
	fmt.Println(noise.Uint64() == again.Uint64())
	// Output: true
}

func TestPathsDiffer(t *testing.T) {
	root := seed.New(1)
	paths := [][]any{
		{}, {"a"}, {"b"}, {"ab", "c"}, {"a", "bc"}, {"abc"}, {1}, {"1"}, {2}, {1, 2}, {12}, {2, 1},
		{"a", 1}, {1, "a"}, {-1}, {""}, {0}, {"asbsc"}, {"a", "b", "c"},
		{math.MaxInt - 1}, {math.MaxInt}, {math.MinInt}, {"\x00"}, {"a", ""}, {"", "a"},
	}
	seen := map[seed.Seed][]any{}
	for _, p := range paths {
		s := root.Child(p...)
		if other, dup := seen[s]; dup {
			t.Errorf("paths %v and %v give the same stream", p, other)
		}
		seen[s] = p
	}
	if seed.New(1) == seed.New(2) || seed.New(0) == (seed.Seed{}) {
		t.Error("different roots give the same stream")
	}
	if root.Child("a", "b") == root.Child("a").Child("b") {
		t.Error("a path of two and two paths of one are the same stream; they need not be, and code relying on it is wrong")
	}
	for _, n := range []int{0, 1, -1, math.MaxInt32, math.MaxInt / 2, math.MaxInt, math.MinInt} {
		if root.Child(n) != root.Child(int64(n)) || root.Child(n) != root.Child(uint64(n)) {
			t.Errorf("%d: integer types give different seeds", n)
		}
	}
}

// Neighbouring streams must not be correlated. The correlation of n pairs of uniforms has standard deviation
// 1/sqrt(n). With a limit of 6 standard deviations, a false alarm has probability 2e-9.
func TestNeighboursUncorrelated(t *testing.T) {
	const n = 100000
	a := rand.New(seed.New(1).Child("x", 1).Source())
	b := rand.New(seed.New(1).Child("x", 2).Source())
	var c float64
	for range n {
		c += 12 * (a.Float64() - .5) * (b.Float64() - .5)
	}
	if c /= n; math.Abs(c) > 6/math.Sqrt(n) {
		t.Errorf("correlation of neighbouring streams: %.4f", c)
	}
}

// Rows of results store only their seeds, so a path must always give the same stream. The expected digits are the
// first 16 bytes of a SHA-256 hash, read as two little-endian numbers; they were computed in Python.
func TestGolden(t *testing.T) {
	for _, c := range []struct {
		s    seed.Seed
		want string
	}{
		{seed.New(1), "34a610ffdbb3dd6aa564edfcb70c3a8a"},
		{seed.New(1).Child("covboost", 17, "noise"), "a5bd03de9f143c58a73aea3c6c85ca88"},
		{seed.New(1).Child(-1), "a65c77c627018ffda5d9bfcbc2cfa323"},
		{seed.Seed{}, "00000000000000000000000000000000"},
		{seed.New(6), "0c9db9586319bcfa035086ed8048e91a"}, // leading zeros are printed
		{seed.New(45), "005ed9dd0d01f785f09659a4b0eb1484"},
	} {
		if got := c.s.String(); got != c.want {
			t.Errorf("%s, not %s", got, c.want)
		}
	}
	got, want := seed.New(1).Source(), rand.NewPCG(0x34a610ffdbb3dd6a, 0xa564edfcb70c3a8a)
	for range 3 {
		if g, w := got.Uint64(), want.Uint64(); g != w {
			t.Fatalf("the stream has %d, not %d", g, w)
		}
	}
}
