package fig

import "testing"

// Places that are close to each other are not labelled one by one.
func TestApart(t *testing.T) {
	for _, c := range []struct {
		xs   []float64
		log  bool
		want bool
	}{
		{[]float64{5, 10, 20}, false, true},
		{[]float64{4175, 4230, 5749, 14026}, false, false},
		{[]float64{4175, 4230, 5749, 14026}, true, false},
		{[]float64{10, 100, 1000, 10000}, true, true},
		{[]float64{10, 100, 1000, 10000}, false, false},
		{[]float64{7}, false, true},
	} {
		if got := haveRoom(c.xs, c.log); got != c.want {
			t.Errorf("%v, log %v: %v", c.xs, c.log, got)
		}
	}
}
