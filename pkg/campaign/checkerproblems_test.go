package campaign

import (
	"encoding/json"
	"maps"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/purexp/purexp/internal/golden"
	"github.com/purexp/purexp/pkg/campaign/internal/events"
)

// checkedProblems are valid problems that together contain every field of a recorded problem.
var checkedProblems = []string{
	`{"title":"T","question":{"find":"best","delta":0.1},"candidates":{"names":["Pd","Ni"],"shares":3,"later":0.1,"ever":2,"column":"c","feature_columns":["f"],
		"features":[[1],[2]],"feature_names":["f"],"cost_column":"p","costs":[1,2],"cost_unit":"EUR"},"objective":[{"name":"loss","unit":"g","goal":"minimise","noise":{"sd":2},
		"column":"l","values":[0,100],"norm":3,"weight":2,"guesses":[3,4],"tolerance":1}],"method":{"name":"APE","seed":7,"radius":"","confirm":true},"laboratory":{"plate":8,"fill":true,
		"reference":"R","reference_wells":2,"at_once":3,"days":0.5,"failures":0.1,"late":0.1,"late_by":2,"expire":"2h","extras":"accept","measurements":96},"protocol":"frozen"}`,
	`{"question":{"find":"top","delta":0.1,"count":1},"candidates":{"names":["Pd","Ni"]},"objective":[{"name":"a","goal":"maximise","noise":{"range":[0,1]},"guess_sd":0.3,"weight":2,"at_least":0.1,
		"at_most":0.9,"slack":0.1},{"name":"b","goal":"bounded","known":true,"exact":[1,2],"at_most":3}],"constraint":[{"name":"s","terms":{"a":1,"b":-2},"at_least":-9,"at_most":4,"slack":0.1}],
		"method":{"name":"e-cAPE"}}`,
	`{"question":{"find":"good","delta":0.1},"candidates":{"names":["Pd","Ni"]},"objective":[{"name":"a","goal":"maximise","noise":{"counts":50,"evaluable":"e"},"amounts":"rates","tolerance_percent":5}],
		"method":{"name":"(ST)^2"},"laboratory":{"reference":"R","plate":2}}`,
	`{"question":{"find":"pareto","delta":0.1},"candidates":{"names":["Pd","Ni"]},"objective":[{"name":"a","goal":"maximise","noise":{"counts":8,"evaluable":"e"}},
		{"name":"b","goal":"maximise","noise":{"counts":8,"evaluable":"e"}}],"method":{"name":"e-cAPE"}}`,
	`{"question":{"find":"feasible","delta":0.1},"candidates":{"names":["Pd"]},"objective":[{"name":"a","goal":"bounded","at_least":1,"noise":{"pilot":{"sd":1.9,"df":12,"delta":0.01}}}],
		"method":{"name":"Betting feasible Pareto"}}`,
	`{"question":{"find":"pareto","delta":0.1},"candidates":{"names":["Pd","Ni"]},"objective":[{"name":"a","goal":"maximise","values":[0,9],"noise":{"pilot":{"rewards":4,"delta":0.01}}},
		{"name":"b","goal":"minimise","noise":{"sd":1}}],"independent":true,"method":{"name":"e-cAPE"}}`,
	`{"question":{"find":"best","delta":0.1},"candidates":{"names":["Pd","Ni"]},"objective":[{"name":"a","goal":"bounded","at_least":0.25,"slack":0.125,"noise":{"counts":24,"of":"cells"},"amounts":"rates",
		"guesses":[0.5,0.25]},{"name":"b","goal":"maximise","noise":{"range":[-9,9]},"weight":1}],"method":{"name":"e-cAPE","radius":"mixture"}}`,
}

// valuesToTry are the values that replace each value of a problem in turn; many numbers are at or next to a limit.
var valuesToTry = strings.Fields(`null true {} [] [0] ["x"] [0,100] [100,0] [1,1] [-1e51,1] "" "x" "Pd" "a" "b" "b\u2066" "b\u2069" "b\u202a" "b\u202e" "b\u2028" "b\ufeff" "e\u0301" "b\u0007" "\u00a0x"
	"maximise" "minimise" "bounded" "best" "top" "good" "pareto" "feasible" "counts" "rates" "refuse" "frozen" "1m" "59.9s" "8760h" "8760h1s" "APE" "ape" "LinGapE"
	0 -1 -0.5 1 2 3 8 24 25 50 0.4999 0.5 0.9 0.91 0.99 0.000001 9e-7 1e-50 9e-51 99.9 100 1000 1001 10000 10001 1e5 100001 1000000 1000001 1000000000 1000000001 1e12 1.1e12
	1000000000000 1000000000001 1e50 1.1e50 -1e50 -1.1e50 9223372036854775807 9223372036854775808 18446744073709551615 18446744073709551616`)

// amounts matches the parts of a message that depend on the rejected value.
var amounts = regexp.MustCompile(`"[^"]*"|[-+]?[0-9][-+.0-9e]*|objectives are .*`)

// variants returns copies of v, each with one part replaced, left out or duplicated.
func variants(v any) (out []any) {
	for _, x := range valuesToTry {
		out = append(out, json.RawMessage(x))
	}
	switch v := v.(type) {
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(v)) {
			part := v[key]
			with := func(key string, part any) map[string]any {
				c := maps.Clone(v)
				c[key] = part
				return c
			}
			for _, p := range variants(part) {
				out = append(out, with(key, p))
			}
			without := with(key, nil)
			delete(without, key)
			out = append(out, without, with(key+"s", part))
		}
	case []any:
		for i, part := range v {
			for _, p := range variants(part) {
				out = append(out, append(append(append([]any{}, v[:i]...), p), v[i+1:]...))
			}
		}
		out = append(out, append(append([]any{}, v...), v...), v[:len(v)-1])
	}
	return out
}

// docs/check_record.py rejects the problems that the ledger rejects; the golden file lists the ledger's messages.
func TestCheckerRejectsSameProblems(t *testing.T) {
	needPython(t)
	var tried []string
	for _, text := range checkedProblems {
		var v any
		must(t, json.Unmarshal([]byte(text), &v))
		for _, x := range append(variants(v), v) {
			line, err := json.Marshal(x)
			must(t, err)
			tried = append(tried, string(line))
		}
	}
	cmd := exec.Command("python3", "-B", "-c", `import sys; sys.path.insert(0, "../../docs")
import check_record
for line in sys.stdin:
    try: print(check_record.problem(check_record.typed(check_record.strict(line), check_record.PROBLEM, "")) or "")
    except (ValueError, KeyError, IndexError, TypeError, AttributeError) as e: print(repr(e))`)
	cmd.Stdin = strings.NewReader(strings.Join(tried, "\n"))
	out, err := cmd.Output()
	must(t, err)
	known, messages := map[string]bool{}, ""
	for i, says := range strings.Split(strings.TrimSuffix(string(out), "\n"), "\n") {
		e := &events.Event{Seq: 1, What: KindProblem, Body: []byte(`{"id":"x","program":"y","problem":` + tried[i] + "}")}
		if _, err := newLedger(e); (err == nil) != (says == "") {
			t.Errorf("%s: the ledger: %v; check_record.py: %s", tried[i], err, says)
		} else if err != nil {
			for line := range strings.Lines(strings.TrimPrefix(err.Error(), ErrDamaged.Error()+": event 1: ")) {
				if words := amounts.ReplaceAllString(line, "#"); !known[words] && !strings.Contains(line, "canonical form") {
					known[words] = true
					messages += strings.TrimSpace(line) + "\n"
				}
			}
		}
	}
	golden.Check(t, "problems.txt", messages)
}
