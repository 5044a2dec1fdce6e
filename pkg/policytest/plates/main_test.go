package main

import (
	"os"
	"strings"
	"testing"
)

// Rows that cost little are those of the page.
func TestPageIsCurrent(t *testing.T) {
	b, err := os.ReadFile("../../../" + page)
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(b), begin)
	rows, _, ok := strings.Cut(rest, end)
	if !ok {
		t.Fatalf("%s has no table", page)
	}
	if want, have := len(entries())+3, strings.Count(rows, "\n"); have != want {
		t.Errorf("%d lines; want %d", have, want)
	}
	for _, e := range entries() {
		switch e.name() {
		case "MD-APT", "LinGapE", "XY-static":
			row, err := e.row()
			if err != nil {
				t.Fatal(err)
			}
			if !strings.Contains(rows, row) {
				t.Errorf("not on the page: %s", row)
			}
		}
	}
}
