package tidy

import "strings"

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
