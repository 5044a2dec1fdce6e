package web

import (
	"net/netip"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// The following constants limit the rate of requests from one address. Clients with a key have
// separate limits, so that strangers behind the same proxy do not use up the limits of users. The
// limits only stop scripts that run out of control; a laboratory needs far fewer requests.
const (
	readsPerSecond    = 600
	writesPerSecond   = 150 // a robot that reports results one at a time makes about 100 requests a second
	failuresPerSecond = 1   // requests with wrong tokens, cookies or links
	burst             = 4   // a client may send the requests of this many seconds at once
	failureBurst      = 20
	mostAddresses     = 10_000
)

// The following constants limit the size of requests.
const (
	mostHeader = 16<<10 - 4<<10 // largest size of all headers; net/http adds 4096 bytes
	mostBody   = 8 << 20        // largest size of a body, which is about 100 000 rows of results
)

// visitors holds the rate limiters of each address.
type visitors struct {
	now func() time.Time
	mu  sync.Mutex
	by  map[client]*visitor
}

// client identifies a rate limiter: the address, and whether the client has a valid key.
type client struct {
	netip.Addr
	inside bool
}

type visitor struct {
	reads, writes, failures *rate.Limiter
	last                    time.Time
}

func newVisitors(now func() time.Time) *visitors {
	return &visitors{now: now, by: map[client]*visitor{}}
}

// of returns the rate limiters of an address. Addresses of the same IPv6 network share their rate
// limiters.
func (v *visitors) of(remote string, inside bool) *visitor {
	a := client{inside: inside}
	if ap, err := netip.ParseAddrPort(remote); err == nil {
		if a.Addr = ap.Addr().Unmap().WithZone(""); a.Is6() {
			if p, err := a.Prefix(64); err == nil {
				a.Addr = p.Addr()
			}
		}
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	one := v.by[a]
	if one == nil {
		if len(v.by) >= mostAddresses {
			v.forget()
		}
		one = &visitor{
			reads:    rate.NewLimiter(readsPerSecond, burst*readsPerSecond),
			writes:   rate.NewLimiter(writesPerSecond, burst*writesPerSecond),
			failures: rate.NewLimiter(failuresPerSecond, failureBurst),
		}
		v.by[a] = one
	}
	one.last = v.now()
	return one
}

// forget removes the rate limiters of visitors that were idle for a minute; if too many remain, it
// removes all.
func (v *visitors) forget() {
	for a, one := range v.by {
		if v.now().Sub(one.last) > time.Minute {
			delete(v.by, a)
		}
	}
	if len(v.by) >= mostAddresses {
		clear(v.by)
	}
}
