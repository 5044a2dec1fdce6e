package web

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"sync"
	"testing"

	"github.com/purexp/purexp/pkg/campaign"
	"github.com/purexp/purexp/pkg/campaign/problem"
	"github.com/purexp/purexp/pkg/campaign/report"
	"github.com/purexp/purexp/pkg/internal/csvtable"
)

// stub is a desk that checks its arguments against the promises of the API description.
type stub struct {
	t    testing.TB
	mu   sync.Mutex
	v    int
	wake chan struct{} // receives a value at each change, while Watch runs
	err  error         // returned by all later calls
	told []Result
	asks int

	forecasts int
	unable    error // returned by later forecasts
}

func (s *stub) View() (*report.View, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	none := campaign.Numbers{math.NaN(), math.NaN()}
	return &report.View{Status: campaign.Status{Event: s.v, Title: "stub",
		Objectives: []string{"yield [%]", "cost"}, Arms: []campaign.ArmStatus{{Arm: "A01",
			Available: true, Estimate: none, Low: none, High: none}}},
		Columns: []report.Column{{Name: "yield", Unit: "%", Goal: "maximise", Measured: true},
			{Name: "cost", Goal: "minimise"}}}, s.err
}

func (s *stub) Events(before, limit int) ([]campaign.Event, bool, error) {
	if before < 0 || limit < 1 || limit > 1000 {
		s.t.Errorf("Events(%d, %d)", before, limit)
	}
	return []campaign.Event{{Seq: 1}}, false, s.err
}

func (s *stub) Ask(n int, _ []string, as, key string) ([]campaign.Ticket, string, error) {
	if n < 1 || n > 10_000 || as == "" || len(key) > 4*200 {
		s.t.Errorf("Ask(%d, %q, %q)", n, as, key)
	}
	s.mu.Lock()
	s.asks++
	s.mu.Unlock()
	return nil, "nothing to measure", s.err
}

func (s *stub) Tell(results []Result, as string, _ bool) (Receipt, error) {
	if len(results) == 0 || as == "" {
		s.t.Errorf("Tell(%v, %q)", results, as)
	}
	for _, r := range results {
		if r.Ticket < 0 || r.Plate < 0 {
			s.t.Errorf("%+v", r)
		}
		for name, v := range r.Values {
			if len(v) > 400 {
				s.t.Errorf("%q is %q", name, v)
			}
			x, err := csvtable.Number(string(v))
			if err == nil && (math.IsNaN(x) || math.IsInf(x, 0)) {
				s.t.Errorf("%q is %v", v, x)
			}
		}
	}
	s.told = results
	return Receipt{Receipt: campaign.Receipt{Used: len(results)}}, s.err
}

func (s *stub) TellSheet(sheet []byte, _, _, as string, _ bool) (Receipt, error) {
	if as == "" {
		s.t.Errorf("TellSheet(%q, %q)", sheet, as)
	}
	return Receipt{Receipt: campaign.Receipt{Used: len(sheet)}}, s.err
}

func (s *stub) Worksheet(w io.Writer, as string) error {
	_, _ = fmt.Fprintf(w, "ticket,arm,yield\r\n1,A01,\r\n")
	return s.err
}

func (s *stub) DropWith(arm string, agreed campaign.Consent, as string) error {
	if arm == "" || agreed.Why == "" || as == "" {
		s.t.Errorf("Drop(%q, %q, %q)", arm, agreed, as)
	}
	return s.err
}

func (s *stub) JoinWith(n problem.Candidate, _ campaign.Consent, as string) error {
	if n.Name == "" || as == "" {
		s.t.Errorf("Join(%v, %q)", n, as)
	}
	return s.err
}

func (s *stub) UndoWith(event int, agreed campaign.Consent, as string) error {
	if event < 1 || agreed.Why == "" || as == "" {
		s.t.Errorf("Undo(%d, %q, %q)", event, agreed, as)
	}
	return s.err
}

func (s *stub) SignSeen(seen int, name, role, as string) error {
	if seen < 1 || name == "" || as == "" {
		s.t.Errorf("Sign(%d, %q, %q, %q)", seen, name, role, as)
	}
	return s.err
}

func (s *stub) Forecast(context.Context) (Forecast, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.forecasts++
	return Forecast{Event: s.v, Text: "about 3"}, errors.Join(s.err, s.unable)
}

func (s *stub) Report(w io.Writer) error {
	_, _ = io.WriteString(w, "<!doctype html><title>report</title>")
	return s.err
}

func (s *stub) Certificate(w io.Writer) error {
	return fmt.Errorf("it is withdrawn: %w", campaign.ErrConflict)
}

func (s *stub) Watch(ctx context.Context, changed func()) error {
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-s.wake:
			changed()
		}
	}
}

// change creates a new version, and returns after Watch has been notified.
func (s *stub) change() {
	s.mu.Lock()
	s.v++
	s.mu.Unlock()
	s.wake <- struct{}{}
}

var errStub = errors.New("the stub failed")

// served returns a server for a stub.
func served(t testing.TB, a Access) (*Server, *stub) {
	d := &stub{t: t, v: 1, wake: make(chan struct{})}
	s := newServer(d, a, "http://127.0.0.1:1")
	t.Cleanup(s.Close)
	return s, d
}
