package campaign

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/purexp/purexp/pkg/campaign/problem"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/monitor"
	"github.com/purexp/purexp/pkg/policy"
)

// Evidence is the evidence of the monitors against the assumptions of the certificate; see package
// monitor.
type Evidence struct {
	// E is the largest average of the monitors' e-values so far, capped at 10^12. If confirming
	// measurements contradict the answer, E is the e-value of the confirmation.
	E float64 `json:"e" doc:"Evidence against the declarations: if all declarations are true, the probability that the evidence ever reaches c is at most 1/c"`
	// Level is "silent", "warning" (E of at least 20) or "withdrawn" (E of at least 100).
	Level   string `json:"level" enum:"silent,warning,withdrawn"`
	Results int    `json:"results" doc:"Number of results that were tested"`
	Text    string `json:"text" doc:"The findings, and what to do"`
}

// Withdrawn reports whether the certificate is withdrawn.
func (e *Evidence) Withdrawn() bool { return e.Level == levels[monitor.Withdrawal] }

var levels = [...]string{"silent", "warning", "withdrawn"}

// newMonitor returns a monitor of the assumptions of c, for results in the user's units. A noise
// scale that the campaign's pilot bounds is monitored only after the pilot; see watchPilot.
func newMonitor(c *problem.Compiled) (*monitor.Monitor, error) {
	p := c.Source
	a := monitor.Assumptions{Arms: p.K(), Reference: p.Laboratory.Reference != ""}
	if p.Candidates.Features != nil && c.Card.Uses.Has(explore.UsesFeatures) {
		a.X = c.Problem.X
	}
	for i := range p.Objectives {
		o := &p.Objectives[i]
		is := monitor.Objective{Sigma: o.Sigma()}
		switch n := o.Noise; {
		case n.Pilot != nil && n.Pilot.Rewards > 0:
			is.Sigma, is.Later = 0, true
		case n.Counts != nil:
			is.Trials, is.High = *n.Counts, float64(*n.Counts)
		case n.Range != nil:
			is.Low, is.High = n.Range[0], n.Range[1]
		}
		a.Objectives = append(a.Objectives, is)
	}
	return monitor.New(a)
}

// watchPilot passes the noise bound from the pilot to the monitor when the pilot is complete.
func (r *run) watchPilot() {
	p, ok := r.policy.(*policy.Piloted)
	if !ok || p.Sigmas() == nil {
		return
	}
	for c, sigma := range p.Sigmas() {
		r.monitor.Start(c, r.compiled.Scales[c].Size(sigma))
	}
}

// An oddity is an accepted result far from the value that earlier results predict.
type oddity struct {
	event int
	text  string
}

// watch passes the results of event o to the monitor, and records oddities among the results.
func (r *run) watch(l *ledger, o *op) {
	for _, text := range r.odd(l, o.rows) {
		r.oddities = append(r.oddities, oddity{o.seq, text})
	}
	for i := range o.rows {
		if row := &o.rows[i]; !row.Failed && r.arm[l.at[row.Arm]] >= 0 {
			r.observe(l, r.arm[l.at[row.Arm]], row)
		}
	}
	for i := range o.references {
		if row := &o.references[i]; !row.Failed {
			r.numbers = numbers(r.numbers, l, row)
			r.monitor.ObserveReference(l.tickets[row.Ticket-1].Plate, r.numbers)
		}
	}
}

// numbers stores the values of a row in dst, by objective, with NaN for known objectives and for the
// totals of summaries. A mean of several results varies less than a single result, so the monitors
// may treat the mean of a summary as one result.
func numbers(dst []float64, l *ledger, row *rowBody) []float64 {
	dst = dst[:0]
	at := 0
	for c := range l.problem.Objectives {
		x := math.NaN()
		if o := &l.problem.Objectives[c]; !o.Known {
			if row.N == 0 || o.Noise.Counts == nil {
				x = row.Values[at]
			}
			at++
		}
		dst = append(dst, x)
	}
	return dst
}

func (r *run) oddIn(event int) (list []string) {
	for _, x := range r.oddities {
		if x.event == event {
			list = append(list, x.text)
		}
	}
	return list
}

