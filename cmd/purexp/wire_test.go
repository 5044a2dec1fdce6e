package main

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The file of --problem has a problem, or is an instance that was exported.
func TestPolicyProblem(t *testing.T) {
	const problem = `{"arms":2,"objectives":1,"sigma":1,"question":{"find":"best"}}`
	for _, c := range []struct{ text, want string }{
		{problem, ""},
		{`{"name":"two arms","question":"best item","problem":` + problem + `}`, ""},
		{`{"name":"two arms","question":"best item"}`, "question"},
		{`{"problem":{"arms":0}}`, "problem.arms: 0"},
	} {
		file := filepath.Join(t.TempDir(), "problem.json")
		if err := os.WriteFile(file, []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		in, err := withProblem(strings.NewReader(`{"type":"init","protocol":1,"delta":0.1}`), file)
		if c.want != "" {
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s: %v, want %s", c.text, err, c.want)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", c.text, err)
			continue
		}
		if said, err := io.ReadAll(in); err != nil || !strings.Contains(string(said), `"arms":2`) {
			t.Errorf("%s: %s, %v", c.text, said, err)
		}
	}
}
