package explore_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/purexp/purexp/pkg/explore"
)

func TestReadMeasurements(t *testing.T) {
	const good = "\ufeffpatient, arm, safety, efficacy\n1, placebo, 1, 0.5\n2, 75 mg, 0, 1\n3, " +
		"placebo, 1, 0.25\n"
	obs, err := explore.ReadMeasurements(strings.NewReader(good), problem())
	if err != nil || fmt.Sprint(obs) != "[{{0 2} [0.75 2] []} {{2 1} [1 0] []}]" {
		t.Errorf("got %v, %v", obs, err)
	}
	for _, c := range []struct{ in, says string }{
		{"", "no header"},
		{"dose,efficacy,safety\n", `no column "arm"`},
		{"arm,efficacy\n", `no column "safety"`},
		{"arm,efficacy,safety\nplacebo,1,2\n50 mg,1,2\n",
			`row 3, column "arm": explore: unknown arm "50 mg"`},
		{"arm,efficacy,safety\nplacebo,1,high\n", `row 2, column "safety": "high"`},
		{"arm,efficacy,safety\nplacebo,NaN,1\n", `row 2, column "efficacy"`},
		{"arm,efficacy,safety\nplacebo,,1\n", `row 2, column "efficacy": ""`},
		{"arm,efficacy,safety\nplacebo,1\n", "wrong number of fields"},
		{"arm,efficacy,safety,efficacy\nplacebo,1,2,3\n",
			`columns 2 and 4 are both called "efficacy"`},
		{"arm,efficacy,safety, arm\nplacebo,1,2,3\n", `columns 1 and 4 are both called "arm"`},
		{"arm,efficacy,safety\nplacebo,\"0,5\",1\n", `row 2, column "efficacy": "0,5"`},
	} {
		if _, err := explore.ReadMeasurements(strings.NewReader(c.in), problem()); err == nil ||
			!strings.Contains(err.Error(), c.says) {
			t.Errorf("%q: error %v; want %q", c.in, err, c.says)
		}
	}
}

// Spreadsheets mark UTF-8, and quote the first name or not.
func TestReadMeasurementsMark(t *testing.T) {
	in := "\ufeff\"arm\",efficacy,safety,,\nplacebo,1,2,,\n"
	obs, err := explore.ReadMeasurements(strings.NewReader(in), problem())
	if err != nil || len(obs) != 1 {
		t.Errorf("got %v, %v", obs, err)
	}
}

// A row of each arm, 20 000 of 100 000.
func BenchmarkReadMeasurements(b *testing.B) {
	var table strings.Builder
	table.WriteString("arm,objective 0\n")
	for i := range 20_000 {
		fmt.Fprintf(&table, "arm %d,%d\n", 5*i, i)
	}
	p := &explore.Problem{Arms: 100_000, Sigma: 1, Question: anything{}}
	b.ReportAllocs()
	for b.Loop() {
		obs, err := explore.ReadMeasurements(strings.NewReader(table.String()), p)
		if err != nil || len(obs) != 20_000 {
			b.Fatal(len(obs), err)
		}
	}
}

func FuzzReadMeasurements(f *testing.F) {
	f.Add("arm,efficacy,safety\nplacebo,1,2\n")
	f.Fuzz(func(t *testing.T, in string) {
		obs, err := explore.ReadMeasurements(strings.NewReader(in), problem())
		if err != nil {
			return
		}
		for _, b := range obs {
			if b.N < 1 || b.Arm < 0 || b.Arm > 2 || len(b.Sum) != 2 {
				t.Fatalf("accepted %+v", b)
			}
		}
	})
}
