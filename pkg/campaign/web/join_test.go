package web_test

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/purexp/purexp/pkg/campaign/web/internal/webtest"
)

// post sends a body, and returns the status and the body of the response.
func post(t *testing.T, url, body string) string {
	t.Helper()
	resp, err := http.Post(url, "application/json", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprint(resp.StatusCode, " ", string(text))
}

// A candidate joins with the columns that the state lists, leaves, and cannot join again.
func TestJoin(t *testing.T) {
	c := webtest.Begin(t, "", "")
	url := webtest.Serve(t, c)
	resp, err := http.Get(url + "/api/state")
	if err != nil {
		t.Fatal(err)
	}
	var state bytes.Buffer
	_, err = state.ReadFrom(resp.Body)
	resp.Body.Close()
	if err != nil || !strings.Contains(state.String(), `"newcomer":["cost"]`) {
		t.Error(err, state.String())
	}
	for _, x := range []struct{ path, body, want string }{
		{"join", `{"arm": "A07", "as": "ada"}`, `column \"cost\": missing; give a value","location":"body.arm"`},
		{"join", `{"arm": "A07", "columns": {"cost": "dear"}, "as": "ada"}`, "422"},
		{"join", `{"arm": "A07", "columns": {"cost": 20, "size": 1}, "as": "ada"}`, "does not use"},
		{"join", `{"arm": "A07", "columns": {"cost": 20.5}, "as": "ada"}`, "204"},
		{"join", `{"arm": "A07", "columns": {"cost": 20}, "as": "ada"}`, "is already a candidate"},
		{"drop", `{"arm": "A07", "why": "sold out", "as": "ada"}`, "204"},
		{"join", `{"arm": "A07", "columns": {"cost": 20}, "as": "ada"}`, "409"},
	} {
		if got := post(t, url+"/api/"+x.path, x.body); !strings.Contains(got, x.want) {
			t.Errorf("%s %s: %s; want %s", x.path, x.body, got, x.want)
		}
	}
	p, err := c.Problem()
	if err != nil || p.Candidate("A07") >= 0 || p.K() != 6 {
		t.Error(p.K(), err)
	}
	// The question needs two candidates.
	for i, arm := range p.Candidates.Names {
		got := post(t, url+"/api/drop", fmt.Sprintf(`{"arm": %q, "why": "gone", "as": "ada"}`, arm))
		if want := "204"; i < p.K()-2 && !strings.HasPrefix(got, want) || i >= p.K()-2 && !strings.HasPrefix(got, "422") {
			t.Errorf("%s: %s", arm, got)
		}
	}
}
