package mc

import (
	"encoding/json"
	"fmt"
	"hash/crc32"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/purexp/purexp/pkg/internal/jsonl"
)

// anyRow returns a random row, with names that contain characters that JSON escapes.
func anyRow(r *rand.Rand) Row {
	word := func() string {
		return []string{"", "e-cAPE", "<hard> & \"more\"", "µ\u2028ε\\", "a\tb\x00", "日本"}[r.IntN(6)]
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

// Rows are decoded in the same way as by package json, for any contents, and do not change when other rows are decoded
// later.
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
		line = append(line[:0], text...) // one buffer for all lines, as in Scan
		var a, b Row
		if err := json.Unmarshal(line, &a); err != nil {
			t.Fatal(err)
		}
		if err := d.row(line[:len(line)-1], &b); err != nil {
			t.Fatalf("%v in %s", err, line)
		}
		want, got = append(want, a), append(got, b)
	}
	if !reflect.DeepEqual(got, want) {
		t.Error("rows are not decoded as by package json")
	}
}

// Rows in the written format use the fast decoder, except for texts with quotes or backslashes.
func TestWritten(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	var d decoder
	var want, got []Row
	fast := 0
	for range 200 {
		row := anyRow(r)
		row.Pulls /= 100 // at most 18 digits
		for _, list := range [][]int{row.Items, row.ArmPulls} {
			for i := range list {
				list[i] /= 100
			}
		}
		for range r.IntN(2) * r.IntN(1500) { // possibly more than one array of the decoder holds
			row.Measures = append(row.Measures, Value{"x<y", float64(r.IntN(99)) * 1e-7})
		}
		text, err := jsonl.Encode(row)
		if err != nil {
			t.Fatal(err)
		}
		text = text[:len(text)-1]
		h := d.headOf(text)
		if h == nil {
			t.Fatalf("no head: %s", text)
		}
		b := h.row
		tail := text[len(h.text):]
		switch took := d.outcome(tail, &b); {
		case took:
			fast++
			want, got = append(want, row), append(got, b)
		case !strings.Contains(string(tail), `\"`) && !strings.Contains(string(tail), `\\`):
			t.Fatalf("left to package json: %.100s ... %s", tail, tail[len(tail)-100:])
		}
	}
	if fast < 20 {
		t.Errorf("the fast decoder read %d of 200 rows; want at least 20", fast)
	}
	for i := range got {
		if r := got[i]; cap(r.Measures) > len(r.Measures) || cap(r.Items) > len(r.Items) || cap(r.ArmPulls) > len(r.ArmPulls) {
			t.Fatal("an append would overwrite other rows")
		}
	}
	if !reflect.DeepEqual(got, want) {
		t.Error("the rows read differ from the rows written")
	}
}

// Lines that have a correct checksum but are not rows are rejected.
func TestDecodeForged(t *testing.T) {
	var d decoder
	for _, body := range []string{
		`{"status":"stopped","pulls":1.5`, `{"status":"stopped","items":[1,"2"]`,
		`{"status":"stopped","items":{"a":1}`, `{"status":"stopped","correct":1`,
		`{"status":"stopped","seed":-1`, `{"status":"stopped","delta":1e999`,
		`{"status":"lucky"`, `{"status":"stopped","measures":[1]`, `{"status":"stopped"]`,
		`{"status":"stopped","x":{"y":[1,{"z":2}]},"pulls":true`, `{"pulls":99999999999999999999`,
		`{"study":"s","rep":9999999999999999999,"pulls":1,"rounds":1,"status":"stopped",` +
			`"correct":true,"items":[],"classes":"","armPulls":[]`,
		`{"study":"s","rep":9,"pulls":1,"rounds":1,"status":"stopped","correct":true,"items":[],` +
			`"classes":"","armPulls":[],"measures":[{"name":"x","value":1.5.5}]`,
		`{"study":"s","rep":9,"pulls":1,"rounds":1,"status":"stopped","correct":truefalse,` +
			`"items":[],"classes":"","armPulls":[]`,
	} {
		line := sealed(body)
		if err := d.row(line, &Row{}); err == nil || !strings.Contains(err.Error(), repairHint) {
			t.Errorf("%s: error %v", body, err)
		}
	}
	// Fields of later versions are ignored.
	var r Row
	line := sealed(`{"status":"stopped","new":{"y":[1,{"z":2}]},"pulls":7`)
	if err := d.row(line, &r); err != nil || r.Pulls != 7 {
		t.Errorf("a new field: %v, %+v", err, r)
	}
}

