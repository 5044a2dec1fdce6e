package web_test

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"github.com/purexp/purexp/pkg/campaign"
	"github.com/purexp/purexp/pkg/campaign/plan"
	"github.com/purexp/purexp/pkg/campaign/problem"
	"github.com/purexp/purexp/pkg/campaign/report"
	"github.com/purexp/purexp/pkg/campaign/web/internal/webtest"
)

// get requests url and decodes the JSON of the response into v.
func get(t *testing.T, url string, v any) {
	t.Helper()
	resp, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if err := json.NewDecoder(resp.Body).Decode(v); err != nil || resp.StatusCode != 200 {
		t.Fatalf("%s: %d, %v", url, resp.StatusCode, err)
	}
}

// The server returns the history in pages, the latest events first, and the worksheet of each person.
func TestDesk(t *testing.T) {
	c := webtest.Begin(t, "", "")
	url := webtest.Serve(t, c)
	for who, n := range map[string]int{"robot-1": 2, "robot-2": 3} {
		if _, err := c.Ask(n, who); err != nil {
			t.Fatal(err)
		}
	}
	var page struct {
		Events []struct {
			Event int `json:"event"`
		} `json:"events"`
		More bool `json:"more"`
	}
	for _, x := range []struct {
		query    string
		first, n int
		more     bool
	}{{"limit=2", 3, 2, true}, {"limit=2&before=2", 1, 1, false}, {"limit=1&before=3", 2, 1, true},
		{"limit=9", 3, 3, false}, {"limit=2&before=4", 3, 2, true}, {"limit=2&before=99", 3, 2, true}} {
		page.Events = nil
		get(t, url+"/api/events?"+x.query, &page)
		if len(page.Events) != x.n || page.Events[0].Event != x.first || page.More != x.more {
			t.Errorf("%s: %+v; want %d from event %d", x.query, page, x.n, x.first)
		}
	}
	for query, want := range map[string]int{"as=robot-1": 2, "as=robot-2": 3, "": 5, "as=eve": 0} {
		resp, err := http.Get(url + "/api/worksheet.csv?" + query)
		if err != nil {
			t.Fatal(err)
		}
		rows, err := csv.NewReader(resp.Body).ReadAll()
		if resp.Body.Close(); err != nil || len(rows) != 1+want ||
			!strings.HasPrefix(strings.Join(rows[0], ","), "plate,ticket,candidate,yield") {
			t.Errorf("worksheet of %q: %q, %v; want %d rows", query, rows, err, want)
		}
	}
}

// A suspicious result is recorded unless the request has unless_odd; the response always describes the result.
func TestUnlessOdd(t *testing.T) {
	c := webtest.Begin(t, "", "")
	url := webtest.Serve(t, c)
	if _, err := c.Tell([]campaign.Result{{Arm: "A01", ID: "1", Values: []float64{62, 8}}}, "ada"); err != nil {
		t.Fatal(err)
	}
	told := func(path, kind, body string) (out struct {
		Event, Used int
		Odd         []string
	}) {
		resp, err := http.Post(url+path, kind, strings.NewReader(body))
		if err == nil {
			err = json.NewDecoder(resp.Body).Decode(&out)
		}
		if err != nil || len(out.Odd) != 1 || !strings.Contains(out.Odd[0], "A01") {
			t.Errorf("%s: %+v, %v", path, out, err)
		}
		return out
	}
	const result, sheet = `{"results": [{"arm": "A01", "id": "2", "values": {"yield": 26, "impurity": 8}}], "as": "x"`, "candidate,id,yield,impurity\nA01,%d,26,8\n"
	a, b := told("/api/tell", "application/json", result+`, "unless_odd": true}`), told("/api/tell.csv?as=x&unless_odd=true", "text/csv", fmt.Sprintf(sheet, 2))
	d, e := told("/api/tell", "application/json", result+`}`), told("/api/tell.csv?as=x", "text/csv", fmt.Sprintf(sheet, 3))
	if f := told("/api/tell.csv?as=x&replicates=n", "text/csv", "candidate,id,yield,impurity,n\nA01,4,26,8,3\n"); f.Used != 3 {
		t.Errorf("a mean of three results: %+v", f)
	}
	if a.Event != 0 || b.Event != 0 || d.Event != 3 || e.Event != 4 {
		t.Errorf("events %d, %d, %d, %d; want 0, 0, 3, 4", a.Event, b.Event, d.Event, e.Event)
	}
}

// When a fixed budget is spent, the server reports a best guess, not an answer.
func TestBestGuess(t *testing.T) {
	p, err := problem.Parse("p.toml", []byte("question = { find = \"best\", delta = 0.1 }\ncandidates = { names = [\"A\", \"B\"] }\n"+
		"method = { name = \"Uniform, fixed budget\" }\nlaboratory = { measurements = 2 }\n[[objective]]\nname = \"y\"\nnoise = { sd = 1 }\n"), nil)
	if err != nil {
		t.Fatal(err)
	}
	c, err := campaign.Create(filepath.Join(t.TempDir(), "p.campaign"), p, "ada")
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	url := webtest.Serve(t, c)
	post(t, url+"/api/ask", `{"count": 2, "as": "x"}`)
	var state struct{ Members string }
	const values = `"values": {"y": 1}}`
	told := post(t, url+"/api/tell", `{"results": [{"ticket": 1, `+values+`, {"ticket": 2, `+values+`], "as": "x"}`)
	if get(t, url+"/api/state", &state); !strings.HasPrefix(state.Members, "In the best guess: ") || strings.Contains(told, "has its answer") || !strings.Contains(told, "Finished after 2") {
		t.Errorf("%q; %s", state.Members, told)
	}
	var wide, narrow report.Figure // a narrow page gets its own figure
	get(t, url+"/api/figures/plane", &wide)
	if get(t, url+"/api/figures/plane?width=narrow", &narrow); !strings.Contains(narrow.SVG, `width="330pt"`) || strings.Contains(wide.SVG, `width="330pt"`) {
		t.Errorf("%.200s; %.200s", wide.SVG, narrow.SVG)
	}
}

