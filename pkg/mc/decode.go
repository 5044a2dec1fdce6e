package mc

import (
	"bytes"
	"fmt"

	"github.com/mailru/easyjson/jlexer"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/internal/jsonl"
)

// A decoder reads rows. A figure that is drawn of a million rows should not wait for them: what
// rows share is kept once, names and all that stands before the replicate, which is the same in all
// rows of a cell, and short lists are cut from long ones.
type decoder struct {
	names map[string]string
	heads map[string]*head // by their text
	last  *head            // of the line before
	// What lists of rows are cut from.
	ints   []int
	values []Value
	// texts are those that stand between quotes, as they are written there.
	texts map[string]string
}

// behind is the beginning of what is different in each row of a cell. It cannot stand in a text,
// where quotes are escaped.
var behind = []byte(`,"rep":`)

// row decodes a line after the first.
func (d *decoder) row(line []byte, r *Row) error {
	if err := jsonl.Decode(line, nil); err != nil {
		return fmt.Errorf("%w: %w; %s", ErrRows, err, repairHint)
	}
	err := d.parts(line, r)
	if err == nil {
		_, err = explore.ParseStatus(r.Status)
	}
	if err != nil {
		return fmt.Errorf("%w: %w; %s", ErrRows, err, repairHint)
	}
	return nil
}

// parts decodes a line that has its checksum.
func (d *decoder) parts(line []byte, r *Row) error {
	if h := d.headOf(line); h != nil {
		*r = h.row
		if d.written(line[len(h.text):], r) {
			return nil
		}
		*r = h.row
		in := &jlexer.Lexer{Data: line[len(h.text)+1:]}
		if d.fields(in, r, d.field); in.Ok() {
			return nil
		}
	}
	*r = Row{}
	in := &jlexer.Lexer{Data: line}
	in.Delim('{')
	d.fields(in, r, d.field)
	return in.Error()
}

// headOf returns the head of line, nil if it has none that rows share. In most files heads follow
// one another in the same order again and again.
func (d *decoder) headOf(line []byte) *head {
	if d.last != nil {
		if h := d.last.next; h != nil && h.begins(line) {
			d.last = h
			return h
		}
	}
	at := bytes.Index(line, behind)
	if at <= 0 {
		return nil
	}
	h := d.heads[string(line[:at])]
	if h == nil {
		if h = d.head(line[:at]); h == nil {
			return nil
		}
		if d.heads == nil {
			d.heads = make(map[string]*head)
		}
		d.heads[h.text] = h
	}
	if d.last != nil {
		d.last.next = h
	}
	d.last = h
	return h
}

// field decodes the value of a field of a row. It reports whether name is one.
func (d *decoder) field(in *jlexer.Lexer, name string, r *Row) bool {
	return d.outcome(in, name, r) || d.cell(in, name, r)
}

// A head is what stands before the replicate of the rows of a cell.
type head struct {
	text string
	row  Row
	next *head // what followed it last time
}

// begins reports whether line begins with h, and nothing but a replicate follows.
func (h *head) begins(line []byte) bool {
	n := len(h.text)
	return len(line) > n && string(line[:n]) == h.text && bytes.HasPrefix(line[n:], behind)
}

// head decodes text, what stands before the replicate. It is nil if there is more than that.
func (d *decoder) head(text []byte) *head {
	h := &head{text: string(text)}
	in := &jlexer.Lexer{Data: append(bytes.Clone(text), '}')}
	in.Delim('{')
	known := true
	d.fields(in, &h.row, func(in *jlexer.Lexer, name string, r *Row) bool {
		known = known && d.cell(in, name, r)
		return known
	})
	if !known || !in.Ok() {
		return nil
	}
	return h
}

// fields decodes the fields of an object, the first brace of which is behind, by f. What f does not
// know is passed over.
func (d *decoder) fields(in *jlexer.Lexer, r *Row, f func(*jlexer.Lexer, string, *Row) bool) {
	for !in.IsDelim('}') && in.Ok() {
		field := in.UnsafeFieldName(false)
		in.WantColon()
		if !f(in, field, r) {
			in.SkipRecursive()
		}
		in.WantComma()
	}
	in.Delim('}')
	in.Consumed()
}

// cell decodes the value of a field that the rows of a cell have in common. It reports whether name
// is one.
func (d *decoder) cell(in *jlexer.Lexer, name string, r *Row) bool {
	switch name {
	case "study":
		r.Study = d.name(in)
	case "seed":
		r.Seed = in.Uint64()
	case "experiment":
		r.Experiment = d.name(in)
	case "instance":
		r.Instance = d.name(in)
	case "size":
		r.Size = in.Int()
	case "draw":
		r.Draw = in.Int()
	case "method":
		r.Method = d.name(in)
	case "constants":
		r.Constants = d.name(in)
	case "delta":
		r.Delta = in.Float64()
	case "budget":
		r.Budget = in.Int()
	default:
		return false
	}
	return true
}

// outcome decodes the value of a field that is different in each row. It reports whether name is
// one.
func (d *decoder) outcome(in *jlexer.Lexer, name string, r *Row) bool {
	switch name {
	case "rep":
		r.Rep = in.Int()
	case "pulls":
		r.Pulls = in.Int()
	case "rounds":
		r.Rounds = in.Int()
	case "status":
		r.Status = d.name(in)
	case "correct":
		r.Correct = in.Bool()
	case "items":
		r.Items = d.list(in)
	case "classes":
		r.Classes = in.String()
	case "armPulls":
		r.ArmPulls = d.list(in)
	case "measures":
		list(in, func() { r.Measures = append(r.Measures, d.value(in)) })
	case "warnings":
		list(in, func() { r.Warnings = append(r.Warnings, d.name(in)) })
	case "err":
		r.Err = in.String()
	default:
		return false
	}
	return true
}

// value decodes a measure.
func (d *decoder) value(in *jlexer.Lexer) (v Value) {
	in.Delim('{')
	for !in.IsDelim('}') && in.Ok() {
		field := in.UnsafeFieldName(false)
		in.WantColon()
		switch field {
		case "name":
			v.Name = d.name(in)
		case "value":
			v.Value = in.Float64()
		default:
			in.SkipRecursive()
		}
		in.WantComma()
	}
	in.Delim('}')
	return v
}

// name decodes a text that many rows share.
func (d *decoder) name(in *jlexer.Lexer) string {
	text := in.UnsafeBytes()
	if s, ok := d.names[string(text)]; ok {
		return s
	}
	s := string(text)
	if d.names == nil {
		d.names = make(map[string]string)
	}
	d.names[s] = s
	return s
}

// list decodes integers. It is empty, not nil, where there are none.
func (d *decoder) list(in *jlexer.Lexer) []int {
	ints := []int{}
	list(in, func() { ints = append(ints, in.Int()) })
	return ints[:len(ints):len(ints)]
}

// list calls f at each element of an array.
func list(in *jlexer.Lexer, f func()) {
	in.Delim('[')
	for !in.IsDelim(']') && in.Ok() {
		f()
		in.WantComma()
	}
	in.Delim(']')
}
