package wire_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/purexp/purexp/internal/golden"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policy"
	"github.com/purexp/purexp/pkg/polyhedron"
	"github.com/purexp/purexp/pkg/question"
	"github.com/purexp/purexp/pkg/radius"
	"github.com/purexp/purexp/pkg/wire"
)

const (
	aProblem = `{"arms":2,"objectives":1,"sigma":0.5,"question":{"find":"best"}}`
	pairs    = `{"arms":2,"objectives":2,"sigma":0.5,"question":{"find":"pareto","reasons":true,"constraints":[{"weights":[-1,0],"at_most":0.5}]}}`
)

// begun is an init message with a change of the problem.
func begun(problem, old, new string) string {
	return `{"type":"init","protocol":1,"delta":0.1,"seed":"7","problem":` + strings.Replace(problem, old, new, 1) + `}`
}

// talks are what hosts say to a policy that is served, line by line.
var talks = map[string][]string{
	"a run": {begun(aProblem, "", ""), `{"type":"answer"}`, `{"type":"tell","results":[{"arm":0,"n":1,"sum":[5]},{"arm":1,"n":1,"sum":[-5]}]}`,
		`{"type":"answer"}`},
	"plates": {strings.Replace(begun(pairs, "", ""), `"delta"`, `"plate":3,"delta"`, 1),
		`{"type":"tell","results":[{"arm":0,"n":1,"sum":[5,4]},{"arm":1,"n":0,"sum":null},{"arm":0,"n":1,"sum":[5,4]}]}`},
	"half a plate": {strings.Replace(begun(pairs, "", ""), `"delta"`, `"plate":2,"delta"`, 1),
		`{"type":"tell","results":[{"arm":0,"n":1,"sum":[5,4],"squares":[25,16]},{"arm":1,"n":0}]}`},
	"after the end": {begun(aProblem, "", ""), `{"type":"tell","results":[{"arm":0,"n":1,"sum":[500]},{"arm":1,"n":1,"sum":[-500]}]}`,
		`{"type":"tell","results":[{"arm":0,"n":1,"sum":[500]},{"arm":1,"n":1,"sum":[-500]}]}`, `{"type":"tell","results":[]}`},
	"too early":        {`{"type":"tell","results":[]}`},
	"no type":          {`{"results":[]}`},
	"another type":     {begun(aProblem, "", ""), `{"type":"ready"}`},
	"an error":         {begun(aProblem, "", ""), `{"type":"error","message":"no power"}`},
	"no JSON":          {`hello ` + strings.Repeat("x", 200)},
	"another version":  {strings.Replace(begun(aProblem, "", ""), `"protocol":1`, `"protocol":2`, 1)},
	"no problem":       {`{"type":"init","protocol":1}`},
	"a number as seed": {strings.Replace(begun(aProblem, "", ""), `"7"`, `7`, 1)},
	"refused":          {strings.Replace(begun(aProblem, "", ""), `"delta":0.1`, `"delta":1.5`, 1), begun(aProblem, "", "")},
	"a result too few": {begun(aProblem, "", ""), `{"type":"tell","results":[{"arm":0,"n":1,"sum":[5]}]}`},
	"another arm":      {begun(aProblem, "", ""), `{"type":"tell","results":[{"arm":1,"n":1,"sum":[5]},{"arm":1,"n":1,"sum":[5]}]}`},
	"half a round":     {begun(aProblem, "", ""), `{"type":"tell","results":[{"arm":0,"n":0},{"arm":1,"n":1,"sum":[5]}]}`},
	"too many rewards": {begun(aProblem, "", ""), `{"type":"tell","results":[{"arm":0,"n":2,"sum":[5]},{"arm":1,"n":1,"sum":[5]}]}`},
	"negative":         {begun(aProblem, "", ""), `{"type":"tell","results":[{"arm":0,"n":-1,"sum":[5]},{"arm":1,"n":1,"sum":[5]}]}`},
	"no sums":          {begun(aProblem, "", ""), `{"type":"tell","results":[{"arm":0,"n":1},{"arm":1,"n":1,"sum":[5]}]}`},
	"a sum too many":   {begun(aProblem, "", ""), `{"type":"tell","results":[{"arm":0,"n":1,"sum":[5,6]},{"arm":1,"n":1,"sum":[5]}]}`},
	"squares too many": {begun(aProblem, "", ""), `{"type":"tell","results":[{"arm":0,"n":1,"sum":[5],"squares":[1,2]},{"arm":1,"n":1,"sum":[5]}]}`},
	"squares too few": {strings.Replace(begun(pairs, "", ""), `"delta"`, `"plate":2,"delta"`, 1),
		`{"type":"tell","results":[{"arm":0,"n":1,"sum":[5,4],"squares":[25]},{"arm":1,"n":0}]}`},
	"null":              {begun(aProblem, "", ""), `{"type":"tell","results":[{"arm":0,"n":1,"sum":[null]},{"arm":1,"n":1,"sum":[5]}]}`},
	"text for a number": {begun(aProblem, "", ""), `{"type":"tell","results":[{"arm":"0","n":1,"sum":[1]}]}`},
	"no list":           {begun(aProblem, "", ""), `{"type":"tell","results":{"arm":0}}`},
	"no sum list":       {begun(aProblem, "", ""), `{"type":"tell","results":[{"arm":0,"n":1,"sum":3}]}`},
	"empty lines":       {"", begun(aProblem, "", ""), "  ", `{"type":"answer"}`},
	"no arms":           {begun(aProblem, `"arms":2`, `"arms":0`)},
	"too many arms":     {begun(aProblem, `"arms":2`, `"arms":1000001`)},
	"no objectives":     {begun(aProblem, `"objectives":1`, `"objectives":0`)},
	"many objectives":   {begun(aProblem, `"objectives":1`, `"objectives":1001`)},
	"features":          {begun(aProblem, `"sigma"`, `"features":[[1]],"sigma"`)},
	"ragged features":   {begun(aProblem, `"sigma"`, `"features":[[1],[1,2]],"sigma"`)},
	"no features":       {begun(aProblem, `"sigma"`, `"features":[[],[]],"sigma"`)},
	"items":             {begun(aProblem, `"sigma"`, `"features":[[1],[2]],"items":[[1],[3,4]],"sigma"`)},
	"no items":          {begun(aProblem, `"sigma"`, `"features":[[1],[2]],"items":[],"sigma"`)},
	"known rows":        {begun(aProblem, `"sigma"`, `"known":[[1]],"sigma"`)},
	"known values":      {begun(pairs, `"sigma"`, `"known":[[1,null],[2]],"sigma"`)},
	"known":             {begun(pairs, `"sigma"`, `"known":[[1,null],[2,null]],"sigma"`)},
	"another link":      {begun(aProblem, `"sigma"`, `"link":"probit","sigma"`)},
	"a link":            {begun(aProblem, `"sigma"`, `"link":"logit","sigma"`)},
	"identity":          {begun(aProblem, `"sigma"`, `"link":"identity","sigma"`)},
	"no noise":          {begun(aProblem, `"sigma":0.5`, `"sigma":0`)},
	"another question":  {begun(aProblem, `best`, `worst`)},
	"good":              {begun(aProblem, `"best"`, `"good","epsilon":0.1`)},
	"feasible":          {begun(pairs, `pareto`, `feasible`)},
	"best of many":      {begun(pairs, `pareto`, `best`)},
	"a count":           {begun(aProblem, `"best"`, `"best","count":2`)},
	"weights":           {begun(aProblem, `"best"`, `"best","weights":[2]`)},
	"tolerances":        {begun(pairs, `"reasons":true`, `"tolerance":[0.1,0]`)},
	"slack":             {begun(pairs, `"reasons":true`, `"slack":[0.1]`)},
	"bound too long":    {begun(pairs, `[-1,0]`, `[-1]`)},
	"bound of nothing":  {begun(pairs, `[-1,0]`, `[0,0]`)},
}

