package campaign

import (
	"context"
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/purexp/purexp/pkg/campaign/internal/events"
	"github.com/purexp/purexp/pkg/campaign/problem"
)

// A forgery replaces text in event bodies of docs/example.certificate, and may add events; hashes are recomputed.
type forgery struct {
	what     string
	event    int // the number of the rejected event, or 0 if the record remains valid
	field    string
	old, new string
	more     []string // additional events: kind and body
}

const opposite = `"Rows":[{"ticket":1,"arm":"Pd","values":[1]},{"ticket":2,"arm":"Ni","values":[50]}]`

var extra = func(row string) []string { return []string{`tell {"rows":[` + row + `]}`} }

var forgeries = []forgery{
	{what: "as it is"},
	{what: "another order of results", old: `{"ticket":1,"arm":"Pd","values":[21]},{"ticket":2,"arm":"Ni","values":[9]}`,
		new: `{"ticket":2,"arm":"Ni","values":[9]},{"ticket":1,"arm":"Pd","values":[21]}`},
	{what: "a null for a list", old: `{"plate":1,`, new: `{"reference":null,"plate":1,`},

	// The following forgeries change the problem; TestCheckerRejectsSameProblems tries more changes.
	{what: "negative sd", event: 1, field: "objective[1].noise.sd", old: `"sd":2`, new: `"sd":-2`},
	{what: "two kinds of noise", event: 1, field: "objective[1].noise", old: `"sd":2`, new: `"sd":2,"counts":1`},
	{what: "delta 1", event: 1, field: "question.delta", old: `"delta":0.1`, new: `"delta":1`},
	{what: "a name that turns the line", event: 1, field: "candidates.names[1]", old: `["Pd","Ni"],"shares"`, new: "[\"P\u202ed\",\"Ni\"],\"shares\""},
	{what: "a goal in other letters", event: 1, field: "Goal", old: `"goal":"minimise"`, new: `"goal":"minimise","Goal":"maximise"`},
	{what: "a goal twice", event: 1, field: "goal", old: `"goal":"minimise"`, new: `"goal":"maximise","goal":"minimise"`},
	{what: "sd in other letters", event: 1, field: "noise.SD", old: `"sd":2`, new: `"sd":2,"SD":0.2`},
	{what: "half a letter", event: 1, field: "", old: `"Duel"`, new: `"\ud800"`},
	{what: "tickets expire", old: `"laboratory":{}`, new: `"laboratory":{"expire":"+1h.5m2.s3ms"}`},
	{what: "tickets expire at no time", event: 1, field: "laboratory.expire", old: `"laboratory":{}`, new: `"laboratory":{"expire":"2 h"}`},

	{what: "a title that colours", event: 1, field: "title", old: `"Duel"`, new: `"\u001b[31mDuel"`},
	{what: "a budget", event: 1, field: "method.budget", old: `"name":"APE"`, new: `"name":"APE","budget":10`},
	{what: "room below what was asked", event: 2, field: "room", old: `"room":`, new: `"room":-`},
	{what: "filled below 0", event: 2, field: "filled", old: `{"plate":1`, new: `{"filled":-1,"plate":1`},
	{what: "plate 0", event: 2, field: "plate", old: `{"plate":1`, new: `{"plate":0`},
	{what: "a signature of nobody", event: 4, field: "name", more: []string{`sign {"name":"","saw":"","event":3,"hash":""}`}},

	// The following forgeries change requests.
	{what: "results in a request", event: 2, field: "rows", old: `{"plate":1`, new: `{"rows":[{"id":"h","arm":"Ni","values":[1]}],"plate":1`},
	{what: "tickets below 1", event: 2, field: "", old: `"first":1`, new: `"first":-5`},
	{what: "a request of nobody", event: 2, field: "", old: `"arms":["Pd","Ni","Pd"`, new: `"arms":["Pd","No","Pd"`},
	{what: "wells of no reference", event: 2, field: "", old: `{"plate":1`, new: `{"reference":{"name":"x","wells":1},"plate":1`},
	{what: "tickets handed out twice", event: 4, field: "", more: []string{`ask {"plate":2,"first":1,"room":1,"arms":["Ni"]}`}},
	{what: "tickets left out", event: 4, field: "", more: []string{`ask {"plate":2,"first":9,"room":1,"arms":["Ni"]}`}},

	// The following forgeries change results.
	{what: "too large for a float", event: 3, field: "", old: `[21]`, new: `[1e999]`},
	{what: "infinite", event: 3, field: "", old: `[21]`, new: `[Infinity]`},
	{what: "no number", event: 3, field: "", old: `[21]`, new: `[NaN]`},
	{what: "null", event: 3, field: "rows[0].values[0]", old: `[21]`, new: `[null]`},
	{what: "large", event: 3, field: "rows[0].values[0]", old: `[21]`, new: `[1e308]`},
	{what: "true", event: 3, field: "rows[0].values[0]", old: `[21]`, new: `[true]`},
	{what: "a value too many", event: 3, field: "rows[0].values", old: `[21]`, new: `[21,999]`},
	{what: "a value too few", event: 3, field: "rows[0].values", old: `[21]`, new: `[]`},
	{what: "values twice", event: 3, field: "values", old: `"values":[21]`, new: `"values":[21],"values":[2100]`},
	{what: "values in other letters", event: 3, field: "rows[0].Values", old: `"values":[21]`, new: `"values":[21],"Values":[-2100]`},
	{what: "rows in other letters", event: 3, field: "Rows", old: `{"rows":`, new: `{"Rows":[],"rows":`},
	{what: "rows in other letters at the end", event: 3, field: "Rows", old: `"values":[8]}]`, new: `"values":[8]}],` + opposite},
	{what: "a whole number with a fraction", event: 3, field: "rows[0].ticket", old: `"ticket":1,`, new: `"ticket":1.0,`},
	{what: "a ticket that is true", event: 3, field: "rows[0].ticket", old: `"ticket":1,`, new: `"ticket":true,`},
	{what: "a negative ticket", event: 3, field: "", old: `"ticket":1,`, new: `"ticket":-1,`},
	{what: "a ticket of nobody", event: 3, field: "", old: `"ticket":1,`, new: `"ticket":7,`},
	{what: "a ticket twice", event: 3, field: "", old: `"ticket":3,`, new: `"ticket":1,`},
	{what: "a ticket of another", event: 3, field: "", old: `"ticket":1,"arm":"Pd"`, new: `"ticket":1,"arm":"Ni"`},
	{what: "neither ticket nor id", event: 3, field: "rows[0].id", old: `{"ticket":1,`, new: `{`},
	{what: "an empty id", event: 4, field: "rows[0].id", more: extra(`{"id":"","arm":"Pd","values":[22]}`)},
	{what: "an id twice", event: 4, field: "", more: extra(`{"id":"x","arm":"Pd","values":[22]},{"id":"x","arm":"Pd","values":[22]}`)},
	{what: "a result of nobody", event: 4, field: "", more: extra(`{"id":"x","arm":"Po","values":[22]}`)},
	{what: "of without counts", event: 3, field: "rows[0].of", old: `"values":[21]`, new: `"values":[21],"of":1000000`},
	{what: "of below 0", event: 3, field: "rows[0].of", old: `"values":[21]`, new: `"values":[21],"of":-5`},
	{what: "more successes than evaluable", event: 4, field: "rows[0].", old: `"noise":{"sd":2}`, new: `"noise":{"counts":99,"evaluable":"e"}`,
		more: extra(`{"id":"x","arm":"Pd","values":[22],"of":21}`)},
	{what: "a summary of one", event: 4, field: "rows[0].n", more: extra(`{"id":"x","arm":"Pd","values":[22],"n":1}`)},
	{what: "a summary below 0", event: 4, field: "rows[0].n", more: extra(`{"id":"x","arm":"Pd","values":[22],"n":-2}`)},
	{what: "a summary of too many", event: 4, field: "rows[0].n", more: extra(`{"id":"x","arm":"Pd","values":[22],"n":1000001}`)},
	{what: "a summary of a fraction", event: 4, field: "rows[0].n", more: extra(`{"id":"x","arm":"Pd","values":[22],"n":2.5}`)},
	{what: "a summary that failed", event: 4, field: "rows[0].failed", more: extra(`{"id":"x","arm":"Pd","failed":true,"n":2}`)},
	{what: "failed with values", event: 3, field: "rows[0].failed", old: `"values":[21]`, new: `"values":[21],"failed":true`},
	{what: "failed in words", event: 3, field: "rows[0].failed", old: `"values":[21]`, new: `"values":[21],"failed":"no"`},
	{what: "outside of the limits", event: 3, field: "rows[0].values[0]", old: `"noise":{`, new: `"values":[0,10],"noise":{`},
	{what: "outside of the narrower limits", event: 3, field: "rows[0].values[0]", old: `"noise":{"sd":2}`, new: `"values":[0,10],"noise":{"range":[0,30]}`},
	{what: "extras that are rejected", event: 4, field: "rows[0].ticket", old: `"laboratory":{}`, new: `"laboratory":{"extras":"refuse"}`, more: extra(`{"id":"z","arm":"Ni","values":[8]}`)},

	// The following forgeries change overlapping rounds.
	{what: "rounds of a method without any", event: 0, field: "", old: `"arms":`, new: `"phases":[{"number":1,"arms":["Pd"],"n":[1]}],"arms":`},
	{what: "a round far ahead", event: 0, field: "", old: `"arms":`, new: `"phases":[{"number":9223372036854775807,"arms":["Pd","Pd"],"n":[1,10000000]}],"arms":`},
	{what: "a round of too large a number", event: 2, field: "phases", old: `"arms":`, new: `"phases":[{"number":9223372036854775808,"arms":["Pd"],"n":[1]}],"arms":`},
	{what: "a round of number 0", event: 2, field: "phases", old: `"arms":`, new: `"phases":[{"number":0,"arms":["Pd"],"n":[1]}],"arms":`},
	{what: "a round below 0", event: 2, field: "phases", old: `"arms":`, new: `"phases":[{"number":-1,"arms":["Pd"],"n":[1]}],"arms":`},
	{what: "a round of nothing", event: 2, field: "phases", old: `"arms":`, new: `"phases":[{"number":1,"arms":[],"n":[]}],"arms":`},
	{what: "a round of null", event: 2, field: "phases", old: `"arms":`, new: `"phases":[null],"arms":`},
	{what: "no rounds", event: 0, field: "", old: `"arms":`, new: `"phases":null,"arms":`},
	{what: "an empty list of rounds", event: 0, field: "", old: `"arms":`, new: `"phases":[],"arms":`},
	{what: "a round of nobody", event: 2, field: "phases", old: `"arms":`, new: `"phases":[{"number":1,"arms":["Po"],"n":[1]}],"arms":`},
	{what: "a round of no pulls", event: 2, field: "phases", old: `"arms":`, new: `"phases":[{"number":1,"arms":["Pd"],"n":[0]}],"arms":`},
	{what: "a round of null pulls", event: 2, field: "phases", old: `"arms":`, new: `"phases":[{"number":1,"arms":["Pd"],"n":[null]}],"arms":`},
	{what: "a round of too many pulls", event: 2, field: "phases", old: `"arms":`, new: `"phases":[{"number":1,"arms":["Pd"],"n":[10000001]}],"arms":`},
	{what: "a round of half a pull", event: 2, field: "phases", old: `"arms":`, new: `"phases":[{"number":1,"arms":["Pd"],"n":[1.5]}],"arms":`},
	{what: "a round of pulls in another form", event: 2, field: "phases", old: `"arms":`, new: `"phases":[{"number":1,"arms":["Pd"],"n":[1e1]}],"arms":`},
	{what: "a round of pulls that are true", event: 2, field: "phases", old: `"arms":`, new: `"phases":[{"number":1,"arms":["Pd"],"n":[true]}],"arms":`},
	{what: "a round with more pulls than arms", event: 2, field: "phases", old: `"arms":`, new: `"phases":[{"number":1,"arms":["Pd"],"n":[1,1]}],"arms":`},
	{what: "a round with a further field", event: 2, field: "phases", old: `"arms":`, new: `"phases":[{"number":1,"arms":["Pd"],"n":[1],"more":1}],"arms":`},
	{what: "a round without a number", event: 2, field: "phases", old: `"arms":`, new: `"phases":[{"arms":["Pd"],"n":[1]}],"arms":`},
	{what: "a round of number null", event: 2, field: "phases", old: `"arms":`, new: `"phases":[{"number":null,"arms":["Pd"],"n":[1]}],"arms":`},
	{what: "rounds that are none", event: 2, field: "phases", old: `"arms":`, new: `"phases":{},"arms":`},
	{what: "a round of a name with a blank", event: 2, field: "phases", old: `"arms":`, new: `"phases":[{"number":1,"arms":["Pd "],"n":[1]}],"arms":`},
	{what: "a plate of too large a number", event: 2, field: "plate", old: `"plate":1`, new: `"plate":9223372036854775808`},

	// The following forgeries change or add other events.
	{what: "a second problem", event: 4, field: "", more: []string{`problem {}`}},
	{what: "an unknown event", event: 4, field: "", more: []string{`forget {}`}},
	{what: "results in a signature", event: 4, field: "rows", more: []string{`sign {"name":"x","saw":"","event":3,"hash":"","rows":[]}`}},
	{what: "undo of a later event", event: 4, field: "", more: []string{`undo {"event":5}`, `undo {"event":3}`}},
	{what: "undo of the problem", event: 4, field: "", more: []string{`undo {"event":1}`}},
	{what: "undo of no event", event: 4, field: "", more: []string{`undo {"event":99}`}},
	{what: "undo of an end that is too late", event: 4, field: "ended", more: []string{`undo {"event":3,"ended":9223372036854775808}`}},
	{what: "undo without an event", event: 4, field: "", more: []string{`undo {}`}},
	{what: "drop of nobody", event: 4, field: "", more: []string{`drop {"arm":"nobody"}`}},
	{what: "drop of all but one", event: 4, field: "", more: []string{`drop {"arm":"Pd"}`}},
	{what: "a seal of another problem", event: 4, field: "", more: []string{`seal {"problem":"0","method":"APE","settings":""}`}},
}

