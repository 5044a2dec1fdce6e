package mc_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/pkg/bandit"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/internal/jsonl"
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

// Each row is what explore.Run gives with the two streams of its replicate: an
// oracle without workers, reuse or files.
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
			res, err := explore.Run(c.Method.New(), c.Instance.Problem,
				c.Instance.Sampler(replicate.Child("noise")),
				&explore.Settings{MaxPulls: c.Method.MaxPulls,
					Src: replicate.Child("policy", c.Method.Name).Source()})
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
		t.Errorf("a tie ended with %v after %d pulls; want the pull limit of 200", last.Status,
			last.Pulls)
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
			t.Errorf("%d workers write other bytes than 1", workers)
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

// More rows than the reorder window holds, with the slowest first.
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

// A file cut at any byte, as by a kill, is completed to the same bytes. Tried
// are all cuts near the ends of lines and every 19th of the others.
func TestKilledAnywhere(t *testing.T) {
	g := toy()
	g.Reps = 2
	path, whole := stream(t, g)
	for cut := range len(whole) {
		if near := whole[max(cut-2, 0):min(cut+3, len(whole))]; cut%19 != 0 &&
			!strings.Contains(near, "\n") {
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
	// A power cut may leave zeros.
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

	// With replicates of its own for one cell, rows stand in another order, but
	// none is lost or there twice.
	g = toy()
	path, _ = stream(t, g)
	g.Reps, g.Cells[0].Method.Reps = 7, 7
	if err := g.Stream(context.Background(), path); err != nil {
		t.Fatal(err)
	}
	rows, _, err := mc.Read(path)
	if err != nil || !reflect.DeepEqual(rows, run(t, g)) {
		t.Errorf("after more replicates of all cells the rows are others: %v", err)
	}
}

// What a method's rows are does not depend on the company.
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
	for _, n := range []int{1, 2, 3, 16} { // 16: some have nothing to do
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
			if err != nil || len(header.Warnings) < 2 ||
				!strings.Contains(header.Warnings[0].Error(), "there twice") ||
				!strings.Contains(header.Warnings[1].Error(), "missing shards: 2/3") ||
				!strings.Contains(header.Warnings[2].Error(),
					"lacks 3 replicates below its last: 1, 4, 7") {
				t.Errorf("one shard twice, one not at all: %v, warnings %q", err, header.Warnings)
			}
			_, header, err = mc.Read(paths[0])
			if err != nil || header.Shard != "3/3" || len(header.Warnings) != 1 ||
				header.Warnings[0].Error() != "mc: missing shards: 1/3, 2/3" {
				t.Errorf("one shard alone: %v, %q, warnings %q", err, header.Shard, header.Warnings)
			}
		}
	}
	path, _ := stream(t, g)
	g.Shard = mc.Shard{}
	err := g.Stream(context.Background(), path)
	if !errors.Is(err, mc.ErrGrid) ||
		!strings.Contains(err.Error(), "shard is 16/16, here it is the whole") {
		t.Errorf("a file of a shard was continued with the whole: %v", err)
	}
	// A row of another part is not one that is there twice.
	g.Shard = mc.Shard{I: 2, N: 3}
	part, _ := stream(t, g)
	own := strings.SplitAfter(contents(t, part), "\n")
	g.Shard = mc.Shard{I: 1, N: 3}
	other, _ := stream(t, g)
	lines := strings.SplitAfter(contents(t, other), "\n")
	for where, text := range map[string]string{
		"rows.jsonl:2: this is not what was written here: replicate 0 of narrow (tuned) at delta 0.1 on easy, where replicate 1 should": own[0] + lines[1],
		"rows.jsonl:3: this is not what was written here: replicate 1 of narrow (tuned) at delta 0.1 on easy is there twice":            own[0] + own[1] + own[1],
	} {
		g.Shard = mc.Shard{I: 2, N: 3}
		write(t, part, text)
		if err := g.Stream(context.Background(), part); !errors.Is(err, mc.ErrRows) || !strings.Contains(err.Error(), where) {
			t.Errorf("%v; want %s", err, where)
		}
	}
}

func TestParseShard(t *testing.T) {
	for _, s := range []string{"0/8", "9/8", "1/0", "1", "/", "a/b", "-1/2", "1/2/3", "0/0"} {
		if sh, err := mc.ParseShard(s); err == nil {
			t.Errorf("%q was read as %v", s, sh)
		}
	}
	for _, s := range []string{"", "1/1", "8/8"} {
		if sh, err := mc.ParseShard(s); err != nil || sh.String() != s {
			t.Errorf("%q was read as %v, error %v", s, sh, err)
		}
	}
}

