package web

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math"
	"strconv"

	"github.com/danielgtaylor/huma/v2"

	"github.com/purexp/purexp/pkg/campaign"
	"github.com/purexp/purexp/pkg/campaign/plan"
	"github.com/purexp/purexp/pkg/campaign/problem"
	"github.com/purexp/purexp/pkg/campaign/report"
	"github.com/purexp/purexp/pkg/internal/strictjson"
)

// A desk handles requests: a campaign, or a test double. Its methods are safe for concurrent use.
type desk interface {
	View() (*report.View, error)
	// Events returns at most limit events, the latest or, if before is not 0, those before it, and
	// whether there are more.
	Events(before, limit int) (events []campaign.Event, more bool, err error)
	// Ask hands out at most n tickets, or those of arms if there are any; with none, note has the
	// reason.
	Ask(n int, arms []string, as, key string) (tickets []campaign.Ticket, note string, err error)
	// Tell reports results, unless one is odd and unlessOdd is set; the receipt then says so.
	Tell(results []Result, as string, unlessOdd bool) (Receipt, error)
	TellSheet(sheet []byte, batch, as string, unlessOdd bool) (Receipt, error)
	// Worksheet writes the pending tickets of one person, or of all if as is empty, as CSV.
	Worksheet(w io.Writer, as string) error
	DropWith(arm string, agreed campaign.Consent, as string) error
	JoinWith(n problem.Candidate, agreed campaign.Consent, as string) error
	UndoWith(event int, agreed campaign.Consent, as string) error
	// SignSeen signs the record up to an event, if it is the last.
	SignSeen(seen int, name, role, as string) error
	Forecast(ctx context.Context) (Forecast, error)
	Report(w io.Writer) error
	// Certificate writes a page to print and sign. The error wraps campaign.ErrConflict if there is
	// none.
	Certificate(w io.Writer) error
	// Watch calls changed after every change by anybody, until ctx ends.
	Watch(ctx context.Context, changed func()) error
}

// A Result is a reported measurement.
type Result struct {
	Ticket int              `json:"ticket,omitempty" minimum:"0" maximum:"2147483647" doc:"Number of the measurement; 0 or none if it is unsolicited"`
	Plate  int              `json:"plate,omitempty" minimum:"0" maximum:"2147483647" doc:"The plate that the ticket belongs to; another one is a conflict (409). 0 or none: not checked"`
	ID     string           `json:"id,omitempty" maxLength:"200" doc:"Names an unsolicited result, such as \"2025-03-04 well B7\": reported again it changes nothing"`
	Arm    string           `json:"arm,omitempty" maxLength:"1000" doc:"Name of the candidate; may be left out if there is a ticket"`
	Values map[string]Value `json:"values,omitempty" maxProperties:"1000" doc:"By name of the objective, in its unit: a number, or text such as \"12.5\"; where some trials may not be evaluable, also how many were, by the name of that column (state.evaluable)"`
	Failed bool             `json:"failed,omitempty" doc:"The measurement failed, for a reason unrelated to its value"`
	Note   string           `json:"note,omitempty" maxLength:"2000" doc:"For the record"`
}

// A Receipt counts what became of results.
type Receipt struct {
	campaign.Receipt
	Notes []string `json:"notes" doc:"Further notes"`
}

// A Forecast is the predicted rest of the measurements, if means are as they seem.
type Forecast struct {
	Event int `json:"event" doc:"Number of the last event that it knows"`
	plan.Forecast
	Text string `json:"text" doc:"The same in words"`
}

// A Value is the text of a measured number. In JSON it is a number or a string, so that a form can
// send exactly what a person typed.
type Value string

// Schema describes a value as a number or a string.
func (Value) Schema(huma.Registry) *huma.Schema {
	most := 100
	return &huma.Schema{OneOf: []*huma.Schema{{Type: huma.TypeNumber}, {Type: huma.TypeString, MaxLength: &most}}}
}

// UnmarshalJSON reads a number as it was written, or a string.
func (v *Value) UnmarshalJSON(b []byte) error {
	if bytes.HasPrefix(b, []byte{'"'}) {
		var s string
		if err := strictjson.Unmarshal(b, &s); err != nil {
			return err
		}
		*v = Value(s)
		return nil
	}
	x, err := strconv.ParseFloat(string(b), 64)
	if err != nil || math.IsNaN(x) || math.IsInf(x, 0) {
		return errors.New("expected a finite number or text")
	}
	*v = Value(b)
	return nil
}
