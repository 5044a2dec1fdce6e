package campaign

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"testing"

	"github.com/purexp/purexp/pkg/campaign/internal/events"
)

// Every accepted sheet has valid results: valid tickets, and either finite values of all objectives or a failure.
func FuzzSheet(f *testing.F) {
	p := coupling(f)
	for _, s := range []string{
		"plate,ticket,candidate,yield,impurity,note\n1,1.0,A07,71.3 %,1,\n" + "1,2,B02,failed,,spilled\n",
		"ticket;yield [%];impurity\n\"1,0\";71.3;1e-3\n2;NA;NaN\n",
		"\ufeffCandidate\tid\tyield\timpurity\né\tx\t1\t2\n'=1+1\ty\t-1\t2\n",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		results, _, err := readSheet("", "", "x", data, p, "")
		if err != nil {
			if err.Error() == "" || results != nil {
				t.Fatal("an error without a message, or with results")
			}
			return
		}
		for _, r := range results {
			if r.Ticket < 0 || r.Plate < 0 || r.Failed == (len(r.Values) == 2) {
				t.Fatalf("%+v", r)
			}
			for _, v := range r.Values {
				if math.IsNaN(v) || math.IsInf(v, 0) {
					t.Fatalf("%+v", r)
				}
			}
		}
	})
}

// Export writes a parsed record so that it can be parsed again, with the same number of events and the same hash.
func FuzzParseExport(f *testing.F) {
	f.Add(record(f, `{"problem":1}`, `{"rows":[]}`))
	f.Add([]byte(`{"format":"purexp campaign","version":1,"events":0,"hash":""}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		list, err := parseExport(data)
		if err != nil {
			return
		}
		var again bytes.Buffer
		must(t, export(&again, exportFormat, list))
		other, err := parseExport(again.Bytes())
		if err != nil || len(other) != len(list) || other[len(list)-1].Hash != list[len(list)-1].Hash {
			t.Fatalf("written again: %v", err)
		}
	})
}

// record writes a record of events with the given bodies.
func record(t testing.TB, bodies ...string) []byte {
	t.Helper()
	var list []*events.Event
	var out bytes.Buffer
	for i, b := range bodies {
		e := &events.Event{Seq: i + 1, At: "2026-01-02T03:04:05.000006Z", Who: "Ada", What: KindTell, Body: json.RawMessage(b)}
		e.Seal(list)
		list = append(list, e)
	}
	must(t, export(&out, exportFormat, list))
	return out.Bytes()
}

// For arbitrary event bodies, replay returns a ledger or an error, and never panics. The two bytes
// before each body are the kind of the event and whether the event was undone.
func FuzzLedger(f *testing.F) {
	p := coupling(f)
	p.Laboratory.Plate, p.Laboratory.Reference = 8, "B02"
	problem, err := json.Marshal(problemBody{ID: "x", Program: "y", Problem: p.Encode()})
	if err != nil {
		f.Fatal(err)
	}
	begun := &events.Event{Seq: 1, Who: "Ada", What: KindProblem, Body: problem}
	f.Add([]byte("a{\"plate\":1,\"first\":1,\"room\":2,\"arms\":[\"A07\",\"B02\"]}\n" +
		"t{\"rows\":[{\"ticket\":1,\"arm\":\"A07\",\"values\":[1,2]},{\"id\":\"i\",\"arm\":" +
		"\"B02\",\"failed\":true}]}\nd{\"arm\":\"C11\"}\n" +
		"j{\"candidate\":{\"name\":\"D\"}}\nu{\"event\":3}"))
	f.Add([]byte("a{\"plate\":1,\"first\":1,\"room\":2,\"arms\":[\"A07\"],\"reference\":{\"name\":" +
		"\"B02\",\"wells\":1}}\nt{\"rows\":[],\"references\":[{\"ticket\":2,\"arm\":\"B02\",\"values\":" +
		"[1,2]}]}\nu{\"event\":3}"))
	kinds := map[byte]string{'a': KindAsk, 't': KindTell, 'd': KindDrop, 'j': KindJoin, 'u': KindUndo}
	f.Fuzz(func(t *testing.T, data []byte) {
		list := []*events.Event{begun}
		for line := range bytes.SplitSeq(data, []byte("\n")) {
			if len(line) > 0 && len(list) < 20 {
				list = append(list, &events.Event{Seq: len(list) + 1, Who: "Ada", What: kinds[line[0]], Body: line[1:]})
			}
		}
		l, by, err := replay(list)
		if err != nil {
			return
		}
		for i := range l.tickets {
			if (l.tickets[i].State == Told || l.tickets[i].State == Failed) != (l.told[i] != nil) {
				t.Fatalf("ticket %+v was told %v", l.tickets[i], l.told[i])
			}
		}
		for seq, u := range by {
			if u <= seq {
				t.Fatalf("event %d is undone by %d", seq, u)
			}
		}
	})
}

// Fill converts typed values, given by name, to a valid result, or returns an error that names the field.
func FuzzFill(f *testing.F) {
	p := coupling(f)
	f.Add("yield", "71.2 %", "impurity", "1e-3")
	f.Add("yield", "71,2", "cost", "nan")
	f.Fuzz(func(t *testing.T, a, x, b, y string) {
		var r Result
		err := r.Fill(p, map[string]string{a: x, b: y})
		values := r.Values
		if err != nil {
			var all InputErrors
			if values != nil || !errors.As(err, &all) {
				t.Fatalf("%v, %v", values, err)
			}
			return
		}
		for _, v := range values {
			if len(values) != 2 || math.IsNaN(v) || math.IsInf(v, 0) {
				t.Fatalf("%v", values)
			}
		}
	})
}

// Numbers with missing entries do not change when they are written and read again.
func FuzzNumbers(f *testing.F) {
	f.Add([]byte(`[1,null,-2.5e300]`))
	f.Fuzz(func(t *testing.T, text []byte) {
		var n, again Numbers
		if json.Unmarshal(text, &n) != nil {
			return
		}
		written, err := json.Marshal(n)
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(written, &again); err != nil || len(again) != len(n) {
			t.Fatalf("%v: %v, %v", n, again, err)
		}
		var list []*float64
		must(t, json.Unmarshal(text, &list))
		for i := range n {
			if list[i] != nil && n[i] != *list[i] {
				t.Fatalf("%v of %s", n[i], text)
			}
			if again[i] != n[i] && !(math.IsNaN(n[i]) && math.IsNaN(again[i])) {
				t.Fatalf("%v is %v", n[i], again[i])
			}
		}
	})
}
