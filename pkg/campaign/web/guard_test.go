package web

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/purexp/purexp/pkg/campaign/report"
)

// asked sends a request to a server; headers are pairs of name and value.
func asked(s *Server, method, target, body string, headers ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, target, strings.NewReader(body))
	r.Host = "127.0.0.1:8080"
	for i := 0; i < len(headers); i += 2 {
		if headers[i] == "Host" {
			r.Host = headers[i+1]
			continue
		}
		r.Header.Set(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	return w
}

const askBody = `{"count": 8, "as": "robot-1"}`

func TestHosts(t *testing.T) {
	s, _ := served(t, Access{Loopback: true, Hosts: []string{"bench.example", "my_bench", "Lab.Example.:8443", "not a name", ""}})
	for host, want := range map[string]int{
		"127.0.0.1:8080": 200, "localhost": 200, "LOCALHOST:80": 200, "[::1]:8080": 200,
		"127.9.9.9": 200, "localhost:65535": 200, "BENCH.example.:1": 200, "lab.example": 200, "lab.example:8080": 200, "bench.example:443": 200, "my_bench:8080": 200, "localhost.": 200, "[::ffff:127.0.0.1]": 200,
		// An attacker can point these names at the address of the server.
		"evil.example": 421, "bench.example.evil.example": 421, "localhost.evil.example": 421,
		"evilbench.example": 421, "evil.bench.example": 421, "evil-localhost": 421, "bench": 421,
		"127.0.0.1.evil.example:8080": 421,
		"192.168.1.5":                 421, "": 421, "[::1": 421, "a b": 421,
		"localhost:": 421, "localhost:123456": 421, "localhost:-1": 421, "[::1]x": 421, "[::ffff:10.0.0.1]": 421, "0.0.0.0": 421, "[::]": 421, "not a name": 421, ".": 421,
		"bench.example:x": 421, strings.Repeat("a", 254): 421, "lab.example..": 421, "b\u00e4nch": 421, "bench.example/": 421,
		"[fe80::1%25eth0]": 421, "[127.0.0.1]": 421, "bench.example:8080:1": 421,
	} {
		if got := asked(s, "GET", "/api/state", "", "Host", host).Code; got != want {
			t.Errorf("Host %q: %d; want %d", host, got, want)
		}
	}
	// A server on a network address accepts IP addresses as hosts, because attackers cannot redirect them.
	s, _ = served(t, Access{Token: "t"})
	for host, want := range map[string]int{"192.168.1.5:80": 200, "[fd00::1]": 200,
		"evil.example": 421, "[fe80::1%25eth0]": 421, "[fe80::1%eth0]": 421, "[192.168.1.5]": 421, "[a.b]": 421} {
		if got := asked(s, "GET", "/healthz", "", "Host", host).Code; got != want {
			t.Errorf("Host %q: %d; want %d", host, got, want)
		}
	}
}

func TestCrossSite(t *testing.T) {
	s, _ := served(t, Access{Loopback: true})
	page := "http://127.0.0.1:8080"
	for _, c := range []struct {
		name    string
		method  string
		headers []string
		want    int
	}{
		{"a program", "POST", nil, 200},
		{"the page", "POST", []string{"Sec-Fetch-Site", "same-origin", "Origin", page}, 200},
		{"an old browser's page", "POST", []string{"Origin", page}, 200},
		{"another site", "POST", []string{"Sec-Fetch-Site", "cross-site"}, 403},
		{"another port", "POST", []string{"Sec-Fetch-Site", "same-site"}, 403},
		{"an old browser, another site", "POST", []string{"Origin", "https://evil.example"}, 403},
		{"a sandbox", "POST", []string{"Origin", "null"}, 403},
		{"a form of another site", "POST", []string{"Sec-Fetch-Site", "cross-site",
			"Sec-Fetch-Mode", "navigate", "Sec-Fetch-Dest", "document"}, 403},
		{"a link on another site", "GET", []string{"Sec-Fetch-Site", "cross-site",
			"Sec-Fetch-Mode", "navigate", "Sec-Fetch-Dest", "document"}, 200},
		{"an image on another site", "GET", []string{"Sec-Fetch-Site", "cross-site",
			"Sec-Fetch-Mode", "no-cors", "Sec-Fetch-Dest", "image"}, 403},
		{"an image on another port", "GET", []string{"Sec-Fetch-Site", "same-site",
			"Sec-Fetch-Mode", "no-cors", "Sec-Fetch-Dest", "image"}, 403},
		{"a frame on another site", "GET", []string{"Sec-Fetch-Site", "cross-site",
			"Sec-Fetch-Mode", "navigate", "Sec-Fetch-Dest", "iframe"}, 403},
		{"a script that asks for a page", "GET", []string{"Sec-Fetch-Site", "cross-site",
			"Sec-Fetch-Mode", "cors", "Sec-Fetch-Dest", "document"}, 403},
	} {
		path, body := "/api/ask", askBody
		if c.method == "GET" {
			path, body = "/api/state", ""
		}
		headers := append([]string{"Content-Type", "application/json"}, c.headers...)
		if got := asked(s, c.method, path, body, headers...).Code; got != c.want {
			t.Errorf("%s: %d; want %d", c.name, got, c.want)
		}
	}
}

// TestLink: a link gives a cookie once, to the person who presses the button. The cookie is valid for a week, even
// after a restart of the server, but not with another token.
func TestLink(t *testing.T) {
	s, _ := served(t, Access{Token: "secret", TLS: true})
	link, err := url.Parse(s.Link())
	if err != nil {
		t.Fatal(err)
	}
	// GET requests, for example from programs that scan messages, do not use up the link.
	for range 3 {
		w := asked(s, "GET", link.RequestURI(), "")
		if w.Code != 200 || !strings.Contains(w.Body.String(), link.Query().Get("key")) {
			t.Fatalf("%d %s", w.Code, w.Body)
		}
	}
	form := []string{"Content-Type", "application/x-www-form-urlencoded"}
	w := asked(s, "POST", enterPath, link.RawQuery, form...)
	if w.Code != http.StatusSeeOther || w.Header().Get("Location") != "/" {
		t.Fatalf("%d, to %q", w.Code, w.Header().Get("Location"))
	}
	c := w.Result().Cookies()[0]
	if !c.HttpOnly || !c.Secure || c.SameSite != http.SameSiteStrictMode || c.Path != "/" ||
		c.MaxAge != 7*24*60*60 { // a week
		t.Errorf("the cookie is %v", c)
	}
	if w := asked(s, "POST", enterPath, link.RawQuery, form...); w.Code != 403 {
		t.Errorf("the second time: %d; want 403", w.Code)
	}
	cookie := []string{"Cookie", c.Name + "=" + c.Value}
	again, _ := served(t, Access{Token: "secret"})
	other, _ := served(t, Access{Token: "another"})
	for _, x := range []struct {
		name string
		s    *Server
		want int
	}{{"", s, 200}, {"after a restart", again, 200}, {"with another token", other, 401}} {
		if w := asked(x.s, "GET", "/api/state", "", cookie...); w.Code != x.want {
			t.Errorf("the cookie %s: %d; want %d", x.name, w.Code, x.want)
		}
	}
	// A cookie with a changed expiry time is rejected.
	end, rest, _ := strings.Cut(c.Value, ".")
	forged := c.Name + "=" + end + "0." + rest
	if w := asked(s, "GET", "/api/state", "", "Cookie", forged); w.Code != 401 {
		t.Errorf("a forged cookie: %d; want 401", w.Code)
	}
	again.guard.keys.now = func() time.Time { return time.Now().Add(7*24*time.Hour - time.Minute) }
	if w := asked(again, "GET", "/api/state", "", cookie...); w.Code != 200 {
		t.Errorf("a cookie of nearly a week: %d; want 200", w.Code)
	}
	again.guard.keys.now = func() time.Time { return time.Now().Add(7*24*time.Hour + time.Second) }
	if w := asked(again, "GET", "/api/state", "", cookie...); w.Code != 401 {
		t.Errorf("an old cookie: %d; want 401", w.Code)
	}
	// A link expires after a day.
	k := newKeys("t", time.Now)
	key, young := k.link(), k.link()
	k.now = func() time.Time { return time.Now().Add(24*time.Hour - time.Minute) }
	if !k.use(young) {
		t.Error("a link of nearly a day does not work")
	}
	k.now = func() time.Time { return time.Now().Add(24*time.Hour + time.Second) }
	if k.use(key) || k.use("") {
		t.Error("an old link works")
	}
}

// The published state never goes back: a state that was read before a change is not published after the change.
func TestStateNeverGoesBack(t *testing.T) {
	s, d := served(t, Access{Loopback: true})
	d.v = 3
	for _, v := range []int{3, 2, 3} {
		d.v = v
		if w := asked(s, "GET", "/api/state", ""); !strings.Contains(w.Body.String(), `"event":3,`) {
			t.Errorf("at event %d: %s", v, w.Body)
		}
	}
	if n, _ := s.hub.now(); n.version != 3 || !strings.HasPrefix(string(n.bytes), "id: 3\nevent: state\ndata: {") || !strings.HasSuffix(string(n.bytes), "}\n\n") {
		t.Errorf("the update is %d, %s", n.version, n.bytes)
	}
}

// The number of open pages is limited, and a closed page makes room for another page.
func TestMostPeople(t *testing.T) {
	s, _ := served(t, Access{Loopback: true})
	s.hub.people = 1000
	if w := asked(s, "GET", "/api/stream", ""); w.Code != http.StatusServiceUnavailable || !strings.Contains(w.Body.String(), "too many pages are open") {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	s.hub.people = 999
	if w := asked(s, "GET", "/api/stream", ""); w.Code != 200 || w.Header().Get("Content-Type") != "text/event-stream" || w.Header().Get("X-Accel-Buffering") != "no" || s.hub.people != 999 {
		t.Errorf("%d, %v, %d clients", w.Code, w.Header(), s.hub.people)
	}
}

// Each key has its own limit of streams.
func TestMostOfKey(t *testing.T) {
	const token = "Bearer 0123456789abcdef"
	s, _ := served(t, Access{Loopback: true, Token: strings.TrimPrefix(token, "Bearer ")})
	cookie := http.Cookie{Name: s.guard.keys.cookieName(), Value: s.guard.keys.cookie()}
	s.hub.by[token], s.hub.people = mostOfKey, mostOfKey
	for name, want := range map[string]int{"Authorization": 429, "Cookie": 200} {
		r := httptest.NewRequest("GET", "http://localhost/api/stream", nil)
		r.Header.Set(name, map[string]string{"Authorization": token, "Cookie": cookie.String()}[name])
		ctx, leave := context.WithCancel(r.Context())
		leave() // the client disconnects at once
		w := httptest.NewRecorder()
		if s.ServeHTTP(w, r.WithContext(ctx)); w.Code != want {
			t.Errorf("%s: %d %s; want %d", name, w.Code, w.Body, want)
		}
	}
	if len(s.hub.by) != 1 || s.hub.people != mostOfKey {
		t.Errorf("%d clients, by key %v", s.hub.people, s.hub.by)
	}
}

// TestCookiesOfPorts: browsers send the cookies of a host to all its ports. A person who enters one campaign keeps
// access to another campaign on the same machine.
func TestCookiesOfPorts(t *testing.T) {
	jar := map[string]string{}
	tokens := []string{"first", "second"}
	for _, token := range tokens {
		s, _ := served(t, Access{Token: token})
		w := asked(s, "POST", enterPath, "key="+s.guard.keys.link(), "Content-Type", "application/x-www-form-urlencoded")
		c := w.Result().Cookies()[0]
		jar[c.Name] = c.Value
	}
	var all []string
	for name, value := range jar {
		all = append(all, name+"="+value)
	}
	for _, token := range tokens {
		s, _ := served(t, Access{Token: token})
		if w := asked(s, "GET", "/api/state", "", "Cookie", strings.Join(all, "; ")); w.Code != 200 {
			t.Errorf("with the cookies of all ports, token %s: %d", token, w.Code)
		}
	}
}

// Requests without a key do not use up the limits of people with a key, and neither do valid links.
func TestStrangers(t *testing.T) {
	s, _ := served(t, Access{Token: "secret"})
	for range 2 * burst * readsPerSecond {
		asked(s, "GET", enterPath, "")
	}
	for range 100 {
		asked(s, "POST", enterPath, "key=guess", "Content-Type", "application/x-www-form-urlencoded")
	}
	for range 40 {
		if w := asked(s, "GET", "/api/state", "", "Authorization", "Bearer secret"); w.Code != 200 {
			t.Fatalf("with a token, beside strangers: %d", w.Code)
		}
	}
	s, _ = served(t, Access{Token: "secret"})
	for range 40 {
		link, err := url.Parse(s.Link())
		if err != nil {
			t.Fatal(err)
		}
		if w := asked(s, "POST", enterPath, link.RawQuery, "Content-Type",
			"application/x-www-form-urlencoded"); w.Code != http.StatusSeeOther {
			t.Fatalf("a good link: %d", w.Code)
		}
	}
}

// Headers of more than about 16 kB are rejected.
func TestMostHeader(t *testing.T) {
	s, _ := served(t, Access{Loopback: true})
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	h := HTTP(s)
	if h.ReadHeaderTimeout != 5*time.Second || h.ReadTimeout != time.Minute || h.WriteTimeout != 0 { // a stream may last for days
		t.Errorf("headers within %v, bodies within %v, answers within %v", h.ReadHeaderTimeout, h.ReadTimeout, h.WriteTimeout)
	}
	go func() { _ = h.Serve(l) }()
	defer h.Close()
	for size, want := range map[int]int{15_000: 200, 17_000: 431} {
		r, err := http.NewRequest("GET", "http://"+l.Addr().String()+"/healthz", nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("X-Padding", strings.Repeat("x", size))
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		answer.Body.Close()
		if answer.StatusCode != want {
			t.Errorf("%d bytes: %d; want %d", size, answer.StatusCode, want)
		}
	}
}

// TestVisitors: the addresses of one IPv6 network have one limit, and the table of addresses has a limited size.
func TestVisitors(t *testing.T) {
	now := time.Now()
	v := newVisitors(func() time.Time { return now })
	if v.of("[2001:db8::1]:1", false) != v.of("[2001:db8::2]:2", false) {
		t.Error("two addresses of a network have separate limits")
	}
	for _, x := range []struct {
		a, b string
		one  bool
	}{{"[2001:db8:0:0:ffff::1]:1", "[2001:db8::ffff:ffff:1:2]:2", true}, {"[2001:db8:0:0:8000::]:1", "[2001:db8::]:1", true}, {"[2001:db8:0:1::1]:1", "[2001:db8::1]:1", false},
		{"[fe80::1%eth0]:1", "[fe80::2%eth1]:1", true}, {"192.0.2.1:1", "192.0.2.2:1", false}, {"192.0.2.1:1", "192.0.2.1:65535", true}, {"192.0.2.1:1", "198.51.100.1:1", false},
		{"", "@", true}, {"pipe", "192.0.2.1:1", false}} {
		for _, inside := range []bool{false, true} {
			if got := v.of(x.a, inside) == v.of(x.b, inside); got != x.one {
				t.Errorf("%q and %q share limits: %v", x.a, x.b, got)
			}
			if v.of(x.a, inside) == v.of(x.a, !inside) {
				t.Errorf("%q: clients with and without a key share limits", x.a)
			}
		}
	}
	v = newVisitors(func() time.Time { return now })
	if v.of("[::ffff:192.0.2.1]:1", false) != v.of("192.0.2.1:9", false) {
		t.Error("one address in two forms has two limits")
	}
	for i := range mostAddresses + 10 {
		v.of("10."+string(rune('0'+i%10))+".0.1:1", false) // the table has room for these ten addresses
	}
	if len(v.by) > 20 {
		t.Errorf("%d addresses", len(v.by))
	}
	for i := range 3 * mostAddresses {
		v.of(ipv4(i)+":1", false)
	}
	if len(v.by) > mostAddresses {
		t.Errorf("%d addresses are kept", len(v.by))
	}
	// Recent addresses stay if the removal of older addresses makes enough room.
	v = newVisitors(func() time.Time { return now })
	for i := range mostAddresses - 1 {
		v.of(ipv4(i)+":1", false)
	}
	now = now.Add(2 * time.Minute)
	recent := v.of("192.0.2.1:1", false)
	if v.of("192.0.2.2:1", false); v.of("192.0.2.1:1", false) != recent || len(v.by) != 2 {
		t.Errorf("%d addresses are kept, and a recent one is forgotten", len(v.by))
	}
	// An address that was seen long ago and again recently counts as recent.
	v = newVisitors(func() time.Time { return now })
	was := v.of("192.0.2.1:1", false)
	for i := range mostAddresses - 1 {
		v.of(ipv4(i)+":1", false)
	}
	now = now.Add(2 * time.Minute)
	v.of("192.0.2.1:1", false)
	now = now.Add(50 * time.Second)
	if v.of("192.0.2.2:1", false); v.of("192.0.2.1:1", false) != was {
		t.Error("an address seen less than a minute ago is forgotten")
	}
}

func ipv4(i int) string {
	b := []byte{11, byte(i >> 16), byte(i >> 8), byte(i)}
	var s []string
	for _, x := range b {
		s = append(s, itoa(int(x)))
	}
	return strings.Join(s, ".")
}

func TestLoopback(t *testing.T) {
	for address, want := range map[string]bool{
		"127.0.0.1:80": true, "localhost:80": true, "[::1]:0": true, "127.1.2.3:1": true,
		":8080": false, "0.0.0.0:80": false, "[::]:80": false, "192.168.0.1:80": false,
		"example.com:80": false, "127.0.0.1": false,
	} {
		if got := Loopback(address); got != want {
			t.Errorf("Loopback(%q) = %v", address, got)
		}
	}
}

// A link that was displaced by newer links is invalid, and so is a used link.
func TestMostLinks(t *testing.T) {
	k := newKeys("t", time.Now)
	first, second := k.link(), k.link()
	for range mostLinks - 1 {
		k.link()
	}
	if k.use(first) {
		t.Error("the oldest link works")
	}
	if !k.use(second) || k.use(second) {
		t.Error("the second link does not work, or works twice")
	}
	// Only the latest mostLinks links are valid.
	k = newKeys("t", time.Now)
	var all []string
	for range mostLinks + 10 {
		all = append(all, k.link())
	}
	for i, key := range all {
		if k.use(key) != (i >= 10) {
			t.Errorf("link %d of %d works: %v", i+1, len(all), i < 10)
		}
	}
}

// A request whose declared body is too large is rejected before its body is read.
func TestTooLargeIsNotRead(t *testing.T) {
	s, _ := served(t, Access{Loopback: true})
	r := httptest.NewRequest("POST", "/api/tell", unread{t})
	r.Host, r.ContentLength = "localhost", mostBody+1
	r.Header.Set("Content-Type", "application/json")
	w := httptest.NewRecorder()
	if s.ServeHTTP(w, r); w.Code != http.StatusRequestEntityTooLarge {
		t.Errorf("%d; want 413", w.Code)
	}
}

type unread struct{ t *testing.T }

// A figure is drawn once per state; if drawing fails, the next request draws the figure again.
func TestFiguresOfStates(t *testing.T) {
	s, d := served(t, Access{Loopback: true})
	drawn, fails := 0, true
	draw := func(v *report.View) (report.Figure, error) {
		drawn++
		if fails {
			return report.Figure{}, errStub
		}
		return report.Figure{Alt: fmt.Sprint("event ", v.Event)}, nil
	}
	if _, err := s.figure("x", draw); err == nil {
		t.Error("the error is lost")
	}
	fails = false
	for range 2 {
		if f, err := s.figure("x", draw); err != nil || f.Alt != "event 1" || drawn != 2 {
			t.Errorf("%q, %v, drawn %d times", f.Alt, err, drawn)
		}
	}
	d.change()
	if f, err := s.figure("x", draw); err != nil || f.Alt != "event 2" || drawn != 3 {
		t.Errorf("the next state: %q, %v, drawn %d times", f.Alt, err, drawn)
	}
}

func (u unread) Read(p []byte) (int, error) {
	u.t.Error("it is read")
	return len(p), nil
}
