package tidy

import (
	"encoding/csv"
	"encoding/json"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/rivo/uniseg"

	"github.com/purexp/purexp/pkg/internal/csvtable"
)

// String returns t.Text().
func (t *Table) String() string { return t.Text() }

// Text returns t for a terminal or a fixed-width font, with each row on one line. Columns are
// aligned by the display width of characters, which is 2 for most Chinese characters and 0 for
// combining accents.
func (t *Table) Text() string { return t.Fit(math.MaxInt) }

// narrowest is the smallest width to which Fit narrows a column of text with long cells.
const narrowest = 20

// Fit returns the text of t as Text does, with lines of at most width characters. Fit wraps the
// text in cells between words. If cells would need columns that are too narrow, or more than three
// lines in narrow columns, each row becomes a block with a line for each nonempty cell. Fit never
// breaks words.
func (t *Table) Fit(width int) string {
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
	var b strings.Builder
	if t.Title != "" {
		b.WriteString(strings.Join(wrap(t.Title, width), "\n") + "\n\n")
	}
	right := t.right()
	if widths := columnWidths(cells, right, width); widths != nil {
		for i, line := range cells {
			writeRow(&b, line, widths, right)
			if i == 0 {
				for j, w := range widths {
					line[j] = strings.Repeat("-", w)
				}
				writeRow(&b, line, widths, right)
			}
		}
	} else {
		label := 0
		for _, name := range cells[0] {
			label = max(label, uniseg.StringWidth(name))
		}
		columns := []int{label, max(width-label-2, narrowest)}
		for i, row := range cells[1:] {
			if i > 0 {
				b.WriteByte('\n')
			}
			for j, c := range row {
				if c != "" {
					writeRow(&b, []string{cells[0][j], c}, columns, make([]bool, 2))
				}
			}
		}
	}
	for _, n := range t.Notes {
		b.WriteString("\n" + strings.Join(wrap(n, width), "\n") + "\n")
	}
	return b.String()
}

// columnWidths returns the widths of columns in lines of at most width characters, or nil if cells
// would be too narrow to read.
func columnWidths(cells [][]string, right []bool, width int) []int {
	full, least := make([]int, len(right)), make([]int, len(right))
	for i, line := range cells {
		for j, c := range line {
			w := uniseg.StringWidth(c)
			full[j] = max(full[j], w)
			if right[j] && i > 0 { // columns of numbers are not wrapped
				least[j] = max(least[j], w)
			}
			for word := range strings.SplitSeq(c, " ") {
				least[j] = max(least[j], uniseg.StringWidth(word))
			}
		}
	}
	widths := make([]int, len(full))
	high := func(line []string) bool {
		for j, c := range line {
			if len(wrap(c, widths[j])) > 3 {
				return true
			}
		}
		return false
	}
	for limit := slices.Max(append(full, narrowest)); limit > 0; limit-- {
		sum := -2
		for j := range full {
			widths[j] = max(least[j], min(full[j], limit))
			sum += widths[j] + 2
		}
		switch {
		case limit < narrowest && slices.ContainsFunc(cells, high):
			return nil
		case sum <= width:
			return widths
		}
	}
	return nil
}

// writeRow writes the cells of a row, each wrapped to the width of its column.
func writeRow(b *strings.Builder, cells []string, widths []int, right []bool) {
	lines, height := make([][]string, len(cells)), 1
	for j, c := range cells {
		lines[j] = wrap(c, widths[j])
		height = max(height, len(lines[j]))
	}
	for i := range height {
		var row strings.Builder
		for j, of := range lines {
			text := ""
			if i < len(of) {
				text = of[i]
			}
			pad := strings.Repeat(" ", max(0, widths[j]-uniseg.StringWidth(text))) // a word may be wider
			if right[j] {
				text = pad + text
			} else {
				text += pad
			}
			row.WriteString(text + "  ")
		}
		b.WriteString(strings.TrimRight(row.String(), " ") + "\n")
	}
}

// wrap breaks s between words into lines; each line has at most width characters or is a single
// word.
func wrap(s string, width int) []string {
	if uniseg.StringWidth(s) <= width {
		return []string{s}
	}
	lines, line := []string(nil), ""
	for word := range strings.SplitSeq(s, " ") {
		if line != "" && uniseg.StringWidth(line)+1+uniseg.StringWidth(word) > width {
			lines, line = append(lines, line), word
		} else {
			line = strings.TrimLeft(line+" "+word, " ")
		}
	}
	return append(lines, line)
}

func oneLine(s string) string {
	return strings.NewReplacer("\r\n", " ", "\n", " ", "\r", " ", "\t", " ").Replace(s)
}

// markdownEscapes escapes the characters that Markdown would interpret in a cell. The dollar sign
// is escaped because notebooks render text between two dollar signs as a formula. Brackets of
// intervals are not escaped: only brackets that could form a link are, because a link may run a
// script.
var markdownEscapes = strings.NewReplacer(
	`](`, `]\(`, `]:`, `]\:`,
	`\`, `\\`, `|`, `\|`, `*`, `\*`, `_`, `\_`, "`", "\\`",
	`<`, `&lt;`, `&`, `&amp;`, `$`, `\$`, `~`, `\~`,
)

func markdown(s string) string { return markdownEscapes.Replace(oneLine(s)) }

// Markdown returns t as a table in GitHub's Markdown, which notebooks also render. Markdown escapes
// the text in cells.
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

// CSV returns t as comma-separated values: a line of names with units, then the rows, with all
// digits of numbers. A column of summaries becomes three columns, such as "pulls", "pulls lo" and
// "pulls hi". CSV omits title and notes. Text that a spreadsheet would interpret as a formula, such
// as "=1+1", gets a leading apostrophe. When the file is read, frame.ReadCSV removes the
// apostrophe.
func (t *Table) CSV() string {
	names, cells := t.Flat()
	var b strings.Builder
	w := csvWriter{csv.NewWriter(&b), &b}
	_ = w.Write(names) // writing to a strings.Builder cannot fail
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

// JSON returns t as a list of objects, one for each row; the keys are the column names of CSV.
// Numbers have all digits; NaN, infinities and empty cells become null.
func (t *Table) JSON() string {
	names, cells := t.Flat()
	value := func(v any) string {
		switch _, whole := integer(v); v.(type) {
		case nil, bool, float64:
		default:
			if !whole {
				v = Plain(v)
			}
		}
		if text, err := json.Marshal(v); err == nil {
			return string(text)
		}
		return "null"
	}
	rows := make([]string, len(cells))
	for i, row := range cells {
		for j, v := range row {
			rows[i] += ", " + value(names[j]) + ": " + value(v)
		}
		rows[i] = "{" + strings.TrimPrefix(rows[i], ", ") + "}"
	}
	return "[" + strings.Join(rows, ",\n ") + "]"
}

// csvWriter writes a record with a single empty field as "", because csv.Writer would write an
// empty line, which readers skip. csvWriter also protects text that looks like a formula.
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
