package problem

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/pelletier/go-toml/v2/unstable"
)

// fieldChecker finds unknown fields and values of the wrong type in a problem file. fieldChecker
// removes the faulty fields, so that the rest can be decoded and all errors are reported together.
type fieldChecker struct {
	p    *Problem // the problem, which knows the line of each field in the file
	errs Errors
}

// table removes those entries of the table v of a field that do not match the struct type t.
func (c *fieldChecker) table(field string, v map[string]any, t reflect.Type) {
	taken := map[string]string{}
	for _, name := range slices.Sorted(maps.Keys(v)) {
		at := name
		if field != "" {
			at = field + "." + name
		}
		f, ok := fieldOf(t, name)
		if before, twice := taken[f.Name]; ok && twice {
			c.errs = append(c.errs, c.p.wrong(at, "%s and %s are the same field; remove one of them", before, name))
			delete(v, name)
			continue
		}
		taken[f.Name] = name
		if !ok {
			e := c.p.wrong(at, "%s", unknown(name, t))
			e.unknown = true
			c.errs = append(c.errs, e)
		}
		if !ok || !c.value(at, v[name], f.Type) {
			delete(v, name)
		}
	}
}

// value reports whether the value x of a field matches the type t after wrong parts are removed.
func (c *fieldChecker) value(field string, x any, t reflect.Type) bool {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	fits := false
	switch y := x.(type) {
	case string:
		fits = t.Kind() == reflect.String
	case bool:
		fits = t.Kind() == reflect.Bool
	case float64:
		fits = t.Kind() == reflect.Float64
	case int64:
		fits = t.Kind() == reflect.Float64 || t.Kind() == reflect.Int && int64(int(y)) == y ||
			t.Kind() == reflect.Uint64 && y >= 0
	case map[string]any:
		switch t.Kind() {
		case reflect.Struct:
			c.table(field, y, t)
			return true
		case reflect.Map:
			fits = true
			for _, name := range slices.Sorted(maps.Keys(y)) {
				fits = c.value(field+"."+name, y[name], t.Elem()) && fits
			}
			return fits
		}
	case []any:
		if t.Kind() == reflect.Slice && !slices.ContainsFunc(y, func(e any) bool {
			_, table := e.(map[string]any)
			return table != (t.Elem().Kind() == reflect.Struct)
		}) {
			fits = true
			for i := range y {
				fits = c.value(field+"["+strconv.Itoa(i+1)+"]", y[i], t.Elem()) && fits
			}
			return fits
		}
	}
	if !fits {
		written := ""
		if raw, ok := c.p.source.raw[field]; ok {
			written = raw + "; "
		}
		c.errs = append(c.errs, c.p.wrong(field, "%sexpected %s", written, wanted(t)))
	}
	return fits
}

// fieldOf returns the field of a struct with the given TOML name, ignoring case.
func fieldOf(in reflect.Type, name string) (found reflect.StructField, ok bool) {
	for i := range in.NumField() {
		switch f := in.Field(i); {
		case tag(f) == "":
		case tag(f) == name:
			return f, true
		case strings.EqualFold(tag(f), name):
			found, ok = f, true
		}
	}
	return found, ok
}

func tag(f reflect.StructField) string {
	if name := f.Tag.Get("toml"); name != "-" {
		return name
	}
	return ""
}

// wanted describes the values that a type accepts, for errors about wrong values.
func wanted(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Int:
		return "a whole number, such as 8"
	case reflect.Uint64:
		return "a non-negative whole number, such as 1"
	case reflect.Float64:
		return "a number, such as 0.5"
	case reflect.Bool:
		return "true or false"
	case reflect.String:
		return "text in quotes"
	case reflect.Map:
		return "a table of numbers, such as { yield = 1.0 }"
	case reflect.Struct:
		return "a table with " + Listed(keysOf(t))
	}
	switch t.Elem().Kind() {
	case reflect.Float64:
		return "a list of numbers, such as [0, 100]"
	case reflect.String:
		return "a list of strings, such as [\"A\", \"B\"]"
	}
	return "tables, each under a line [[" + "objective]] or [[constraint]]"
}

