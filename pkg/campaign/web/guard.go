package web

import (
	"context"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"time"
)

// Access says who may come in.
type Access struct {
	// Token is what programs send as "Authorization: Bearer TOKEN". Empty means that whoever
	// reaches the address may come in: bind it to loopback then.
	Token string
	// Loopback says that the server is bound to loopback: other addresses in Host headers are
	// refused.
	Loopback bool
	// Hosts are the names by which people reach the server, besides localhost and addresses. A
	// request for another name is refused.
	Hosts []string
	// TLS says that people reach the server by https, here or at a proxy: cookies are sent by
	// nothing else then.
	TLS bool
}

// guard checks requests before anything else looks at them.
type guard struct {
	access   Access
	keys     *keys // nil if there is no token
	visitors *visitors
	cross    *http.CrossOriginProtection
}

func newGuard(a Access, now func() time.Time) *guard {
	g := &guard{access: a, visitors: newVisitors(now), cross: http.NewCrossOriginProtection()}
	if a.Token != "" {
		g.keys = newKeys(a.Token, now)
	}
	return g
}

// policy is what the page may load: its own files, and figures that it holds itself.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; " +
	"connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"

// open are the paths that need no key: what a person without one sees.
func open(path string) bool {
	return path == enterPath || path == "/healthz" || strings.HasPrefix(path, "/assets/")
}

// wrap puts the checks around a handler.
func (g *guard) wrap(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", policy)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		h.Set("Permissions-Policy", "camera=(), microphone=(), geolocation=()")
		h.Set("Cache-Control", "no-store")
		if g.access.TLS {
			h.Set("Strict-Transport-Security", "max-age=31536000")
		}
		if !knownHost(r.Host, g.access.Hosts, g.access.Loopback) {
			writeProblem(w, r, http.StatusMisdirectedRequest, "this server does not go by the name "+
				"of the request's Host header; if it should, start it with --host NAME")
			return
		}
		if !g.allowed(w, r) {
			return
		}
		r = r.WithContext(context.WithValue(r.Context(), keyOf{}, g.key(r)))
		if r.ContentLength > mostBody {
			writeProblem(w, r, http.StatusRequestEntityTooLarge, tooLarge)
			return
		}
		r.Body = http.MaxBytesReader(w, r.Body, mostBody)
		next.ServeHTTP(w, r)
	})
}

const tooLarge = "the request is larger than 8 MB; tell results in several parts"

// allowed checks who asks, and how often.
func (g *guard) allowed(w http.ResponseWriter, r *http.Request) bool {
	inside, tried := g.known(r)
	v := g.visitors.of(r.RemoteAddr, inside)
	writes := r.Method != http.MethodGet && r.Method != http.MethodHead
	limit := v.reads
	if writes {
		limit = v.writes
	}
	if !limit.Allow() {
		w.Header().Set("Retry-After", "1")
		writeProblem(w, r, http.StatusTooManyRequests, "too many requests from this address; try "+
			"again in a second (a retried tell changes nothing)")
		return false
	}
	// Browsers say where a request comes from; programs do not. Other sites may neither change
	// anything nor embed anything, but a person may follow a link to here.
	if err := g.cross.Check(r); err != nil || foreign(r.Header) {
		writeProblem(w, r, http.StatusForbidden, "the request comes from another web site")
		return false
	}
	switch {
	case inside || g.keys == nil || open(r.URL.Path):
		return true
	case tried && !v.failures.Allow():
		w.Header().Set("Retry-After", "1")
		writeProblem(w, r, http.StatusTooManyRequests, "too many wrong tokens from this address")
		return false
	}
	g.refuse(w, r)
	return false
}

// keyOf is the key of contexts for what key returns.
type keyOf struct{}

// key returns what let a request in: the token or a cookie, nothing where no key is needed.
func (g *guard) key(r *http.Request) string {
	if g.keys == nil {
		return ""
	}
	if header := r.Header.Get("Authorization"); header != "" {
		return header
	}
	c, _ := r.Cookie(g.keys.cookieName())
	return c.String()
}

// known reports whether a request has a key that opens, and whether it has one at all.
func (g *guard) known(r *http.Request) (inside, tried bool) {
	if g.keys == nil {
		return false, false
	}
	if header := r.Header.Get("Authorization"); header != "" {
		return g.keys.opens(header), true
	}
	c, err := r.Cookie(g.keys.cookieName())
	return err == nil && g.keys.valid(c.Value), err == nil
}

// foreign reports whether a browser says that a request was made by a page of another site, and not
// by a person who follows a link.
func foreign(h http.Header) bool {
	switch h.Get("Sec-Fetch-Site") {
	case "", "same-origin", "none":
		return false
	}
	return h.Get("Sec-Fetch-Mode") != "navigate" || h.Get("Sec-Fetch-Dest") != "document"
}

// refuse asks for a token: programs by a header, people by a page.
func (g *guard) refuse(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("WWW-Authenticate", `Bearer realm="purexp"`)
	if strings.Contains(r.Header.Get("Accept"), "text/html") {
		writeEnter(w, http.StatusUnauthorized, "",
			"To see this campaign, open a link that works once. Who started the server, or "+
				"anybody who sees the page, can make one.")
		return
	}
	writeProblem(w, r, http.StatusUnauthorized, "this server needs a token: Authorization: Bearer …")
}

// hostOf returns the host of a Host header without its port, in lower case, and whether it is well
// formed. Brackets of IPv6 addresses are taken off.
func hostOf(header string) (host string, ok bool) {
	host = header
	if strings.HasPrefix(header, "[") {
		end := strings.IndexByte(header, ']')
		if end < 0 {
			return "", false
		}
		host = header[1:end]
		if rest := header[end+1:]; rest != "" && !port(rest) {
			return "", false
		}
		if a, err := netip.ParseAddr(host); err != nil || !a.Is6() || a.Zone() != "" {
			return "", false
		}
		return strings.ToLower(host), true
	}
	if i := strings.IndexByte(header, ':'); i >= 0 {
		if host = header[:i]; !port(header[i:]) {
			return "", false
		}
	}
	host = strings.ToLower(strings.TrimSuffix(host, "."))
	if host == "" || len(host) > 253 {
		return "", false
	}
	for _, c := range []byte(host) {
		if !(c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == '-' || c == '.' || c == '_') {
			return "", false
		}
	}
	return host, true
}

// port reports whether s is a colon and a port.
func port(s string) bool {
	if len(s) < 2 || len(s) > 6 || s[0] != ':' {
		return false
	}
	for _, c := range []byte(s[1:]) {
		if c < '0' || c > '9' {
			return false
		}
	}
	return true
}

// knownHost reports whether a Host header names this server. A web site that points a name of its
// own at this address (DNS rebinding) sends that name: so names must be known. An address cannot be
// forged that way; but one that is not loopback has no business here if the server is bound to
// loopback.
func knownHost(header string, names []string, loopback bool) bool {
	host, ok := hostOf(header)
	if !ok {
		return false
	}
	if a, err := netip.ParseAddr(host); err == nil {
		return !loopback || a.Unmap().IsLoopback()
	}
	if host == "localhost" {
		return true
	}
	for _, n := range names {
		if h, ok := hostOf(n); ok && h == host {
			return true
		}
	}
	return false
}

// Loopback reports whether an address to listen on, such as "127.0.0.1:8080", is reached from this
// machine only. An address without a host is not.
func Loopback(address string) bool {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return false
	}
	if strings.EqualFold(host, "localhost") {
		return true
	}
	a, err := netip.ParseAddr(host)
	return err == nil && a.Unmap().IsLoopback()
}
