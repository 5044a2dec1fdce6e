package web_test

import (
	"io"
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"github.com/purexp/purexp/pkg/campaign"
	"github.com/purexp/purexp/pkg/campaign/problem"
	"github.com/purexp/purexp/pkg/campaign/web/internal/webtest"
)

// The state of a trial has rates, and what its columns of results count; a result says how many could be evaluated.
func TestRates(t *testing.T) {
	p, err := problem.Parse("t.toml", []byte(`question = {find = "best", delta = 0.1}
candidates = {names = ["low", "high"]}
[[objective]]
name = "responses"
amounts = "rates"
at_least = 0.4
noise = { counts = 12, of = "patients", evaluable = "seen" }
`), nil)
	if err != nil {
		t.Fatal(err)
	}
	c, err := campaign.Create(filepath.Join(t.TempDir(), "t.campaign"), p, "Ada")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	if _, err := c.Ask(2, "ada"); err != nil {
		t.Fatal(err)
	}
	url := webtest.Serve(t, c)
	for _, x := range []struct{ body, want string }{
		{`{"results": [{"ticket": 1, "values": {"responses": 4, "seen": 13}}], "as": "ada"}`, "13 evaluable patients; a measurement has at most 12"},
		{`{"results": [{"ticket": 1, "values": {"responses": 4, "seen": "many"}}], "as": "ada"}`, `\"many\" is not a finite number`},
		{`{"results": [{"ticket": 1, "values": {"responses": 4, "seen": 10}}, {"ticket": 2, "values": {"responses": 6}}], "as": "ada"}`, `"used":2`},
	} {
		if got := post(t, url+"/api/tell", x.body); !strings.Contains(got, x.want) {
			t.Errorf("%s: %s; want %s", x.body, got, x.want)
		}
	}
	resp, err := http.Get(url + "/api/state")
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	state, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"trials":22`, `"called":"patients"`, `"estimate":[0.4]`, `"estimate":[0.5]`,
		`"objectives":["responses [rate]"]`, `"evaluable":"seen"`, `"trials":12`, `"limit":0.4`} {
		if !strings.Contains(string(state), want) {
			t.Errorf("no %s in %s", want, state)
		}
	}
}
