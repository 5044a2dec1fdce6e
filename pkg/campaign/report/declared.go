package report

import (
	"fmt"
	"math"
	"reflect"
	"strings"

	"github.com/purexp/purexp/pkg/campaign"
	"github.com/purexp/purexp/pkg/campaign/problem"
)

// Declaration is a statement that the user made before the campaign, or the default for such a
// statement.
type Declaration struct {
	What string `json:"what"`
	Is   string `json:"is"`
}

// declared lists the declarations on which the guarantee and the choice of measurements are based.
// Derived settings come first, then each non-empty field of the problem file.
func declared(p *problem.Problem, c *problem.Compiled, s *campaign.Status) []Declaration {
	var list []Declaration
	add := func(what, format string, args ...any) {
		list = append(list, Declaration{what, fmt.Sprintf(format, args...)})
	}
	if c.Budget > 0 {
		add("budget", "%d measurements; the answer has no declared error probability", c.Budget)
		add("error probability of intervals (delta)", "%.4g", p.Question.Delta)
	} else {
		add("error probability (delta)", "%.4g", p.Question.Delta)
	}
	if c.Delta != p.Question.Delta {
		add("part of delta for the method", "%.4g; the rest is for new candidates and pilots", c.Delta)
	}
	add("method", "%s, seed %d", c.Card.Name, p.Method.Seed)
	add("settings of the method", "%v; intervals %s", c.Policy(), c.Radius())
	confirms := c.Budget == 0 && p.Method.Confirm != nil && *p.Method.Confirm
	add("confirming measurements", "%s", map[bool]string{true: "yes", false: "no"}[confirms])
	add("protocol", "%s", protocol(s))
	for i := range p.Objectives {
		add("noise of "+p.Objectives[i].Name, "%s", p.Objectives[i].Scatters())
	}
	for _, b := range c.Bounds {
		add("bound", "%s; slack: %.4g", b.Name, b.Slack)
	}
	var fields func(path string, v reflect.Value)
	fields = func(path string, v reflect.Value) {
		v = reflect.Indirect(v)
		switch {
		case v.Kind() == reflect.Struct:
			for i := range v.NumField() {
				if name := v.Type().Field(i).Tag.Get("toml"); name != "" && name != "-" && !v.Field(i).IsZero() {
					fields(strings.TrimPrefix(path+"."+name, "."), v.Field(i))
				}
			}
		case v.Kind() == reflect.Slice && v.Type().Elem().Kind() == reflect.Struct:
			for i := range v.Len() {
				fields(fmt.Sprintf("%s[%d]", path, i+1), v.Index(i))
			}
		case v.Type() == reflect.TypeFor[[]string]():
			add(path, "%s", strings.Join(v.Interface().([]string), ", "))
		default:
			add(path, "%v", v)
		}
	}
	q := *p
	// The following declarations appear elsewhere in the report.
	q.Title, q.Protocol, q.Question.Delta, q.Method, q.Pilot = "", "", 0, problem.Method{}, nil
	fields("", reflect.ValueOf(q))
	return list
}

// protocol describes in words whether changes after the end need a second person.
func protocol(s *campaign.Status) string {
	switch {
	case s.Protocol != problem.Frozen:
		return "not frozen"
	case s.Sealed == 0:
		return "frozen; the first result seals the protocol"
	}
	return fmt.Sprintf("frozen, sealed by event %d; changes after the end need a reason and a second person", s.Sealed)
}

// Amendments lists the events by which candidates joined or left, and the undo events.
func (r *Report) Amendments() (list []campaign.Event) {
	for _, e := range r.Record {
		switch e.Kind {
		case campaign.KindDrop, campaign.KindJoin, campaign.KindUndo:
			list = append(list, e)
		}
	}
	return list
}

// Replicates describes the scatter of those results of one candidate that the policy uses. Scatter
// has one number per objective, in the order and units of the objectives, and NaN for unknown
// numbers.
type Replicates struct {
	Arm string `json:"arm"`
	N   int    `json:"n"` // results
	// Scatter is the standard deviation of the results of the candidate, by objective.
	Scatter campaign.Numbers `json:"scatter"`
}

// Scatter is the pooled standard deviation of the replicates of all candidates, with its degrees of
// freedom.
type Scatter struct {
	SD      campaign.Numbers `json:"sd"`      // standard deviation by objective
	Freedom int              `json:"freedom"` // its degrees of freedom
}

// replicates returns the scatter of the results of the available candidates.
func (l *Viewer) replicates() ([]Replicates, *Scatter, error) {
	p, compiled, err := l.compile()
	if err != nil {
		return nil, nil, err
	}
	batches, err := l.c.Rewards()
	if err != nil {
		return nil, nil, err
	}
	d := len(p.Objectives)
	list := make([]Replicates, p.K())
	for i, name := range p.Candidates.Names {
		list[i] = Replicates{Arm: name, Scatter: unknown(d)}
	}
	all := &Scatter{SD: unknown(d)}
	squares := make([]float64, d)
	for _, b := range batches {
		if b.Arm >= len(list) { // the candidate joined later
			continue
		}
		list[b.Arm].N = b.N
		if b.N < 2 || b.Squares == nil { // the scatter in a summary is unknown
			continue
		}
		all.Freedom += b.N - 1
		for c := range d {
			ss := max(b.Squares[c]-b.Sum[c]*b.Sum[c]/float64(b.N), 0)
			squares[c] += ss
			if !p.Objectives[c].Known {
				list[b.Arm].Scatter[c] = compiled.Scales[c].Size(math.Sqrt(ss / float64(b.N-1)))
			}
		}
	}
	for c := range d {
		if all.Freedom > 0 && !p.Objectives[c].Known {
			all.SD[c] = compiled.Scales[c].Size(math.Sqrt(squares[c] / float64(all.Freedom)))
		}
	}
	return list, all, nil
}

// unknown returns a list of n NaN values.
func unknown(n int) campaign.Numbers {
	list := make(campaign.Numbers, n)
	for i := range list {
		list[i] = math.NaN()
	}
	return list
}

// Assumed compares, in one sentence for each objective, the declared noise with the observed noise.
func (r *Report) Assumed() (list []string) {
	for c, o := range r.Columns {
		if o.Trials > 0 {
			o.Unit = "" // the unit of results, not of rates
		}
		if o.Measured && finite(r.Scatter.SD[c]) {
			list = append(list, strings.Join(strings.Fields("Replicates of "+o.Name+
				" scatter with a standard deviation of "+number(r.Scatter.SD[c])+" "+o.Unit), " ")+
				"; declared: "+o.Noise+".")
		}
	}
	return list
}
