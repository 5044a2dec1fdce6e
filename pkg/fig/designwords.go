package fig

import (
	"fmt"
	"slices"
	"strings"

	"github.com/purexp/purexp/pkg/fig/canvas"
	"github.com/purexp/purexp/pkg/tidy"
)

// words describes a panel.
func (d *DesignPanel) words() string {
	title := canvas.Pretty(d.Title)
	if title == "" {
		title = "Design"
	}
	s := title + ": " + weightWords(d.Names, d.Design.Weights, 6)
	if d.Design.Value > 0 {
		s += fmt.Sprintf("; largest variance %s", tidy.Number(d.Design.Value))
	}
	return s + "."
}

// weightWords lists the largest weights.
func weightWords(names []string, ws []float64, most int) string {
	order := byWeight(ws)
	var parts []string
	for k, i := range order {
		if ws[i] == 0 {
			break
		}
		if k == most {
			parts = append(parts, "and others")
			break
		}
		parts = append(parts, fmt.Sprintf("%s %s", pointName(names, i), inPercent(ws[i])))
	}
	return strings.Join(parts, ", ")
}

func pointName(names []string, i int) string {
	if i < len(names) {
		return canvas.Pretty(names[i])
	}
	return fmt.Sprintf("point %d", i)
}

// byWeight returns the points in order of descending weight.
func byWeight(ws []float64) []int {
	order := make([]int, len(ws))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int {
		switch {
		case ws[i] > ws[j]:
			return -1
		case ws[i] < ws[j]:
			return 1
		}
		return 0
	})
	return order
}

// inPercent formats a weight.
func inPercent(w float64) string { return fmt.Sprintf("%.3g %%", 100*w) }
