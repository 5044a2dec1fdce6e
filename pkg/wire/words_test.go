package wire

import (
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
