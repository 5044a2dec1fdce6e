package sweep

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/purexp/purexp/pkg/mc"
)

// FuzzManifest reads arbitrary texts as sweep.json: an accepted manifest is also accepted after it is written again,
// and its names of files and jobs stay inside the sweep.
func FuzzManifest(f *testing.F) {
	f.Add([]byte(`{"format":"purexp sweep","version":1,"id":"a1","shards":2}`))
	text, err := json.Marshal(&Manifest{Format: Format, Version: Version, ID: "a1b2", Shards: 3,
		Outline: Outline{Header: mc.Header{Cells: make([]mc.CellInfo, 1)}, Reps: []int{3}}})
	if err != nil {
		f.Fatal(err)
	}
	if err := (&Sweep{}).parse(text); err != nil {
		f.Fatal(err)
	}
	f.Add(text)
	f.Fuzz(func(t *testing.T, text []byte) {
		s := &Sweep{Dir: "/x"}
		if err := s.parse(text); err != nil {
			if !strings.Contains(err.Error(), "create the sweep again") {
				t.Fatalf("no advice: %v", err)
			}
			return
		}
		if name := s.jobName(); strings.ContainsAny(name, "/\n ,") {
			t.Fatalf("the name of jobs is %q", name)
		}
		if path := s.Final(1); !strings.HasPrefix(path, "/x/") {
			t.Fatalf("rows are in %q", path)
		}
		again, err := json.Marshal(&s.Manifest)
		if err != nil {
			t.Fatal(err)
		}
		other := &Sweep{Dir: "/x"}
		if err := other.parse(again); err != nil {
			t.Fatalf("written again: %v\n%s", err, again)
		}
	})
}
