package runner

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestTemplate(t *testing.T) {
	job := Job{Ticket: 7, Plate: 2, Arm: "O3; rm -rf /", ID: "c0de-7", Seed: 17,
		Columns: map[string]string{"set of flags": "-a -b", "seed": "a column"}}
	for command, want := range map[string][]string{
		"./bench {arm}":                           {"./bench", "O3; rm -rf /"}, // no shell
		"./bench --n={ticket} x":                  {"./bench", "--n=7", "x"},
		`sh -c 'echo "$1"' _ {arm}`:               {"sh", "-c", `echo "$1"`, "_", "O3; rm -rf /"},
		"sh -c 'echo {{x}}' {arm}":                {"sh", "-c", "echo {x}", "O3; rm -rf /"},
		`a {{arm}} "b c" d\ e`:                    {"a", "{arm}", "b c", "d e"},
		"{arm}{ticket}":                           {"O3; rm -rf /7"},
		"x{{{ticket}}} }}{{":                      {"x{7}", "}{"},
		"{ticket} {ticket}-{ticket} {none}":       {"7", "7-7", ""},
		"b '{set of flags}' {id} p{plate} {seed}": {"b", "-a -b", "c0de-7", "p2", "17"},
	} {
		tmpl, err := Parse(command)
		if err != nil {
			t.Errorf("%s: %v", command, err)
			continue
		}
		if got := tmpl.Words(job); !slices.Equal(got, want) {
			t.Errorf("%s: %q; want %q", command, got, want)
		}
	}
	for command, want := range map[string]string{
		"":                                      "empty",
		"a {}":                                  "are empty",
		"a {arm":                                "character 1 is not closed",
		"a b}":                                  "character 2 was not opened",
		"a x={}":                                `"x={}": the braces at character 3 are empty; name a placeholder, or write {{ for a brace`,
		"{{{a":                                  `"{{{a": the brace at character 3 is not closed; close it, or write {{`,
		"{a}}":                                  `"{a}}": the brace at character 4 was not opened; remove it, or write }}`,
		"sh -c 'echo {arm}' x":                  "a shell would run",
		"timeout 5 /bin/bash -ec './b {price}'": "a shell would run",
		`C:\\cmd.exe /C bench {arm}`:            "a shell would run",
		" \t":                                   "use, for example, './bench {arm}'",
		"a 'b":                                  "Unterminated",
	} {
		if _, err := Parse(command); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v; want an error with %q", command, err, want)
		}
	}
	tmpl, err := Parse("a {flags} {arm}")
	if err != nil {
		t.Fatal(err)
	}
	if err := tmpl.Check([]string{"flags"}); err != nil {
		t.Error(err)
	}
	if err := tmpl.Check([]string{"pH"}); !errors.Is(err, ErrPlaceholder) ||
		!strings.Contains(err.Error(), "{flags}: unknown placeholder; expected one of {arm}, {ticket}, "+
			"{plate}, {id}, {seed}, {pH}") {
		t.Errorf("an unknown column: %v", err)
	}
}

func TestValues(t *testing.T) {
	names := []string{"runtime", "size"}
	for out, want := range map[string][]float64{
		"12.5 310\n":                         {12.5, 310},
		"begun\nruntime=9 size=9\n2 3":       {2, 3},
		"warming up\n\nsize=310 runtime=1e3": {1e3, 310},
		"{\"runtime\": 12.5, \"size\": 310, \"commit\": \"a1\"}\r\n": {12.5, 310},
		"a=1\nruntime=2 size=3 a=4\n \n":                             {2, 3},
		"\t-0.5   +1e-3 \r\n\r\n":                                    {-.5, 1e-3},
		"begun\n  {\"size\": 3, \"runtime\": 2}":                     {2, 3},
		"size=0\truntime=-0.25":                                      {-.25, 0},
		`{"size": -3e2, "runtime": 0, "list": [1, {"size": 5}]}`:     {0, -300},
	} {
		if got, err := Values([]byte(out), names); err != nil || !slices.Equal(got, want) {
			t.Errorf("%q: %v, %v; want %v", out, got, err, want)
		}
	}
	for out, want := range map[string]string{
		"":                             "runtime=0.5 size=1.5",
		" \n\t":                        "printed nothing",
		"12.5":                         `the last line "12.5" has 1 values; expected 2: runtime=0.5 size=1.5`,
		"1 2 3":                        "has 3 values; expected 2",
		"1 2\nfailed":                  `the last line "failed" has 1 values`,
		"1 x":                          `size: "x" is not`,
		"1,5 2":                        `runtime: "1,5"`,
		"runtime==1 size=2":            `runtime: "=1" is not`,
		"runtime = 1 size = 2":         `the last line "runtime = 1 size = 2" has "runtime"; expected name=value`,
		"Runtime=1 size=2":             `the last line "Runtime=1 size=2" has no "runtime"; expected runtime=0.5 size=1.5`,
		`{"runtime": null, "size": 2}`: `runtime: "null" is not`,
		`{"size": 2}`:                  `has no "runtime"`,
		`[1, 2]`:                       `runtime: "[1,"`,
		"runtime=1":                    `no "size"`,
		"runtime=1 size=2 runtime=3":   `the last line "runtime=1 size=2 runtime=3" has "runtime" twice`,
		"runtime=1 size":               `the last line "runtime=1 size" has "size"; expected name=value`,
		"runtime=NaN size=1":           `runtime: "NaN" is not a finite number`,
		"1 +Inf":                       `size: "+Inf" is not`,
		"{\"runtime\": 1":              `the last line "{\"runtime\": 1" is not a valid JSON object`,
		`{"runtime": "1", "size": 2}`:  "runtime",
		"\xff 1":                       `the last line "\xff 1" is not UTF-8`,
	} {
		if got, err := Values([]byte(out), names); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, %v; want an error with %q", out, got, err, want)
		}
	}
	if _, err := Values(nil, []string{"run time"}); err == nil || !strings.Contains(err.Error(), `{\"run time\":0.5}`) {
		t.Errorf("%v; want an example in JSON", err)
	}
}

