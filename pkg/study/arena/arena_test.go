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
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/purexp/purexp/internal/golden"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/mc"
	"github.com/purexp/purexp/pkg/policy"
	"github.com/purexp/purexp/pkg/policytest"
	"github.com/purexp/purexp/pkg/question"
	"github.com/purexp/purexp/pkg/study"
	"github.com/purexp/purexp/pkg/study/arena"
	"github.com/purexp/purexp/pkg/study/published"
)

// Every policy of the catalogue that answers one of the questions is in the arena.
func TestMethods(t *testing.T) {
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
		switch { // other questions, and models with a link
		case card.Suits(question.Feasible{}), card.Suits(question.BestFeasible{}),
			card.Uses.Has(explore.UsesLinks):
		case !in[card.Name]:
			t.Errorf("%s is not in the arena", card.Name)
		}
	}
}

// The bound is that of the theorem, and of two arms with a gap of 1: T* = 8.
func TestLowerBound(t *testing.T) {
	if got := arena.LowerBound(8, .05); math.Abs(got-8*math.Log(1/.12)) > 1e-9 {
		t.Errorf("%v", got)
	}
	if got := arena.LowerBound(8, .9); got != 0 {
		t.Errorf("%v; want 0", got)
	}
	for _, i := range arena.Instances() {
		inst, err := i.Load()
		if err != nil {
			t.Fatal(err)
		}
		h, err := arena.Hardness(inst)
		if err != nil || !(h > 10) || h > 1e5 {
			t.Errorf("%s: T* is %v, %v", i.Name, h, err)
		}
		// Nothing depends on a run for "needle": eleven rivals .5 behind, by the closed form of
		// arms without features, (1 + sqrt(11))^2 2/gap^2.
		if want := 8 * math.Pow(1+math.Sqrt(11), 2); i.Name == "needle" &&
			math.Abs(h/want-1) > 2e-3 {
			t.Errorf("needle: T* is %v; want %v", h, want)
		}
	}
}

// made are rows of two methods on the instances of a question: one takes twice the bound, the
// other five times, is wrong too often and given up once.
func made(t *testing.T, q arena.Question) []mc.Row {
	var rows []mc.Row
	for _, i := range arena.At(q) {
		inst, err := i.Load()
		if err != nil {
			t.Fatal(err)
		}
		h, err := arena.Hardness(inst)
		if err != nil {
			t.Fatal(err)
		}
		for _, delta := range arena.Deltas() {
			for rep := range 40 {
				r := mc.Row{Instance: i.Name, Delta: delta, Rep: rep, Status: "stopped",
					Constants: arena.Guaranteed, Correct: true, Method: "two",
					Pulls: int(math.Round(2 * arena.LowerBound(h, delta)))}
				r.ArmPulls = []int{r.Pulls} // the first arm costs 1
				rows = append(rows, r)
				r.Method, r.Pulls = "five", int(math.Round(5*arena.LowerBound(h, delta)))
				r.Correct, r.ArmPulls = rep%3 > 0, []int{r.Pulls}
				switch rep {
				case 39:
					r.Status = explore.PullLimit.String()
				case 38:
					r.Status = explore.Failure.String()
				}
				rows = append(rows, r)
			}
		}
	}
	return rows
}

// Tables rank by the multiple of the bound, and say what is bad.
func TestTables(t *testing.T) {
	for _, q := range arena.Questions() {
		cells := arena.Summarise(made(t, q))
		ts, err := arena.Tables(q, cells)
		if err != nil || len(ts) != 1 || len(ts[0].Rows) != 2 {
			t.Fatalf("%s: %v, %v", q, ts, err)
		}
		first, second := fmt.Sprint(ts[0].Rows[0]...), fmt.Sprint(ts[0].Rows[1]...)
		if !strings.Contains(first, "two") || !strings.Contains(second, "five") {
			t.Errorf("%s: %s before %s", q, first, second)
		}
		if strings.Contains(first, "✗") || !strings.Contains(second, "✗") {
			t.Errorf("%s: wrong answers are not marked: %s, %s", q, first, second)
		}
		for _, v := range ts[0].Rows[0][2:6] {
			if v != "2" && v != "2.01" && v != "1.99" {
				t.Errorf("%s: multiple %v; want 2", q, v)
			}
		}
		if f, err := arena.Figure(q, cells); err != nil || f == nil {
			t.Errorf("%s: figure %v, %v", q, f, err)
		}
	}
}

