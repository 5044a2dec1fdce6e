package report

import (
	"cmp"
	"fmt"
	"math"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/purexp/purexp/pkg/bandit"
	"github.com/purexp/purexp/pkg/campaign"
	"github.com/purexp/purexp/pkg/campaign/problem"
	"github.com/purexp/purexp/pkg/polyhedron"
	"github.com/purexp/purexp/pkg/question"
	"github.com/purexp/purexp/pkg/tidy"
)

// Viewer computes views and reports of a campaign; it is safe for concurrent use.
type Viewer struct {
	c    *campaign.Campaign
	last atomic.Pointer[View]
}

// NewViewer returns a Viewer of c.
func NewViewer(c *campaign.Campaign) *Viewer { return &Viewer{c: c} }

// compile returns the problem, and the compiled problem for the policy.
func (l *Viewer) compile() (*problem.Problem, *problem.Compiled, error) {
	p, err := l.c.Problem()
	if err != nil {
		return nil, nil, err
	}
	compiled, err := l.c.Compiled()
	return p, compiled, err
}

// View returns the current view, which is cached until the next event.
func (l *Viewer) View() (*View, error) {
	s, err := l.c.Status()
	if last := l.last.Load(); err == nil && last != nil && last.ID == s.ID && last.Hash == s.Hash {
		return last, nil
	}
	r, err := l.look()
	if err != nil {
		return nil, err
	}
	l.last.Store(&r.View)
	return &r.View, nil
}

// look computes a report without the list of events.
func (l *Viewer) look() (*Report, error) {
	p, compiled, err := l.compile()
	if err != nil {
		return nil, err
	}
	s, err := l.c.Status()
	if err != nil {
		return nil, err
	}
	v := &View{Status: s, Question: p.Words() + margins(p), Code: Code(), Plate: p.Laboratory.Wells(),
		Bounds: []Bound{}, Newcomer: p.NewcomerColumns(),
		Evaluable: p.Evaluable(), Members: members(&s)}
	v.Title = cmp.Or(v.Title, "Campaign")
	tickets, err := l.c.Tickets(campaign.Pending)
	if err != nil {
		return nil, err
	}
	v.Tickets = append([]campaign.Ticket{}, tickets...) // encodes as an empty JSON list instead of null
	for i := range p.Objectives {
		o := &p.Objectives[i]
		column := Column{Name: o.Name, Unit: o.Unit, Goal: cmp.Or(o.Goal, problem.Maximise), Measured: !o.Known,
			Noise: o.Scatters()}
		if o.Noise.Counts != nil {
			column.Trials = *o.Noise.Counts
		}
		v.Columns = append(v.Columns, column)
		s := &compiled.Scales[i]
		v.axes = append(v.axes, bandit.Axis{Label: o.Label(), Center: s.Out(0), PerReward: s.Out(1) - s.Out(0)})
	}
	v.region = question.Region(compiled.Problem.Question)
	for _, b := range compiled.Bounds {
		v.Bounds = append(v.Bounds, Bound{b.Name, b.Weights, b.Limit, b.AtLeast})
	}
	return &Report{View: *v, Design: design(p, compiled), Declared: declared(p, compiled, &v.Status)}, nil
}

// Report returns the complete report.
func (l *Viewer) Report() (*Report, error) {
	r, err := l.look()
	if err != nil {
		return nil, err
	}
	events, err := l.c.Events(0)
	if err != nil {
		return nil, err
	}
	base := filepath.Base(l.c.Path())
	file := quoted(base)
	certificate := quoted(strings.TrimSuffix(base, filepath.Ext(base)) + ".certificate")
	r.Record = events
	r.Verify = []string{"purexp campaign verify --file " + file}
	if r.Budget == 0 {
		r.Verify = append(r.Verify, "purexp campaign certificate "+file+" -o "+certificate,
			"python3 docs/check_certificate.py "+certificate)
	}
	if n := len(events); n > 0 {
		r.At = events[n-1].Time()
	}
	if r.Replicates, r.Scatter, err = l.replicates(); err != nil {
		return nil, err
	}
	if len(r.Arms) > MostSure {
		return r, nil
	}
	sure, ok, err := l.c.Sure()
	if ok {
		r.Sure = &sure
	}
	return r, err
}

