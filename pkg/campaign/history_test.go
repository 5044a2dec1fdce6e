package campaign

import "testing"

// TestHistoryCounts: a line of the history names a single result, and counts several: how many, of
// which unsolicited.
func TestHistoryCounts(t *testing.T) {
	c := begin(t)
	for _, x := range []struct{ batch, rows, want string }{
		{"one", "A07,70,1\n", "A07: [70 1], 1 unsolicited"},
		{"two", "A07,70,1\nB02,60,2\n", "2 results, 2 unsolicited"},
	} {
		table := "candidate,yield,impurity\n" + x.rows
		if _, err := c.TellBatch(x.batch, "old.csv", []byte(table), "Ada"); err != nil {
			t.Fatal(err)
		}
		list, err := c.Events(0)
		if err != nil {
			t.Fatal(err)
		}
		if got := list[len(list)-1].Text; got != x.want {
			t.Errorf("%q; want %q", got, x.want)
		}
	}
}
