package problem

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"github.com/pelletier/go-toml/v2"
)

// page returns the code blocks of docs/your-problem.md in a language.
func page(t *testing.T, language string) []string {
	t.Helper()
	text, err := os.ReadFile("../../../docs/your-problem.md")
	if err != nil {
		t.Fatal(err)
	}
	var blocks []string
	for _, b := range strings.Split(string(text), "\n```"+language+"\n")[1:] {
		block, _, _ := strings.Cut(b, "\n```")
		blocks = append(blocks, block+"\n")
	}
	return blocks
}

// The first problem file of docs/your-problem.md is valid, excerpts have known fields, and errors are as shown.
func TestPage(t *testing.T) {
	parts, texts := page(t, "toml"), page(t, "text") // texts contains the table and the errors
	p, err := Parse("coupling.toml", []byte(parts[0]), files(map[string]string{"coupling.csv": texts[0]}))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.Compile(); err != nil {
		t.Error(err)
	}
	for _, part := range parts[1:] {
		dec := toml.NewDecoder(strings.NewReader(part))
		if err := dec.DisallowUnknownFields().Decode(new(Problem)); err != nil {
			t.Errorf("%v:\n%s", err, part)
		}
	}
	shown := strings.Split(strings.TrimSpace(texts[1]), "\n")
	for i, x := range []struct{ of, old, new string }{
		{"toml", "plate    = 8", "plate    = 1.5"},
		{"toml", "tolerance = 1.0", "tolerence = 1.0"},
		{"csv", "64,2.9", "\"64,5\",2.9"},
	} {
		text, table := parts[0], texts[0]
		if x.of == "csv" {
			table = strings.Replace(table, x.old, x.new, 1)
		} else {
			text = strings.Replace(text, x.old, x.new, 1)
		}
		_, err := Parse("coupling.toml", []byte(text), files(map[string]string{"coupling.csv": table}))
		if err == nil || err.Error() != shown[i] {
			t.Errorf("the page shows\n%s\nbut the error is\n%v", shown[i], err)
		}
	}
	if !bytes.Contains(Schema(), []byte("tolerance")) {
		t.Error("no schema")
	}
}