// FuzzValues: the output of a program gives finite numbers, or an error.
func FuzzValues(f *testing.F) {
	for _, s := range []string{"1 2", "a=1 b=2", `{"a":1,"b":2e-3}`, "x\n\n1\t2\r\n", "{", "=", "a=1 a=1"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, out []byte) {
		v, err := Values(out, []string{"a", "b"})
		if (err == nil) != (len(v) == 2) {
			t.Fatalf("%v, %v", v, err)
		}
		for _, x := range v {
			if x-x != 0 {
				t.Fatalf("%v is not finite", v)
			}
		}
	})
}

// FuzzTemplate: a command is rejected, or each placeholder stays within its word.
func FuzzTemplate(f *testing.F) {
	for _, s := range []string{"./bench {arm}", "a '{ticket} b' {{x}}", "a {b", `"`, `a\ b {arm}{arm}`} {
		f.Add(s, "O3 -flto")
	}
	f.Fuzz(func(t *testing.T, command, arm string) {
		tmpl, err := Parse(command)
		if err != nil {
			return
		}
		a, b := tmpl.Words(Job{Arm: arm}), tmpl.Words(Job{Arm: "x"})
		if len(a) != len(b) || len(a) == 0 {
			t.Fatalf("%q and %q", a, b)
		}
	})
}

// script writes a shell script and returns a Command that runs it.
func script(t *testing.T, body string) *Command {
	t.Helper()
	if _, err := os.Stat("/bin/sh"); err != nil {
		t.Skip("skipped: no /bin/sh here")
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "s.sh"), []byte(body), 0o666); err != nil {
		t.Fatal(err)
	}
	tmpl, err := Parse("/bin/sh s.sh {arm}")
	if err != nil {
		t.Fatal(err)
	}
	return &Command{Template: tmpl, Objectives: []string{"time"}, Dir: dir, Pause: time.Millisecond}
}

func TestMeasure(t *testing.T) {
	ctx := context.Background()
	r := script(t, `echo "$PUREXP_ARM.$PUREXP_TICKET.$PUREXP_ATTEMPT" >&2; echo "time=$1"`)
	if v, err := r.Measure(ctx, Job{Ticket: 3, Arm: "12.5"}); err != nil || v[0] != 12.5 {
		t.Errorf("%v, %v; want 12.5", v, err)
	}
	// A command that another command started receives only the variables of its own measurement.
	for _, name := range []string{"ARM", "TICKET", "PLATE", "ID", "SEED", "ATTEMPT"} {
		t.Setenv("PUREXP_"+name, "13")
	}
	t.Setenv("MINE", "kept")
	r = script(t, `echo "$PUREXP_ARM|$PUREXP_TICKET|$PUREXP_PLATE|$PUREXP_ID|$PUREXP_SEED|$PUREXP_ATTEMPT|$MINE" > heard; echo "time=$PUREXP_ARM"`)
	if v, err := r.Measure(ctx, Job{Ticket: 3, Plate: 2, Arm: "12.5", ID: "c-3", Seed: 17}); err != nil || v[0] != 12.5 {
		t.Errorf("%v, %v; want 12.5, as the arm says", v, err)
	}
	if text, err := os.ReadFile(filepath.Join(r.Dir, "heard")); err != nil || string(text) != "12.5|3|2|c-3|17|1|kept\n" {
		t.Errorf("the command got %s, %v", text, err)
	}
	// The first attempt fails, the second succeeds.
	r = script(t, `[ $PUREXP_ATTEMPT = 2 ] || { echo no license >&2; exit 3; }; echo 4`)
	if v, err := r.Measure(ctx, Job{Ticket: 3, Arm: "a"}); err != nil || v[0] != 4 {
		t.Errorf("%v, %v; want 4 at the second attempt", v, err)
	}
	r.Retries = -1
	_, err := r.Measure(ctx, Job{Ticket: 3, Arm: "a"})
	if want := `runner: ticket 3 (a), attempt 1: /bin/sh: exit status 3; its standard error ends with "no license"`; err == nil || err.Error() != want {
		t.Errorf("%v; want %s", err, want)
	}
	// The reason for a failure contains the end of the output, shortened to 80 characters, if there is any output.
	for body, want := range map[string]string{"exit 4": "/bin/sh: exit status 4", `printf 'a\nb c\n \n' >&2; exit 4`: `/bin/sh: exit status 4; its standard error ends with "b c"`,
		"printf '%081d' 7 >&2; exit 4": "exit status 4; its standard error ends with \"" + strings.Repeat("0", 80) + "…\"", "printf '%080d' 7 >&2; exit 4": strings.Repeat("0", 79) + "7\"",
		"echo 3 4": `/bin/sh: the last line "3 4" has 2 values; expected 1: time=0.5`, ":": `/bin/sh: the command printed nothing; expected a last line such as "time=0.5"`} {
		r = script(t, body)
		r.Retries = -1
		if v, err := r.Measure(ctx, Job{Ticket: 3, Arm: "a"}); v != nil || err == nil || !strings.HasSuffix(err.Error(), want) {
			t.Errorf("%s: %v, %v; want %s", body, v, err, want)
		}
	}
}

