// Package wire connects policies and hosts that are written in different languages. Policies and
// hosts exchange lines of JSON over standard input and output, as described in docs/protocol.md.
//
// A [Guest] is a policy in another program; it can be run like any other policy:
//
//	mine := wire.NewPool(wire.Options{Command: []string{"python3", "mine.py"}})
//	defer mine.Close()
//	res, err := explore.Run(mine.Guest(0.05), problem, sampler, nil)
//
// [Serve] is the opposite direction: a host in another language drives a Go policy. Package wire
// does not start hosts.
package wire

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"reflect"
	"strings"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/internal/strictjson"
)

// Version is the version of the protocol.
const Version = 1

// MostBytes is the largest length of a line in bytes.
const MostBytes = 64 << 20

// ErrProtocol reports that the other program violated the protocol.
var ErrProtocol = errors.New("the message violates the protocol")

// broken returns an error that wraps ErrProtocol, and states place and reason.
func broken(format string, args ...any) error {
	return fmt.Errorf("%w: %w", ErrProtocol, fmt.Errorf(format, args...))
}

// The following constants are the types of messages.
const (
	Init   = "init"
	Ready  = "ready"
	Refuse = "refuse"
	Ask    = "ask"
	Tell   = "tell"
	Stop   = "stop"
	Answer = "answer"
	Error  = "error"
)

// Message is one line of the protocol; its Type determines which fields it has.
type Message struct {
	Type string `json:"type"`

	// The following fields belong to an init message; a ready message also has Protocol.
	Protocol int      `json:"protocol,omitempty"`
	Problem  *Problem `json:"problem,omitempty"`
	Delta    float64  `json:"delta,omitempty"`
	Budget   int      `json:"budget,omitempty"`
	Seed     uint64   `json:"seed,string,omitempty"`
	Plate    int      `json:"plate,omitempty"`

	// The following fields belong to messages of type "ready". Name is the name in tables, and
	// Evidence is "own rounds" or "any sampling".
	Name     string `json:"name,omitempty"`
	Evidence string `json:"evidence,omitempty"`
	// The following field belongs to a refuse message: the reason.
	Why string `json:"why,omitempty"`
	// The following field belongs to an ask message: pairs of an arm and a number of rewards.
	Pulls []Pair `json:"pulls,omitempty"`
	// The following field belongs to a tell message: the results, in the order of the pulls.
	Results []Result `json:"results,omitempty"`
	// The following field belongs to a stop message, and to an answer message that the policy
	// sends.
	Answer *Verdict `json:"answer,omitempty"`
	// The following field belongs to an error message: the reason.
	Message string `json:"message,omitempty"`
}

// Pair is an arm, with the number of its rewards.
type Pair [2]int

// UnmarshalJSON implements json.Unmarshaler. UnmarshalJSON rejects arrays unless they have exactly
// two elements; encoding/json would accept other lengths.
func (p *Pair) UnmarshalJSON(text []byte) error {
	var x List[int]
	if err := strictjson.Unmarshal(text, &x); err != nil || len(x) != len(p) {
		return fmt.Errorf("%s; expected a pair of an arm and a number of rewards, such as [0,1]", short(text))
	}
	copy(p[:], x)
	return nil
}

// List is a list of numbers that rejects null, which encoding/json reads as 0 and JavaScript writes
// for NaN.
type List[T int | float64] []T

// UnmarshalJSON implements json.Unmarshaler.
func (l *List[T]) UnmarshalJSON(text []byte) error {
	var x []*T
	if err := strictjson.Unmarshal(text, &x); err != nil {
		return fmt.Errorf("%s; expected an array of %ss", short(text),
			strings.TrimPrefix(strictjson.Kind(reflect.TypeFor[T]()), "a "))
	}
	if *l = nil; x != nil {
		*l = make(List[T], len(x))
	}
	for i := range x {
		if x[i] == nil {
			return fmt.Errorf("%s: null is not a number; expected a finite number", short(text))
		}
		(*l)[i] = *x[i]
	}
	return nil
}

// Result is the result of a pull: the sums of n rewards by objective and, if available, the sums of
// their squares. If a pull failed, its result has n = 0.
type Result struct {
	Arm     int           `json:"arm"`
	N       int           `json:"n"`
	Sum     List[float64] `json:"sum"`
	Squares List[float64] `json:"squares,omitempty"`
}

// Verdict is an answer: the indices of the items in ascending order, and optionally a reason for
// each item.
type Verdict struct {
	Chosen  List[int] `json:"chosen"`
	Reasons []Reason  `json:"reasons,omitempty"`
}

// Reason is an explore.Reason in the wire format; a missing field means an unknown value.
type Reason struct {
	Class       explore.Class `json:"class"`
	By          *int          `json:"by,omitempty"`
	Margin      *float64      `json:"margin,omitempty"`
	Radius      *float64      `json:"radius,omitempty"` // half-width of the interval of margin
	Constraint  *int          `json:"constraint,omitempty"`
	Slack       *float64      `json:"slack,omitempty"`
	SlackRadius *float64      `json:"slack_radius,omitempty"`
}

