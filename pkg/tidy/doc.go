// Package tidy turns rows into groups, groups into summaries with intervals,
// and summaries into tables.
//
//	for _, c := range tidy.SampleComplexity(rows, 0.95) { // a cell for each method on each instance
//		fmt.Println(c.Key.Method, c.Median, c.ErrorRate)
//	}
//
// Rows are slices of plain structs, such as [mc.Row]. [GroupBy] splits them. A
// [Summary] is an estimate with its interval, the confidence that the interval achieves, and
// warnings: [Median] and [Quantile] take order statistics, [Mean] and the ratios
// a seeded bootstrap, [Rate] the exact binomial interval of Clopper and Pearson.
// A [Table] is written as text, Markdown, HTML or CSV.
//
// Values that are NaN are missing: summaries leave them out and warn of it.
// Infinite values are kept; they are ordered like any other.
package tidy