// writeCells writes cells as summary.csv has them.
func writeCells(w io.Writer, cells []arena.Cell) error {
	out := csv.NewWriter(w)
	rows := [][]string{{"method", "constants", "instance", "delta", "budget", "runs", "pulls",
		"wrong", "given up", "failed"}}
	for _, c := range cells {
		rows = append(rows, []string{c.Method, c.Constants, c.Instance, fmt.Sprint(c.Delta),
			fmt.Sprint(c.Budget), fmt.Sprint(c.Runs), strconv.FormatFloat(c.Pulls, 'g', 6, 64), fmt.Sprint(c.Wrong),
			fmt.Sprint(c.GivenUp), fmt.Sprint(c.Failed)})
	}
	return out.WriteAll(rows)
}

// The summary in this package is that of the published rows. ARENA=write writes it.
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

// A summary is read as it was written.
func TestSummary(t *testing.T) {
	cells := arena.Summarise(made(t, arena.ParetoSet))
	for i := range cells {
		cells[i].Pulls = math.Round(cells[i].Pulls)
	}
	var b bytes.Buffer
	if err := writeCells(&b, cells); err != nil {
		t.Fatal(err)
	}
	got, err := arena.ReadCells(&b)
	if err != nil || !reflect.DeepEqual(got, cells) {
		t.Errorf("%v, %v; want %v", got, err, cells)
	}
	if _, err := arena.ReadCells(strings.NewReader("a,b\n")); err == nil {
		t.Error("a table of something else is accepted")
	}
	if _, err := arena.ReadCells(strings.NewReader(
		"method,constants,instance,delta,budget,runs,pulls,wrong,given up,failed\nm,c,i,x,0,1,1,1,1,1\n",
	)); err == nil || !strings.Contains(err.Error(), "line 2") {
		t.Errorf("%v; want an error about line 2", err)
	}
}

