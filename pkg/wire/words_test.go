package wire

import (
	"fmt"
	"strings"
	"testing"
)

// What an error shows of a guest's last words is their end.
func TestLastWords(t *testing.T) {
	w := &tail{log: &log{}}
	for range 40 {
		if _, err := w.Write([]byte(strings.Repeat("x", 200) + "\n")); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := w.Write([]byte("first " + strings.Repeat("y", 2*mostWords) + " the last word\n")); err != nil {
		t.Fatal(err)
	}
	if got := w.words(); len(got) != mostWords+4 || !strings.HasPrefix(got, "... yy") || !strings.HasSuffix(got, " the last word") {
		t.Errorf("%q", got)
	}
}

// An error shows the last two lines of substance, whatever the program puts around and below them.
func TestLastLines(t *testing.T) {
	for said, want := range map[string]string{
		"": "", "\n \n": "", "one": "one", "one\n": "one", "one\ntwo\n": "one / two", "one\ntwo\nthree\n": "two / three",
		"one\n    ^^^^~\n\ntwo\n": "one / two", "why\n    at f (x.js:1)\n\nNode.js v20.1.0\n": "why", "^\n": "^",
		strings.Repeat("z", mostWords): strings.Repeat("z", mostWords),
	} {
		w := &tail{log: &log{}}
		for _, part := range strings.SplitAfter(said, "n") { // in pieces
			if n, err := w.Write([]byte(part)); n != len(part) || err != nil {
				t.Fatal(n, err)
			}
		}
		if got := w.words(); got != want {
			t.Errorf("%q: %q; want %q", said, got, want)
		}
	}
}

// A log has the first lines, whole, however they come in pieces, and says that there are more.
func TestLogHasFirstLines(t *testing.T) {
	for lines, more := range map[int]string{0: "", 1: "", mostLines: "", mostLines + 1: "me: more is not shown\n", 2 * mostLines: "me: more is not shown\n"} {
		var out, in, want strings.Builder
		l := &log{to: &out, prefix: "me"}
		for i := range lines {
			fmt.Fprintf(&in, "line %d\r\n", i)
			if i < mostLines {
				fmt.Fprintf(&want, "me: line %d\n", i)
			}
		}
		for text := in.String() + "not ended"; text != ""; {
			n := min(5, len(text))
			l.add([]byte(text[:n]))
			text = text[n:]
		}
		if got := out.String(); got != want.String()+more {
			t.Errorf("%d lines: %q", lines, got)
		}
	}
}
