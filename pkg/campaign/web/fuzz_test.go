package web

import (
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"strings"
	"testing"
	"time"
)

// writes are the operations that have a request body.
var writes = []string{"/api/ask", "/api/tell", "/api/drop", "/api/undo", "/api/sign", "/api/tell.csv?as=me"}

// FuzzBody: an arbitrary body of any operation is rejected with a status from 400 to 499, or the desk receives
// valid arguments (stub checks them).
func FuzzBody(f *testing.F) {
	for i, body := range []string{askBody,
		`{"results": [{"ticket": 1, "plate": 1, "arm": "A01", "values": {"yield": 71.2, "cost": "3,5"}, "note": "x"}], "as": "r"}`,
		`{"arm": "A01", "why": "gone", "as": "r"}`, `{"event": 2, "why": "slip", "as": "r"}`,
		"ticket,arm,yield\n1,A01,71.2\n"} {
		f.Add(byte(i), []byte(body))
	}
	s, _ := served(f, Access{Loopback: true})
	f.Fuzz(func(t *testing.T, which byte, body []byte) {
		path := writes[int(which)%len(writes)]
		r := httptest.NewRequest("POST", path, strings.NewReader(string(body)))
		r.Header.Set("Content-Type", "application/json")
		if strings.Contains(path, ".csv") {
			r.Header.Set("Content-Type", "text/csv")
		}
		w := httptest.NewRecorder()
		s.mux.ServeHTTP(w, r)
		if ok := w.Code == 200 || w.Code == 204; !ok && (w.Code < 400 || w.Code > 499) {
			t.Fatalf("%s: %d %s", path, w.Code, w.Body)
		}
	})
}

// FuzzQuery: a request with an arbitrary query has the status 200, or a status from 400 to 499.
func FuzzQuery(f *testing.F) {
	paths := []string{"/api/events", "/api/worksheet.csv", "/api/state", "/api/forecast", "/api/figures/plane"}
	for i, q := range []string{"limit=5&before=3", "as=robot-1", "", "x=1", "x=0&y=1&width=narrow",
		"limit=1;2", "%zz", "limit=%31"} {
		f.Add(byte(i), q)
	}
	s, _ := served(f, Access{Loopback: true})
	f.Fuzz(func(t *testing.T, which byte, query string) {
		r := httptest.NewRequest("GET", paths[int(which)%len(paths)], nil)
		r.URL.RawQuery = query
		w := httptest.NewRecorder()
		s.mux.ServeHTTP(w, r)
		if w.Code != 200 && (w.Code < 400 || w.Code > 499) {
			t.Fatalf("%s: %d %s", r.URL, w.Code, w.Body)
		}
	})
}

// FuzzHeaders: a host is accepted only if it is a known name or a loopback address, and nobody has access without
// the token.
func FuzzHeaders(f *testing.F) {
	for _, c := range [][4]string{{"localhost:80", "Bearer secret", "1.a.b", "7"},
		{"[::1]:80", "bearer x", "9999999999.x.y", "-1"}, {"evil.example", "", "", ""},
		{"127.0.0.1.evil.example", "Basic eDp5", "..", "1e3"},
		{"BENCH.example.:443", "Bearer  s", ".", "+1"}} {
		f.Add(c[0], c[1], c[2], c[3])
	}
	k := newKeys("a token that no mutation finds", time.Now)
	f.Fuzz(func(t *testing.T, host, authorization, cookie, last string) {
		if knownHost(host, []string{"bench.example"}, true) {
			h, ok := hostOf(host)
			a, err := netip.ParseAddr(h)
			if !ok || h != "localhost" && h != "bench.example" && (err != nil || !a.Unmap().IsLoopback()) {
				t.Fatalf("%q is known", host)
			}
			// Package url parses hosts as browsers do; it must find the same host.
			if u, err := url.Parse("http://" + host + "/"); err == nil &&
				strings.TrimSuffix(strings.ToLower(u.Hostname()), ".") != h {
				t.Fatalf("%q is %q here, and %q for others", host, h, u.Hostname())
			}
		}
		if k.opens(authorization) || k.valid(cookie) || k.use(cookie) {
			t.Fatalf("%q or %q was accepted", authorization, cookie)
		}
		if n := lastEvent(last); n < -1 {
			t.Fatalf("the last event is %d", n)
		}
		foreign(http.Header{"Sec-Fetch-Site": {host}, "Sec-Fetch-Mode": {cookie}})
	})
}
