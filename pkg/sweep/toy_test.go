package sweep_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"sync/atomic"
	"testing"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/bandit"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/mc"
	"github.com/purexp/purexp/pkg/sweep/sweepcmd"
)

// The test binary is also the program that its sweeps run. If the environment variable asProgram is set, the binary
// acts as a user's main function. If slowly is also set, each sum of rewards takes the duration in slowly.
const (
	asProgram = "SWEEP_TEST_PROGRAM"
	slowly    = "SWEEP_TEST_SLOWLY"
)

func TestMain(m *testing.M) {
	if os.Getenv(asProgram) != "" {
		if pause, err := time.ParseDuration(os.Getenv(slowly)); err == nil {
			hook.Store(func() { time.Sleep(pause) })
		}
		sweepcmd.Main(toys)
	}
	os.Exit(m.Run())
}

// toys returns the only study of the program.
func toys(study string, reps int, seed uint64) (*mc.Grid, error) {
	if study != "toy/own" {
		return nil, fmt.Errorf("no study %q; there is toy/own", study)
	}
	if reps == 0 {
		reps = 5
	}
	g := toy(reps)
	g.Seed = seed
	return g, nil
}

// toy returns a study of 2 instances and 2 methods; a third instance has one method and a third of the replicates.
func toy(reps int) *mc.Grid {
	method := func(name string, n int) mc.Method {
		return mc.Method{Name: name, Delta: 0.1, New: func() explore.Policy { return &equal{N: n} }}
	}
	few := method("often, \"rep\":", 40)
	few.Reps = max(1, reps/3)
	return &mc.Grid{
		Study: "toy/own", Seed: 1, Reps: reps,
		Instances: []*bandit.Instance{instance("easy", 0, 1, 2), instance("<hard>", 0, 0.3)},
		Methods:   []mc.Method{method("once", 1), method("ten times", 10)},
		Cells:     []mc.Cell{{Instance: instance("tie", 1, 1), Method: few}},
	}
}

// equal pulls each arm N times in each of two rounds, and returns the arm with the best mean.
type equal struct {
	N int

	rounds int
	sums   []float64
}

func (e *equal) Init(p *explore.Problem, _ rand.Source) error {
	e.rounds, e.sums = 0, make([]float64, p.K())
	return nil
}

func (e *equal) Ask(dst []explore.Pull) ([]explore.Pull, error) {
	for i := range e.sums {
		if e.rounds < 2 {
			dst = append(dst, explore.Pull{Arm: i, N: e.N})
		}
	}
	return dst, nil
}

func (e *equal) Tell(obs []explore.Batch) error {
	e.rounds++
	for _, b := range obs {
		e.sums[b.Arm] += b.Sum[0]
	}
	return nil
}

func (e *equal) Answer() explore.Answer {
	best := 0
	for i, sum := range e.sums {
		if sum > e.sums[best] {
			best = i
		}
	}
	return explore.Answer{Items: []int{best}}
}

// best asks for the arm with the largest mean.
type best struct{}

func (best) Correct(mu *mat.Dense, a explore.Answer) bool {
	return len(a.Items) == 1 && mu.At(a.Items[0], 0) == mat.Max(mu)
}

// hook is called before each sum of rewards.
var hook atomic.Value // of func()

// law is a Gaussian law that calls the hook before each sum.
type law struct{ bandit.Law }

func (l *law) Sum(dst []float64, arm, n int, rnd *rand.Rand) {
	if f, ok := hook.Load().(func()); ok {
		f()
	}
	l.Law.Sum(dst, arm, n, rnd)
}

// hooked sets the hook for a test.
func hooked(t *testing.T, f func()) {
	hook.Store(f)
	t.Cleanup(func() { hook.Store(func() {}) })
}

func instance(name string, mu ...float64) *bandit.Instance {
	g, err := bandit.NewGaussian(mat.NewDense(len(mu), 1, mu), mat.NewSymDense(1, []float64{1}))
	if err != nil {
		panic(err)
	}
	return &bandit.Instance{
		Name:    name,
		Problem: &explore.Problem{Arms: len(mu), Sigma: 1, Question: best{}},
		Law:     &law{Law: g},
	}
}

// stream writes the rows of a grid to a file and returns its path.
func stream(t testing.TB, g *mc.Grid, shard mc.Shard) string {
	t.Helper()
	part := *g
	part.Shard = shard
	path := t.TempDir() + "/rows-" + strconv.Itoa(shard.I) + ".jsonl"
	if err := part.Stream(context.Background(), path); err != nil {
		t.Fatal(err)
	}
	return path
}

func content(t testing.TB, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func write(t testing.TB, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

// wants fails the test if an error is not of the wanted kind, or lacks a wanted text.
func wants(t *testing.T, err, kind error, says ...string) {
	t.Helper()
	if !errors.Is(err, kind) {
		t.Errorf("error %v; want one that is %q", err, kind)
		return
	}
	for _, s := range says {
		if !contains(err.Error(), s) {
			t.Errorf("error %q; want it to say %q", err, s)
		}
	}
}
