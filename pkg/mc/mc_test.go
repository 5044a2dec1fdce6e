package mc_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/purexp/purexp/pkg/bandit"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/mc"
	"github.com/purexp/purexp/pkg/seed"
)

func run(t *testing.T, g *mc.Grid) []mc.Row {
	t.Helper()
	rows, err := g.Run(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

// stream runs g to a new file and returns its path and contents.
func stream(t *testing.T, g *mc.Grid) (path, text string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "rows.jsonl")
	if err := g.Stream(context.Background(), path); err != nil {
		t.Fatal(err)
	}
	return path, contents(t, path)
}

func contents(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

// Each row equals the result of explore.Run with the two random streams of its replicate, without workers, reuse of
// memory or files.
func TestRowsAgainstRun(t *testing.T) {
	g := toy()
	rows := run(t, g)
	i := 0
	for rep := range 5 {
		cells := []mc.Cell{}
		for _, inst := range g.Instances {
			for _, m := range g.Methods {
				cells = append(cells, mc.Cell{Instance: inst, Method: m})
			}
		}
		if rep < 3 {
			cells = append(cells, g.Cells...)
		}
		for _, c := range cells {
			replicate := seed.New(1).Child(c.Instance.Name, rep)
			res, err := explore.Run(c.Method.New(), c.Instance.Problem, c.Instance.Sampler(replicate.Child("noise")),
				&explore.Settings{MaxPulls: c.Method.MaxPulls, Src: replicate.Child("policy", c.Method.Name).Source()})
			if err != nil {
				t.Fatal(err)
			}
			classes := []byte(strings.Repeat("D", c.Instance.Problem.K()))
			classes[res.Answer.Items[0]] = 'O'
			want := mc.Row{
				Study: "toy", Seed: 1, Instance: c.Instance.Name, Method: c.Method.Name,
				Constants: c.Method.Constants, Delta: c.Method.Delta, Rep: rep,
				Pulls: res.Pulls, Rounds: res.Rounds, Status: res.Status.String(),
				Correct: best{}.Correct(c.Instance.Truth(), res.Answer),
				Items:   res.Answer.Items, Classes: string(classes), ArmPulls: res.ArmPulls,
			}
			if c.Method.Name == "narrow" {
				want.Warnings = []string{"a width of 0.5 < 1 proves nothing"}
			}
			if !reflect.DeepEqual(rows[i], want) {
				t.Fatalf("row %d is\n%+v; want\n%+v", i, rows[i], want)
			}
			i++
		}
	}
	if i != len(rows) {
		t.Errorf("%d rows; want %d", len(rows), i)
	}
	if last := rows[4]; last.Status != "pull limit" || last.Pulls > 200 {
		t.Errorf("a tie ended with %v after %d pulls; want the pull limit of 200", last.Status, last.Pulls)
	}
}

func TestWorkersDoNotMatter(t *testing.T) {
	g := toy()
	g.Reps = 60
	g.Workers = 1
	_, want := stream(t, g)
	for _, workers := range []int{0, 2, 8} {
		g.Workers = workers
		if _, got := stream(t, g); got != want {
			t.Errorf("%d workers write other bytes than one worker", workers)
		}
	}
	path, _ := stream(t, g)
	rows, header, err := mc.Read(path)
	if err != nil || len(header.Warnings) > 0 {
		t.Fatal(err, header.Warnings)
	}
	if !reflect.DeepEqual(rows, run(t, g)) {
		t.Error("the rows read are not the rows run")
	}
}

// Rows are in order, even if the grid has more rows than the reorder window.
func TestWindow(t *testing.T) {
	g := toy()
	g.Reps, g.Workers = 600, 8
	g.Cells = nil
	rows := run(t, g)
	if len(rows) != 2400 {
		t.Fatalf("%d rows; want 2400", len(rows))
	}
	for i, r := range rows {
		if r.Rep != i/4 {
			t.Fatalf("row %d is of replicate %d; want %d", i, r.Rep, i/4)
		}
	}
}

// A file that is cut at any byte, as by a kill, is completed to the bytes of an uninterrupted study. The test
// tries all cuts near the ends of lines and every 19th other cut.
func TestKilledAnywhere(t *testing.T) {
	g := toy()
	g.Reps = 2
	path, whole := stream(t, g)
	for cut := range len(whole) {
		if near := whole[max(cut-2, 0):min(cut+3, len(whole))]; cut%19 != 0 && !strings.Contains(near, "\n") {
			continue
		}
		write(t, path, whole[:cut])
		if err := g.Stream(context.Background(), path); err != nil {
			t.Fatalf("cut at %d: %v", cut, err)
		}
		if contents(t, path) != whole {
			t.Fatalf("cut at %d: resumed to\n%s", cut, contents(t, path))
		}
	}
	// A power failure may leave zero bytes in the file.
	write(t, path, whole[:len(whole)/2]+strings.Repeat("\x00", 5000))
	if err := g.Stream(context.Background(), path); err != nil || contents(t, path) != whole {
		t.Errorf("zeros at the end: %v", err)
	}
}

func TestMoreReplicates(t *testing.T) {
	g := toy()
	g.Cells = nil
	path, _ := stream(t, g)
	g.Reps = 9
	if err := g.Stream(context.Background(), path); err != nil {
		t.Fatal(err)
	}
	_, whole := stream(t, g)
	if contents(t, path) != whole {
		t.Error("a file that grew differs from one written at once")
	}
	g.Reps = 4
	if err := g.Stream(context.Background(), path); err != nil || contents(t, path) != whole {
		t.Errorf("fewer replicates changed the file, or: %v", err)
	}

	// With more replicates of one cell, rows have a different order, but no row is lost or duplicated.
	g = toy()
	path, _ = stream(t, g)
	g.Reps, g.Cells[0].Method.Reps = 7, 7
	if err := g.Stream(context.Background(), path); err != nil {
		t.Fatal(err)
	}
	rows, _, err := mc.Read(path)
	if err != nil || !reflect.DeepEqual(rows, run(t, g)) {
		t.Errorf("more replicates changed the rows: %v", err)
	}
}

// The rows of a method do not depend on the other methods of the grid.
func TestOthersDoNotMatter(t *testing.T) {
	g := toy()
	all := run(t, g)
	keep := func(rows []mc.Row) []mc.Row {
		var kept []mc.Row
		for _, r := range rows {
			if r.Method == "wide" && r.Instance == "<hard>" {
				kept = append(kept, r)
			}
		}
		return kept
	}
	g.Instances, g.Methods, g.Cells = g.Instances[1:], g.Methods[1:], nil
	if !reflect.DeepEqual(keep(all), run(t, g)) {
		t.Error("rows change when methods and instances are added")
	}
}

func TestShards(t *testing.T) {
	g := toy()
	g.Reps = 11
	want := run(t, g)
	for _, n := range []int{1, 2, 3, 16} { // with 16, some shards are empty
		var paths []string
		for i := range n {
			g.Shard = mc.Shard{I: i + 1, N: n}
			path, whole := stream(t, g)
			write(t, path, whole[:len(whole)*2/3])
			if err := g.Stream(context.Background(), path); err != nil {
				t.Fatal(err)
			}
			if contents(t, path) != whole {
				t.Errorf("shard %v is resumed to other bytes", g.Shard)
			}
			paths = append(paths, path)
		}
		slices.Reverse(paths)
		rows, header, err := mc.Read(paths...)
		if err != nil || len(header.Warnings) > 0 || header.Shard != "" {
			t.Fatal(err, header.Warnings, header.Shard)
		}
		if !reflect.DeepEqual(rows, want) {
			t.Errorf("%d shards are not the whole", n)
		}
		if n == 3 {
			_, header, err := mc.Read(paths[0], paths[0], paths[2])
			if err != nil || header.Shard != "" || len(header.Warnings) < 2 ||
				!strings.Contains(header.Warnings[0].Error(), "occur twice") ||
				!strings.Contains(header.Warnings[1].Error(), "missing shards: 2/3; run them") ||
				!strings.Contains(header.Warnings[2].Error(), "lacks 3 replicates before its last replicate: 1, 4, 7") {
				t.Errorf("one shard twice, one not at all: %v, warnings %q", err, header.Warnings)
			}
			_, header, err = mc.Read(paths[0])
			if err != nil || header.Shard != "3/3" || len(header.Warnings) != 1 ||
				header.Warnings[0].Error() != "mc: missing shards: 1/3, 2/3; run them" {
				t.Errorf("one shard alone: %v, %q, warnings %q", err, header.Shard, header.Warnings)
			}
		}
	}
	path, _ := stream(t, g)
	g.Shard = mc.Shard{}
	err := g.Stream(context.Background(), path)
	if !errors.Is(err, mc.ErrGrid) || !strings.Contains(err.Error(), "shard is 16/16; expected the whole") {
		t.Errorf("a file of a shard was continued with the whole: %v", err)
	}
	// A row of another shard is not reported as a duplicate.
	g.Shard = mc.Shard{I: 2, N: 3}
	part, _ := stream(t, g)
	own := strings.SplitAfter(contents(t, part), "\n")
	g.Shard = mc.Shard{I: 1, N: 3}
	other, _ := stream(t, g)
	lines := strings.SplitAfter(contents(t, other), "\n")
	for where, text := range map[string]string{
		"rows.jsonl:2: the file of rows is invalid: replicate 0 of narrow (tuned) at delta 0.1 on " +
			"easy; expected replicate 1": own[0] + lines[1],
		"rows.jsonl:3: the file of rows is invalid: replicate 1 of narrow (tuned) at delta 0.1 on easy " +
			"appears twice": own[0] + own[1] + own[1],
	} {
		g.Shard = mc.Shard{I: 2, N: 3}
		write(t, part, text)
		if err := g.Stream(context.Background(), part); !errors.Is(err, mc.ErrRows) || !strings.Contains(err.Error(), where) {
			t.Errorf("%v; want %s", err, where)
		}
	}
}

// Changed, moved, duplicate and missing lines are detected, and the file is not changed.
func TestEdited(t *testing.T) {
	g := toy()
	path, whole := stream(t, g)
	lines := strings.SplitAfter(whole, "\n")
	lines = lines[:len(lines)-1]
	other := toy()
	other.Seed = 2
	_, foreign := stream(t, other)
	foreignRow := strings.SplitAfter(foreign, "\n")[3]
	for _, test := range []struct {
		name, want string
		read       bool // whether Read also rejects the lines
		lines      []string
	}{
		{"changed", "rows.jsonl:4: the file of rows is invalid", true,
			slices.Concat(lines[:3],
				[]string{strings.Replace(lines[3], `"pulls":`, `"pulls":1`, 1)}, lines[4:])},
		{"header changed", "rows.jsonl:1: ", true,
			slices.Concat([]string{strings.Replace(lines[0], `"seed":1`, `"seed":2`, 1)}, lines[1:])},
		{"no header", "rows.jsonl:1: ", true, lines[1:]},
		{"foreign row", "rows.jsonl:6: the file of rows is invalid: the seed of the row is 2", true,
			slices.Concat(lines[:5], []string{foreignRow}, lines[5:])},
		{"doubled", "rows.jsonl:5: the file of rows is invalid: replicate 0 of wide at delta 0.01 on " +
			"easy appears twice", false,
			slices.Concat(lines[:4], lines[2:])},
		{"removed", "rows.jsonl:6: the file of rows is invalid: replicate 1 of narrow (tuned) at delta " +
			"0.1 on easy; expected replicate 0", false,
			slices.Concat(lines[:1], lines[2:])},
		{"empty line", "rows.jsonl:3: ", true, slices.Concat(lines[:2], []string{"\n"}, lines[2:])},
		{"remark at the end", "rows.jsonl:25: this is not the beginning of a record: the file of rows is " +
			"invalid; restore", false,
			slices.Concat(lines, []string{"TODO"})},
		{"a letter", "rows.jsonl:1: the file of rows is invalid", true, []string{"Dear all,\n", "sincerely"}},
		{"one line", "the file of rows is invalid; write to another path", true, []string{"precious"}},
	} {
		text := strings.Join(test.lines, "")
		write(t, path, text)
		err := g.Stream(context.Background(), path)
		if !errors.Is(err, mc.ErrRows) || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: error %v; want %s", test.name, err, test.want)
		}
		if contents(t, path) != text {
			t.Errorf("%s: the file was changed", test.name)
		}
		if _, _, err := mc.Read(path); test.read != errors.Is(err, mc.ErrRows) {
			t.Errorf("%s: Read: %v", test.name, err)
		}
		if left, _ := filepath.Glob(path + ".*"); len(left) > 0 {
			t.Errorf("%s: files left behind: %v", test.name, left)
		}
	}
}

func TestCancel(t *testing.T) {
	_, whole := stream(t, toy())
	for _, workers := range []int{1, 4} {
		for n := 1; n < 40; n += 5 {
			ctx, cancel := context.WithCancel(context.Background())
			g := toy()
			g.Workers = 1
			rounds := n
			g.Instances[0].Law.(*law).hook = func() {
				if rounds--; rounds == 0 {
					cancel()
				}
			}
			path := filepath.Join(t.TempDir(), "rows.jsonl")
			err := g.Stream(ctx, path)
			if err == nil {
				cancel()
				continue // all rows were simulated before
			}
			if !errors.Is(err, context.Canceled) || !strings.Contains(err.Error(),
				"of 23 replicates, which are saved; run the same study again") {
				t.Fatalf("error %v", err)
			}
			if text := contents(t, path); !strings.HasPrefix(whole, text) {
				t.Fatalf("cancelled in round %d, the file is not the beginning of the whole:\n%s", n, text)
			}
			g = toy()
			g.Workers = workers
			if err := g.Stream(context.Background(), path); err != nil || contents(t, path) != whole {
				t.Fatalf("resumed after round %d: %v", n, err)
			}
			cancel()
		}
	}
}

// An endless run among other runs ends when the context is cancelled.
func TestCancelEndless(t *testing.T) {
	g := toy()
	g.Cells = []mc.Cell{{
		Instance: instance("endless", 1, 1),
		Method:   mc.Method{Name: "never", New: func() explore.Policy { return &race{Batch: 1, Width: 1e12} }},
	}}
	g.Workers = 2
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	rows, err := g.Run(ctx)
	if !errors.Is(err, context.DeadlineExceeded) || !strings.Contains(err.Error(), "4 of 25 replicates") {
		t.Errorf("error %v", err)
	}
	if len(rows) != 4 { // the rows before the endless run
		t.Errorf("%d rows; want 4", len(rows))
	}
}

// bomb is a policy that panics or fails in its n-th Ask.
type bomb struct {
	race
	fuse int
	boom func() error
}

func (b *bomb) Init(p *explore.Problem, src rand.Source) error {
	if b.fuse == 0 {
		return b.boom()
	}
	return b.race.Init(p, src)
}

func (b *bomb) Ask(dst []explore.Pull) ([]explore.Pull, error) {
	if b.fuse--; b.fuse == 0 {
		return dst, b.boom()
	}
	return b.race.Ask(dst)
}

var errBoom = errors.New("boom")

func TestPanic(t *testing.T) {
	_, whole := stream(t, toy())
	before := 0 // number of sums drawn in the first two replicates on "easy"
	two := toy()
	two.Reps, two.Workers = 2, 1
	two.Instances[0].Law.(*law).hook = func() { before++ }
	run(t, two)
	for _, value := range []any{"boom", errBoom} {
		g := toy()
		calls := 0
		g.Workers = 1
		g.Instances[0].Law.(*law).hook = func() {
			if calls++; calls == before+1 {
				panic(value)
			}
		}
		path := filepath.Join(t.TempDir(), "rows.jsonl")
		err := g.Stream(context.Background(), path)
		if err == nil || errors.Is(err, errBoom) != (value == any(errBoom)) || !strings.Contains(err.Error(),
			"narrow (tuned) at delta 0.1 on easy, replicate 2: panic: boom") ||
			!strings.Contains(err.Error(), "TestPanic") {
			t.Fatalf("error %v", err)
		}
		// The file has a header and five rows of each of the first two replicates.
		if text := contents(t, path); !strings.HasPrefix(whole, text) || strings.Count(text, "\n") != 11 {
			t.Fatalf("the file is\n%s", text)
		}
		if err := toy().Stream(context.Background(), path); err != nil || contents(t, path) != whole {
			t.Fatalf("resumed: %v", err)
		}
	}
}

// If a policy returns an error, the row counts as wrong, even if the best guess is right.
func TestPolicyError(t *testing.T) {
	for _, test := range []struct {
		fuse, rounds int
		err          string
	}{
		{0, 0, "explore: race{1, 9}: boom"},
		{3, 2, "explore: race{1, 9}, round 3: boom"},
	} {
		g := &mc.Grid{
			Study: "errors", Reps: 1,
			Instances: []*bandit.Instance{instance("easy", 0, 1)},
			Methods:   []mc.Method{{Name: "narrow", New: func() explore.Policy { return &race{Batch: 3, Width: 0.5} }}},
		}
		for i := range 12 {
			g.Methods = append(g.Methods, mc.Method{Name: fmt.Sprint("bomb ", i), New: func() explore.Policy {
				return &bomb{race{Batch: 1, Width: 9}, test.fuse, func() error { return errBoom }}
			}})
		}
		path, _ := stream(t, g)
		rows, _, err := mc.Read(path)
		if err != nil || len(rows) != 13 {
			t.Fatal(len(rows), err)
		}
		for _, r := range rows[1:] {
			if r.Status != "failure" || r.Err != test.err || r.Correct || r.Rounds != test.rounds || len(r.ArmPulls) != 2 {
				t.Errorf("row %+v", r)
			}
		}
		if r := rows[0]; r.Status != "stopped" || r.Err != "" {
			t.Errorf("the other method's row: %+v", r)
		}
	}
}

func TestLocked(t *testing.T) {
	path := filepath.Join(t.TempDir(), "rows.jsonl")
	link := filepath.Join(t.TempDir(), "link.jsonl")
	write(t, path, "")
	if err := os.Symlink(path, link); err != nil {
		link = path
	}
	g := toy()
	var inner error
	g.Progress = func(done, total int, _ time.Duration) {
		if done == 3 {
			inner = toy().Stream(context.Background(), link)
		}
	}
	if err := g.Stream(context.Background(), path); err != nil {
		t.Fatal(err)
	}
	if !errors.Is(inner, mc.ErrLocked) || !strings.Contains(inner.Error(), fmt.Sprintf("process %d on ", os.Getpid())) {
		t.Errorf("a second writer: %v", inner)
	}
	if _, err := os.Stat(path + ".lock"); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the lock file is left behind: %v", err)
	}
	// A lock file of a killed owner is ignored.
	write(t, path+".lock", "1 on elsewhere\n")
	if err := toy().Stream(context.Background(), path); err != nil {
		t.Error(err)
	}
}

// A limit of a method replaces the limit of the grid, even if the limit of the method is larger.
func TestLimitsOfMethods(t *testing.T) {
	undecided := func() explore.Policy { return &race{Batch: 1, Width: 100} }
	rows := run(t, &mc.Grid{Study: "limits", Seed: 1, Reps: 1, MaxRounds: 5, Instances: []*bandit.Instance{instance("tie", 1, 1)},
		Methods: []mc.Method{{Name: "none", New: undecided}, {Name: "fewer", MaxRounds: 2, New: undecided}, {Name: "more", MaxRounds: 9, New: undecided}}})
	for i, want := range []int{5, 2, 9} {
		if r := rows[i]; r.Rounds != want {
			t.Errorf("%s: %d rounds, %s; want %d", r.Method, r.Rounds, r.Status, want)
		}
	}
}
