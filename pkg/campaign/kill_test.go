package campaign

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/purexp/purexp/pkg/campaign/problem"
)

// TestMain runs the worker program if the environment requests it.
func TestMain(m *testing.M) {
	if kind := os.Getenv("PUREXP_WORKER"); kind != "" {
		most, err := strconv.Atoi(os.Getenv("PUREXP_WORKER_MOST"))
		if err == nil {
			err = work(kind, os.Getenv("PUREXP_WORKER_FILE"), os.Getenv("PUREXP_WORKER_NAME"), most)
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// worker returns a process that runs work.
func worker(kind, path, name string, most int) *exec.Cmd {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "PUREXP_WORKER="+kind, "PUREXP_WORKER_FILE="+path,
		"PUREXP_WORKER_NAME="+name, fmt.Sprint("PUREXP_WORKER_MOST=", most))
	cmd.Stderr = os.Stderr
	return cmd
}

// works maps the kind of a worker to its action on a campaign in iteration i; the action calls did to print each
// acknowledgement.
var works = map[string]func(c *Campaign, name string, i int, did func(...any)) error{
	"tell": func(c *Campaign, name string, i int, did func(...any)) error {
		id := fmt.Sprint(name, "-", i)
		_, err := c.Tell([]Result{{ID: id, Arm: "A07", Values: []float64{80, 2}}}, name)
		if err == nil {
			did("told", id)
		}
		return err
	},
	"ask": func(c *Campaign, name string, i int, did func(...any)) error {
		tickets, err := c.Ask(1+i%4, name)
		if err != nil {
			return err
		}
		var all []int
		for _, t := range tickets {
			did("asked", t.Ticket, t.Arm)
			all = append(all, t.Ticket)
		}
		if _, err := c.GiveUp(all, "spilled", name); err != nil {
			return err
		}
		for _, t := range all {
			did("failed", t)
		}
		return nil
	},
	"undo": func(c *Campaign, name string, i int, did func(...any)) error {
		r, err := c.Tell([]Result{{ID: fmt.Sprint(name, "-", i), Arm: "A07", Values: []float64{80, 2}}}, name)
		if err != nil {
			return err
		}
		if err := c.Undo(r.Event, "a slip", name); err != nil {
			return err
		}
		did("undone", r.Event)
		if i%2 == 0 {
			return nil
		}
		s, err := c.Status()
		if err != nil {
			return err
		}
		did("begins", r.Event)
		if err := c.Undo(s.Event, "it was none", name); err != nil {
			return err
		}
		did("again", r.Event)
		return nil
	},
	"change": func(c *Campaign, name string, i int, did func(...any)) error {
		arm := fmt.Sprint(name, "-", i)
		if err := c.Join(problem.Candidate{Name: arm}, name); err != nil {
			return err
		}
		did("joined", arm)
		err := c.Drop(arm, "sold out", name)
		if err == nil {
			did("dropped", arm)
		}
		return err
	},
}

// work runs an action on the campaign at path the requested number of times, or until the process is killed. work
// prints each acknowledgement. For imports, path is the path of a record, and campaigns are created beside it.
func work(kind, path, name string, most int) error {
	did := func(words ...any) { fmt.Println(words...) }
	if kind == "import" {
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		did("ready")
		for i := range most {
			file := fmt.Sprint(path, ".", name, "-", i)
			c, err := Import(file, bytes.NewReader(text))
			if err != nil {
				return err
			}
			did("imported", file)
			if err := c.Close(); err != nil {
				return err
			}
		}
		return nil
	}
	c, err := Open(path)
	if err != nil {
		return err
	}
	defer c.Close()
	did("ready")
	for i := range most {
		if err := works[kind](c, name, i, did); err != nil {
			return err
		}
	}
	return nil
}

// killed starts a worker, kills it at a random moment, and returns its acknowledgements.
func killed(t *testing.T, rnd *rand.Rand, kind, path, name string) (lines []string) {
	t.Helper()
	cmd := worker(kind, path, name, 1<<30)
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	in := bufio.NewReader(out)
	after, pause := rnd.IntN(6), time.Duration(rnd.IntN(12_000))*time.Microsecond
	for {
		line, err := in.ReadString('\n')
		if err == io.EOF { // an incomplete line acknowledges nothing
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		lines = append(lines, strings.TrimSpace(line))
		if len(lines) == after+1 {
			time.AfterFunc(pause, func() { _ = cmd.Process.Kill() }) // kill the process up to 12 ms after this line
		}
	}
	if err := cmd.Wait(); err == nil || !strings.Contains(err.Error(), "killed") {
		t.Fatalf("%s was not killed: %v, after %q", kind, err, lines)
	}
	return lines[1:]
}

// A process killed at any moment loses no acknowledged event, and the file verifies and opens. There are 80
// kills (16 in short mode), or PUREXP_KILLS kills. Package internal/events tests kills during migrations.
func TestKill(t *testing.T) {
	kills := 80
	if testing.Short() {
		kills = 16
	}
	if n, err := strconv.Atoi(os.Getenv("PUREXP_KILLS")); err == nil {
		kills = n
	}
	c := begin(t)
	finish(t, c, 8, 1) // imports use the record of this finished campaign
	dir := t.TempDir()
	record := filepath.Join(dir, "record.jsonl")
	file, err := os.Create(record)
	if err != nil {
		t.Fatal(err)
	}
	must(t, c.Export(file))
	file.Close()
	exported := status(t, c)
	// With 40 more candidates, the stored state is not written with each event.
	p := coupling(t)
	for i := range 10 * 4 {
		p.Candidates.Names = append(p.Candidates.Names, fmt.Sprint("X", i))
	}
	if mostBehind(p.K()) < 4 {
		t.Fatal("the state is stored with each event, so the test shows nothing")
	}
	c = beginWith(t, p)
	path := c.Path()
	must(t, c.Close())

	rnd := rand.New(rand.NewPCG(1, uint64(time.Now().UnixNano())))
	kinds := append(slices.Sorted(maps.Keys(works)), "import")
	var lines []string
	for i := range kills {
		kind, at := kinds[i%len(kinds)], path
		if kind == "import" {
			at = record
		}
		lines = append(lines, killed(t, rnd, kind, at, fmt.Sprint("r", i))...)
		c, err := Open(path)
		if err != nil {
			t.Fatalf("after kill %d (%s): %v", i+1, kind, err)
		}
		c.Close()
	}
	remembered(t, path, lines)
	n := imported(t, record, exported.Hash, lines)
	t.Logf("%d kills; %d acknowledgements, %d campaigns imported", kills, len(lines), n)
	if v, err := Verify(context.Background(), path); err != nil || !v.OK() {
		t.Errorf("verify: %+v, %v", v, err)
	}
}

// remembered reports an error for each acknowledgement that the campaign at path has lost.
func remembered(t *testing.T, path string, lines []string) {
	t.Helper()
	ids := toldIDs(t, path)
	c, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	tickets, err := c.Tickets()
	if err != nil {
		t.Fatal(err)
	}
	list, err := c.Events(0)
	if err != nil {
		t.Fatal(err)
	}
	arms := map[string]ArmStatus{}
	for _, a := range status(t, c).Arms {
		arms[a.Arm] = a
	}
	open := map[string]bool{} // events whose undo was about to be undone
	for _, line := range lines {
		if event, ok := strings.CutPrefix(line, "begins "); ok {
			open[event] = true
		}
	}
	for _, line := range lines {
		f := strings.Fields(line)
		n, _ := strconv.Atoi(f[1]) // 0 if the field is a name
		ok := false
		switch f[0] {
		case "told":
			ok = ids[f[1]] == 1
		case "asked":
			ok = n <= len(tickets) && tickets[n-1].Arm == f[2]
		case "failed":
			ok = n <= len(tickets) && tickets[n-1].State == Failed
		case "undone":
			ok = open[f[1]] || n <= len(list) && list[n-1].Undone > 0
		case "again":
			ok = n <= len(list) && list[n-1].Undone == 0
		case "joined":
			ok = arms[f[1]].Arm == f[1]
		case "dropped":
			ok = arms[f[1]].Arm == f[1] && !arms[f[1]].Available
		case "begins", "imported":
			ok = true
		}
		if !ok {
			t.Errorf("%q was acknowledged, and is lost", line)
		}
	}
}

// imported reports an error unless each acknowledged import exists and each existing campaign is
// complete; it returns the number of campaigns.
func imported(t *testing.T, record, hash string, lines []string) int {
	t.Helper()
	files, err := filepath.Glob(record + ".r*")
	if err != nil {
		t.Fatal(err)
	}
	files = slices.DeleteFunc(files, func(f string) bool { // delete the files that a killed process left
		return strings.HasSuffix(f, "-wal") || strings.HasSuffix(f, "-shm") || strings.HasSuffix(f, "-journal")
	})
	for _, line := range lines {
		if file, ok := strings.CutPrefix(line, "imported "); ok && !slices.Contains(files, file) {
			t.Errorf("%s was imported, and is lost", file)
		}
	}
	for _, file := range files {
		v, err := Verify(context.Background(), file)
		if err != nil || !v.OK() || v.Hash != hash {
			t.Errorf("%s: %+v, %v", file, v, err)
		}
	}
	return len(files)
}
