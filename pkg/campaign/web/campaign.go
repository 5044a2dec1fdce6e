package web

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"time"

	"github.com/purexp/purexp/pkg/campaign"
	"github.com/purexp/purexp/pkg/campaign/plan"
	"github.com/purexp/purexp/pkg/campaign/problem"
	"github.com/purexp/purexp/pkg/campaign/report"
	"github.com/purexp/purexp/pkg/tidy"
)

// New returns a server for campaign c, which must stay open until the server is closed. The
// argument base is the public address of the server, such as http://127.0.0.1:8080, which links
// contain.
func New(c *campaign.Campaign, a Access, base string) *Server {
	return newServer(&engine{c, report.NewViewer(c)}, a, base)
}

// engine is the desk for a real campaign.
type engine struct {
	*campaign.Campaign
	viewer *report.Viewer
}

func (b *engine) View() (*report.View, error) { return b.viewer.View() }

func (b *engine) Events(before, limit int) ([]campaign.Event, bool, error) {
	all, err := b.Campaign.Events(0)
	if err != nil {
		return nil, false, err
	}
	end := len(all)
	if before > 0 {
		end = min(end, before-1) // events are numbered from 1
	}
	begin := max(0, end-limit)
	list := slices.Clone(all[begin:end])
	slices.Reverse(list)
	return list, begin > 0, nil
}

func (b *engine) Ask(n int, arms []string, as, key string) (tickets []campaign.Ticket, note string, err error) {
	if len(arms) > 0 {
		tickets, err = b.Announce(key, arms, as)
	} else {
		tickets, err = b.AskOnce(key, n, as)
	}
	if err != nil {
		return nil, "", err
	}
	s, err := b.Status()
	switch {
	case err != nil || len(tickets) > 0:
		return tickets, s.Excess(), err
	case s.Done():
		return nil, "There is nothing more to measure, because the campaign has its answer.", nil
	case s.Status == campaign.Finished:
		return nil, "There is nothing more to measure. " + s.Headline, nil
	}
	return nil, "No further measurement is useful before some pending results are reported. " + s.Headline, nil
}

func (b *engine) Tell(results []Result, as string, unlessOdd bool) (Receipt, error) {
	p, err := b.Problem()
	if err != nil {
		return Receipt{}, err
	}
	list, err := read(results, p)
	if err != nil {
		return Receipt{}, err
	}
	return b.tell(list, as, unlessOdd)
}

// tell reports results; if unlessOdd is true and a result is odd, it records none of the results.
func (b *engine) tell(list []campaign.Result, as string, unlessOdd bool) (Receipt, error) {
	if unlessOdd {
		if odd, err := b.Odd(list); err != nil || odd != nil {
			return Receipt{campaign.Receipt{Odd: odd}, nil}, err
		}
	}
	return b.receipt(b.Campaign.Tell(list, as))
}

func read(results []Result, p *problem.Problem) ([]campaign.Result, error) {
	var errs campaign.InputErrors
	list := make([]campaign.Result, len(results))
	for i, r := range results {
		x := campaign.Result{Ticket: r.Ticket, Plate: r.Plate, ID: r.ID, Arm: r.Arm, Failed: r.Failed, Note: r.Note}
		by := make(map[string]string, len(r.Values))
		for name, text := range r.Values {
			by[name] = string(text)
		}
		if !r.Failed || len(by) > 0 {
			err := x.Fill(p, by)
			var wrong campaign.InputErrors
			if errors.As(err, &wrong) {
				for _, e := range wrong {
					e.Row = i + 1
				}
				errs = append(errs, wrong...)
			} else if err != nil {
				return nil, err
			}
		}
		list[i] = x
	}
	if errs != nil {
		return nil, errs[:min(len(errs), 20)]
	}
	return list, nil
}

// sheetName is the name of an uploaded table in error messages.
const sheetName = "sheet"

func (b *engine) TellSheet(sheet []byte, batch, replicates, as string, unlessOdd bool) (Receipt, error) {
	list, notes, err := b.ReadBatch(batch, replicates, sheetName, sheet)
	if err != nil {
		return Receipt{}, err
	}
	r, err := b.tell(list, as, unlessOdd)
	r.Notes = append(notes, r.Notes...)
	return r, err
}