// keysOf returns the TOML names of the fields of a struct.
func keysOf(t reflect.Type) []string {
	var keys []string
	for i := range t.NumField() {
		if name := tag(t.Field(i)); name != "" {
			keys = append(keys, name)
		}
	}
	return keys
}

// unknown returns the error text for an unknown field, and suggests the most similar known field.
func unknown(name string, in reflect.Type) string {
	keys := keysOf(in)
	if near := nearest(name, keys); near != "" {
		return fmt.Sprintf("unknown field; did you mean %s?", near)
	}
	return fmt.Sprintf("unknown field; expected one of %s", Listed(keys))
}

// follows reports whether error e may be a mere consequence of earlier errors. An error about a
// field may follow from another error about the same field; an error about a missing field may
// follow from an unknown field in its table.
func (e *Error) follows(faults Errors, s *source) bool {
	_, written := s.lines[e.Field]
	for _, f := range faults {
		if f.unknown && !written && parent(f.Field) == parent(e.Field) {
			return true
		}
		for _, x := range append(f.spoils, f.Field) {
			for _, y := range append(e.about, e.Field) {
				if x != "" && y != "" && (within(x, y) || within(y, x)) {
					return true
				}
			}
		}
	}
	return false
}

// within reports whether the first field is the same as the second field, or is a part of the
// second field.
func within(field, of string) bool {
	rest, ok := strings.CutPrefix(field, of)
	return ok && (rest == "" || rest[0] == '.' || rest[0] == '[')
}

// parent returns the name of the table that contains the field.
func parent(field string) string {
	return field[:max(strings.LastIndexByte(field, '.'), 0)]
}

// inOrder sorts errors by line number. Errors in tables have no line number in the problem file and
// come last.
func inOrder(errs Errors) {
	line := func(e *Error) int {
		if e.File == "" {
			return math.MaxInt
		}
		return e.Line
	}
	slices.SortStableFunc(errs, func(a, b *Error) int { return cmp.Compare(line(a), line(b)) })
}

// source is the text of a problem file with the positions of its fields.
type source struct {
	file  string
	lines map[string]int    // line of each field, named as in Error
	raw   map[string]string // scalar values as written, by field
	ends  []int             // offset of the end of each line

	fields int    // number of names of fields and tables
	excess *Error // error about too many fields
}

// mostFields limits the number of fields in a problem file; deepestField limits the number of parts
// in the name of a field ("objective.noise.pilot.sd" has four). The time for decoding is quadratic
// in the number of unknown fields.
const (
	mostFields   = 2000
	deepestField = 16
)

// newSource locates the fields in text, up to the first syntax error, and checks their number.
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

// admit counts one name of a field or table, and checks how many parts the name has.
func (s *source) admit(e *unstable.Node) {
	parts, line := 0, 0
	for it := e.Key(); it.Next(); parts++ {
		line = s.at(it.Node().Raw)
	}
	s.fields++
	switch {
	case s.excess != nil:
	case s.fields > mostFields:
		s.excess = &Error{File: s.file, Line: line, Text: fmt.Sprintf("more than %d fields; put tables into separate "+
			"files", mostFields)}
	case parts > deepestField:
		s.excess = &Error{File: s.file, Line: line, Text: fmt.Sprintf("the name has more than %d parts; expected the "+
			"name of a field", deepestField)}
	}
}

// at returns the number of the line on which a range of the text starts.
func (s *source) at(r unstable.Range) int {
	i, _ := slices.BinarySearch(s.ends, int(r.Offset))
	return i + 1
}

// key returns the full name of the field for a key below prefix, and the line number of the key.
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

func (s *source) value(prefix string, e *unstable.Node) {
	if s.admit(e); s.excess != nil {
		return
	}
	field, line := s.key(prefix, e.Key())
	s.lines[field] = line
	s.below(field, line, e.Value())
}

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

// line returns the line number of a field or, if the field is missing, of its table.
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
