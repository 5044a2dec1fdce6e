package sweepcmd_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/purexp/purexp/pkg/sweep/sweepcmd"
)

// The exit code of status says whether to wait, to retry or to merge; shards that are named twice, or
// not there, are found, and a merge of some shards only is none.
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
	call(1, "", "new", "doses", big, "--shards", "3", "--reps", "6") // it is there
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
	call(2, "number of the shard is missing", "run", big)
	call(0, "", "run", big, "2")
	call(0, "", "run", big, "3")
	call(0, "", "run", big, "3") // which is done
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
	call(1, "", "merge", big, "--output", all) // it is there
	call(2, "", "status")
	call(2, "", "status", big, big)
	call(1, "", "status", filepath.Join(dir, "nothing"))
}
