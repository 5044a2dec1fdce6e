package tidy_test

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/purexp/purexp/pkg/mc"
	"github.com/purexp/purexp/pkg/tidy"
)

func ExampleRate() {
	s := tidy.Rate(0, 500, 0.95)
	fmt.Println(tidy.Percent(s), "at 97.5 %")
	fmt.Println(tidy.Percent(tidy.Rate(10, 500, 0.95)))
	// Output:
	// < 0.74 % at 97.5 %
	// 2 % [0.96, 3.7]
}

func ExampleMedian() {
	pulls := []float64{12040, 11870, 13950, 12310, 12690, 12900, 11500, 13020, 12480, 12200}
	s := tidy.Median(pulls, 0.95)
	fmt.Printf("%v at %.2f %%\n", s, 100*s.Confidence)

	s = tidy.Median(pulls[:4], 0.95)
	fmt.Println(s, s.Warnings)
	// Output:
	// 12 395 [11 800, 13 100] at 97.85 %
	// 12 175 [unbounded] [tidy: need >= 6 samples for an interval at level 0.95]
}

func ExampleQuantile() {
	pulls := make([]float64, 100)
	for i := range pulls {
		pulls[i] = float64(1000 + 10*i)
	}
	fmt.Println(tidy.Quantile(pulls, 0.9, 0.95))
	// Output: 1 891 [1 830, 1 950]
}

func ExampleMean() {
	var pulls []float64
	for i := range 50 {
		pulls = append(pulls, float64(1000+i*i))
	}
	fmt.Println(tidy.Mean(pulls, 0.95))
	// Output: 1 808 [1 620, 2 030]
}

func ExampleRatioOfMeans() {
	a, b := make([]float64, 40), make([]float64, 40)
	for i := range a {
		b[i] = float64(1000 + 37*i)
		a[i] = 2*b[i] + float64(i%7)
	}
	fmt.Println(tidy.RatioOfMeans(a, b, true, 0.95))
	fmt.Println(tidy.RatioOfMeans(a, b, false, 0.95))
	// Output:
	// 2 [2, 2.01]
	// 2 [1.79, 2.24]
}

func ExampleRatioOfMedians() {
	a, b := make([]float64, 40), make([]float64, 40)
	for i := range a {
		b[i] = float64(1000 + 37*i)
		a[i] = 3 * b[i]
	}
	fmt.Println(tidy.RatioOfMedians(a, b, true, 0.95))
	// Output: 3 [3, 3]
}

func ExampleGroupBy() {
	rows := []mc.Row{{Method: "b", Pulls: 5}, {Method: "a", Pulls: 3}, {Method: "b", Pulls: 7}}
	for _, g := range tidy.GroupBy(rows, func(r mc.Row) string { return r.Method }) {
		fmt.Println(g.Key, len(g.Rows))
	}
	// Output:
	// b 2
	// a 1
}

func ExampleVaries() {
	rows := []mc.Row{{Method: "a", Delta: 0.1}, {Method: "a", Delta: 0.01},
		{Method: "a", Delta: 0.1}}
	fmt.Println(tidy.Varies(rows, tidy.Settings...))
	// Output: [tidy: rows differ in delta: 0.1 (2), 0.01 (1); group by it, or select one]
}

func ExampleTable() {
	t := tidy.Table{
		Columns: []tidy.Column{{Name: "dose", Unit: "mg"}, {Name: "mean response"},
			{Name: "verdict"}},
		Rows: [][]any{
			{75, 0.4567, "dominated"},
			{150, 0.6123, "optimal"},
		},
	}
	fmt.Print(t.Text())
	fmt.Println()
	fmt.Print(t.Markdown())
	fmt.Println()
	fmt.Print(t.CSV())
	// Output:
	// dose (mg)  mean response  verdict
	// ---------  -------------  ---------
	//        75          0.457  dominated
	//       150          0.612  optimal
	//
	// | dose (mg) | mean response | verdict |
	// | ---: | ---: | :--- |
	// | 75 | 0.457 | dominated |
	// | 150 | 0.612 | optimal |
	//
	// dose (mg),mean response,verdict
	// 75,0.4567,dominated
	// 150,0.6123,optimal
}

