package runner

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/purexp/purexp/pkg/internal/csvtable"
	"github.com/purexp/purexp/pkg/internal/strictjson"
)

// Command makes measurements by executing Template once for each measurement; zero fields have
// defaults.
type Command struct {
	Template *Template
	// Objectives are the names of the values that the command must print; see [Values].
	Objectives []string
	// Timeout limits the time of one execution. After Timeout, the command and its children are
	// killed; a zero Timeout means ten minutes.
	Timeout time.Duration
	// Retries is the number of times that a failing command is repeated; zero means once, a
	// negative number means never.
	Retries int
	// Pause is the time before the first retry, and doubles with each further retry; zero means one
	// second.
	Pause time.Duration
	// Dir is the working directory of the command; empty means the current folder.
	Dir string
}

// At least the last mostOutput bytes of a command's output are kept.
const mostOutput = 64 << 10

// Measure makes one measurement: it executes the command and parses the printed values. Measure
// retries the command if it fails, exceeds the time limit, or prints no valid values. Environment
// variables of the command are PUREXP_ARM, PUREXP_TICKET, PUREXP_PLATE, PUREXP_ID, PUREXP_SEED, and
// PUREXP_ATTEMPT (the number of the attempt, from 1). Measure returns the error of the last
// attempt, with the end of standard error; the error wraps ctx.Err() if ctx was cancelled.
func (r *Command) Measure(ctx context.Context, j Job) ([]float64, error) {
	words := r.Template.Words(j)
	retries, pause := cmp.Or(r.Retries, 1), cmp.Or(r.Pause, time.Second)
	for attempt := 1; ; attempt++ {
		values, err := r.attempt(ctx, j, words, attempt)
		switch {
		case err == nil:
			return values, nil
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case attempt > retries:
			return nil, fmt.Errorf("runner: ticket %d (%s), attempt %d: %w", j.Ticket, j.Arm, attempt, err)
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(pause):
		}
		pause *= 2
	}
}

func (r *Command) attempt(ctx context.Context, j Job, words []string, n int) ([]float64, error) {
	env := []string{"PUREXP_ATTEMPT=" + strconv.Itoa(n)}
	for _, name := range placeholders {
		env = append(env, "PUREXP_"+strings.ToUpper(name)+"="+j.value(name))
	}
	stdout, err := r.execute(ctx, words, env)
	if err != nil {
		return nil, err
	}
	values, err := Values(stdout, r.Objectives)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", words[0], err)
	}
	return values, nil
}

// execute runs a command, given as words, with additional environment variables, and returns the
// end of its standard output.
func (r *Command) execute(ctx context.Context, words, env []string) ([]byte, error) {
	limit := cmp.Or(r.Timeout, 10*time.Minute)
	within, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	cmd := exec.CommandContext(within, words[0], words[1:]...)
	cmd.Dir = r.Dir
	cmd.Env = append(os.Environ(), env...)
	var stdout, stderr tail
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	cmd.WaitDelay = 2 * time.Second // continue even if a child process keeps the output open
	killGroup(cmd)
	err := cmd.Run()
	switch {
	case within.Err() != nil: // Measure reports the error of the cancelled context
		return nil, fmt.Errorf("%s took longer than %v and was killed%s", words[0], limit, said(&stderr))
	case errors.Is(err, exec.ErrWaitDelay):
		// ErrWaitDelay means that the command succeeded, but a child process kept its output open.
	case err != nil:
		return nil, fmt.Errorf("%s: %w%s", words[0], err, said(&stderr))
	}
	return stdout.b, nil
}

// said returns the last line of standard error, in quotes, for messages.
func said(t *tail) string {
	if line := lastLine(t.b); line != "" {
		return fmt.Sprintf("; its standard error ends with %q", short(line))
	}
	return ""
}

// tail is an io.Writer that keeps only the last bytes.
type tail struct{ b []byte }

func (t *tail) Write(p []byte) (int, error) {
	n := len(p)
	if len(p) > mostOutput {
		p = p[len(p)-mostOutput:]
	}
	if over := len(t.b) + len(p) - 2*mostOutput; over > 0 {
		t.b = bytes.Clone(t.b[len(t.b)-mostOutput:])
	}
	t.b = append(t.b, p...)
	return n, nil
}

// Values parses the output of a command: the last non-empty line, with the value of each objective
// in the user's units. Values accepts a line in one of three forms:
//
//	{"runtime": 12.5, "size": 310}
//	runtime=12.5 size=310
//	12.5 310
//
// A JSON object or a list of name=value pairs may contain additional names. A list of bare numbers
// must have one number for each objective, in order. If a value is missing or invalid, Values
// returns an error that names the objective.
func Values(stdout []byte, objectives []string) ([]float64, error) {
	line := lastLine(stdout)
	text, words := map[string]string{}, strings.Fields(line)
	switch {
	case line == "":
		return nil, fmt.Errorf("the command printed nothing; expected a last line such as %q", example(objectives))
	case !utf8.ValidString(line):
		return nil, fmt.Errorf("the last line %q is not UTF-8 text", short(line))
	case line[0] == '{':
		var all map[string]json.RawMessage
		if err := strictjson.Unmarshal([]byte(line), &all); err != nil {
			return nil, fmt.Errorf("the last line %q is not a valid JSON object: %w", short(line), err)
		}
		for name, v := range all {
			text[name] = string(v)
		}
	case strings.Contains(line, "="):
		for _, w := range words {
			name, v, ok := strings.Cut(w, "=")
			if !ok {
				return nil, fmt.Errorf("the last line %[2]q has %[1]q; expected name=value", short(w), short(line))
			}
			if _, twice := text[name]; twice {
				return nil, fmt.Errorf("the last line %[2]q has %[1]q twice; print each value once", name, short(line))
			}
			text[name] = v
		}
	case len(words) != len(objectives):
		return nil, fmt.Errorf("the last line %q has %d values; expected %d: %s", short(line), len(words),
			len(objectives), example(objectives))
	default:
		for i, w := range words {
			text[objectives[i]] = w
		}
	}
	values := make([]float64, len(objectives))
	for i, name := range objectives {
		t, ok := text[name]
		if !ok {
			return nil, fmt.Errorf("the last line %q has no %q; expected %s", short(line), name, example(objectives))
		}
		var err error
		if values[i], err = csvtable.Number(t); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	return values, nil
}

// lastLine returns the last non-empty line of a text, without surrounding white space.
func lastLine(b []byte) string {
	b = bytes.TrimSpace(b)
	if i := bytes.LastIndexByte(b, '\n'); i >= 0 {
		b = b[i+1:]
	}
	return string(bytes.TrimSpace(b))
}

// example returns an example of a valid line of output for the given objectives.
func example(objectives []string) string {
	pairs := make([]string, len(objectives))
	for i, name := range objectives {
		if strings.ContainsAny(name, " =") {
			all := map[string]float64{}
			for j, n := range objectives {
				all[n] = float64(j) + .5
			}
			b, _ := json.Marshal(all) // marshalling strings and numbers cannot fail
			return string(b)
		}
		pairs[i] = fmt.Sprintf("%s=%g", name, float64(i)+.5)
	}
	return strings.Join(pairs, " ")
}

func short(s string) string {
	const most = 80
	if r := []rune(s); len(r) > most {
		return string(r[:most]) + "…"
	}
	return s
}
