package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Every fault can be planted: its file has the text that it replaces.
func TestFaultsApply(t *testing.T) {
	root, err := module()
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range mutants {
		b, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(m.file)))
		if err != nil {
			t.Errorf("%s: %v", m.name, err)
		} else if !strings.Contains(string(b), m.old) || m.old == m.new {
			t.Errorf("%s: %s has no %q", m.name, m.file, m.old)
		}
	}
}
