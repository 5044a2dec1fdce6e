package wire

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/internal/strictjson"
	"github.com/purexp/purexp/pkg/seed"
)

// Serve lets the host on the other end of r and w drive policies: new returns one for the settings of
// an init message, whose Problem is checked by then. It returns nil at the end of r.
//
// With plates, a policy that takes any sampling fills them, and may be told fewer rewards than it asked
// for; otherwise whole rounds are told. What is wrong with a message is answered by an error message, after which Serve
// returns that error.
func Serve(r io.Reader, w io.Writer, new func(init *Message) (explore.Policy, error)) error {
	in := bufio.NewReaderSize(r, 1<<16)
	h := &hosted{}
	for {
		m, err := read(in)
		if errors.Is(err, io.EOF) {
			return nil
		}
		var reply []*Message
		if err == nil {
			reply, err = h.take(m, new)
		}
		if err != nil {
			return errors.Join(err, write(w, &Message{Type: Error, Message: err.Error()}))
		}
		for _, x := range reply {
			if err := write(w, x); err != nil {
				return err
			}
		}
	}
}

// A hosted policy is in a run, or before its first.
type hosted struct {
	prob   *explore.Problem
	policy explore.Policy
	open   explore.Open     // asked for plates; nil if it takes whole rounds
	rounds *explore.Session // nil if it is open
	room   int              // of a plate
	pulls  []explore.Pull
	obs    []explore.Batch
	over   bool
}

// take answers one message.
func (h *hosted) take(m *Message, new func(*Message) (explore.Policy, error)) ([]*Message, error) {
	switch {
	case m.Type == Init:
		return h.init(m, new)
	case m.Type == Error:
		return nil, fmt.Errorf("the host says: %s", m.Message)
	case h.policy == nil:
		return nil, fmt.Errorf("%w: type: %q before init", ErrProtocol, m.Type)
	case m.Type == Answer:
		return []*Message{{Type: Answer, Answer: NewVerdict(h.policy.Answer())}}, nil
	case m.Type == Tell && h.over:
		return nil, fmt.Errorf("%w: type: tell after stop", ErrProtocol)
	case m.Type == Tell:
		if err := h.tell(m.Results); err != nil {
			return nil, err
		}
		next, err := h.next()
		return []*Message{next}, err
	}
	return nil, fmt.Errorf("%w: type: %q; a host sends init, tell, answer or error", ErrProtocol, m.Type)
}

// init begins a run.
func (h *hosted) init(m *Message, new func(*Message) (explore.Policy, error)) ([]*Message, error) {
	*h = hosted{pulls: h.pulls, obs: h.obs}
	if m.Protocol != Version {
		return nil, fmt.Errorf("%w: protocol: version %d; this program speaks version %d", ErrProtocol, m.Protocol, Version)
	}
	if m.Problem == nil {
		return nil, fmt.Errorf("%w: problem: it is missing", ErrProtocol)
	}
	prob, err := m.Problem.Explore()
	if err != nil {
		return nil, err
	}
	refuse := func(err error) ([]*Message, error) {
		return []*Message{{Type: Refuse, Why: err.Error()}}, nil
	}
	p, err := new(m)
	if err != nil {
		return refuse(err)
	}
	src := seed.New(m.Seed).Source()
	evidence := explore.OwnRounds
	if c, ok := p.(explore.Carded); ok {
		evidence = c.Card().Evidence
	}
	if h.room = m.Plate; h.room > 0 && evidence == explore.AnySampling {
		h.open, _ = p.(explore.Open)
	}
	if h.open != nil {
		err = p.Init(prob, src)
	} else {
		h.rounds, err = explore.NewSession(p, prob, &explore.Settings{Src: src})
	}
	if err != nil {
		return refuse(err)
	}
	h.prob, h.policy = prob, p
	next, err := h.next()
	if err != nil {
		return nil, err
	}
	return []*Message{{Type: Ready, Protocol: Version, Name: explore.Name(p),
		Evidence: evidence.String()}, next}, nil
}

// next asks for a round, or stops.
func (h *hosted) next() (*Message, error) {
	var err error
	if h.open != nil {
		h.pulls, err = h.open.More(h.pulls[:0], h.room, nil)
	} else {
		h.pulls, err = h.rounds.Ask()
	}
	if err != nil {
		return nil, err
	}
	if len(h.pulls) == 0 {
		h.over = true
		return &Message{Type: Stop, Answer: NewVerdict(h.policy.Answer())}, nil
	}
	m := &Message{Type: Ask, Pulls: make([]Pair, len(h.pulls))}
	for i, p := range h.pulls {
		m.Pulls[i] = Pair{p.Arm, p.N}
	}
	return m, nil
}

// tell checks results and hands them over.
func (h *hosted) tell(rs []Result) error {
	if len(rs) != len(h.pulls) {
		return fmt.Errorf("%w: results: %d; want one for each of the %d pulls, with n = 0 where it failed", ErrProtocol,
			len(rs), len(h.pulls))
	}
	h.obs = h.obs[:0]
	for k := range rs {
		r, p := &rs[k], h.pulls[k]
		wrong := func(field string, got any, want any) error {
			return fmt.Errorf("%w: results[%d].%s: %v; want %v", ErrProtocol, k, field, got, want)
		}
		switch {
		case r.Arm != p.Arm:
			return wrong("arm", r.Arm, fmt.Sprintf("%d, as in pulls[%d]", p.Arm, k))
		case r.N < 0 || r.N > p.N:
			return wrong("n", r.N, fmt.Sprintf("0 to %d", p.N))
		case r.N < p.N && h.open == nil:
			return wrong("n", r.N, fmt.Sprintf("%d: rounds of %s have to be complete", p.N, explore.Name(h.policy)))
		case r.N == 0:
			continue
		case len(r.Sum) != h.prob.D():
			return wrong("sum", fmt.Sprintf("%d numbers", len(r.Sum)), fmt.Sprintf("%d, one an objective", h.prob.D()))
		case r.Squares != nil && len(r.Squares) != h.prob.D():
			return wrong("squares", fmt.Sprintf("%d numbers", len(r.Squares)), fmt.Sprintf("%d, or nothing", h.prob.D()))
		}
		h.obs = append(h.obs, explore.Batch{Pull: explore.Pull{Arm: r.Arm, N: r.N}, Sum: r.Sum, Squares: r.Squares})
	}
	if h.open != nil {
		return h.open.Learn(h.obs)
	}
	return h.rounds.Tell(h.obs)
}

// Fill returns the messages of r with p as the problem of init messages that have none.
func Fill(r io.Reader, p *Problem) io.Reader {
	out, in := io.Pipe()
	go func() {
		buffer := bufio.NewReaderSize(r, 1<<16)
		for {
			text, err := readLine(buffer)
			if err != nil {
				in.CloseWithError(err)
				return
			}
			var m Message
			if strictjson.Unmarshal(text, &m) == nil && m.Type == Init && m.Problem == nil {
				m.Problem = p
				if filled, err := json.Marshal(&m); err == nil {
					text = filled
				}
			}
			if _, err := in.Write(append(text, '\n')); err != nil {
				return
			}
		}
	}()
	return out
}
