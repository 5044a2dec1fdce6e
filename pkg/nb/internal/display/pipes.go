package display

import (
	"encoding/gob"
	"fmt"
	"os"
	gosync "sync"

	"github.com/janpfeifer/gonb/gonbui/protocol"
)

// pipes are the two named pipes of the kernel, which open when they are first used.
type pipes struct {
	to, from string // their paths

	mu     gosync.Mutex
	open   bool
	failed bool
	syncs  int
	w      *gob.Encoder
	r      *gob.Decoder
}

// send writes a message. After an error, which it returns once, it does nothing.
func (p *pipes) send(d *protocol.DisplayData) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.once(func() error { return p.w.Encode(d) })
}

// sync asks for an answer, and waits for it: the kernel reads messages in their order.
func (p *pipes) sync() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.once(func() error {
		p.syncs++
		err := p.w.Encode(&protocol.DisplayData{Data: map[protocol.MIMEType]any{
			protocol.MIMECommValue: protocol.CommValue{
				Address: protocol.GonbuiSyncAddress, Value: p.syncs}}})
		for err == nil {
			var answer protocol.CommValue // others are of widgets, which nobody has here
			err = p.r.Decode(&answer)
			if answer.Address == protocol.GonbuiSyncAckAddress && answer.Value == p.syncs {
				break
			}
		}
		return err
	})
}

// once calls f with open pipes, unless there was an error before.
func (p *pipes) once(f func() error) error {
	if p.failed {
		return nil
	}
	err := p.connect()
	if err == nil {
		err = f()
	}
	if p.failed = err != nil; p.failed {
		return fmt.Errorf("the kernel's pipe: %w", err)
	}
	return nil
}

// connect opens the pipes, in the order in which the kernel expects it.
func (p *pipes) connect() error {
	if p.open {
		return nil
	}
	w, err := os.OpenFile(p.to, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	r, err := os.Open(p.from)
	if err != nil {
		w.Close()
		return err
	}
	p.open, p.w, p.r = true, gob.NewEncoder(w), gob.NewDecoder(r)
	return nil
}
