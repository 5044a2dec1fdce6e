package wire

import (
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/purexp/purexp/internal/plaintext"
	"github.com/purexp/purexp/pkg/explore"
)

// Options configure how a guest program is started.
type Options struct {
	// Command is the path of the guest program, followed by its arguments.
	Command []string
	// Timeout is the time limit for one message, after which the guest is killed; 0 means 30
	// seconds.
	Timeout time.Duration
	// Patience is the number of consecutive time-outs after which the pool starts no further guest;
	// 0 means no limit.
	Patience int
	// Log receives the first lines of the guest's standard error, each preceded by the name of the
	// command; if Log is nil, these lines are discarded.
	Log io.Writer
}

// Pool starts guest processes, and reuses processes whose runs have ended; a Pool is safe for
// concurrent use.
type Pool struct {
	Options
	mu     sync.Mutex
	idle   []*process
	all    map[*process]bool
	closed bool
	late   int // number of time-outs since the last completed run
	log    log
}

// NewPool returns a pool for a command; it does not start the command yet.
func NewPool(o Options) *Pool {
	if o.Timeout <= 0 {
		o.Timeout = 30 * time.Second
	}
	p := &Pool{Options: o, all: map[*process]bool{}}
	if p.log.to = o.Log; len(o.Command) > 0 {
		p.log.prefix = filepath.Base(o.Command[0])
	}
	return p
}

// Guest returns a fixed-confidence policy that runs in a process of the pool.
func (p *Pool) Guest(delta float64) *Guest { return p.guest(&Guest{Delta: delta}) }

// Budgeted returns a fixed-budget policy that runs in a process of the pool.
func (p *Pool) Budgeted(budget int) *Guest { return p.guest(&Guest{Budget: budget}) }

func (p *Pool) guest(g *Guest) *Guest {
	g.held = &held{pool: p}
	runtime.AddCleanup(g, func(h *held) { h.release(false) }, g.held)
	return g
}

// Close ends all processes; guests that still use one then fail.
func (p *Pool) Close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.closed = true
	for x := range p.all {
		x.kill()
	}
	p.idle, p.all = nil, map[*process]bool{}
}

// take returns a process that is ready for an init message.
func (p *Pool) take() (*process, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return nil, errors.New("wire: the pool is closed; create a new one")
	}
	if p.Patience > 0 && p.late >= p.Patience {
		return nil, fmt.Errorf("wire: %s: %d times in a row, %w in %v; correct the program",
			strings.Join(p.Command, " "), p.late, errLate, p.Timeout)
	}
	if n := len(p.idle); n > 0 {
		x := p.idle[n-1]
		p.idle = p.idle[:n-1]
		return x, nil
	}
	x, err := start(&p.Options, &p.log)
	if err == nil {
		p.all[x] = true
	}
	return x, err
}

// give returns a process to the pool; if fit is true, the pool reuses the process.
func (p *Pool) give(x *process, fit bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if fit && !p.closed {
		p.idle = append(p.idle, x)
		return
	}
	delete(p.all, x)
	x.kill()
}

// After a time-out of the guest, count increases the number of consecutive time-outs; after a
// completed run, it resets the number.
func (p *Pool) count(late bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.late++; !late {
		p.late = 0
	}
}

// held contains the process of a guest, or nil.
type held struct {
	pool *Pool
	mu   sync.Mutex
	x    *process
}

func (h *held) release(fit bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.x != nil {
		h.pool.give(h.x, fit)
		h.x = nil
	}
}

// Guest is a policy that runs in another program. [Pool.Guest] and [Pool.Budgeted] create guests. A
// Guest has no card: its guarantee is only a claim of its author, which the conformance suite and
// measured error rates can test.
//
// An error of the program or of the protocol, or a time-out, ends the run and the process; the next
// Init uses another process. Later runs reuse a process, so the program must discard the state of
// earlier runs when it receives an init message.
type Guest struct {
	// Delta is the error probability, and Budget is the number of rewards; exactly one of them is
	// not 0.
	Delta  float64
	Budget int
	// Plate is the number of measurements made together; 0 means unknown.
	Plate int

	held   *held
	name   string
	prob   *explore.Problem
	next   *Message       // the program's last ask message
	answer explore.Answer // answer after a stop message
	over   bool
	broken error
}

// String returns the name that the program reported or, if it reported none, its command.
func (g *Guest) String() string {
	if g.name != "" {
		return g.name
	}
	return strings.Join(g.held.pool.Command, " ")
}

