package problem

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/pelletier/go-toml/v2/unstable"
)

// source is the text that a problem was read from: where its fields are.
type source struct {
	file  string
	lines map[string]int    // by field, as in Error
	raw   map[string]string // by field: the value as it is written, if it is one
	ends  []int             // where lines end

	fields int    // how many names there were
	excess *Error // what was too much of them
}

// mostFields and deepestField are what a problem file has at most of fields that are written, and of
// parts in the name of one ("objective.noise.pilot.sd" has four). Decoding takes time in the square
// of the number of unknown ones.
const (
	mostFields   = 2000
	deepestField = 16
)

// newSource finds the fields of text, as far as it can be parsed, and what is wrong with their number.
func newSource(file string, text []byte) (*source, *Error) {
	s := &source{file: file, lines: map[string]int{}, raw: map[string]string{}}
	var p unstable.Parser
	p.Reset(text)
	for i, b := range text {
		if b == '\n' {
			s.ends = append(s.ends, i)
		}
	}
	count := map[string]int{}
	prefix := ""
	for s.excess == nil && p.NextExpression() {
		e := p.Expression()
		switch e.Kind {
		case unstable.Table:
			s.admit(e)
			prefix, _ = s.key("", e.Key())
		case unstable.ArrayTable:
			s.admit(e)
			var line int
			prefix, line = s.key("", e.Key())
			count[prefix]++
			prefix += "[" + strconv.Itoa(count[prefix]) + "]"
			s.lines[prefix] = line
		case unstable.KeyValue:
			s.value(prefix, e)
		}
	}
	return s, s.excess
}

// admit counts the name of a field or of a table, and notes whether it is one too many or has too
// many parts.
func (s *source) admit(e *unstable.Node) {
	parts, line := 0, 0
	for it := e.Key(); it.Next(); parts++ {
		line = s.at(it.Node().Raw)
	}
	s.fields++
	switch {
	case s.excess != nil:
	case s.fields > mostFields:
		s.excess = &Error{File: s.file, Line: line, Text: fmt.Sprintf("more than %d fields; a problem "+
			"file has no more, and tables are in files of their own", mostFields)}
	case parts > deepestField:
		s.excess = &Error{File: s.file, Line: line, Text: fmt.Sprintf("a name of more than %d parts; no "+
			"field has such a name", deepestField)}
	}
}

// at returns the line of a range of the text.
func (s *source) at(r unstable.Range) int {
	i, _ := slices.BinarySearch(s.ends, int(r.Offset))
	return i + 1
}

// key returns the field that a key names below prefix, and its line.
func (s *source) key(prefix string, it unstable.Iterator) (string, int) {
	line := 0
	for it.Next() {
		n := it.Node()
		if prefix != "" {
			prefix += "."
		}
		prefix += string(n.Data)
		line = s.at(n.Raw)
		if _, seen := s.lines[prefix]; !seen {
			s.lines[prefix] = line
		}
	}
	return prefix, line
}

// value enters a key and what is below it.
func (s *source) value(prefix string, e *unstable.Node) {
	if s.admit(e); s.excess != nil {
		return
	}
	field, line := s.key(prefix, e.Key())
	s.lines[field] = line
	s.below(field, line, e.Value())
}

// below enters what is in the value of a field.
func (s *source) below(field string, line int, v *unstable.Node) {
	switch v.Kind {
	case unstable.InlineTable:
		for it := v.Children(); it.Next(); {
			s.value(field, it.Node())
		}
	case unstable.Array:
		i := 0
		for it := v.Children(); it.Next(); {
			i++
			at := field + "[" + strconv.Itoa(i) + "]"
			n := it.Node()
			if n.Raw.Length > 0 {
				line = s.at(n.Raw)
			}
			s.lines[at] = line
			s.below(at, line, n)
		}
	case unstable.String:
		s.raw[field] = strconv.Quote(string(v.Data))
	default:
		s.raw[field] = string(v.Data)
	}
}

// line returns the line of a field, or of what it is in if it is not in the file.
func (s *source) line(field string) int {
	for field != "" {
		if l, ok := s.lines[field]; ok {
			return l
		}
		cut := max(strings.LastIndexByte(field, '.'), strings.LastIndexByte(field, '['))
		field = field[:max(cut, 0)]
	}
	return 0
}
