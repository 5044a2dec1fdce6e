package tidy

import (
	"html"
	"slices"
	"strings"
	"unicode/utf8"
)

// style is the style sheet that makes a table readable on pages without a style sheet. The style
// sheet sets no colours, only opacity, so that tables are readable on dark pages, too. Notes have a
// fixed width, because long notes would widen the columns. Selectors repeat the class, in order to
// override Jupyter's selectors, which align all cells to the right.
const style = `<style>
table.purexp-table.purexp-table { border-collapse: collapse; font-variant-numeric: tabular-nums;
  margin: .5em 0; table-layout: auto; }
table.purexp-table.purexp-table caption { text-align: left; font-weight: bold; padding: .3em 0; }
table.purexp-table.purexp-table th, table.purexp-table.purexp-table td { padding: .2em .5em;
  text-align: left; vertical-align: top; font-weight: normal; white-space: normal;
  max-width: 30em; }
table.purexp-table.purexp-table thead th { border-bottom: 1px solid; font-weight: bold;
  vertical-align: bottom; }
table.purexp-table.purexp-table th.num, table.purexp-table.purexp-table td.num {
  text-align: right; }
table.purexp-table.purexp-table .label { white-space: nowrap; }
table.purexp-table.purexp-table tfoot td { font-size: .9em; opacity: .8; max-width: none; }
table.purexp-table.purexp-table tfoot div { width: 30em; min-width: 100%; }
</style>
`

// unbroken keeps the digits and the sign of a number together, and permits a line break before an
// interval.
var unbroken = strings.NewReplacer(" [", " [", " ", "\u00a0", "-∞", "\u2212∞")

// longestLabel is the largest number of characters in a label that is not broken.
const longestLabel = 28

// labels reports whether a column contains only short texts and the table has a right-aligned
// column; such texts are labels of numbers and should not be broken.
func (t *Table) labels(j int, right []bool) bool {
	for _, row := range t.Rows {
		if utf8.RuneCountInString(t.Columns[j].text(row[j])) > longestLabel {
			return false
		}
	}
	return slices.Contains(right, true)
}

// HTML returns t as a table element with a small style sheet. HTML escapes all text. The cells of
// the first column are row headers.
func (t *Table) HTML() string {
	t.check()
	var b strings.Builder
	// For accessibility, a scrollable element must be reachable by keyboard and have a name.
	name := t.Title
	if name == "" {
		name = "table"
	}
	b.WriteString(style + `<div style="overflow-x: auto" tabindex="0" role="region" aria-label="` + html.EscapeString(name) +
		"\">\n<table class=\"purexp-table\">\n")
	if t.Title != "" {
		b.WriteString("<caption>" + html.EscapeString(t.Title) + "</caption>\n")
	}
	class, right := make([]string, len(t.Columns)), t.right()
	b.WriteString("<thead><tr>")
	for j := range t.Columns {
		head := ""
		switch {
		case right[j]:
			head = ` class="num"`
			class[j] = head
		case t.labels(j, right):
			class[j] = ` class="label"` // the title of the column may be broken
		}
		b.WriteString(`<th scope="col"` + head + ">" +
			html.EscapeString(t.Columns[j].header()) + "</th>")
	}
	b.WriteString("</tr></thead>\n<tbody>\n")
	for _, row := range t.Rows {
		b.WriteString("<tr>")
		for j, v := range row {
			open, end := "<td", "</td>"
			if j == 0 {
				open, end = `<th scope="row"`, "</th>"
			}
			text := html.EscapeString(t.Columns[j].text(v))
			if right[j] {
				text = unbroken.Replace(text)
			}
			b.WriteString(open + class[j] + ">" + text + end)
		}
		b.WriteString("</tr>\n")
	}
	b.WriteString("</tbody>\n")
	if len(t.Notes) > 0 && len(t.Columns) > 0 {
		b.WriteString("<tfoot>\n")
		for _, n := range t.Notes {
			b.WriteString(`<tr><td colspan="` + Plain(len(t.Columns)) + `"><div>` +
				html.EscapeString(n) + "</div></td></tr>\n")
		}
		b.WriteString("</tfoot>\n")
	}
	b.WriteString("</table>\n</div>\n")
	return b.String()
}
