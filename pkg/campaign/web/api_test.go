package web

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/purexp/purexp/internal/golden"
	"github.com/purexp/purexp/pkg/campaign"
)

func itoa(i int) string { return strconv.Itoa(i) }

// TestOperations: well-formed requests reach the desk; errors of other requests name the wrong field.
func TestOperations(t *testing.T) {
	s, d := served(t, Access{Loopback: true})
	for _, c := range []struct {
		method, path, body string
		code               int
		says               string
	}{
		{"GET", "/api/state", "", 200, `"title":"stub"`},
		{"POST", "/api/ask", askBody, 200, `"tickets":[]`},
		{"POST", "/api/ask", `{"count": 0, "as": "x"}`, 422, "body.count"},
		{"POST", "/api/ask", `{"count": 1}`, 422, "required property as"},
		{"POST", "/api/ask", `{"count": 1, "as": "x", "size": 8}`, 422, "body.size"},
		{"POST", "/api/ask", `{"count": 1.5, "as": "x"}`, 422, "body.count"},
		{"POST", "/api/ask", `{"count": 1`, 400, "JSON"},
		{"POST", "/api/ask", ``, 400, "body"},
		{"POST", "/api/tell", `{"results": [{"ticket": 1, "values": {"yield": 71.2}}], "as": "x"}`,
			200, `"used":1`},
		{"POST", "/api/tell", `{"results": [{"ticket": 1, "values": {"yield": "71,2"}}], "as": "x"}`,
			200, `"used":1`},
		{"POST", "/api/tell", `{"results": [{"ticket": 1, "failed": true}], "as": "x"}`, 200, `"notes":[]`},
		{"POST", "/api/tell", `{"results": [], "as": "x"}`, 422, "body.results"},
		{"POST", "/api/tell", `{"results": null, "as": "x"}`, 422, `validation failed: body.results: `},
		{"POST", "/api/tell", `{"results": [{"ticket": 1, "values": {"yield": null}}], "as": "x"}`, 422,
			`validation failed: body.results[0].values.yield: expected a finite number`},
		{"POST", "/api/ask", `{"count": null, "as": "x"}`, 422, `validation failed: body.count: `},
		{"GET", "/api/figures/effort?width=vast", "", 422, `validation failed: query.width: `},
		{"POST", "/api/tell", `{"results": [{"ticket": -1}], "as": "x"}`, 422, "body.results[0].ticket"},
		{"POST", "/api/tell", `{"results": [{"ticket": 1, "values": {"yield": true}}], "as": "x"}`,
			422, "body.results[0].values.yield"},
		{"POST", "/api/tell", `{"results": [{"ticket": 1, "values": {"yield": 1e999}}], "as": "x"}`,
			400, "1e999"},
		{"POST", "/api/tell.csv?as=x", "ticket,yield\n1,2\n", 200, `"used":17`},
		{"POST", "/api/tell.csv", "ticket,yield\n1,2\n", 422, "query.as"},
		{"POST", "/api/drop", `{"arm": "A01", "why": "sold out", "as": "x"}`, 204, ""},
		{"POST", "/api/drop", `{"arm": "A01", "why": "", "as": "x"}`, 422, "body.why"},
		{"POST", "/api/join", `{"arm": "A09", "columns": {"cost": 12.5}, "as": "x"}`, 204, ""},
		{"POST", "/api/join", `{"arm": "A09", "columns": {"cost": true}, "as": "x"}`, 422,
			"body.columns.cost"},
		{"POST", "/api/undo", `{"event": 3, "why": "slip", "by": "y", "as": "x"}`, 204, ""},
		{"POST", "/api/sign", `{"event": 3, "name": "Grace", "role": "physician", "as": "x"}`, 204, ""},
		{"POST", "/api/sign", `{"name": "Grace", "as": "x"}`, 422, "event"},
		{"POST", "/api/sign", `{"event": 3, "name": "", "as": "x"}`, 422, "body.name"},
		{"POST", "/api/undo", `{"event": 2, "event": 3, "why": "slip", "as": "x"}`, 400, "event: the field occurs twice"},
		{"POST", "/api/undo", `{"event": 2, "Event": 3, "why": "slip", "as": "x"}`, 422, "body.Event"},
		{"POST", "/api/undo", `{"event": 0, "why": "slip", "as": "x"}`, 422, "body.event"},
		{"GET", "/api/events?limit=5&before=9", "", 200, `"more":false`},
		{"GET", "/api/events?limit=5000", "", 422, "query.limit"},
		{"GET", "/api/events?limit=x", "", 422, "query.limit"},
		{"GET", "/api/events?size=1", "", 422, "size"},
		{"GET", "/api/figures/plane", "", 200, "Nothing has been measured yet"},
		{"GET", "/api/figures/plane?x=1&y=1", "", 422, "two different objectives"},
		{"GET", "/api/figures/plane?x=7", "", 422, "from 0 to 1"},
		{"GET", "/api/figures/plane?x=2&y=0", "", 422, "from 0 to 1"},
		{"GET", "/api/figures/plane?x=0&y=2", "", 422, "from 0 to 1"},
		{"GET", "/api/figures/plane?width=huge", "", 422, "query.width"},
		{"GET", "/api/figures/effort", "", 200, `<svg width=\"308pt`},
		{"GET", "/api/figures/effort?width=narrow", "", 200, `<svg width=\"330pt`}, // the figure for a narrow page
		{"GET", "/api/forecast", "", 200, "about 3"}, {"GET", "/api/worksheet.csv", "", 200, "1,A01"},
		{"GET", "/openapi.json", "", 200, `"/api/tell.csv"`}, {"GET", "/openapi.yaml", "", 200, "/api/stream"},
		{"GET", "/", "", 200, "<!doctype html>"}, {"GET", "/docs", "", 303, "/openapi.json"},
		{"GET", "/report", "", 200, "<title>report</title>"}, {"GET", "/certificate", "", 409, "it is withdrawn"},
		{"GET", "/nothing", "", 404, ""}, {"DELETE", "/api/state", "", 405, ""},
	} {
		kind := "application/json"
		if strings.Contains(c.path, ".csv") {
			kind = "text/csv"
		}
		w := asked(s, c.method, c.path, c.body, "Content-Type", kind)
		if w.Code != c.code || !strings.Contains(w.Body.String(), c.says) {
			t.Errorf("%s %s %s: %d %.300s; want %d with %q", c.method, c.path, c.body, w.Code, w.Body, c.code, c.says)
		}
	}
	if len(d.told) != 1 || !d.told[0].Failed {
		t.Errorf("the reported results are %+v", d.told)
	}
}

