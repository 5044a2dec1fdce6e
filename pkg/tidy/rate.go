package tidy

import (
	"gonum.org/v1/gonum/mathext"
)

// Rate returns the rate of k events in n trials with the exact interval of
// Clopper and Pearson (Biometrika 1934), each end of which fails with
// probability at most (1-confidence)/2:
//
//	Lo = B(alpha/2; k, n-k+1),  Hi = B(1-alpha/2; k+1, n-k),  alpha = 1-confidence,
//
// B being the quantile of the beta distribution; Lo is 0 if k is 0, and Hi is 1
// if k is n. Hence 0 errors in 500 at confidence 0.95 say that the rate is at
// most 0.74 %, at 97.5 %.
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
