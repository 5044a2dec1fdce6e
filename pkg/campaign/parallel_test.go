package campaign

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"sync"
	"testing"
)

// All methods that only read may be called concurrently while another process reports results. With -race, the test
// also detects data races.
func TestReadersTogether(t *testing.T) {
	other := begin(t)
	c, err := Open(other.Path())
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	n := 40
	if testing.Short() {
		n = 15
	}
	done := make(chan bool)
	var group sync.WaitGroup
	for name, read := range map[string]func() error{
		"certificate": func() error {
			var text bytes.Buffer
			err := c.Certificate(&text)
			if err == nil && !bytes.Contains(text.Bytes(), []byte(`"part":"end"`)) {
				err = fmt.Errorf("the certificate has no end record: %.200s", &text)
			}
			return err
		},
		"export":   func() error { return c.Export(io.Discard) },
		"table":    func() error { return c.ExportCSV(io.Discard) },
		"status":   func() error { _, err := c.Status(); return err },
		"tickets":  func() error { _, err := c.Tickets(); return err },
		"rewards":  func() error { _, err := c.Rewards(); return err },
		"events":   func() error { _, err := c.Events(0); return err },
		"sureness": func() error { _, _, err := c.Sure(); return err },
	} {
		group.Go(func() {
			for {
				select {
				case <-done:
					return
				default:
				}
				if err := read(); err != nil {
					t.Errorf("%s: %v", name, err)
					return
				}
			}
		})
	}
	for i := range n {
		for _, x := range ask(t, other, 2) {
			tell(t, other, Result{Ticket: x.Ticket, Values: []float64{50 + float64(i%3), 2}})
		}
	}
	close(done)
	group.Wait()
}

// After any changes by other processes, an open campaign has the same status as a campaign that is opened after
// these changes.
func TestOthersChanges(t *testing.T) {
	other := begin(t)
	c, err := Open(other.Path())
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	var told []int // numbers of the events that report results
	steps := map[rune]func(){
		't': func() {
			x := ask(t, other, 1)[0]
			told = append(told, tell(t, other, Result{Ticket: x.Ticket, Values: []float64{50 + float64(len(told)), 2}}).Event)
		},
		'a': func() { ask(t, other, 1) },
		'u': func() {
			must(t, other.Undo(told[len(told)-1], "a slip", "Ada"))
			told = told[:len(told)-1]
		},
	}
	for _, since := range []string{"t", "tt", "u", "tu", "ua", "ut", "tuat", "au"} {
		for _, step := range since {
			steps[step]()
		}
		fresh, err := Open(other.Path())
		if err != nil {
			t.Fatal(err)
		}
		want, err := json.Marshal(status(t, fresh))
		if err != nil {
			t.Fatal(err)
		}
		fresh.Close()
		if got, _ := json.Marshal(status(t, c)); !bytes.Equal(got, want) {
			t.Errorf("after %q:\n%s\nwant, from a campaign opened now,\n%s", since, got, want)
		}
	}
}
