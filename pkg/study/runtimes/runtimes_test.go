package runtimes_test

import (
	"fmt"
	"testing"

	"github.com/purexp/purexp/pkg/study"
	"github.com/purexp/purexp/pkg/study/ecape"
	"github.com/purexp/purexp/pkg/study/runtimes"
)

// Made-up times.
func TestSooner(t *testing.T) {
	times := func(x, spread float64) []runtimes.Timing {
		ours, theirs := runtimes.Timing{Instance: "a", Method: "ours"},
			runtimes.Timing{Instance: "a", Method: "theirs"}
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

// Time that a paper states by the pull, and here.
func ExampleStated_PerPull() {
	s := runtimes.Stated{Milliseconds: 672, Pulls: 2679}
	fmt.Printf("%.0f us a pull; 100 us are %s times faster\n", s.PerPull(),
		runtimes.Faster(s.PerPull(), 100))
	// Output:
	// 251 us a pull; 100 us are 3 times faster
}