// A request beyond the budget is answered with tickets and a note.
func TestAskBeyondWhatCanBeAfforded(t *testing.T) {
	url := webtest.Serve(t, webtest.Begin(t, "", "measurements = 6\n"))
	for i, want := range []bool{false, true} {
		var out struct {
			Tickets []campaign.Ticket
			Note    string
		}
		answer, ok := strings.CutPrefix(post(t, url+"/api/ask", `{"count": 4, "as": "robot-1"}`), "200 ")
		if err := json.Unmarshal([]byte(answer), &out); err != nil || !ok {
			t.Fatal(answer, err)
		}
		if len(out.Tickets) != 4 || strings.Contains(out.Note, "6") != want {
			t.Errorf("ask %d: %d tickets, and %q", i+1, len(out.Tickets), out.Note)
		}
	}
}

// A forecast uses the results so far and includes confirming measurements. After the end, no measurements are left.
func TestForecast(t *testing.T) {
	c := webtest.Begin(t, "", "")
	url := webtest.Serve(t, c)
	rnd := rand.New(rand.NewPCG(1, 2))
	tickets, err := c.Ask(4, "robot-1")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.Tell(webtest.Measure(rnd, tickets), "robot-1"); err != nil {
		t.Fatal(err)
	}
	p, err := c.Problem()
	if err != nil {
		t.Fatal(err)
	}
	compiled, err := p.Compile()
	if err != nil {
		t.Fatal(err)
	}
	told, err := c.Rewards()
	if err != nil {
		t.Fatal(err)
	}
	rounds, err := c.Phases()
	if err != nil {
		t.Fatal(err)
	}
	want, err := plan.Remaining(t.Context(), compiled, told, rounds, &plan.Options{Runs: 60})
	if err != nil {
		t.Fatal(err)
	}
	var f struct {
		Event        int         `json:"event"`
		Runs         int         `json:"runs"`
		Measurements plan.Spread `json:"measurements"`
		Text         string      `json:"text"`
	}
	get(t, url+"/api/forecast", &f)
	if f.Event != 3 || f.Runs != 60 || f.Measurements != want.Measurements || !strings.HasPrefix(f.Text, "About ") {
		t.Errorf("%+v; want %+v", f, want)
	}
	confirmed, last := false, false
	for range 400 {
		s, err := c.Status()
		if err != nil {
			t.Fatal(err)
		}
		if s.Confirming > 0 {
			confirmed = true
			get(t, url+"/api/forecast", &f)
			want := fmt.Sprintf("The method has its answer. %d confirming measurements are left.", s.Confirming)
			if s.Confirming == 1 {
				want, last = "The method has its answer. One confirming measurement is left.", true
			}
			if f.Text != want || f.Event != s.Event {
				t.Errorf("during confirmation: %+v; want %s", f, want)
			}
		}
		if confirmed && s.Confirming == 0 {
			break
		}
		n := 4
		if confirmed {
			n = 1
		}
		if tickets, err = c.Ask(n, "robot-1"); err != nil || len(tickets) == 0 {
			t.Fatal(err, s.Headline)
		}
		if _, err := c.Tell(webtest.Measure(rnd, tickets), "robot-1"); err != nil {
			t.Fatal(err)
		}
	}
	if !confirmed || !last {
		t.Error("no confirmation was completed")
	}
	webtest.Finish(t, c, rnd)
	get(t, url+"/api/forecast", &f)
	if s, err := c.Status(); err != nil || s.Status != campaign.Finished || f.Event != s.Event ||
		!strings.HasPrefix(f.Text, "Nothing is left to measure: Finished") {
		t.Errorf("%+v, %v", f, err)
	}
	for path, body := range map[string]string{
		"/api/ask":  `{"count": 2, "as": "robot-1"}`,
		"/api/tell": `{"results": [{"arm": "A02", "id": "late", "values": {"yield": 88, "impurity": 4}}], "as": "robot-1"}`,
	} {
		want := map[string]string{"/api/ask": "There is nothing more to measure, because the campaign has its answer.",
			"/api/tell": `"notes":["Unused results stay on record; “What the guarantee covers” gives the reason.","The campaign has its answer."]`}
		if got := post(t, url+path, body); !strings.Contains(got, want[path]) {
			t.Errorf("%s: %s; want %s", path, got, want[path])
		}
	}
}

// With ?since=, a state lists only candidates that changed after this event; for a future event, it lists all.
func TestStateSince(t *testing.T) {
	c := webtest.Begin(t, "", "")
	url := webtest.Serve(t, c)
	state := func(query string) (s report.View) {
		get(t, url+"/api/state"+query, &s)
		return s
	}
	was := state("")
	tickets, err := c.Ask(1, "ada")
	if err != nil {
		t.Fatal(err)
	}
	news, all := state(fmt.Sprint("?since=", was.Event)), state("")
	if news.Since != was.Event || len(news.Arms) != 1 || news.Arms[0].Arm != tickets[0].Arm || news.Arms[0].Pending != 1 ||
		len(all.Arms) != len(was.Arms) || all.Since != 0 || all.Event != news.Event {
		t.Errorf("since %d: %+v; want %s alone", was.Event, news, tickets[0].Arm)
	}
	if s := state(fmt.Sprint("?since=", all.Event+1)); s.Since != 0 || len(s.Arms) != len(all.Arms) {
		t.Errorf("since a future event: since %d, %d arms; want all", s.Since, len(s.Arms))
	}
}
