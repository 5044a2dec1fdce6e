package mc

import (
	"bytes"
	"math"
	"strconv"
	"strings"
)

// cursor decodes a line that has exactly the format in which package mc writes rows; any other line
// counts as malformed.
type cursor struct {
	text      []byte // remaining part of the line
	last      []byte // most recent quoted text, with its quotes
	malformed bool   // whether the line does not have the expected format
}

// skip skips s if the remaining text begins with s, and reports whether it did.
func (c *cursor) skip(s string) bool {
	if len(c.text) < len(s) || string(c.text[:len(s)]) != s {
		return false
	}
	c.text = c.text[len(s):]
	return true
}

// want skips s; if the remaining text does not begin with s, want marks the line as malformed.
func (c *cursor) want(s string) {
	if !c.skip(s) {
		c.malformed = true
	}
}

// int decodes an integer.
func (c *cursor) int() int {
	n, length := integer(c.text)
	if length == 0 {
		c.malformed = true
	}
	c.text = c.text[length:]
	return n
}

// ints decodes integers separated by commas, and appends them to dst.
func (c *cursor) ints(dst []int) []int {
	text := c.text
	for {
		n, length := integer(text)
		if length == 0 {
			c.malformed = true
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

// integer decodes the integer at the beginning of text and returns its length in bytes. The length
// is 0 if text does not begin with an integer, or if the integer has more than 18 digits and could
// overflow.
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

func (c *cursor) float() float64 {
	at := 0
	for at < len(c.text) && strings.IndexByte("0123456789.-+eE", c.text[at]) >= 0 {
		at++
	}
	v, err := strconv.ParseFloat(string(c.text[:at]), 64)
	if err != nil || math.IsInf(v, 0) {
		c.malformed = true
	}
	c.text = c.text[at:]
	return v
}

// quoted returns the text between two quotes, without unescaping. If the text contains an escaped
// quote, the line counts as malformed.
func (c *cursor) quoted() []byte {
	if len(c.text) == 0 || c.text[0] != '"' {
		c.malformed = true
		return nil
	}
	n := bytes.IndexByte(c.text[1:], '"')
	if n < 0 || n > 0 && c.text[n] == '\\' {
		c.malformed = true
		return nil
	}
	c.last, c.text = c.text[:n+2], c.text[n+2:]
	return c.last[1 : n+1]
}
