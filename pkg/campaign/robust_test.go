package campaign

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/purexp/purexp/pkg/campaign/internal/events"
	"github.com/purexp/purexp/pkg/campaign/problem"
)

// toldIDs returns the ids of the results in a file.
func toldIDs(t *testing.T, path string) map[string]int {
	t.Helper()
	c, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	var out bytes.Buffer
	must(t, c.ExportCSV(&out))
	ids := map[string]int{}
	for line := range strings.Lines(out.String()) {
		ids[strings.Split(line, ",")[5]]++
	}
	delete(ids, "id")
	return ids
}

// Two or four processes report results while this process reads the campaign. Each result is recorded once.
func TestProcesses(t *testing.T) {
	for _, n := range []int{2, 4} {
		c := begin(t)
		const each = 25
		var cmds []*exec.Cmd
		for i := range n {
			cmd := worker("tell", c.Path(), fmt.Sprint("robot-", i), each)
			must(t, cmd.Start())
			cmds = append(cmds, cmd)
		}
		for range 10 {
			status(t, c)
			tell(t, c, Result{ID: fmt.Sprint("me-", rand.Int64()), Arm: "B02", Values: []float64{60, 1}})
		}
		for _, cmd := range cmds {
			if err := cmd.Wait(); err != nil {
				t.Error(err)
			}
		}
		if s := status(t, c); s.Used+s.Unused != n*each+10 {
			t.Errorf("%d results; want %d", s.Used+s.Unused, n*each+10)
		}
		if got := len(toldIDs(t, c.Path())); got != n*each+10 {
			t.Errorf("%d results are on record; want %d", got, n*each+10)
		}
		verified(t, c)
	}
}

// edit changes a file with SQL statements, as a person with an SQLite program would.
func edit(t *testing.T, path string, statements ...string) {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	db.SetMaxOpenConns(1)
	for _, q := range statements {
		if _, err := db.Exec(q); err != nil {
			t.Fatalf("%s: %v", q, err)
		}
	}
}

// Verify checks which event undid another event, not only the number of undone events.
func TestEditsOfUndone(t *testing.T) {
	c := begin(t)
	rnd := rand.New(rand.NewPCG(1, 1))
	for range 2 {
		for _, ticket := range ask(t, c, 1) {
			tell(t, c, measure(rnd, ticket))
		}
	}
	must(t, c.Undo(5, "a slip", "Ada"))
	path := c.Path()
	must(t, c.Close())
	edit(t, path, "DELETE FROM undone", "INSERT INTO undone VALUES (3, 6)")
	v, err := Verify(context.Background(), path)
	if err != nil || !strings.Contains(strings.Join(v.Wrong, "\n"), "the table undone") {
		t.Errorf("%+v, %v; want an error about the table undone", v, err)
	}
}

