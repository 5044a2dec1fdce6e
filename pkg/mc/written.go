package mc

import (
	"bytes"
	"encoding/json"
	"math"
	"strconv"
	"strings"
)

// written decodes what stands behind the head of a line, from behind on, if it has the form in
// which rows are written: fields in their order, without spaces. It reports whether it has: other
// forms are for the lexer, which takes several times as long.
func (d *decoder) written(text []byte, r *Row) bool {
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
	return !c.odd && len(c.text) == len(`00000000"}`)
}

// measures decodes measures from behind their bracket.
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

// text decodes a text. Those that rows may share are kept once: all but long ones, up to a number
// that no study has.
func (d *decoder) text(c *cursor) string {
	raw := c.quoted()
	s, known := d.texts[string(raw)]
	if known {
		return s
	}
	if bytes.IndexByte(raw, '\\') < 0 {
		s = string(raw)
	} else if err := json.Unmarshal(c.last, &s); err != nil {
		c.odd = true
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

// integers decodes a list of integers. It is empty, not nil, where there are none.
func (d *decoder) integers(c *cursor) []int {
	const slab = 1 << 14
	end := bytes.IndexByte(c.text, ']')
	if !c.skip("[") || end < 0 {
		c.odd = true
		return nil
	}
	// Each integer but the last takes two bytes at least.
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

// A cursor goes through a line in the form in which rows are written.
type cursor struct {
	text []byte // what is left of it
	last []byte // the last quoted text, with its quotes
	odd  bool   // the line has another form
}

// skip goes behind s. It reports whether the text begins with s.
func (c *cursor) skip(s string) bool {
	if len(c.text) < len(s) || string(c.text[:len(s)]) != s {
		return false
	}
	c.text = c.text[len(s):]
	return true
}

// want goes behind s, which must be there.
func (c *cursor) want(s string) {
	if !c.skip(s) {
		c.odd = true
	}
}

// int decodes an integer. The lexer takes long ones, which may be too large.
func (c *cursor) int() int {
	n, length := integer(c.text)
	if length == 0 {
		c.odd = true
	}
	c.text = c.text[length:]
	return n
}

// ints appends integers between commas.
func (c *cursor) ints(dst []int) []int {
	text := c.text
	for {
		n, length := integer(text)
		if length == 0 {
			c.odd = true
			return dst
		}
		dst = append(dst, n)
		if text = text[length:]; len(text) == 0 || text[0] != ',' {
			c.text = text
			return dst
		}
		text = text[1:]
	}
}

// integer decodes the integer that text begins with, and returns its length, 0 if it is none or
// has more than 18 digits, which may overflow.
func integer(text []byte) (n, length int) {
	at := 0
	if len(text) > 0 && text[0] == '-' {
		at = 1
	}
	first := at
	for ; at < len(text) && text[at]-'0' < 10; at++ {
		n = 10*n + int(text[at]-'0')
	}
	if at == first || at-first > 18 {
		return 0, 0
	}
	if first == 1 {
		n = -n
	}
	return n, at
}

// float decodes a number.
func (c *cursor) float() float64 {
	at := 0
	for at < len(c.text) && strings.IndexByte("0123456789.-+eE", c.text[at]) >= 0 {
		at++
	}
	v, err := strconv.ParseFloat(string(c.text[:at]), 64)
	if err != nil || math.IsInf(v, 0) {
		c.odd = true
	}
	c.text = c.text[at:]
	return v
}

// quoted returns a text as it is written between its quotes. The lexer takes those that hold a
// quote.
func (c *cursor) quoted() []byte {
	if len(c.text) == 0 || c.text[0] != '"' {
		c.odd = true
		return nil
	}
	n := bytes.IndexByte(c.text[1:], '"')
	if n < 0 || n > 0 && c.text[n] == '\\' {
		c.odd = true
		return nil
	}
	c.last, c.text = c.text[:n+2], c.text[n+2:]
	return c.last[1 : n+1]
}
