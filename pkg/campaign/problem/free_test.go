package problem

import (
	"errors"
	"strings"
	"testing"

	"github.com/purexp/purexp/pkg/explore"
)

// Free wells hold requested and undecided candidates, as evenly as possible.
func TestFill(t *testing.T) {
	c := compile(t, read(t, catalysts, catalystTable))
	decided := explore.Reason{Class: explore.Dominated}
	for _, x := range []struct {
		plate   []explore.Pull
		reasons []explore.Reason
		n       int
		want    [3]int // measurements of each candidate on the plate
	}{
		{[]explore.Pull{{Arm: 0, N: 2}}, []explore.Reason{{}, {}, decided}, 4, [3]int{3, 3, 0}},
		{[]explore.Pull{{Arm: 2, N: 1}}, []explore.Reason{{}, decided, decided}, 3, [3]int{2, 0, 2}},
		{[]explore.Pull{{Arm: 1, N: 1}, {Arm: 1, N: 1}}, nil, 5, [3]int{0, 7, 0}},
		{[]explore.Pull{{Arm: 1, N: 1}}, nil, 0, [3]int{0, 1, 0}},
	} {
		var got [3]int
		full := c.Fill(x.plate, x.n, explore.Answer{Reasons: x.reasons})
		for _, p := range full {
			got[p.Arm] += p.N
		}
		if got != x.want {
			t.Errorf("%v and %d more of %v: %v; want %v", x.plate, x.n, x.reasons, got, x.want)
		}
	}
}

// Filled plates require a method that uses additional measurements.
func TestFillable(t *testing.T) {
	const fill = "plate = 8\nfill = true"
	text := strings.Replace(catalysts, "plate = 8", fill, 1)
	if c := compile(t, read(t, text, catalystTable)); !c.Source.Laboratory.Fill || !c.Overlaps() {
		t.Errorf("%+v by %s", c.Source.Laboratory, c.Card.Name)
	}
	p := read(t, "question = { find = \"good\", delta = 0.1 }\nmethod = { name = \"LinFACT\" }\n[[objective]]\nname = \"y\"\n"+
		"tolerance = 1\nnoise = { sd = 1 }\n[candidates]\nnames = [\"a\", \"b\"]\n[laboratory]\n"+fill, "")
	_, err := p.Compile()
	var wrong Errors
	if !errors.Is(err, ErrFill) || !errors.As(err, &wrong) || wrong[0].Field != "laboratory.fill" ||
		wrong[0].Line == 0 || !strings.Contains(err.Error(), "such as (ST)^2") {
		t.Errorf("a method with rounds of its own: %v", err)
	}
	p.Laboratory.Fill = false
	if _, err := p.Compile(); err != nil {
		t.Error(err)
	}
	one := strings.Replace(catalysts, "plate = 8", "fill = true", 1)
	_, err = Parse("p.toml", []byte(one), files(map[string]string{"catalysts.csv": catalystTable}))
	if !errors.As(err, &wrong) || wrong[0].Field != "laboratory.fill" {
		t.Errorf("plates of one well: %v", err)
	}
}