// Edits that bypass the triggers are detected: Open detects changed events, and Verify detects all edits. The
// events before the edit can be saved and restored in a new campaign.
func TestEdits(t *testing.T) {
	for _, x := range []struct {
		what, says string
		edit       []string
		intact     int
	}{
		{"a value", "event 3", []string{"DROP TRIGGER event_update",
			`UPDATE event SET body = replace(body, '"values":[', '"values":[1') WHERE seq = 3`}, 2},
		{"who", "event 2", []string{"DROP TRIGGER event_update",
			"UPDATE event SET who = 'Eve' WHERE seq = 2"}, 1},
		{"an event removed", "event 5 follows event 3", []string{"DROP TRIGGER event_delete",
			"DELETE FROM event WHERE seq = 4"}, 3},
		{"the triggers", "missing or changed: CREATE TRIGGER event_update",
			[]string{"DROP TRIGGER event_update"}, 5},
		{"what was undone", "the table undone", []string{"INSERT INTO undone VALUES (3, 4)"}, 5},
		{"the state", "the table state", []string{
			"UPDATE state SET body = replace(body, 'running', 'finished')"}, 5},
		{"a view", "missing or changed: CREATE VIEW answer", []string{"DROP VIEW answer"}, 5},
	} {
		c := begin(t)
		rnd := rand.New(rand.NewPCG(1, 1))
		for range 2 {
			for _, ticket := range ask(t, c, 1) {
				tell(t, c, measure(rnd, ticket))
			}
		}
		path := c.Path()
		must(t, c.Close())
		edit(t, path, x.edit...)
		v, err := Verify(context.Background(), path)
		if err != nil || v.OK() || !strings.Contains(strings.Join(v.Wrong, "\n"), x.says) {
			t.Errorf("%s: %+v, %v; want %q", x.what, v, err, x.says)
		}
		if v.Events != x.intact || (v.Hash != "") != (x.intact == 5) {
			t.Errorf("%s: %d events with hash %q; want %d", x.what, v.Events, v.Hash, x.intact)
		}
		if x.intact == 5 {
			continue
		}
		if _, err := Open(path); !errors.Is(err, ErrDamaged) || !strings.Contains(err.Error(),
			fmt.Sprintf("events 1 to %d are intact", x.intact)) {
			t.Errorf("%s: opened: %v", x.what, err)
		}
		var rescued bytes.Buffer
		n, damage, err := ExportIntact(path, &rescued)
		if n != x.intact || damage == nil || err != nil {
			t.Errorf("%s: %d events rescued, damage %v, %v", x.what, n, damage, err)
		}
		again, err := Import(filepath.Join(t.TempDir(), "again"), &rescued)
		if err != nil {
			t.Fatalf("%s: import: %v", x.what, err)
		}
		if s := status(t, again); s.Event != x.intact {
			t.Errorf("%s: %d events imported", x.what, s.Event)
		}
		verified(t, again)
		again.Close()
	}
}