// Fields in another order, and lists in another format, are decoded in the same way as by package json. The decoder
// stores the part before the replicate only if all rows of a cell share this part.
func TestDecodeOrder(t *testing.T) {
	var d decoder
	for _, body := range []string{
		`{"study":"s","seed":3,"method":"m","rep":1,"status":"stopped","pulls":7,"items":[1,2]`,
		`{"study":"s","seed":3,"method":"m","rep":2,"status":"stopped","armPulls":[3]`,
		`{"study":"s","seed":3,"pulls":9,"warnings":["w"],"rep":1,"status":"stopped"`,
		`{"rep":5,"study":"s","status":"stopped","seed":3`,
		`{"study":"s","new":{"a":1,"rep":8},"rep":6,"status":"stopped"`,
		`{"study":"\",\"rep\":4","rep":6,"status":"stopped"`,
		`{"study":"s","rep":7,"status":"stopped","items":[ 1, -2 ],"armPulls":[]`,
		`{"study":"s","rep":7,"status":"stopped","items":[0,-0,10,-9223372036854775808]`,
		`{"study":"s","rep":7,"status":"stopped","items":[123456789012345678,1234567890123456789]`,
	} {
		for range 2 { // the second time, the decoder reuses the stored head
			var got, want Row
			if err := d.row(checked(body), &got); err != nil {
				t.Errorf("%s: %v", body, err)
			}
			if err := json.Unmarshal([]byte(body+"}"), &want); err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(got, want) {
				t.Errorf("%s:\n%+v; want\n%+v", body, got, want)
			}
		}
	}
	// Lines in which a name occurs twice are rejected. Names that differ from a field name in letter case are ignored,
	// as unknown names are.
	for _, body := range []string{
		`{"study":"s","seed":3,"method":"m","rep":2,"status":"stopped","method":"n","draw":4`,
		`{"study":"s","warnings":["w"],"rep":1,"pulls":1,"rounds":1,"status":"stopped","correct":true,` +
			`"items":[],"classes":"","armPulls":[1],"warnings":["x"]`,
	} {
		for range 2 {
			if err := d.row(checked(body), &Row{}); err == nil {
				t.Errorf("%s: a name twice is accepted", body)
			}
		}
	}
	var other Row
	if err := d.row(checked(`{"study":"s","Seed":3,"rep":2,"status":"stopped","PULLS":4`), &other); err != nil || other.Seed != 0 || other.Pulls != 0 {
		t.Errorf("names in another case: %v, %+v", err, other)
	}
	for _, list := range []string{"[1,]", "[,1]", "[-]", "[1.5]", "[1", "[1}", "[", "[1 2]"} {
		var r Row
		err := d.row(checked(`{"study":"s","rep":7,"status":"stopped","items":`+list), &r)
		if err == nil {
			t.Errorf("%s: %+v", list, r)
		}
	}
}

// checked returns the line that consists of body, the checksum of body, and the last brace.
func checked(body string) []byte {
	return fmt.Appendf(nil, `%s,"crc":"%08x"}`, body, crc32.ChecksumIEEE([]byte(body)))
}

// sealed adds the last brace to body, and returns the object as a line with a checksum.
func sealed(body string) []byte {
	line, err := jsonl.Encode(json.RawMessage(body + "}"))
	if err != nil { // not JSON: package json cannot write it
		return []byte(body)
	}
	return line[:len(line)-1]
}

// FuzzDecodeRow checks that every decodable row is unchanged after it is written and read again.
func FuzzDecodeRow(f *testing.F) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 4 {
		row := anyRow(r)
		row.Items, row.ArmPulls = row.Items[:min(len(row.Items), 3)], []int{}
		text, _ := json.Marshal(row)
		f.Add(string(text))
	}
	f.Add(`{"status":"stopped","new":{"y":[1,{"z":2}]},"items":[],"armPulls":[]}`)
	f.Add(`{"status":"stopped","items":[],"armPulls":[],"measures":[],"warnings":[]}`)
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
		if len(row.Measures) == 0 { // empty lists are not written
			row.Measures = nil
		}
		if len(row.Warnings) == 0 {
			row.Warnings = nil
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
