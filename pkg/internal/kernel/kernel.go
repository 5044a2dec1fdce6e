// Package kernel keeps texts for as long as a notebook's kernel lives: each cell is a program of its
// own, and would compute them again.
package kernel

import (
	"errors"
	"os"
	"path/filepath"
)

// Folder is the environment variable with the folder of the kernel's files, which it sets for cells.
const Folder = "GONB_TMP_DIR"

// Keep returns what compute returns, or what a program of the same kernel has kept by that name: all
// that the text depends on must be in it. Outside of a notebook nothing is kept.
func Keep(name string, compute func() string) string {
	dir := os.Getenv(Folder)
	if dir == "" {
		return compute()
	}
	path := filepath.Join(dir, name)
	if b, err := os.ReadFile(path); err == nil && len(b) > 0 {
		return string(b)
	}
	text := compute()
	_ = write(path, text) // without it, the next program takes longer
	return text
}

// write writes a file that others see whole or not at all.
func write(path, text string) error {
	f, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*.tmp")
	if err != nil {
		return err
	}
	_, err = f.WriteString(text)
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		os.Remove(f.Name())
	}
	return err
}
