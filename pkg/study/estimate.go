package study

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/purexp/purexp/pkg/explore"
	"github.com/purexp/purexp/pkg/mc"
	"github.com/purexp/purexp/pkg/tidy"
)

// Estimate is a measured number with a confidence interval; the caller chooses the confidence.
type Estimate struct {
	// What is the name of the measured number. At returns the measured number with its interval at
	// the given confidence level.
	What string
	At   func(confidence float64) tidy.Summary
	// If rows are missing, so that there is no number, Lacks names the missing rows.
	Lacks string
	// If Percent is true, the number is formatted in per cent.
	Percent bool
	// If Resampled is true, the interval is a bootstrap interval, which requires enough replicates.
	Resampled bool
	// If GivenUp is true, the interval accounts for runs that were given up.
	GivenUp bool
}

// fewest is the smallest number of replicates for a bootstrap interval.
const fewest = 10

// At contains rows, together with the size of their problem.
type At struct {
	Size int
	Rows []mc.Row
}

// ratio returns the estimate of the ratio of the pulls in rows a to the pulls in rows b.
func ratio(
	what string, a, b []mc.Row, of func(a, b []mc.Row, confidence float64) tidy.Summary,
) Estimate {
	if len(a) == 0 || len(b) == 0 {
		return Estimate{Lacks: what}
	}
	return Estimate{What: what, Resampled: true, At: func(c float64) tidy.Summary { return of(a, b, c) }}
}

// Ratio estimates the ratio of the median numbers of pulls in rows a and b, paired by noise.
func Ratio(what string, a, b []mc.Row) Estimate { return ratio(what, a, b, tidy.PullsRatio) }

// MeanRatio estimates the ratio of the mean numbers of pulls in rows a and b, as Ratio does for
// medians. MeanRatio accounts for runs that were given up; see [Estimate.Censored].
func MeanRatio(what string, a, b []mc.Row) Estimate {
	return ratio(what, a, b, tidy.MeanPullsRatio).Censored(a, b)
}

// Censored returns the ratio with an interval that accounts for runs in rows a and b that were
// given up. Without a limit, such runs would have needed more pulls. If runs in a were given up,
// the interval has no upper end; if runs in b were given up, the interval begins just above 0.
func (e Estimate) Censored(a, b []mc.Row) Estimate {
	above, below := slices.ContainsFunc(a, givenUp), slices.ContainsFunc(b, givenUp)
	if e.Lacks != "" || !above && !below {
		return e
	}
	at := e.At
	e.GivenUp = true
	e.At = func(confidence float64) tidy.Summary {
		s := at(confidence)
		if above {
			s.Hi = inf
		}
		if below {
			s.Lo = math.SmallestNonzeroFloat64
		}
		return s
	}
	return e
}

// givenUp reports whether a run was stopped before its policy failed or stopped by its own rule.
func givenUp(r mc.Row) bool {
	s, err := explore.ParseStatus(r.Status)
	return err == nil && s.Early() && s != explore.Failure
}

// RatioOf estimates the ratio of the medians of two samples, which are paired if they come from the
// same replicates in the same order.
func RatioOf(what string, x, y []float64, paired bool) Estimate {
	if len(x) == 0 || len(y) == 0 {
		return Estimate{Lacks: what}
	}
	return Estimate{What: what, Resampled: true, At: func(c float64) tidy.Summary {
		return tidy.RatioOfMedians(x, y, paired, c)
	}}
}

// Median estimates the median of x, with an interval between order statistics.
func Median(what string, x []float64) Estimate {
	if len(x) == 0 {
		return Estimate{Lacks: what}
	}
	return Estimate{What: what, At: func(c float64) tidy.Summary { return tidy.Median(x, c) }}
}

// MeanGrowth estimates the exponent with which the mean number of pulls grows with the size, as
// GrowthOf does for medians.
func MeanGrowth(what string, cells []At) Estimate { return growth(what, cells, nil, false) }

func growthAbove(what string, a, b []At, medians bool) Estimate {
	if len(b) < 2 {
		return Estimate{Lacks: what}
	}
	return growth(what, a, b, medians)
}

// GrowthOf estimates the exponent with which the medians of samples, such as times, grow with the
// size. The exponent is the least-squares slope of the logarithms of the medians against the
// logarithms of the sizes. GrowthOf panics if sizes and samples differ in number.
func GrowthOf(what string, sizes []float64, samples [][]float64) Estimate {
	if len(sizes) != len(samples) {
		panic(fmt.Sprintf("study: %d samples; expected one for each of %d sizes", len(samples), len(sizes)))
	}
	if len(sizes) < 2 {
		return Estimate{Lacks: what}
	}
	c := contrast(sizes)
	return Estimate{What: what, Resampled: true, At: func(confidence float64) tidy.Summary {
		return tidy.LogContrast(c, samples, true, confidence)
	}}
}

func growth(what string, a, b []At, medians bool) Estimate {
	if len(a) < 2 {
		return Estimate{Lacks: what}
	}
	c, x := slope(a)
	if b != nil {
		cb, xb := slope(b)
		for k := range cb {
			c, x = append(c, -cb[k]), append(x, xb[k])
		}
	}
	return Estimate{What: what, Resampled: true, At: func(confidence float64) tidy.Summary {
		return tidy.LogContrast(c, x, medians, confidence)
	}}
}

