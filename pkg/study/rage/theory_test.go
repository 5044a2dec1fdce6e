package rage

import (
	"math"
	"testing"
)

// The thetas of Proposition 1 lie in d/2 planes, in each of which two arms are told apart. In a
// plane that takes (2/gap)², as y = (e_1 - z)/gap lies on the segment between two arms stretched by
// 2/gap (Elfving), and one allocation has to do so in all of them: d/2 times as much.
func TestProposition1(t *testing.T) {
	const angle = .1
	table, err := Proposition1(angle, 2, 4, 8)
	if err != nil {
		t.Fatal(err)
	}
	plane := 4 / math.Pow(1-math.Cos(angle), 2)
	for i, d := range []int{2, 4, 8} {
		row := table.Rows[i]
		psi, static := row[2].(float64), row[3].(float64)
		if want := plane * float64(d) / 2; math.Abs(static/want-1) > .01 {
			t.Errorf("d = %d: static %v; want %v", d, static, want)
		}
		// An oracle can measure the other planes as little as telling e_j from e_1 takes.
		if psi < plane*.99 || psi > plane*1.1+4*float64(d) {
			t.Errorf("d = %d: psi* %v; want a little more than %v", d, psi, plane)
		}
	}
	if _, err := Proposition1(angle, 3); err == nil {
		t.Error("no error for d = 3")
	}
}

// The bounds hold in every row, and the last row is of one direction, whose rho is 1/gauge².
func TestLemma1(t *testing.T) {
	inst, err := BenchmarkInstance(5, .1)
	if err != nil {
		t.Fatal(err)
	}
	table, err := Lemma1(inst)
	if err != nil {
		t.Fatal(err)
	}
	if len(table.Rows) != 2 {
		t.Fatalf("%d rows; want all items, and the best two", len(table.Rows))
	}
	for _, row := range table.Rows {
		lower, rho, upper := row[2].(float64), row[3].(float64), row[5].(float64)
		if !(lower <= rho*1.001 && rho <= upper*1.001) {
			t.Errorf("%v: rho is not within its bounds", row)
		}
	}
	last := table.Rows[1]
	if rho, own := last[3].(float64), last[4].(float64); math.Abs(rho/own-1) > .002 ||
		last[1] != 2 {
		t.Errorf("%v: want two items, and rho = 1/gauge²", last)
	}
}
