package dataset

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/go-gota/gota/dataframe"

	"github.com/purexp/purexp/pkg/question"
)

func compoundsOf(csv string) dataframe.DataFrame { return dataframe.ReadCSV(strings.NewReader(csv)) }

// Three measured compounds determine the mean of the fourth compound: 1 + 2 + 3 = 6.
func ExampleFitFreeWilson() {
	df := compoundsOf("R1,R2,activity\nH,H,1\nCl,H,3\nH,Me,4\n")
	f, err := FitFreeWilson(df, "activity", "R1", "R2")
	f.Within = 0.1 // question: all compounds within 10 % of the best
	inst, err2 := f.Instance()
	fmt.Printf("%.0f, %v: %.0f, %v %v\n", f.Base, f.Sites[0].Substituents, f.Sites[0].Contributions[1], err, err2)
	fmt.Printf("%s %.0f: %v\n", inst.Problem.Arm(3), inst.Truth().At(3, 0), inst.Problem.Question)
	// Output:
	// 1, [H Cl]: 2, <nil> <nil>
	// Cl Me 6: all items within 10 % of the best
}

func TestFitFreeWilson(t *testing.T) {
	// The mean of a compound is 10, plus 4 for Cl, minus 2 for Me. Each of four compounds has two measurements, one 1
	// above and one 1 below its mean. With 8 rows and 3 fitted parameters, the residual sum of squares is 8, with 5
	// degrees of freedom.
	var b strings.Builder
	b.WriteString("R1,R2,activity\n")
	for _, c := range []struct {
		r1, r2 string
		mu     float64
	}{{"H", "H", 10}, {"Cl", "H", 14}, {"H", "Me", 8}, {"Cl", "Me", 12}} {
		fmt.Fprintf(&b, "%s,%s,%v\n%s,%s,%v\n", c.r1, c.r2, c.mu+1, c.r1, c.r2, c.mu-1)
	}
	f, err := FitFreeWilson(compoundsOf(b.String()), "activity", "R1", "R2")
	if err != nil {
		t.Fatal(err)
	}
	for name, x := range map[string][2]float64{"base": {f.Base, 10}, "Cl": {f.Sites[0].Contributions[1], 4},
		"Me": {f.Sites[1].Contributions[1], -2}, "sigma": {f.Sigma, math.Sqrt(8. / 5)}} {
		if math.Abs(x[0]-x[1]) > 1e-12 {
			t.Errorf("%s is %v; want %v", name, x[0], x[1])
		}
	}
	f.Within = .1
	inst, err := f.Instance()
	if err != nil {
		t.Fatal(err)
	}
	if q := inst.Problem.Question.(question.AllEpsilonBest); !q.Multiplicative || q.Epsilon != .1 {
		t.Errorf("%#v", q)
	}
	for csv, want := range map[string]string{
		"R1,R2,activity\nH,H,1\nCl,Me,3\n":       "2 rows determine only 2 of 3 contributions",
		"R1,R2,activity\nH,H,1\nCl,H,\nH,Me,4\n": "row 2, column \"activity\"",
		"R1,activity\nH,1\n":                     "no column \"R2\"",
	} {
		if _, err := FitFreeWilson(compoundsOf(csv), "activity", "R1", "R2"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v; want %q", err, want)
		}
	}
	// If one of four activities differs by 1 from the sum of its contributions, each residual is 1/4, and one
	// degree of freedom is left. If all sums are exact, or no degree of freedom is left, Sigma is 0.
	for csv, want := range map[string]float64{"H,H,1\nCl,H,3\nH,Me,4\nCl,Me,7\n": .5, "H,H,1\nCl,H,3\nH,Me,4\nCl,Me,6\n": 0, "H,H,1\nCl,H,3\nH,Me,4\n": 0,
		"H,H,1e6\nCl,H,3e6\nH,Me,4000000.1\nCl,Me,6000000.1\nCl,Me,6000000.1\n": 0} {
		f, err := FitFreeWilson(compoundsOf("R1,R2,activity\n"+csv), "activity", "R1", "R2")
		if err != nil || !(math.Abs(f.Sigma-want) <= 1e-12) || want == 0 && f.Sigma != 0 {
			t.Errorf("%q: sigma %v, %v; want %v", csv, f.Sigma, err, want)
		}
	}
	if _, err := FitFreeWilson(compoundsOf("R1,activity\nH,1\n"), "activity"); err == nil {
		t.Error("no sites")
	}
	for _, sites := range [][]string{{"activity"}, {"R1", "activity"}} {
		if _, err := FitFreeWilson(compoundsOf("R1,activity\nH,1\n"), "activity", sites...); err == nil ||
			!strings.Contains(err.Error(), `column "activity" is both the efficacy and a site; remove it from the sites`) {
			t.Errorf("sites %q: %v", sites, err)
		}
	}
}
