package live_test

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/purexp/purexp/internal/golden"
	"github.com/purexp/purexp/pkg/live"
)

// instances maps names to instances in JSON; Q stands for the question.
var instances = map[string]string{
	"plane": `{"arms": ["a", "b", "c"], "objectives": ["x", "y"], "means": [[1, 3], [2, 2], [0.5, 1.5]], "noise": {"kind": "gaussian", "sd": 0.8}, "question": Q}`,
	"rates": `{"arms": ["a", "b", "c"], "objectives": ["x", "y"], "means": [[0.2, 0.9], [0.6, 0.5], [0.1, 0.3]], "noise": {"kind": "bernoulli"}, "question": Q}`,
	"line":  `{"arms": ["a", "b", "c"], "objectives": ["x"], "means": [[1], [2.5], [2]], "noise": {"kind": "gaussian", "sd": 0.5}, "question": Q}`,
	"features": `{"arms": ["a", "b", "c", "d"], "objectives": ["x"], "features": [[1, 0], [0, 1], [0.7, 0.7], [1, 1]], "theta": [[1], [0.4]],
		"noise": {"kind": "gaussian", "sd": 0.5}, "question": Q}`,
	"fitted": `{"arms": ["a", "b", "c", "d"], "objectives": ["x", "y"], "features": [[1, 0], [0, 1], [0.5, 0.5], [1, 1]], "means": [[1, 0], [0.5, 2], [0.75, 1], [1.5, 2]],
		"noise": {"kind": "gaussian", "sd": 0.5}, "question": Q}`,
	"tie": `{"arms": ["a", "b"], "objectives": ["x"], "means": [[1], [1]], "noise": {"kind": "gaussian", "sd": 0.5}, "question": Q}`,
}

var asks = []string{`{"kind": "pareto"}`, `{"kind": "pareto", "epsilon": 0.1}`, `{"kind": "best"}`, `{"kind": "all-epsilon-best", "epsilon": 0.6}`,
	`{"kind": "feasible-pareto", "least": [0.6, null]}`, `{"kind": "feasible-pareto", "least": [0.6]}`, `{"kind": "best", "least": [1]}`,
	`{"kind": "feasible-pareto", "least": [0.6, 1], "epsilon": 1}`}

const features = `"table": "n,u,v\na,1,0\nb,0,1\nc,0.7,0.7\n"`

