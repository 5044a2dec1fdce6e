package problem

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"unicode/utf8"

	"github.com/agnivade/levenshtein"
	"github.com/pelletier/go-toml/v2"
	"golang.org/x/text/unicode/norm"

	"github.com/purexp/purexp/pkg/internal/csvtable"
)

// LargestFile is the size in bytes of the largest problem file, 1 MiB. Tables are in files of their
// own.
const LargestFile = 1 << 20

// Parse reads a problem file with the given name and text, and the tables that it names, which open
// returns. A nil open is for problems without tables. Errors are [Errors], or
// what open returned.
func Parse(name string, text []byte, open func(name string) ([]byte, error)) (*Problem, error) {
	one := func(line int, field, format string, args ...any) (*Problem, error) {
		return nil, Errors{{File: name, Line: line, Field: field,
			Text: fmt.Sprintf(format, args...)}}
	}
	if len(text) > LargestFile {
		return one(0, "", "%d bytes; a problem file has at most %d, and tables are in files of "+
			"their own", len(text), LargestFile)
	}
	if !utf8.Valid(text) {
		return one(0, "", "not text in UTF-8; save the file in that encoding")
	}
	text = norm.NFC.Bytes(bytes.TrimPrefix(text, []byte(csvtable.Mark)))
	source, tooMuch := newSource(name, text)
	if tooMuch != nil {
		return nil, Errors{tooMuch}
	}
	p := &Problem{source: source}
	dec := toml.NewDecoder(bytes.NewReader(text))
	dec.DisallowUnknownFields()
	var strict *toml.StrictMissingError
	var wrong *toml.DecodeError
	switch err := dec.Decode(p); {
	case err == nil:
	case errors.As(err, &strict):
		var all Errors
		for i := range strict.Errors {
			e := &strict.Errors[i]
			line, _ := e.Position()
			key := []string(e.Key())
			all = append(all, &Error{name, line, strings.Join(key, "."), unknown(key)})
		}
		return nil, all
	case errors.As(err, &wrong):
		line, column := wrong.Position()
		if key := []string(wrong.Key()); len(key) > 0 {
			if want := wanted(key); want != "" {
				return one(line, strings.Join(key, "."), "%swant %s", p.source.writtenAs(line, key),
					want)
			}
			return one(line, strings.Join(key, "."), "%s",
				strings.TrimPrefix(wrong.Error(), "toml: "))
		}
		return one(line, "", "column %d: not TOML: %s", column,
			strings.TrimPrefix(wrong.Error(), "toml: "))
	default:
		return one(0, "", "%s", strings.TrimPrefix(err.Error(), "toml: "))
	}
	if err := p.fill(open); err != nil {
		return nil, err
	}
	if err := p.Validate(); err != nil {
		return nil, err
	}
	if err := p.Ready(); err != nil {
		return nil, err
	}
	p.Begin(nil)
	return p, nil
}

// writtenAs returns the value of a key as it is written on a line, "" if that is not known.
func (s *source) writtenAs(line int, key []string) string {
	for field, raw := range s.raw {
		if s.lines[field] == line && path(field) == strings.Join(key, ".") {
			return raw + "; "
		}
	}
	return ""
}

// path returns a field without its numbers of elements.
func path(field string) string {
	var s strings.Builder
	depth := 0
	for _, r := range field {
		switch {
		case r == '[':
			depth++
		case r == ']':
			depth--
		case depth == 0:
			s.WriteRune(r)
		}
	}
	return s.String()
}

// typeOf returns the type of the field that key names, and the struct in which the search for it
// ended; nil if there is no such field.
func typeOf(key []string) (found, in reflect.Type) {
	in = reflect.TypeFor[Problem]()
	for i, name := range key {
		field, ok := fieldOf(in, name)
		if !ok {
			return nil, in
		}
		t := field.Type
		for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice &&
			t.Elem().Kind() == reflect.Struct {
			t = t.Elem()
		}
		if i == len(key)-1 {
			return field.Type, in
		}
		if t.Kind() == reflect.Map {
			return t.Elem(), in
		}
		if t.Kind() != reflect.Struct {
			return nil, in
		}
		in = t
	}
	return nil, in
}

// fieldOf returns the field of a struct that TOML calls name.
func fieldOf(in reflect.Type, name string) (reflect.StructField, bool) {
	for i := range in.NumField() {
		if f := in.Field(i); tag(f) == name {
			return f, true
		}
	}
	return reflect.StructField{}, false
}

// tag returns what TOML calls a field, "" if it has no name there.
func tag(f reflect.StructField) string {
	if name := f.Tag.Get("toml"); name != "-" {
		return name
	}
	return ""
}

// wanted says what a field wants, for values of another type.
func wanted(key []string) string {
	t, _ := typeOf(key)
	if t == nil {
		return ""
	}
	return wantedType(t)
}

func wantedType(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Pointer:
		return wantedType(t.Elem())
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
	case reflect.Slice:
		switch t.Elem().Kind() {
		case reflect.Float64:
			return "a list of numbers, such as [0, 100]"
		case reflect.String:
			return "a list of text, such as [\"A\", \"B\"]"
		}
		return "tables, each under a line [[" + "objective]] or [[constraint]]"
	}
	return ""
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

// unknown says that there is no field of a name, and which was probably meant.
func unknown(key []string) string {
	_, in := typeOf(key)
	name := key[len(key)-1]
	keys := keysOf(in)
	if near := nearest(name, keys); near != "" {
		return fmt.Sprintf("there is no such field; did you mean %s?", near)
	}
	return fmt.Sprintf("there is no such field; there are %s", listed(keys))
}

// listed joins words by commas and an "and".
func listed(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:len(words)-1], ", ") + " and " + words[len(words)-1]
}

// nearest returns the word that is most like name, "" if none is much like it. Words that mean
// the same in other tools count as near.
func nearest(name string, words []string) string {
	name = strings.ToLower(strings.NewReplacer("-", "_", " ", "_").Replace(name))
	same := map[string]string{"min": "at_least", "minimum": "at_least", "lower": "at_least",
		"max": "at_most", "maximum": "at_most", "upper": "at_most", "direction": "goal",
		"epsilon": "tolerance", "alpha": "delta", "batch": "plate", "batch_size": "plate",
		"sigma": "sd", "std": "sd", "objectives": "objective", "constraints": "constraint",
		"arms": "names", "policy": "method", "algorithm": "method"}
	best, least := "", 3
	if len(name) < 4 {
		least = 2
	}
	for _, w := range words {
		if w == name || w == same[name] {
			return w
		}
		if len(name) > 40 { // no field is as long, and a file may say anything
			continue
		}
		if d := levenshtein.ComputeDistance(name, w); d < least {
			best, least = w, d
		}
	}
	return best
}
