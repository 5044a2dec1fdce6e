package main

import (
	"strings"
	"testing"

	"github.com/purexp/purexp/pkg/campaign"
)

// The message names each person once, with a ticket that can be given up.
func TestWaitingFor(t *testing.T) {
	list := []campaign.Ticket{{Ticket: 17, Plate: 3, Who: "robot-2"}, {Ticket: 18, Plate: 3, Who: "ada"}, {Ticket: 19, Plate: 4, Who: "robot-2"}}
	for n, want := range map[int]string{1: "waiting for 1 measurement of robot-2:", 3: "waiting for 3 measurements of ada, robot-2:"} {
		got := waitingFor(list[:n])
		if !strings.HasPrefix(got, want) || !strings.Contains(got, "tell --ticket 17 --failed'") {
			t.Errorf("%q; want %q, and ticket 17", got, want)
		}
	}
}
