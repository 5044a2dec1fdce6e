package events

import (
	"os"
	"path/filepath"
	"testing"
)

// Colleagues on the same machine can read a campaign, as any file that is made for reading.
func TestMode(t *testing.T) {
	dir := t.TempDir()
	like := filepath.Join(dir, "like")
	if err := os.WriteFile(like, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	want, err := os.Stat(like)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "x.campaign")
	s, err := Create(path, nil, func(tx *Tx) error {
		_, err := tx.Append("ada", "problem", map[string]string{})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if got, err := os.Stat(path); err != nil || got.Mode() != want.Mode() {
		t.Errorf("%v, %v; want %v", got.Mode(), err, want.Mode())
	}
}