// receipt converts a receipt of package campaign to a receipt of the API.
func (b *engine) receipt(r campaign.Receipt, err error) (Receipt, error) {
	if err != nil {
		return Receipt{}, err
	}
	out := Receipt{r, r.Notes}
	if r.Unused > 0 {
		out.Notes = append(out.Notes, "Unused results stay on record; “What the guarantee covers” gives the reason.")
	}
	for _, odd := range r.Odd {
		out.Notes = append(out.Notes, fmt.Sprintf("%s If so, undo event %d.", odd, r.Event))
	}
	if r.Status != campaign.Finished {
		return out, nil
	}
	s, err := b.Status()
	if s.Done() {
		s.Headline = "The campaign has its answer."
	}
	out.Notes = append(out.Notes, s.Headline)
	return out, err
}

func (b *engine) Worksheet(w io.Writer, as string) error {
	tickets, err := b.Tickets(campaign.Pending)
	if err != nil {
		return err
	}
	if as != "" {
		tickets = slices.DeleteFunc(tickets, func(t campaign.Ticket) bool { return t.Who != as })
	}
	return b.WriteSheet(w, tickets)
}

func (b *engine) Report(w io.Writer) error {
	r, err := b.viewer.Report()
	if err != nil {
		return err
	}
	return r.HTML(w)
}

func (b *engine) Certificate(w io.Writer) error {
	r, err := b.viewer.Report()
	if err != nil {
		return err
	}
	return r.Certificate(w)
}

func (b *engine) Watch(ctx context.Context, changed func()) error {
	return b.Campaign.Watch(ctx, func(int) bool { changed(); return ctx.Err() == nil })
}

// forecastTime limits the duration of a forecast, and forecastRuns limits its number of simulated
// campaigns.
const (
	forecastTime = 20 * time.Second
	forecastRuns = 60
)

// Forecast simulates the rest of the campaign; see [plan.Remaining].
func (b *engine) Forecast(ctx context.Context) (Forecast, error) {
	s, err := b.Status()
	if err != nil {
		return Forecast{}, err
	}
	f := Forecast{Event: s.Event}
	if s.Status != campaign.Running {
		f.Text = "Nothing is left to measure: " + s.Headline
		return f, nil
	}
	if n := s.Confirming; n > 0 {
		f.Text = fmt.Sprintf("The method has its answer. %d confirming measurements are left.", n)
		if n == 1 {
			f.Text = "The method has its answer. One confirming measurement is left."
		}
		return f, nil
	}
	p, err := b.Problem()
	if err != nil {
		return f, err
	}
	compiled, err := p.Compile()
	if err != nil {
		return f, err
	}
	told, err := b.Rewards()
	if err != nil {
		return f, err
	}
	rounds, err := b.Phases()
	if err != nil {
		return f, err
	}
	left, err := plan.Remaining(ctx, compiled, told, rounds, &plan.Options{Runs: forecastRuns, Time: forecastTime})
	if err != nil {
		return f, fmt.Errorf("the forecast: %w", err)
	}
	f.Forecast, f.Text = *left, forecastWords(left)
	return f, nil
}

func forecastWords(f *plan.Forecast) string {
	whole := func(q plan.Quantile) string {
		text := tidy.Int(int(math.Round(q.Value)))
		if q.Open {
			text = "more than " + text
		}
		return text
	}
	m := f.Measurements
	text := fmt.Sprintf("About %s more measurements (%s plates, %.3g days) are needed if the means are near their "+
		"estimates; more than %s are needed with probability 0.1. The median is between %s and %s, as estimated from "+
		"%d simulated campaigns.", whole(m.Median), whole(f.Plates.Median),
		f.Days.Median.Value, whole(m.Most), tidy.Int(int(m.Median.Lo)), tidy.Int(int(m.Median.Hi)),
		f.Runs)
	if f.GaveUp > 0 {
		text += fmt.Sprintf(" Simulated campaigns that exceeded the limit on measurements: %d.", f.GaveUp)
	}
	for _, w := range f.Warnings {
		text += " " + w
	}
	return text
}
