package main

import (
	"encoding/json"
	"os"
	"strings"
	"syscall"
	"testing"

	"github.com/purexp/purexp/pkg/campaign"
)

// On a full disk a command takes nothing, says what to do and has exit code 6; with room, the same
// command works. Mounting a small disk takes the rights of root.
func TestCampaignFullDisk(t *testing.T) {
	dir := t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=256k"); err != nil {
		t.Skipf("a small disk cannot be mounted: %v", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(dir, syscall.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
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
		said.Kind != "disk" || !strings.Contains(said.Error, "make room") {
		t.Errorf("exit code %d, %v\n%s", code, err, out)
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
