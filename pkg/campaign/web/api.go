package web

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/purexp/purexp/pkg/campaign"
	"github.com/purexp/purexp/pkg/campaign/problem"
	"github.com/purexp/purexp/pkg/campaign/report"
)

// The following types are inputs and outputs of the API operations. The doc tags become
// descriptions in the OpenAPI document.
type (
	viewOutput struct{ Body *report.View }

	askInput struct {
		Body struct {
			Count int      `json:"count" minimum:"1" maximum:"10000" doc:"Largest number of measurements, such as the free wells of a plate"`
			As    string   `json:"as" minLength:"1" maxLength:"100" doc:"Who requests: a person or a machine"`
			Arms  []string `json:"arms,omitempty" maxItems:"10000" doc:"Candidates that you choose, one for each measurement, instead of count. Measurements that are announced before they are made count like requested measurements"`
			Key   string   `json:"key,omitempty" maxLength:"200" doc:"A repeated request with the same key returns the same tickets"`
		}
	}
	askOutput struct {
		Body struct {
			Tickets []campaign.Ticket `json:"tickets"`
			Note    string            `json:"note" doc:"Why there are no tickets, or a note that the affordable number is reached"`
		}
	}

	tellInput struct {
		Body struct {
			Results []Result `json:"results" nullable:"false" minItems:"1" maxItems:"100000"`
			As      string   `json:"as" minLength:"1" maxLength:"100" doc:"Who reports"`
			// UnlessOdd is meant for reports by people, who can check an odd value and correct it.
			UnlessOdd bool `json:"unless_odd,omitempty" doc:"Record nothing if a result looks like a typing error; event is then 0, and odd describes the result"`
		}
	}
	sheetInput struct {
		As        string `query:"as" required:"true" minLength:"1" maxLength:"100" doc:"Who reports"`
		Batch     string `query:"batch" maxLength:"100" doc:"Name of a table of unsolicited results: line 3 has the id NAME:3, and tickets in the table are ignored"`
		Summed    string `query:"replicates" maxLength:"100" doc:"Column with the number of measurements that each row summarises"`
		UnlessOdd bool   `query:"unless_odd" doc:"Record nothing if a result looks like a typing error; event is then 0, and odd describes the result"`
		RawBody   []byte `contentType:"text/csv"`
	}
	tellOutput struct{ Body Receipt }

	worksheetInput struct {
		As string `query:"as" maxLength:"100" doc:"Only tickets of this person or machine"`
	}

	// Amend holds the fields that all changes need: the reason, and the second person who agrees.
	Amend struct {
		Why string `json:"why" minLength:"1" maxLength:"2000" doc:"Reason for the record"`
		By  string `json:"by,omitempty" maxLength:"100" doc:"A second person who agrees; required after the end if the protocol is frozen"`
		As  string `json:"as" minLength:"1" maxLength:"100"`
	}
	dropInput struct {
		Body struct {
			Arm string `json:"arm" minLength:"1" maxLength:"1000"`
			Amend
		}
	}
	joinInput struct {
		Body struct {
			Arm     string           `json:"arm" minLength:"1" maxLength:"1000"`
			Columns map[string]Value `json:"columns,omitempty" maxProperties:"1000" doc:"Values of the candidate in the columns that the state lists in newcomer"`
			Why     string           `json:"why,omitempty" maxLength:"2000" doc:"Reason for the record; required if by is given"`
			By      string           `json:"by,omitempty" maxLength:"100" doc:"A second person who agrees; required after the end if the protocol is frozen"`
			As      string           `json:"as" minLength:"1" maxLength:"100"`
		}
	}
	undoInput struct {
		Body struct {
			Event int `json:"event" minimum:"1" doc:"Number of the event"`
			Amend
		}
	}

	signInput struct {
		Body struct {
			Event int    `json:"event" minimum:"1" doc:"Number of the last event that the signer saw (event in the state). If there are later events, nothing is signed (409)"`
			Name  string `json:"name" minLength:"1" maxLength:"100" doc:"Who signs"`
			Role  string `json:"role,omitempty" maxLength:"100" doc:"Role, such as statistician"`
			As    string `json:"as" minLength:"1" maxLength:"100" doc:"Who enters the signature"`
		}
	}

	eventsInput struct {
		Before int `query:"before" minimum:"0" doc:"Only events before the event with this number"`
		Limit  int `query:"limit" minimum:"1" maximum:"1000" default:"100"`
	}
	eventsOutput struct {
		Body struct {
			Events []campaign.Event `json:"events" doc:"Events, the latest first"`
			More   bool             `json:"more" doc:"There are earlier events"`
		}
	}

	planeInput struct {
		X     int    `query:"x" minimum:"0" default:"0" doc:"Objective on the horizontal axis, from 0"`
		Y     int    `query:"y" minimum:"0" default:"1" doc:"Objective on the vertical axis"`
		Width string `query:"width" enum:"wide,narrow" default:"wide"`
	}
	effortInput struct {
		Width string `query:"width" enum:"wide,narrow" default:"wide"`
	}
	figureOutput struct{ Body report.Figure }

	forecastOutput struct{ Body Forecast }

	linkOutput struct {
		Body struct {
			Link string `json:"link" doc:"Single-use link, valid for 24 hours"`
		}
	}
)

// operation describes an operation of the API; any operation may also respond with status 401, 403
// or 429.
func operation(method, path, id, summary, description string, statuses ...int) huma.Operation {
	return huma.Operation{
		Method: method, Path: path, OperationID: id, Summary: summary, Description: description,
		Errors:       append(statuses, http.StatusUnauthorized, http.StatusTooManyRequests),
		MaxBodyBytes: mostBody,
		Security:     []map[string][]string{{"token": {}}, {"cookie": {}}},
	}
}

type stateInput struct {
	Since int `query:"since" minimum:"0" doc:"Omit arms that did not change after this event"`
}

// register describes all operations and connects them to the server's desk.
func (s *Server) register(api huma.API) {
	const conflict, invalid = http.StatusConflict, http.StatusUnprocessableEntity
	huma.Register(api, operation("GET", "/api/state", "state", "The state of the campaign", ""),
		func(_ context.Context, in *stateInput) (*viewOutput, error) {
			v, err := s.view()
			if err == nil && in.Since > 0 {
				v = s.since(in.Since)
			}
			return &viewOutput{v}, failure(err)
		})
	huma.Register(api, operation("POST", "/api/ask", "ask", "Request measurements",
		"Returns tickets, one for each measurement. Tickets stay pending until they are reported or given up.",
		conflict, invalid),
		func(_ context.Context, in *askInput) (*askOutput, error) {
			out := &askOutput{}
			tickets, note, err := s.desk.Ask(in.Body.Count, in.Body.Arms, in.Body.As, in.Body.Key)
			out.Body.Tickets, out.Body.Note = append([]campaign.Ticket{}, tickets...), note
			return out, failure(err)
		})
	huma.Register(api, operation("POST", "/api/tell", "tell", "Report results",
		"All results are accepted, or none. Results that were reported before with the same values change nothing "+
			"(200, repeated), so a request can be retried. A ticket that was reported with other values or is not "+
			"open returns 409; an impossible value returns 422 with the name of its field.",
		conflict, invalid),
		func(_ context.Context, in *tellInput) (*tellOutput, error) {
			r, err := s.desk.Tell(in.Body.Results, in.Body.As, in.Body.UnlessOdd)
			return &tellOutput{r.complete()}, failure(err)
		})
	huma.Register(api, operation("POST", "/api/tell.csv", "tell-sheet", "Report a worksheet",
		"The worksheet with its results, as CSV. Rows without values are skipped, and can be reported later.",
		conflict, invalid),
		func(_ context.Context, in *sheetInput) (*tellOutput, error) {
			r, err := s.desk.TellSheet(in.RawBody, in.Batch, in.Summed, in.As, in.UnlessOdd)
			return &tellOutput{r.complete()}, failure(err)
		})
	sheet := operation("GET", "/api/worksheet.csv", "worksheet", "The worksheet",
		"Pending measurements as CSV, with empty cells for their values.")
	sheet.Responses = map[string]*huma.Response{"200": {Description: "CSV",
		Content: map[string]*huma.MediaType{"text/csv": {}}}}
	huma.Register(api, sheet, func(_ context.Context, in *worksheetInput) (*huma.StreamResponse, error) {
		return s.file("text/csv; charset=utf-8", "worksheet.csv",
			func(b *strings.Builder) error { return s.desk.Worksheet(b, in.As) })
	})
	huma.Register(api, operation("POST", "/api/drop", "drop", "Drop an arm",
		"The candidate is no longer measured; the answer covers the other candidates.", conflict, invalid),
		func(_ context.Context, in *dropInput) (*struct{}, error) {
			return nil, failure(s.desk.DropWith(in.Body.Arm, campaign.Consent{Why: in.Body.Why, By: in.Body.By},
				in.Body.As))
		})
	huma.Register(api, operation("POST", "/api/join", "join", "Add a new candidate",
		"From now on, the answer covers the new candidate too. Verdicts on other candidates do not change.",
		conflict, invalid),
		func(_ context.Context, in *joinInput) (*struct{}, error) {
			n := problem.Candidate{Name: in.Body.Arm, Columns: map[string]string{}}
			for column, cell := range in.Body.Columns {
				n.Columns[column] = string(cell)
			}
			return nil, failure(s.desk.JoinWith(n, campaign.Consent{Why: in.Body.Why, By: in.Body.By}, in.Body.As))
		})
	huma.Register(api, operation("POST", "/api/undo", "undo", "Undo an event",
		"The event stays on record and no longer counts.", conflict, invalid),
		func(_ context.Context, in *undoInput) (*struct{}, error) {
			return nil, failure(s.desk.UndoWith(in.Body.Event, campaign.Consent{Why: in.Body.Why, By: in.Body.By},
				in.Body.As))
		})
	huma.Register(api, operation("POST", "/api/sign", "sign", "Sign the findings",
		"Records who signed, in which role, when, and what the signer saw: the headline of the state, and the "+
			"hash of the last event. Later results and changes make a signature stale.", conflict, invalid),
		func(_ context.Context, in *signInput) (*struct{}, error) {
			return nil, failure(s.desk.SignSeen(in.Body.Event, in.Body.Name, in.Body.Role, in.Body.As))
		})
	huma.Register(api, operation("GET", "/api/events", "events", "The record", "", invalid),
		func(_ context.Context, in *eventsInput) (*eventsOutput, error) {
			out := &eventsOutput{}
			list, more, err := s.desk.Events(in.Before, in.Limit)
			out.Body.Events, out.Body.More = append([]campaign.Event{}, list...), more
			return out, failure(err)
		})
	huma.Register(api, operation("GET", "/api/figures/plane", "plane", "Figure of the estimates",
		"The figure is SVG, with an alternative text.", invalid),
		func(_ context.Context, in *planeInput) (*figureOutput, error) {
			f, err := s.plane(in.X, in.Y, report.Width(in.Width == "narrow"))
			return &figureOutput{f}, failure(err)
		})
	huma.Register(api, operation("GET", "/api/figures/effort", "effort",
		"Measurements of each candidate", "", invalid),
		func(_ context.Context, in *effortInput) (*figureOutput, error) {
			f, err := s.effort(report.Width(in.Width == "narrow"))
			return &figureOutput{f}, failure(err)
		})
	huma.Register(api, operation("GET", "/api/forecast", "forecast", "Forecast of the remaining measurements",
		"Simulates the rest of the campaign from the results so far, which takes some seconds."),
		func(ctx context.Context, _ *struct{}) (*forecastOutput, error) {
			f, err := s.forecast(ctx)
			return &forecastOutput{f}, failure(err)
		})
	huma.Register(api, operation("POST", "/api/links", "link", "Create a single-use link",
		"Gives a person access to the page.", http.StatusNotFound),
		func(context.Context, *struct{}) (*linkOutput, error) {
			if s.guard.keys == nil {
				return nil, huma.Error404NotFound("this server has no token, so it needs no links; open its address")
			}
			out := &linkOutput{}
			out.Body.Link = s.Link()
			return out, nil
		})
	stream := operation("GET", "/api/stream", "stream", "Changes of the state",
		"Server-sent events. An event \"state\" has the response of GET /api/state. The first event is sent "+
			"immediately. After each change, an event lists only the arms that changed after event number since.",
		http.StatusServiceUnavailable)
	stream.Responses = map[string]*huma.Response{"200": {Description: "Server-sent events",
		Content: map[string]*huma.MediaType{"text/event-stream": {}}}}
	huma.Register(api, stream, s.stream)
}

// complete replaces nil lists in r by empty lists, so that JSON has [] instead of null.
func (r Receipt) complete() Receipt {
	r.Notes = append([]string{}, r.Notes...)
	return r
}

// file responds with a file of the given name, which contains the text that write produces.
func (s *Server) file(kind, name string, write func(*strings.Builder) error) (*huma.StreamResponse, error) {
	var b strings.Builder
	if err := write(&b); err != nil {
		return nil, failure(err)
	}
	return &huma.StreamResponse{Body: func(ctx huma.Context) {
		ctx.SetHeader("Content-Type", kind)
		ctx.SetHeader("Content-Disposition", fmt.Sprintf("attachment; filename=%q", name))
		_, _ = ctx.BodyWriter().Write([]byte(b.String())) // the client may have disconnected
	}}, nil
}

// failure converts an error of a campaign to an HTTP status. The status is 422 for invalid input,
// 409 for a conflict with the record, 507 for a full disk, 503 if a retry may help, and 500
// otherwise.
func failure(err error) error {
	var answer huma.StatusError
	var wrong problem.Errors
	switch {
	case err == nil:
		return nil
	case errors.As(err, &answer):
		return answer
	case errors.Is(err, campaign.ErrInput):
		return huma.NewError(http.StatusUnprocessableEntity, "nothing was recorded", details(err)...)
	case errors.As(err, &wrong): // the requested change would make the problem invalid
		return huma.NewError(http.StatusUnprocessableEntity, "nothing was recorded", wrong.Unwrap()...)
	case errors.Is(err, campaign.ErrConflict):
		return huma.NewError(http.StatusConflict, "nothing was recorded", details(err)...)
	case errors.Is(err, campaign.ErrFull):
		return huma.NewError(http.StatusInsufficientStorage, err.Error())
	case errors.Is(err, campaign.ErrBusy), errors.Is(err, context.Canceled),
		errors.Is(err, context.DeadlineExceeded):
		return huma.Error503ServiceUnavailable("the request took too long; try again: " + err.Error())
	}
	return huma.Error500InternalServerError(err.Error())
}

// details returns the individual errors, each with its location in the request body.
func details(err error) []error {
	var all campaign.InputErrors
	if !errors.As(err, &all) {
		return []error{&huma.ErrorDetail{Message: err.Error()}}
	}
	list := make([]error, len(all))
	for i, e := range all {
		list[i] = &huma.ErrorDetail{Location: location(e), Message: message(e)}
	}
	return list
}

// message returns the text of an error without the part that repeats its location.
func message(e *campaign.InputError) string {
	if e.Where == "" {
		return e.Text
	}
	return e.Error()
}

// location returns the location of an error in the request body.
func location(e *campaign.InputError) string {
	field := e.Field
	switch field {
	case "who":
		field = "as"
	case "n":
		field = "count"
	case "candidate":
		field = "arm"
	}
	if e.Row == 0 || strings.HasPrefix(e.Where, sheetName+":") {
		return strings.TrimSuffix("body."+field, ".")
	}
	switch field {
	case "", "ticket", "plate", "arm", "id", "note", "failed", "values", "as":
	default:
		field = "values." + field
	}
	return strings.TrimSuffix(fmt.Sprintf("body.results[%d].%s", e.Row-1, field), ".")
}
