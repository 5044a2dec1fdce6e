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
	heads map[string]Row // by their text
	ints  []int
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
	if at := bytes.Index(line, behind); at > 0 {
		head, known := d.heads[string(line[:at])]
		if !known {
			head, known = d.head(line[:at])
		}
		if known {
			*r = head
			in := &jlexer.Lexer{Data: line[at+1:]}
			if d.fields(in, r, d.field); in.Ok() {
				return nil
			}
		}
	}
	*r = Row{}
	in := &jlexer.Lexer{Data: line}
	in.Delim('{')
	d.fields(in, r, d.field)
	return in.Error()
}

// field decodes the value of a field of a row. It reports whether name is one.
func (d *decoder) field(in *jlexer.Lexer, name string, r *Row) bool {
	return d.outcome(in, name, r) || d.cell(in, name, r)
}

// head decodes text, what stands before the replicate. It is not known if there is more than that.
func (d *decoder) head(text []byte) (r Row, known bool) {
	in := &jlexer.Lexer{Data: append(bytes.Clone(text), '}')}
	in.Delim('{')
	known = true
	d.fields(in, &r, func(in *jlexer.Lexer, name string, r *Row) bool {
		known = known && d.cell(in, name, r)
		return known
	})
	if !known || !in.Ok() {
		return Row{}, false
	}
	if d.heads == nil {
		d.heads = make(map[string]Row)
	}
	d.heads[string(text)] = r
	return r, true
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
	const slab = 1 << 14
	text := in.Data[in.GetPos():]
	most := 1 + bytes.Count(text[:1+bytes.IndexByte(text, ']')], []byte(","))
	if cap(d.ints)-len(d.ints) < most {
		d.ints = make([]int, 0, max(slab, most))
	}
	start := len(d.ints)
	if ints, end, ok := appendInts(d.ints, text); ok && in.Ok() {
		d.ints = ints
		*in = jlexer.Lexer{Data: text[end:]} // as it would be behind the list
	} else {
		list(in, func() { d.ints = append(d.ints, in.Int()) })
	}
	return d.ints[start:len(d.ints):len(d.ints)]
}

// appendInts appends the integers of a list that text begins with, a colon and a list without
// spaces, such as :[1,-2]. It returns how long that is, and reports whether there is one: lists
// that are written in another way, and what is no list, are for the lexer.
func appendInts(ints []int, text []byte) (all []int, end int, ok bool) {
	if !bytes.HasPrefix(text, []byte(":[")) {
		return ints, 0, false
	}
	at := 2
	if at < len(text) && text[at] == ']' {
		return ints, at + 1, true
	}
	for at < len(text) {
		sign := 1
		if text[at] == '-' {
			sign = -1
			at++
		}
		first, n := at, 0
		for at < len(text) && text[at]-'0' < 10 && at-first < 18 { // 18 digits do not overflow
			n = 10*n + int(text[at]-'0')
			at++
		}
		if at == len(text) || at == first {
			break
		}
		ints = append(ints, sign*n)
		switch text[at] {
		case ',':
			at++
		case ']':
			return ints, at + 1, true
		default:
			return ints, 0, false
		}
	}
	return ints, 0, false
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
