package bandit

import "math"

// Probabilities of counts by the saddle-point expansion of C. Loader, "Fast and
// accurate computation of binomial probabilities" (2000). Differences of
// log-gamma functions lose log10(n) digits; here no large terms cancel.

// logBinomial returns log P(X = k) for the binomial law, 0 <= k <= n and
// 0 < p < 1.
func logBinomial(k, n, p float64) float64 {
	switch k {
	case 0:
		return n * math.Log1p(-p)
	case n:
		return n * math.Log(p)
	}
	return stirling(n) - stirling(k) - stirling(n-k) - deviance(k, n*p) - deviance(n-k, n*(1-p)) +
		0.5*math.Log(n/(2*math.Pi*k*(n-k)))
}

// logPoisson returns log P(X = k) for the Poisson law, k >= 0 and lambda > 0.
func logPoisson(k, lambda float64) float64 {
	if k == 0 {
		return -lambda
	}
	return -stirling(k) - deviance(k, lambda) - 0.5*math.Log(2*math.Pi*k)
}

// deviance returns x log(x / m) + m - x, x and m positive. Near x = m, where
// it matters, its error is that of x - m times 1e-16.
func deviance(x, m float64) float64 {
	return x*math.Log1p((x-m)/m) - (x - m)
}

// stirling returns the error of Stirling's formula, k! = sqrt(2 pi k) (k/e)^k
// exp(stirling(k)), for integers k >= 1.
func stirling(k float64) float64 {
	if k < float64(len(stirlingSmall)) {
		return stirlingSmall[int(k)]
	}
	k2 := k * k
	return (1./12 - (1./360-(1./1260-(1./1680-1./1188/k2)/k2)/k2)/k2) / k
}

// stirlingSmall is stirling(k) for the first k; entry 0 is not used.
var stirlingSmall = func() (s [16]float64) {
	for k := 1; k < len(s); k++ {
		x := float64(k)
		l, _ := math.Lgamma(x + 1)
		s[k] = l - 0.5*math.Log(2*math.Pi*x) - x*math.Log(x) + x
	}
	return s
}()
