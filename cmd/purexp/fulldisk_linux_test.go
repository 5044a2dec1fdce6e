package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/purexp/purexp/pkg/campaign"
)

// smallDisk mounts a small file system, which requires root.
func smallDisk(t *testing.T, size string) string {
	t.Helper()
	dir := t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size="+size); err != nil {
		t.Skipf("a small disk cannot be mounted: %v", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(dir, syscall.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	return dir
}

// If rows cannot be written, the command does not report them as published.
func TestPublishOnAFullDisk(t *testing.T) {
	onlyTrials(t)
	disk := smallDisk(t, "8k")
	if err := os.WriteFile(filepath.Join(disk, "big"), make([]byte, 8<<10), 0o666); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PUREXP_RESULTS", disk)
	out, errs, code := purexp(t, t.TempDir(), "reproduce", "--publish")
	if code == exitOK || strings.Contains(out, "published in") || !strings.Contains(errs, "no space left") {
		t.Errorf("exit code %d\n%s%s", code, out, errs)
	}
}

// On a full disk, a command that reports a result records nothing, says what to do, and has exit code 6. After space
// is freed, the same command succeeds.
func TestCampaignFullDisk(t *testing.T) {
	dir := smallDisk(t, "256k")
	put(t, dir, "duel.toml", duel)
	works(t, dir, "new", "duel.toml")
	var s campaign.Status
	says(t, dir, &s, "status")
	f, err := os.Create("big")
	if err != nil {
		t.Fatal(err)
	}
	for block := make([]byte, 4096); err == nil; {
		_, err = f.Write(block)
	}
	f.Close()
	tell := []string{"tell", "--candidate", "A", "--id", "p. 1", "speed=1", "--json"}
	out, _, code := purexp(t, dir, append([]string{"campaign"}, tell...)...)
	var said struct{ Error, Kind string }
	if err := json.Unmarshal([]byte(out), &said); err != nil || code != exitAgain ||
		said.Kind != "disk" || !strings.Contains(said.Error, "free ") {
		t.Errorf("exit code %d, %v\n%s", code, err, out)
	}
	for _, reading := range [][]string{{"status"}, {"verify"}, {"history"}, {"export"}, {"export", "--intact"}} {
		works(t, dir, reading...)
	}
	if err := os.Remove("big"); err != nil {
		t.Fatal(err)
	}
	works(t, dir, tell...)
	var after campaign.Status
	if says(t, dir, &after, "status"); after.Event != s.Event+1 || after.Used != 1 {
		t.Errorf("with room: %+v", after)
	}
	works(t, dir, "verify")
}
