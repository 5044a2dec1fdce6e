package fig

import (
	"slices"
	"testing"

	"gonum.org/v1/plot/vg"
)

// Names of lines, in a panel from 0 to 100 with room from -20 on. By hand: of a line at the left whose name goes
// to its right and one at the right whose name goes to its left, the one at the right is on top, since its
// name passes over the line of the other; of two at the left the left one is on top; and a name that has
// room on no side covers its own line, and no other.
func TestBesideLines(t *testing.T) {
	for name, c := range map[string]struct {
		x, w     []vg.Length
		rows     []int
		at       []vg.Length
		crossing int
	}{
		"alone":       {[]vg.Length{10}, []vg.Length{50}, []int{0}, []vg.Length{13}, 0},
		"both left":   {[]vg.Length{10, 20}, []vg.Length{50, 50}, []int{0, 1}, []vg.Length{13, 23}, 0},
		"both right":  {[]vg.Length{80, 90}, []vg.Length{60, 60}, []int{1, 0}, []vg.Length{17, 27}, 0},
		"two sides":   {[]vg.Length{10, 90}, []vg.Length{70, 95}, []int{1, 0}, []vg.Length{13, -8}, 0},
		"no room":     {[]vg.Length{50}, []vg.Length{90}, []int{0}, []vg.Length{10}, 1},
		"unavoidable": {[]vg.Length{10, 90}, []vg.Length{85, 95}, []int{0, 1}, []vg.Length{13, -8}, 1},
	} {
		rows, at := besideLines(c.x, c.w, -20, 100)
		crossing := 0
		for i := range c.x {
			crossing += linesThrough(i, rows, c.x, at, c.w)
		}
		if crossing != c.crossing || name != "unavoidable" && (!slices.Equal(rows, c.rows) || !slices.Equal(at, c.at)) {
			t.Errorf("%s: rows %v, from %v, %d crossings; want %v, %v, %d", name, rows, at, crossing, c.rows, c.at, c.crossing)
		}
		sorted := slices.Clone(rows)
		slices.Sort(sorted)
		for i, r := range sorted {
			if i != r {
				t.Errorf("%s: rows %v are not one each", name, rows)
			}
		}
	}
	// Five share four rows.
	x, w := []vg.Length{1, 2, 3, 4, 5}, []vg.Length{9, 9, 9, 9, 9}
	if rows, _ := besideLines(x, w, 0, 100); !slices.Equal(rows, []int{0, 1, 2, 3, 0}) {
		t.Errorf("five lines: rows %v", rows)
	}
}
