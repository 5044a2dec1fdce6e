//go:build unix

package display

import (
	"encoding/gob"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	gosync "sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/janpfeifer/gonb/gonbui/protocol"
)

// listener returns pipes with a kernel at their other end, as GoNB has it: it reads n messages and
// answers those that want it, after a while. What it has read is sent to read when it is gone.
func listener(t *testing.T, n int) (p *pipes, read chan []string, answered *atomic.Int32) {
	dir := t.TempDir()
	p = &pipes{to: filepath.Join(dir, "to"), from: filepath.Join(dir, "from")}
	for _, path := range []string{p.to, p.from} {
		if err := syscall.Mkfifo(path, 0o600); err != nil {
			t.Skip(err)
		}
	}
	read, answered = make(chan []string, 1), new(atomic.Int32)
	go func() {
		var got []string
		defer func() { read <- got }()
		r, err := os.Open(p.to)
		if err != nil {
			t.Error(err)
			return
		}
		defer r.Close()
		w, err := os.OpenFile(p.from, os.O_WRONLY, 0)
		if err != nil {
			t.Error(err)
			return
		}
		defer w.Close()
		in, out := gob.NewDecoder(r), gob.NewEncoder(w)
		answer := func(v *protocol.CommValue) {
			if err := out.Encode(v); err != nil {
				t.Error(err)
			}
		}
		for range n {
			var d protocol.DisplayData
			if err := in.Decode(&d); err != nil {
				t.Error(err)
				return
			}
			if v, ok := d.Data[protocol.MIMECommValue]; ok {
				got = append(got, "sync")
				answer(&protocol.CommValue{Address: "/of/a/widget", Value: "x"})
				time.Sleep(2 * time.Millisecond)
				answered.Add(1)
				answer(&protocol.CommValue{Address: protocol.GonbuiSyncAckAddress,
					Value: v.(protocol.CommValue).Value})
				continue
			}
			got = append(got, d.Data[protocol.MIMETextHTML].(string)+d.DisplayID)
		}
	}()
	return p, read, answered
}

func show(t *testing.T, p *pipes, text, id string) {
	t.Helper()
	if err := p.send(&protocol.DisplayData{DisplayID: id, Metadata: map[string]any{"width": 3},
		Data: map[protocol.MIMEType]any{protocol.MIMETextHTML: text}}); err != nil {
		t.Error(err)
	}
}

func TestPipes(t *testing.T) {
	p, read, answered := listener(t, 4)
	show(t, p, "<b>1</b>", "")
	if err := p.sync(); err != nil || answered.Load() != 1 {
		t.Fatalf("%v; %d answers", err, answered.Load())
	}
	show(t, p, "2", "id")
	if err := p.sync(); err != nil || answered.Load() != 2 {
		t.Fatalf("%v; %d answers", err, answered.Load())
	}
	want := []string{"<b>1</b>", "sync", "2id", "sync"}
	if got := <-read; !reflect.DeepEqual(got, want) {
		t.Errorf("the kernel read %q; want %q", got, want)
	}
	// The kernel is gone.
	err := p.sync()
	if err == nil || !strings.Contains(err.Error(), "the kernel's pipe") {
		t.Errorf("%v without a kernel", err)
	}
	if err := p.sync(); err != nil {
		t.Errorf("%v: the same error twice", err)
	}
}

// Pictures are larger than what a pipe holds, and several goroutines may show them.
func TestManyAtOnce(t *testing.T) {
	const writers, each, size = 8, 10, 10000
	p, read, _ := listener(t, 2*writers*each)
	var wait gosync.WaitGroup
	for w := range writers {
		wait.Go(func() {
			for i := 1; i <= each; i++ {
				show(t, p, strings.Repeat(string(rune('a'+w)), size*i), "")
				if err := p.sync(); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wait.Wait()
	last := make(map[string]int)
	for _, got := range <-read {
		if got == "sync" {
			continue
		}
		w, i := got[:1], len(got)/size
		if got != strings.Repeat(w, size*i) {
			t.Fatalf("a message of %d bytes is damaged", len(got))
		}
		if i != last[w]+1 {
			t.Errorf("message %d of %s came after %d", i, w, last[w])
		}
		last[w] = i
	}
	for w := range writers {
		if got := last[string(rune('a'+w))]; got != each {
			t.Errorf("the last message of %c was %d", 'a'+w, got)
		}
	}
}

func TestNoPipes(t *testing.T) {
	p := &pipes{to: filepath.Join(t.TempDir(), "none")}
	if err := p.send(&protocol.DisplayData{}); err == nil {
		t.Error("no error without a pipe")
	}
	if err := p.sync(); err != nil {
		t.Errorf("%v: the same error twice", err)
	}
}
