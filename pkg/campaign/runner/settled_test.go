package runner_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/purexp/purexp/pkg/campaign"
	"github.com/purexp/purexp/pkg/campaign/runner"
)

// writing is a context in which another program writes to a file each time the runner waits.
type writing struct {
	context.Context
	waits atomic.Int64
	next  func(n int64)
}

func (w *writing) Done() <-chan struct{} {
	w.next(w.waits.Add(1))
	return w.Context.Done()
}

// A file of results is read after it has stopped changing, not while a number is incomplete.
func TestFilesAreReadWhenWritten(t *testing.T) {
	c := three(t)
	dir := t.TempDir()
	put := func(text string) {
		if err := os.WriteFile(filepath.Join(dir, "plate-1.results.csv"), []byte(text), 0o600); err != nil {
			t.Error(err)
		}
	}
	ctx, stop := context.WithTimeout(t.Context(), 2*time.Minute)
	defer stop()
	w := &writing{Context: ctx, next: func(n int64) {
		switch n {
		case 1:
			put("") // the file exists, but is still empty
		case 2:
			put("ticket,yield\n1")
		case 3:
			put("ticket,yield\n1,5")
		case 4:
			put("ticket,yield\n1,50\n2,6")
		case 5:
			put("ticket,yield\n1,50\n2,60\n3,90\n")
		}
	}}
	f := runner.Files{Folder: dir, Size: 3, As: "robot", Every: time.Millisecond, Report: func(s string) {
		if !strings.HasPrefix(s, "plate ") {
			t.Error(s)
		}
		if strings.HasPrefix(s, "plate 2") {
			stop()
		}
	}}
	sum, err := f.Run(w, c)
	tickets, e := c.Tickets(campaign.Told)
	if !errors.Is(err, context.Canceled) || e != nil || sum.Made != 3 || len(tickets) != 3 {
		t.Fatalf("%+v, %v; %v, %v", sum, err, tickets, e)
	}
	s, err := c.Status()
	if err != nil || s.Arms[0].Estimate[0] != 50 || s.Arms[1].Estimate[0] != 60 || s.Arms[2].Estimate[0] != 90 {
		t.Errorf("%+v, %v", s.Arms, err)
	}
}
