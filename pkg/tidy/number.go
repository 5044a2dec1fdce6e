package tidy

import (
	"math"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/mathext"
)

// Int formats n with spaces between groups of three digits, as in "12 345".
func Int(n int) string { return group(strconv.Itoa(n)) }

// group inserts spaces between groups of three digits in a whole number.
func group(digits string) string {
	sign := ""
	if strings.HasPrefix(digits, "-") {
		sign, digits = "-", digits[1:]
	}
	var b strings.Builder
	for i, c := range digits {
		if i > 0 && (len(digits)-i)%3 == 0 {
			b.WriteByte(' ')
		}
		b.WriteRune(c)
	}
	return sign + b.String()
}

// Number formats x for people to read. Whole numbers are written in full, as in "12 345". Other
// numbers are rounded to whole numbers if they are at least 1000, and to 3 significant digits
// otherwise, as in "0.0123". Very large and very small numbers have an exponent, as in "1.23e-07".
// NaN is written as "n/a"; infinities are written as "∞" and "-∞".
func Number(x float64) string {
	switch {
	case math.IsNaN(x):
		return "n/a"
	case math.IsInf(x, 1):
		return "∞"
	case math.IsInf(x, -1):
		return "-∞"
	}
	if a := math.Abs(x); a < 1e15 && (a >= 999.5 || x == math.Trunc(x)) {
		if x == 0 {
			x = 0 // avoid -0
		}
		return group(strconv.FormatFloat(x, 'f', 0, 64))
	}
	return strconv.FormatFloat(x, 'g', 3, 64)
}

// Outward rounds an end of an interval to the given number of significant digits, up or down such
// that the interval does not become narrower.
func Outward(x float64, digits int, up bool) float64 {
	if x == 0 || math.IsInf(x, 0) || math.IsNaN(x) {
		return x
	}
	// Divide by a power of ten, which is exact, instead of multiplying by its inverse.
	e := int(math.Floor(math.Log10(math.Abs(x)))) - digits + 1
	p := math.Pow(10, math.Abs(float64(e)))
	scaled := x / p
	if e < 0 {
		scaled = x * p
	}
	switch n := math.Round(scaled); {
	case math.Abs(scaled-n) < 1e-9*math.Abs(scaled): // scaled is a whole number up to rounding errors
		scaled = n
	case up:
		scaled = math.Ceil(scaled)
	default:
		scaled = math.Floor(scaled)
	}
	if e < 0 {
		return scaled / p
	}
	return scaled * p
}

// String formats s as "12 345 [11 900, 12 800]", with the ends rounded outward to 3 significant
// digits. From 100 million on, the format is "6.6e+11 [3.1e+09, 3.07e+12]". If the sample is too
// small for an interval, the format is "12 345 [unbounded]".
func (s Summary) String() string {
	if s.N == 0 {
		return Number(s.Center)
	}
	if math.IsInf(s.Lo, -1) && math.IsInf(s.Hi, 1) {
		return Number(s.Center) + " [unbounded]"
	}
	number := Number
	if most := max(math.Abs(s.Lo), math.Abs(s.Hi)); most >= 1e8 && !math.IsInf(most, 1) {
		number = func(x float64) string { return strconv.FormatFloat(x, 'g', 3, 64) }
	}
	return number(s.Center) + " [" + number(Outward(s.Lo, 3, false)) + ", " + number(Outward(s.Hi, 3, true)) + "]"
}

// Percent formats a Summary of a rate, or a float64, as a percentage, as in "2 % [1.1, 3.7]". If no
// events occurred, the format is "< 0.74 %", with the upper end rounded up. Values of other types
// are formatted as in columns without a Format. Percent can be used as the field Format of a
// column.
func Percent(v any) string {
	switch v := v.(type) {
	case float64:
		return Number(100*v) + " %"
	case Summary:
		switch {
		case v.N == 0:
			return "n/a"
		case v.Center == 0:
			return "< " + percentEnd(100*v.Hi, true) + " %"
		}
		return Number(100*v.Center) + " % [" + percentEnd(100*v.Lo, false) + ", " + percentEnd(100*v.Hi, true) + "]"
	}
	return format(v)
}

// percentEnd formats an end of an interval as a percentage, rounded outward to 2 significant
// digits, or to 3 digits from 10 % on.
func percentEnd(x float64, up bool) string {
	digits := 2
	if x >= 10 {
		digits = 3
	}
	return Number(Outward(x, digits, up))
}

// Rate returns the rate of k events in n trials with the exact interval of Clopper and Pearson
// (Biometrika 1934). The true rate is beyond each end of the interval with probability at most
// (1-confidence)/2:
//
//	Lo = B(alpha/2; k, n-k+1),  Hi = B(1-alpha/2; k+1, n-k),  alpha = 1-confidence,
//
// where B is the quantile function of the beta distribution. If k is 0, Lo is 0; if k is n, Hi is
// 1. For example, with 0 errors in 500 trials and confidence 0.95, the rate is at most 0.74 % with
// confidence 97.5 %.
func Rate(k, n int, confidence float64) Summary {
	checkConfidence(confidence)
	if k < 0 || n < k {
		panic(panicCounts)
	}
	if n == 0 {
		s := empty(confidence)
		s.Lo, s.Hi = 0, 1
		s.warn("no values")
		return s
	}
	s := Summary{Center: float64(k) / float64(n), Hi: 1, Confidence: confidence, N: n}
	tail := (1 - confidence) / 2
	if k > 0 {
		s.Lo = mathext.InvRegIncBeta(float64(k), float64(n-k+1), tail)
	}
	if k < n {
		s.Hi = mathext.InvRegIncBeta(float64(k+1), float64(n-k), 1-tail)
	}
	return s
}
