package campaign_test

import (
	"math"
	"slices"
	"strconv"

	"github.com/purexp/purexp/pkg/campaign"
	"github.com/purexp/purexp/pkg/campaign/problem"
)

// An event is an accepted event of the campaign.
type event struct {
	seq     int
	kind    string
	tickets []campaign.Ticket
	rows    []campaign.Result
	arm     string
	cost    string
	undoes  int
}

// A model is a campaign as a list of events; every number is recomputed from the list each time.
type model struct {
	problem *problem.Problem
	events  []event
}

func (m *model) add(e event) { m.events = append(m.events, e) }

// stands maps the number of each event to true, or to false if a later valid event undoes the event.
func (m *model) stands() map[int]bool {
	undone, stands := map[int]bool{}, map[int]bool{}
	for i := len(m.events) - 1; i >= 0; i-- {
		e := &m.events[i]
		stands[e.seq] = !undone[e.seq]
		if e.kind == "undo" && stands[e.seq] {
			undone[e.undoes] = true
		}
	}
	return stands
}

// count contains the counts of a candidate.
type count struct {
	there, ever             bool
	values, failed, pending int
	sum                     []float64
	trials                  float64
	cost                    float64
}

// A tally contains the counts of a campaign.
type tally struct {
	arms                   map[string]*count
	state                  map[int]campaign.State
	asked, plates, pending int
	told, failed, waiting  int // reference wells: reported, failed and pending
	missing                []int
	stale                  map[int]bool // whether a signature is stale, by number of its event
	spent                  float64
}

// tally computes the counts of the campaign from its events.
func (m *model) tally() *tally {
	p := m.problem
	t := &tally{arms: map[string]*count{}, state: map[int]campaign.State{}, stale: map[int]bool{}}
	arm := func(name string) *count {
		if t.arms[name] == nil {
			t.arms[name] = &count{sum: make([]float64, len(p.Measured()))}
		}
		return t.arms[name]
	}
	for i, name := range p.Candidates.Names {
		a := arm(name)
		a.there, a.ever = true, true
		if p.Candidates.Costs != nil {
			a.cost = p.Candidates.Costs[i]
		}
	}
	tickets := map[int]campaign.Ticket{}
	stands := m.stands()
	formal := map[int]bool{}
	outdate := func() {
		for seq := range t.stale {
			t.stale[seq] = true
		}
	}
	for _, e := range m.events {
		switch e.kind {
		case "ask":
			t.plates++
			for _, x := range e.tickets {
				tickets[x.Ticket] = x
				t.state[x.Ticket] = campaign.Pending
				if !stands[e.seq] {
					t.state[x.Ticket] = campaign.Withdrawn
				}
			}
		case "undo":
			if formal[e.seq] = formal[e.undoes]; !formal[e.seq] {
				outdate()
			}
		case "sign":
			formal[e.seq] = true
			if stands[e.seq] {
				t.stale[e.seq] = false
			}
		case "join":
			a := arm(e.arm)
			a.ever = true
			if stands[e.seq] {
				a.there = true
				a.cost, _ = strconv.ParseFloat(e.cost, 64)
				outdate()
			}
		case "drop":
			if stands[e.seq] {
				arm(e.arm).there = false
				for n, x := range tickets {
					if x.Arm == e.arm && !x.Reference && t.state[n] == campaign.Pending {
						t.state[n] = campaign.Withdrawn
					}
				}
				outdate()
			}
		case "tell":
			if !stands[e.seq] {
				continue
			}
			outdate()
			for _, r := range e.rows {
				name := r.Arm
				if r.Ticket > 0 {
					name = tickets[r.Ticket].Arm
					t.state[r.Ticket] = campaign.Told
					if r.Failed {
						t.state[r.Ticket] = campaign.Failed
					}
					if tickets[r.Ticket].Reference {
						continue
					}
				}
				a := arm(name)
				if r.Failed {
					a.failed++
					continue
				}
				summed := max(r.N, 1)
				a.values += summed
				n := float64(summed)
				if p.Objectives[0].Noise.Counts != nil {
					n = float64(*p.Objectives[0].Noise.Counts)
				}
				if p.Evaluable() != "" {
					n = float64(r.Of)
					if r.Of == 0 {
						n = float64(p.Each())
					}
				}
				a.trials += n
				for j, v := range r.Values {
					a.sum[j] += v * float64(summed)
				}
			}
		}
	}
	measured, lacks := map[int]bool{}, map[int]bool{}
	for n, x := range tickets {
		switch s := t.state[n]; {
		case x.Reference && s == campaign.Told:
			t.told++
		case x.Reference && s == campaign.Failed:
			t.failed++
			lacks[x.Plate] = true
		case x.Reference && s == campaign.Pending:
			t.waiting++
			lacks[x.Plate] = true
		case !x.Reference && s == campaign.Told:
			measured[x.Plate] = true
		case !x.Reference && s == campaign.Pending:
			arm(x.Arm).pending++
		}
		if t.state[n] == campaign.Pending {
			t.pending++
		}
		if !x.Reference && t.state[n] != campaign.Withdrawn {
			t.asked++
		}
	}
	for plate := range lacks {
		if measured[plate] {
			t.missing = append(t.missing, plate)
		}
	}
	slices.Sort(t.missing)
	for _, a := range t.arms {
		t.spent += a.cost * float64(a.values+a.failed)
	}
	return t
}

