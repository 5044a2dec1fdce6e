package tidy_test

import (
	"fmt"

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
	// 12 175 [unbounded] [tidy: an interval at level 0.95 needs at least 6 samples]
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

func ExampleSampleComplexity() {
	var rows []mc.Row
	for i := range 500 {
		rows = append(rows, mc.Row{Instance: "easy", Method: "e-cAPE", Delta: 0.1, Rep: i, Pulls: 800 + (i*i)%97,
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
