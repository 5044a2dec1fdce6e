package canvas

import (
	"slices"
	"testing"

	"gonum.org/v1/plot/plotter"
)

// A band begins where both of its ends have begun.
func TestBand(t *testing.T) {
	low := plotter.XYs{{X: 2, Y: 1}, {X: 3, Y: 1}}
	high := plotter.XYs{{X: 1, Y: 5}, {X: 2, Y: 5}, {X: 2, Y: 4}, {X: 3, Y: 4}}
	want := plotter.XYs{{X: 3, Y: 1}, {X: 2, Y: 1}, {X: 2, Y: 4}, {X: 3, Y: 4}}
	if b := Band(low, high, Blue); !slices.Equal(b.XYs[0], want) {
		t.Errorf("around %v; want %v", b.XYs[0], want)
	}
}