// A resumed file whose grid differs is refused, with the field.
func TestOtherGrids(t *testing.T) {
	path, whole := stream(t, toy())
	for _, test := range []struct {
		want   string
		change func(g *mc.Grid)
	}{
		{`study is "toy", here it is "other"`, func(g *mc.Grid) { g.Study = "other" }},
		{"seed is 1, here it is 2", func(g *mc.Grid) { g.Seed = 2 }},
		{"cells: it has narrow (tuned) at delta 0.1 on easy, which is not", func(g *mc.Grid) {
			g.Methods = g.Methods[1:]
		}},
		{"cells: it has wide at delta 0.01 on easy, which is not", func(g *mc.Grid) {
			g.Methods[1].Delta = 0.02
		}},
		{"cells: it lacks new on easy", func(g *mc.Grid) {
			g.Methods = append(g.Methods, mc.Method{Name: "new", New: g.Methods[0].New})
		}},
		{"policy of wide at delta 0.01 on easy is race{5, 4}, here it is race{5, 3}",
			func(g *mc.Grid) {
				g.Methods[1].New = func() explore.Policy { return &race{Batch: 5, Width: 3} }
			}},
		{"maxPulls of wide at delta 0.01 on tie is 200, here it is 300", func(g *mc.Grid) {
			g.Cells[0].Method.MaxPulls = 300
		}},
		{"maxRounds of narrow (tuned) at delta 0.1 on easy is 0, here it is 7", func(g *mc.Grid) {
			g.MaxRounds = 7
		}},
		{"instance easy differs, there and here: means, features or noise scales",
			func(g *mc.Grid) { g.Instances[0] = instance("easy", 0.01, 1, 2) }},
		{"instance easy differs, there and here: names of the arms", func(g *mc.Grid) {
			g.Instances[0].Problem.ArmNames = []string{"a", "b", "c"}
		}},
		{"instance easy differs, there and here: arms: 3 and 4", func(g *mc.Grid) {
			g.Instances[0] = instance("easy", 0, 1, 2, 0)
		}},
		{"cells stand in another order", func(g *mc.Grid) { slices.Reverse(g.Methods) }},
	} {
		g := toy()
		test.change(g)
		err := g.Stream(context.Background(), path)
		if !errors.Is(err, mc.ErrGrid) || !strings.Contains(err.Error(), "rows.jsonl:1: ") ||
			!strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: error %v", test.want, err)
		}
		if contents(t, path) != whole {
			t.Fatalf("%s: the file was changed", test.want)
		}
		other, _ := stream(t, g)
		if _, _, err := mc.Read(path, other); !errors.Is(err, mc.ErrGrid) {
			t.Errorf("%s: files of both were merged: %v", test.want, err)
		}
	}
	// Neither workers nor the last bits of a mean make another grid.
	g := toy()
	g.Workers = 3
	g.Instances[0] = instance("easy", 0, 1+1e-15, 2)
	if err := g.Stream(context.Background(), path); err != nil {
		t.Error(err)
	}
}

