package report

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/purexp/purexp/pkg/campaign"
	"github.com/purexp/purexp/pkg/campaign/problem"
)

// A Declaration is something that was said before the campaign, or taken because nothing was said.
type Declaration struct {
	What string `json:"what"`
	Is   string `json:"is"`
}

// declared lists all that the problem declares and that the guarantee, or what is measured, rests on: what became of it, and
// then each field of the problem file that is not empty, by its name there.
func declared(p *problem.Problem, c *problem.Compiled, s *campaign.Status) []Declaration {
	var list []Declaration
	add := func(what, format string, args ...any) {
		list = append(list, Declaration{what, fmt.Sprintf(format, args...)})
	}
	if c.Budget > 0 {
		add("budget", "%d measurements; the answer has no declared error probability", c.Budget)
		add("error probability of intervals (delta)", "%v", p.Question.Delta)
	} else {
		add("error probability (delta)", "%v", p.Question.Delta)
	}
	if c.Delta != p.Question.Delta {
		add("of it for the method", "%.4g; the rest is for candidates to come and pilots", c.Delta)
	}
	add("method", "%s, seed %d", c.Card.Name, p.Method.Seed)
	add("settings of the method", "%v; intervals %s", c.Policy(), c.Radius())
	add("confirming measurements", "%s", map[bool]string{true: "yes", false: "no"}[c.Budget == 0 && p.Method.Confirm != nil &&
		*p.Method.Confirm])
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
	q.Title, q.Protocol, q.Question.Delta, q.Method, q.Pilot = "", "", 0, problem.Method{}, nil // said above, or elsewhere
	fields("", reflect.ValueOf(q))
	return list
}

// protocol says whether changes after the end need a second person.
func protocol(s *campaign.Status) string {
	switch {
	case s.Protocol != problem.Frozen:
		return "not frozen"
	case s.Sealed == 0:
		return "frozen; the first result seals it"
	}
	return fmt.Sprintf("frozen, sealed by event %d; changes after the end have a reason and a second person",
		s.Sealed)
}

// Amendments are the events by which candidates came or went, or something was undone.
func (r *Report) Amendments() (list []campaign.Event) {
	for _, e := range r.Record {
		switch e.Kind {
		case campaign.KindDrop, campaign.KindJoin, campaign.KindUndo:
			list = append(list, e)
		}
	}
	return list
}
