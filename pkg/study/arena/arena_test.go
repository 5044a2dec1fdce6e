package arena_test

import (
	"bytes"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policy"
	"github.com/purexp/purexp/pkg/policytest"
	"github.com/purexp/purexp/pkg/question"
	"github.com/purexp/purexp/pkg/study"
	"github.com/purexp/purexp/pkg/study/arena"
	"github.com/purexp/purexp/pkg/study/published"
)

// Every policy of the catalogue that answers one of the questions is in the arena if costs.csv contains the duration
// of its runs.
func TestMethods(t *testing.T) {
	measured, err := os.ReadFile("costs.csv")
	if err != nil {
		t.Fatal(err)
	}
	in := map[string]bool{}
	for _, q := range arena.Questions() {
		ms := arena.Methods(q)
		if len(ms) < 6 {
			t.Errorf("%s: %d methods; want at least 6", q, len(ms))
		}
		for _, m := range ms {
			in[m.Name] = true
		}
	}
	for _, new := range policy.Catalogue() {
		card := new().Card()
		switch { // the arena omits other questions, and models with a link function
		case !bytes.Contains(measured, []byte("\n"+card.Name+",")):
		case card.Suits(question.Feasible{}), card.Suits(question.BestFeasible{}),
			card.Uses.Has(explore.UsesLinks):
		case !in[card.Name]:
			t.Errorf("%s is not in the arena", card.Name)
		}
	}
}

// The lower bound is T* log(1/(2.4 delta)), or 0 for a large delta. For two arms with a gap of 1, T* is 8.
func TestLowerBound(t *testing.T) {
	if got := arena.LowerBound(8, .05); math.Abs(got-8*math.Log(1/.12)) > 1e-9 {
		t.Errorf("%v", got)
	}
	if got := arena.LowerBound(8, .9); got != 0 {
		t.Errorf("%v; want 0", got)
	}
	for n, i := range arena.Instances() {
		if testing.Short() && n%8 > 0 && i.Name != "needle" { // short tests check only every eighth instance, and "needle"
			continue
		}
		inst, err := i.Load()
		if err != nil {
			t.Fatal(err)
		}
		h, err := arena.Hardness(inst)
		if err != nil || !(h > 10) || h > 1e5 {
			t.Errorf("%s: T* is %v, %v", i.Name, h, err)
		}
		// T* of "needle" is known: eleven rivals are 0.5 behind, and the closed form for arms without
		// features is (1 + sqrt(11))^2 * 2/gap^2.
		if want := 8 * math.Pow(1+math.Sqrt(11), 2); i.Name == "needle" && math.Abs(h/want-1) > 2e-3 {
			t.Errorf("needle: T* is %v; want %v", h, want)
		}
	}
}

// writeCells writes cells in the format of summary.csv.
func writeCells(w io.Writer, cells []arena.Cell) error {
	out := csv.NewWriter(w)
	rows := [][]string{{"method", "constants", "instance", "delta", "budget", "runs", "pulls", "wrong", "given up", "failed"}}
	for _, c := range cells {
		rows = append(rows, []string{c.Method, c.Constants, c.Instance, fmt.Sprint(c.Delta),
			fmt.Sprint(c.Budget), fmt.Sprint(c.Runs), strconv.FormatFloat(c.Pulls, 'g', 6, 64), fmt.Sprint(c.Wrong),
			fmt.Sprint(c.GivenUp), fmt.Sprint(c.Failed)})
	}
	return out.WriteAll(rows)
}

