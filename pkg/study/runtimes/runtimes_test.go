package runtimes_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/purexp/purexp/pkg/bandit"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/study"
	"github.com/purexp/purexp/pkg/study/ecape"
	"github.com/purexp/purexp/pkg/study/runtimes"
	"github.com/purexp/purexp/pkg/tidy"
)

// TestSooner uses made-up times.
func TestSooner(t *testing.T) {
	times := func(x, spread float64) []runtimes.Timing {
		ours, theirs := runtimes.Timing{Instance: "a", Method: "ours"}, runtimes.Timing{Instance: "a", Method: "theirs"}
		for i := range 12 {
			ours.Milliseconds = append(ours.Milliseconds, x*(1+spread*float64(i%5-2)))
			theirs.Milliseconds = append(theirs.Milliseconds, 1+spread*float64(i%7-3)/2)
		}
		return []runtimes.Timing{theirs, ours}
	}
	for _, c := range []struct {
		x, spread float64
		want      study.Outcome
	}{{.5, .01, study.Agrees}, {2, .01, study.Differs}, {1, .2, study.NotComparable}} {
		v := runtimes.Sooner(times(c.x, c.spread), "both", "a", "ours", "theirs")
		if v.Outcome != c.want {
			t.Errorf("%v times the other method's time: %+v; want %v", c.x, v, c.want)
		}
	}
	v := runtimes.Sooner(times(1, .1), "both", "b", "ours", "theirs")
	if v.Outcome != study.NotComparable {
		t.Errorf("an instance that was not timed: %+v", v)
	}
	if n := len(ecape.Runtime.Claims); n != 4 {
		t.Errorf("%d claims about runtimes; want one an instance", n)
	}
}

// Compare the time of a pull in a paper with that on this machine.
func ExampleStated_PerPull() {
	s := runtimes.Stated{Milliseconds: 672, Pulls: 2679}
	fmt.Printf("%.0f us a pull; 100 us are %s times faster\n", s.PerPull(), runtimes.Faster(s.PerPull(), 100))
	// Output:
	// 251 us a pull; 100 us are 3 times faster
}

// If the number of runs is that of the paper, the runs are timed only once, for the table and all claims. For any
// other number, each table times its own runs.
func TestOnce(t *testing.T) {
	made := 0
	e := ecape.Runtime
	e.Sizes, e.Methods = e.Sizes[:1], slices.Clone(e.Methods[:2])
	for i, m := range e.Methods {
		e.Methods[i].New = func(t study.Task) explore.Policy { made++; return m.New(t) }
	}
	c := runtimes.Comparison{Experiment: e, Runs: 3, Table: "Table 9", Notes: []string{"A note.", "Another."},
		Stated: func(string, string) runtimes.Stated { return runtimes.Stated{Milliseconds: 5} }}
	check := c.Sooner("a / b", e.Names[0], e.Methods[0].Name, e.Methods[1].Name)
	for _, x := range []struct {
		do   func() (*tidy.Table, error)
		made int
	}{
		{func() (*tidy.Table, error) { return c.Beside(1) }, 2}, {func() (*tidy.Table, error) { return c.Beside(3) }, 4},
		{func() (*tidy.Table, error) {
			if v := check(nil); v.Outcome != study.NotComparable || !strings.HasPrefix(v.Measured, "time of a / b on "+e.Names[0]) ||
				!strings.Contains(v.Measured, "(of 3)") || !strings.Contains(v.Why, "less time") {
				t.Errorf("%+v; want that three runs are not comparable", v)
			}
			return c.Beside(3)
		}, 4},
		{func() (*tidy.Table, error) {
			ts, err := c.Tables(nil)
			return ts[0], err
		}, 4}, {func() (*tidy.Table, error) { return c.Beside(2) }, 6}, {func() (*tidy.Table, error) { return c.Beside(4) }, 8},
	} {
		table, err := x.do()
		if err != nil || made != x.made || len(table.Rows) != 2 || table.Title != "Runtime of one run (Table 9)" || len(table.Notes) != 2 ||
			!strings.HasSuffix(table.Notes[0], " the time to draw rewards. A note.") {
			t.Errorf("%v, %v: %d policies were made; want %d", table, err, made, x.made)
		}
	}
	e.Instance = func(int, int) (*bandit.Instance, error) { return nil, errors.New("no table") }
	none := runtimes.Comparison{Experiment: e, Runs: 1}
	if _, err := none.Beside(1); err == nil {
		t.Error("no error for an instance that cannot be created")
	}
	if v := none.Sooner("a / b", "x", "a", "b")(nil); v.Outcome != study.NotComparable || !strings.Contains(v.Why, "no table") {
		t.Errorf("an instance that cannot be had: %+v", v)
	}
	for s, want := range map[runtimes.Stated]float64{{Milliseconds: 3}: 0, {Milliseconds: 3, Pulls: 1}: 3000, {Milliseconds: 3, SD: 1, Pulls: 6}: 500} {
		if got := s.PerPull(); got != want {
			t.Errorf("%+v: %v us a pull; want %v", s, got, want)
		}
	}
	for _, x := range []struct {
		paper, here float64
		want        string
	}{{672, 100, "7"}, {100, 672, "0"}, {149, 100, "1"}, {151, 100, "2"}} {
		if got := runtimes.Faster(x.paper, x.here); got != x.want {
			t.Errorf("%v beside %v: %s times; want %s", x.paper, x.here, got, x.want)
		}
	}
}
