// Package webtest provides a campaign, its server and a simulated laboratory for tests of the page.
// Package webtest is used by the tests of package web, and by the browser tests, which are in a
// separate module.
package webtest

import (
	"math/rand/v2"
	"net/http/httptest"
	"path/filepath"
	"testing"

	"github.com/purexp/purexp/pkg/campaign"
	"github.com/purexp/purexp/pkg/campaign/problem"
	"github.com/purexp/purexp/pkg/campaign/web"
)

// coupling is a chemist's problem file with six candidates and three objectives. Two objectives are
// measured; the values of the third objective are known.
const coupling = `
title = "Coupling"
question = { find = "pareto", delta = 0.05 }
candidates = { file = "candidates.csv", join = true }
objective = [
  { name = "yield", unit = "%", values = [0, 100], at_least = 50, tolerance = 5, noise = { sd = 2 } },
  { name = "impurity", unit = "%", goal = "minimise", values = [0, 30], at_most = 12, tolerance = 3, noise = { sd = 0.5 } },
  { name = "cost", unit = "EUR", goal = "minimise", known = true }]
[laboratory]
plate = 4
`

const candidates = "candidate,cost\nA01,12\nA02,31\nA03,14\nA04,33\n<b>A05</b>,18\nA06,60\n"

// Truth contains the true mean yield and impurity of each candidate.
var Truth = map[string][2]float64{"A01": {62, 8}, "A02": {88, 4}, "A03": {30, 9}, "A04": {70, 20},
	"<b>A05</b>": {80, 7}, "A06": {75, 9}}

// Begin starts a campaign. The text of the campaign's problem file is the concatenation before +
// coupling + after.
func Begin(t testing.TB, before, after string) *campaign.Campaign {
	t.Helper()
	p, err := problem.Parse("coupling.toml", []byte(before+coupling+after), func(string) ([]byte, error) {
		return []byte(candidates), nil
	})
	if err != nil {
		t.Fatal(err)
	}
	c, err := campaign.Create(filepath.Join(t.TempDir(), "coupling.campaign"), p, "ada")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	return c
}

// Serve starts a server for a campaign on a loopback address and returns its address.
func Serve(t testing.TB, c *campaign.Campaign) string {
	ts := httptest.NewUnstartedServer(nil)
	s := web.New(c, web.Access{Loopback: true}, "http://"+ts.Listener.Addr().String())
	ts.Config = web.HTTP(s)
	ts.Start()
	t.Cleanup(func() {
		ts.CloseClientConnections()
		ts.Close()
		s.Close()
	})
	return ts.URL
}

// Measure draws simulated results for tickets.
func Measure(rnd *rand.Rand, tickets []campaign.Ticket) []campaign.Result {
	var list []campaign.Result
	for _, t := range tickets {
		m := Truth[t.Arm]
		list = append(list, campaign.Result{Ticket: t.Ticket, Values: []float64{
			min(max(m[0]+2*rnd.NormFloat64(), 0), 100),
			min(max(m[1]+.5*rnd.NormFloat64(), 0), 30)}})
	}
	return list
}

// Finish makes measurements until the campaign has an answer.
func Finish(t testing.TB, c *campaign.Campaign, rnd *rand.Rand) {
	t.Helper()
	for range 400 {
		s, err := c.Status()
		if err != nil {
			t.Fatal(err)
		}
		if s.Status != campaign.Running {
			return
		}
		if _, err := c.Ask(50, "robot-2"); err != nil {
			t.Fatal(err)
		}
		pending, err := c.Tickets(campaign.Pending)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := c.Tell(Measure(rnd, pending), "robot-2"); err != nil {
			t.Fatal(err)
		}
	}
	t.Fatal("the campaign does not end")
}
