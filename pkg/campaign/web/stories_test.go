package web

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/purexp/purexp/internal/golden"
)

// testdata/who.txt lists the status by path, method and key. All responses have the headers that isolate pages.
func TestWhoGetsIn(t *testing.T) {
	s, _ := served(t, Access{Loopback: true, Token: "secret", TLS: true, Hosts: []string{"bench.example"}})
	k := s.guard.keys
	cookie := k.cookieName() + "=" + k.cookie()
	var out strings.Builder
	for _, path := range []string{"/", "/assets/page.css", "/assets/page.js", "/assets/icon.svg", "/assets/none", "/docs", "/report", "/certificate", "/healthz",
		"/enter?key=x", "/api/state", "/api/events", "/api/worksheet.csv", "/api/figures/plane", "/api/figures/effort", "/api/forecast", "/api/ask", "/api/tell",
		"/api/tell.csv?as=x", "/api/drop", "/api/join", "/api/undo", "/api/sign", "/api/links", "/openapi.json", "/nothing"} {
		for _, method := range []string{"GET", "HEAD", "POST", "PUT", "DELETE"} {
			var codes []string
			for _, key := range [][]string{nil, {"Authorization", "Bearer wrong"}, {"Authorization", "Bearer secret"}, {"authorization", "bearer  secret"},
				{"Cookie", cookie}, {"Cookie", cookie + "x"}, {"Authorization", "Bearer secret", "Host", "evil.example"},
				{"Authorization", "Bearer secret", "Sec-Fetch-Site", "cross-site"}, {"Authorization", "Bearer secret", "Origin", "https://evil.example"},
				{"Accept", "text/html"}} {
				s.guard.visitors.by = map[client]*visitor{} // forget earlier visitors
				w := asked(s, method, path, "{}", append([]string{"Content-Type", "application/json"}, key...)...)
				codes = append(codes, fmt.Sprint(w.Code))
				for name, want := range map[string]string{"X-Content-Type-Options": "nosniff", "Cache-Control": "no-store", "Referrer-Policy": "no-referrer",
					"Strict-Transport-Security": "max-age=31536000", "Cross-Origin-Resource-Policy": "same-origin"} {
					if w.Header().Get(name) != want {
						t.Errorf("%s %s: %s is %q", method, path, name, w.Header().Get(name))
					}
				}
				if w.Code == http.StatusUnauthorized && w.Header().Get("WWW-Authenticate") == "" {
					t.Errorf("%s %s: no WWW-Authenticate header", method, path)
				}
			}
			fmt.Fprintf(&out, "%-6s %-22s %s\n", method, path, strings.Join(codes, " "))
		}
	}
	golden.Check(t, "who.txt", "                              none wrong token token cookie other-cookie other-host cross-site other-origin browser\n"+out.String())
}

// Clients that send too many requests in a short time must wait. Each client has its own limit: strangers do not
// affect people with a key, and people with a key do not affect strangers.
func TestTooMuch(t *testing.T) {
	for _, x := range []struct {
		method, path string
		key          []string
		most         int
	}{
		{"GET", "/api/state", []string{"Authorization", "Bearer secret"}, burst * readsPerSecond},
		{"POST", "/api/undo", []string{"Authorization", "Bearer secret"}, burst * writesPerSecond},
		{"GET", "/api/state", []string{"Authorization", "Bearer wrong"}, failureBurst},
		{"GET", "/api/state", nil, burst * readsPerSecond},
	} {
		s, _ := served(t, Access{Loopback: true, Token: "secret"})
		served := 0
		for ; served < 2*x.most; served++ {
			w := asked(s, x.method, x.path, "{}", append([]string{"Content-Type", "application/json"}, x.key...)...)
			if w.Code == http.StatusTooManyRequests {
				if w.Header().Get("Retry-After") != "1" {
					t.Error("Retry-After is not 1")
				}
				break
			}
		}
		if served < x.most || served > 2*x.most-1 {
			t.Errorf("%s %s %v: %d requests were served; want %d or a few more", x.method, x.path, x.key, served, x.most)
		}
		// Another client is still served. The other client has a key if the first one has none.
		other := []string{"Authorization", "Bearer secret"}
		if slices.Equal(x.key, other) {
			other = nil
		}
		if w := asked(s, x.method, x.path, "{}", append([]string{"Content-Type", "application/json"}, other...)...); w.Code == http.StatusTooManyRequests {
			t.Errorf("%s %s: another client is limited, too", x.method, x.path)
		}
	}
}

// A body of almost the allowed size is read, and a larger body is rejected.
func TestLargeBodies(t *testing.T) {
	s, _ := served(t, Access{Loopback: true})
	sheet := func(n int) string { return strings.Repeat("x", n) }
	for n, want := range map[int]int{mostBody - 1: 200, mostBody + 1: 413} {
		if w := asked(s, "POST", "/api/tell.csv?as=x", sheet(n), "Content-Type", "text/csv"); w.Code != want {
			t.Errorf("%d bytes: %d %.100s; want %d", n, w.Code, w.Body, want)
		}
	}
}