// MostSure is the largest number of candidates for which reports state how certain the answer is so
// far. With more candidates, computing how certain the answer is would take several times as long
// as the rest of the report.
const MostSure = 1000

// Foremost returns arms unchanged if there are at most n arms. If there are more than n arms,
// Foremost sorts arms by verdict and then by the number of results, and returns the first n. Arms
// of the answer or best guess come first, then undecided arms, then other arms.
func Foremost(arms []campaign.ArmStatus, n int) []campaign.ArmStatus {
	if len(arms) <= n {
		return arms
	}
	return slices.SortedStableFunc(slices.Values(arms), func(a, b campaign.ArmStatus) int {
		return cmp.Or(rank(&a)-rank(&b), b.Used-a.Used)
	})[:n]
}

// quoted quotes a path for a shell.
func quoted(path string) string { return "'" + strings.ReplaceAll(path, "'", `'\''`) + "'" }

// margins describes the tolerances and slacks in words.
func margins(p *problem.Problem) string {
	tolerances, slacks := p.Tolerant()
	var differences, outside []string
	for i := range p.Objectives {
		o := &p.Objectives[i]
		if o.Tolerance > 0 && tolerances && p.Question.Find != problem.FindGood {
			differences = append(differences, o.Amount(o.Tolerance)+" in "+o.Name)
		}
		if o.Slack > 0 && slacks && (o.AtLeast != nil || o.AtMost != nil) {
			outside = append(outside, o.Amount(o.Slack)+" in "+o.Name)
		}
	}
	text := ""
	if len(differences) > 0 {
		text += " Differences up to " + problem.Listed(differences) + " do not matter."
	}
	if len(outside) > 0 {
		text += " Violations of bounds by up to " + problem.Listed(outside) + " do not matter."
	}
	return text
}

// design describes in sentences how the campaign selects measurements and uses results.
func design(p *problem.Problem, c *problem.Compiled) []string {
	list := []string{fmt.Sprintf("The method is %s (%s). The method chooses measurements from the results so far, "+
		"and stops when its answer is wrong with probability at most %.4g.",
		c.Card.Name, c.Card.Source, p.Question.Delta)}
	guarantee := "Guarantee: " + c.Card.Guarantee() + "."
	if c.Budget > 0 {
		guarantee = "Theory: " + c.Card.Guarantee() + "."
		list[0] = fmt.Sprintf("The method is %s (%s). The method spends %d measurements and returns a best guess, "+
			"without a declared error probability.", c.Card.Name, c.Card.Source, p.Budget())
	}
	list = append(list, guarantee)
	if c.Budget > 0 {
		list = append(list, "The method uses only results of the rounds that it requests; other results are only "+
			"recorded.")
	} else if c.UsesAll() {
		list = append(list, "The guarantee holds for results in any order, on plates, with failures and delays, if "+
			"failures and delays do not depend on the values.")
	} else if c.Overlaps() {
		list = append(list, "The guarantee holds for results in any order, with failures and delays. Results of "+
			"unplanned measurements guide the choice of measurements, but are not evidence.")
	} else {
		list = append(list, "The guarantee covers the rounds that the method requests; other results are recorded "+
			"but not used.")
	}
	return list
}

// Code names the version of the source code, if the build information contains it.
func Code() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "purexp, unknown version"
	}
	v := "purexp " + strings.Trim(info.Main.Version, "()")
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" && len(s.Value) >= 12 {
			v += " (" + s.Value[:12] + ")"
		}
	}
	return v
}

// View is the state of a campaign at one moment, with everything about the problem that a page
// shows. Lists with one entry per objective are in the order of Columns.
type View struct {
	campaign.Status
	Question string            `json:"question" doc:"The question, in a sentence"`
	Code     string            `json:"code" doc:"The version of purexp"`
	Token    bool              `json:"token" doc:"The server requires a token"`
	Since    int               `json:"since,omitempty" doc:"arms lists only the arms that changed after this event"`
	Columns  []Column          `json:"columns" doc:"The objectives"`
	Bounds   []Bound           `json:"bounds" doc:"Bounds that a feasible arm satisfies"`
	Plate    int               `json:"plate" doc:"The number of measurements on a plate"`
	Tickets  []campaign.Ticket `json:"tickets" doc:"Tickets without a result yet"`
	// Newcomer lists the columns of the candidate table in which a newcomer needs a value.
	Newcomer []string `json:"newcomer" doc:"Columns in which a new candidate needs a value"`
	// Evaluable is the result column with the number of evaluable trials.
	Evaluable string `json:"evaluable,omitempty" doc:"Column of results with the number of evaluable trials, if it can vary"`

	// Members names all candidates of the answer or best guess in a sentence, or is empty.
	Members string `json:"members,omitempty" doc:"All candidates of the answer, or of the best guess, in a sentence"`

	axes   []bandit.Axis          // labels and units of figures, by objective; better values are drawn higher
	region *polyhedron.Polyhedron // feasible region of rewards
}

