package tidy

import (
	"encoding/csv"
	"io"
	"slices"
	"strings"

	"github.com/rivo/uniseg"

	"github.com/purexp/purexp/pkg/internal/csvtable"
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

// markdownEscapes are the characters that would be read as markup inside a
// cell, the dollar among them: notebooks set what stands between two of them
// as a formula. Intervals have brackets too, which are left alone: what makes a link
// of them is what follows, and a link may run a script.
var markdownEscapes = strings.NewReplacer(
	`](`, `]\(`, `]:`, `]\:`,
	`\`, `\\`, `|`, `\|`, `*`, `\*`, `_`, `\_`, "`", "\\`",
	`<`, `&lt;`, `&`, `&amp;`, `$`, `\$`, `~`, `\~`,
)

func markdown(s string) string { return markdownEscapes.Replace(oneLine(s)) }

// Markdown returns t as a table of GitHub's Markdown, which notebooks show too.
// Text in cells is escaped.
func (t *Table) Markdown() string {
	t.check()
	var b strings.Builder
	if t.Title != "" {
		b.WriteString("**" + markdown(t.Title) + "**\n\n")
	}
	for j := range t.Columns {
		b.WriteString("| " + markdown(t.Columns[j].header()) + " ")
	}
	b.WriteString("|\n")
	for _, right := range t.right() {
		if right {
			b.WriteString("| ---: ")
		} else {
			b.WriteString("| :--- ")
		}
	}
	b.WriteString("|\n")
	for _, row := range t.Rows {
		for j, v := range row {
			b.WriteString("| " + markdown(t.Columns[j].text(v)) + " ")
		}
		b.WriteString("|\n")
	}
	for _, n := range t.Notes {
		b.WriteString("\n" + markdown(n) + "\n")
	}
	return b.String()
}

// CSV returns t as comma-separated values: a line of names with units, then the
// rows, numbers with every digit. A column of summaries becomes three, "pulls",
// "pulls lo" and "pulls hi". Title and notes are left out. Text that a spreadsheet
// would take for a formula, such as "=1+1", has an apostrophe before it, as
// spreadsheets write it, which frame.ReadCSV takes away.
func (t *Table) CSV() string {
	names, cells := t.Flat()
	var b strings.Builder
	w := csvWriter{csv.NewWriter(&b), &b}
	_ = w.Write(names) // a strings.Builder does not fail
	for _, row := range cells {
		texts := make([]string, len(row))
		for j, v := range row {
			texts[j] = Plain(v)
		}
		_ = w.Write(texts)
	}
	w.Flush()
	return b.String()
}

// A csvWriter writes a record of one empty field as "", where csv.Writer writes
// an empty line, which readers skip, and text that looks like a formula as text.
type csvWriter struct {
	*csv.Writer
	w io.Writer
}

func (c csvWriter) Write(record []string) error {
	record = slices.Clone(record)
	for j, s := range record {
		record[j] = csvtable.Guard(s)
	}
	if len(record) != 1 || record[0] != "" {
		return c.Writer.Write(record)
	}
	c.Flush()
	if err := c.Error(); err != nil {
		return err
	}
	_, err := io.WriteString(c.w, "\"\"\n")
	return err
}
