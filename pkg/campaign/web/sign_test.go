package web_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/purexp/purexp/pkg/campaign"
	"github.com/purexp/purexp/pkg/campaign/web/internal/webtest"
)

// status returns the status of a campaign.
func status(t *testing.T, c *campaign.Campaign) campaign.Status {
	t.Helper()
	s, err := c.Status()
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// After a frozen campaign has ended, changes through the API need a reason and a second person; both are recorded.
func TestConsent(t *testing.T) {
	c := webtest.Begin(t, "protocol = \"frozen\"\n", "")
	url := webtest.Serve(t, c)
	webtest.Finish(t, c, rand.New(rand.NewPCG(1, 2)))
	s := status(t, c)
	end, ended := s.Event, s.Ended
	undo := fmt.Sprintf(`{"event": %d, "why": "a slip", %%s"as": "Ada"}`, ended)
	for _, x := range []struct{ path, body, want string }{
		{"drop", `{"arm": "A01", "why": "sold out", "as": "Ada"}`, "give a reason for the change (--why), and the name of a second person"},
		{"join", `{"arm": "A07", "columns": {"cost": 20}, "as": "Ada"}`, "409"},
		{"join", `{"arm": "A07", "columns": {"cost": 20}, "by": "Grace", "as": "Ada"}`, "409"},
		{"undo", fmt.Sprintf(undo, ""), "409"},
		{"drop", `{"arm": "A01", "why": "sold out", "by": "ada", "as": "Ada"}`, `"location":"body.by"`},
		{"drop", `{"arm": "A01", "why": "sold out", "by": "Grace", "as": "Ada"}`, "204"},
		{"join", `{"arm": "A07", "columns": {"cost": 20}, "why": "more came", "by": "Grace", "as": "Ada"}`, "204"},
		{"undo", fmt.Sprintf(undo, `"by": "Grace", `), "204"},
	} {
		if got := post(t, url+"/api/"+x.path, x.body); !strings.Contains(got, x.want) {
			t.Errorf("%s %s: %s; want %s", x.path, x.body, got, x.want)
		}
	}
	if s = status(t, c); len(s.Amendments) != 3 || s.Event != end+3 {
		t.Fatalf("%d events, and %+v", s.Event-end, s.Amendments)
	}
	for i, why := range []string{"sold out", "more came", "a slip"} {
		if a := s.Amendments[i]; a.By != "Grace" || a.Who != "Ada" || !strings.Contains(a.Text, why) {
			t.Errorf("%+v; want the reason %q", a, why)
		}
	}
}
