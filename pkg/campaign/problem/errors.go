package problem

import (
	"fmt"
	"strings"
)

// An Error is one thing that is wrong with a problem.
type Error struct {
	// File and Line say where it is; empty and 0 if the problem was not read from a file.
	File string `json:"file,omitempty"`
	Line int    `json:"line,omitempty"`
	// Field is the field, such as "objective[2].noise.sd", counted from 1; empty if the text says
	// it.
	Field string `json:"field,omitempty"`
	// Text says what is wrong and what to do.
	Text string `json:"text"`

	about   []string // other fields, without which it would not be there
	spoils  []string // other fields, which have no values for it
	unknown bool     // there is no such field
}

// on says which other fields an error is about: if there is something wrong with one of those, it may
// be no error.
func (e *Error) on(fields ...string) { e.about = fields }

// Error returns "file:line: field: text".
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

// Errors are all the things that are wrong with a problem, in the order of the file.
type Errors []*Error

// Error returns one line an error.
func (e Errors) Error() string {
	lines := make([]string, len(e))
	for i := range e {
		lines[i] = e[i].Error()
	}
	return strings.Join(lines, "\n")
}

// Unwrap returns the errors.
func (e Errors) Unwrap() []error {
	all := make([]error, len(e))
	for i := range e {
		all[i] = e[i]
	}
	return all
}