// number returns a pointer to x, or nil if JSON cannot represent x.
func number(x float64) *float64 {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return nil
	}
	return &x
}

// NewVerdict returns an answer in the wire format.
func NewVerdict(a explore.Answer) *Verdict {
	v := &Verdict{Chosen: append([]int{}, a.Items...)}
	for _, r := range a.Reasons {
		x := Reason{Class: r.Class}
		if r.By >= 0 {
			by := r.By
			x.By, x.Margin, x.Radius = &by, number(r.Margin), number(r.MarginRadius)
		}
		if r.Constraint >= 0 {
			k := r.Constraint
			x.Constraint, x.Slack, x.SlackRadius = &k, number(r.Slack), number(r.SlackRadius)
		}
		v.Reasons = append(v.Reasons, x)
	}
	return v
}

// Explore converts the verdict to an answer about the items of p. Errors of Explore name the
// invalid field.
func (v *Verdict) Explore(p *explore.Problem) (a explore.Answer, err error) {
	wrong := func(format string, args ...any) (explore.Answer, error) {
		return explore.Answer{}, broken("answer."+format, args...)
	}
	if v.Chosen == nil { // unknown fields are ignored, so a misspelt chosen is reported as missing
		return wrong("chosen: missing; expected a list of items, which may be empty")
	}
	m, last := p.M(), -1
	for k, i := range v.Chosen {
		if i < 0 || i >= m {
			return wrong("chosen[%d]: %d; expected an item from 0 to %d", k, i, m-1)
		}
		if i <= last {
			return wrong("chosen[%d]: %d after %d; expected ascending order", k, i, last)
		}
		last = i
	}
	a.Items = v.Chosen
	if v.Reasons == nil {
		return a, nil
	}
	if len(v.Reasons) != m {
		return wrong("reasons: %d entries; expected %d, one per item, or no reasons", len(v.Reasons), m)
	}
	or := func(x *float64, other float64) float64 {
		if x == nil {
			return other
		}
		return *x
	}
	for i, r := range v.Reasons {
		x := explore.Reason{Class: r.Class, By: -1, Constraint: -1}
		if r.By != nil {
			if *r.By < 0 || *r.By >= m {
				return wrong("reasons[%d].by: %d; expected an item from 0 to %d", i, *r.By, m-1)
			}
			x.By, x.Margin, x.MarginRadius = *r.By, or(r.Margin, 0), or(r.Radius, math.Inf(1))
		}
		if r.Constraint != nil {
			if n := constrained(p.Question); *r.Constraint < 0 || *r.Constraint >= n {
				return wrong("reasons[%d].constraint: %d; the question has %d constraints, numbered from 0", i,
					*r.Constraint, n)
			}
			x.Constraint = *r.Constraint
			x.Slack, x.SlackRadius = or(r.Slack, 0), or(r.SlackRadius, math.Inf(1))
		}
		a.Reasons = append(a.Reasons, x)
	}
	return a, nil
}

func line(m *Message) ([]byte, error) {
	text, err := json.Marshal(m)
	return append(text, '\n'), err
}

func write(w io.Writer, m *Message) error {
	text, err := line(m)
	if err == nil {
		_, err = w.Write(text)
	}
	return err
}

// read reads a message, or returns io.EOF at the end of the input.
func read(r *bufio.Reader) (*Message, error) {
	line, err := readLine(r)
	if err != nil {
		return nil, err
	}
	m := &Message{}
	if err := strictjson.Unmarshal(line, m); err != nil {
		if e := (*strictjson.Error)(nil); errors.As(err, &e) && e.Field == "seed" {
			err = errors.New(`seed: expected a string of digits, such as "7"`)
		}
		return nil, broken("%w; the line is %s", err, short(line))
	}
	if m.Type == "" {
		return nil, broken("type: missing in the line %s; expected the type of the message", short(line))
	}
	return m, nil
}

func readLine(r *bufio.Reader) ([]byte, error) {
	for {
		var line []byte
		for {
			part, err := r.ReadSlice('\n')
			line = append(line, part...)
			if len(line) > MostBytes {
				return nil, broken("a line exceeds the limit of %d bytes; send shorter messages", MostBytes)
			}
			if err == nil {
				break
			}
			if !errors.Is(err, bufio.ErrBufferFull) {
				if len(bytes.TrimSpace(line)) > 0 && errors.Is(err, io.EOF) {
					break // the last line may lack a newline
				}
				return nil, err
			}
		}
		if line = bytes.TrimSpace(line); len(line) > 0 {
			return line, nil
		}
	}
}

func short(line []byte) string {
	if len(line) > 120 {
		return string(line[:120]) + " ..."
	}
	return string(line)
}