// TestFailures: errors of the desk are returned with the right HTTP status.
func TestFailures(t *testing.T) {
	s, d := served(t, Access{Loopback: true})
	wrong := func(e ...*campaign.InputError) error { return campaign.InputErrors(e) }
	for _, c := range []struct {
		err  error
		code int
		says string
	}{
		{wrong(&campaign.InputError{Row: 1, Field: "ticket", Text: "reported before", Conflict: true}),
			409, `"location":"body.results[0].ticket"`},
		{wrong(&campaign.InputError{Row: 3, Field: "yield", Text: "-5 is below 0"}), 422, `"location":"body.results[2].values.yield"`},
		{wrong(&campaign.InputError{Text: "too many"}), 422, `"location":"body"`},
		{wrong(&campaign.InputError{Row: 2, Field: "note", Text: "too long"}), 422, `"location":"body.results[1].note"`},
		{wrong(&campaign.InputError{Row: 2, Field: "id", Text: "missing"}), 422, `"location":"body.results[1].id"`},
		{wrong(&campaign.InputError{Row: 2, Field: "failed", Text: "and has values"}), 422, `"location":"body.results[1].failed"`},
		{wrong(&campaign.InputError{Row: 2, Field: "candidate", Text: "none"}), 422, `"location":"body.results[1].arm"`},
		// Invalid values are reported before conflicts.
		{wrong(&campaign.InputError{Row: 1, Field: "plate", Conflict: true},
			&campaign.InputError{Row: 2, Field: "arm"}), 422, "body.results[1].arm"},
		{wrong(&campaign.InputError{Row: 3, Text: "twice"}), 422, `"body.results[2]"`},
		{wrong(&campaign.InputError{Row: 3, Field: "yield", Text: "empty", Where: "sheet:7"}), 422,
			"sheet:7: yield: empty"},
		{wrong(&campaign.InputError{Field: "n", Text: "too many"}), 422, `"body.count"`},
		{wrong(&campaign.InputError{Field: "who", Text: "no name"}), 422, `"body.as"`},
		{fmt.Errorf("ticket 3: %w", campaign.ErrConflict), 409, "ticket 3"},
		{fmt.Errorf("no space: %w", campaign.ErrFull), 507, "no space"},
		{fmt.Errorf("waited: %w", campaign.ErrBusy), 503, "try again"},
		{fmt.Errorf("disk: %w", errStub), 500, "the stub failed"},
		{context.DeadlineExceeded, 503, "too long"},
	} {
		d.err = c.err
		w := asked(s, "POST", "/api/tell", `{"results": [{"ticket": 1}], "as": "x"}`, "Content-Type", "application/json")
		if w.Code != c.code || !strings.Contains(w.Body.String(), c.says) {
			t.Errorf("%v: %d %s; want %d with %q", c.err, w.Code, w.Body, c.code, c.says)
		}
	}
	for _, path := range []string{"/api/state", "/api/worksheet.csv", "/report", "/api/forecast", "/api/figures/effort"} {
		d.err = errStub
		if w := asked(s, "GET", path, ""); w.Code != 500 {
			t.Errorf("%s: %d; want 500", path, w.Code)
		}
	}
}

