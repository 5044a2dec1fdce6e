package tidy

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/mc"
)

// Remarks of runs that differ in their numbers only are one note, with the first as an example.
func TestRemarks(t *testing.T) {
	var rows []mc.Row
	for cell := range 9 {
		for rep := range 3 {
			rows = append(rows, mc.Row{
				Instance: fmt.Sprint("x", cell), Method: "M", Rep: rep + 1, Pulls: 10 + rep,
				Correct: true, Status: explore.Stopped.String(),
				Warnings: []string{fmt.Sprintf("arm 2 is 0.%d below", cell*3+rep), "one for all"},
			})
		}
	}
	cs := SampleComplexity(rows, .95)
	if w := cs[1].Warnings; !slices.ContainsFunc(w, func(err error) bool {
		return err.Error() == "arm 2 is 0.3 below (and 2 like it with other numbers)"
	}) {
		t.Errorf("%v", w)
	}
	notes := remarkNotes(cs)
	for _, want := range []string{
		"M on x0, M on x1, M on x2, M on x3, M on x4, M on x5 and 3 more: one for all.",
		"M on x0, M on x1, M on x2, M on x3, M on x4, M on x5 and 3 more: arm 2 is 0.0 below " +
			"(and 2 like it with other numbers) (the first of these; the others have other " +
			"numbers).",
	} {
		if !slices.Contains(notes, want) {
			t.Errorf("%q is not in\n%s", want, strings.Join(notes, "\n"))
		}
	}
}

// A note names six cells before it counts the others, and never counts none; what another method says is another note.
func TestRemarksNameSixCells(t *testing.T) {
	for n, want := range map[int]string{
		1: "M on x0: 3 of them.", 6: "M on x0, M on x1, M on x2, M on x3, M on x4, M on x5: 3 of them.",
		7: "M on x0, M on x1, M on x2, M on x3, M on x4, M on x5 and 1 more: 3 of them.",
	} {
		other := Complexity{Key: mc.Key{Method: "N", Instance: "x0"}, Warnings: []error{errors.New("tidy: 4 of them")}}
		var cs []Complexity
		for i := range n {
			cs = append(cs, Complexity{Key: mc.Key{Method: "M", Instance: fmt.Sprint("x", i)}, Warnings: []error{errors.New("tidy: 3 of them")}})
		}
		if got := remarkNotes(append(cs, other)); !slices.Equal(got, []string{want, "N on x0: 4 of them."}) {
			t.Errorf("%d cells: %q; want %q", n, got, want)
		}
	}
}

// Remarks are of one kind if they differ in numbers, however these are written.
func TestKinds(t *testing.T) {
	for _, text := range []string{"rate 3 of 4", "rate 1e-05 of 12", "rate 2.5e+07 of 0.5", "rate 1e9 of 1234"} {
		if kind(text) != kind("rate 7 of 7") {
			t.Errorf("%q is of another kind: %q", text, kind(text))
		}
	}
	for _, text := range []string{"rates 7 of 7", "rate 7 of x", "rate of 7", "rate 7 of 7.", "rate -7 of 7"} {
		if kind(text) == kind("rate 7 of 7") {
			t.Errorf("%q is of the same kind: %q", text, kind(text))
		}
	}
}
