package sweep

import (
	"slices"
	"testing"
)

// What the queue lists are tasks; lines that are none, and elements that wait together, are left out.
func TestTasks(t *testing.T) {
	got := tasks("12|3|RUNNING\n\n12|4\n12_[5-8]|[5-8]|PENDING\n 12|9|CANCELLED by 1000 \nwarning\n")
	want := []task{{"12_3", 3, "RUNNING"}, {"12_9", 9, "CANCELLED"}}
	if !slices.Equal(got, want) {
		t.Errorf("%+v; want %+v", got, want)
	}
	if got[0].over() || !got[1].over() {
		t.Errorf("over: %v and %v", got[0].over(), got[1].over())
	}
}
