package mc_test

import (
	"encoding/json"
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/purexp/purexp/pkg/internal/jsonl"
	"github.com/purexp/purexp/pkg/mc"
)

// A replicate that is in two files is the same in all that is said of it, or refused: also where the numbers of pulls
// are the same.
func TestReplicatesInTwoFiles(t *testing.T) {
	path, text := stream(t, toy())
	lines := strings.SplitAfter(text, "\n")
	changed := func(change map[string]any) string {
		var row map[string]any
		if err := json.Unmarshal([]byte(lines[1]), &row); err != nil {
			t.Fatal(err)
		}
		delete(row, "crc")
		for field, v := range change {
			if _, ok := row[field]; !ok {
				t.Fatalf("rows have no %s: %v", field, row)
			}
			row[field] = v
		}
		ordered, err := json.Marshal(row)
		if err != nil {
			t.Fatal(err)
		}
		var r mc.Row // in the order of its fields
		if err := json.Unmarshal(ordered, &r); err != nil {
			t.Fatal(err)
		}
		line, err := jsonl.Encode(&r)
		if err != nil {
			t.Fatal(err)
		}
		other := filepath.Join(t.TempDir(), "other.jsonl")
		write(t, other, lines[0]+strings.TrimSuffix(string(line), "\n")+"\n"+strings.Join(lines[2:], ""))
		return other
	}
	if _, _, err := mc.Read(path, changed(nil)); err != nil {
		t.Errorf("the same rows twice: %v", err)
	}
	for field, v := range map[string]any{"rounds": 77, "items": []int{1}, "correct": false} {
		if _, _, err := mc.Read(path, changed(map[string]any{field: v})); !errors.Is(err, mc.ErrRows) ||
			!strings.Contains(err.Error(), "differs from the one at") {
			t.Errorf("other %s: %v", field, err)
		}
	}
}

// The limits of a method come before those of the grid.
func TestLimitsOfMethods(t *testing.T) {
	g := toy()
	g.MaxRounds, g.MaxPulls = 7, 1000
	g.Methods[0].MaxRounds = 1
	g.Methods[1].MaxPulls = 17
	long := map[string]int{}
	for _, r := range run(t, g) {
		long[r.Method+" rounds"] = max(long[r.Method+" rounds"], r.Rounds)
		if r.Instance != "tie" {
			long[r.Method+" pulls"] = max(long[r.Method+" pulls"], r.Pulls)
		}
	}
	if long["narrow rounds"] != 1 || long["wide pulls"] > 17 || long["wide rounds"] != 7 {
		t.Errorf("%v; want one round of narrow, and 17 pulls of wide", long)
	}
}

// One row that is there twice is said, too.
func TestOneRowTwice(t *testing.T) {
	path, text := stream(t, toy())
	lines := strings.SplitAfter(text, "\n")
	other := filepath.Join(t.TempDir(), "other.jsonl")
	write(t, other, lines[0]+lines[1])
	rows, header, err := mc.Read(path, other)
	if err != nil || len(rows) != len(lines)-2 || len(header.Warnings) != 1 || header.Warnings[0].Error() != "mc: 1 rows are there twice, and kept once" {
		t.Errorf("%d rows of %d, %q, %v", len(rows), len(lines)-2, header.Warnings, err)
	}
}