// What a policy that is served says to what hosts say is in testdata.
func TestTalks(t *testing.T) {
	var out strings.Builder
	for _, name := range slices.Sorted(maps.Keys(talks)) {
		var said bytes.Buffer
		err := wire.Serve(strings.NewReader(strings.Join(talks[name], "\n")), &said, func(m *wire.Message) (explore.Policy, error) {
			p, err := m.Problem.Explore()
			if err != nil {
				return nil, err
			}
			sent, err1 := wire.NewProblem(p)
			back, err2 := sent.Explore()
			again, err3 := wire.NewProblem(back)
			one, _ := json.Marshal(sent)
			two, _ := json.Marshal(again)
			if err := errors.Join(err1, err2, err3); err != nil || string(one) != string(two) || back.Link != p.Link || (back.Known == nil) != (p.Known == nil) {
				t.Errorf("%s: sent on it is %s, %v; want %s", name, two, err, one)
			}
			if p.D() == 2 {
				return &policy.ECAPE{Delta: m.Delta, Radius: radius.Mixture{}}, nil
			}
			return &policy.LUCB{Delta: m.Delta}, nil
		})
		fmt.Fprintf(&out, "%s\n%s\terror: %v\n", name, said.String(), err)
	}
	golden.Parts(t, "talks.txt", out.String(), `^[a-z].*`)
}

