package web

import (
	"context"
	"net"
	"net/http"
	"net/netip"
	"regexp"
	"slices"
	"strings"
	"time"
)

// Access configures who has access to the server.
type Access struct {
	// Token is the secret that programs send as "Authorization: Bearer TOKEN". If Token is empty,
	// everybody who can reach the address has access; the server must then listen on a loopback
	// address.
	Token string
	// If Loopback is true, the server listens on a loopback address, and rejects requests with any
	// other address in the Host header.
	Loopback bool
	// Hosts are additional names of the server, besides localhost and IP addresses. The server
	// rejects requests for any other name.
	Hosts []string
	// If TLS is true, browsers use https for this server or for a proxy in front of it; cookies are
	// then sent only over https.
	TLS bool
}

// guard checks each request before the server handles it.
type guard struct {
	access   Access
	keys     *keys // nil without a token
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

// policy is the content security policy: the page may load only its own files and embedded figures.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; " +
	"connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"

// open reports whether requests for a path need no key.
func open(path string) bool {
	return path == enterPath || path == "/healthz" || strings.HasPrefix(path, "/assets/")
}

// wrap returns a handler that passes requests to next only after checking them.
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
			writeProblem(w, r, http.StatusMisdirectedRequest, "this server does not accept the name in the "+
				"request's Host header; to accept it, start the server with --host NAME")
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

const tooLarge = "the request is larger than 8 MB; report results in several parts"

// allowed checks the client and the rate limits of a request, and responds to rejected requests.
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
		writeProblem(w, r, http.StatusTooManyRequests, "too many requests from this address; try again in a second "+
			"(results that are reported twice count once)")
		return false
	}
	// Browsers send the origin of a request, but other programs do not. Pages of other web sites
	// may neither send changes nor embed anything, but people may follow links from them to this
	// server.
	if err := g.cross.Check(r); err != nil || foreign(r.Header) {
		writeProblem(w, r, http.StatusForbidden, "the request comes from another web site; use the page of this server")
		return false
	}
	switch {
	case inside || g.keys == nil || open(r.URL.Path):
		return true
	case tried && !v.failures.Allow():
		w.Header().Set("Retry-After", "1")
		writeProblem(w, r, http.StatusTooManyRequests, "too many wrong tokens from this address; try again in a second")
		return false
	}
	g.refuse(w, r)
	return false
}

// keyOf is the context key under which the handler of a request finds its token or cookie.
type keyOf struct{}

// key returns the token or the cookie of a request, or "" if the server needs no token.
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

// known reports whether a request has a valid token or cookie, and whether it has any token or cookie.
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

// foreign reports whether a page of another site caused the request, other than by a link that a
// person followed.
func foreign(h http.Header) bool {
	switch h.Get("Sec-Fetch-Site") {
	case "", "same-origin", "none":
		return false
	}
	return h.Get("Sec-Fetch-Mode") != "navigate" || h.Get("Sec-Fetch-Dest") != "document"
}

// refuse responds to a request without a valid key: programs get a header, and browsers get a page
// that explains how to get access.
func (g *guard) refuse(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("WWW-Authenticate", `Bearer realm="purexp"`)
	if strings.Contains(r.Header.Get("Accept"), "text/html") {
		writeEnter(w, http.StatusUnauthorized, "",
			"To see this campaign, open a single-use link. The person who started the server, or anybody with access "+
				"to the page, can create such a link.")
		return
	}
	writeProblem(w, r, http.StatusUnauthorized, "the token is missing or wrong; send Authorization: Bearer …")
}

// hostOf returns the host in a Host header, in lower case and without port and IPv6 brackets, and
// whether the header is well formed.
func hostOf(header string) (host string, ok bool) {
	host = header
	if strings.HasPrefix(header, "[") {
		end := strings.IndexByte(header, ']')
		if end < 0 {
			return "", false
		}
		host = header[1:end]
		if rest := header[end+1:]; rest != "" && !port.MatchString(rest) {
			return "", false
		}
		if a, err := netip.ParseAddr(host); err != nil || !a.Is6() || a.Zone() != "" {
			return "", false
		}
		return strings.ToLower(host), true
	}
	if i := strings.IndexByte(header, ':'); i >= 0 {
		if host = header[:i]; !port.MatchString(header[i:]) {
			return "", false
		}
	}
	host = strings.ToLower(strings.TrimSuffix(host, "."))
	if !nameOfHost.MatchString(host) {
		return "", false
	}
	return host, true
}

var (
	nameOfHost = regexp.MustCompile(`^[a-z0-9._-]{1,253}$`)
	port       = regexp.MustCompile(`^:[0-9]{1,5}$`)
)

// knownHost reports whether the host in a Host header is a name of this server. In a DNS rebinding
// attack, the name of a malicious web site resolves to this server's address, and browsers send
// that name. To prevent DNS rebinding, the server accepts only known names. IP addresses in the
// Host header are safe, because DNS rebinding cannot forge them. Nevertheless, a server on a
// loopback address accepts only loopback addresses.
func knownHost(header string, names []string, loopback bool) bool {
	host, ok := hostOf(header)
	if !ok {
		return false
	}
	if a, err := netip.ParseAddr(host); err == nil {
		return !loopback || a.Unmap().IsLoopback()
	}
	return host == "localhost" || slices.ContainsFunc(names, func(n string) bool {
		h, ok := hostOf(n)
		return ok && h == host
	})
}

// Loopback reports whether a server that listens on an address, such as "127.0.0.1:8080", can be
// reached only from this machine. For an address without a host, Loopback returns false.
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