// Open and Verify detect an event that cannot follow the earlier events, and report its number, even if its hash is
// correct.
func TestImpossibleEvents(t *testing.T) {
	p := coupling(t)
	p.Begin(nil)
	for want, last := range map[string]any{"event 3: unknown candidate \"Z\"": tellBody{Rows: []rowBody{{ID: "1", Arm: "Z", Values: []float64{1, 2}}}},
		"ticket 3":       tellBody{Rows: []rowBody{{Ticket: 3, Arm: "A07", Values: []float64{1, 2}}}},
		"event 3 (tell)": map[string]any{"rows": []rowBody{}, "colour": "red"}} {
		path := filepath.Join(t.TempDir(), "x.campaign")
		store, err := events.Create(path, measured(p), func(tx *events.Tx) error {
			for i, body := range []any{problemBody{ID: "x", Program: program(), Problem: p.Encode()}, askBody{Plate: 1, First: 1, Room: 2, Arms: []string{"A07", "B02"}}, last} {
				if _, err := tx.Append("Ada", []string{KindProblem, KindAsk, KindTell}[i], body); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		must(t, store.Close())
		v, err := Verify(context.Background(), path)
		if all := strings.Join(v.Wrong, "\n"); err != nil || v.OK() || v.Events != 3 || !strings.HasPrefix(all, "event 3: ") || !strings.Contains(all, want) {
			t.Errorf("%+v, %v; want %s", v, err, want)
		}
		if _, err := Open(path); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("opened: %v; want %s", err, want)
		}
	}
}

// With n candidates, the stored state may lag behind by at most n/10 events. If the context of Verify is
// cancelled, Verify returns the reason.
func TestStateBehind(t *testing.T) {
	for k, most := range map[int]int{3: 0, 10: 1, 29: 2} {
		c := beginWith(t, many(t, k, problem.FindPareto, "e-cAPE"))
		for behind := range most + 2 {
			v, err := Verify(context.Background(), c.Path())
			if err != nil || v.OK() != (behind <= most) || !v.OK() && fmt.Sprint(v.Wrong) != "[the table state is missing, or was edited]" {
				t.Errorf("%d candidates, %d events behind: %+v, %v", k, behind, v, err)
			}
			if err := c.store.Write(func(tx *events.Tx) error {
				_, err := tx.Append("Ada", KindSign, signBody{Name: "Grace"})
				return err
			}); err != nil {
				t.Fatal(err)
			}
		}
		gone, cancel := context.WithCancel(context.Background())
		cancel()
		if _, err := Verify(gone, c.Path()); !errors.Is(err, context.Canceled) {
			t.Errorf("given up: %v", err)
		}
	}
}

// If another build stored a different headline for the state, Verify adds a note and reports no error. If this build
// stored a different headline, Verify reports an error.
func TestStateOfAnotherBuild(t *testing.T) {
	c := begin(t)
	tell(t, c, Result{ID: "1", Arm: "A07", Values: []float64{80, 2}})
	is := saved{status(t, c), program(), wording}
	same := fmt.Sprintf("the headline %q; this program writes %[1]q]", is.Headline)
	for _, x := range []struct {
		change       func(s *saved)
		notes, wrong string
	}{
		{func(*saved) {}, "[]", "[]"},
		{func(s *saved) { s.Program = "purexp 0.0.1" }, "[purexp 0.0.1 stored " + same, "[]"},
		{func(s *saved) { s.Wording-- }, "[" + program() + " stored " + same, "[]"},
		{func(s *saved) { s.Program, s.Headline = "purexp 0.0.1", "It runs." },
			`[purexp 0.0.1 stored the headline "It runs."; this program writes "` + is.Headline + `"]`, "[]"},
		{func(s *saved) { s.Headline = "It runs." }, "[]", "[the table state does not match the events]"},
	} {
		was := is
		x.change(&was)
		must(t, c.store.Write(func(tx *events.Tx) error { return tx.SetState(was) }))
		v, err := Verify(context.Background(), c.Path())
		if err != nil || fmt.Sprint(v.Notes) != x.notes || fmt.Sprint(v.Wrong) != x.wrong {
			t.Errorf("%v, %v, %v; want\n%s, %s", v.Notes, v.Wrong, err, x.notes, x.wrong)
		}
	}
}

// Opening a file with changed bytes or a missing end gives an error or all events, never different events.
func TestDamage(t *testing.T) {
	c := begin(t)
	finish(t, c, 8, 1)
	path := c.Path()
	want, err := c.Events(0)
	if err != nil {
		t.Fatal(err)
	}
	must(t, c.Close())
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	rnd := rand.New(rand.NewPCG(3, 4))
	refused := 0
	for i := range 60 {
		broken := slices.Clone(whole)
		if i%3 == 0 {
			broken = broken[:rnd.IntN(len(broken))]
		} else {
			at := rnd.IntN(len(broken) - 64)
			for j := range 1 + rnd.IntN(64) {
				broken[at+j] ^= byte(1 + rnd.IntN(255))
			}
		}
		name := filepath.Join(t.TempDir(), "broken")
		must(t, os.WriteFile(name, broken, 0o666))
		c, err := Open(name)
		if err != nil {
			refused++
			continue
		}
		got, err := c.Events(0)
		if err == nil && !slices.Equal(got, want) {
			t.Errorf("copy %d: other events", i)
		}
		c.Close()
	}
	if refused < 20 {
		t.Errorf("%d of 60 damaged copies were refused", refused)
	}
}

// Text that a spreadsheet would execute is plain text in the table of results, as in worksheets.
func TestExportGuards(t *testing.T) {
	c := begin(t)
	tickets := ask(t, c, 1)
	if _, err := c.Tell([]Result{{Ticket: tickets[0].Ticket, Values: []float64{1.23456789012, 1}, Note: "=1+1"}}, "+cmd"); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	must(t, c.ExportCSV(&out))
	for _, want := range []string{",'=1+1,c", ",'+cmd,", ",1.23456789012,1,"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in\n%s", want, &out)
		}
	}
}
