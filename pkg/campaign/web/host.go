package web

import (
	"net"
	"net/netip"
	"strings"
)

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