// Init implements explore.Policy.
func (g *Guest) Init(p *explore.Problem, src rand.Source) error {
	g.prob, g.over, g.broken, g.next, g.answer = p, false, nil, nil, explore.Answer{}
	sent, err := NewProblem(p)
	if err != nil {
		return err
	}
	if g.held.x == nil {
		if g.held.x, err = g.held.pool.take(); err != nil {
			return err
		}
	}
	m, err := g.exchange(&Message{Type: Init, Protocol: Version, Problem: sent, Delta: g.Delta,
		Budget: g.Budget, Seed: src.Uint64(), Plate: g.Plate})
	if err != nil {
		return err
	}
	switch m.Type {
	case Refuse:
		g.held.release(true)
		return fmt.Errorf("%s: %s: %w", g, plaintext.Shown(m.Why), explore.ErrQuestion)
	case Ready:
	default:
		return g.fail(broken("type: %q after init; expected ready or refuse", m.Type))
	}
	if m.Protocol != 0 && m.Protocol != Version {
		return g.fail(broken("protocol: version %d; expected version %d", m.Protocol, Version))
	}
	if e := m.Evidence; e != "" && e != explore.OwnRounds.String() && e != explore.AnySampling.String() {
		return g.fail(broken("evidence: %q; expected %q or %q", e, explore.OwnRounds, explore.AnySampling))
	}
	g.name = plaintext.Shown(m.Name)
	return g.receive()
}

// receive reads and handles the program's next request.
func (g *Guest) receive() error {
	m, err := g.held.x.receive()
	if err != nil {
		return g.fail(err)
	}
	return g.follow(m)
}

// follow handles an ask or stop message from the program.
func (g *Guest) follow(m *Message) error {
	switch m.Type {
	case Ask:
		k := g.prob.K()
		if len(m.Pulls) == 0 {
			return g.fail(broken("pulls: empty; expected at least one pull, or a stop message"))
		}
		for i, p := range m.Pulls {
			if p[0] < 0 || p[0] >= k {
				return g.fail(broken("pulls[%d]: arm %d; expected 0 to %d", i, p[0], k-1))
			}
			if p[1] < 1 {
				return g.fail(broken("pulls[%d]: %d rewards of arm %d; expected at least 1", i, p[1], p[0]))
			}
		}
		g.next = m
	case Stop:
		if m.Answer == nil {
			return g.fail(broken("answer: missing; expected an answer in the stop message"))
		}
		a, err := m.Answer.Explore(g.prob)
		if err != nil {
			return g.fail(err)
		}
		g.over, g.answer = true, a
		g.held.pool.count(false)
		g.held.release(true)
	case Error:
		return g.fail(fmt.Errorf("the program reports an error: %s", plaintext.Shown(m.Message)))
	default:
		return g.fail(broken("type: %q; expected ask or stop", m.Type))
	}
	return nil
}

// exchange sends a message to the program and receives the response.
func (g *Guest) exchange(m *Message) (*Message, error) {
	if g.broken != nil {
		return nil, g.broken
	}
	if err := g.held.x.send(m); err != nil {
		return nil, g.fail(err)
	}
	reply, err := g.held.x.receive()
	if err != nil {
		return nil, g.fail(err)
	}
	if reply.Type == Error {
		return nil, g.fail(fmt.Errorf("the program reports an error: %s", plaintext.Shown(reply.Message)))
	}
	return reply, nil
}

// fail ends the process and records the error of the guest.
func (g *Guest) fail(err error) error {
	g.broken = fmt.Errorf("wire: %s: %w", g, err)
	if errors.Is(err, errLate) {
		g.held.pool.count(true)
	}
	g.held.release(false)
	return g.broken
}

// Ask implements explore.Policy.
func (g *Guest) Ask(dst []explore.Pull) ([]explore.Pull, error) {
	if g.broken != nil || g.over {
		return dst, g.broken
	}
	for _, p := range g.next.Pulls {
		dst = append(dst, explore.Pull{Arm: p[0], N: p[1]})
	}
	return dst, nil
}

// Tell implements explore.Policy.
func (g *Guest) Tell(obs []explore.Batch) error {
	m := &Message{Type: Tell, Results: make([]Result, len(obs))}
	for i, b := range obs {
		m.Results[i] = Result{b.Arm, b.N, b.Sum, b.Squares}
	}
	reply, err := g.exchange(m)
	if err != nil {
		return err
	}
	return g.follow(reply)
}

// Answer implements explore.Policy. If the program has failed or fails during the call, the answer
// is empty, and the next call of Ask or Tell returns the error.
func (g *Guest) Answer() explore.Answer {
	if g.over || g.broken != nil || g.held.x == nil {
		return g.answer
	}
	m, err := g.exchange(&Message{Type: Answer})
	if err != nil {
		return explore.Answer{}
	}
	if m.Type != Answer || m.Answer == nil {
		_ = g.fail(broken("type: %q in response to answer; expected type answer, with the field answer", m.Type))
		return explore.Answer{}
	}
	a, err := m.Answer.Explore(g.prob)
	if err != nil {
		_ = g.fail(err)
	}
	return a
}
