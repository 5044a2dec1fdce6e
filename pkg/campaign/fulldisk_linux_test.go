package campaign

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// On a full file system of 256 KiB, Tell rejects a result, and the error says what to do. Earlier results are
// safe, and the campaign continues once there is space. Mounting the file system requires root.
func TestFullDisk(t *testing.T) {
	dir := t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=256k"); err != nil {
		t.Skipf("a small disk cannot be mounted: %v (a full disk is injected in internal/events)", err)
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
	if !errors.Is(err, ErrFull) || !strings.Contains(err.Error(), "free disk space") {
		t.Fatalf("after %d results: %v", n, err)
	}
	if s := status(t, c); s.Used+s.Unused != n {
		t.Errorf("%d results on the full disk; want %d", s.Used+s.Unused, n)
	}
	must(t, syscall.Mount("tmpfs", dir, "tmpfs", syscall.MS_REMOUNT, "size=8m"))
	if err := extra(n); err != nil {
		t.Errorf("with room again: %v", err)
	}
	if got := len(toldIDs(t, path)); got != n+1 {
		t.Errorf("%d results; want %d", got, n+1)
	}
	verified(t, c)
}

// On a completely full disk, a campaign can be opened, read and verified. Once there is space, the campaign
// continues without intervention.
func TestFullDiskReads(t *testing.T) {
	dir := t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=1m"); err != nil {
		t.Skipf("a small disk cannot be mounted: %v", err)
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
	extra := func(id string) error {
		_, err := c.Tell([]Result{{ID: id, Arm: "A07", Values: []float64{80, 2}}}, "Ada")
		return err
	}
	must(t, errors.Join(extra("1"), c.Close()))
	fill := filepath.Join(dir, "fill")
	if err := os.WriteFile(fill, make([]byte, 2<<20), 0o600); !errors.Is(err, syscall.ENOSPC) {
		t.Fatalf("the disk is not full: %v", err)
	}
	if v, err := Verify(context.Background(), path); err != nil || !v.OK() {
		t.Errorf("verify: %+v, %v", v, err)
	}
	if c, err = Open(path); err != nil {
		t.Fatal(err)
	}
	defer func() { c.Close() }()
	if s := status(t, c); s.Used+s.Unused != 1 {
		t.Errorf("%d results; want 1", s.Used+s.Unused)
	}
	if err := extra("2"); !errors.Is(err, ErrFull) {
		t.Errorf("a result on a full disk: %v; want ErrFull", err)
	}
	if s := status(t, c); s.Used+s.Unused != 1 {
		t.Errorf("%d results after one was refused; want 1", s.Used+s.Unused)
	}
	must(t, os.Remove(fill))
	if err := extra("2"); err != nil {
		t.Errorf("with room again: %v", err)
	}
	verified(t, c)
	if got := len(toldIDs(t, path)); got != 2 {
		t.Errorf("%d results; want 2", got)
	}
}
