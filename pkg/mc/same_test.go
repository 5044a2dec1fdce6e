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

// If a replicate is in two files, its two rows must be equal in all fields. Otherwise, Read returns an
// error, even with equal numbers of pulls.
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
		var r mc.Row // decoding and encoding put fields in the order of the struct
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
			!strings.Contains(err.Error(), "differs from the row at") {
			t.Errorf("other %s: %v", field, err)
		}
	}
}