// A policy of one's own stands among the published ones.
func TestCompare(t *testing.T) {
	mine := study.Method{Name: "mine", Constants: arena.Guaranteed,
		New: func(t study.Task) explore.Policy {
			return &policy.BettingElimination{Delta: t.Delta, Growth: 1.5}
		}}
	ts, err := arena.Compare(context.Background(), arena.BestItem, 1, mine)
	if err != nil {
		t.Fatal(err)
	}
	found := false
	for _, row := range ts[0].Rows {
		found = found || row[1] == "mine" && row[12] == fmt.Sprintf("%d of %[1]d",
			len(arena.At(arena.BestItem)))
	}
	if !found {
		t.Errorf("%v", ts[0].Rows)
	}
	for says, q := range map[string]arena.Question{
		"no question": "worst item", "can begin": arena.ParetoSet,
	} {
		if _, err := arena.Compare(context.Background(), q, 1, mine); err == nil ||
			!strings.Contains(err.Error(), says) {
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

// More answers are wrong than delta allows where the suite of policies says so, by a tail of the
// binomial law; here it is an exact interval.
func TestTooWrong(t *testing.T) {
	for _, delta := range []float64{1e-10, .003, .05, .1, .8} {
		for _, n := range []int{1, 2, 30, 200} {
			most := policytest.MostErrors(n, delta)
			for wrong := max(0, most-2); wrong <= min(n, most+2); wrong++ {
				c := arena.Cell{Runs: n + 3, GivenUp: 2, Failed: 1, Wrong: wrong}
				c.Delta = delta
				if got := c.TooWrong(); got != (wrong > most) {
					t.Errorf("%d of %d wrong at %v: %v; at most %d are right", wrong, n, delta, got,
						most)
				}
			}
		}
	}
}

// various are rows of methods that tables treat in their own ways: most runs given up, on few instances, told more, with a budget.
func various(t *testing.T, q arena.Question) []mc.Row {
	rows := made(t, q)
	for at, i := range arena.At(q) {
		inst, err := i.Load()
		if err != nil {
			t.Fatal(err)
		}
		h, err := arena.Hardness(inst)
		if err != nil {
			t.Fatal(err)
		}
		add := func(method, constants string, delta float64, budget, rep, pulls int, correct bool, status explore.Status) {
			arms := make([]int, inst.Problem.K())
			arms[0] = pulls
			rows = append(rows, mc.Row{Instance: i.Name, Method: method, Constants: constants, Delta: delta, Budget: budget, Rep: rep, Pulls: pulls,
				ArmPulls: arms, Correct: correct, Status: status.String()})
		}
		for place, delta := range arena.Deltas() {
			bound := arena.LowerBound(h, delta)
			for rep := range 10 {
				status := explore.PullLimit
				if rep < 4+place/2 {
					status = explore.Stopped
				}
				add("lost", arena.Guaranteed, delta, 0, rep, int(bound), true, status)
				add("told", arena.Extra, delta, 0, rep, int(bound*(1.5+float64(at)/4)), rep != place, explore.Stopped)
				if 2*at < len(arena.At(q))-1 {
					add("few", arena.Guaranteed, delta, 0, rep, int(bound), true, explore.Stopped)
				}
				if 2*at < len(arena.At(q)) {
					add("half", arena.Guaranteed, delta, 0, rep, int(3*bound), true, explore.Stopped)
				}
			}
		}
		for k, times := range arena.Budgets() {
			n := int(math.Ceil(float64(times) * h))
			for rep := range 10 {
				add("at once", arena.Budgeted, 0, n, rep, n, rep%(k+2) > 0, explore.Stopped)
				if at%2 == 0 {
					add("at last", arena.Budgeted, 0, n, rep, n, rep > at, explore.Stopped)
				}
			}
		}
	}
	return rows
}

// Tables and figures of made-up rows are those that were read: who has a rank, what counts as 200 times the bound, whose errors are
// counted and marked, and what is wrong with each budget.
func TestTablesStay(t *testing.T) {
	var out strings.Builder
	for _, q := range []arena.Question{arena.ParetoSet, arena.FeasibleFront} {
		cells := arena.Summarise(various(t, q))
		ts, err := arena.Tables(q, cells)
		if err != nil || len(ts) != 2 {
			t.Fatalf("%s: %d tables, %v", q, len(ts), err)
		}
		for _, table := range ts {
			fmt.Fprintf(&out, "%s\n%s%s\n\n", table.Title, table.CSV(), strings.Join(table.Notes, "\n"))
		}
		f, err := arena.Figure(q, cells)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&out, "%s\n%s\n%s\n\n", f.Title, f.Alt(), strings.Join(f.Notes, "\n"))
		if none, err := arena.Tables(q, nil); none != nil || err != nil {
			t.Errorf("%s: tables without rows: %v, %v", q, none, err)
		}
		if f, err := arena.Figure(q, nil); f != nil || err != nil {
			t.Errorf("%s: a figure without rows: %v, %v", q, f, err)
		}
	}
	golden.Check(t, "tables.txt", out.String())
}

// guess answers Pareto sets with all arms, after a pull of each.
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

// A method is entered for the questions that are asked for, and one that it cannot answer is an error, also after others.
func TestEnter(t *testing.T) {
	deltas := map[float64]bool{}
	own := arena.Own("a guess", func(delta float64) *guess { deltas[delta] = true; return &guess{delta: delta} })
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
		if !deltas[delta] {
			t.Errorf("no policy was made for %v", delta)
		}
	}
}
