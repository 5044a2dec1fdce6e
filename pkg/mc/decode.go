package mc

import (
	"bytes"
	"fmt"
	"reflect"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/internal/jsonl"
	"github.com/purexp/purexp/pkg/internal/strictjson"
)

// decoder decodes rows fast, so that figures of a million rows appear within seconds. Rows in the
// exact format of package mc are decoded ten times as fast as with encoding/json, which is used for
// all other rows. To save memory, a decoder stores equal texts only once. The fields before the
// replicate are the same in all rows of a cell, so they are decoded only once. The lists in rows
// are slices of a few long arrays.
type decoder struct {
	heads map[string]*head  // heads by text
	last  *head             // head of the previous line
	texts map[string]string // texts by their quoted form
	// The following arrays provide the memory for the lists in rows.
	ints   []int
	values []Value
}

// behind is the text that separates the fields that rows of a cell share from the other fields. The
// text cannot occur inside a quoted text, because quotes are escaped.
var behind = []byte(`,"rep":`)

func (d *decoder) row(line []byte, r *Row) error {
	err := jsonl.Decode(line, nil)
	if err == nil && !d.written(line, r) {
		*r = Row{}
		err = strictjson.Unmarshal(line, r)
	}
	if err == nil {
		_, err = explore.ParseStatus(r.Status)
	}
	if err != nil {
		return fmt.Errorf("%w: %w; %s", ErrRows, err, repairHint)
	}
	return nil
}

// written decodes a line that has the exact format of package mc, and reports whether it has this
// format.
func (d *decoder) written(line []byte, r *Row) bool {
	h := d.headOf(line)
	if h == nil {
		return false
	}
	*r = h.row
	return d.outcome(line[len(h.text):], r)
}

// head is the part of a line before the replicate, which all rows of a cell share.
type head struct {
	text string
	row  Row
	next *head // the head that followed this head last time
}

// headOf returns the decoded fields of line before the replicate, or nil if line does not have the
// exact format. In most files, rows of different cells alternate in a repeating order.
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
		if h = newHead(line[:at]); h == nil {
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

// begins reports whether line begins with h, directly followed by the field of the replicate.
func (h *head) begins(line []byte) bool {
	n := len(h.text)
	return len(line) > n && string(line[:n]) == h.text && bytes.HasPrefix(line[n:], behind)
}

// newHead decodes text, the part of a line before the replicate. If text contains a field that is
// not the same in all rows of a cell, newHead returns nil.
func newHead(text []byte) *head {
	h := &head{text: string(text)}
	r := &h.row
	if strictjson.Unmarshal(append(bytes.Clone(text), '}'), r) != nil {
		return nil
	}
	if !reflect.DeepEqual(*r, Row{Study: r.Study, Seed: r.Seed, Experiment: r.Experiment,
		Instance: r.Instance, Size: r.Size, Draw: r.Draw, Method: r.Method, Constants: r.Constants,
		Delta: r.Delta, Budget: r.Budget}) {
		return nil
	}
	return h
}

// outcome decodes the part of a line after its head, and reports whether this part has the exact
// format: fields in order, without spaces.
func (d *decoder) outcome(text []byte, r *Row) bool {
	c := cursor{text: text}
	c.want(`,"rep":`)
	r.Rep = c.int()
	c.want(`,"pulls":`)
	r.Pulls = c.int()
	c.want(`,"rounds":`)
	r.Rounds = c.int()
	c.want(`,"status":`)
	r.Status = d.text(&c)
	c.want(`,"correct":`)
	if r.Correct = c.skip("true"); !r.Correct {
		c.want("false")
	}
	c.want(`,"items":`)
	r.Items = d.integers(&c)
	c.want(`,"classes":`)
	r.Classes = d.text(&c)
	c.want(`,"armPulls":`)
	r.ArmPulls = d.integers(&c)
	if c.skip(`,"measures":[`) {
		r.Measures = d.measures(&c)
	}
	if c.skip(`,"warnings":[`) {
		r.Warnings = append(r.Warnings, d.text(&c))
		for c.skip(",") {
			r.Warnings = append(r.Warnings, d.text(&c))
		}
		c.want("]")
	}
	if c.skip(`,"err":`) {
		r.Err = d.text(&c)
	}
	c.want(`,"crc":"`)
	return !c.malformed && len(c.text) == len(`00000000"}`)
}

func (d *decoder) measures(c *cursor) []Value {
	const slab = 1 << 10
	start := len(d.values)
	for more := true; more; more = c.skip(",") {
		if len(d.values) == cap(d.values) {
			own := d.values[start:]
			d.values = append(make([]Value, 0, max(slab, 2*len(own))), own...)
			start = 0
		}
		c.want(`{"name":`)
		name := d.text(c)
		c.want(`,"value":`)
		d.values = append(d.values, Value{name, c.float()})
		c.want("}")
	}
	c.want("]")
	return d.values[start:len(d.values):len(d.values)]
}

// text decodes a quoted text. Equal texts are stored once, except for long texts, and up to a limit
// that no study reaches.
func (d *decoder) text(c *cursor) string {
	raw := c.quoted()
	s, known := d.texts[string(raw)]
	if known {
		return s
	}
	if bytes.IndexByte(raw, '\\') < 0 {
		s = string(raw)
	} else if err := strictjson.Unmarshal(c.last, &s); err != nil {
		c.malformed = true
		return ""
	}
	const long, many = 256, 1 << 14
	if len(raw) <= long && len(d.texts) < many {
		if d.texts == nil {
			d.texts = make(map[string]string)
		}
		d.texts[string(raw)] = s
	}
	return s
}

// integers decodes a list of integers in a row. An empty list is decoded as an empty slice that is
// not nil.
func (d *decoder) integers(c *cursor) []int {
	const slab = 1 << 14
	end := bytes.IndexByte(c.text, ']')
	if !c.skip("[") || end < 0 {
		c.malformed = true
		return nil
	}
	// Each integer except the last takes at least two bytes, which bounds the length of the list.
	if cap(d.ints)-len(d.ints) < 1+end/2 {
		d.ints = make([]int, 0, max(slab, 1+bytes.Count(c.text[:end], []byte(","))))
	}
	start := len(d.ints)
	if end > 0 && c.text[0] != ']' {
		d.ints = c.ints(d.ints)
	}
	c.want("]")
	return d.ints[start:len(d.ints):len(d.ints)]
}
