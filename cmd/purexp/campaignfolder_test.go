package main

import (
	"bytes"
	"context"
	"strings"
	"testing"
)

// An interrupt of a run says how far it came and how to go on, by the exit code, too; one measurement is told with the names of
// its values.
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
		if code != exitInterrupted || !strings.Contains(errs.String(), "interrupted after 0 measurements; the same command goes on\n") || out.String() != "" {
			t.Errorf("%q: %d, %q, %q", how, code, &out, &errs)
		}
	}
}