var requests = []struct{ call, request string }{
	{"bound", `{"instance": {"arms": ["a"], "objectives": ["x"], "means": [[1]], "theta": [[1]], "features": [[1]], "noise": {"kind": "gaussian", "sd": 1}, "question": {"kind": "best"}}, "delta": 0.1}`},
	{"bound", `{"instance": {"arms": ["a", "b"], "objectives": ["x"], "features": [[], []], "theta": [[1]], "noise": {"kind": "gaussian", "sd": 1}, "question": {"kind": "best"}}, "delta": 0.1}`},
	{"bound", `{"instance": {"arms": ["a", "b"], "objectives": ["x"], "features": [[1], [1, 2]], "theta": [[1]], "noise": {"kind": "gaussian", "sd": 1}, "question": {"kind": "best"}}, "delta": 0.1}`},
	{"bound", `{"instance": {"arms": ["a", "b"], "objectives": ["x"], "features": [[1], [2]], "theta": [[1], [2]], "noise": {"kind": "gaussian", "sd": 1}, "question": {"kind": "best"}}, "delta": 0.1}`},
	{"bound", `{"instance": {"arms": ["a", "b"], "objectives": ["x"], "features": [[0], [0]], "means": [[1], [2]], "noise": {"kind": "gaussian", "sd": 1}, "question": {"kind": "best"}}, "delta": 0.1}`},
	{"bound", `{"instance": {"arms": ["a", "b"], "objectives": ["x"], "means": [[1], [0]], "noise": {"kind": "bernoulli", "sd": 1}, "question": {"kind": "best"}}, "delta": 0.1}`},
	{"bound", `{"instance": {"arms": ["a", "b"], "objectives": ["x"], "means": [[1], [0]], "noise": {"kind": "gaussian", "sd": 1e200}, "question": {"kind": "best"}}, "delta": 1}`},
	{"bound", `{"instance": {"arms": ["a", "b", "c"], "objectives": ["x"], "means": [[2.5], [2], [1]], "noise": {"kind": "gaussian", "sd": 1}, "question": {"kind": "all-epsilon-best", "epsilon": 0.5}}, "delta": 0.1}`},
	{"design", `{` + features + `, "criterion": "g"}`},
	{"design", `{` + features + `, "criterion": "g", "measurements": 7, "seed": 3}`},
	{"design", `{` + features + `, "criterion": "xy", "measurements": 8, "constant": true}`},
	{"design", `{` + features + `, "criterion": "xy", "measurements": 1, "constant": true}`},
	{"design", `{` + features + `, "criterion": "xy", "features": ["v"], "column": "n", "measurements": 4}`},
	{"design", `{` + features + `, "criterion": "xy", "features": ["w"]}`},
	{"design", `{` + features + `, "criterion": "xy", "column": "w"}`},
	{"design", `{` + features + `, "criterion": "xy", "features": []}`},
	{"design", `{` + features + `, "criterion": "transductive", "items": "n,u,v\np,2,0\nq,0,1\n", "constant": true, "measurements": 6}`},
	{"design", `{` + features + `, "criterion": "transductive", "items": "n,u\np,2\nq,0\n"}`},
	{"design", `{` + features + `, "criterion": "transductive"}`},
	{"design", `{` + features + `, "criterion": "g", "items": "n,u,v\np,2,0\n"}`},
	{"design", `{` + features + `, "criterion": "h"}`},
	{"design", `{` + features + `, "criterion": "g", "measurements": -1}`},
	{"design", `{` + features + `, "criterion": "g", "measurements": 1000001}`},
	{"design", `{"table": "n,u\n=a,1\n=b,1\n", "criterion": "xy", "measurements": 3}`},
	{"design", `{"table": "n,u\na,1\n,2\n", "criterion": "xy"}`},
	{"design", `{"table": "n,u\na,1\na,2\n", "criterion": "xy"}`},
	{"design", `{"table": "n,u\na,1\nb,x\n", "criterion": "xy"}`},
	{"design", `{"table": "n,u\na,1\nb,1e101\n", "criterion": "xy"}`},
	{"design", `{"table": "n,u\n", "criterion": "xy"}`},
	{"design", `{"table": "n\na\n", "criterion": "xy"}`},
	{"design", `{"table": "", "criterion": "xy"}`},
	{"design", `{"table": "n,u,v\na,1,0\nb,2,0\n", "criterion": "transductive", "items": "n,u,v\np,0,1\nq,0,2\n"}`},
	{"table", `{"name": "t", "text": "n,u,v\na,1,\nb,,\n"}`},
	{"table", `{"name": "t", "text": "n,u\n1,2\n1,3\n", "column": "u"}`},
	{"table", `{"name": "t", "text": "n,u\n"}`},
	{"table", `{"name": "t", "text": "n,u\n1,2\n", "column": "x"}`},
	{"table", `{"name": "t", "text": "n,n\n1,2\n"}`},
	{"draft", `{"name": "t.csv", "table": "n,y,z\na,1,2\nb,2,1\n", "objectives": []}`},
	{"draft", `{"name": "t.csv", "table": "n,y,z\na,1,2\nb,2,1\n", "objectives": [{"column": "y", "goal": "max"}]}`},
	{"draft", `{"name": "t.csv", "table": "n,y,z\na,1,2\nb,2,1\n", "objectives": [{"column": "y", "goal": "most", "sd": 1}]}`},
	{"draft", `{"name": "t.csv", "table": "n,y,z\na,1,2\nb,2,1\n", "delta": 7, "objectives": [{"column": "y", "goal": "max", "sd": 1}]}`},
	{"draft", `{"name": "t.csv", "table": "n,y,z\na,1,2\nb,2,1\n", "find": "pareto", "delta": 0.1, "objectives": [{"column": "y", "goal": "min", "sd": 1, "threshold": 1.5, "unit": "%"}, {"column": "z", "goal": "min", "known": true, "threshold": 3}]}`},
	{"draft", `{"name": "t.csv", "table": "", "objectives": [{"column": "y", "goal": "max", "sd": 1}]}`},
	{"problem-fields", `{"text": "a = 1\n[candidates]\nfile = \"x.csv\"\n[pilot]\nfile = \"y.csv\"\n"}`},
	{"problem-fields", `{"text": "a = \n"}`},
	{"problem-fields", `{"text": "[candidates]\nfile = 3\n"}`},
	{"problem-text", `{"text": "x = 1", "fields": {"a": 1}}`},
	{"problem-text", `{"text": "x = 1"}`},
	{"problem-text", `{"fields": {"zoo": {"b": 1.5, "c": null}, "list": [1, "x", true], "question": {"find": "best", "delta": 5e-2}, "title": "T", "objective": [{"name": "y", "noise": {"sd": 2}}], "a": 3, "n": null}}`},
	{"problem-text", `{"fields": {"list": [1, null]}}`},
	{"problem-text", `{"fields": {"zoo": {"b": [null]}}}`},
	{"problem-text", `{"fields": [1]}`},
	{"plan", `{"problem": {"fields": {"question": {"find": "best"}}}}`},
	{"plan", `{"problem": {"text": "[question]\nfind = \"best\"\n"}, "runs": -1}`},
	{"plan", `{"problem": {"text": "[question]\nfind = \"best\"\n"}, "runs": 10001}`},
	{"plan", `{"problem": {"text": "[question]\nfind = \"best\"\n"}}`},
	{"plan", `{"problem": {"text": "[question]\nfind = \"best\"\ndelta = 0.1\n[candidates]\nfile = \"c.csv\"\n[[objective]]\nname = \"y\"\nnoise = { sd = 1 }\n"}}`},
	{"plan", `{"problem": {"text": "[question]\nfind = \"best\"\ndelta = 0.1\n[candidates]\nfile = \"c.csv\"\n[[objective]]\nname = \"y\"\nnoise = { sd = 1 }\nguess = \"g\"\n", "files": {"c.csv": "n,g\na,1\nb,3\n"}}, "runs": 10, "changes": ["colour=1"]}`},
	{"plan", `{"problem": {"text": "[question]\nfind = \"best\"\ndelta = 0.1\n[candidates]\nfile = \"c.csv\"\n[[objective]]\nname = \"y\"\nnoise = { sd = 1 }\nguess = \"g\"\n", "files": {"c.csv": "n,g\na,1\nb,3\n"}}, "runs": 10, "changes": [], "figure": true}`},
}

