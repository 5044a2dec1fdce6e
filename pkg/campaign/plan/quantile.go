package plan

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mathext"
	"gonum.org/v1/gonum/stat/distuv"
)

// Quantile is a quantile of a sample, with an interval of order statistics that contains the true
// quantile with probability at least 95 %.
type Quantile struct {
	Value float64 `json:"value"`
	Lo    float64 `json:"lo"`
	Hi    float64 `json:"hi"`
	// If Open is true, Value depends on runs that were given up, so Value is only a lower bound.
	// HiOpen says the same about Hi.
	Open   bool `json:"open,omitempty"`
	HiOpen bool `json:"hi_open,omitempty"`
}

// quantile returns the quantile of x at level q; given-up runs count as longer than their recorded
// value.
func quantile(x []float64, given []bool, q float64) Quantile {
	n := len(x)
	if n == 0 {
		return Quantile{Open: true, HiOpen: true}
	}
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int {
		switch {
		case given[i] != given[j] && given[i]:
			return 1
		case given[i] != given[j]:
			return -1
		case x[i] < x[j]:
			return -1
		case x[i] > x[j]:
			return 1
		}
		return 0
	})
	at := func(rank int) (float64, bool) { // the argument rank counts order statistics from 1
		i := order[min(max(rank, 1), n)-1]
		return x[i], given[i] || rank > n
	}
	var r Quantile
	// The quantile is interpolated between order statistics, as in tidy.Quantile.
	h := float64(n-1) * q
	below, open := at(int(h) + 1)
	above, more := at(min(int(h)+2, n))
	r.Value, r.Open = below+(h-math.Floor(h))*(above-below), open || more && h > math.Floor(h)
	law := distuv.Binomial{N: float64(n), P: q}
	lo := 0
	for lo < n && law.CDF(float64(lo)) <= .025 {
		lo++
	}
	hi := lo
	for hi < n && law.CDF(float64(hi)) < .975 {
		hi++
	}
	if lo > 0 { // with few runs, no order statistic is low enough for the lower limit
		r.Lo, _ = at(lo)
	}
	r.Hi, r.HiOpen = at(hi + 1)
	return r
}

// Limits returns the exact (Clopper-Pearson) confidence limits of a probability after k events in n
// trials. Each of the two limits is wrong with probability at most 2.5 %.
func Limits(k, n int) (lo, hi float64) {
	hi = 1
	if k > 0 {
		lo = mathext.InvRegIncBeta(float64(k), float64(n-k+1), .025)
	}
	if k < n {
		hi = mathext.InvRegIncBeta(float64(k+1), float64(n-k), .975)
	}
	return lo, hi
}