// mostOdd is the largest number of odd results that a warning lists one by one.
const mostOdd = 5

func (r *run) warnOdd() (list []string) {
	for i, x := range r.oddities {
		if i == mostOdd {
			return append(list, fmt.Sprintf("%s like typing errors; 'purexp campaign history' lists them.",
				counted(len(r.oddities)-i, "more result looks", "more results look")))
		}
		list = append(list, fmt.Sprintf("Event %d: %s If so, undo event %d.", x.event, x.text, x.event))
	}
	return list
}

// observe passes the result in row to the monitor; arm is the policy's index of the candidate.
func (r *run) observe(l *ledger, arm int, row *rowBody) {
	if row.Of > 0 {
		return // the monitor assumes that all trials are evaluable
	}
	plate := 0
	if row.Ticket > 0 {
		plate = l.tickets[row.Ticket-1].Plate
	} else if batch := batchOf(row.ID); batch != "" {
		at := slices.Index(r.batches, batch)
		if at < 0 {
			at = len(r.batches)
			r.batches = append(r.batches, batch)
		}
		plate = -1 - at
	}
	r.numbers = numbers(r.numbers, l, row)
	if slices.ContainsFunc(r.numbers, func(x float64) bool { return !math.IsNaN(x) }) {
		r.monitor.Observe(arm, plate, r.numbers)
	}
}

// batchOf returns the batch of an unsolicited result whose id is
// "batch:line" or "batch:line.replicate"; for any other id, "".
func batchOf(id string) string {
	at := strings.LastIndexByte(id, ':')
	if _, err := strconv.ParseUint(strings.Replace(id[at+1:], ".", "", 1), 10, 64); at < 0 || err != nil {
		return ""
	}
	return id[:at]
}

// plate returns the name by which messages refer to the monitor's
// plate n. Negative numbers stand for batches of unsolicited results.
func (r *run) plate(n int) string {
	if n < 0 {
		return "batch " + strconv.Quote(r.batches[-1-n])
	}
	return fmt.Sprintf("plate %d", n)
}

func (r *run) evidence() Evidence {
	report := r.monitor.Report()
	if r.contradicted() {
		return Evidence{E: min(r.confirming.E(), 1e12), Level: levels[monitor.Withdrawal],
			Results: report.Results, Text: r.confirmed()}
	}
	return Evidence{E: min(report.E(), 1e12), Level: levels[report.Level()],
		Results: report.Results, Text: r.monitor.Sentence(r.declared())}
}

// watched lists the monitored assumptions in words.
func (r *run) watched() string {
	list := r.monitor.Watched()
	if list == nil {
		return " No assumption is monitored."
	}
	return fmt.Sprintf(" Monitored: %s. The other assumptions are not monitored.", strings.Join(list, ", "))
}

// declared describes the objectives in the user's words and units, for messages of the monitor.
func (r *run) declared() *explore.Declaration {
	return &explore.Declaration{Problem: r.compiled.Problem, Plate: r.plate,
		Amount: func(c int, x float64) string {
			return strings.TrimSpace(fmt.Sprintf("%.4g %s", x, r.compiled.Source.Objectives[c].Unit))
		}}
}

// odd describes new rows that are far from the values predicted by earlier results. odd must be
// called before the monitor receives the rows, which would otherwise affect the predictions.
func (r *run) odd(l *ledger, rows []rowBody) (list []string) {
	known := map[int][]monitor.Expectation{} // one prediction for each candidate
	measured := l.problem.Measured()
	d := r.declared()
	for i := range rows {
		row := &rows[i]
		arm := r.arm[l.at[row.Arm]]
		if row.Failed || arm < 0 || row.Of > 0 {
			continue
		}
		expected, ok := known[arm]
		if !ok {
			expected = r.monitor.Expect(arm)
			known[arm] = expected
		}
		r.numbers = numbers(r.numbers, l, row)
		for _, c := range measured {
			if e := expected[c]; e.Odd(r.numbers[c]) {
				list = append(list, e.Sentence(d, c, arm, r.numbers[c]))
			}
		}
	}
	return list
}