// Lines that were changed, moved, doubled or removed are found, and the file is
// left alone.
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
		read       bool // Read refuses it too
		lines      []string
	}{
		{"changed", "rows.jsonl:4: this is not what was written here", true,
			slices.Concat(lines[:3],
				[]string{strings.Replace(lines[3], `"pulls":`, `"pulls":1`, 1)}, lines[4:])},
		{"header changed", "rows.jsonl:1: ", true,
			slices.Concat([]string{strings.Replace(lines[0], `"seed":1`, `"seed":2`, 1)},
				lines[1:])},
		{"no header", "rows.jsonl:1: ", true, lines[1:]},
		{"foreign row", "rows.jsonl:6: this is not what was written here: a row of seed 2", true,
			slices.Concat(lines[:5], []string{foreignRow}, lines[5:])},
		{"doubled", "rows.jsonl:5: this is not what was written here: replicate 0 of wide at " +
			"delta 0.01 on easy is there twice", false,
			slices.Concat(lines[:4], lines[2:])},
		{"removed", "rows.jsonl:6: this is not what was written here: replicate 1 of narrow " +
			"(tuned) at delta 0.1 on easy, where replicate 0", false,
			slices.Concat(lines[:1], lines[2:])},
		{"empty line", "rows.jsonl:3: ", true, slices.Concat(lines[:2], []string{"\n"}, lines[2:])},
		{"remark at the end", "rows.jsonl:25: not the beginning of a record: this is not what " +
			"was written here; restore", false,
			slices.Concat(lines, []string{"TODO"})},
		{"a letter", "rows.jsonl:1: this is not what was written here", true,
			[]string{"Dear all,\n", "sincerely"}},
		{"one line", "not a file of rows; write to another path", true, []string{"precious"}},
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

// A row whose checksum is right, and that no run can have given, is refused.
func TestImpossibleRows(t *testing.T) {
	path, whole := stream(t, toy())
	lines := strings.SplitAfter(whole, "\n")
	for _, test := range []struct {
		want   string
		change func(*mc.Row)
	}{
		{"-3 pulls in", func(r *mc.Row) { r.Pulls = -3 }},
		{"pulls in -1 rounds", func(r *mc.Row) { r.Rounds = -1 }},
		{"of no arm", func(r *mc.Row) { r.Pulls++ }},
		{"-1 pulls of arm 0", func(r *mc.Row) {
			r.ArmPulls[1] += 1 + r.ArmPulls[0]
			r.ArmPulls[0] = -1
		}},
		{"pulls of arm 1", func(r *mc.Row) {
			r.ArmPulls = []int{math.MaxInt, math.MaxInt, 0}
			r.Pulls = math.MaxInt
		}},
		{"the items [99 -1]", func(r *mc.Row) { r.Items = []int{99, -1} }},
		{"the items [99]", func(r *mc.Row) { r.Items = []int{99} }},
		{"the items [-1]", func(r *mc.Row) { r.Items = []int{-1} }},
		{"the items [1 0]", func(r *mc.Row) { r.Items = []int{1, 0} }},
		{"the items [0 0]", func(r *mc.Row) { r.Items = []int{0, 0} }},
		{`the classes "OOOO"`, func(r *mc.Row) { r.Classes = "OOOO" }},
		{`the classes "ox"`, func(r *mc.Row) { r.Classes = "ox" }},
		{"draw 7 of", func(r *mc.Row) { r.Draw = 7 }},
	} {
		var r mc.Row
		if err := jsonl.Decode([]byte(strings.TrimSuffix(lines[1], "\n")), &r); err != nil {
			t.Fatal(err)
		}
		test.change(&r)
		line, err := jsonl.Encode(r)
		if err != nil {
			t.Fatal(err)
		}
		write(t, path, lines[0]+string(line))
		_, _, read := mc.Read(path)
		resumed := toy().Stream(context.Background(), path)
		for what, err := range map[string]error{"read": read, "resumed": resumed} {
			if !errors.Is(err, mc.ErrRows) || !strings.Contains(err.Error(), test.want) ||
				!strings.Contains(err.Error(), "rows.jsonl:2: ") {
				t.Errorf("%s: %v; want %q", what, err, test.want)
			}
		}
	}
}

func TestReadConflict(t *testing.T) {
	a, text := stream(t, toy())
	lines := strings.SplitAfter(text, "\n")
	var r mc.Row
	if err := jsonl.Decode([]byte(strings.TrimSuffix(lines[2], "\n")), &r); err != nil {
		t.Fatal(err)
	}
	r.Pulls++
	r.ArmPulls[0]++
	line, err := jsonl.Encode(r)
	if err != nil {
		t.Fatal(err)
	}
	b := filepath.Join(t.TempDir(), "forged.jsonl")
	write(t, b, lines[0]+lines[1]+string(line))
	_, _, err = mc.Read(a, b)
	if !errors.Is(err, mc.ErrRows) || !strings.Contains(err.Error(), "forged.jsonl:3: ") ||
		!strings.Contains(err.Error(), a+":3") {
		t.Errorf("error %v", err)
	}
	write(t, b, text[:len(text)-9])
	if rows, h, err := mc.Read(b); err != nil || len(rows) != 22 || len(h.Warnings) != 1 ||
		!strings.Contains(h.Warnings[0].Error(), "unfinished") {
		t.Errorf("an unfinished file: %d rows, warnings %v, error %v", len(rows), h.Warnings, err)
	}
	for _, paths := range [][]string{nil, {"no such file"}} {
		if _, _, err := mc.Read(paths...); err == nil {
			t.Errorf("%q was read", paths)
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
				continue // all was simulated before
			}
			if !errors.Is(err, context.Canceled) ||
				!strings.Contains(err.Error(),
					"of 23 replicates, which are safe; run the same study again") {
				t.Fatalf("error %v", err)
			}
			if text := contents(t, path); !strings.HasPrefix(whole, text) {
				t.Fatalf("cancelled in round %d, the file is not the beginning of the whole:\n%s",
					n, text)
			}
			g = toy()
			g.Workers = workers
			if err := g.Stream(context.Background(), path); err != nil ||
				contents(t, path) != whole {
				t.Fatalf("resumed after round %d: %v", n, err)
			}
			cancel()
		}
	}
}

