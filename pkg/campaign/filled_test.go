package campaign

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/purexp/purexp/pkg/explore"
)

// Each requested plate is full until the campaign ends: wells that the method leaves free hold replicates of undecided
// candidates. The method uses all results, and reopening does not change the campaign.
func TestFilled(t *testing.T) {
	const wells = 24
	p := coupling(t)
	p.Laboratory.Plate, p.Laboratory.Fill = wells, true
	bare := beginWith(t, coupling(t))
	full := beginWith(t, p)
	rnd := rand.New(rand.NewPCG(1, 2))
	short, asked := 0, 0
	for {
		s := status(t, full)
		tickets := ask(t, full, wells)
		if len(tickets) == 0 {
			break
		}
		if len(tickets) != wells {
			t.Fatalf("a plate of %d tickets; want %d", len(tickets), wells)
		}
		asked += wells
		// A campaign without filling receives the same results; its tickets are for the same candidates as the first
		// tickets of the filled plate.
		own := ask(t, bare, wells)
		if len(own) < wells {
			short++
		}
		n := map[string]int{}
		for i, x := range tickets {
			if i < len(own) && x.Arm != own[i].Arm {
				t.Errorf("ticket %d is for %s; the method asks for %s", x.Ticket, x.Arm, own[i].Arm)
			}
			n[x.Arm]++
		}
		for arm := range n {
			decided := s.Arms[slices.IndexFunc(s.Arms, func(a ArmStatus) bool {
				return a.Arm == arm
			})].Class != explore.Undecided
			if decided && !slices.ContainsFunc(own, func(x Ticket) bool { return x.Arm == arm }) {
				t.Errorf("a well is filled with the decided candidate %s", arm)
			}
		}
		for i, x := range tickets {
			r := measure(rnd, x)
			tell(t, full, r)
			if i < len(own) {
				r.Ticket = own[i].Ticket
			} else {
				r = Result{ID: strings.Repeat("i", 1+x.Ticket), Arm: x.Arm, Values: r.Values}
			}
			tell(t, bare, r)
		}
	}
	s := status(t, full)
	if short == 0 || s.Used+s.Unused != asked || s.Status != Finished {
		t.Errorf("%d plates were filled, %d of %d results are on record, status %s", short, s.Used+s.Unused, asked, s.Status)
	}
	verified(t, full)
	list, err := full.Events(0)
	if err != nil || !slices.ContainsFunc(list, func(e Event) bool {
		return strings.HasSuffix(e.Text, " of them to fill the plate")
	}) {
		t.Errorf("the record does not say which plates were filled: %v", err)
	}
}
