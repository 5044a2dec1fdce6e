package fig

import (
	"fmt"
	"strings"
	"testing"

	"gonum.org/v1/plot/vg"

	"github.com/purexp/purexp/pkg/fig/canvas"
	"github.com/purexp/purexp/pkg/mc"
)

// Panels one below the other can stand alone: each says what its axis is. Of panels side by side, the last row does.
func TestAxesOfStackedPanels(t *testing.T) {
	var rows []mc.Row
	for _, inst := range []string{"x", "y"} {
		for _, constants := range []string{"a", ""} {
			rows = append(rows, mc.Row{Instance: inst, Constants: constants, Method: "m", Pulls: 3, Status: "stopped", Correct: true})
		}
	}
	const label = "pulls until stopping"
	for width, want := range map[vg.Length]string{0: "[[L] [L] [L] [L]]", canvas.PageWidth: "[[- -] [L L]]"} {
		f := must(SampleComplexity(rows, &RowOptions{Width: width}))
		var said [][]string
		for _, row := range f.Panels {
			var labels []string
			for _, p := range row {
				labels = append(labels, map[string]string{label: "L", "": "-"}[p.X.Label.Text])
			}
			said = append(said, labels)
		}
		if got := fmt.Sprint(said); got != want {
			t.Errorf("width %v: axes %s; want %s", width, got, want)
		}
		if alt := f.Alt(); !strings.Contains(alt, "x, constants: a: m median 3") || !strings.Contains(alt, " y: m median 3") {
			t.Errorf("width %v: %s", width, alt)
		}
	}
}
