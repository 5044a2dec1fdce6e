package problem

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/agnivade/levenshtein"
	"github.com/pelletier/go-toml/v2"
	"golang.org/x/text/unicode/norm"

	"github.com/purexp/purexp/pkg/internal/csvtable"
)

// LargestFile is the maximum size in bytes of a problem file without its tables, 1 MiB.
const LargestFile = 1 << 20

// Parse parses a problem file. The function open must return the contents of a table that the file
// names. If the file names no tables, open may be nil. Parse returns errors of type [Errors], which
// also contain the texts of errors returned by open.
func Parse(name string, text []byte, open func(name string) ([]byte, error)) (*Problem, error) {
	one := func(line int, field, format string, args ...any) (*Problem, error) {
		return nil, Errors{{File: name, Line: line, Field: field, Text: fmt.Sprintf(format, args...)}}
	}
	if len(text) > LargestFile {
		return one(0, "", "%d bytes; expected a problem file of at most %d bytes; put tables into separate "+
			"files", len(text), LargestFile)
	}
	if !utf8.Valid(text) {
		return one(0, "", "the file is not UTF-8 text; save it as UTF-8")
	}
	text = norm.NFC.Bytes(bytes.TrimPrefix(text, []byte(csvtable.Mark)))
	source, tooMuch := newSource(name, text)
	if tooMuch != nil {
		return nil, Errors{tooMuch}
	}
	p := &Problem{source: source}
	var all map[string]any
	if err := toml.Unmarshal(text, &all); err != nil {
		var wrong *toml.DecodeError
		if !errors.As(err, &wrong) {
			return one(0, "", "%s", strings.TrimPrefix(err.Error(), "toml: "))
		}
		line, column := wrong.Position()
		return one(line, "", "column %d: invalid TOML: %s", column, strings.TrimPrefix(wrong.Error(), "toml: "))
	}
	types := fieldChecker{p: p}
	types.table("", all, reflect.TypeFor[Problem]())
	faults := types.errs
	if faults != nil {
		var err error
		if text, err = toml.Marshal(all); err != nil {
			return nil, faults // the rest of the file was read, so these are all errors
		}
	}
	if err := toml.Unmarshal(text, p); err != nil {
		if faults != nil {
			return nil, faults
		}
		return one(0, "", "%s", strings.TrimPrefix(err.Error(), "toml: "))
	}
	tables := func() Errors { return p.fill(open) }
	for _, check := range []func() Errors{tables, p.faults, p.unready} {
		faults = append(faults, slices.DeleteFunc(check(), func(e *Error) bool {
			return e.follows(faults, source)
		})...)
	}
	if faults != nil {
		inOrder(faults)
		return nil, faults
	}
	p.Begin(nil)
	return p, nil
}

// Abbreviated lists the first eight names, followed by the number of the remaining names.
func Abbreviated(names []string) string {
	const most = 8
	list := strings.Join(names[:min(len(names), most)], ", ")
	if len(names) > most {
		list += fmt.Sprintf(" and %d more", len(names)-most)
	}
	return list
}

// Listed joins words with commas and "and".
func Listed(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:len(words)-1], ", ") + " and " + words[len(words)-1]
}

// nearest returns the known word most similar to name, for a suggestion, or "" if none is similar.
// Words with the same meaning in other tools also count as similar.
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
		if len(name) > 40 { // name is longer than every field name
			continue
		}
		if d := levenshtein.ComputeDistance(name, w); d < least {
			best, least = w, d
		}
	}
	return best
}

// Error describes one error in a problem.
type Error struct {
	// File and Line locate the error; they are zero if the problem was not read from a file.
	File string `json:"file,omitempty"`
	Line int    `json:"line,omitempty"`
	// Field is the full name of the field, such as "objective[2].noise.sd", with indices from 1. If
	// the text of the error already names the field, Field is empty.
	Field string `json:"field,omitempty"`
	// Text says what is wrong and how to fix it.
	Text string `json:"text"`

	about   []string // other fields that the error is about
	spoils  []string // fields that have no value because of the error
	unknown bool     // whether the error is about an unknown field
}

// on records other fields that the error involves; if one of those fields is wrong, the error
// may only be a consequence.
func (e *Error) on(fields ...string) { e.about = fields }

// Error returns a text of the form "file:line: field: text".
func (e *Error) Error() string {
	var s strings.Builder
	if e.File != "" {
		s.WriteString(e.File)
		if e.Line > 0 {
			fmt.Fprintf(&s, ":%d", e.Line)
		}
		s.WriteString(": ")
	}
	if e.Field != "" {
		s.WriteString(e.Field + ": ")
	}
	s.WriteString(e.Text)
	return s.String()
}

// Errors lists all errors in a problem, in the order of the file.
type Errors []*Error

// Error returns the texts of all errors, one per line.
func (e Errors) Error() string {
	return fmt.Sprint(errors.Join(e.Unwrap()...))
}

// Unwrap returns the individual errors, so that errors.Is and errors.As find them.
func (e Errors) Unwrap() []error {
	all := make([]error, len(e))
	for i := range e {
		all[i] = e[i]
	}
	return all
}
