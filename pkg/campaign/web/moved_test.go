package web

import (
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/purexp/purexp/pkg/campaign"
	"github.com/purexp/purexp/pkg/campaign/problem"
)

// If the file of a campaign is replaced, the server stops serving the campaign.
func TestReplaced(t *testing.T) {
	p, err := problem.Parse("p.toml", []byte("question = { find = \"best\", delta = 0.1 }\ncandidates = { names = [\"a\", \"b\"] }\n"+
		"[[objective]]\nname = \"y\"\nnoise = { sd = 1 }\n"), nil)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	var files [2]*campaign.Campaign
	for i, name := range []string{"a", "b"} {
		if files[i], err = campaign.Create(filepath.Join(dir, name), p, "Ada"); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { files[i].Close() })
	}
	s := New(files[0], Access{Loopback: true}, "http://127.0.0.1:1")
	t.Cleanup(s.Close)
	if w := asked(s, "GET", "/api/state", ""); w.Code != http.StatusOK {
		t.Fatalf("%d %s", w.Code, w.Body)
	}
	if err := errors.Join(files[1].Close(), os.Rename(filepath.Join(dir, "b"), filepath.Join(dir, "a"))); err != nil {
		t.Fatal(err)
	}
	select {
	case err := <-s.Lost():
		if !errors.Is(err, campaign.ErrMoved) {
			t.Errorf("lost: %v", err)
		}
	case <-time.After(time.Minute):
		t.Error("the server does not notice")
	}
	for _, path := range []string{"/api/state", "/api/events", "/report", "/certificate", "/api/worksheet.csv"} {
		if w := asked(s, "GET", path, ""); w.Code < 500 {
			t.Errorf("%s: %d %.100s", path, w.Code, w.Body)
		}
	}
}
