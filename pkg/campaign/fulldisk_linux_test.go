package campaign

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// A file system of 256 KiB that fills up: the result that finds no room is refused with what to do,
// what came before is safe, and with room it goes on. Mounting one takes the rights of root.
func TestFullDisk(t *testing.T) {
	dir := t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=256k"); err != nil {
		t.Skipf("a small disk cannot be mounted: %v (a full disk is injected in internal/events)",
			err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(dir, syscall.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	path := filepath.Join(dir, "x.campaign")
	c, err := Create(path, coupling(t), "Ada")
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	extra := func(i int) error {
		_, err := c.Tell([]Result{{ID: fmt.Sprint(i), Arm: "A07", Values: []float64{80, 2}}}, "Ada")
		return err
	}
	n := 0
	for ; n < 5000; n++ {
		if err = extra(n); err != nil {
			break
		}
	}
	if !errors.Is(err, ErrFull) || !strings.Contains(err.Error(), "make room") {
		t.Fatalf("after %d results: %v", n, err)
	}
	if s := status(t, c); s.Used+s.Unused != n {
		t.Errorf("%d results on the full disk; want %d", s.Used+s.Unused, n)
	}
	if err := syscall.Mount("tmpfs", dir, "tmpfs", syscall.MS_REMOUNT, "size=8m"); err != nil {
		t.Fatal(err)
	}
	if err := extra(n); err != nil {
		t.Errorf("with room again: %v", err)
	}
	if got := len(toldIDs(t, path)); got != n+1 {
		t.Errorf("%d results; want %d", got, n+1)
	}
	verified(t, c)
}
