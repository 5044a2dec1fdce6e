package tidy

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// Runs can have many remarks that differ only in their numbers, so tables show each kind of remark
// once, with an example.

// cellsNamed is the largest number of cells that a note names; further cells are only counted.
const cellsNamed = 6

var digits = regexp.MustCompile(`[0-9]+(\.[0-9]+)?(e[-+]?[0-9]+)?`)

func kind(remark string) string { return digits.ReplaceAllString(remark, "#") }

// runRemark is a remark about the runs of a cell; it represents all remarks that differ only in
// their numbers.
type runRemark struct {
	text   string
	others map[string]bool
}

func remarked(rs []runRemark, text string) []runRemark {
	i := slices.IndexFunc(rs, func(r runRemark) bool { return kind(r.text) == kind(text) })
	if i < 0 {
		return append(rs, runRemark{text, map[string]bool{}})
	}
	if rs[i].text != text {
		rs[i].others[text] = true
	}
	return rs
}

func (r runRemark) String() string {
	if len(r.others) == 0 {
		return r.text
	}
	return fmt.Sprintf("%s (and %d similar messages with other numbers)", r.text, len(r.others))
}

// remarkNotes returns notes that contain the warnings of cells. If several cells have the same
// warning, there is only one note. The same applies to warnings of a method that differ only in
// their numbers.
func remarkNotes(cs []Complexity) (notes []string) {
	type remark struct {
		text, method string
		cells        []string
		numbers      bool // whether the remark has different numbers in different cells
	}
	var all []remark
	for i := range cs {
		c := &cs[i]
		for _, w := range c.Warnings {
			text := w.Error()
			j := slices.IndexFunc(all, func(r remark) bool { return r.text == text })
			if j < 0 {
				j = slices.IndexFunc(all, func(r remark) bool {
					return r.method == c.Method && kind(r.text) == kind(text)
				})
				if j >= 0 {
					all[j].numbers = true
				}
			}
			if j < 0 {
				j = len(all)
				all = append(all, remark{text: text, method: c.Method})
			}
			cell := c.Method + " on " + c.Instance
			if !slices.Contains(all[j].cells, cell) {
				all[j].cells = append(all[j].cells, cell)
			}
		}
	}
	for _, r := range all {
		who := strings.Join(r.cells[:min(cellsNamed, len(r.cells))], ", ")
		if n := len(r.cells) - cellsNamed; n > 0 {
			who += fmt.Sprintf(" and %d more", n)
		}
		text := strings.TrimPrefix(r.text, "tidy: ")
		if r.numbers {
			text += " (the first of several messages that differ only in their numbers)"
		}
		notes = append(notes, who+": "+text+".")
	}
	return notes
}
