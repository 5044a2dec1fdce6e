package campaign

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// stated returns the statement of the certificate of c as it is now.
func stated(t *testing.T, c *Campaign) (s statement) {
	t.Helper()
	for line := range strings.Lines(certificate(t, c)) {
		if strings.HasPrefix(line, `{"part":"statement"`) {
			if err := json.Unmarshal([]byte(line), &s); err != nil {
				t.Fatal(err)
			}
			return s
		}
	}
	t.Fatal("no statement")
	return s
}

// A certificate counts the results of a round once the round is complete, and as many as were told
// of those that were asked for; one that failed is asked for again, in the same round. Leaders are those of the next round, if
// that is the case or complete.
func TestCertificateRounds(t *testing.T) {
	for _, name := range []string{"betting", "betting on tolerances"} {
		c := certify(t, certifieds[name], 0)
		var want []int
		for round := range 4 {
			tickets := ask(t, c, 100) // the whole round
			if len(tickets) < 2 {
				t.Fatalf("%s: round %d has %d measurements; want a few", name, round+1, len(tickets))
			}
			results := make([]Result, len(tickets))
			for i, k := range tickets {
				results[i] = Result{Ticket: k.Ticket, Values: []float64{20 / float64(1+k.Arm[0])}}
			}
			tell(t, c, append(results[1:], Result{Arm: tickets[0].Arm, ID: fmt.Sprint("extra ", round),
				Values: []float64{9}})...)
			if s := stated(t, c); !slices.Equal(s.Rounds, want) || s.Used != sum(want)+len(results)-1 {
				t.Errorf("%s: one of round %d is missing: rounds %v; want %v; %d used", name, round+1,
					s.Rounds, want, s.Used)
			}
			tell(t, c, Result{Ticket: tickets[0].Ticket, Failed: true})
			again := ask(t, c, 100)
			if len(again) != 1 {
				t.Fatalf("%s: %d are asked for after one failed", name, len(again))
			}
			results[0].Ticket = again[0].Ticket
			tell(t, c, results[0])
			want = append(want, len(results))
			if s := stated(t, c); !slices.Equal(s.Rounds, want) || len(s.Leaders) != len(want) {
				t.Errorf("%s: round %d is complete: rounds %v; want %v; %d leaders", name, round+1,
					s.Rounds, want, len(s.Leaders))
			}
		}
	}
}

func sum(list []int) (s int) {
	for _, n := range list {
		s += n
	}
	return s
}
