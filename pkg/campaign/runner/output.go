package runner

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/purexp/purexp/pkg/internal/csvtable"
	"github.com/purexp/purexp/pkg/internal/strictjson"
)

// Values reads what a command printed: the value of each objective, in the order of objectives and
// in the user's units. The last line that is not empty counts, so that a program may print what it
// likes before it. Three forms are understood:
//
//	{"runtime": 12.5, "size": 310}
//	runtime=12.5 size=310
//	12.5 310
//
// A JSON object and name=value pairs may hold more than the objectives; bare numbers are as many as
// there are objectives, in their order. A value that is missing, no number or not finite is an
// error that names it.
func Values(stdout []byte, objectives []string) ([]float64, error) {
	line := lastLine(stdout)
	switch {
	case line == "":
		return nil, fmt.Errorf("it printed nothing; want a last line such as %q",
			example(objectives))
	case !utf8.ValidString(line):
		return nil, fmt.Errorf("its last line %q is not UTF-8", short(line))
	case line[0] == '{':
		return fromObject(line, objectives)
	case strings.Contains(line, "="):
		return fromPairs(line, objectives)
	}
	return fromNumbers(line, objectives)
}

// lastLine returns the last line that is not empty, without spaces around it.
func lastLine(b []byte) string {
	b = bytes.TrimSpace(b)
	if i := bytes.LastIndexByte(b, '\n'); i >= 0 {
		b = b[i+1:]
	}
	return string(bytes.TrimSpace(b))
}

func fromObject(line string, objectives []string) ([]float64, error) {
	var all map[string]json.RawMessage
	if err := strictjson.Unmarshal([]byte(line), &all); err != nil {
		return nil, fmt.Errorf("its last line %q begins like a JSON object: %w", short(line), err)
	}
	text := make(map[string]string, len(all))
	for name, v := range all {
		text[name] = string(v)
	}
	return collect(text, objectives, line)
}

func fromPairs(line string, objectives []string) ([]float64, error) {
	text := map[string]string{}
	for _, w := range strings.Fields(line) {
		name, v, ok := strings.Cut(w, "=")
		if !ok {
			return nil, fmt.Errorf("%q in its last line %q is not name=value", short(w),
				short(line))
		}
		if _, twice := text[name]; twice {
			return nil, fmt.Errorf("%q is there twice in its last line %q", name, short(line))
		}
		text[name] = v
	}
	return collect(text, objectives, line)
}

func fromNumbers(line string, objectives []string) ([]float64, error) {
	words := strings.Fields(line)
	if len(words) != len(objectives) {
		return nil, fmt.Errorf("its last line %q has %d numbers; want %d: %s", short(line),
			len(words), len(objectives), example(objectives))
	}
	text := make(map[string]string, len(words))
	for i, w := range words {
		text[objectives[i]] = w
	}
	return collect(text, objectives, line)
}

// collect reads the values of the objectives from texts by name.
func collect(text map[string]string, objectives []string, line string) ([]float64, error) {
	values := make([]float64, len(objectives))
	for i, name := range objectives {
		t, ok := text[name]
		if !ok {
			return nil, fmt.Errorf("its last line %q has no %q; want %s", short(line), name,
				example(objectives))
		}
		v, err := csvtable.Number(t)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		values[i] = v
	}
	return values, nil
}

// example shows a line for these objectives.
func example(objectives []string) string {
	pairs := make([]string, len(objectives))
	for i, name := range objectives {
		if strings.ContainsAny(name, " =") {
			all := map[string]float64{}
			for j, n := range objectives {
				all[n] = float64(j) + .5
			}
			b, _ := json.Marshal(all) // strings and numbers always marshal
			return string(b)
		}
		pairs[i] = fmt.Sprintf("%s=%g", name, float64(i)+.5)
	}
	return strings.Join(pairs, " ")
}

// short cuts a long text for a message.
func short(s string) string {
	const most = 80
	if r := []rune(s); len(r) > most {
		return string(r[:most]) + "…"
	}
	return s
}
