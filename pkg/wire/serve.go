package wire

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/internal/strictjson"
	"github.com/purexp/purexp/pkg/policy"
	"github.com/purexp/purexp/pkg/radius"
	"github.com/purexp/purexp/pkg/seed"
)

// Serve lets a host, connected by r and w, drive policies. The function new must return a policy
// for the settings of an init message; the Problem of this message is valid. At the end of r, Serve
// returns nil.
//
// If the host measures in plates, an any-sampling policy fills the plates, and may receive fewer
// rewards than requested; other policies receive whole rounds. After an invalid message, Serve
// sends an error message and returns the same error.
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

// hosted is a policy that a host drives, during a run or before the first run.
type hosted struct {
	prob   *explore.Problem
	policy explore.Policy
	open   explore.Asynchronous // nil for policies with whole rounds; otherwise the policy fills plates
	rounds *explore.Session     // nil for policies that fill plates
	room   int                  // number of wells of a plate
	pulls  []explore.Pull
	obs    []explore.Batch
	over   bool
}

// take handles one message and returns the response.
func (h *hosted) take(m *Message, new func(*Message) (explore.Policy, error)) ([]*Message, error) {
	switch {
	case m.Type == Init:
		return h.init(m, new)
	case m.Type == Error:
		return nil, fmt.Errorf("the host reports an error: %s", m.Message)
	case h.policy == nil:
		return nil, broken("type: %q before init; expected init", m.Type)
	case m.Type == Answer:
		return []*Message{{Type: Answer, Answer: NewVerdict(h.policy.Answer())}}, nil
	case m.Type == Tell && h.over:
		return nil, broken("type: tell after stop; expected answer or init")
	case m.Type == Tell:
		if err := h.tell(m.Results); err != nil {
			return nil, err
		}
		next, err := h.next()
		return []*Message{next}, err
	}
	return nil, broken("type: %q; expected init, tell, answer or error", m.Type)
}

