package gege

import (
	"slices"
	"testing"
)

// Every method of every experiment has a look of its own in the palette that the
// figures share.
func TestPalette(t *testing.T) {
	for _, e := range experiments {
		if !slices.Equal(e.Palette, palette) {
			t.Errorf("%s: palette %q", e.Name, e.Palette)
		}
		for _, m := range e.Methods {
			if !slices.Contains(palette, m.Name) {
				t.Errorf("%s: %s is not in the palette", e.Name, m.Name)
			}
		}
	}
}
