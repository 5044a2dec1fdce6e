package mc

import (
	"fmt"

	"github.com/mailru/easyjson/jlexer"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/internal/jsonl"
)

// A decoder reads rows. Names that rows share are kept once, and short lists are cut from long
// ones: a figure that is drawn of a million rows should not wait for them.
type decoder struct {
	names map[string]string
	ints  []int
}

// row decodes a line after the first.
func (d *decoder) row(line []byte, r *Row) error {
	if err := jsonl.Decode(line, nil); err != nil {
		return fmt.Errorf("%w: %w; %s", ErrRows, err, repairHint)
	}
	in := &jlexer.Lexer{Data: line}
	in.Delim('{')
	for !in.IsDelim('}') && in.Ok() {
		field := in.UnsafeFieldName(false)
		in.WantColon()
		d.field(in, field, r)
		in.WantComma()
	}
	in.Delim('}')
	in.Consumed()
	err := in.Error()
	if err == nil {
		_, err = explore.ParseStatus(r.Status)
	}
	if err != nil {
		return fmt.Errorf("%w: %w; %s", ErrRows, err, repairHint)
	}
	return nil
}

// field decodes the value of a field. Those that are not a row's, such as the checksum, are passed
// over.
func (d *decoder) field(in *jlexer.Lexer, name string, r *Row) {
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
		in.SkipRecursive()
	}
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
	if cap(d.ints)-len(d.ints) < slab/16 {
		d.ints = make([]int, 0, slab)
	}
	start := len(d.ints)
	list(in, func() { d.ints = append(d.ints, in.Int()) })
	return d.ints[start:len(d.ints):len(d.ints)]
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
