//go:build !js

package main

import (
	"bytes"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/purexp/purexp/pkg/live"
)

// TestMain lets this test binary act as the program itself.
func TestMain(m *testing.M) {
	if os.Getenv("PUREXP_TEST_COMMAND") != "" {
		main()
		return
	}
	os.Exit(m.Run())
}

// A request on standard input gets the same reply as a request from a web page. If the command line names no call or
// several calls, the program lists the calls.
func TestProgram(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	usage := "usage: purexp-wasm CALL < request.json\nThe calls are " + strings.Join(live.Names(), ", ") + ".\n"
	for _, c := range []struct {
		args, in, out, errs string
		code                int
	}{
		{"", "{}", "", usage, 2},
		{"run run", "{}", "", usage, 2},
		{"problem-fields", "{}", string(live.Do("problem-fields", []byte("{}"), nil)) + "\n", "", 0},
		{"draft", "{", string(live.Do("draft", []byte("{"), nil)) + "\n", "", 0},
		{"nothing", "", string(live.Do("nothing", nil, nil)) + "\n", "", 0},
	} {
		cmd := exec.Command(self, strings.Fields(c.args)...)
		var out, errs bytes.Buffer
		cmd.Env, cmd.Stdin, cmd.Stdout, cmd.Stderr = append(os.Environ(), "PUREXP_TEST_COMMAND=1"), strings.NewReader(c.in), &out, &errs
		_ = cmd.Run()
		if code := cmd.ProcessState.ExitCode(); code != c.code || out.String() != c.out || errs.String() != c.errs {
			t.Errorf("%q: %d, %q, %q; want %d, %q, %q", c.args, code, &out, &errs, c.code, c.out, c.errs)
		}
	}
}