// What is cancelled before it begins runs nothing, whatever the scheduler does.
func TestCancelBefore(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for range 50 {
		g := &mc.Grid{
			Study: "cancelled", Reps: 3, Workers: 2,
			Instances: []*bandit.Instance{instance("easy", 0, 1)},
			Methods: []mc.Method{{Name: "one round", New: func() explore.Policy {
				return &race{Batch: 1, Width: -100}
			}}},
		}
		if rows, err := g.Run(ctx); len(rows) != 0 || !errors.Is(err, context.Canceled) {
			t.Fatalf("%d rows, %v", len(rows), err)
		}
	}
}

// A run that would never end, in the middle of others, ends with the context.
func TestCancelEndless(t *testing.T) {
	g := toy()
	g.Cells = []mc.Cell{{
		Instance: instance("endless", 1, 1),
		Method: mc.Method{Name: "never", New: func() explore.Policy {
			return &race{Batch: 1, Width: 1e12}
		}},
	}}
	g.Workers = 2
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	rows, err := g.Run(ctx)
	if !errors.Is(err, context.DeadlineExceeded) ||
		!strings.Contains(err.Error(), "4 of 25 replicates") {
		t.Errorf("error %v", err)
	}
	if len(rows) != 4 { // those before the endless one
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
	before := 0 // sums drawn in the first two replicates on "easy"
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
		if err == nil || errors.Is(err, errBoom) != (value == any(errBoom)) ||
			!strings.Contains(err.Error(),
				"narrow (tuned) at delta 0.1 on easy, replicate 2: panic: boom") ||
			!strings.Contains(err.Error(), "TestPanic") {
			t.Fatalf("error %v", err)
		}
		// 1 header, 2 x 5 rows.
		if text := contents(t, path); !strings.HasPrefix(whole, text) ||
			strings.Count(text, "\n") != 11 {
			t.Fatalf("the file is\n%s", text)
		}
		if err := toy().Stream(context.Background(), path); err != nil ||
			contents(t, path) != whole {
			t.Fatalf("resumed: %v", err)
		}
	}
}

// The first panic in the order of rows is reported, with all rows before it,
// whatever the timing.
func TestPanicOrder(t *testing.T) {
	for range 20 {
		g := toy()
		g.Workers = 8
		for i := range g.Methods {
			name := g.Methods[i].Name
			g.Cells = append(g.Cells, mc.Cell{
				Instance: instance("bomb", 0, 1),
				Method: mc.Method{Name: name, Reps: 3, New: func() explore.Policy {
					return &bomb{race{Batch: 1, Width: 9}, 3, func() error { panic(name) }}
				}},
			})
		}
		rows, err := g.Run(context.Background())
		if err == nil || !strings.Contains(err.Error(),
			"mc: narrow on bomb, replicate 0: panic: narrow") || len(rows) != 5 {
			t.Fatalf("%d rows, error %v", len(rows), err)
		}
	}
}

// A policy's error is a row, which is wrong whatever the best guess was.
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
	if !errors.Is(inner, mc.ErrLocked) ||
		!strings.Contains(inner.Error(), fmt.Sprintf("process %d on ", os.Getpid())) {
		t.Errorf("a second writer: %v", inner)
	}
	if _, err := os.Stat(path + ".lock"); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the lock file is left behind: %v", err)
	}
	// A lock file whose owner was killed does not matter.
	write(t, path+".lock", "1 on elsewhere\n")
	if err := toy().Stream(context.Background(), path); err != nil {
		t.Error(err)
	}
}

func TestProgress(t *testing.T) {
	g := toy()
	path, whole := stream(t, g)
	write(t, path, strings.Join(strings.SplitAfter(whole, "\n")[:8], "")) // 7 rows
	var done []int
	g.Progress = func(d, total int, elapsed time.Duration) {
		if total != 23 || elapsed < 0 {
			t.Errorf("total %d, elapsed %v", total, elapsed)
		}
		done = append(done, d)
	}
	if err := g.Stream(context.Background(), path); err != nil {
		t.Fatal(err)
	}
	for i, d := range done {
		if d != 7+i {
			t.Fatalf("progress %v", done)
		}
	}
	if len(done) != 17 {
		t.Errorf("%d calls; want 17", len(done))
	}
}

