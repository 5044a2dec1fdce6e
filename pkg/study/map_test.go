package study_test

import (
	"testing"

	"github.com/purexp/purexp/pkg/study"
)

// The class of a tile: the own method needs the fewest pulls by ten times or more, the fewest, fewer
// than the second, or as many as the second or more.
func TestTile(t *testing.T) {
	for _, c := range []struct {
		pulls []float64
		want  int
	}{
		{[]float64{10, 100, 20}, 0}, {[]float64{10, 99, 20}, 1}, {[]float64{10, 10, 20}, 1},
		{[]float64{10, 11, 9}, 2}, {[]float64{10, 200, 9}, 2}, {[]float64{10, 10, 9}, 3},
		{[]float64{10, 9, 20}, 3},
	} {
		if got := study.Tile(c.pulls); got != c.want {
			t.Errorf("pulls %v are of class %d; want %d", c.pulls, got, c.want)
		}
	}
}

// Ratios have two digits that count, and no exponent.
func TestTwoDigits(t *testing.T) {
	for x, want := range map[float64]string{1.26: "1.3", .0345: "0.035", 9.96: "10", 126: "130", 1: "1", 98765: "99 000", .999: "1"} {
		if got := study.TwoDigits(x); got != want {
			t.Errorf("%v is written %q; want %q", x, got, want)
		}
	}
}
