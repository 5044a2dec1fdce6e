package web

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"html/template"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"
)

// The following constants are lifetimes of cookies and of unopened links.
const (
	cookieLife = 7 * 24 * time.Hour
	linkLife   = 24 * time.Hour
	mostLinks  = 10_000 // largest number of unopened links; beyond this number, the oldest links are dropped
)

// keys checks tokens, one-time links and cookies. Programs send the token. People open a link that
// works once, and receive a cookie with an expiry and a signature that depends on the token.
// Cookies remain valid after a restart of the server, but not after a change of the token.
type keys struct {
	token string
	now   func() time.Time

	mu    sync.Mutex
	links map[[sha256.Size]byte]time.Time // expiry of each link by the hash of its key
	order [][sha256.Size]byte             // hashes of links, starting with the oldest
}

// newKeys returns the keys for a non-empty token.
func newKeys(token string, now func() time.Time) *keys {
	return &keys{token: token, now: now, links: map[[sha256.Size]byte]time.Time{}}
}

// bearer returns the bearer token in an Authorization header, if there is one.
func bearer(header string) (token string, ok bool) {
	scheme, token, ok := strings.Cut(header, " ")
	token = strings.TrimLeft(token, " ")
	if !ok || !strings.EqualFold(scheme, "Bearer") || token == "" {
		return "", false
	}
	return token, !strings.ContainsAny(token, " \t\r\n")
}

// opens reports whether the bearer token in an Authorization header is the server's token.
func (k *keys) opens(header string) bool {
	token, ok := bearer(header)
	if !ok {
		return false
	}
	// The function compares hashes of equal length, so the comparison takes constant time.
	a, b := sha256.Sum256([]byte(token)), sha256.Sum256([]byte(k.token))
	return subtle.ConstantTimeCompare(a[:], b[:]) == 1
}

// cookieName returns the name of the server's cookies, or "purexp" if the server has no token.
// Browsers send the cookies of a host to all of its ports, so each server on a machine needs a
// different cookie name.
func (k *keys) cookieName() string {
	if k == nil {
		return "purexp"
	}
	return "purexp-" + k.sign("name")[:8]
}

func (k *keys) cookie() string {
	body := strconv.FormatInt(k.now().Add(cookieLife).Unix(), 10) + "." + rand.Text()
	return body + "." + k.sign(body)
}

func (k *keys) sign(body string) string {
	m := hmac.New(sha256.New, []byte(k.token))
	m.Write([]byte("purexp cookie\n" + body))
	return base64.RawURLEncoding.EncodeToString(m.Sum(nil))
}

// valid reports whether a cookie has not expired and was made by this server or by a server with
// the same token.
func (k *keys) valid(cookie string) bool {
	at := strings.LastIndexByte(cookie, '.')
	body := cookie[:max(at, 0)]
	if at < 0 || !hmac.Equal([]byte(cookie[at+1:]), []byte(k.sign(body))) {
		return false
	}
	end, _, _ := strings.Cut(body, ".")
	unix, err := strconv.ParseInt(end, 10, 64)
	return err == nil && k.now().Before(time.Unix(unix, 0))
}

// link returns a new key for a link that works once.
func (k *keys) link() string {
	key := rand.Text()
	h := sha256.Sum256([]byte(key))
	k.mu.Lock()
	defer k.mu.Unlock()
	k.links[h] = k.now().Add(linkLife)
	k.order = append(k.order, h)
	if len(k.order) > mostLinks {
		delete(k.links, k.order[0])
		k.order = k.order[1:]
	}
	return key
}

// use reports whether the key of a link is valid, and makes the key invalid for later calls.
func (k *keys) use(key string) bool {
	h := sha256.Sum256([]byte(key))
	k.mu.Lock()
	defer k.mu.Unlock()
	end, ok := k.links[h]
	delete(k.links, h)
	return ok && k.now().Before(end)
}

// enterPath is the path of links that work once. Opening a link shows a page with a button, and
// only pressing the button uses up the link. Programs that preview links press no button, so the
// links remain usable.
const enterPath = "/enter"

var enterPage = template.Must(template.New("enter").Parse(`<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>purexp campaign</title><link rel="stylesheet" href="/assets/page.css"></head>
<body><main><section><h1>purexp campaign</h1><p>{{.Text}}</p>
{{if .Key}}<form method="post" action="/enter"><input type="hidden" name="key" value="{{.Key}}">
<p><button class="primary" autofocus>Open the campaign</button></p></form>{{end}}
</section></main></body></html>
`))

// writeEnter writes a page with a text, and with a button if key is not empty.
func writeEnter(w http.ResponseWriter, status int, key, text string) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(status)
	_ = enterPage.Execute(w, struct{ Key, Text string }{key, text}) // the client may have disconnected
}

// enter handles requests for enterPath: it shows the button, and sets a cookie when the button
// sends a valid key.
func (s *Server) enter(w http.ResponseWriter, r *http.Request) {
	if s.guard.keys == nil {
		http.Redirect(w, r, "/", http.StatusSeeOther)
		return
	}
	if r.Method != http.MethodPost {
		writeEnter(w, http.StatusOK, r.URL.Query().Get("key"), "You are invited to a campaign. "+
			"The link works once, and then gives this browser access for a week.")
		return
	}
	r.Body = http.MaxBytesReader(w, r.Body, 4<<10)
	if !s.guard.keys.use(strings.TrimSpace(r.PostFormValue("key"))) {
		if !s.guard.visitors.of(r.RemoteAddr, false).failures.Allow() { // valid links do not count as failures
			w.Header().Set("Retry-After", "1")
			writeProblem(w, r, http.StatusTooManyRequests, "too many invalid links from this address; try again later")
			return
		}
		writeEnter(w, http.StatusForbidden, "", "This link was used before, or is older than "+
			"a day. Ask for a new link.")
		return
	}
	http.SetCookie(w, &http.Cookie{Name: s.guard.keys.cookieName(),
		Value: s.guard.keys.cookie(), Path: "/", MaxAge: int(cookieLife.Seconds()), HttpOnly: true,
		Secure: s.guard.access.TLS, SameSite: http.SameSiteStrictMode})
	http.Redirect(w, r, "/", http.StatusSeeOther)
}
