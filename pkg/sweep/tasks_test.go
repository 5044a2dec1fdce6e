package sweep

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
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

// Files are the same if each of their bytes is: those at the edges of what is read at a time, and at their ends, too.
func TestSameContent(t *testing.T) {
	dir := t.TempDir()
	const block = 1 << 16
	var texts [][]byte
	for _, n := range []int{0, 1, block - 1, block, block + 1, 2 * block} {
		text := bytes.Repeat([]byte("x"), n)
		texts = append(texts, text)
		for _, at := range []int{0, block - 1, n - 1} {
			if at >= 0 && at < n {
				other := bytes.Clone(text)
				other[at] = 'y'
				texts = append(texts, other)
			}
		}
	}
	name := func(i int) string { return filepath.Join(dir, strings.Repeat("f", i+1)) }
	for i, text := range texts {
		if err := os.WriteFile(name(i), text, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for i, a := range texts {
		for j, b := range texts {
			if same, err := sameContent(name(i), name(j)); err != nil || same != bytes.Equal(a, b) {
				t.Errorf("%d and %d, of %d and %d bytes: %v, %v", i, j, len(a), len(b), same, err)
			}
		}
	}
	for _, pair := range [][2]string{{name(0), name(0) + "?"}, {name(0) + "?", name(0)}, {name(0), dir}} {
		if same, err := sameContent(pair[0], pair[1]); err == nil || same {
			t.Errorf("%q: %v, %v; want an error", pair, same, err)
		}
	}
}

// A process is an element of an array job if Slurm says of which job and which element, and only then it can be put
// into the queue again.
func TestSlurmElement(t *testing.T) {
	for _, c := range []struct{ job, task, want string }{{"", "", ""}, {"12", "", ""}, {"", "3", ""}, {"12", "3", "12_3"}} {
		t.Setenv("SLURM_ARRAY_JOB_ID", c.job)
		t.Setenv("SLURM_ARRAY_TASK_ID", c.task)
		again := new(Sweep).Requeue(context.Background())
		if got := slurmElement(); got != c.want || (again == nil) != (c.want == "") {
			t.Errorf("job %q, task %q: %q; want %q", c.job, c.task, got, c.want)
		}
	}
}
