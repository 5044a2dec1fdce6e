package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/purexp/purexp/pkg/policy"
)

// Every fault can be planted: its file has the text that it replaces.
func TestFaultsApply(t *testing.T) {
	root, err := module()
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range slices.Concat(mutants, claims) {
		b, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(m.file)))
		if err != nil {
			t.Errorf("%s: %v", m.name, err)
		} else if !strings.Contains(string(b), m.old) || m.old == m.new {
			t.Errorf("%s: %s has no %q", m.name, m.file, m.old)
		}
	}
}

// Every policy of the catalogue has a fault of its own: in the file of its type.
func TestEveryPolicyHasAFault(t *testing.T) {
	root, err := module()
	if err != nil {
		t.Fatal(err)
	}
	faulty := map[string]bool{} // types
	declared := regexp.MustCompile(`(?m)^type (\w+) struct`)
	for _, m := range mutants {
		if filepath.Dir(m.file) != "pkg/policy" {
			continue
		}
		b, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(m.file)))
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range declared.FindAllStringSubmatch(string(b), -1) {
			faulty[d[1]] = true
		}
	}
	for _, m := range policy.Catalogue() {
		if !faulty[m.Type()] {
			t.Errorf("%s (%s) has no planted fault in its file", m.Name, m.Type())
		}
	}
}
