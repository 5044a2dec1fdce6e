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

// desk handles the requests of the server; its implementations are a campaign and, in tests, a test
// double. The methods of every desk are safe for concurrent use.
type desk interface {
	View() (*report.View, error)
	// Events returns at most limit events with numbers below before or, if before is 0, the latest
	// events. If the result more is true, there are earlier events.
	Events(before, limit int) (events []campaign.Event, more bool, err error)
	// Ask hands out at most n tickets or, if arms is not empty, one ticket for each arm in arms. If
	// Ask hands out no tickets, the result note states the reason.
	Ask(n int, arms []string, as, key string) (tickets []campaign.Ticket, note string, err error)
	// Tell reports results. If unlessOdd is true and a result is odd, Tell records nothing, and the
	// receipt says why.
	Tell(results []Result, as string, unlessOdd bool) (Receipt, error)
	TellSheet(sheet []byte, batch, replicates, as string, unlessOdd bool) (Receipt, error)
	// Worksheet writes pending tickets as CSV. If as is not empty, Worksheet omits tickets of other
	// people.
	Worksheet(w io.Writer, as string) error
	DropWith(arm string, agreed campaign.Consent, as string) error
	JoinWith(n problem.Candidate, agreed campaign.Consent, as string) error
	UndoWith(event int, agreed campaign.Consent, as string) error
	// SignSeen signs the record up to event seen; if later events exist, it returns an error.
	SignSeen(seen int, name, role, as string) error
	Forecast(ctx context.Context) (Forecast, error)
	Report(w io.Writer) error
	// Certificate writes a certificate as a page to print and sign. Certificate returns an error
	// that wraps campaign.ErrConflict if the campaign has no certificate.
	Certificate(w io.Writer) error
	// Watch calls changed after each change by any client or process, until ctx is cancelled.
	Watch(ctx context.Context, changed func()) error
}

// Result is a reported measurement.
type Result struct {
	Ticket int              `json:"ticket,omitempty" minimum:"0" maximum:"2147483647" doc:"Number of the ticket; 0 or missing for an unsolicited result"`
	Plate  int              `json:"plate,omitempty" minimum:"0" maximum:"2147483647" doc:"The plate of the ticket; a different plate is a conflict (409). 0 or missing: not checked"`
	ID     string           `json:"id,omitempty" maxLength:"200" doc:"Identifies an unsolicited result, such as \"2025-03-04 well B7\"; reporting it again changes nothing"`
	Arm    string           `json:"arm,omitempty" maxLength:"1000" doc:"Name of the candidate; optional with a ticket"`
	Values map[string]Value `json:"values,omitempty" maxProperties:"1000" doc:"Value of each objective, by name, in its unit: a number, or text such as \"12.5\". If some trials may not be evaluable, also the number of evaluable trials, under the name of its column (state.evaluable)"`
	Failed bool             `json:"failed,omitempty" doc:"The measurement failed, for a reason unrelated to its value"`
	Note   string           `json:"note,omitempty" maxLength:"2000" doc:"Note for the record"`
}

// Receipt counts how reported results were used.
type Receipt struct {
	campaign.Receipt
	Notes []string `json:"notes" doc:"Further notes"`
}

// Forecast predicts the number of remaining measurements by simulation; see plan.Remaining.
type Forecast struct {
	Event int `json:"event" doc:"Number of the last event that the forecast includes"`
	plan.Forecast
	Text string `json:"text" doc:"The forecast in words"`
}

// Value is the text of a measured number. In JSON, a Value may be a number or a string, so that a
// form can send the exact text that a person typed.
type Value string

// Schema describes a Value in OpenAPI as a number or a string.
func (Value) Schema(huma.Registry) *huma.Schema {
	most := 100
	return &huma.Schema{OneOf: []*huma.Schema{{Type: huma.TypeNumber}, {Type: huma.TypeString, MaxLength: &most}}}
}

// UnmarshalJSON decodes a JSON string, or a JSON number with all of its digits.
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
		return errors.New("expected a finite number, or a text such as \"12.5\"")
	}
	*v = Value(b)
	return nil
}