var figures = regexp.MustCompile(`\\u003csvg.*?\\u003c/svg\\u003e(\\n)?`)

// answered returns an answer, with "SVG" instead of figures.
func answered(t *testing.T, call, request string) string {
	t.Helper()
	text := figures.ReplaceAllString(string(live.Do(call, []byte(request), nil)), "SVG")
	if !json.Valid([]byte(text)) {
		t.Errorf("%s: %s", request, text)
	}
	return text
}

// The test compares the answers with those in testdata.
func TestAnswers(t *testing.T) {
	var out strings.Builder
	for _, name := range []string{"plane", "rates", "line", "features", "fitted", "tie"} {
		for _, q := range asks {
			request := fmt.Sprintf(`{"instance": %s, "delta": 0.05}`, strings.Replace(instances[name], "Q", q, 1))
			fmt.Fprintf(&out, "bound %s %s\n%s\n", name, q, answered(t, "bound", request))
		}
	}
	for _, x := range requests {
		fmt.Fprintf(&out, "%s %s\n%s\n", x.call, x.request, answered(t, x.call, x.request))
	}
	golden.Parts(t, "answers.txt", out.String(), `^[a-z].*`)
}

// Each method runs on the problems that it supports. For other problems, the call returns an error that explains why
// the method cannot run. The expected texts are in testdata.
func TestMethods(t *testing.T) {
	names := regexp.MustCompile(`unknown method .*; expected one of (.*)`).FindStringSubmatch(string(live.Do("run", []byte(fmt.Sprintf(
		`{"instance": %s, "method": {"name": "nobody", "delta": 0.1}}`, strings.Replace(instances["line"], "Q", asks[2], 1))), nil)))
	if names == nil {
		t.Fatal("methods are not listed")
	}
	var out strings.Builder
	for _, method := range regexp.MustCompile(`[a-z][-a-z0-9]*`).FindAllString(names[1], -1) {
		all := regexp.MustCompile(`has no constants .*; expected one of ([^"]*)`).FindStringSubmatch(string(live.Do("run", []byte(fmt.Sprintf(
			`{"instance": %s, "method": {"name": %q, "constants": "none", "delta": 0.1}}`, strings.Replace(instances["line"], "Q", asks[2], 1), method)), nil)))
		if all == nil {
			t.Fatalf("%s does not say which constants it has", method)
		}
		for _, constants := range strings.Split(all[1], ", ") {
			for _, x := range []struct{ instance, ask string }{{"plane", asks[0]}, {"plane", asks[4]}, {"line", asks[2]}, {"features", asks[2]}, {"features", asks[3]},
				{"fitted", asks[0]}} {
				request := fmt.Sprintf(`{"instance": %s, "method": {"name": %q, "constants": %q, "delta": 0.1}, "seed": 5, "maxPulls": 3000, "figure": true}`,
					strings.Replace(instances[x.instance], "Q", x.ask, 1), method, constants)
				var got struct {
					Answer *live.Run
					Error  string
				}
				if err := json.Unmarshal(live.Do("run", []byte(request), nil), &got); err != nil {
					t.Fatal(err)
				}
				fmt.Fprintf(&out, "%s %s, %s %s\n", method, constants, x.instance, x.ask)
				if got.Error != "" {
					fmt.Fprintf(&out, "\t%s\n", got.Error)
					continue
				}
				r := got.Answer
				if strings.Contains(r.SVG, "<svg") != (len(r.Course) > 0) {
					t.Errorf("%s: a figure of %d bytes of %d states", method, len(r.SVG), len(r.Course))
				}
				if r.Items == nil {
					t.Errorf("%s: items are null; want an empty list", method)
				}
				for _, s := range r.Course {
					if len(s.ArmPulls) != len(r.ArmPulls) || len(s.Means) != len(r.ArmPulls) || len(s.Half) != len(r.ArmPulls) {
						t.Errorf("%s: after %d there are %d arms, with %d and %d intervals; want %d", method, s.Pulls, len(s.ArmPulls), len(s.Means), len(s.Half), len(r.ArmPulls))
					}
				}
				last, states := "", len(r.Course)
				if states > 0 {
					text, _ := json.Marshal(r.Course[states-1])
					last = string(text)
				}
				verdicts, _ := json.Marshal(r.Verdicts)
				fmt.Fprintf(&out, "\t%s after %d in %d rounds, %v, items %v, correct %v\n\t%s\n\t%d states, the last %s\n", r.Status, r.Pulls,
					r.Rounds, r.ArmPulls, r.Items, r.Correct, verdicts, states, last)
			}
		}
	}
	golden.Parts(t, "methods.txt", out.String(), `^[a-z].*, \w+ \{.*`)
}
