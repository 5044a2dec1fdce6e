package events

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/purexp/purexp/pkg/internal/filelock"
)

// TestRemoveLeft: Create removes the temporary files of a process that was killed while it created the same
// campaign. Files with other names, and files in use, stay.
func TestRemoveLeft(t *testing.T) {
	dir := t.TempDir()
	stays := []string{".c.campaign.bak", ".c.campaign.12x", ".c.campaign.", ".d.campaign.12",
		"c.campaign.12", ".c.campaign.12-other", ".c.campaign.13", ".c.campaign.13-wal"}
	left := []string{".c.campaign.12", ".c.campaign.12-wal", ".c.campaign.12-journal", ".c.campaign.12.lock", ".c.campaign.15.lock"}
	for _, name := range append(left, stays...) {
		must(t, os.WriteFile(filepath.Join(dir, name), []byte("x"), 0o600))
	}
	unlock, err := filelock.Lock(filepath.Join(dir, ".c.campaign.13")) // another process is creating this file
	if err != nil {
		t.Fatal(err)
	}
	defer unlock()
	must(t, os.Mkdir(filepath.Join(dir, ".c.campaign.14"), 0o777))
	stays = append(stays, ".c.campaign.13.lock", ".c.campaign.14")
	t.Chdir(dir) // a path without a folder refers to the current folder
	s, err := Create("c.campaign", []string{"yield"}, func(tx *Tx) error {
		_, err := tx.Append("me", "problem", nil)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	must(t, s.Close())
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
