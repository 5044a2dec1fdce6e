package wire

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
)

// The log prints 40 lines of all guests together, and reports once that further lines were omitted. The error contains
// the ends of the last two lines of the guest, without a stack trace below the message.
func TestLastWords(t *testing.T) {
	var out strings.Builder
	x := &tail{log: &log{to: &out, prefix: "mine"}}
	for i := range 45 {
		fmt.Fprintf(x, "line %d\n", i)
	}
	if got := out.String(); strings.Count(got, "\n") != 41 || !strings.HasSuffix(got, "mine: line 39\nmine: further lines are not shown\n") {
		t.Errorf("%s", got)
	}
	io.WriteString(x, "Error: no arm\n    ^\n    at mine.js:3\nNode.js v20\n")
	if got := x.words(); got != "line 44 / Error: no arm" {
		t.Errorf("%q", got)
	}
	io.WriteString(x, strings.Repeat("a", 500)+"the end")
	if got := x.words(); len(got) != 4+mostWords || !strings.HasPrefix(got, "... a") || !strings.HasSuffix(got, "the end") {
		t.Errorf("%q", got)
	}
}

// A line cut by an error is not a message, even if the part that arrived is a valid message.
func TestTornLine(t *testing.T) {
	broke := errors.New("the pipe broke")
	torn := io.MultiReader(strings.NewReader(`{"type":"stop"}`), failing{broke})
	if line, err := readLine(bufio.NewReader(torn)); !errors.Is(err, broke) {
		t.Errorf("%s, %v; want %v", line, err, broke)
	}
}

type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }
