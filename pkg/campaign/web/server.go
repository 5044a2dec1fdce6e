package web

import (
	"bytes"
	"context"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"github.com/purexp/purexp/pkg/campaign"
	"github.com/purexp/purexp/pkg/campaign/report"
	"github.com/purexp/purexp/pkg/internal/strictjson"
)

//go:embed page
var page embed.FS

// Server is an http.Handler that serves one campaign.
type Server struct {
	desk    desk
	guard   *guard
	mux     *http.ServeMux // handler without the guard
	handler http.Handler
	hub     *hub
	base    string // public address, such as http://127.0.0.1:8080
	stop    context.CancelFunc
	stopped chan struct{}
	lost    chan error

	mu     sync.Mutex
	latest *report.View
	// arms contains the JSON of each arm, and changed contains the number of the last event that
	// changed each arm. Changes are known only after the event with the number first.
	arms    []string
	changed []int
	first   int

	drawing sync.Mutex // held while a figure is drawn, so that each figure is drawn once
	drawn   int        // last event in the view from which figures were drawn
	figures map[string]report.Figure

	forecasting sync.Mutex // held during a forecast, so that only one forecast runs at a time
	forecasted  Forecast
}

// mostPeople limits the number of clients that receive updates. mostOfKey limits how many of these
// clients may have the same key, that is, the same token or cookie.
const (
	mostPeople = 1000
	mostOfKey  = 100
)

// newServer returns a server that watches the desk d.
func newServer(d desk, a Access, base string) *Server {
	ctx, stop := context.WithCancel(context.Background())
	s := &Server{desk: d, guard: newGuard(a, time.Now), hub: newHub(), base: base, stop: stop,
		mux: http.NewServeMux(), stopped: make(chan struct{}), lost: make(chan error, 1),
		figures: map[string]report.Figure{}}
	mux := s.mux
	api := humago.New(mux, config(s.guard.keys.cookieName()))
	s.register(api)
	mux.Handle("GET /docs", http.RedirectHandler("/openapi.json", http.StatusSeeOther))
	mux.HandleFunc("GET /{$}", asset("index.html", "text/html; charset=utf-8"))
	mux.HandleFunc("GET /assets/page.css", asset("page.css", "text/css; charset=utf-8"))
	mux.HandleFunc("GET /assets/page.js", asset("page.js", "text/javascript; charset=utf-8"))
	mux.HandleFunc("GET /assets/icon.svg", asset("icon.svg", "image/svg+xml"))
	mux.HandleFunc("GET "+enterPath, s.enter)
	mux.HandleFunc("POST "+enterPath, s.enter)
	mux.HandleFunc("GET /report", file("report", d.Report))
	mux.HandleFunc("GET /certificate", file("certificate", d.Certificate))
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, "ok\n")
	})
	s.handler = s.guard.wrap(mux)
	s.publish()
	go func() {
		defer close(s.stopped)
		for ctx.Err() == nil { // restart the watch of the campaign after an error
			err := d.Watch(ctx, func() {
				// Reporting results has priority over computing the state, which is slow with many
				// candidates.
				begun := time.Now()
				s.publish()
				wait(ctx.Done(), min(3*time.Since(begun), time.Second))
			})
			if errors.Is(err, campaign.ErrMoved) { // the known state belongs to a file that no longer exists
				s.hub.publish(news{version: math.MaxInt})
				s.lost <- err
				return
			}
			wait(ctx.Done(), time.Second)
		}
	}()
	return s
}

// Lost returns a channel that receives one error if the campaign file is removed or replaced. After
// the removal of the campaign file, the server cannot answer requests for data.
func (s *Server) Lost() <-chan error { return s.lost }

// ServeHTTP handles a request.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.handler.ServeHTTP(w, r) }

// Close ends all update streams, but does not close the campaign.
func (s *Server) Close() {
	s.stop()
	<-s.stopped
}

// Link returns a web address that gives access to one person and works only once.
func (s *Server) Link() string {
	if s.guard.keys == nil {
		return s.base + "/"
	}
	return s.base + enterPath + "?key=" + s.guard.keys.link()
}

func init() { huma.ValidateStrictCasing = true } // require the exact case of parameter names, as in the record

// config returns the settings of the API description; cookies of the pages have the given name. The
// settings disable huma's own documentation page, because that page needs the network.
func config(cookie string) huma.Config {
	c := huma.DefaultConfig("purexp campaign", "1")
	c.Info.Description = "A campaign of measurements: request measurements, report results, see the status. Times " +
		"are RFC 3339. Errors are application/problem+json (RFC 9457) and name the field that is wrong."
	c.Components.Schemas.RegisterTypeAlias(reflect.TypeFor[campaign.Numbers](),
		reflect.TypeFor[[]*float64]()) // describe unknown numbers as null in JSON
	c.DocsPath = ""
	strict := huma.DefaultJSONFormat
	strict.Unmarshal = func(text []byte, v any) error { return strictjson.Unmarshal(text, v) }
	c.Formats = map[string]huma.Format{"application/json": strict, "json": strict}
	c.CreateHooks = nil // add no field $schema to responses
	c.Transformers = append(c.Transformers, named)
	c.RejectUnknownQueryParameters = true
	c.Components.SecuritySchemes = map[string]*huma.SecurityScheme{
		"token":  {Type: "http", Scheme: "bearer"},
		"cookie": {Type: "apiKey", In: "cookie", Name: cookie},
	}
	return c
}

// named adds the name of the first wrong field to the error message about an invalid request.
func named(_ huma.Context, _ string, v any) (any, error) {
	e, ok := v.(*huma.ErrorModel)
	if !ok {
		return v, nil
	}
	for _, d := range e.Errors {
		if strings.HasPrefix(d.Message, "expected value to match exactly one schema") {
			d.Message = "expected a finite number, or a text such as \"12.5\""
		}
	}
	if len(e.Errors) > 0 && e.Detail == "validation failed" {
		e.Detail += ": " + e.Errors[0].Location + ": " + e.Errors[0].Message
	}
	return v, nil
}

// asset returns a handler that serves an embedded file of the web page.
func asset(name, kind string) http.HandlerFunc {
	b, err := page.ReadFile("page/" + name)
	if err != nil {
		panic(err) // the file is embedded, so reading cannot fail
	}
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", kind)
		http.ServeContent(w, r, name, time.Time{}, bytes.NewReader(b))
	}
}

func (s *Server) publish() {
	v, err := s.desk.View()
	if err != nil {
		return // later requests for the state return the same error
	}
	s.latestOf(v)
}

// latestOf publishes view v if it is newer than the latest view, and returns the latest view.
func (s *Server) latestOf(v *report.View) *report.View {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.latest != nil && s.latest.Event >= v.Event {
		return s.latest
	}
	v.Token = s.guard.keys != nil
	s.compare(v)
	s.latest = v
	if b, err := sentState(v); err == nil {
		s.hub.publish(news{v.Event, b})
	}
	return v
}

// sentState returns a view as a server-sent event.
func sentState(v *report.View) ([]byte, error) {
	b, err := json.Marshal(v)
	return fmt.Appendf(nil, "id: %d\nevent: state\ndata: %s\n\n", v.Event, b), err
}

// compare records which arms differ between v and the latest view.
func (s *Server) compare(v *report.View) {
	arms := make([]string, len(v.Arms))
	same := s.latest != nil && len(arms) == len(s.arms)
	for i := range arms {
		b, err := json.Marshal(&v.Arms[i])
		same = same && err == nil && v.Arms[i].Arm == s.latest.Arms[i].Arm
		arms[i] = string(b)
	}
	if !same {
		s.first, s.arms, s.changed = v.Event, arms, slices.Repeat([]int{v.Event}, len(arms))
		return
	}
	for i, text := range arms {
		if text != s.arms[i] {
			s.arms[i], s.changed[i] = text, v.Event
		}
	}
}

// since returns the latest view with only the arms that changed after the given event; if the
// changes are unknown, it includes all arms.
func (s *Server) since(event int) *report.View {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.latest == nil || event < max(s.first, 1) || event > s.latest.Event {
		return s.latest
	}
	v := *s.latest
	v.Since, v.Arms = event, []campaign.ArmStatus{}
	for i, at := range s.changed {
		if at > event {
			v.Arms = append(v.Arms, s.latest.Arms[i])
		}
	}
	return &v
}

func (s *Server) view() (*report.View, error) {
	v, err := s.desk.View()
	if err != nil {
		return nil, err
	}
	return s.latestOf(v), nil
}

// figure returns a figure of the latest view; each figure is drawn only once.
func (s *Server) figure(name string, draw func(*report.View) (report.Figure, error)) (report.Figure, error) {
	v, err := s.view()
	if err != nil {
		return report.Figure{}, err
	}
	s.drawing.Lock()
	defer s.drawing.Unlock()
	if s.drawn < v.Event {
		s.drawn = v.Event
		clear(s.figures)
	}
	if f, ok := s.figures[name]; ok { // the figure was drawn from this view or a later view
		return f, nil
	}
	f, err := draw(v)
	if err == nil && s.drawn == v.Event {
		s.figures[name] = f
	}
	return f, err
}

func (s *Server) plane(x, y int, width report.Width) (report.Figure, error) {
	return s.figure(fmt.Sprint("plane ", x, y, width),
		func(v *report.View) (report.Figure, error) {
			d := len(v.Columns)
			if d == 1 {
				x, y = 0, 0
			}
			if x >= d || y >= d || x == y && d > 1 {
				return report.Figure{}, huma.Error422UnprocessableEntity(fmt.Sprintf("axes x=%d "+
					"and y=%d; expected two different objectives from 0 to %d", x, y, d-1))
			}
			return v.Plane(x, y, width)
		})
}

func (s *Server) effort(width report.Width) (report.Figure, error) {
	return s.figure(fmt.Sprint("effort ", width),
		func(v *report.View) (report.Figure, error) { return v.Effort(width) })
}

// forecast returns the forecast for the latest state; each forecast is computed only once.
func (s *Server) forecast(ctx context.Context) (Forecast, error) {
	s.forecasting.Lock()
	defer s.forecasting.Unlock()
	v, err := s.view()
	if err != nil {
		return Forecast{}, err
	}
	if s.forecasted.Text != "" && s.forecasted.Event == v.Event {
		return s.forecasted, nil
	}
	f, err := s.desk.Forecast(ctx)
	if err == nil {
		s.forecasted = f
	}
	return f, err
}

// The following constants are time intervals for update streams.
const (
	newsPause = 50 * time.Millisecond // least time between two states sent to a client
	newsQuiet = 15 * time.Second      // time without news after which a message keeps the connection open
	newsWrite = 10 * time.Second      // time within which a client must accept a message
)

// stream sends updates to a client until the client disconnects.
func (s *Server) stream(ctx context.Context, _ *struct{}) (*huma.StreamResponse, error) {
	key, _ := ctx.Value(keyOf{}).(string)
	switch room, ofKey := s.hub.join(key, mostPeople, mostOfKey); {
	case !ofKey:
		return nil, huma.Error429TooManyRequests(fmt.Sprintf("%d streams are open with this key; close one, or share "+
			"one stream between several readers", mostOfKey))
	case !room:
		return nil, huma.Error503ServiceUnavailable("too many pages are open; close one, or try again later")
	}
	return &huma.StreamResponse{Body: func(ctx huma.Context) {
		defer s.hub.leave(key)
		r, w := humago.Unwrap(ctx)
		w.Header().Set("Content-Type", "text/event-stream")
		w.Header().Set("X-Accel-Buffering", "no") // this header tells proxies not to buffer
		c := http.NewResponseController(w)
		write := func(b []byte) error {
			if err := c.SetWriteDeadline(time.Now().Add(newsWrite)); err != nil {
				return err
			}
			if _, err := w.Write(b); err != nil {
				return err
			}
			return c.Flush()
		}
		// A reconnecting client states the number of the last event that it received.
		after := lastEvent(r.Header.Get("Last-Event-ID"))
		if write([]byte("retry: 2000\n\n")) != nil {
			return
		}
		done := make(chan struct{})
		end := context.AfterFunc(r.Context(), func() { close(done) })
		defer end()
		seen := after
		_ = s.hub.follow(done, after, newsPause, newsQuiet, func(n news) error {
			b := n.bytes
			v := s.since(seen)
			if v != nil && v.Since > 0 && n.version <= v.Event { // the client needs only the changes
				var err error
				if b, err = sentState(v); err != nil {
					return err
				}
			}
			seen = n.version
			return write(b)
		}, func() error { return write([]byte(": still here\n\n")) })
	}}, nil
}

// lastEvent parses a Last-Event-ID header, or returns -1 if the header is invalid.
func lastEvent(header string) int {
	n, err := strconv.ParseInt(header, 10, 32)
	if err != nil || n < 0 {
		return -1
	}
	return int(n)
}

// file returns a handler that serves the output of the function write as an HTML file.
func file(name string, write func(io.Writer) error) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		var b bytes.Buffer
		if err := write(&b); err != nil {
			status := http.StatusInternalServerError
			if errors.Is(err, campaign.ErrConflict) {
				status = http.StatusConflict
			}
			writeProblem(w, r, status, err.Error())
			return
		}
		// The content security policy allows the embedded style sheet of the file, but no scripts.
		w.Header().Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; "+
			"img-src data:; frame-ancestors 'none'; base-uri 'none'")
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		if r.URL.Query().Get("download") != "" {
			w.Header().Set("Content-Disposition", `attachment; filename="`+name+`.html"`)
		}
		_, _ = w.Write(b.Bytes()) // the client may have disconnected
	}
}

// writeProblem responds with an error in the format of RFC 9457, like the API operations.
func writeProblem(w http.ResponseWriter, _ *http.Request, status int, detail string) {
	w.Header().Set("Content-Type", "application/problem+json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(&huma.ErrorModel{Status: status, Title: http.StatusText(status), Detail: detail})
}

// HTTP returns an HTTP server for h with time limits: 5 seconds for headers, and a minute for requests.
func HTTP(h http.Handler) *http.Server {
	return &http.Server{Handler: h, ReadHeaderTimeout: 5 * time.Second, ReadTimeout: time.Minute,
		IdleTimeout: 2 * time.Minute, MaxHeaderBytes: mostHeader}
}