// Pauses double; by default there is one retry.
func TestRetries(t *testing.T) {
	r := script(t, `exit 1`)
	if _, err := r.Measure(t.Context(), Job{Arm: "a"}); err == nil || !strings.Contains(err.Error(), "attempt 2: ") {
		t.Errorf("%v; want two attempts", err)
	}
	r.Retries, r.Pause = 3, 20*time.Millisecond
	begun := time.Now()
	_, err := r.Measure(t.Context(), Job{Arm: "a"})
	if took := time.Since(begun); took < (20+40+80)*time.Millisecond || err == nil || !strings.Contains(err.Error(), "attempt 4: ") {
		t.Errorf("%v after %v; want four attempts and the pauses between them", err, took)
	}
}

// A command that takes too long is killed together with its children, so a background loop stops writing.
func TestTimeout(t *testing.T) {
	r := script(t, `(while :; do echo beat >> beats; sleep 0.05; done) & sleep 3600`)
	r.Timeout, r.Retries = 50*time.Millisecond, -1
	_, err := r.Measure(context.Background(), Job{Ticket: 1, Arm: "a"})
	if err == nil || !strings.Contains(err.Error(), "longer than 50ms and was killed") {
		t.Errorf("%v; want an error about the time", err)
	}
	beats := func() int {
		b, _ := os.ReadFile(filepath.Join(r.Dir, "beats"))
		return len(b)
	}
	before := beats()
	time.Sleep(time.Second)
	if after := beats(); after != before {
		t.Error("a grandchild outlived the command")
	}
}

func TestMeasureCancelled(t *testing.T) {
	r := script(t, `sleep 30`)
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	_, err := r.Measure(ctx, Job{Ticket: 1, Arm: "a"})
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("%v; want the error of the context", err)
	}
	r.Retries = -1 // the interrupted last attempt is not a failure either
	ctx, cancel = context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	if _, err := r.Measure(ctx, Job{Ticket: 1, Arm: "a"}); err != context.DeadlineExceeded {
		t.Errorf("%v; want the error of the context", err)
	}
}

// A command that leaves a background program with an open output has still made its measurement.
func TestLeavesAProgramBehind(t *testing.T) {
	r := script(t, `sleep 20 & echo 5`)
	r.Retries = -1
	if v, err := r.Measure(t.Context(), Job{Ticket: 1, Arm: "a"}); err != nil || v[0] != 5 {
		t.Errorf("%v, %v; want 5", v, err)
	}
}

// tail keeps the end of the output, regardless of how the output is split into writes.
func TestTail(t *testing.T) {
	var b tail
	var all []byte
	write := func(size int) {
		p := make([]byte, size)
		for i := range p {
			p[i] = byte(uint32(len(all)+i) * 2654435761 >> 16)
		}
		all = append(all, p...)
		if n, err := b.Write(p); n != size || err != nil {
			t.Fatal(n, err)
		}
		if end := all[max(len(all)-mostOutput, 0):]; !bytes.HasSuffix(b.b, end) || len(b.b) > 2*mostOutput {
			t.Fatalf("after %d bytes, the %d kept are not the last ones", len(all), len(b.b))
		}
	}
	for range 300 {
		write(1000)
	}
	write(200_005)
	write(5)
}
