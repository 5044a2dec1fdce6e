package sweep

import (
	"slices"
	"strings"
	"testing"

	"github.com/purexp/purexp/pkg/mc"
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

// What differs is said of the file first, and of the sweep then.
func TestDiffer(t *testing.T) {
	own := mc.Header{Study: "own", Seed: 1, Digest: "a", Code: "first"}
	for want, h := range map[string]mc.Header{
		`study is "other", that of the sweep is "own"`:         {Study: "other", Seed: 1, Digest: "a", Code: "first"},
		"seed is 2, that of the sweep is 1":                    {Study: "own", Seed: 2, Digest: "a", Code: "first"},
		"instances, methods or settings are others than those": {Study: "own", Seed: 1, Digest: "b", Code: "first"},
		`it is of code "second", the sweep is of code "first"`: {Study: "own", Seed: 1, Digest: "a", Code: "second"},
	} {
		if got := differ(&h, &own); !strings.HasPrefix(got, want) {
			t.Errorf("%q; want %q", got, want)
		}
	}
	if got := differ(&own, &own); got != "" {
		t.Error(got)
	}
}

// The name of a job can be read between the commas and spaces of what the queue lists.
func TestJobName(t *testing.T) {
	for study, want := range map[string]string{"toy": "toy", "linfact/settings": "linfact-settings", "a, b=c|dé%J\n": "a--b=c-d--J-"} {
		s := &Sweep{}
		s.Study.Name, s.ID = study, "abc"
		if got := s.jobName(); got != "purexp-"+want+"-abc" {
			t.Errorf("%q: %q", study, got)
		}
	}
}
