package sweepcmd_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/purexp/purexp/pkg/sweep"
	"github.com/purexp/purexp/pkg/sweep/sweepcmd"
)

// The exit code of status shows whether to wait, retry or merge. Unknown shards are errors, and a merge fails if
// shards are missing.
func TestCodes(t *testing.T) {
	dir := t.TempDir()
	big, all := filepath.Join(dir, "big"), filepath.Join(dir, "all.jsonl")
	call := func(code int, says string, args ...string) string {
		t.Helper()
		var out, errs bytes.Buffer
		if got := sweepcmd.Run(t.Context(), doses, args, &out, &errs); got != code ||
			!strings.Contains(out.String()+errs.String(), says) {
			t.Errorf("%q: exit code %d; want %d and %q\n%s%s", args, got, code, says, &out, &errs)
		}
		return out.String()
	}
	call(0, "", "new", "doses", big, "--shards", "3", "--reps", "6")
	call(1, "", "new", "doses", big, "--shards", "3", "--reps", "6") // the sweep exists already
	call(1, "3 of 3 shards are missing or failed", "status", big)
	call(0, "", "run", big, "1")
	call(1, "2 of 3 shards are missing or failed", "status", big)
	call(1, "", "merge", big, "--output", all)
	if _, err := os.Stat(all); err == nil {
		t.Error("a merge without all shards left a file")
	}
	for _, shard := range []string{"0", "4", "-1", "two"} {
		var out, errs bytes.Buffer
		if code := sweepcmd.Run(t.Context(), doses, []string{"run", "--", big, shard}, &out, &errs); code == 0 {
			t.Errorf("shard %s of 3 ran", shard)
		}
	}
	call(2, "accepts 2 arg(s), received 1", "run", big)
	call(0, "", "run", big, "2")
	call(0, "", "run", big, "3")
	call(0, "", "run", big, "3") // shard 3 is finished already
	var status struct {
		Shards []struct {
			Shard, Rows, Want int
			State             any
		}
	}
	if err := json.Unmarshal([]byte(call(0, "", "status", big, "--json")), &status); err != nil {
		t.Fatal(err)
	}
	rows := 0
	for i, s := range status.Shards {
		if rows += s.Rows; s.Shard != i+1 || s.Rows != s.Want {
			t.Errorf("shard %d: %+v", i+1, s)
		}
	}
	if len(status.Shards) != 3 || rows != 6 {
		t.Errorf("%d shards with %d rows; want 3 with 6", len(status.Shards), rows)
	}
	call(0, "", "merge", big, "--output", all)
	if text, err := os.ReadFile(all); err != nil || bytes.Count(text, []byte("\n")) != 7 {
		t.Errorf("merged: %d lines, %v; want a header and 6", bytes.Count(text, []byte("\n")), err)
	}
	call(1, "", "merge", big, "--output", all) // the file exists already
	call(2, "", "status")
	call(2, "", "status", big, big)
	call(1, "", "status", filepath.Join(dir, "nothing"))
}

// The jobs of a sweep call the program as the user called it, including commands above "sweep"; the
// sweep's own arguments are kept as typed.
func TestNewKeeps(t *testing.T) {
	dir := t.TempDir()
	program, profile := filepath.Join(dir, "program"), filepath.Join(dir, "cluster.toml")
	for path, text := range map[string]string{program: "#!/bin/sh\n", profile: "cpus = 3\n"} {
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for above, want := range map[string][]string{"": {"run"}, "mine": {"sweep", "run"}, "mine own": {"own", "sweep", "run"}} {
		big := filepath.Join(dir, "big"+above)
		root := sweepcmd.New(doses)
		args := []string{"new", "doses/x", big, "--shards", "2", "--reps", "5", "--seed", "9", "--program", program, "--profile", profile}
		if names := strings.Fields(above); len(names) > 0 {
			args = append([]string{"sweep"}, args...)
			for i := range names {
				parent := &cobra.Command{Use: names[len(names)-1-i]}
				parent.AddCommand(root)
				if root = parent; i > 0 {
					args = append(names[1:], args...)
				}
			}
		}
		var out bytes.Buffer
		root.SetArgs(args)
		root.SetOut(&out)
		root.SetErr(&out)
		if err := root.ExecuteContext(t.Context()); err != nil {
			t.Fatalf("%s: %v", above, err)
		}
		s, err := sweep.Open(big)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(s.Command, want) || s.Study != (sweep.Study{Name: "doses/x", Reps: 5, Seed: 9}) || s.Shards != 2 || s.Rows() != 5 {
			t.Errorf("%q: %q, %+v, %d shards; want %q", above, s.Command, s.Study, s.Shards, want)
		}
		for name, text := range map[string]string{"program": "#!/bin/sh\n", "profile.toml": "cpus = 3\n"} {
			if got, err := os.ReadFile(filepath.Join(big, name)); err != nil || string(got) != text {
				t.Errorf("%s: %q, %v", name, got, err)
			}
		}
	}
}
