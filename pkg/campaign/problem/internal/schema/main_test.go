package main

import (
	"bytes"
	"os"
	"testing"
)

// The schema is that of the types as they are.
func TestCurrent(t *testing.T) {
	want, err := generate("../../problem.go")
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile("../../problem.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Error("problem.schema.json is old; run go generate ./pkg/campaign/problem")
	}
}