// Answers are sent and read as they are, or refused with the field that is wrong.
func TestVerdicts(t *testing.T) {
	region, err := polyhedron.HalfSpace([]float64{1}, 2, "")
	if err != nil {
		t.Fatal(err)
	}
	p := &explore.Problem{Arms: 3, Objectives: 1, Sigma: 1, Question: question.FeasiblePareto{Region: region}}
	inf := math.Inf(1)
	a := explore.Answer{Items: []int{0, 2}, Reasons: []explore.Reason{{Class: explore.Optimal, By: 1, Margin: 2, MarginRadius: .5, Constraint: -1},
		{Class: explore.Dominated, By: 0, Margin: -1, MarginRadius: inf, Constraint: 0, Slack: .25, SlackRadius: inf}, {Class: explore.Undecided, By: -1, Constraint: 0, Slack: inf}}}
	text, err := json.Marshal(wire.NewVerdict(a))
	const want = `{"chosen":[0,2],"reasons":[{"class":"optimal","by":1,"margin":2,"radius":0.5},` +
		`{"class":"dominated","by":0,"margin":-1,"constraint":0,"slack":0.25},{"class":"undecided","constraint":0,"slack_radius":0}]}`
	if err != nil || string(text) != want {
		t.Errorf("%s, %v; want %s", text, err, want)
	}
	var v wire.Verdict
	if err := json.Unmarshal(text, &v); err != nil {
		t.Fatal(err)
	}
	back, err := v.Explore(p)
	a.Reasons[2].Slack = 0 // what is not known is not sent
	if err != nil || fmt.Sprintf("%+v", back) != fmt.Sprintf("%+v", a) {
		t.Errorf("%+v, %v; want %+v", back, err, a)
	}
	for text, want := range map[string]string{
		`{"reasons":[{"class":"optimal"},{"class":"optimal"},{"class":"optimal"}]}`: "answer.chosen: missing; want a list",
		`{"items":[0]}`:               "answer.chosen: missing; want a list of items, [] if there are none",
		`{"chosen":[3]}`:              "answer.chosen[0]: 3; items count from 0 to 2",
		`{"chosen":[-1]}`:             "answer.chosen[0]: -1; items",
		`{"chosen":[1,1]}`:            "answer.chosen[1]: 1 after 1; want ascending order",
		`{"chosen":[2,0]}`:            "answer.chosen[1]: 0 after 2",
		`{"chosen":[0],"reasons":[]}`: "answer.reasons: 0; want one for each of the 3 items, or none",
		`{"chosen":[0],"reasons":[{"class":"optimal","by":3},{"class":"optimal"},{"class":"optimal"}]}`:            "answer.reasons[0].by: 3; items count from 0 to 2",
		`{"chosen":[0],"reasons":[{"class":"optimal"},{"class":"optimal"},{"class":"dominated","constraint":1}]}`:  "answer.reasons[2].constraint: 1; the question has 1 constraints",
		`{"chosen":[0],"reasons":[{"class":"dominated","constraint":-1},{"class":"optimal"},{"class":"optimal"}]}`: "answer.reasons[0].constraint: -1;",
		`{"chosen":[0],"reasons":[{"class":"optimal"},{"class":"optimal","by":-1},{"class":"optimal"}]}`:           "answer.reasons[1].by: -1; items count",
	} {
		var v wire.Verdict
		if err := json.Unmarshal([]byte(text), &v); err != nil {
			t.Fatal(err)
		}
		if a, err := v.Explore(p); err == nil || !strings.Contains(err.Error(), want) || a.Items != nil {
			t.Errorf("%s: %+v, %v; want %q", text, a, err, want)
		}
	}
	if a, err := (&wire.Verdict{Chosen: []int{1}}).Explore(p); err != nil || a.Reasons != nil {
		t.Errorf("without reasons: %+v, %v", a, err)
	}
	// A reason may be about a constraint that the question has, and need not say which.
	for _, c := range []struct {
		q explore.Question
		n int
	}{{question.Best{}, 0}, {question.Feasible{Region: region}, 1}, {question.BestFeasible{Region: region}, 1}, {question.FeasiblePareto{Region: region}, 1}} {
		p := &explore.Problem{Arms: 1, Objectives: 1, Sigma: 1, Question: c.q}
		for k := range 2 {
			v := wire.Verdict{Chosen: []int{}, Reasons: []wire.Reason{{Class: explore.Infeasible, Constraint: &k}}}
			if a, err := v.Explore(p); (err == nil) != (k < c.n) || err == nil && a.Reasons[0].Constraint != k {
				t.Errorf("%T: constraint %d: %+v, %v", c.q, k, a, err)
			}
		}
		a, err := (&wire.Verdict{Chosen: []int{}, Reasons: []wire.Reason{{Class: explore.Infeasible}}}).Explore(p)
		if err != nil || strings.Join(a.Explain(p), "") != "arm 0: infeasible" {
			t.Errorf("%T: no constraint: %q, %v", c.q, a.Explain(p), err)
		}
	}
	changing := &explore.Problem{Arms: 2, Objectives: 1, Sigma: 1, Question: question.Best{}, Changing: true, X: mat.NewDense(2, 1, []float64{1, 2})}
	if _, err := wire.NewProblem(changing); err == nil || !strings.Contains(err.Error(), "change from round to round") {
		t.Error(err)
	}
}