func ExampleColumns() {
	t := &tidy.Table{Columns: tidy.Columns("arm", "mean [%]"), Rows: [][]any{{"A07", 71.5}}}
	fmt.Print(t.Text())
	// Output:
	// arm  mean (%)
	// ---  --------
	// A07      71.5
}

func ExampleSampleComplexity() {
	var rows []mc.Row
	for i := range 500 {
		rows = append(rows,
			mc.Row{Instance: "easy", Method: "e-cAPE", Delta: 0.1, Rep: i, Pulls: 800 + (i*i)%97,
				Status: "stopped", Correct: true},
			mc.Row{Instance: "easy", Method: "uniform", Delta: 0.1, Rep: i, Pulls: 4000 + (i*i)%977,
				Status: "stopped", Correct: i%100 > 0})
	}
	fmt.Print(tidy.ComplexityTable(tidy.SampleComplexity(rows, 0.95)))
	// Output:
	// Sample complexity
	//
	// instance  method   replicates          median pulls            mean pulls  errors       error rate
	// --------  -------  ----------  --------------------  --------------------  ------  ---------------
	// easy      e-cAPE          500        848 [844, 850]        847 [844, 851]       0         < 0.74 %
	// easy      uniform         500  4 496 [4 450, 4 540]  4 494 [4 470, 4 520]       5  1 % [0.32, 2.4]
	//
	// Delta: 0.1.
	//
	// Intervals at 95 %: median by order statistics, mean by bootstrap, error rate by Clopper and Pearson.
}

func ExamplePullsRatio() {
	var a, b []mc.Row
	for i := range 30 {
		a = append(a, mc.Row{Method: "uniform", Rep: i, Pulls: 4000 + 97*i, Status: "stopped"})
		b = append(b, mc.Row{Method: "e-cAPE", Rep: i, Pulls: 1000 + 23*i, Status: "stopped"})
	}
	fmt.Println(tidy.PullsRatio(a, b, 0.95))
	// Output: 4.05 [4.03, 4.07]
}

func ExampleArmPulls() {
	rows := []mc.Row{
		{Method: "e-cAPE", Status: "stopped", ArmPulls: []int{10, 40}},
		{Method: "uniform", Status: "stopped", ArmPulls: []int{80, 80}},
		{Method: "e-cAPE", Status: "stopped", ArmPulls: []int{13, 60}},
	}
	t, err := tidy.ArmPulls(rows, []string{"75 mg", "150 mg"})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Print(t)
	// Output:
	// Mean pulls of each arm
	//
	// arm     e-cAPE  uniform
	// ------  ------  -------
	// 75 mg     11.5       80
	// 150 mg      50       80
}

func ExampleNumber() {
	fmt.Println(tidy.Number(1234567.8), tidy.Number(0.012345), tidy.Number(1.5e-9))
	fmt.Println(tidy.Int(12345))
	// Output:
	// 1 234 568 0.0123 1.5e-09
	// 12 345
}

func ExampleTable_WriteFile() {
	dir, err := os.MkdirTemp("", "tidy")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	t := tidy.Table{
		Columns: []tidy.Column{{Name: "errors"}},
		Rows: [][]any{{tidy.Summary{Center: 0.125, Lo: 0.0625, Hi: 0.25, Confidence: 0.95,
			N: 64}}},
	}
	for _, name := range []string{"t.txt", "t.csv"} {
		if err := t.WriteFile(filepath.Join(dir, name)); err != nil {
			fmt.Println(err)
			return
		}
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Print(string(text))
	}
	// Output:
	//               errors
	// --------------------
	// 0.125 [0.0625, 0.25]
	// errors,errors lo,errors hi
	// 0.125,0.0625,0.25
}

// An interval that is rounded does not become narrower.
func ExampleOutward() {
	fmt.Println(tidy.Outward(1.8276, 2, true), tidy.Outward(1.8276, 2, false), tidy.Outward(0.25, 2, true))
	// Output: 1.9 1.8 0.25
}
