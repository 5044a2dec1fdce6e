package campaign

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/purexp/purexp/internal/golden"
)

// Import rejects a record that differs from the output of Export, names the line and the error, and leaves no
// file. The texts are in testdata.
func TestImportsRefused(t *testing.T) {
	c := begin(t)
	ask(t, c, 2)
	tell(t, c, Result{Ticket: 1, Values: []float64{70, 2}})
	var record bytes.Buffer
	must(t, c.Export(&record))
	lines := strings.SplitAfter(record.String(), "\n") // the header, three events, and "" after the last newline
	if len(lines) != 5 {
		t.Fatalf("%d lines of %q", len(lines), record.String())
	}
	head, rest := lines[0], strings.Join(lines[1:], "")
	edited := func(line int, old, new string) string {
		changed := append([]string(nil), lines...)
		if changed[line] = strings.Replace(lines[line], old, new, 1); changed[line] == lines[line] {
			t.Fatalf("line %d has no %s: %s", line+1, old, lines[line])
		}
		return strings.Join(changed, "")
	}
	var out strings.Builder
	for _, x := range []struct{ what, text string }{
		{"as it is", record.String()}, {"empty lines", strings.ReplaceAll(record.String(), "\n", "\n\n")}, {"no last line end", strings.TrimSpace(record.String())},
		{"nothing", ""}, {"a table", "ticket,candidate\n1,A07\n"}, {"no head", rest}, {"the head alone", head},
		{"no end", strings.Join(lines[:3], "")}, {"no event", strings.Join(append([]string{head}, lines[2:]...), "")},
		{"an event twice", record.String() + lines[3]}, {"two trade places", head + lines[1] + lines[3] + lines[2]},
		{"another version", edited(0, `"version":1`, `"version":2`)}, {"another format", edited(0, exportFormat, "recipe")},
		{"a field more", edited(2, `{`, `{"colour":"red",`)}, {"a field more in the head", edited(0, `{`, `{"colour":"red",`)},
		{"half a line", strings.TrimSuffix(record.String(), "}\n")}, {"no object", head + "[]\n" + rest},
		{"somebody else", edited(2, `"who":"`, `"who":"x`)}, {"nobody", edited(2, `"who":"robot-1"`, `"who":""`)},
		{"another number", edited(3, `70`, `71`)},
	} {
		path := filepath.Join(t.TempDir(), "c.campaign")
		again, err := Import(path, strings.NewReader(x.text))
		kind := "other"
		switch {
		case err == nil:
			kind = "taken"
			if s := status(t, again); s.Hash != status(t, c).Hash {
				t.Errorf("%s: imported as another campaign", x.what)
			}
			again.Close()
		case errors.Is(err, ErrDamaged):
			kind = "damaged"
		case errors.Is(err, ErrForeign):
			kind = "foreign"
		case errors.Is(err, ErrNewer):
			kind = "newer"
		}
		if _, none := os.Stat(path); err != nil && none == nil {
			t.Errorf("%s: Import failed, but left a file", x.what)
		}
		fmt.Fprintf(&out, "%s: %s: %v\n", x.what, kind, err)
	}
	golden.Check(t, "imports.txt", golden.Steady(out.String()))
}