// init starts a run when the host sends an init message.
func (h *hosted) init(m *Message, new func(*Message) (explore.Policy, error)) ([]*Message, error) {
	*h = hosted{pulls: h.pulls, obs: h.obs}
	if m.Protocol != Version {
		return nil, broken("protocol: version %d; expected version %d", m.Protocol, Version)
	}
	if m.Problem == nil {
		return nil, broken("problem: missing")
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
	if c, ok := p.(explore.Describer); ok {
		evidence = c.Card().Evidence
	}
	if h.room = m.Plate; h.room > 0 && evidence == explore.AnySampling {
		h.open, _ = p.(explore.Asynchronous)
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
	return []*Message{{Type: Ready, Protocol: Version, Name: explore.Name(p), Evidence: evidence.String()}, next}, nil
}

// next requests a round from the policy, or returns the stop message.
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

func (h *hosted) tell(rs []Result) error {
	if len(rs) != len(h.pulls) {
		return broken("results: %d; expected %d, one per pull, with n = 0 for a failed pull", len(rs), len(h.pulls))
	}
	h.obs = h.obs[:0]
	for k := range rs {
		r, p := &rs[k], h.pulls[k]
		wrong := func(field string, got any, want any) error {
			return broken("results[%d].%s: %v; expected %v", k, field, got, want)
		}
		switch {
		case r.Arm != p.Arm:
			return wrong("arm", r.Arm, fmt.Sprintf("%d, as in pulls[%d]", p.Arm, k))
		case r.N < 0 || r.N > p.N:
			return wrong("n", r.N, fmt.Sprintf("0 to %d", p.N))
		case r.N < p.N && h.open == nil:
			return wrong("n", r.N, fmt.Sprintf("%d, because %s requires complete rounds", p.N, explore.Name(h.policy)))
		case r.N == 0:
			continue
		case len(r.Sum) != h.prob.D():
			return wrong("sum", fmt.Sprintf("%d numbers", len(r.Sum)), fmt.Sprintf("%d, one per objective", h.prob.D()))
		case r.Squares != nil && len(r.Squares) != h.prob.D():
			return wrong("squares", fmt.Sprint(len(r.Squares), " numbers"), fmt.Sprint(h.prob.D(), ", or nothing"))
		}
		b := explore.Batch{Pull: explore.Pull{Arm: r.Arm, N: r.N}, Sum: r.Sum, Squares: r.Squares}
		if h.open != nil { // for policies with whole rounds, a session checks the results
			if err := h.prob.CheckBatch(&b); err != nil {
				return broken("results[%d]: %v", k, err)
			}
		}
		h.obs = append(h.obs, b)
	}
	if h.open != nil {
		return h.open.Learn(h.obs)
	}
	return h.rounds.Tell(h.obs)
}

// Fill returns a reader that passes on the messages of r,
// and adds the problem p to init messages without one.
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

// radii maps the names of radii in settings to radii.
var radii = map[string]radius.Radius{
	"theory": radius.Theory{}, "Kaufmann-Koolen": radius.KaufmannKoolen{}, "mixture": radius.Mixture{},
	"bernoulli": radius.Bernoulli{}, "empirical Bernstein": radius.EmpiricalBernstein{}, "paper": radius.Paper{},
}

// Named returns a function that makes, for an init message, the policy of the catalogue with the
// given name. The name, such as "LinGapE" or "e-cAPE", is not case-sensitive. The settings are a
// JSON object with fields of the policy's Go type, such as {"Epsilon": 0.1, "Radius": "mixture"};
// they may be empty. If Delta, Budget or Plate is not zero in the init message, the message takes
// precedence over the settings. If the name is "recommended", policy.For chooses the policy.
func Named(name string, settings []byte) (func(init *Message) (explore.Policy, error), error) {
	if strings.EqualFold(name, "recommended") {
		return recommended, nil
	}
	var names []string
	for _, new := range policy.Catalogue() {
		p := new()
		if n := p.Card().Name; !strings.EqualFold(n, name) && !strings.EqualFold(explore.TypeName(p), name) {
			names = append(names, n)
			continue
		}
		if err := set(p, settings); err != nil {
			return nil, err
		}
		given := map[string]bool{}
		var fields map[string]any
		_ = strictjson.Unmarshal(settings, &fields)
		for field := range fields {
			given[field] = true
		}
		return func(m *Message) (explore.Policy, error) {
			p := new()
			_ = set(p, settings) // no error is possible, because the settings were checked before
			v := reflect.ValueOf(p).Elem()
			has := func(field string, x any) bool { // the field Budget of LinFACT has another type
				f := v.FieldByName(field)
				return f.IsValid() && f.CanSet() && reflect.TypeOf(x).AssignableTo(f.Type())
			}
			if has("Delta", m.Delta) && m.Delta == 0 && !given["Delta"] && (m.Budget == 0 || !has("Budget", m.Budget)) {
				return nil, errNoDelta
			}
			for field, x := range map[string]any{"Delta": m.Delta, "Budget": m.Budget, "Plate": m.Plate} {
				if has(field, x) && !reflect.ValueOf(x).IsZero() {
					v.FieldByName(field).Set(reflect.ValueOf(x))
				}
			}
			return p, nil
		}, nil
	}
	return nil, fmt.Errorf("wire: unknown policy %q; use \"recommended\" or one of %s", name, strings.Join(names, "; "))
}

// errNoDelta reports that the error probability is missing; a default would promise a guarantee
// that nobody requested.
var errNoDelta = errors.New("wire: delta is missing; expected an error probability, or a budget if the policy has one")

// recommended returns the policy that policy.For recommends for the message.
func recommended(m *Message) (explore.Policy, error) {
	if m.Delta == 0 && m.Budget == 0 {
		return nil, errNoDelta
	}
	p, err := m.Problem.Explore()
	if err != nil {
		return nil, err
	}
	r, err := policy.For(p, policy.Circumstances{Delta: m.Delta, Budget: m.Budget, Plate: m.Plate})
	if err != nil {
		return nil, err
	}
	return r.Make(), nil
}

// set sets the fields of a policy that a JSON object names.
func set(p explore.Policy, settings []byte) error {
	if len(bytes.TrimSpace(settings)) == 0 {
		return nil
	}
	var fields map[string]json.RawMessage
	if err := strictjson.Unmarshal(settings, &fields); err != nil {
		return fmt.Errorf("wire: settings: expected a JSON object: %w", err)
	}
	v := reflect.ValueOf(p).Elem()
	var names []string
	for i := range v.NumField() {
		if f := v.Type().Field(i); f.IsExported() {
			names = append(names, f.Name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		f := v.FieldByName(name)
		if !slices.Contains(names, name) {
			return fmt.Errorf("wire: settings: %s has no field %s; the fields are %s", explore.TypeName(p), name,
				strings.Join(names, ", "))
		}
		if f.Type() == reflect.TypeFor[radius.Radius]() {
			var text string
			if err := strictjson.Unmarshal(fields[name], &text); err != nil || radii[text] == nil {
				return fmt.Errorf("wire: settings: %s: %s; expected one of %q", name, fields[name],
					slices.Sorted(maps.Keys(radii)))
			}
			f.Set(reflect.ValueOf(radii[text]))
			continue
		}
		if err := strictjson.Unmarshal(fields[name], f.Addr().Interface()); err != nil {
			return fmt.Errorf("wire: settings: %s: %w", name, err)
		}
	}
	return nil
}
