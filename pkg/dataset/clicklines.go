package dataset

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
)

// longest is the length of the longest line that is read, in bytes. Lines of
// R6A have about two thousand.
const longest = 1 << 20

// scanClicks calls visits for each record and counts lines. The visit is
// overwritten by the next.
func scanClicks(r io.Reader, name string, visits func(*visit), c *clickCounts) error {
	br := bufio.NewReaderSize(r, longest)
	ids := map[string]string{} // one string an article
	var v visit
	for number := 1; ; number++ {
		line, err := br.ReadSlice('\n')
		long := errors.Is(err, bufio.ErrBufferFull)
		for errors.Is(err, bufio.ErrBufferFull) {
			_, err = br.ReadSlice('\n')
		}
		if err != nil && err != io.EOF {
			return fmt.Errorf("dataset: click log %s:%d: %w", name, number, err)
		}
		text := bytes.TrimSpace(line)
		switch {
		case bytes.HasPrefix(text, []byte("#")):
		case len(text) > 0 || long:
			c.lines++
			what := "longer than 1 MB"
			var id []byte
			if !long {
				id, what = parseVisit(text, &v)
			}
			if what != "" {
				if c.first == "" {
					c.first = fmt.Sprintf("%s:%d: %s", name, number, what)
				}
				break
			}
			if s, ok := ids[string(id)]; ok {
				v.id = s
			} else {
				v.id = string(id)
				ids[v.id] = v.id
			}
			v.line, v.hash = number, v.sum()
			c.add(&v)
			visits(&v)
		}
		if err == io.EOF {
			return nil
		}
	}
}

// add counts a record.
func (c *clickCounts) add(v *visit) {
	c.records++
	if v.clicked {
		c.clicks++
	}
}

// parseVisit parses a line into v and returns the id of the displayed article.
// If the line is no record it says what is wrong. Only
// the user and the displayed article are looked at: the rest of the pool does
// not matter.
func parseVisit(line []byte, v *visit) (id []byte, what string) {
	head, rest, ok := bytes.Cut(line, []byte("|"))
	var fields [3][]byte
	n := 0
	for f := range bytes.FieldsSeq(head) {
		if n < len(fields) {
			fields[n] = f
		}
		n++
	}
	if !ok || n != len(fields) {
		return nil, fmt.Sprintf("%d fields before the first |; want a time, "+
			"the displayed article, and 0 or 1", n)
	}
	id = fields[1]
	switch string(fields[2]) {
	case "0":
		v.clicked = false
	case "1":
		v.clicked = true
	default:
		return nil, fmt.Sprintf("click is %q; want 0 or 1", clipped(fields[2]))
	}
	block, rest, _ := bytes.Cut(rest, []byte("|"))
	side, block := cutField(block)
	if string(side) != "user" {
		return nil, fmt.Sprintf("the first block is %q; want user", clipped(side))
	}
	if what := parseFeatures(block, &v.user); what != "" {
		return nil, "user: " + what
	}
	for len(rest) > 0 {
		block, rest, _ = bytes.Cut(rest, []byte("|"))
		name, block := cutField(block)
		if !bytes.Equal(name, id) {
			continue
		}
		if what := parseFeatures(block, &v.article); what != "" {
			return nil, fmt.Sprintf("article %s: %s", clipped(id), what)
		}
		return id, ""
	}
	return nil, fmt.Sprintf("the displayed article %s is not in the pool", clipped(id))
}

// clipped returns the beginning of a field, for messages.
func clipped(b []byte) []byte { return b[:min(len(b), 20)] }

// cutField splits off the first field.
func cutField(b []byte) (field, rest []byte) {
	b = bytes.TrimLeft(b, " \t")
	if i := bytes.IndexAny(b, " \t"); i >= 0 {
		return b[:i], b[i:]
	}
	return b, nil
}

// parseFeatures parses "id:value" for ids 1 to 6, in any order, and says what is
// wrong.
func parseFeatures(b []byte, f *clickSideFeatures) (what string) {
	var seen [clickSide]bool
	n := 0
	for {
		var field []byte
		if field, b = cutField(b); len(field) == 0 {
			break
		}
		if len(field) < 3 || field[1] != ':' || field[0] < '1' || field[0] > '0'+clickSide {
			return fmt.Sprintf("%q is no feature; want id:value with an id from 1 to 6",
				clipped(field))
		}
		i := int(field[0] - '1')
		if seen[i] {
			return fmt.Sprintf("feature %d twice", i+1)
		}
		x, err := strconv.ParseFloat(string(field[2:]), 64)
		// Features are shares and a constant 1; squares must not overflow.
		if err != nil || math.IsNaN(x) || math.Abs(x) > 1e6 {
			return fmt.Sprintf("feature %d is %q; want a number between -1e6 and 1e6", i+1,
				clipped(field[2:]))
		}
		seen[i] = true
		f[i] = x + 0 // not -0, which is the same pair
		n++
	}
	if n != clickSide {
		return fmt.Sprintf("%d features; want 1 to 6", n)
	}
	return ""
}
