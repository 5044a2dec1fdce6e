// Package celltest helps to test functions that can end a cell.
package celltest

import (
	"io"
	"os"
	"testing"

	"github.com/purexp/purexp/pkg/nb/internal/cell"
)

// ended is the value of the panic with which cell.Exit ends a cell in tests.
type ended int

// Fails runs f. Fails returns what f wrote to standard error, and whether f ended the cell.
func Fails(t *testing.T, f func()) (message string, failed bool) {
	t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	stderr := os.Stderr
	os.Stderr, cell.Exit = w, func(code int) { panic(ended(code)) }
	defer func() {
		os.Stderr, cell.Exit = stderr, os.Exit
		w.Close()
		b, err := io.ReadAll(r)
		if err != nil {
			t.Error(err)
		}
		message = string(b)
		if p := recover(); p != nil {
			if code, ok := p.(ended); !ok || code != 1 {
				panic(p)
			}
			failed = true
		}
	}()
	f()
	return
}

// Printed returns the output that f prints.
func Printed(t *testing.T, f func()) string {
	t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout := os.Stdout
	os.Stdout = w
	defer func() { os.Stdout = stdout }()
	f()
	w.Close()
	b, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}
