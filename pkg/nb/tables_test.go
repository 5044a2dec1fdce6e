package nb

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/go-gota/gota/dataframe"

	"github.com/purexp/purexp/pkg/dataset"
	"github.com/purexp/purexp/pkg/policy"
)

// Objectives without axes have the names that the problem gives them.
func TestAnswerFrame(t *testing.T) {
	rates := Pareto(Bernoulli(arms(), "design", "speed", "yield"))
	r := RunFor(rates, &policy.APE{Delta: .1}, 1, 300)
	df := AnswerFrame(rates, r)
	for i := range df.Nrow() {
		if got, want := df.Col("yield").Elem(i).Float(), r.Sums.Total[i][1]/float64(r.Sums.N[i]); math.Abs(got-want) > 1e-4 {
			t.Errorf("yield of arm %d: %v; want %v, as measured", i, got, want)
		}
	}
}

// compounds returns compounds with activity 1, plus 2 for Cl, plus 3 for Me. The compound with both Cl and Me is
// missing.
func compounds() Frame {
	return dataframe.ReadCSV(strings.NewReader("R1,R2,activity\nH,H,1\nCl,H,3\nH,Me,4\n"))
}

// The best activity is 6. With Within = 0.4, the parts of a compound may lose at most 0.4 × 6 = 2.4 in total. The
// compound (Cl, Me) loses 0, the compound (H, Me) loses 2, and H at R2 alone loses 3.
func TestParts(t *testing.T) {
	f := Must(dataset.FitFreeWilson(compounds(), "activity", "R1", "R2"))
	f.Within = .4
	r := Run(Must(f.Instance()), &policy.BettingAllEpsilon{Delta: .1}, 1)
	const want = "2 of 4 combinations are in the answer: the losses of their parts add up to at most 2.4 "
	if got := Must(partsTable(f, r)); fmt.Sprint(got.Title, " ", got.Rows) != want+"[[R1 H 2 true] [R1 Cl 0 true] [R2 H 3 false] [R2 Me 0 true]]" {
		t.Errorf("%q, %v", got.Title, got.Rows)
	}
	// Here, the first substituent at each site is the best. Me loses 3, which is more than 2.4.
	falling := Must(dataset.FitFreeWilson(dataframe.ReadCSV(strings.NewReader("R1,R2,activity\nH,H,6\nCl,H,4\nH,Me,3\n")), "activity", "R1", "R2"))
	falling.Within = .4
	if got := Must(partsTable(falling, Run(Must(falling.Instance()), &policy.BettingAllEpsilon{Delta: .1}, 1))); fmt.Sprint(got.Rows) != "[[R1 H 0 true] [R1 Cl 2 true] [R2 H 0 true] [R2 Me 3 false]]" {
		t.Errorf("%v", got.Rows)
	}
	r.Answer.Items = []int{4}
	if _, err := partsTable(f, r); err == nil {
		t.Error("an unknown item is accepted")
	}
}
