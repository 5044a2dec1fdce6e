package events

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

// TestRemoveLeft: what a process left that was killed while it made a file goes when the next one
// makes it; what is of another name, or may be in use, stays.
func TestRemoveLeft(t *testing.T) {
	dir := t.TempDir()
	old, young := time.Now().Add(-65*time.Minute), time.Now().Add(-55*time.Minute)
	stays := []string{".c.campaign.bak", ".c.campaign.12x", ".c.campaign.", ".d.campaign.12",
		"c.campaign.12", ".c.campaign.13"}
	for _, name := range append([]string{".c.campaign.12", ".c.campaign.12-wal"}, stays...) {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
		at := old
		if name == ".c.campaign.13" {
			at = young // it may be being made
		}
		if err := os.Chtimes(path, at, at); err != nil {
			t.Fatal(err)
		}
	}
	folder := filepath.Join(dir, ".c.campaign.14")
	if err := os.Mkdir(folder, 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(folder, old, old); err != nil {
		t.Fatal(err)
	}
	stays = append(stays, ".c.campaign.14")
	t.Chdir(dir) // a path without a folder is one of this folder
	s, err := Create("c.campaign", []string{"yield"}, func(tx *Tx) error {
		_, err := tx.Append("me", "problem", nil)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	var got []string
	list, err := os.ReadDir(dir)
	for _, e := range list {
		got = append(got, e.Name())
	}
	want := append([]string{"c.campaign"}, stays...)
	slices.Sort(want)
	slices.Sort(got)
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("%q, %v; want %q", got, err, want)
	}
}