// Column is an objective: a measured or known property of every arm.
type Column struct {
	Name     string `json:"name"`
	Unit     string `json:"unit"`
	Goal     string `json:"goal" enum:"maximise,minimise,bounded"`
	Measured bool   `json:"measured" doc:"false: the values are known exactly"`
	Noise    string `json:"noise" doc:"The assumption about the noise, in words"`
	Trials   int    `json:"trials,omitempty" doc:"Number of trials, if results count successes; estimates are then rates"`
}

// Bound limits a weighted sum of objectives from above or below.
type Bound struct {
	Name    string    `json:"name"`
	Weights []float64 `json:"weights" doc:"Weights by objective"`
	Limit   float64   `json:"limit"`
	AtLeast bool      `json:"at_least"`
}

// members names the candidates of the answer or the best guess in a sentence.
func members(s *campaign.Status) string {
	var names []string
	for _, a := range s.Arms {
		if a.Chosen {
			names = append(names, a.Arm)
		}
	}
	where := "In the best guess"
	if s.Done() {
		where = "In the answer"
	}
	if len(names) == 0 {
		return ""
	}
	return where + ": " + strings.Join(names, ", ") + "."
}

// Table presents the state of a campaign as a table. The table has one row for each candidate, with
// measurements, estimates with intervals, verdict and reason. The table's notes state the guarantee
// and the warnings.
func Table(s *campaign.Status) *tidy.Table {
	t := &tidy.Table{Title: s.Headline, Columns: tidy.Columns("candidate", "used", "pending")}
	if s.Failed > 0 {
		t.Columns = append(t.Columns, tidy.Column{Name: "failed"})
	}
	if s.Trials > 0 {
		t.Columns = append(t.Columns, tidy.Column{Name: s.Called})
	}
	for _, o := range s.Objectives {
		t.Columns = append(t.Columns, tidy.Column{Name: o})
	}
	t.Columns = append(t.Columns, tidy.Column{Name: "verdict"}, tidy.Column{Name: "why"})
	for _, a := range s.Arms {
		row := []any{a.Arm, a.Used, a.Pending}
		if s.Failed > 0 {
			row = append(row, a.Failed)
		}
		if s.Trials > 0 {
			row = append(row, a.Trials)
		}
		for i, v := range a.Estimate {
			cell := ""
			switch {
			case math.IsNaN(v):
			case math.IsNaN(a.Low[i]) || a.Low[i] == a.High[i]: // no interval yet, or known values
				cell = fmt.Sprintf("%.4g", v)
			default:
				cell = fmt.Sprintf("%.4g [%.4g, %.4g]", v, a.Low[i], a.High[i])
			}
			row = append(row, cell)
		}
		t.Rows = append(t.Rows, append(row, a.Verdict, cmp.Or(a.Dropped, a.Why)))
	}
	rests := fmt.Sprintf("delta %.4g", s.Delta)
	if s.Budget > 0 {
		rests = fmt.Sprintf("a budget of %d measurements", s.Budget)
	}
	t.Notes = append(t.Notes, fmt.Sprintf("%s, %s; measurements: %d used, %d failed, "+
		"%d not used, %d pending; event %d.", s.Method, rests, s.Used, s.Failed, s.Unused, s.Pending, s.Event))
	if s.Paid != "" {
		t.Notes = append(t.Notes, "Measurements cost "+s.Paid+" so far.")
	}
	if s.Affordable > 0 {
		t.Notes = append(t.Notes, fmt.Sprintf("%d measurements were requested; %d can be afforded.", s.Asked,
			s.Affordable))
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
