package planview

import (
	"testing"
)

// A number is rounded up to the next one that has two digits and zeros, by trying.
func TestRoundUp(t *testing.T) {
	two := func(n int) bool {
		for n >= 100 {
			if n%10 != 0 {
				return false
			}
			n /= 10
		}
		return true
	}
	for n := range 12_000 {
		want := n
		for !two(want) {
			want++
		}
		if got := round(n); got != want {
			t.Fatalf("%d is rounded to %d; want %d", n, got, want)
		}
	}
}
