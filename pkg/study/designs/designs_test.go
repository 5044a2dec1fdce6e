package designs_test

import (
	"fmt"
	"log"
	"math"
	"testing"

	"github.com/purexp/purexp/pkg/study/designs"
	"github.com/purexp/purexp/pkg/study/gege"
	"github.com/purexp/purexp/pkg/study/rage"
)

func TestDesigns(t *testing.T) {
	plane, err := rage.ManyArmsNormalInstance(12, .3, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := designs.Shares(plane); err != nil {
		t.Error(err)
	}
	if _, err := designs.MirrorDescent(plane, 1e-3); err != nil {
		t.Error(err)
	}
	sphere, err := rage.SphereInstance(30, 9, 0)
	if err != nil {
		t.Fatal(err)
	}
	// The certified solver reaches its tolerance; the value of the Frank-Wolfe design is not below the lower bound.
	table, err := designs.Certificates(sphere)
	if err != nil || len(table.Rows) != 2 {
		t.Fatalf("%v, %v", table, err)
	}
	own, other := table.Rows[0], table.Rows[1]
	if lower := own[4].(float64); lower != other[4] || own[3].(float64)/lower-1 > 1e-6 || other[3].(float64) < lower {
		t.Errorf("certified %v, Frank-Wolfe %v", own, other)
	}
	// A design cannot be rounded to fewer pulls than it has arms with positive weight. With more pulls, the increase
	// in variance is bounded.
	table, err = designs.Roundings(plane, 1, 2, 3, 30, 300)
	if err != nil {
		t.Fatal(err)
	}
	var l int
	if _, err := fmt.Sscanf(table.Title, "Rounding to whole pulls: "+plane.Name+", %d arms in use", &l); err != nil || l < 2 {
		t.Fatalf("title %q: %v", table.Title, err)
	}
	for _, row := range table.Rows {
		n := row[0].(int)
		bound := "-"
		if n > l {
			bound = fmt.Sprintf("%.3f", 1/(1-float64(l)/float64(n)))
		}
		if row[4] != bound || (row[1] == "-") != (n < l) {
			t.Errorf("%v; want the bound %s with %d arms", row, bound, l)
		}
		for _, cell := range row[1:4] {
			var ratio, most float64
			if _, err := fmt.Sscan(fmt.Sprint(cell, " ", bound), &ratio, &most); err == nil && (ratio < 1 || n == 300 && ratio > most) {
				t.Errorf("%v: %v is not between 1 and %v", row, ratio, most)
			}
		}
	}
}

// The two remaining arms share a third of the pulls; the table contains the resulting standard error.
func TestLastStage(t *testing.T) {
	a, err := designs.LastStage(gege.EnergyBudget, 10000)
	if err != nil {
		t.Fatal(err)
	}
	if len(a.Rows) != 4 {
		t.Fatalf("%d rows", len(a.Rows))
	}
	last := a.Rows[2]
	if last[1] != 2 || last[2] != 3333 || math.Abs(last[3].(float64)-.5*math.Sqrt(4./3333)) > 1e-6 {
		t.Errorf("last stage %v; want two arms, 3333 pulls, 0.5 sqrt(4/3333)", last)
	}
	if u := a.Rows[3]; u[1] != 768 || math.Abs(u[3].(float64)-.0044) > 5e-5 {
		t.Errorf("uniform: %v; want 768 arms and 0.0044", u)
	}
	for _, row := range a.Rows { // gaps in units of the standard error, chances in percent
		gap, chance := row[4].(float64), row[5].(float64)
		if want := 50 * math.Erfc(gap/math.Sqrt2); !(math.Abs(chance-want) <= 1e-9) ||
			!(math.Abs(gap*row[3].(float64)-last[4].(float64)*last[3].(float64)) <= 1e-9) {
			t.Errorf("%v; want a chance of %v %%", row, want)
		}
	}
}

// The table compares the precision of GEGE's last stage with that of uniform sampling, for the two
// arms that are hardest to distinguish.
func ExampleLastStage() {
	table, err := designs.LastStage(gege.EnergyBudget, 10000)
	if err != nil {
		log.Fatal(err)
	}
	for _, row := range table.Rows[2:] {
		fmt.Printf("%v: %v arms, standard error %.4f\n", row[0], row[1], row[3])
	}
	// Output:
	// GEGE, stage 3: 2 arms, standard error 0.0173
	// uniform, least squares: 768 arms, standard error 0.0044
}