// compare compares the status of the campaign with the model.
func (s *teller) compare() {
	s.t.Helper()
	st, err := s.c.Status()
	if err != nil {
		s.t.Fatal(err)
	}
	t := s.model.tally()
	bad := func(what string, got, want any) {
		s.t.Helper()
		s.t.Errorf("%s, event %d: %s %v; want %v", s.name, st.Event, what, got, want)
	}
	if st.Asked != t.asked || st.Plates != t.plates || st.Pending != t.pending {
		bad("asked, plates, pending", []int{st.Asked, st.Plates, st.Pending}, []int{t.asked, t.plates, t.pending})
	}
	if math.Abs(st.Spent-t.spent) > 1e-9 {
		bad("spent", st.Spent, t.spent)
	}
	seen, values, failed := map[string]bool{}, 0, 0
	for _, a := range st.Arms {
		seen[a.Arm] = true
		c := t.arms[a.Arm]
		if c == nil {
			bad("candidate", a.Arm, "none")
			continue
		}
		if a.Available != c.there || a.Used+a.Unused != c.values || a.Failed != c.failed || a.Pending != c.pending {
			bad(a.Arm, []any{a.Available, a.Used + a.Unused, a.Failed, a.Pending}, []any{c.there, c.values, c.failed, c.pending})
		}
		values, failed = values+a.Used+a.Unused, failed+a.Failed
		for j, i := range s.p.Measured() {
			want := math.NaN()
			if c.values > 0 {
				want = c.sum[j] / c.trials
			}
			if got := a.Estimate[i]; math.Abs(got-want) > 1e-9*(1+math.Abs(want)) || math.IsNaN(got) != math.IsNaN(want) {
				bad("estimate of "+a.Arm, got, want)
			}
			if c.values > 0 && !math.IsNaN(a.Low[i]) && !(a.Low[i] <= want+1e-9 && want-1e-9 <= a.High[i]) {
				bad("interval of "+a.Arm, []float64{a.Low[i], a.High[i]}, want)
			}
		}
	}
	for name := range t.arms {
		if !seen[name] {
			bad("candidates lack", name, "")
		}
	}
	if st.Used+st.Unused != values || st.Failed != failed {
		bad("results", []int{st.Used, st.Unused, st.Failed}, []int{values, failed})
	}
	if r := st.Reference; r != nil && (r.Told != t.told || r.Failed != t.failed || r.Pending != t.waiting || !slices.Equal(r.Missing, t.missing)) {
		bad("reference", *r, []any{t.told, t.failed, t.waiting, t.missing})
	}
	if len(st.Signatures) != len(t.stale) {
		bad("signatures", st.Signatures, t.stale)
	}
	for _, g := range st.Signatures {
		if stale, ok := t.stale[g.Event]; !ok || stale != g.Stale {
			bad("signature", g, stale)
		}
	}
	list, err := s.c.Tickets()
	if err != nil {
		s.t.Fatal(err)
	}
	for _, x := range list {
		if t.state[x.Ticket] != x.State {
			bad("ticket", x, t.state[x.Ticket])
		}
	}
	if len(list) != len(t.state) {
		bad("tickets", len(list), len(t.state))
	}
}
