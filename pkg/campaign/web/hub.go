package web

import (
	"sync"
	"time"
)

// A hub passes news on to everybody who is connected. What counts is where the campaign stands
// now: who is slow misses what has been overtaken, and never holds up the others.
type hub struct {
	mu     sync.Mutex
	latest news
	wake   chan struct{} // closed when there is something newer
	people int
}

// news is a message of server-sent events: the same bytes for all.
type news struct {
	version int
	bytes   []byte
}

func newHub() *hub { return &hub{wake: make(chan struct{})} }

// publish makes n the latest news, unless there are newer ones.
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

// now returns the latest news, and a channel that is closed when there are newer ones.
func (h *hub) now() (news, <-chan struct{}) {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.latest, h.wake
}

// join and leave count who is connected. join reports whether there is room.
func (h *hub) join(most int) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.people >= most {
		return false
	}
	h.people++
	return true
}

func (h *hub) leave() {
	h.mu.Lock()
	h.people--
	h.mu.Unlock()
}

// follow calls send with the latest news, newer than after, again and again until done is closed
// or send fails. Between two calls there is at least pause. After quiet without news it calls
// idle, which tells proxies that the connection is alive.
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
		timer := time.NewTimer(quiet)
		select {
		case <-done:
			timer.Stop()
			return nil
		case <-wake:
			timer.Stop()
		case <-timer.C:
			if err := idle(); err != nil {
				return err
			}
		}
	}
}

// wait pauses; it reports false if done was closed meanwhile.
func wait(done <-chan struct{}, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-done:
		return false
	case <-timer.C:
		return true
	}
}
