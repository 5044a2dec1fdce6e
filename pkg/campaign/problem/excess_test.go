package problem

import (
	"fmt"
	"strings"
	"testing"
)

// TestExcess: decoding takes seconds to minutes for files like these, so that they are refused
// before, by the line that is one too many.
func TestExcess(t *testing.T) {
	var dotted, inline, tables strings.Builder
	inline.WriteString("title = {")
	for i := range 10 * mostFields {
		fmt.Fprintf(&dotted, "a%d.b.c.d = 1\n", i)
		fmt.Fprintf(&inline, "a%d.b = 1, ", i)
		fmt.Fprintf(&tables, "[[a%d.b]]\n", i)
	}
	inline.WriteString("z = 1}\n")
	deep := "\na" + strings.Repeat(".b", 50_000) + " = 1\n"
	nested := "title = " + strings.Repeat("{a = ", 9000) + "1" + strings.Repeat("}", 9000)
	for name, c := range map[string]struct{ text, want string }{
		"dotted": {dotted.String(), fmt.Sprintf("f.toml:%d: more than %d fields", mostFields+1, mostFields)},
		"inline": {inline.String(), "f.toml:1: more than"},
		"tables": {tables.String(), fmt.Sprintf("f.toml:%d: more than", mostFields+1)},
		"deep":   {deep, "f.toml:2: a name of more than 16 parts"},
		"nested": {nested, "f.toml:1: more than"},
	} {
		if _, err := Parse("f.toml", []byte(c.text), nil); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %.200v; want %q", name, err, c.want)
		}
	}
}
