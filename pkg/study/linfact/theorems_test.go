package linfact

import (
	"math"
	"testing"
)

// Setting 7 by hand: arms are half above or below the threshold, so that rounds are log2(4/.5) = 3;
// eight arms in eight dimensions, so that (21) asks for 2 * 8 * 4^r log(16 r (r + 1)/.05) pulls.
func TestTheoremsByHand(t *testing.T) {
	in, err := Synthetic.At(7, 0)
	if err != nil {
		t.Fatal(err)
	}
	alpha, beta := margins(in)
	if alpha != .5 || beta != .5 || rounds(alpha, beta) != 3 {
		t.Errorf("alpha %v, beta %v, %d rounds; want 1/2, 1/2 and 3", alpha, beta,
			rounds(alpha, beta))
	}
	want := 16*(4*math.Log(640)+16*math.Log(1920)+64*math.Log(3840)) + 3*36
	if got := enough(in, .05, 3); math.Abs(got-want) > 1e-6 {
		t.Errorf("%v pulls; want %v", got, want)
	}
	if r := rounds(math.Inf(1), .3); r != 4 {
		t.Errorf("%d rounds for beta = .3 alone; want 4", r)
	}
}

// What is measured is between what every method needs and what Theorem 4.1 allows.
func TestTheorems(t *testing.T) {
	table, err := Theorems(20, 1, 2, 3, 7, 8, 9)
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range table.Rows {
		allowed, took := row[3].(int), row[4].(int)
		least, median, most := row[5].(float64), row[6].(float64), row[7].(float64)
		if took > allowed || median < least || median > most || row[8].(float64) > 0 {
			t.Errorf("%v", row)
		}
	}
	if _, err := Theorems(1, 10); err == nil {
		t.Error("there is no setting 10")
	}
}
