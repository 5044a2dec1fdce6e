package campaign

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/purexp/purexp/pkg/campaign/problem"
)

// Too many candidates are rejected and leave no file; where a campaign is already, that is what Create says.
func TestCreateServable(t *testing.T) {
	p := purities(problem.FindBest, "", 0)
	p.Objectives[0].Noise = problem.Noise{Range: []float64{0, 1}}
	for i := range 2998 {
		p.Candidates.Names = append(p.Candidates.Names, fmt.Sprint(i))
	}
	path := filepath.Join(t.TempDir(), "x.campaign")
	_, err := Create(path, p, "Ada")
	var e problem.Errors
	if _, there := os.Stat(path); !errors.As(err, &e) || e[0].Field != "candidates" || !errors.Is(there, fs.ErrNotExist) {
		t.Errorf("%v; file: %v", err, there)
	}
	if _, err := Create(begin(t).Path(), p, "Ada"); !errors.Is(err, fs.ErrExist) {
		t.Errorf("over a campaign: %v", err)
	}
}
