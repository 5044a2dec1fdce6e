package wire_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/purexp/purexp/internal/golden"
	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/policy"
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
