package problem

import (
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// A typist looks through a problem file for fields that there are not and values of another type. It
// takes them out, so that what is left can be read and checked as well: all faults are told at once.
type typist struct {
	p    *Problem // for places in the file
	errs Errors
}

// table takes out of v, the table of a field, what has no place in the struct t.
func (c *typist) table(field string, v map[string]any, t reflect.Type) {
	taken := map[string]string{}
	for _, name := range slices.Sorted(maps.Keys(v)) {
		at := name
		if field != "" {
			at = field + "." + name
		}
		f, ok := fieldOf(t, name)
		if before, twice := taken[f.Name]; ok && twice {
			c.errs = append(c.errs, c.p.wrong(at, "%s and %s are the same field; leave one of them out", before, name))
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

// value reports whether x, the value of a field, is of the type t, apart from what it takes out.
func (c *typist) value(field string, x any, t reflect.Type) bool {
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
		c.errs = append(c.errs, c.p.wrong(field, "%swant %s", written, wanted(t)))
	}
	return fits
}

// fieldOf returns the field of a struct that TOML calls name, in letters of any case.
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

// tag returns what TOML calls a field, "" if it has no name there.
func tag(f reflect.StructField) string {
	if name := f.Tag.Get("toml"); name != "-" {
		return name
	}
	return ""
}

// wanted says what a field of a type wants, for values of another type.
func wanted(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Int:
		return "a whole number, such as 8"
	case reflect.Uint64:
		return "a whole number that is not negative, such as 1"
	case reflect.Float64:
		return "a number, such as 0.5"
	case reflect.Bool:
		return "true or false"
	case reflect.String:
		return "text in quotes"
	case reflect.Map:
		return "a table of numbers, such as { yield = 1.0 }"
	case reflect.Struct:
		return "a table with " + listed(keysOf(t))
	}
	switch t.Elem().Kind() {
	case reflect.Float64:
		return "a list of numbers, such as [0, 100]"
	case reflect.String:
		return "a list of text, such as [\"A\", \"B\"]"
	}
	return "tables, each under a line [[" + "objective]] or [[constraint]]"
}

// keysOf returns what TOML calls the fields of a struct.
func keysOf(t reflect.Type) []string {
	var keys []string
	for i := range t.NumField() {
		if name := tag(t.Field(i)); name != "" {
			keys = append(keys, name)
		}
	}
	return keys
}

// unknown says that a struct has no field of a name, and which was probably meant.
func unknown(name string, in reflect.Type) string {
	keys := keysOf(in)
	if near := nearest(name, keys); near != "" {
		return fmt.Sprintf("there is no such field; did you mean %s?", near)
	}
	return fmt.Sprintf("there is no such field; there are %s", listed(keys))
}

// follows reports whether e may be there only because of faults that were found before: it is about
// one of their fields, or about one that is not in the file, where one in the same table is unknown.
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

// within reports whether a field is another one, or a part of it.
func within(field, of string) bool {
	rest, ok := strings.CutPrefix(field, of)
	return ok && (rest == "" || rest[0] == '.' || rest[0] == '[')
}

// parent returns the field of which one is a part.
func parent(field string) string {
	return field[:max(strings.LastIndexByte(field, '.'), 0)]
}

// inOrder sorts errors by their line; those of tables, which have none, come last.
func inOrder(errs Errors) {
	line := func(e *Error) int {
		if e.File == "" {
			return math.MaxInt
		}
		return e.Line
	}
	slices.SortStableFunc(errs, func(a, b *Error) int {
		if x, y := line(a), line(b); x != y {
			if x < y {
				return -1
			}
			return 1
		}
		return 0
	})
}
