package web

import (
	"sync"
	"time"
)

// hub distributes the latest state of the campaign to all connected clients. Slow clients skip
// intermediate updates and do not delay other clients.
type hub struct {
	mu     sync.Mutex
	latest news
	wake   chan struct{} // channel that is closed when there is a later state
	people int
	by     map[string]int // number of connected clients by key
}

// news is a server-sent message with the latest state; all clients receive the same bytes.
type news struct {
	version int
	bytes   []byte
}

func newHub() *hub { return &hub{wake: make(chan struct{}), by: map[string]int{}} }

// publish makes n the latest news, unless the hub already has later news.
func (h *hub) publish(n news) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.latest.bytes != nil && n.version <= h.latest.version {
		return
	}
	h.latest = n
	close(h.wake)
	h.wake = make(chan struct{})
}

// now returns the latest news, and a channel that is closed when the next news is published.
func (h *hub) now() (news, <-chan struct{}) {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.latest, h.wake
}

// join and leave count the connected clients by key. join reports whether there is room for another
// client in total and under this key.
func (h *hub) join(key string, most, mostOfKey int) (room, ofKey bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if room, ofKey = h.people < most, key == "" || h.by[key] < mostOfKey; room && ofKey {
		h.people++
		h.by[key]++
	}
	return room, ofKey
}

func (h *hub) leave(key string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.people--
	if h.by[key]--; h.by[key] == 0 {
		delete(h.by, key)
	}
}

// follow calls send with the latest news if its version exceeds after. follow ends when done is
// closed or send fails. Between two calls of send, follow waits at least the time pause. If there
// is no news for the time quiet, follow calls idle, which keeps connections through proxies alive.
func (h *hub) follow(done <-chan struct{}, after int, pause, quiet time.Duration,
	send func(news) error, idle func() error) error {
	for {
		n, wake := h.now()
		if n.bytes != nil && n.version > after {
			if err := send(n); err != nil {
				return err
			}
			after = n.version
			if !wait(done, pause) {
				return nil
			}
			continue
		}
		select {
		case <-done:
			return nil
		case <-wake:
		case <-time.After(quiet):
			if err := idle(); err != nil {
				return err
			}
		}
	}
}

// wait pauses for d, and returns false if done is closed during the pause.
func wait(done <-chan struct{}, d time.Duration) bool {
	select {
	case <-done:
		return false
	case <-time.After(d):
		return true
	}
}
