// Package tidy groups rows, summarises groups with intervals, and makes tables of summaries.
//
//	for _, c := range tidy.SampleComplexity(rows, 0.95) { // a cell for each method on each instance
//		fmt.Println(c.Key.Method, c.Median, c.ErrorRate)
//	}
//
// Rows are slices of plain structs, such as [mc.Row]. [GroupBy] splits rows into groups. A
// [Summary] is an estimate with an interval, the confidence of the interval, and warnings. [Median]
// and [Quantile] use order statistics, [Mean] and the ratios use a seeded bootstrap, and [Rate]
// uses the exact binomial interval of Clopper and Pearson. A [Table] can be written as text,
// Markdown, HTML, CSV or JSON.
//
// NaN marks missing values. Summaries omit missing values, and add a warning about them. Infinite
// values are kept and sorted like other values.
package tidy
