package tidy

import (
	"strings"

	"github.com/rivo/uniseg"
)

// String returns t.Text().
func (t *Table) String() string { return t.Text() }

// Text returns t for a terminal or a fixed-width font. Columns are aligned by
// the width that characters have on a screen: 2 for most of Chinese, 0 for
// combining accents.
func (t *Table) Text() string {
	t.check()
	cells := [][]string{make([]string, len(t.Columns))}
	for j := range t.Columns {
		cells[0][j] = oneLine(t.Columns[j].header())
	}
	for _, row := range t.Rows {
		line := make([]string, len(row))
		for j, v := range row {
			line[j] = oneLine(t.Columns[j].text(v))
		}
		cells = append(cells, line)
	}
	width, right := make([]int, len(t.Columns)), t.right()
	for _, line := range cells {
		for j, c := range line {
			width[j] = max(width[j], uniseg.StringWidth(c))
		}
	}
	var b strings.Builder
	if t.Title != "" {
		b.WriteString(t.Title + "\n\n")
	}
	for i, line := range cells {
		var row strings.Builder
		for j, c := range line {
			if j > 0 {
				row.WriteString("  ")
			}
			pad := strings.Repeat(" ", width[j]-uniseg.StringWidth(c))
			if right[j] {
				row.WriteString(pad + c)
			} else {
				row.WriteString(c + pad)
			}
		}
		b.WriteString(strings.TrimRight(row.String(), " ") + "\n")
		if i > 0 {
			continue
		}
		for j, w := range width {
			if j > 0 {
				b.WriteString("  ")
			}
			b.WriteString(strings.Repeat("-", w))
		}
		b.WriteByte('\n')
	}
	for _, n := range t.Notes {
		b.WriteString("\n" + n + "\n")
	}
	return b.String()
}

// oneLine replaces line breaks by spaces.
func oneLine(s string) string {
	return strings.NewReplacer("\r\n", " ", "\n", " ", "\r", " ", "\t", " ").Replace(s)
}
