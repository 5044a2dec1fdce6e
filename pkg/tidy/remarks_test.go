package tidy

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/mc"
)

// Remarks of runs that differ only in numbers become one note, with the first remark as an example.
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
		return err.Error() == "arm 2 is 0.3 below (and 2 similar messages with other numbers)"
	}) {
		t.Errorf("%v", w)
	}
	notes := remarkNotes(cs)
	for _, want := range []string{
		"M on x0, M on x1, M on x2, M on x3, M on x4, M on x5 and 3 more: one for all.",
		"M on x0, M on x1, M on x2, M on x3, M on x4, M on x5 and 3 more: arm 2 is 0.0 below " +
			"(and 2 similar messages with other numbers) (the first of several messages that differ only in their numbers).",
	} {
		if !slices.Contains(notes, want) {
			t.Errorf("%q is not in\n%s", want, strings.Join(notes, "\n"))
		}
	}
}
