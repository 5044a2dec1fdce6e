package plan

import (
	"math"
	"testing"
)

// What a pilot of counts says of rates: one of ten and three of ten are 0.2, known up to the standard deviation
// of a result by the number of trials and the root of the number of results.
func TestBeliefFromCounts(t *testing.T) {
	p := parsed(t, `find = "best"`, "", "noise = { counts = 10 }\n[pilot]\nfile = \"pilot.csv\"", "candidate\nA\nB\nC\n")
	b, err := believe(p) // A 1 and 3, B 5 and 9, C 4
	if err != nil {
		t.Fatal(err)
	}
	sd := math.Sqrt((2. + 8.) / 2) // pooled, of results
	for i, want := range [][2]float64{{.2, sd / 10 / math.Sqrt2}, {.7, sd / 10 / math.Sqrt2}, {.4, sd / 10}} {
		if got := [2]float64{b.mean.At(i, 0), b.se.At(i, 0)}; math.Abs(got[0]-want[0]) > 1e-12 || math.Abs(got[1]-want[1]) > 1e-12 {
			t.Errorf("candidate %d: %v; want %v", i, got, want)
		}
	}
}

// A pilot without replicates says nothing of the noise: means are as uncertain as the declared standard deviation says.
func TestBeliefWithoutReplicates(t *testing.T) {
	p := parsed(t, `find = "best"`, "", "noise = { sd = 2 }\n[pilot]\nfile = \"pilot.csv\"", "candidate\nA\nB\nC\n")
	p.Pilot.N, p.Pilot.SD, p.Pilot.DF = [][]int{{1, 1, 4}}, []float64{0}, []int{0}
	b, err := believe(p)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []float64{2, 2, 1} {
		if got := b.se.At(i, 0); math.Abs(got-want) > 1e-12 {
			t.Errorf("candidate %d: %v; want %v", i, got, want)
		}
	}
}
