package mc

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/purexp/purexp/pkg/internal/jsonl"
)

// anyRow returns a row of random contents, with names that JSON writes in other letters.
func anyRow(r *rand.Rand) Row {
	word := func() string {
		return []string{"", "e-cAPE", "<hard> & \"more\"", "µ\u2028ε\\", "a\tb\x00",
			"日本"}[r.IntN(6)]
	}
	ints := func() []int {
		list := []int{}
		for range r.IntN(2000) {
			list = append(list, int(r.Int64())-r.IntN(2)*math.MaxInt)
		}
		return list
	}
	row := Row{
		Study: word(), Seed: r.Uint64(), Experiment: word(), Instance: word(), Size: r.IntN(9),
		Draw: r.IntN(3), Method: word(), Constants: word(), Delta: r.NormFloat64() * 1e-9,
		Budget: r.IntN(2), Rep: r.IntN(100), Pulls: int(r.Int64()), Rounds: r.IntN(9),
		Status: "stopped", Correct: r.IntN(2) == 0, Items: ints(), Classes: word(),
		ArmPulls: ints(), Err: word(),
	}
	for range r.IntN(4) {
		row.Measures = append(row.Measures, Value{word(), r.ExpFloat64() * 1e300})
		row.Warnings = append(row.Warnings, word())
	}
	return row
}

// Rows are decoded as package json decodes them, whatever is in them, and keep their contents when
// others are decoded after them.
func TestDecode(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var d decoder
	var want, got []Row
	line := make([]byte, 0, 1<<20)
	for range 200 {
		row := anyRow(r)
		text, err := jsonl.Encode(row)
		if err != nil {
			t.Fatal(err)
		}
		line = append(line[:0], text...) // one buffer for all lines, as Scan has
		var a, b Row
		if err := json.Unmarshal(line, &a); err != nil {
			t.Fatal(err)
		}
		if err := d.row(line[:len(line)-1], &b); err != nil {
			t.Fatalf("%v in %s", err, line)
		}
		if cap(b.Items) != len(b.Items) || cap(b.ArmPulls) != len(b.ArmPulls) {
			t.Fatal("an item that is appended would be written over other rows")
		}
		want, got = append(want, a), append(got, b)
	}
	if !reflect.DeepEqual(got, want) {
		t.Error("rows are decoded otherwise than by package json")
	}
}

// Lines whose checksum is right, but that are no rows, are errors.
func TestDecodeForged(t *testing.T) {
	var d decoder
	for _, body := range []string{
		`{"status":"stopped","pulls":1.5`, `{"status":"stopped","items":[1,"2"]`,
		`{"status":"stopped","items":{"a":1}`, `{"status":"stopped","correct":1`,
		`{"status":"stopped","seed":-1`, `{"status":"stopped","delta":1e999`,
		`{"status":"lucky"`, `{"status":"stopped","measures":[1]`, `{"status":"stopped"]`,
		`{"status":"stopped","x":{"y":[1,{"z":2}]},"pulls":true`, `{"pulls":99999999999999999999`,
	} {
		line := sealed(body)
		if err := d.row(line, &Row{}); err == nil || !strings.Contains(err.Error(), repairHint) {
			t.Errorf("%s: error %v", body, err)
		}
	}
	// What a later version may add is passed over.
	var r Row
	line := sealed(`{"status":"stopped","new":{"y":[1,{"z":2}]},"pulls":7`)
	if err := d.row(line, &r); err != nil || r.Pulls != 7 {
		t.Errorf("a new field: %v, %+v", err, r)
	}
}

// sealed returns the line of an object that lacks its last brace.
func sealed(body string) []byte {
	line, err := jsonl.Encode(json.RawMessage(body + "}"))
	if err != nil { // not JSON: what package json refuses to write
		return []byte(body)
	}
	return line[:len(line)-1]
}

// FuzzDecodeRow: what can be decoded is a row that is written and read again without a change.
func FuzzDecodeRow(f *testing.F) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 4 {
		row := anyRow(r)
		row.Items, row.ArmPulls = row.Items[:min(len(row.Items), 3)], []int{}
		text, _ := json.Marshal(row)
		f.Add(string(text))
	}
	f.Add(`{"status":"stopped","new":{"y":[1,{"z":2}]},"items":[],"armPulls":[]}`)
	f.Fuzz(func(t *testing.T, text string) {
		line, err := jsonl.Encode(json.RawMessage(text))
		if err != nil || !utf8.ValidString(text) {
			return
		}
		var d decoder
		var row, again Row
		if d.row(line[:len(line)-1], &row) != nil || row.Items == nil || row.ArmPulls == nil {
			return
		}
		line, err = jsonl.Encode(row)
		if err != nil {
			t.Fatal(err)
		}
		if err := d.row(line[:len(line)-1], &again); err != nil || !reflect.DeepEqual(row, again) {
			t.Fatalf("%v: %+v was written, %+v is read", err, row, again)
		}
	})
}
