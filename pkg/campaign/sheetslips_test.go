package campaign

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// sheetOf is a worksheet of three candidates that was filled in with these cells of yield, impurity and
// note.
func sheetOf(rows ...string) []byte {
	return fmt.Appendf(nil, "ticket;yield;impurity;note\n1;%s\n2;%s\n3;%s\n", rows[0], rows[1], rows[2])
}

// What is wrong with one cell is said of it, and not of the others, whatever commas they have.
func TestSheetSlips(t *testing.T) {
	for _, x := range []struct {
		rows []string
		want string // all of the error
	}{
		{[]string{"56.9;4,36;", "88,1;3,56;", "59,2;3,27;"},
			`p.csv:2: yield: "56.9" has a decimal point, and 2 others of the column have a comma; write 56,9`},
		{[]string{"56.9;4.36;", "88,1;3.56;", "59.2;3.27;"},
			`p.csv:3: yield: "88,1" is not a finite number; if the comma is a decimal one, write 88.1`},
		{[]string{"56,9;kaputt;", "88,1;3,56;", "59,2;3,27;"},
			`p.csv:2: impurity: "kaputt" is not a finite number; if there is no result, write failed`},
	} {
		c := begin(t)
		ask(t, c, 3)
		_, err := c.TellSheet("p.csv", sheetOf(x.rows...), "test")
		if !errors.Is(err, ErrInput) || err.Error() != x.want {
			t.Errorf("%q: %v; want %s", x.rows, err, x.want)
		}
	}
}

// A row that failed says so in a cell of a value or, without values, in its note; with decimal commas, too.
// A note that says something else leaves its row pending.
func TestFailedInSheets(t *testing.T) {
	for _, x := range []struct {
		row           string
		failed, noted bool
	}{{"failed;;", true, false}, {";Failed;", true, false}, {";;failed", true, true}, {";;Failed: empty well", true, true},
		{";;failed (dry)", true, true}, {";;failed to find it", false, false}, {";;later", false, false}, {";;failedX", false, false}} {
		c := begin(t)
		ask(t, c, 3)
		sheet := sheetOf("56,9;4,36;", x.row, "59,2;3,27;failed before")
		results, notes, err := c.ReadBatch("", "p.csv", sheet)
		if err != nil {
			t.Errorf("%q: %v", x.row, err)
			continue
		}
		noted := slices.ContainsFunc(notes, func(note string) bool { return strings.Contains(note, "line 3) taken as failed") })
		receipt, err := c.Tell(results, "test")
		if err != nil || receipt.Used != 2 || receipt.Failed == 1 != x.failed || noted != x.noted {
			t.Errorf("%q: %+v, noted %v, %v", x.row, receipt, noted, err)
		}
	}
}

// A rate in the place of successes is told as such.
func TestRateInSheets(t *testing.T) {
	c := beginWith(t, trial(t, ""))
	ask(t, c, 1)
	_, err := c.TellSheet("p.csv", []byte("ticket,responses,toxicity\n1,75%,2\n"), "test")
	if want := `p.csv:2: responses: "75%"; want a whole number of successes of 12 trials`; err == nil || err.Error() != want {
		t.Errorf("%v; want %s", err, want)
	}
}