// Impossible records are rejected: Import, Open, Verify and the certificate checker name the same
// event, although the checker shares no code with the package.
func TestForgeries(t *testing.T) {
	needPython(t)
	text, err := os.ReadFile("../../docs/example.certificate")
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	for _, x := range forgeries {
		t.Run(x.what, func(t *testing.T) {
			t.Parallel()
			var list []*events.Event
			for _, line := range lines[1:4] {
				e := new(events.Event)
				must(t, strict([]byte(line), e))
				if x.old != "" {
					e.Body = []byte(strings.Replace(string(e.Body), x.old, x.new, 1))
				}
				list = append(list, e)
			}
			for i, more := range x.more {
				what, body, _ := strings.Cut(more, " ")
				list = append(list, &events.Event{Seq: 4 + i, At: list[2].At, Who: "Eve", What: what, Body: []byte(body)})
			}
			var record strings.Builder
			for i, e := range list {
				e.Seal(list[:i])
				fmt.Fprintf(&record, "{\"seq\":%d,\"at\":%q,\"who\":%q,\"what\":%q,\"body\":%s,\"hash\":%q}\n", e.Seq, e.At, e.Who, e.What, e.Body, e.Hash)
			}
			head := func(format string) string {
				return fmt.Sprintf("{\"format\":%q,\"version\":1,\"events\":%d,\"hash\":%q}\n", format, len(list), list[len(list)-1].Hash)
			}
			certificate := head(certificateFormat) + record.String() + strings.Join(lines[4:8], "\n") + "\n"
			says, code := checked(t, certificate+fmt.Sprintf("{\"part\":\"end\",\"hash\":\"%x\"}\n", sha256.Sum256([]byte(certificate))))
			path := filepath.Join(t.TempDir(), "x.campaign")
			c, imported := Import(path, strings.NewReader(head(exportFormat)+record.String()))
			if imported == nil {
				c.Close()
			}
			path = filepath.Join(t.TempDir(), "y.campaign")
			store, err := events.Create(path, nil, func(tx *events.Tx) error {
				for _, e := range list {
					if err := tx.Restore(e); err != nil {
						return err
					}
				}
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
			store.Close()
			c, opened := Open(path)
			if opened == nil {
				c.Close()
			}
			if x.event == 0 {
				if code != 0 || imported != nil || opened != nil {
					t.Errorf("the checker: %s\nimport: %v\nopen: %v", says, imported, opened)
				}
				return
			}
			v, err := Verify(context.Background(), path)
			if err != nil || v.OK() {
				t.Errorf("Verify finds no forgery: %v", err)
			}
			event, line := fmt.Sprint("event ", x.event), fmt.Sprint("line ", x.event+1)
			if code != 1 || !strings.Contains(says, event) || !strings.Contains(says, x.field) {
				t.Errorf("the checker: exit code %d, %s; want %s and %s", code, says, event, x.field)
			}
			for who, err := range map[string]error{"import": imported, "open": opened} {
				if says := fmt.Sprint(err); err == nil || !strings.Contains(says, event) && !strings.Contains(says, line) || !strings.Contains(says, x.field) {
					t.Errorf("%s: %v; want %s and %s", who, err, event, x.field)
				}
			}
		})
	}
}

// The checker knows every field of a recorded problem; it would reject a certificate with an unknown field.
func TestCheckerKnowsFields(t *testing.T) {
	text, err := os.ReadFile("../../docs/check_record.py")
	if err != nil {
		t.Fatal(err)
	}
	for section, of := range map[string]reflect.Type{
		`"candidates": {`: reflect.TypeFor[problem.Candidates](), `"laboratory": {`: reflect.TypeFor[problem.Laboratory](),
		`"method": {`: reflect.TypeFor[problem.Method](), "OBJECTIVE = {**BOUNDS,": reflect.TypeFor[problem.Objective](),
		"NOISE = {": reflect.TypeFor[problem.Noise]()} {
		_, known, _ := strings.Cut(string(text), section)
		known, _, _ = strings.Cut(known, "}")
		for i := range of.NumField() {
			name, _, _ := strings.Cut(of.Field(i).Tag.Get("json"), ",")
			inherited := strings.HasPrefix(section, "OBJ") && slices.Contains([]string{"name", "at_least", "at_most", "slack"}, name)
			if name != "-" && name != "" && !inherited && !strings.Contains(known, `"`+name+`":`) {
				t.Errorf("docs/check_record.py does not know %s.%s", of.Name(), name)
			}
		}
	}
}
