package wire_test

import (
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

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

// Each run of a guest has random numbers of its own, the same for the same seed.
func TestGuestsHaveSeeds(t *testing.T) {
	inst := instance(t, question.Best{}, []float64{1}, []float64{0}, []float64{.5})
	pool := guest(t, "serve", "lucky")
	answers := func() (list [20]int) {
		for i := range list {
			r, err := explore.Run(pool.Guest(.1), inst.Problem, inst.Sampler(seed.New(1)), &explore.Settings{Src: seed.New(uint64(i)).Source()})
			if err != nil || len(r.Answer.Items) != 1 {
				t.Fatal(r, err)
			}
			list[i] = r.Answer.Items[0]
		}
		return list
	}
	one, two := answers(), answers()
	if one != two || !slices.Contains(one[:], 0) || !slices.Contains(one[:], 2) {
		t.Errorf("%v and %v", one, two)
	}
}

// A guest is told the squares that were kept, which say how rewards scatter; the sums are the same here.
func TestSquaresGoAlong(t *testing.T) {
	inst := instance(t, question.Best{}, []float64{1}, []float64{1}, []float64{1})
	g := guest(t, "serve", "spread").Guest(.1)
	if err := g.Init(inst.Problem, seed.New(1).Source()); err != nil {
		t.Fatal(err)
	}
	pulls, err := g.Ask(nil)
	if err != nil || len(pulls) != 3 {
		t.Fatalf("%v, %v", pulls, err)
	}
	if a := g.Answer(); !slices.Equal(a.Items, []int{0}) { // what it says before it was told anything
		t.Errorf("%+v on the way; want arm 0", a)
	}
	var obs []explore.Batch
	for _, p := range pulls {
		obs = append(obs, explore.Batch{Pull: p, Sum: []float64{3}, Squares: []float64{3 + float64(p.Arm)}})
	}
	if err := g.Tell(obs); err != nil {
		t.Fatal(err)
	}
	if a := g.Answer(); len(a.Items) != 1 || a.Items[0] != 2 {
		t.Errorf("%+v; arm 2 has the largest squares", a)
	}
}

// Patience is for time-outs in a row: a run that ends well begins another row.
func TestPatienceIsForARow(t *testing.T) {
	inst := instance(t, question.Best{}, []float64{1}, []float64{0})
	t.Setenv("PUREXP_POLICY", "LUCB")
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	pool := wire.NewPool(wire.Options{Command: []string{exe}, Patience: 2})
	defer pool.Close()
	for k, c := range []struct{ role, want string }{{"hang", "did not answer in"}, {"serve", ""},
		{"hang", "did not answer in"}, {"serve", ""}, {"hang", "did not answer in"}, {"hang", "did not answer in"},
		{"serve", "not started"}} {
		t.Setenv("PUREXP_GUEST", c.role)
		if pool.Timeout = time.Minute; c.role == "hang" {
			pool.Timeout = 50 * time.Millisecond
		}
		_, err := explore.Run(pool.Guest(.1), inst.Problem, inst.Sampler(seed.New(1)), nil)
		if c.want == "" && err == nil { // its process is at rest; the next run is to have another one
			busy := pool.Guest(.1)
			if err := busy.Init(inst.Problem, seed.New(1).Source()); err != nil {
				t.Fatal(err)
			}
			defer runtime.KeepAlive(busy)
			continue
		}
		if err == nil || c.want == "" || !strings.Contains(err.Error(), c.want) {
			t.Fatalf("run %d, %s: %v; want %q", k+1, c.role, err, c.want)
		}
	}
}

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

// What guests write to their standard error goes to the log, after the name of the program.
func TestLogOfGuests(t *testing.T) {
	inst := instance(t, question.Best{}, []float64{1}, []float64{0})
	t.Setenv("PUREXP_GUEST", "crash")
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	pool := wire.NewPool(wire.Options{Command: []string{exe}, Log: &out, Timeout: -1})
	defer pool.Close()
	if err := pool.Guest(.1).Init(inst.Problem, constant(9)); err == nil || !strings.Contains(err.Error(), "it ended: exit status 3: line 3: division by zero") {
		t.Error(err)
	}
	if want := filepath.Base(exe) + ": line 3: division by zero\n"; out.String() != want || pool.Timeout != 30*time.Second {
		t.Errorf("%q; want %q, timeout %v", &out, want, pool.Timeout)
	}
}

// A run that breaks has no answer: not that of the run before.
func TestBrokenRunHasNoAnswer(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("skipped: there is no sh")
	}
	inst := instance(t, question.Best{}, []float64{1}, []float64{0})
	pool := wire.NewPool(wire.Options{Command: []string{"sh", "-c", `read init
echo '{"type":"ready"}'; echo '{"type":"stop","answer":{"chosen":[0]}}'
read init; echo '{"type":"ready"}'; exit 1`}})
	defer pool.Close()
	g := pool.Guest(.1)
	if err := g.Init(inst.Problem, seed.New(1).Source()); err != nil || !slices.Equal(g.Answer().Items, []int{0}) {
		t.Fatalf("%+v, %v", g.Answer(), err)
	}
	if err := g.Init(inst.Problem, seed.New(2).Source()); err == nil {
		t.Error("a program that ended is no error")
	}
	if a := g.Answer(); a.Items != nil {
		t.Errorf("a broken run answers %v", a.Items)
	}
}
