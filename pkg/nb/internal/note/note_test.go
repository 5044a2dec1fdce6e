package note

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/purexp/purexp/pkg/mc"
)

// rows returns n that differ in each field.
func rows(n int) []mc.Row {
	all := make([]mc.Row, n)
	for i := range all {
		r := &all[i]
		*r = mc.Row{
			Study: "study", Seed: math.MaxUint64 - uint64(i), Experiment: "study/one",
			Instance: fmt.Sprint("x", i%3), Size: i, Draw: i % 2, Method: "method",
			Constants: "theory", Delta: 1 / float64(i+3), Budget: 1 << 40, Rep: i, Pulls: 1e15 + i,
			Rounds: -i, Status: "stopped", Correct: i%2 == 1, Items: []int{}, Classes: "ODI",
			ArmPulls: []int{i, 63, 64, -64, -65, math.MaxInt, math.MinInt},
			Measures: []mc.Value{{Name: "F1", Value: float64(i) / 3}, {Name: "none",
				Value: math.Inf(1)}},
			Warnings: []string{"a", "b"}, Err: fmt.Sprint("error ", i),
		}
		if i%5 == 0 {
			r.Items, r.ArmPulls, r.Measures, r.Warnings, r.Err = nil, nil, nil, []string{}, ""
		}
	}
	return all
}

type head struct{ Of string }

// Rows are what they were, in every field that there is.
func TestRoundTrip(t *testing.T) {
	path := filepath.Join(t.TempDir(), "rows")
	want := rows(40)
	for i := range reflect.TypeFor[mc.Row]().NumField() {
		if reflect.ValueOf(want[1]).Field(i).IsZero() {
			t.Errorf("field %s is not tested", reflect.TypeFor[mc.Row]().Field(i).Name)
		}
	}
	if err := Write(path, head{"mine"}, want); err != nil {
		t.Fatal(err)
	}
	var h head
	got, err := Read(path, &h)
	if err != nil || h.Of != "mine" || !reflect.DeepEqual(got, want) {
		t.Errorf("%v, %v: other rows", err, h)
	}
	if files, _ := os.ReadDir(filepath.Dir(path)); len(files) != 1 {
		t.Errorf("files %v", files)
	}
}

// A file that was cut off, or changed, is an error or other rows, and no panic.
func TestDamaged(t *testing.T) {
	path := filepath.Join(t.TempDir(), "rows")
	if err := Write(path, head{}, rows(6)); err != nil {
		t.Fatal(err)
	}
	whole, _ := os.ReadFile(path)
	var h head
	for n := range whole {
		if _, err := decode(whole[:n], &h); err == nil {
			t.Errorf("the first %d of %d bytes are a note", n, len(whole))
		}
		for _, b := range []byte{0, 0xff, whole[n] ^ 0x80} {
			other := append([]byte(nil), whole...)
			other[n] = b
			decode(other, &h)
		}
	}
	if _, err := Read(filepath.Join(t.TempDir(), "nothing"), &h); !os.IsNotExist(err) {
		t.Errorf("no file: %v", err)
	}
}

// Reading the rows of an experiment takes the time that a cell of a notebook waits for them.
func BenchmarkRead(b *testing.B) {
	b.Run("rows", func(b *testing.B) { read(b, rows(10000)) })
	many := rows(100)
	for i := range many {
		many[i].ArmPulls = make([]int, 10000)
		for j := range many[i].ArmPulls {
			many[i].ArmPulls[j] = j % 300
		}
	}
	b.Run("rows of many arms", func(b *testing.B) { read(b, many) })
}

func read(b *testing.B, rows []mc.Row) {
	path := filepath.Join(b.TempDir(), "rows")
	if err := Write(path, head{}, rows); err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		var h head
		if _, err := Read(path, &h); err != nil {
			b.Fatal(err)
		}
	}
}