// slope returns the coefficients of the least-squares slope, and the pulls of each cell, in the
// same order.
func slope(cells []At) (c []float64, x [][]float64) {
	sizes := make([]float64, len(cells))
	for i, a := range cells {
		sizes[i] = float64(a.Size)
		x = append(x, Pulls(a.Rows))
	}
	return contrast(sizes), x
}

// contrast returns one weight for each size. The sum of values with these weights is the
// least-squares slope of the values against the logarithms of the sizes.
func contrast(sizes []float64) []float64 {
	mean, square := 0., 0.
	for _, s := range sizes {
		mean += math.Log(s) / float64(len(sizes))
	}
	for _, s := range sizes {
		d := math.Log(s) - mean
		square += d * d
	}
	c := make([]float64, len(sizes))
	for i, s := range sizes {
		c[i] = (math.Log(s) - mean) / square
	}
	return c
}

// RatioChange estimates the ratio of the pulls in a2 to those in b2, divided
// by the ratio of the pulls in a1 to those in b1, for medians or means.
func RatioChange(what string, medians bool, a1, b1, a2, b2 []mc.Row) Estimate {
	x := [][]float64{Pulls(a1), Pulls(b1), Pulls(a2), Pulls(b2)}
	for _, s := range x {
		if len(s) == 0 {
			return Estimate{Lacks: what}
		}
	}
	return Estimate{What: what, Resampled: true, At: func(c float64) tidy.Summary {
		s := tidy.LogContrast([]float64{-1, 1, 1, -1}, x, medians, c)
		s.Center, s.Lo, s.Hi = math.Exp(s.Center), math.Exp(s.Lo), math.Exp(s.Hi)
		return s
	}}
}

// Wrong estimates the error rate of rows. A run that was given up counts as wrong, except for the
// lower end of the interval, because its answer might have been right.
func Wrong(what string, rows []mc.Row) Estimate {
	wrong, open, n := Mistakes(rows), GivenUp(rows), len(rows)
	e := Share(what, wrong, n)
	if n > 0 && open > 0 {
		e.GivenUp = true
		e.At = func(c float64) tidy.Summary {
			s := tidy.Rate(wrong, n, c)
			s.Lo = tidy.Rate(wrong-open, n, c).Lo
			return s
		}
	}
	return e
}

// Share estimates a probability from k events in n trials.
func Share(what string, k, n int) Estimate {
	if n == 0 {
		return Estimate{Lacks: what}
	}
	return Estimate{What: what, Percent: true, At: func(c float64) tidy.Summary { return tidy.Rate(k, n, c) }}
}

// Weighted contains rows, and the weight of their error rate in a sum.
type Weighted struct {
	Weight float64
	Rows   []mc.Row
}

// WrongSum estimates a weighted sum of error rates; with the weights 1 and -1, the sum is the
// difference of two error rates.
func WrongSum(what string, terms ...Weighted) Estimate {
	var c []float64
	var k, n []int
	for _, t := range terms {
		if len(t.Rows) == 0 {
			return Estimate{Lacks: what}
		}
		c, k, n = append(c, t.Weight), append(k, Mistakes(t.Rows)), append(n, len(t.Rows))
	}
	return Estimate{What: what, Percent: true, At: func(confidence float64) tidy.Summary {
		return tidy.RateContrast(c, k, n, confidence)
	}}
}

// Exact returns a computed number as an Estimate without an interval.
func Exact(what string, v float64) Estimate {
	return Estimate{What: what, At: func(float64) tidy.Summary {
		return tidy.Summary{Center: v, Lo: v, Hi: v, Confidence: 1}
	}}
}

func (e Estimate) name() string { return strings.TrimRight(e.What, ":,") }

func (e Estimate) text(s tidy.Summary) string {
	if s.Confidence == 1 && s.Lo == s.Hi {
		return fmt.Sprintf("%s %.4g", e.What, s.Center)
	}
	switch {
	case e.Percent && e.GivenUp:
		return fmt.Sprintf("%s from %.1f to %.1f %%, because runs were stopped early", e.What, 100*s.Lo, 100*s.Hi)
	case e.Percent:
		return fmt.Sprintf("%s %.1f %% [%.1f, %.1f]", e.What, 100*s.Center, 100*s.Lo, 100*s.Hi)
	case e.Resampled && s.N < fewest:
		return fmt.Sprintf("%s %.3g (of %d)", e.What, s.Center, s.N)
	case e.GivenUp && math.IsInf(s.Hi, 1) && s.Lo == math.SmallestNonzeroFloat64:
		return e.What + " unknown, because runs in both samples were stopped early"
	case e.GivenUp && math.IsInf(s.Hi, 1):
		return fmt.Sprintf("%s above %.3g, because runs were stopped early", e.What, s.Lo)
	case e.GivenUp:
		return fmt.Sprintf("%s below %.3g, because runs were stopped early", e.What, s.Hi)
	}
	if math.IsInf(s.Lo, -1) && math.IsInf(s.Hi, 1) {
		return fmt.Sprintf("%s %.3g [unbounded]", e.What, s.Center)
	}
	return fmt.Sprintf("%s %.3g [%.3g, %.3g]", e.What, s.Center, s.Lo, s.Hi)
}