func TestBadGrids(t *testing.T) {
	for _, test := range []struct {
		want   string
		change func(g *mc.Grid)
	}{
		{"Study is empty", func(g *mc.Grid) { g.Study = "" }},
		{"0 replicates", func(g *mc.Grid) { g.Reps = 0 }},
		{"Reps is -1", func(g *mc.Grid) { g.Reps = -1 }},
		{"Workers is -1", func(g *mc.Grid) { g.Workers = -1 }},
		{"shard 3/2", func(g *mc.Grid) { g.Shard = mc.Shard{I: 3, N: 2} }},
		{"no cells", func(g *mc.Grid) { g.Instances, g.Cells = nil, nil }},
		{"an instance has no Name", func(g *mc.Grid) { g.Instances[0].Name = "" }},
		{"a method has no Name", func(g *mc.Grid) { g.Methods[0].Name = "" }},
		{`the name "a\xff" is not UTF-8`, func(g *mc.Grid) { g.Methods[0].Name = "a\xff" }},
		{`the name "b\xff" is not UTF-8`, func(g *mc.Grid) { g.Methods[0].Constants = "b\xff" }},
		{`the name "c\xff" is not UTF-8`, func(g *mc.Grid) { g.Study = "c\xff" }},
		{`the name "d\xff" is not UTF-8`, func(g *mc.Grid) { g.Instances[1].Name = "d\xff" }},
		{`the name "e\xff" is not UTF-8`, func(g *mc.Grid) { g.Cells[0].Experiment = "e\xff" }},
		{"Delta is +Inf", func(g *mc.Grid) { g.Methods[0].Delta = math.Inf(1) }},
		{"Delta is -Inf", func(g *mc.Grid) { g.Methods[0].Delta = math.Inf(-1) }},
		{"Delta is NaN", func(g *mc.Grid) { g.Methods[0].Delta = math.NaN() }},
		{"New is nil", func(g *mc.Grid) { g.Methods[0].New = nil }},
		{"New returns nil", func(g *mc.Grid) {
			g.Methods[0].New = func() explore.Policy { return nil }
		}},
		{"is there twice", func(g *mc.Grid) { g.Methods = append(g.Methods, g.Methods[0]) }},
		{`two instances are called "easy"`, func(g *mc.Grid) { g.Instances[1].Name = "easy" }},
		{`two different instances are called "easy"`, func(g *mc.Grid) {
			g.Cells[0].Instance.Name = "easy"
			g.Cells[0].Method.Name = "third"
		}},
		{"Law is nil", func(g *mc.Grid) { g.Instances[0].Law = nil }},
		{`the instance of method "narrow" is nil`, func(g *mc.Grid) { g.Instances[0] = nil }},
		{"ItemMeans is 2 x 1; want 3 items x 1", func(g *mc.Grid) {
			g.Instances[0].ItemMeans = mat.NewDense(2, 1, nil)
		}},
		{"instance \"easy\": explore: problem: Sigma", func(g *mc.Grid) {
			g.Instances[0].Problem.Sigma = 0
		}},
	} {
		g := toy()
		test.change(g)
		path := filepath.Join(t.TempDir(), "rows.jsonl")
		for _, err := range []error{
			func() error { _, err := g.Run(context.Background()); return err }(),
			func() error { _, err := g.Header(); return err }(),
			g.Stream(context.Background(), path),
		} {
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("%s: error %v", test.want, err)
			}
		}
		if _, err := os.Stat(path); err == nil {
			t.Errorf("%s: a file was made", test.want)
		}
	}
}

func BenchmarkRun(b *testing.B) {
	for _, workers := range []int{1, 2} {
		b.Run(fmt.Sprintf("workers=%d", workers), func(b *testing.B) {
			b.ReportAllocs()
			g := &mc.Grid{
				Study: "bench", Reps: b.N, Workers: workers,
				Instances: []*bandit.Instance{instance("easy", 0, 1)},
				Methods: []mc.Method{{Name: "one round", New: func() explore.Policy {
					return &race{Batch: 1, Width: -100}
				}}},
			}
			if _, err := g.Run(context.Background()); err != nil {
				b.Fatal(err)
			}
		})
	}
}