// The summary in this package agrees with the published rows. If ARENA=write is set, the test first rewrites the
// summary.
func TestSummaryOfRows(t *testing.T) {
	rows, _, err := published.Read(arena.Study())
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := writeCells(&b, arena.Summarise(rows)); err != nil {
		t.Fatal(err)
	}
	if os.Getenv("ARENA") == "write" {
		if err := os.WriteFile("summary.csv", b.Bytes(), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if kept, err := os.ReadFile("summary.csv"); err != nil || !bytes.Equal(kept, b.Bytes()) {
		t.Errorf("summary.csv is not that of the rows; ARENA=write go test -run SummaryOfRows writes it (%v)", err)
	}
}

// Compare lists a user's policy with the published policies, as ExampleCompare shows, or returns an error.
func TestCompare(t *testing.T) {
	mine := study.Method{Name: "mine", Constants: arena.Guaranteed, New: func(t study.Task) explore.Policy {
		return &policy.BettingElimination{Delta: t.Delta, Growth: 1.5}
	}}
	for says, q := range map[string]arena.Question{
		"unknown question": "worst item", "an error for every instance": arena.ParetoSet,
	} {
		if _, err := arena.Compare(context.Background(), q, 1, mine); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v; want an error that says %q", q, err, says)
		}
	}
	mine.Name, mine.Constants = "LUCB", arena.Extra
	if _, err := arena.Compare(context.Background(), arena.BestItem, 1, mine); err == nil ||
		!strings.Contains(err.Error(), "the name of a published method") {
		t.Errorf("another LUCB: %v", err)
	}
	mine.Name = ""
	if _, err := arena.Compare(context.Background(), arena.BestItem, 1, mine); err == nil {
		t.Error("a method without a name is accepted")
	}
}

// TooWrong uses an exact interval. TooWrong rejects the same numbers of wrong answers as package policytest, which
// uses a binomial tail.
func TestTooWrong(t *testing.T) {
	for _, delta := range []float64{1e-10, .003, .05, .1, .8} {
		for _, n := range []int{1, 2, 30, 200} {
			most := policytest.MostErrors(n, delta)
			for wrong := max(0, most-2); wrong <= min(n, most+2); wrong++ {
				c := arena.Cell{Runs: n + 3, GivenUp: 2, Failed: 1, Wrong: wrong}
				c.Delta = delta
				if got := c.TooWrong(); got != (wrong > most) {
					t.Errorf("%d of %d wrong at %v: %v; at most %d are right", wrong, n, delta, got, most)
				}
			}
		}
	}
}

// guess returns all arms as the Pareto set, after one pull of each arm.
type guess struct {
	delta float64
	arms  int
	done  bool
}

func (g *guess) Init(p *explore.Problem, _ rand.Source) error {
	if _, ok := p.Question.(question.Pareto); !ok {
		return explore.ErrQuestion
	}
	g.arms, g.done = p.K(), false
	return nil
}

func (g *guess) Ask(dst []explore.Pull) ([]explore.Pull, error) {
	for i := 0; i < g.arms && !g.done; i++ {
		dst = append(dst, explore.Pull{Arm: i, N: 1})
	}
	return dst, nil
}

func (g *guess) Tell([]explore.Batch) error { g.done = true; return nil }

func (g *guess) Answer() (a explore.Answer) {
	for i := range g.arms {
		a.Items = append(a.Items, i)
	}
	return a
}

// Enter writes one table for each requested question. If the method cannot answer a question, Enter returns an error.
func TestEnter(t *testing.T) {
	var deltas sync.Map // concurrent runs create policies
	own := arena.Own("a guess", func(delta float64) *guess { deltas.Store(delta, true); return &guess{delta: delta} })
	for _, c := range []struct {
		qs     []arena.Question
		tables int
		err    error
	}{
		{[]arena.Question{arena.ParetoSet}, 1, nil}, {[]arena.Question{arena.ParetoSet, arena.ParetoSet}, 2, nil},
		{[]arena.Question{arena.FeasibleFront}, 0, arena.ErrUnsuited},
		{[]arena.Question{arena.ParetoSet, arena.FeasibleFront}, 1, arena.ErrUnsuited},
		{[]arena.Question{arena.FeasibleFront, arena.ParetoSet}, 0, arena.ErrUnsuited},
	} {
		var b bytes.Buffer
		err := arena.Enter(t.Context(), &b, own, 1, c.qs...)
		if !errors.Is(err, c.err) || strings.Count(b.String(), "a guess") != c.tables || strings.Count(b.String(), "Arena: Pareto set") != c.tables {
			t.Errorf("%q: %v and %d tables; want %v and %d", c.qs, err, strings.Count(b.String(), "a guess"), c.err, c.tables)
		}
	}
	for _, delta := range arena.Deltas() {
		if _, made := deltas.Load(delta); !made {
			t.Errorf("no policy was made for %v", delta)
		}
	}
}
