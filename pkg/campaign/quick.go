package campaign

import (
	"bytes"
	"strconv"
	"unicode/utf8"
)

// A quick reads the bodies of asks and results as this program writes them: without spaces, with
// fields in order, and names without escapes. They are nearly all of a record, and reading them by
// reflection is most of what opening one takes. Whatever else there is it does not read, and
// [strict] decides.
type quick struct {
	text []byte // what is left
	bad  bool
	name func([]byte) string // of a candidate
}

// ask reads a body; false if it is to be read by strict.
func (q *quick) ask(b *askBody) bool {
	q.must(`{"plate":`)
	b.Plate = q.integer()
	q.must(`,"first":`)
	b.First = q.integer()
	q.must(`,"room":`)
	b.Room = q.integer()
	q.must(`,"arms":[`)
	b.Arms = make([]string, 0, 1+bytes.Count(q.text, []byte{','}))
	for more := !q.bad; more; more = q.may(",") {
		b.Arms = append(b.Arms, q.name(q.string()))
	}
	q.must("]")
	if q.may(`,"key":`) {
		b.Key = string(q.string())
	}
	if q.may(`,"filled":`) {
		b.Filled = q.integer()
	}
	return q.end()
}

// tell reads a body; false if it is to be read by strict.
func (q *quick) tell(b *tellBody) bool {
	q.must(`{"rows":[`)
	n := bytes.Count(q.text, []byte{'}'})
	b.Rows = make([]rowBody, 0, n)
	values := make([]float64, 0, 2*n) // of all rows, in one piece if there is room
	for more := !q.bad; more; more = q.may(",") {
		var r rowBody
		values = q.row(&r, values)
		b.Rows = append(b.Rows, r)
	}
	q.must("]")
	return q.end()
}

// row reads a result, and appends its values.
func (q *quick) row(r *rowBody, values []float64) []float64 {
	q.must("{")
	if q.may(`"ticket":`) {
		r.Ticket = q.integer()
		q.must(",")
	}
	if q.may(`"id":`) {
		r.ID = string(q.string())
		q.must(",")
	}
	q.must(`"arm":`)
	r.Arm = q.name(q.string())
	if q.may(`,"values":[`) {
		from := len(values)
		for more := !q.bad; more; more = q.may(",") {
			values = append(values, q.number())
		}
		q.must("]")
		r.Values = values[from:len(values):len(values)]
	}
	if q.may(`,"of":`) {
		r.Of = q.integer()
	}
	if q.may(`,"failed":true`) {
		r.Failed = true
	}
	if q.may(`,"note":`) {
		r.Note = string(q.string())
	}
	q.must("}")
	return values
}

// may reads a word if it comes next, and reports whether it did.
func (q *quick) may(word string) bool {
	if len(q.text) < len(word) || string(q.text[:len(word)]) != word {
		return false
	}
	q.text = q.text[len(word):]
	return !q.bad
}

func (q *quick) must(word string) { q.bad = !q.may(word) || q.bad }

func (q *quick) end() bool {
	q.must("}")
	return !q.bad && len(q.text) == 0
}

// string reads a text without escapes.
func (q *quick) string() []byte {
	q.must(`"`)
	for n, c := range q.text {
		switch {
		case c == '"':
			s := q.text[:n]
			q.text = q.text[n+1:]
			q.bad = q.bad || !utf8.Valid(s)
			return s
		case c == '\\' || c < ' ':
			q.bad = true
			return nil
		}
	}
	q.bad = true
	return nil
}

// digits returns how many there are from n on.
func (q *quick) digits(n int) int {
	from := n
	for n < len(q.text) && q.text[n]-'0' <= 9 {
		n++
	}
	return n - from
}

// whole returns the length of what comes next if that is a whole number as JSON has it, 0 if not.
func (q *quick) whole() int {
	sign := 0
	if len(q.text) > 0 && q.text[0] == '-' {
		sign = 1
	}
	n := q.digits(sign)
	if n == 0 || n > 1 && q.text[sign] == '0' {
		return 0
	}
	return sign + n
}

func (q *quick) integer() int {
	n := q.whole()
	v, err := strconv.Atoi(string(q.text[:n]))
	q.bad = q.bad || err != nil
	q.text = q.text[n:]
	return v
}

func (q *quick) number() float64 {
	n := q.whole()
	q.bad = q.bad || n == 0
	if n < len(q.text) && q.text[n] == '.' {
		after := q.digits(n + 1)
		q.bad = q.bad || after == 0
		n += 1 + after
	}
	if n < len(q.text) && q.text[n]|0x20 == 'e' {
		if n++; n < len(q.text) && (q.text[n] == '+' || q.text[n] == '-') {
			n++
		}
		after := q.digits(n)
		q.bad = q.bad || after == 0
		n += after
	}
	v, err := strconv.ParseFloat(string(q.text[:n]), 64)
	q.bad = q.bad || err != nil
	q.text = q.text[n:]
	return v
}
