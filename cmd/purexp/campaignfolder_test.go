package main

import (
	"bytes"
	"context"
	"os"
	"strings"
	"testing"
)

// An interrupted run prints how many measurements it made and how to continue, and has exit code 130. Each
// measurement is logged with the names of its values.
func TestCampaignRunInterrupted(t *testing.T) {
	dir := platesAt(t)
	if _, errs, code := purexp(t, dir, "campaign", "run", "--exec", "echo 60", "--limit", "2", "--as", "robot"); code != exitOK ||
		errs != "ticket 1: A07 yield=60\nticket 2: B02 yield=60\n" {
		t.Errorf("%d, %q", code, errs)
	}
	ctx, stop := context.WithCancel(t.Context())
	stop()
	for _, how := range [][]string{{"--exec", "echo 60"}, {"--folder", "f"}} {
		var out, errs bytes.Buffer
		code := run(ctx, append([]string{"campaign", "run"}, how...), &out, &errs)
		if code != exitInterrupted || !strings.Contains(errs.String(), "interrupted after 0 measurements; repeat the command to continue\n") || out.String() != "" {
			t.Errorf("%q: %d, %q, %q", how, code, &out, &errs)
		}
	}
}

// A failing command is retried as often as --retries says, and never with 0.
func TestCampaignRunRetries(t *testing.T) {
	for retries, want := range map[string]int{"0": 1, "2": 3} {
		dir := platesAt(t)
		put(t, dir, "fails", "echo . >> log\nexit 1\n")
		_, _, _ = purexp(t, dir, "campaign", "run", "--exec", "sh fails", "--limit", "1", "--retries", retries, "--as", "robot")
		if text, err := os.ReadFile("log"); err != nil || strings.Count(string(text), ".") != want {
			t.Errorf("--retries %s: %q, %v; want %d executions", retries, text, err, want)
		}
	}
}
