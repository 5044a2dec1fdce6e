package wire_test

import (
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/question"
	"github.com/purexp/purexp/pkg/seed"
	"github.com/purexp/purexp/pkg/wire"
)

// spread asks for three rewards of each arm, and answers with the arm whose squares are largest.
type spread struct{ k, best int }

func (s *spread) Init(p *explore.Problem, _ rand.Source) error {
	*s = spread{k: p.K()}
	return nil
}

func (s *spread) Ask(dst []explore.Pull) ([]explore.Pull, error) {
	for i := range s.k {
		dst = append(dst, explore.Pull{Arm: i, N: 3})
	}
	s.k = 0 // once
	return dst, nil
}

func (s *spread) Tell(obs []explore.Batch) error {
	for i := range obs {
		if obs[i].Square(0) > obs[s.best].Square(0) {
			s.best = i
		}
	}
	return nil
}

func (s *spread) Answer() explore.Answer { return explore.Answer{Items: []int{s.best}} }

// lucky asks for nothing, and answers what the dice say.
type lucky struct{ arm int }

func (l *lucky) Init(p *explore.Problem, src rand.Source) error {
	l.arm = rand.New(src).IntN(p.K())
	return nil
}

func (*lucky) Ask(dst []explore.Pull) ([]explore.Pull, error) { return dst, nil }

func (*lucky) Tell([]explore.Batch) error { return nil }

func (l *lucky) Answer() explore.Answer { return explore.Answer{Items: []int{l.arm}} }

// What a guest is told of a run is all that there is to know: the problem, an error probability or a budget, a seed, the plates.
// A process that refuses is ready for the next run; one that crashed is followed by another; those of a pool that was closed are
// gone. Until a program has said its name, it is called by its command.
func TestGuestsAreToldAll(t *testing.T) {
	inst := instance(t, question.Best{}, []float64{1}, []float64{0})
	pool := guest(t, "hear", "")
	heard := map[string]string{"pid": ""}
	for _, c := range []struct {
		g    *wire.Guest
		want string
	}{{pool.Guest(.1), `"delta":0.1,"seed":"9"}`}, {pool.Budgeted(60), `"budget":60,"seed":"9"}`}} {
		for plate, more := range map[int]string{0: "", 4: `,"plate":4`} {
			c.g.Plate = plate
			err := c.g.Init(inst.Problem, constant(9))
			want := `hears {"type":"init","protocol":1,"problem":{"arms":2,"objectives":1,"sigma":0.5,"question":{"find":"best"}},` +
				strings.Replace(c.want, "}", more+"}", 1) + ": " + explore.ErrQuestion.Error()
			if !errors.Is(err, explore.ErrQuestion) || !strings.HasSuffix(err.Error(), want) {
				t.Fatalf("%v; want %s", err, want)
			}
			pid := strings.Fields(strings.TrimPrefix(err.Error(), c.g.String()+": "))[0]
			if heard["pid"] == "" {
				heard["pid"] = pid
			}
			if pid != heard["pid"] {
				t.Errorf("process %s, and then %s", heard["pid"], pid)
			}
		}
	}
	g := guest(t, "crash", "LUCB").Guest(.1)
	if err := g.Init(inst.Problem, constant(9)); err == nil {
		t.Fatal("a crash is no error")
	}
	t.Setenv("PUREXP_GUEST", "serve")
	if r, err := explore.Run(g, inst.Problem, inst.Sampler(seed.New(1)), nil); err != nil || !slices.Equal(r.Answer.Items, []int{0}) {
		t.Errorf("after a crash: %+v, %v", r, err)
	}
	pool = guest(t, "serve", "LUCB")
	if g = pool.Guest(.1); g.Init(inst.Problem, constant(9)) != nil {
		t.Fatal("a run that does not begin")
	}
	pool.Close()
	if err := g.Tell([]explore.Batch{{Pull: explore.Pull{Arm: 0, N: 1}, Sum: []float64{1}}, {Pull: explore.Pull{Arm: 1, N: 1}, Sum: []float64{1}}}); err == nil {
		t.Error("a process lives on in a pool that was closed")
	}
	if got := wire.NewPool(wire.Options{Command: []string{"python3", "mine.py"}}).Guest(.1).String(); got != "python3 mine.py" {
		t.Error(got)
	}
}

// constant is a source that repeats itself.
type constant uint64

func (c constant) Uint64() uint64 { return uint64(c) }