// In testdata, one line describes each operation of the API (with parameters and responses) and each type.
func TestOpenAPI(t *testing.T) {
	s, _ := served(t, Access{Loopback: true})
	var doc struct {
		Paths map[string]map[string]struct {
			OperationID string                     `json:"operationId"`
			Responses   map[string]json.RawMessage `json:"responses"`
			Parameters  []struct {
				Name, In string
				Required bool
			}
			RequestBody json.RawMessage `json:"requestBody"`
		}
		Components struct {
			Schemas map[string]struct {
				Properties map[string]struct {
					Type, Items any
					Ref         string `json:"$ref"`
				}
				Required []string
			}
		}
	}
	if err := json.Unmarshal(asked(s, "GET", "/openapi.json", "").Body.Bytes(), &doc); err != nil {
		t.Fatal(err)
	}
	var lines []string
	refs := regexp.MustCompile(`schemas/\w+`)
	for path, by := range doc.Paths {
		for method, o := range by {
			line := fmt.Sprintf("%s %s (%s) takes", path, method, o.OperationID)
			for _, p := range o.Parameters {
				line += fmt.Sprintf(" %s in %s, required %v;", p.Name, p.In, p.Required)
			}
			line += fmt.Sprintf(" %s; answers", refs.FindAllString(string(o.RequestBody), -1))
			for _, code := range slices.Sorted(maps.Keys(o.Responses)) {
				line += fmt.Sprintf(" %s %s", code, refs.FindAllString(string(o.Responses[code]), -1))
			}
			lines = append(lines, line)
		}
	}
	for name, schema := range doc.Components.Schemas {
		line := name + ":"
		for _, field := range slices.Sorted(maps.Keys(schema.Properties)) {
			f := schema.Properties[field]
			items, _ := json.Marshal(f.Items)
			line += fmt.Sprintf(" %s %v%s %s", field, f.Type, f.Ref, refs.FindString(string(items)))
			if slices.Contains(schema.Required, field) {
				line += "required"
			}
			line += ";"
		}
		lines = append(lines, line)
	}
	slices.Sort(lines)
	golden.Check(t, "openapi.txt", strings.Join(lines, "\n")+"\n")
	if n := len(doc.Paths); n != 15 {
		t.Errorf("%d paths are described; want 15", n)
	}
}

// next reads an event of a stream.
func next(t *testing.T, r *bufio.Reader) (id, data string) {
	t.Helper()
	for {
		line, err := r.ReadString('\n')
		if err != nil {
			t.Fatal(err)
		}
		line = strings.TrimSuffix(line, "\n")
		if v, ok := strings.CutPrefix(line, "id: "); ok {
			id = v
		}
		if v, ok := strings.CutPrefix(line, "data: "); ok {
			data = v
		}
		if line == "" && data != "" {
			return id, data
		}
	}
}

