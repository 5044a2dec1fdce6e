package runner

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/purexp/purexp/pkg/campaign"
	"github.com/purexp/purexp/pkg/campaign/problem"
)

const described = `
title = "Compiler flags"
[question]
find = "best"
delta = 0.05
[candidates]
file = "flags.csv"
features = ["level"]
categories = ["linker"]
[[objective]]
name = "time"
unit = "s"
goal = "minimise"
values = [0, 100]
noise = { sd = 0.2 }
`

const table = "name,level,linker,options\nfast,3,gold,-O3 -flto\nplain,1,bfd,-O1\nmild,2,gold,-O2\n"

// A command receives columns of the campaign and of a table. A retry repeats the id and the seed of its ticket.
func TestColumns(t *testing.T) {
	p, err := problem.Parse("flags.toml", []byte(described), func(string) ([]byte, error) {
		return []byte(table), nil
	})
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	c, err := campaign.Create(filepath.Join(dir, "flags.campaign"), p, "ada")
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	log := filepath.Join(dir, "log")
	body := `echo "$@|$PUREXP_SEED|$PUREXP_ID" >> ` + log + `
[ "$PUREXP_ATTEMPT" = 2 ] || exit 1
case $2 in 3) t=5;; 2) t=7;; 1) t=9;; esac; echo $t`
	r := script(t, body)
	r.Pause = 1
	words := r.Template.words
	if r.Template, err = Parse(strings.Join(words[:len(words)-1], " ") +
		" {arm} {level} {linker} {options} {seed} {id} {plate}"); err != nil {
		t.Fatal(err)
	}
	if _, err := Run(t.Context(), c, r, Settings{As: "x"}); !errors.Is(err, ErrPlaceholder) ||
		!strings.Contains(err.Error(), "{options}") {
		t.Fatalf("a column that the campaign does not store: %v", err)
	}
	columns, err := ReadColumns("flags.csv", []byte(table[:strings.Index(table, "mild")]))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Run(t.Context(), c, r, Settings{As: "x", Columns: columns}); err == nil ||
		!strings.Contains(err.Error(), `"options" of the table has no value for mild`) {
		t.Fatalf("a table without one of the candidates: %v", err)
	}
	if all, _ := c.Tickets(); len(all) > 0 {
		t.Fatalf("%d measurements were asked for", len(all))
	}
	if columns, err = ReadColumns("flags.csv", []byte(table)); err != nil {
		t.Fatal(err)
	}
	if _, err := Run(t.Context(), c, r, Settings{As: "x", Columns: columns, Limit: 3}); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(log)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	if len(lines) != 6 {
		t.Fatalf("%q", lines)
	}
	known := map[string]string{"fast": "fast 3 gold -O3 -flto", "plain": "plain 1 bfd -O1", "mild": "mild 2 gold -O2"}
	var seeds []string
	for i, line := range lines {
		arguments, env, _ := strings.Cut(line, "|")
		seed, id, _ := strings.Cut(env, "|")
		arm, _, _ := strings.Cut(arguments, " ")
		if want := known[arm] + " " + seed + " " + id + " "; !strings.HasPrefix(arguments, want) {
			t.Errorf("arguments %q; want %q and the plate", arguments, want)
		}
		if i%2 == 1 && line != lines[i-1] {
			t.Errorf("a retry had %q; the first attempt %q", line, lines[i-1])
		}
		if i%2 == 0 {
			seeds = append(seeds, seed, id)
		}
	}
	slices.Sort(seeds)
	if len(slices.Compact(seeds)) != 6 {
		t.Errorf("seeds and ids %q are not all different", seeds)
	}
	guarded, err := ReadColumns("t.csv", []byte("name,'=x\n'-a,'-O2\nb,-O3\n"))
	if err != nil || guarded["=x"]["-a"] != "-O2" || guarded["=x"]["b"] != "-O3" {
		t.Errorf("cells that a spreadsheet would compute: %v, %v", guarded, err)
	}
	if _, err := ReadColumns("t.csv", []byte("name,x\na,1\na,2\n")); err == nil ||
		!strings.Contains(err.Error(), `t.csv:3: column "name": "a" appears twice`) {
		t.Errorf("a candidate twice: %v", err)
	}
}

// withReference creates a campaign of compiler flags whose plates have a reference.
func withReference(t *testing.T) *campaign.Campaign {
	t.Helper()
	p, err := problem.Parse("flags.toml", []byte(described+"[laboratory]\nplate = 4\nreference = \"bare\"\n"),
		func(string) ([]byte, error) { return []byte(table), nil })
	if err != nil {
		t.Fatal(err)
	}
	c, err := campaign.Create(filepath.Join(t.TempDir(), "flags.campaign"), p, "ada")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

// A command that names columns needs their values for the reference, too; Run checks this before any request.
func TestColumnsOfReference(t *testing.T) {
	c := withReference(t)
	var err error
	r := script(t, "echo 5")
	if r.Template, err = Parse(strings.Join(r.Template.words, " ") + " {level}"); err != nil {
		t.Fatal(err)
	}
	if _, err := Run(t.Context(), c, r, Settings{As: "x"}); err == nil ||
		!strings.Contains(err.Error(), `"level" of the table has no value for bare`) {
		t.Error(err)
	}
	if all, err := c.Tickets(); err != nil || len(all) > 0 {
		t.Errorf("%d measurements were asked for, %v", len(all), err)
	}
}

// A table adds values, for example for the reference; its values take precedence over those of the campaign.
// Candidates that join later are measured with their own columns.
func TestColumnsOfNewcomers(t *testing.T) {
	c := withReference(t)
	var err error
	r := script(t, `echo "$@" >> log; case $2 in 0) t=50;; 3) t=5;; 2) t=7;; *) t=9;; esac; echo $t.$((PUREXP_TICKET % 3))`)
	if r.Template, err = Parse("/bin/sh s.sh {arm} {level} {linker}"); err != nil {
		t.Fatal(err)
	}
	table := Columns{"level": {"bare": "0", "mild": "2.0"}, "linker": {"bare": "none"}}
	joined := false
	if _, err := Run(t.Context(), c, r, Settings{As: "x", Columns: table, Jobs: 4, Limit: 60, Report: func(Done) {
		if !joined {
			joined = true
			if err := c.Join(problem.Candidate{Name: "late", Columns: map[string]string{"level": "4", "linker": "bfd"}}, "ada"); err != nil {
				t.Error(err)
			}
		}
	}}); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(r.Dir, "log"))
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	slices.Sort(lines)
	want := []string{"bare 0 none", "fast 3 gold", "late 4 bfd", "mild 2.0 gold", "plain 1 bfd"}
	if lines = slices.Compact(lines); !slices.Equal(lines, want) {
		t.Errorf("%q; want %q", lines, want)
	}
}

// Seeds fit into a signed 32-bit integer, and differ between campaigns and tickets.
func TestSeeds(t *testing.T) {
	r, err := Parse("bench {seed}")
	if err != nil {
		t.Fatal(err)
	}
	seen := map[int]bool{}
	for n := range 64 {
		l := &loop{id: string("cd"[n%2]), r: &Command{Template: r}}
		j, err := l.job(campaign.Ticket{Ticket: n/2 + 1, Arm: "fast"})
		if err != nil || j.Seed < 0 || int64(j.Seed) >= 1<<31 || seen[j.Seed] {
			t.Fatalf("campaign %s, ticket %d: seed %d, %v; want a new one below 2^31", l.id, n/2+1, j.Seed, err)
		}
		seen[j.Seed] = true
	}
}
