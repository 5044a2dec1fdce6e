package campaign

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// forged changes the record of c, recomputes all hashes as a knowledgeable forger would, and imports the result.
func forged(t *testing.T, c *Campaign, old, new string) (string, error) {
	t.Helper()
	var text bytes.Buffer
	must(t, c.Export(&text))
	list, err := parseExport(text.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	changed := false
	for i, e := range list {
		if strings.Contains(string(e.Body), old) {
			e.Body = json.RawMessage(strings.Replace(string(e.Body), old, new, 1))
			changed = true
		}
		e.Seal(list[:i])
	}
	if !changed {
		t.Fatalf("no event has %s", old)
	}
	text.Reset()
	must(t, export(&text, exportFormat, list))
	path := filepath.Join(t.TempDir(), "forged")
	again, err := Import(path, &text)
	if err != nil {
		return path, err
	}
	return path, again.Close()
}

// A rewritten history has a different hash, and Verify notes requests that the method would not have made. Import
// rejects a history that contradicts itself.
func TestForged(t *testing.T) {
	c := begin(t)
	rnd := rand.New(rand.NewPCG(1, 1))
	var arms []string
	for _, x := range ask(t, c, 4) {
		arms = append(arms, x.Arm)
		tell(t, c, measure(rnd, x))
	}
	before := status(t, c).Hash
	swapped := slices.Clone(arms)
	swapped[0], swapped[1] = swapped[1], swapped[0]
	asked := func(arms []string) string { return `"arms":["` + strings.Join(arms, `","`) + `"]` }
	was, is := asked(arms), asked(swapped)
	if _, err := forged(t, c, was, is); !errors.Is(err, ErrDamaged) || !strings.Contains(err.Error(), "ticket 1 is not for") {
		t.Errorf("results of other candidates: %v", err)
	}
	fresh := begin(t)
	ask(t, fresh, 4)
	path, err := forged(t, fresh, was, is)
	if err != nil {
		t.Fatal(err)
	}
	v, err := Verify(context.Background(), path)
	if err != nil || !v.OK() || len(v.Notes) != 1 ||
		v.Notes[0] != "event 2: the method now chooses different candidates" || v.Hash == before {
		t.Errorf("%+v, %v", v, err)
	}
	// If many requests differ from those of the method, Verify names three events and counts the rest.
	many := begin(t)
	for range 5 {
		ask(t, many, 1)
	}
	tickets, err := many.Tickets(Pending)
	if err != nil {
		t.Fatal(err)
	}
	path = ""
	for _, x := range tickets[:4] {
		from := many
		if path != "" {
			if from, err = Open(path); err != nil {
				t.Fatal(err)
			}
			defer from.Close()
		}
		other := "C11"
		if x.Arm == other {
			other = "A07"
		}
		if path, err = forged(t, from, fmt.Sprintf(`"first":%d,"room":1,"arms":["%s"]`, x.Ticket, x.Arm),
			fmt.Sprintf(`"first":%d,"room":1,"arms":["%s"]`, x.Ticket, other)); err != nil {
			t.Fatal(err)
		}
	}
	v, err = Verify(context.Background(), path)
	if err != nil || len(v.Notes) != 4 || !strings.HasPrefix(v.Notes[2], "event ") || v.Notes[3] != "2 more events, in which the method now chooses different candidates" {
		t.Errorf("%q, %v", v.Notes, err)
	}
}

// The width of an interval is proportional to the noise of the objective. Intervals contain only possible
// values, and are equally wide for equal numbers of measurements.
func TestIntervals(t *testing.T) {
	c := begin(t)
	tell(t, c, Result{ID: "1", Arm: "A07", Values: []float64{50, 2}},
		Result{ID: "2", Arm: "B02", Values: []float64{52, 3}},
		Result{ID: "3", Arm: "C11", Values: []float64{99, 3}})
	s := status(t, c)
	half := func(arm, objective int) float64 {
		a := s.Arms[arm]
		return (a.High[objective] - a.Low[objective]) / 2
	}
	for i := range 2 {
		if a := s.Arms[i]; math.Abs(a.Estimate[0]-a.Low[0]-half(i, 0)) > 1e-9 || half(i, 0) < 6 ||
			math.Abs(half(i, 0)/3-half(i, 1)/.5) > 1e-9 || math.Abs(half(i, 0)-half(0, 0)) > 1e-9 {
			t.Errorf("%+v", a)
		}
	}
	if a := s.Arms[2]; a.High[0] != 100 || math.Abs(99-a.Low[0]-half(0, 0)) > 1e-9 {
		t.Errorf("%+v; want an end at 100", a)
	}
	if a := s.Arms[3]; !math.IsNaN(a.Estimate[0]) || !math.IsNaN(a.Low[0]) {
		t.Errorf("%+v was not measured", a)
	}
}

// Import rejects a record in which an event undoes itself, a later event, or the first event, which begins the
// campaign.
func TestForgedUndo(t *testing.T) {
	for _, event := range []string{"1", "0", "-1", "4", "5"} {
		c := begin(t)
		ask(t, c, 2)
		must(t, c.Drop(ask(t, c, 1)[0].Arm, "", "Ada"))
		if err := c.Undo(4, "", "Ada"); err != nil { // undo the drop; the undo is event 5
			t.Fatal(err)
		}
		_, err := forged(t, c, `"event":4`, `"event":`+event)
		if ok := event == "4"; ok != (err == nil) || !ok && (!errors.Is(err, ErrDamaged) || !strings.Contains(err.Error(), "event 5 undoes event "+event+",")) {
			t.Errorf("event 5 undoes event %s: %v", event, err)
		}
	}
}

// Import rejects a record whose first line belongs to another history, even one with the same number of events.
func TestImportOtherHash(t *testing.T) {
	var texts [2]bytes.Buffer
	for i := range texts {
		c := begin(t)
		ask(t, c, 1+i)
		must(t, c.Export(&texts[i]))
	}
	head, _, _ := strings.Cut(texts[0].String(), "\n")
	_, events, _ := strings.Cut(texts[1].String(), "\n")
	_, err := Import(filepath.Join(t.TempDir(), "mixed"), strings.NewReader(head+"\n"+events))
	if !errors.Is(err, ErrDamaged) {
		t.Errorf("two events under the head of two others: %v", err)
	}
}