// TestStream: a page receives every change and, after a lost connection, the changes that it missed.
func TestStream(t *testing.T) {
	s, d := served(t, Access{Loopback: true})
	ts := httptest.NewServer(s)
	defer ts.Close()
	open := func(after string) (*bufio.Reader, func()) {
		req, err := http.NewRequestWithContext(t.Context(), "GET", ts.URL+"/api/stream", nil)
		if err != nil {
			t.Fatal(err)
		}
		if after != "" {
			req.Header.Set("Last-Event-ID", after)
		}
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		if kind := resp.Header.Get("Content-Type"); kind != "text/event-stream" {
			t.Fatalf("the stream is %s", kind)
		}
		r := bufio.NewReader(resp.Body)
		if line, err := r.ReadString('\n'); err != nil || line != "retry: 2000\n" {
			t.Errorf("the stream begins with %q, %v", line, err)
		}
		return r, func() { _ = resp.Body.Close() }
	}
	r, leave := open("")
	if id, data := next(t, r); id != "1" || !strings.Contains(data, `"event":1`) {
		t.Errorf("event %s: %s", id, data)
	}
	d.change()
	if id, data := next(t, r); id != "2" || !strings.Contains(data, `"event":2`) {
		t.Errorf("event %s: %s", id, data)
	}
	leave()
	d.change()
	r, leave = open("2")
	defer leave()
	if id, _ := next(t, r); id != "3" {
		t.Errorf("after a break: event %s; want 3", id)
	}
}

func joins(h *hub, key string, most, mostOfKey int) bool {
	room, ofKey := h.join(key, most, mostOfKey)
	return room && ofKey
}

// TestHub: a slow client skips intermediate updates, and ends with the latest one.
func TestHub(t *testing.T) {
	h := newHub()
	if !joins(h, "a", 1, 1) || joins(h, "a", 1, 1) {
		t.Error("the first client is rejected, or a second one is accepted")
	}
	h.leave("a")
	if !joins(h, "a", 1, 1) {
		t.Error("a client that has left still counts")
	}
	var all sync.WaitGroup
	for range 4 { // pages that open and close at the same time
		all.Go(func() {
			for range 50_000 {
				joins(h, "b", 9, 9)
				h.leave("b")
			}
		})
	}
	if all.Wait(); h.people != 1 || len(h.by) != 1 {
		t.Errorf("%d are there, %d keys; want 1", h.people, len(h.by))
	}
	h.publish(news{5, []byte("5")})
	h.publish(news{4, []byte("4")}) // too late, because 5 was published before
	done, got := make(chan struct{}), []string{}
	blocked := make(chan struct{})
	go func() {
		<-blocked
		for i := 6; i < 100; i++ {
			h.publish(news{i, []byte(itoa(i))})
		}
	}()
	err := h.follow(done, -1, time.Millisecond, time.Hour, func(n news) error {
		if len(got) == 0 {
			close(blocked)
			time.Sleep(20 * time.Millisecond)
		}
		got = append(got, string(n.bytes))
		if n.version == 99 {
			close(done)
		}
		return nil
	}, func() error { return nil })
	if err != nil || got[0] != "5" || got[len(got)-1] != "99" {
		t.Errorf("%v, %v", got, err)
	}
	// An idle stream sends keep-alive messages, and notices that a client has disconnected.
	idle := 0
	err = h.follow(make(chan struct{}), 99, 0, time.Millisecond, nil, func() error {
		if idle++; idle == 3 {
			return errStub
		}
		return nil
	})
	if !errors.Is(err, errStub) || idle != 3 {
		t.Errorf("%d times idle, %v", idle, err)
	}
}

// A forecast is computed once per state, for any number of requests.
func TestForecastOnce(t *testing.T) {
	s, d := served(t, Access{Loopback: true})
	for _, want := range []int{1, 1, 2, 2} {
		if want > d.forecasts && d.forecasts > 0 {
			d.change()
		}
		w := asked(s, "GET", "/api/forecast", "")
		if event := fmt.Sprintf(`"event":%d`, d.v); w.Code != 200 || d.forecasts != want || !strings.Contains(w.Body.String(), event) {
			t.Errorf("%d forecasts, %d %s; want %d, with %s", d.forecasts, w.Code, w.Body, want, event)
		}
	}
}
