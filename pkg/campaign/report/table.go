package report

import (
	"fmt"
	"math"

	"github.com/purexp/purexp/pkg/campaign"
	"github.com/purexp/purexp/pkg/tidy"
)

// Table shows where a campaign stands, a candidate a row: measurements, estimates with the ends of
// their intervals, verdict and reason; the notes are what the guarantee rests on and warnings.
func Table(s *campaign.Status) *tidy.Table {
	t := &tidy.Table{Title: s.Headline, Columns: []tidy.Column{{Name: "candidate"}, {Name: "used"},
		{Name: "pending"}}}
	if s.Trials > 0 {
		t.Columns = append(t.Columns, tidy.Column{Name: s.Called})
	}
	for _, o := range s.Objectives {
		t.Columns = append(t.Columns, tidy.Column{Name: o})
	}
	t.Columns = append(t.Columns, tidy.Column{Name: "verdict"}, tidy.Column{Name: "why"})
	for _, a := range s.Arms {
		row := []any{a.Arm, a.Used, a.Pending}
		if s.Trials > 0 {
			row = append(row, a.Trials)
		}
		for i, v := range a.Estimate {
			cell := ""
			switch {
			case math.IsNaN(v):
			case math.IsNaN(a.Low[i]):
				cell = fmt.Sprintf("%.4g", v)
			default:
				cell = fmt.Sprintf("%.4g [%.4g, %.4g]", v, a.Low[i], a.High[i])
			}
			row = append(row, cell)
		}
		why := a.Why
		if a.Dropped != "" {
			why = a.Dropped
		}
		t.Rows = append(t.Rows, append(row, a.Verdict, why))
	}
	rests := fmt.Sprintf("delta %v", s.Delta)
	if s.Budget > 0 {
		rests = fmt.Sprintf("a budget of %d measurements", s.Budget)
	}
	t.Notes = append(t.Notes, fmt.Sprintf("%s, %s; %d measurements used, %d failed, %d not "+
		"used, %d pending; event %d.", s.Method, rests, s.Used, s.Failed, s.Unused, s.Pending,
		s.Event))
	if s.Paid != "" {
		t.Notes = append(t.Notes, "Measurements cost "+s.Paid+" so far.")
	}
	if s.Affordable > 0 {
		t.Notes = append(t.Notes, fmt.Sprintf("%d measurements were asked for; %d can be afforded.", s.Asked, s.Affordable))
	}
	if s.Sealed > 0 {
		t.Notes = append(t.Notes, fmt.Sprintf("The protocol is frozen, and sealed by event %d.", s.Sealed))
	}
	for i := range s.Amendments {
		t.Notes = append(t.Notes, s.Amendments[i].String())
	}
	for i := range s.Signatures {
		t.Notes = append(t.Notes, s.Signatures[i].String())
	}
	t.Notes = append(t.Notes, s.Guarantee...)
	t.Notes = append(t.Notes, s.Warnings...)
	return t
}
